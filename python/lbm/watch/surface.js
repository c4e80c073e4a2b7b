// SPDX-License-Identifier: Apache-2.0
// The newest field in three dimensions: an isosurface, coloured by a second quantity, and bodies.

import { el, fill, number, read } from "/dom.js";
import { View } from "/view.js";

const STEPS = 1000; // of the slider of the value
const HINT = "Drag to turn. The wheel zooms after a click into the view, two fingers always. Keys: arrows, +, −, 0.";

/** Which cells are read, in words. every: distances along x, y, z. */
function sparse(every) {
  const words = every.map((n) => `${number(n)}${{ 1: "st", 2: "nd", 3: "rd" }[n % 100 > 10 && n % 100 < 14 ? 0 : n % 10] ?? "th"}`);
  if (Math.max(...every) === 1) return "Every cell is read.";
  return new Set(every).size === 1 ? `Every ${words[0]} cell along each axis is read.` : `Every ${words[0]}, ${words[1]} and ${words[2]} cell along x, y and z is read.`;
}

export class Surface {
  constructor(run) {
    this.run = run;
    this.series = [];
    this.chosen = { series: null, quantity: null, colour: null };
    this.value = {}; // that the user has set, by series and quantity
    this.range = {}; // of the colours, by series and quantity
    this.bodies = { of: null, mesh: null };
    this.seen = this.busy = this.again = false;
    this.selects = el("div", { class: "tools" });
    this.move = el("input", { type: "range", min: 0, max: STEPS, step: 1, "aria-label": "value of the surface", input: () => this.moved() });
    this.where = el("output", { class: "where" });
    this.solid = el("input", { type: "checkbox", checked: true, change: () => this.draw() });
    this.view = new View();
    this.words = el("p", { class: "words" }, "…");
    this.hint = el("p", { class: "words" }, HINT);
    this.sliders = el("div", { class: "sliders" },
      el("label", {}, el("span", {}, "Value"), this.move, this.where), el("label", { class: "check" }, this.solid, el("span", {}, "Bodies")));
    this.root = el("section", { id: "surface" }, el("h2", {}, "The flow in 3D"),
      el("div", { class: "surface" }, this.selects, this.view.root, this.sliders, this.words, this.hint));
    // A surface is read while it is on the screen alone.
    this.watch = new IntersectionObserver((found) => {
      this.seen = found.at(-1).isIntersecting;
      if (this.seen) this.load();
    });
    this.watch.observe(this.root);
  }

  /** Looks for newer files. */
  async update() {
    let found;
    try {
      found = (await read("series", { run: this.run })).series;
    } catch (error) {
      fill(this.words, error.message);
      return;
    }
    const good = found.filter((one) => one.surfaces?.length), bad = found.filter((one) => one.problem);
    const problems = bad.map((one) => `${one.name}: ${one.problem}`).join(" ");
    if (this.data && bad.some((one) => one.name === this.chosen.series)) { // what is seen stays while the newest file is damaged
      fill(this.words, problems);
      this.loaded = null;
      return;
    }
    this.root.classList.toggle("none", !good.length);
    if (!good.length) {
      fill(this.words, problems || (found.length ? "The fields of this run are planes, or too thin for a surface: an output without slice has the whole flow."
        : "The run has written no fields yet: output.every_steps, output.times or outputs of the case write them."));
      return;
    }
    this.series = good;
    this.choose({});
    await this.load();
  }

  get now() {
    const { series } = this, has = (one) => one.surfaces.some((q) => q.name === "q_criterion");
    return series.find((one) => one.name === this.chosen.series) ?? series.find(has) ?? series[0];
  }

  choose(change) {
    Object.assign(this.chosen, change);
    const { now } = this, names = now.surfaces.map((one) => one.name);
    const pick = (wished, ...others) => [wished, ...others].find((name) => names.includes(name)) ?? names[0];
    const quantity = pick(this.chosen.quantity, "q_criterion", "speed");
    const colour = pick(this.chosen.colour, ...(quantity === "speed" ? ["pressure", "velocity_x"] : ["speed"]));
    Object.assign(this.chosen, { series: now.name });
    const wanted = JSON.stringify([now.name, this.series.map((one) => one.name), now.surfaces, quantity, colour]);
    this.shown = { quantity, colour };
    if (wanted === this.offered) return;
    this.offered = wanted;
    const choice = (name, key, options, value, set) => el("label", {}, el("span", {}, name),
      el("select", { name: key, change: (event) => { this.choose(set(event.target.value)); this.load(); } },
        options.map(([one, text]) => el("option", { value: one, selected: one === value }, text))));
    const known = now.surfaces.map((one) => [one.name, one.label]);
    fill(
      this.selects,
      choice("Surface of", "surface", known, quantity, (v) => ({ quantity: v })),
      choice("Coloured by", "colour", known, colour, (v) => ({ colour: v })),
      this.series.length > 1 ? choice("Output", "output", this.series.map((one) => [one.name, one.name]), now.name, (v) => ({ series: v })) : "",
    );
  }

  moved() {
    if (!this.data) return;
    const [low, high] = this.data.range, unit = 10 ** Math.floor(Math.log10((high - low) / STEPS));
    const value = low + (Number(this.move.value) / STEPS) * (high - low);
    this.value[this.which] = Number((Math.round(value / unit) * unit).toPrecision(12));
    this.load();
  }

  get which() {
    return `${this.chosen.series} ${this.shown.quantity}`;
  }

  /** Loads the chosen surface where it is another than the one that is seen; wishes that come meanwhile are one wish. */
  async load() {
    if (!this.seen || !this.series.length) return;
    if (this.busy) {
      this.again = true;
      return;
    }
    const { now, which } = this, { quantity, colour } = this.shown;
    const step = now.steps.at(-1), value = this.value[which], shades = `${now.name} ${colour}`;
    const wanted = JSON.stringify([now.name, step, now.time, quantity, colour, value]);
    if (wanted === this.loaded) return;
    this.busy = true;
    this.view.root.classList.add("busy");
    const wish = { run: this.run, series: now.name, step, quantity, colour };
    if (value !== undefined) wish.value = value;
    if (this.range[shades]) [wish.low, wish.high] = this.range[shades];
    const file = `${now.name} ${step} ${now.time}`;
    if (this.bodies.of !== file) wish.bodies = 1;
    try {
      this.data = await read("surface", wish);
      this.loaded = wanted;
      this.range[shades] = this.data.colour.range;
      if (wish.bodies) this.bodies = { of: file, mesh: this.data.bodies };
      this.draw();
    } catch (error) {
      fill(this.words, error.message);
    }
    this.busy = false;
    this.view.root.classList.toggle("busy", this.again);
    if (this.again) {
      this.again = false;
      await this.load();
    }
  }

  draw() {
    const { data } = this;
    if (!data) return;
    const [low, high] = data.range;
    if (!this.again) this.move.value = Math.round((STEPS * (data.value - low)) / (high - low));
    const text = `${data.label} = ${number(data.value, 6)}`;
    fill(this.where, text);
    const { mesh } = this.bodies;
    this.solid.closest("label").hidden = !mesh;
    const bodies = mesh && this.solid.checked;
    this.view.canvas.setAttribute("aria-label", `surface where ${text}, coloured by ${data.colour.label}`);
    this.view.set(data, [data.surface, bodies ? mesh : null]);
    const none = data.surface.quads ? "" : data.values ? `There is no such surface: values are ${number(data.values[0])} to ${number(data.values[1])}. ` : "No value is finite. ";
    fill(this.words, `t = ${number(data.time)} ${data.clock}, step ${number(data.step)}. `, none, `${sparse(data.every)} `, bodies ? "Grey: solid bodies." : "");
  }
}
