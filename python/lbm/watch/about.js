// SPDX-License-Identifier: Apache-2.0
// The case and the report of a run: tables and text.

import { el, fill, read } from "/dom.js";

function table(one) {
  const names = one.columns.length === 0;
  const row = (cells) => el("tr", {}, cells.map((cell, i) =>
    el(i ? "td" : "th", { class: i ? cell.mark : null, scope: i ? null : "row" }, cell.text)));
  return el("div", { class: "scroll" }, el("table", { class: names ? "names" : null },
    one.caption ? el("caption", {}, one.caption) : "",
    names ? "" : el("thead", {}, el("tr", {}, one.columns.map((name) => el("th", {}, name)))),
    el("tbody", {}, one.rows.map(row))));
}

function bars([title, rows]) {
  return [el("h3", {}, title), el("div", { class: "bars" }, rows.map((one) => [
    el("span", { class: "label" }, one.label),
    el("meter", { class: one.kind, min: 0, max: 1, value: one.share }),
    el("span", { class: "value" }, one.text),
  ]).flat())];
}

function panel(one) {
  if (one.empty) return el("p", { class: "words" }, `${one.title}: ${one.empty}`);
  return el("details", { open: one.title === "Results and expectations" }, el("summary", {}, one.title),
    one.text.map((text) => el("p", {}, text)), one.bars.map(bars).flat(), one.tables.map(table),
    one.notes.map((text) => el("p", { class: "words" }, text)),
    one.folded.map(([name, text]) => el("details", {}, el("summary", {}, name), el("pre", {}, text))));
}

export class About {
  constructor(run) {
    this.run = run;
    this.problem = el("p", { class: "words bad-text" });
    this.open = el("button", { click: () => this.whole() }, "Open the report with pictures");
    this.panels = el("div");
    this.case = el("pre", {}, "…");
    this.report = el("div", {}, el("p", { class: "tools" }, this.open, this.problem), this.panels);
  }

  async update() {
    try {
      const found = await read("about", { run: this.run });
      const text = JSON.stringify(found);
      if (text.replaceAll(/made \d{4}-[^"]*/g, "") === this.before) return;
      this.before = text.replaceAll(/made \d{4}-[^"]*/g, "");
      fill(this.case, found.case || "There is no effective_case.yaml yet.");
      fill(this.panels, found.panels.map(panel));
    } catch (error) {
      fill(this.problem, error.message);
    }
  }

  /** The window is opened at once: browsers refuse one that comes later. */
  async whole() {
    const page = window.open("about:blank", "_blank");
    try {
      const { ticket } = await read("ticket", { run: this.run });
      if (page) page.location = `/report?${new URLSearchParams({ ticket })}`;
    } catch (error) {
      page?.close();
      fill(this.problem, error.message);
    }
  }
}
