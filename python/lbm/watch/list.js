// SPDX-License-Identifier: Apache-2.0
// All runs of a folder: a table with state, progress, speed and what went wrong.

import { Every, date, duration, el, fill, link, number, read } from "/dom.js";

const COLUMNS = [
  ["Run", (r) => r.id],
  ["State", (r) => r.word],
  ["Progress", (r) => r.progress.share ?? -1],
  ["Time left", (r) => r.progress.left ?? Infinity],
  ["Speed", (r) => r.progress.mlups ?? -1],
  ["Grid", (r) => (r.cells ? r.cells[0] * r.cells[1] * r.cells[2] : -1)],
  ["Last written", (r) => r.written],
  ["What happened", (r) => r.sentence],
];

/** A badge with the state of a run. */
export function badge(run) {
  return el("span", { class: `badge ${run.mark}` }, run.word);
}

/** A bar of the progress of a run. */
export function bar(run) {
  const share = run.progress.share;
  return el("progress", { class: run.mark, max: 1, value: share ?? 0, "aria-label": "progress" });
}

/** 83 %; 0.6 %. */
export function percent(share) {
  if (share === null || share === undefined) return "–";
  return `${share < 0.0995 && share > 0 ? number(100 * share, 2) : Math.floor(100 * share)} %`;
}

export class RunList {
  constructor(page, list) {
    this.sort = null;
    this.filter = "";
    this.counts = el("p", { class: "counts" });
    this.body = el("tbody");
    this.head = el("tr");
    const search = el("input", {
      type: "search",
      placeholder: "Find a run, or a state",
      "aria-label": "Find a run, or a state",
      input: (event) => {
        this.filter = event.target.value.toLowerCase();
        this.draw();
      },
    });
    const table = el("table", { class: "runs" }, el("thead", {}, this.head), this.body);
    fill(
      page,
      el("header", {}, el("p", { class: "kicker" }, "lbm watch"), el("h1", {}, "Runs"), this.place(list), this.counts),
      el("main", {}, el("section", {}, el("div", { class: "tools" }, search), el("div", { class: "scroll" }, table))),
    );
    document.title = "Runs – lbm watch";
    this.list = list;
    this.draw();
    const pause = () => (this.list.runs.some((run) => run.running) ? 3000 : 10000);
    let first = true;
    this.poll = new Every(pause, async () => {
      if (!first) await this.update();
      first = false;
    });
  }

  place(list) {
    return el("p", { class: "place" }, list.root);
  }

  async update() {
    try {
      this.list = await read("runs");
      this.draw();
    } catch (error) {
      fill(this.counts, el("span", { class: "bad-text" }, error.message));
    }
  }

  draw() {
    const runs = this.list.runs.filter((run) => `${run.id} ${run.name} ${run.word}`.toLowerCase().includes(this.filter));
    if (this.sort) {
      const { of, down } = this.sort;
      const order = (a, b) => (of(a) < of(b) ? -1 : of(a) > of(b) ? 1 : 0);
      runs.sort((a, b) => (down ? order(b, a) : order(a, b)));
    }
    const words = new Map();
    for (const run of this.list.runs) words.set(run.word, (words.get(run.word) ?? 0) + 1);
    const some = [...words].map(([word, count]) => `${count} ${word.toLowerCase()}`).join(", ");
    fill(this.counts, this.list.runs.length ? `${this.list.runs.length} runs: ${some}` : "There is no run in this folder yet.");
    fill(this.head, COLUMNS.map(([name, of]) => el("th", {}, el("button", { click: () => this.order(of) }, name))));
    fill(this.body, runs.map((run) => this.row(run)));
  }

  order(of) {
    const same = this.sort?.of === of;
    this.sort = { of, down: same ? !this.sort.down : false };
    this.draw();
  }

  row(run) {
    const { share, left, mlups } = run.progress;
    const cells = run.cells ? run.cells.map((n) => number(n)).join(" × ") : "–";
    const short = run.sentence.length > 150 ? `${run.sentence.slice(0, 150)}…` : run.sentence;
    const told = run.mark === "bad" || run.mark === "warn" ? short : this.met(run);
    const again = run.restarts ? el("span", { class: "again" }, `restarted ${run.restarts === 1 ? "once" : `${run.restarts} times`}`) : "";
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, el("a", { href: link(run.id) }, run.id === "." ? run.name : run.id), again),
      el("td", {}, badge(run)),
      el("td", { class: "number progress" }, bar(run), ` ${percent(share)}`),
      el("td", { class: "number" }, run.running ? duration(left) : ""),
      el("td", { class: "number" }, mlups ? `${number(mlups, 3)} MLUPS` : "–"),
      el("td", { class: "number" }, cells),
      el("td", { class: "number" }, date(run.written)),
      el("td", { class: run.mark === "bad" ? "told bad-text" : "told", title: run.sentence }, told),
    );
  }

  met(run) {
    if (!run.expected || run.running) return "";
    return `${run.met} of ${run.expected} expectations met`;
  }

  stop() {
    this.poll.stop();
  }
}
