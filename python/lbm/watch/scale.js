// SPDX-License-Identifier: Apache-2.0
// Ticks of a scale, and the bar of colours beside a picture.

import { number, svg } from "/dom.js";

/** Round numbers between two, about as many as asked for. */
export function ticks(from, to, most) {
  const rough = (to - from) / most, unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * unit).find((n) => n >= rough);
  const found = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + 1e-9 * step; i++) found.push(Number((i * step).toPrecision(12)));
  return found;
}

/** The bar, at { x, y, width, height }: colours from the lowest to the highest value, numbers, a label. id: a name of its own on the page. */
export function colourBar(id, place, colours, [least, most], label) {
  const on = (v) => place.y + place.height - ((v - least) / (most - least)) * place.height;
  return [
    svg("linearGradient", { id, x1: 0, x2: 0, y1: 1, y2: 0 }, colours.map((c, i) => svg("stop", { offset: i / (colours.length - 1), "stop-color": c }))),
    svg("rect", { ...place, fill: `url(#${id})` }),
    svg("rect", { ...place, class: "frame" }),
    ...ticks(least, most, Math.max(2, place.height / 45)).map((v) => svg("text", { class: "tick", x: place.x + 19, y: on(v) + 4 }, number(v, 3))),
    svg("text", { class: "axis", transform: `translate(${place.x + 76} ${place.y + place.height / 2}) rotate(-90)`, "text-anchor": "middle" }, label),
  ];
}
