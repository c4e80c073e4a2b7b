// SPDX-License-Identifier: Apache-2.0
// The page of one run.

import { About } from "/about.js";
import { Charts } from "/chart.js";
import { Every, change, date, duration, el, fill, link, number, read } from "/dom.js";
import { badge, bar, percent } from "/list.js";
import { Pictures } from "/pictures.js";
import { Slice } from "/slice.js";
import { Surface } from "/surface.js";

const PANELS = [
  ["monitor", "Flow over time", "The case has no output.monitor, which records these curves."],
  ["forces", "Forces on bodies", "No forces are recorded: the case has no bodies, or no output.forces."],
  ["probes", "Probes", "The case has no probes."],
  ["quantities", "Quantities", "The case has no named quantities."],
];

function tile(name, value, hint) {
  return el("div", {}, el("dt", {}, name), el("dd", {}, value), hint ? el("dd", { class: "hint" }, hint) : "");
}

export class RunPage {
  constructor(page, list, run, alone) {
    this.id = run.id;
    this.running = run.running;
    this.control = list.control;
    this.slice = new Slice(run.id);
    this.surface = new Surface(run.id);
    this.pictures = new Pictures(run.id);
    this.about = new About(run.id);
    this.charts = new Map(PANELS.map(([name, title, none]) => {
      const charts = new Charts(), empty = el("p", { class: "words" }, "…");
      return [name, { charts, empty, none, root: el("section", { id: name }, el("h2", {}, title), charts.root, empty) }];
    }));
    this.name = el("h1");
    this.state = el("p", { class: "state" });
    this.buttons = el("div", { class: "buttons" });
    this.done = el("p", { class: "words", role: "status" });
    this.progress = el("div", { class: "bar" });
    this.tiles = el("dl", { class: "tiles" });
    this.warnings = el("section", { id: "warnings", class: "warnings" });
    this.log = el("pre", {}, "…");
    this.absent = el("section", { id: "absent", hidden: true });
    const back = alone ? "lbm watch" : el("a", { href: link() }, "← All runs");
    fill(
      page,
      el("header", {}, el("p", { class: "kicker" }, back), el("div", { class: "title" }, this.name, this.buttons),
        this.state, this.done, this.progress, this.tiles),
      el("main", {}, this.warnings,
        el("section", { id: "slice" }, el("h2", {}, "The flow"), this.slice.root),
        this.charts.get("monitor").root, // beside the plane
        this.surface.root,
        this.pictures.root,
        [...this.charts.entries()].filter(([name]) => name !== "monitor").map(([, one]) => one.root),
        this.absent,
        el("section", { id: "log" }, el("h2", {}, "Log"), el("p", { class: "words" }, "The last lines of run.log."), this.log),
        el("section", { id: "report" }, el("h2", {}, "Report"), this.about.report),
        el("section", { id: "case" }, el("h2", {}, "Case"),
          el("p", { class: "words" }, "The case with all defaults (effective_case.yaml)."), this.case())),
    );
    const pause = (busy) => () => (this.running ? busy : 10 * busy);
    this.polls = [
      new Every(pause(2000), () => this.status()),
      new Every(pause(4000), () => this.curves()),
      new Every(pause(4000), () => this.slice.update()),
      new Every(pause(4000), () => this.surface.update()),
      new Every(pause(4000), () => this.pictures.update()),
      new Every(pause(30000), () => this.about.update()),
    ];
  }

  case() {
    return el("details", {}, el("summary", {}, "Show it"), this.about.case);
  }

  async status() {
    let run;
    try {
      run = await read("run", { run: this.id });
    } catch (error) {
      fill(this.state, el("span", { class: "badge bad" }, "No answer"), ` ${error.message}`);
      return;
    }
    const ended = this.running && !run.running;
    this.running = run.running;
    const how = run.progress;
    document.title = `${run.running ? `${percent(how.share)} ` : ""}${run.name} – lbm watch`;
    fill(this.name, run.name);
    fill(this.state, badge(run), " ", run.sentence || this.sentence(run));
    fill(this.progress, bar(run), el("span", {}, percent(how.share)));
    fill(this.tiles, this.numbers(run));
    this.warnings.hidden = !run.warnings.length;
    fill(this.warnings, el("h2", {}, run.warnings.length === 1 ? "A warning" : `${run.warnings.length} warnings`), el("ul", {}, run.warnings.map((text) => el("li", {}, text))));
    fill(this.log, run.log.join("\n") || "There is no run.log yet.");
    this.offer(run);
    if (ended) await Promise.all([this.curves(), this.slice.update(), this.surface.update(), this.pictures.update(), this.about.update()]);
  }

  sentence(run) {
    const again = run.progress.restarted_from;
    const parts = [again !== null ? `Continued from step ${number(again)}.` : "", run.flow ? `Now: ${run.flow}.` : ""];
    return parts.filter(Boolean).join(" ") || "The run computes.";
  }

  numbers(run) {
    const how = run.progress;
    const speed = how.mlups ? `${number(how.mlups, 3)} MLUPS` : "–";
    const share = how.predicted && how.mlups ? ` (${Math.round((100 * how.mlups) / how.predicted)} % of it)` : "";
    const predicted = how.predicted ? `predicted: ${number(how.predicted, 3)}${share}` : "million cell updates a second; without prediction (lbm run --predict)";
    const age = how.age !== null && run.running ? `, ${duration(how.age)} ago` : "";
    return [
      tile("Step", how.step === null ? "–" : number(how.step), how.asked ? `of ${number(how.asked)}${age}` : age.slice(2)),
      run.running ? tile("Time left", duration(how.left), how.left ? "at this speed, at most" : "known after the first steps")
        : tile("Last written", date(run.written), run.restarts ? `restarted ${run.restarts === 1 ? "once" : `${run.restarts} times`}` : ""),
      tile("Speed", speed, predicted),
      tile("Grid", run.cells ? run.cells.map((n) => number(n)).join(" × ") : "–", run.storage ? `cells along x, y, z; ${run.storage}` : "cells"),
      tile("Reynolds number", number(run.reynolds), run.caution ? el("span", { class: "caution" }, run.caution) : "inertia over viscosity"),
      tile("Device", run.device || "–", run.pid ? `process ${run.pid}` : ""),
    ];
  }

  offer(run) {
    const wanted = this.control && run.running && run.pid ? run.word : "";
    if (this.offered === wanted) return;
    this.offered = wanted;
    fill(this.buttons, wanted === "Running" ? [
      el("button", { id: "save", click: () => this.ask("save") }, "Save a checkpoint"),
      el("button", { id: "stop", class: "danger", click: () => this.sure() }, "Stop and save"),
    ] : "");
  }

  sure() {
    fill(this.buttons, el("span", {}, "The run saves a checkpoint and ends. Stop it?"),
      el("button", { id: "yes", class: "danger", click: () => this.ask("stop") }, "Stop and save"),
      el("button", { click: () => { this.offered = null; this.status(); } }, "No"));
  }

  async ask(what) {
    try {
      const { done } = await change(what, { run: this.id });
      fill(this.done, what === "save" ? `${done} The checkpoint is written after the steps under way.` : `${done} The run saves, then it ends.`);
    } catch (error) {
      fill(this.done, error.message);
    }
    this.offered = null;
    await this.status();
  }

  async curves() {
    let found;
    try {
      found = await read("curves", { run: this.id });
    } catch {
      return;
    }
    for (const [name, one] of this.charts) {
      const { charts, notes } = found[name];
      one.charts.set(charts);
      fill(one.empty, notes.join(" ") || (charts.length ? "" : one.none));
      one.root.classList.toggle("none", !charts.length);
    }
    this.gather();
  }

  /** Cards that have nothing to show are lines of one card. */
  gather() {
    const empty = [...this.charts.values()].map((one) => one.root).concat(this.surface.root, this.pictures.root).filter((one) => one.classList.contains("none"));
    this.absent.hidden = !empty.length;
    fill(this.absent, el("h2", {}, "Not on this page"), empty.map((one) => el("p", { class: "words" },
      el("strong", {}, `${one.querySelector("h2").textContent}: `), [...one.querySelectorAll(".words")].map((words) => words.textContent).find((text) => text && text !== "…") ?? "")));
  }

  stop() {
    for (const poll of this.polls) poll.stop();
  }
}
