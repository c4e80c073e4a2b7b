// SPDX-License-Identifier: Apache-2.0
// Which page is shown: the list of runs, or one run.

import { Failure, el, fill, place, read } from "/dom.js";
import { RunList } from "/list.js";
import { RunPage } from "/run.js";

const page = document.getElementById("page");
let shown = null;
let token = 0; // of the newest visit: an older answer is dropped

function message(title, text) {
  document.title = "lbm watch";
  fill(page, el("main", {}, el("div", { class: "message" }, el("h1", {}, title), el("p", {}, text))));
}

async function show() {
  const mine = ++token;
  shown?.stop();
  shown = null;
  if (!place().get("key")) {
    message("The key is missing", "Open the whole address that lbm watch has printed on the terminal: its end, after #, is the key.");
    return;
  }
  let list;
  try {
    list = await read("runs");
  } catch (error) {
    if (mine !== token) return;
    const title = error instanceof Failure && error.status === 401 ? "The key is of another start" : "No answer";
    message(title, error.message);
    return;
  }
  if (mine !== token) return;
  const alone = list.runs.length === 1 && list.runs[0].id === ".";
  const wanted = alone ? "." : place().get("run");
  const run = list.runs.find((one) => one.id === wanted);
  if (wanted && !run) message("No such run", "It was moved or removed.");
  else shown = run ? new RunPage(page, list, run, alone) : new RunList(page, list);
  window.scrollTo(0, 0);
}

window.addEventListener("hashchange", show);
show();
