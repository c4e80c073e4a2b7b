// SPDX-License-Identifier: Apache-2.0
// A picture of a plane through the flow that can be moved.

import { el, fill, number, read, svg } from "/dom.js";
import { colourBar, ticks } from "/scale.js";

export class Slice {
  constructor(run) {
    this.run = run;
    this.series = [];
    this.chosen = { series: null, axis: null, quantity: null, index: {}, step: null };
    this.range = {}; // of the colours, by series and quantity
    this.busy = false;
    this.again = false;
    this.selects = el("div", { class: "tools" });
    this.move = el("input", { type: "range", min: 0, max: 0, step: 1, "aria-label": "position of the plane", input: () => this.moved() });
    this.where = el("output", { class: "where" });
    this.then = el("input", { type: "range", min: 0, max: 0, step: 1, "aria-label": "time", input: () => this.turned() });
    this.when = el("output", { class: "where" });
    this.picture = svg("svg", { class: "picture", role: "img", "aria-label": "plane through the flow" });
    this.words = el("p", { class: "words" });
    this.sliders = el("div", { class: "sliders" },
      el("label", {}, el("span", {}, "Position"), this.move, this.where),
      el("label", {}, el("span", {}, "Time"), this.then, this.when));
    this.root = el("div", { class: "slice" }, this.selects, this.picture, this.sliders, this.words);
    this.size = new ResizeObserver(() => this.data && this.draw());
    this.size.observe(this.root);
  }

  /** Looks for newer files; returns whether there is a picture. */
  async update() {
    let found;
    try {
      found = (await read("series", { run: this.run })).series;
    } catch (error) {
      fill(this.words, error.message);
      return;
    }
    const good = found.filter((one) => !one.problem);
    this.problems = found.filter((one) => one.problem).map((one) => `${one.name}: ${one.problem}`);
    const before = JSON.stringify(this.series);
    this.series = good;
    this.root.classList.toggle("none", !good.length);
    if (!good.length) {
      fill(this.words, this.problems.join(" ") ||
        "The run has written no fields yet: output.every_steps, output.times or outputs of the case write them.");
      return;
    }
    if (before !== JSON.stringify(good)) {
      this.choose({});
      await this.load();
    }
  }

  get now() {
    return this.series.find((one) => one.name === this.chosen.series) ?? this.series[0];
  }

  get axis() {
    return this.now.axes.find((one) => one.name === this.chosen.axis) ?? this.now.axes[0];
  }

  choose(change) {
    Object.assign(this.chosen, change);
    const { now, axis } = this;
    const known = now.quantities.some((q) => q.name === this.chosen.quantity);
    const first = now.quantities.find((q) => q.name === "speed") ?? now.quantities[0];
    const quantity = known ? this.chosen.quantity : first?.name;
    if (this.chosen.step !== null && !now.steps.includes(this.chosen.step)) this.chosen.step = null;
    Object.assign(this.chosen, { series: now.name, axis: axis.name, quantity });
    const choice = (name, options, value, set) => el("label", {}, el("span", {}, name),
      el("select", { name, change: (event) => { set(event.target.value); this.load(); } },
        options.map(([key, text]) => el("option", { value: key, selected: key === value }, text))));
    fill(
      this.selects,
      choice("Quantity", now.quantities.map((q) => [q.name, q.label]), quantity, (v) => this.choose({ quantity: v })),
      now.axes.length > 1 ? choice("Across", now.axes.map((a) => [a.name, a.name]), axis.name, (v) => this.choose({ axis: v })) : "",
      this.series.length > 1 ? choice("Output", this.series.map((s) => [s.name, s.name]), now.name, (v) => this.choose({ series: v, step: null })) : "",
    );
    const at = this.chosen.index[`${now.name} ${axis.name}`] ?? Math.floor(axis.count / 2); // until the server has chosen
    this.move.max = axis.count - 1;
    this.move.value = at;
    this.move.closest("label").hidden = axis.count < 2;
    this.then.max = now.steps.length - 1;
    this.then.value = this.chosen.step === null ? now.steps.length - 1 : now.steps.indexOf(this.chosen.step);
    this.then.closest("label").hidden = now.steps.length < 2;
    this.say();
  }

  say() {
    const { now, axis } = this;
    const at = axis.first + axis.spacing * Number(this.move.value);
    fill(this.where, `${axis.name} = ${number(at)} ${now.length}`);
    fill(this.when, this.chosen.step === null ? `newest: step ${number(now.steps.at(-1))}` : `step ${number(this.chosen.step)}`);
  }

  moved() {
    this.chosen.index[`${this.now.name} ${this.axis.name}`] = Number(this.move.value);
    this.say();
    this.load();
  }

  turned() {
    const at = Number(this.then.value), { steps } = this.now;
    this.chosen.step = at === steps.length - 1 ? null : steps[at];
    this.say();
    this.load();
  }

  /** Loads the chosen picture; wishes that come meanwhile are one wish. */
  async load() {
    if (this.busy) {
      this.again = true;
      return;
    }
    this.busy = true;
    const { series, axis, quantity, step } = this.chosen;
    const which = `${series} ${quantity}`;
    const wish = { run: this.run, series, axis, quantity }, where = `${series} ${axis}`;
    if (this.chosen.index[where] !== undefined) wish.index = this.chosen.index[where];
    if (step !== null) wish.step = step;
    if (this.range[which]) [wish.low, wish.high] = this.range[which];
    try {
      this.data = await read("slice", wish);
      this.range[which] = this.data.range;
      if (this.chosen.index[where] === undefined) this.chose(where);
      this.draw();
      fill(this.words, ...this.sentences(), (this.problems ?? []).join(" "));
    } catch (error) {
      fill(this.words, error.message);
    }
    this.busy = false;
    if (this.again) {
      this.again = false;
      await this.load();
    }
  }

  /** Takes the plane that the server has chosen; once it meets a body, it stays. */
  chose(where) {
    if (this.data.bodies) this.chosen.index[where] = this.data.index;
    if (where !== `${this.chosen.series} ${this.chosen.axis}`) return;
    this.move.value = this.data.index;
    this.say();
  }

  sentences() {
    const { place, values, bodies, step } = this.data;
    const found = values ? ` Values on this plane: ${number(values[0])} to ${number(values[1])}.` : " No value is finite.";
    return [`${place}, step ${number(step)}.`, found, bodies ? " Grey: solid bodies. " : " "];
  }

  draw() {
    const { data } = this;
    const width = Math.max(this.root.clientWidth, 260);
    const [left, right, low, high] = data.extent;
    const margin = { left: 58, right: 96, top: 8, bottom: 40 };
    let across = width - margin.left - margin.right;
    let up = (across * (high - low)) / (right - left);
    if (up > 460) [across, up] = [(across * 460) / up, 460];
    const height = up + margin.top + margin.bottom;
    const x = (v) => margin.left + ((v - left) / (right - left)) * across;
    const y = (v) => margin.top + up - ((v - low) / (high - low)) * up;
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.picture.setAttribute("height", height);
    const bar = { x: margin.left + across + 16, y: margin.top, width: 14, height: up };
    const middle = margin.top + up / 2;
    fill(
      this.picture,
      svg("image", { href: `data:image/png;base64,${data.png}`, x: margin.left, y: margin.top, width: across, height: up, preserveAspectRatio: "none" }),
      svg("rect", { class: "frame", x: margin.left, y: margin.top, width: across, height: up }),
      ticks(left, right, Math.max(2, across / 90)).map((v) => svg("text", { class: "tick", x: x(v), y: margin.top + up + 16, "text-anchor": "middle" }, number(v, 3))),
      ticks(low, high, Math.max(2, up / 50)).map((v) => svg("text", { class: "tick", x: margin.left - 6, y: y(v) + 4, "text-anchor": "end" }, number(v, 3))),
      svg("text", { class: "axis", x: margin.left + across / 2, y: height - 4, "text-anchor": "middle" }, data.axes[0]),
      svg("text", { class: "axis", transform: `translate(12 ${middle}) rotate(-90)`, "text-anchor": "middle" }, data.axes[1]),
      colourBar("colours", bar, data.colours, data.range, data.label),
    );
  }
}
