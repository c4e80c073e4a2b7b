// SPDX-License-Identifier: Apache-2.0
// The pictures that the run itself makes.

import { el, fill, number, read } from "/dom.js";

export class Pictures {
  constructor(run) {
    this.run = run;
    this.series = [];
    this.chosen = { name: null, step: null }; // step null: the newest
    this.shown = "";
    this.names = el("select", { name: "picture", change: (event) => this.choose({ name: event.target.value, step: null }) });
    this.then = el("input", { type: "range", min: 0, max: 0, step: 1, "aria-label": "time of the picture", input: () => this.turned() });
    this.when = el("output", { class: "where" });
    this.frame = el("div", { class: "frame" });
    this.words = el("p", { class: "words", role: "status" });
    this.choice = el("div", { class: "tools" }, el("label", {}, el("span", {}, "Picture"), this.names));
    this.slider = el("div", { class: "sliders" }, el("label", {}, el("span", {}, "Time"), this.then, this.when));
    this.root = el("section", { id: "pictures" }, el("h2", {}, "Pictures of the run"),
      el("div", { class: "pictures" }, this.choice, this.frame, this.slider, this.words));
  }

  get now() {
    return this.series.find((one) => one.name === this.chosen.name) ?? this.series[0];
  }

  /** Looks for newer pictures. */
  async update() {
    try {
      this.series = (await read("pictures", { run: this.run })).pictures;
    } catch (error) {
      fill(this.words, error.message);
      return;
    }
    this.root.classList.toggle("none", !this.series.length);
    if (!this.series.length) {
      fill(this.words, "The run has made no pictures: pictures.NAME of the case asks for them.");
      return;
    }
    await this.choose({});
  }

  async choose(change) {
    Object.assign(this.chosen, change);
    const { now } = this;
    fill(this.names, this.series.map((one) => el("option", { value: one.name, selected: one.name === now.name }, one.name)));
    this.choice.hidden = this.series.length < 2;
    if (!now.steps.includes(this.chosen.step)) this.chosen.step = null;
    const step = this.chosen.step ?? now.steps.at(-1);
    this.then.max = now.steps.length - 1;
    this.then.value = now.steps.indexOf(step);
    this.slider.hidden = now.steps.length < 2;
    fill(this.when, this.chosen.step === null ? `newest: step ${number(step)}` : `step ${number(step)}`);
    await this.load(now.name, step);
  }

  async turned() {
    const at = Number(this.then.value), { steps } = this.now;
    await this.choose({ step: at === steps.length - 1 ? null : steps[at] });
  }

  async load(name, step) {
    const wanted = `${name} ${step}`;
    if (wanted === this.shown) return;
    this.shown = wanted;
    try {
      const { png } = await read("picture", { run: this.run, picture: name, step });
      if (this.shown === wanted) fill(this.frame, el("img", { src: `data:image/png;base64,${png}`, alt: `${name}, step ${number(step)}` }));
      fill(this.words);
    } catch (error) {
      this.shown = "";
      fill(this.words, error.message);
    }
  }
}
