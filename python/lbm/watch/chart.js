// SPDX-License-Identifier: Apache-2.0
// Curves as SVG, with a readout under the pointer.

import { el, fill, number, svg } from "/dom.js";

const COLOURS = 6; // classes line0 ... line5 of page.css
const MARGIN = { left: 62, right: 14, top: 10, bottom: 40 };

function steps(low, high, most) {
  const rough = (high - low) / most;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * unit).find((n) => n >= rough) ?? 10 * unit;
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) found.push(i * step);
  return found.map((v) => (Math.abs(v) < 1e-9 * step ? 0 : Number(v.toPrecision(12))));
}

function powers(low, high, most) {
  const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
  const step = Math.max(1, Math.ceil((last - first) / most));
  const found = [];
  for (let p = first; p <= last; p += step) found.push(10 ** p);
  if (found.length > 2) return found;
  const finer = [];
  for (let p = first - 1; p <= last + 1; p++) for (const n of [1, 2, 5]) finer.push(Number((n * 10 ** p).toPrecision(3)));
  return finer.filter((v) => v >= low && v <= high);
}

/** A scale of values to pixels. */
function scale(low, high, from, to, log) {
  const f = log ? Math.log10 : (v) => v;
  const a = f(low), b = f(high);
  const map = (v) => from + ((f(v) - a) / (b - a || 1)) * (to - from);
  map.back = (p) => {
    const v = a + ((p - from) / (to - from)) * (b - a);
    return log ? 10 ** v : v;
  };
  return map;
}

export class Chart {
  constructor() {
    this.title = el("h3");
    this.words = el("p", { class: "words" });
    this.legend = el("p", { class: "legend" });
    this.plot = svg("svg", { role: "img" });
    this.readout = el("p", { class: "readout" }, "\u00a0");
    this.root = el("figure", { class: "chart" }, this.title, this.legend, this.plot, this.readout, this.words);
    this.plot.addEventListener("pointermove", (event) => this.point(event));
    this.plot.addEventListener("pointerleave", () => this.leave());
    this.size = new ResizeObserver(() => this.data && this.draw());
    this.size.observe(this.root);
  }

  set(data) {
    const text = JSON.stringify(data);
    if (text === this.text) return;
    this.text = text;
    this.data = data;
    fill(this.title, data.title);
    fill(this.words, data.words ?? "", data.caution ? el("strong", { class: "caution" }, ` ${data.caution}`) : "");
    this.plot.setAttribute("aria-label", data.title);
    fill(this.legend, data.lines.length > 1 ? data.lines.map((line, i) =>
      el("span", {}, el("span", { class: `key line${i % COLOURS}` }), line.name)) : "");
    this.draw();
  }

  ends(which, positive) {
    let low = Infinity, high = -Infinity;
    for (const line of this.data.lines) {
      for (const v of line[which]) {
        if (v === null || (positive && v <= 0)) continue;
        if (v < low) low = v;
        if (v > high) high = v;
      }
    }
    return low <= high ? [low, high] : null;
  }

  draw() {
    const width = Math.max(this.root.clientWidth, 240), height = 210;
    const { data } = this;
    this.plot.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.plot.setAttribute("height", height);
    this.plot.classList.toggle("empty", !data.lines.length);
    this.readout.hidden = !data.lines.length;
    const xs = this.ends("x", data.log), ys = data.limits ?? this.ends("y", data.log);
    if (!xs || !ys) {
      fill(this.plot);
      return;
    }
    let [low, high] = ys;
    if (!data.log) {
      const margin = 0.06 * (high - low) || 0.1 * Math.abs(high) || 1;
      if (!data.limits) [low, high] = [low - margin, high + margin];
    } else if (low === high) [low, high] = [low / 2, high * 2];
    this.x = scale(...xs, MARGIN.left, width - MARGIN.right, data.log);
    this.y = scale(low, high, height - MARGIN.bottom, MARGIN.top, data.log);
    const inner = { x: MARGIN.left, y: MARGIN.top, width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
    const clip = `clip${Chart.count = (Chart.count ?? 0) + 1}`;
    this.cursor = svg("line", { class: "cursor", y1: MARGIN.top, y2: height - MARGIN.bottom, visibility: "hidden" });
    fill(
      this.plot,
      svg("clipPath", { id: clip }, svg("rect", inner)),
      data.half ? svg("rect", { ...inner, class: "half", x: this.x((xs[0] + xs[1]) / 2), width: inner.width / 2 }) : "",
      this.grid(xs, [low, high], width, height),
      (data.marks ?? []).map((v) => svg("line", { class: "mark", x1: this.x(v), x2: this.x(v), y1: MARGIN.top, y2: height - MARGIN.bottom })),
      svg("g", { "clip-path": `url(#${clip})` }, data.lines.map((line, i) => svg("path", { class: `line${i % COLOURS}`, d: this.path(line) }))),
      this.cursor,
    );
  }

  grid(xs, ys, width, height) {
    const { data } = this;
    const ticks = data.log ? powers : steps;
    const across = ticks(...xs, Math.max(2, Math.floor(width / 90))), up = ticks(...ys, 4);
    const bottom = height - MARGIN.bottom;
    const text = (attributes, words) => svg("text", attributes, words);
    return [
      up.map((v) => svg("line", { class: "rule", x1: MARGIN.left, x2: width - MARGIN.right, y1: this.y(v), y2: this.y(v) })),
      up.map((v) => text({ class: "tick", x: MARGIN.left - 6, y: this.y(v) + 4, "text-anchor": "end" }, number(v, 3))),
      across.map((v) => svg("line", { class: "rule", x1: this.x(v), x2: this.x(v), y1: bottom, y2: bottom + 4 })),
      across.map((v) => text({ class: "tick", x: this.x(v), y: bottom + 17, "text-anchor": "middle" }, number(v, 3))),
      text({ class: "axis", x: (MARGIN.left + width - MARGIN.right) / 2, y: height - 4, "text-anchor": "middle" }, data.x),
      text({ class: "axis", transform: `translate(12 ${(MARGIN.top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, data.y),
    ].flat();
  }

  path(line) {
    const parts = [];
    let open = false;
    for (let i = 0; i < line.x.length; i++) {
      const v = line.y[i];
      if (v === null || line.x[i] === null || (this.data.log && v <= 0)) {
        open = false;
        continue;
      }
      parts.push(`${open ? "L" : "M"}${this.x(line.x[i]).toFixed(1)} ${Math.max(-9999, Math.min(9999, this.y(v))).toFixed(1)}`);
      open = true;
    }
    return parts.join("");
  }

  point(event) {
    if (!this.x || !this.data.lines.length) return;
    const box = this.plot.getBoundingClientRect();
    const view = this.plot.viewBox.baseVal;
    const at = this.x.back(((event.clientX - box.left) / box.width) * view.width);
    const first = this.data.lines[0].x;
    let best = 0;
    for (let i = 1; i < first.length; i++) if (Math.abs(first[i] - at) < Math.abs(first[best] - at)) best = i;
    this.cursor.setAttribute("x1", this.x(first[best]));
    this.cursor.setAttribute("x2", this.x(first[best]));
    this.cursor.setAttribute("visibility", "visible");
    const values = this.data.lines.map((line) => `${this.data.lines.length > 1 ? `${line.name}: ` : ""}${number(line.y[best])}`);
    fill(this.readout, `${this.data.x.split(/[[/]/)[0].trim()} ${number(first[best])}:  ${values.join(",  ")}`);
  }

  leave() {
    this.cursor?.setAttribute("visibility", "hidden");
    fill(this.readout, "\u00a0");
  }
}

/** Charts in a place, made anew only where their number changes. */
export class Charts {
  constructor() {
    this.root = el("div", { class: "charts" });
    this.charts = [];
  }

  set(list) {
    while (this.charts.length > list.length) this.charts.pop().root.remove();
    while (this.charts.length < list.length) {
      this.charts.push(new Chart());
      this.root.append(this.charts.at(-1).root);
    }
    list.forEach((data, i) => this.charts[i].set(data));
  }
}
