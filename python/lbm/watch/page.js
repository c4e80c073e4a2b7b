// SPDX-License-Identifier: Apache-2.0
// Asks the server for what has changed. Texts of files become text nodes here, or the server has escaped them.
"use strict";

const at = (selector) => document.querySelector(selector);
const place = new URLSearchParams(location.hash.slice(1));
const NONE = { monitor: "The case has no output.monitor, which records these curves.", forces: "The case has no bodies, or no output.forces.",
  probe: "The case has no probes.", quantity: "The case has no named quantities." };
const LAYOUT = { font: { family: "system-ui, DejaVu Sans, sans-serif", size: 12, color: "#36424e" }, margin: { l: 65, r: 20, t: 28, b: 45 },
  uirevision: "kept", legend: { orientation: "h", y: 1.12 }, hovermode: "x" };
let run = place.get("run"), running = true, filter = "";

async function ask(name, wish = {}, method = "GET") {
  const query = new URLSearchParams({ run: run ?? "", ...wish }), headers = { "X-Lbm-Key": place.get("key") ?? "" };
  const answer = await fetch(`/api/${name}?${query}`, { method, headers }).catch(() => { throw new Error("lbm watch does not answer: it has ended, or the tunnel is closed."); });
  const data = await answer.json();
  if (!answer.ok) throw new Error(data.error);
  return data;
}

function add(parent, tag, attributes = {}) {
  const element = Object.assign(document.createElement(tag), attributes);
  parent.append(element);
  return element;
}

/** A figure or picture with controls, which the server describes. */
class Panel {
  constructor(section) {
    this.section = section;
    this.wish = {};
    this.form = add(section, "form");
    this.box = add(section, "div");
    this.words = add(section, "p", { className: "words" });
    this.form.addEventListener("input", ({ target }) => this.choose(target));
  }

  choose({ name, choices, value, nextSibling }) {
    const [wanted, text] = choices?.[value] ?? [value];
    if (choices) nextSibling.value = text;
    if (name === "series") this.wish = {};
    delete this.wish[{ axis: "index", quantity: "value" }[name]];
    this.wish[name] = wanted;
    return this.update();
  }

  async update() {
    const { top, bottom } = this.section.getBoundingClientRect();
    if (this.shown && (bottom < 0 || top > innerHeight)) return; // not on the screen
    if (this.busy) return void (this.again = true);
    this.busy = true;
    try {
      const answer = await ask(this.section.id, this.wish);
      this.shown = true;
      for (const one of answer.controls) this.control(one);
      this.box.className = answer.data ? "chart" : "";
      if (answer.data) await Plotly.react(this.box, answer.data, { ...LAYOUT, ...answer.layout }, { responsive: true, displaylogo: false });
      else (this.box.firstChild ?? add(this.box, "img")).src = answer.png;
      this.words.textContent = answer.words;
    } catch (error) {
      this.wish = {};
      this.words.textContent = error.message;
    }
    this.busy = false;
    if (this.again) this.again = void this.update();
  }

  control({ name, label, kind, value, options }) {
    const range = kind === "range";
    if (!this.form.elements[name]) {
      const row = add(this.form, "label", { className: kind, textContent: label });
      add(row, range ? "input" : "select", { name, ...(range && { type: "range", min: 0 }) });
      if (range) add(row, "output");
    }
    const input = this.form.elements[name], known = JSON.stringify(options);
    input.parentNode.hidden = options.length < 2;
    if (range && !input.matches(":active")) {
      Object.assign(input, { choices: options, max: options.length - 1, value: options.findIndex(([one]) => one === value) });
      input.nextSibling.value = options[input.value]?.[1] ?? "";
    } else if (!range) {
      if (input.known !== known) input.replaceChildren(...options.map(([one, text]) => new Option(text, one)));
      Object.assign(input, { known, value });
    }
  }
}

async function curves() {
  for (const [kind, { charts, notes }] of Object.entries(await ask("curves"))) {
    const section = at(`#${kind}`), boxes = section.getElementsByClassName("curve");
    section.querySelector(".notes").textContent = notes.join(" ") || (charts.length ? "" : NONE[kind]);
    while (boxes.length < charts.length) {
      const box = add(section, "div", { className: "curve" });
      for (const className of ["title", "chart", "words", "caution"]) add(box, "div", { className });
    }
    [...boxes].forEach((box, i) => { box.hidden = i >= charts.length; });
    charts.forEach(({ title, data, layout, words, caution }, i) => {
      const [head, chart, below, last] = boxes[i].children;
      Plotly.react(chart, data, { ...LAYOUT, ...layout }, { responsive: true, displayModeBar: false });
      [head.textContent, below.textContent, last.textContent] = [title, words, caution ?? ""];
    });
  }
}

async function head() {
  const open = at("details")?.open ?? true, answer = await ask(run === null ? "runs" : "run");
  at("#head").innerHTML = answer.html; // of templates that escape all texts
  at("details")?.toggleAttribute("open", open);
  running = answer.running ?? answer.runs.some((one) => one.running);
  document.title = `${answer.name ?? "Runs"} – lbm watch`;
  if (run === null) list();
}

/** Hides the runs that are not looked for. */
function list() {
  for (const row of at("tbody").rows) row.hidden = !row.textContent.toLowerCase().includes(filter);
}

async function every(ms, work) {
  try {
    if (!document.hidden) await work();
  } catch (error) {
    at("#done").textContent = error.message;
  }
  setTimeout(() => every(ms, work), running ? ms : 10 * ms);
}

document.addEventListener("click", async (event) => {
  const { target } = event, { run: wanted, post } = target.dataset;
  const told = (part) => ask(part).catch(({ message }) => ({ html: message, text: message }));
  if (wanted !== undefined) {
    event.preventDefault();
    place.set("run", wanted);
    if (!wanted) place.delete("run");
    location.hash = place; // loads the page anew
  } else if (post && (post === "save" || confirm("The run saves a checkpoint and ends. Stop it?"))) {
    at("#done").textContent = await ask(post, {}, "POST").then(({ done }) => done, ({ message }) => message);
  } else if (target.matches("#report > button")) {
    at("#report iframe")?.remove();
    add(at("#report"), "iframe", { sandbox: "", srcdoc: (await told("report")).html });
  } else if (target.matches("#case > button")) {
    at("#case pre").textContent = (await told("case")).text || "There is no effective_case.yaml.";
  }
});
at("#search").addEventListener("input", ({ target }) => { filter = target.value.toLowerCase(); list(); });

async function start() {
  const { runs } = await ask("runs");
  if (run === null && runs.length === 1 && runs[0].id === ".") run = ".";
  at("main").hidden = run === null;
  at("#search").hidden = run !== null;
  every(2000, head);
  if (run === null) return;
  every(4000, curves);
  for (const panel of [...document.querySelectorAll(".panel")].map((section) => new Panel(section))) every(4000, () => panel.update());
}
window.addEventListener("hashchange", () => location.reload());
start().catch(({ message }) => { at("#head").textContent = message; });
