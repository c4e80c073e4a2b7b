// SPDX-License-Identifier: Apache-2.0
// Elements, numbers as text, and requests. All text becomes text nodes: nothing that comes from a
// file is ever read as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes (a function: a listener) and children (elements or text). */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same in SVG. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
  element.append(...children.flat().filter((one) => one !== null && one !== undefined && one !== ""));
  return element;
}

/** Replaces the children of an element. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((one) => one !== null && one !== undefined && one !== ""));
}

/** 0.01234, 1.43 × 10⁻⁶, 32,768; a dash for what is no number. */
export function number(value, digits = 4) {
  if (typeof value !== "number" || !Number.isFinite(value)) return "–";
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return value.toLocaleString("en-US").replace("-", "−");
  if (Math.abs(value) >= 10 ** digits && Math.abs(value) < 1e9) {
    return Math.round(value).toLocaleString("en-US").replace("-", "−");
  }
  const text = String(Number(value.toPrecision(digits)));
  const [mantissa, power] = text.split("e");
  if (power === undefined) return text.replace("-", "−");
  const raised = String(Number(power)).replace(/[-0-9]/g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
  return (mantissa === "1" ? `10${raised}` : `${mantissa} × 10${raised}`).replace(/^-/, "−");
}

/** 6 s, 4 min 26 s, 3 h 5 min, 2 days 4 h. */
export function duration(seconds) {
  if (typeof seconds !== "number" || !Number.isFinite(seconds)) return "–";
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  if (whole < 3600) return `${Math.round(whole / 60)} min`;
  if (whole < 172800) return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
  return `${Math.floor(whole / 86400)} days ${Math.floor((whole % 86400) / 3600)} h`;
}

/** Date and time of seconds since 1970. */
export function date(seconds) {
  if (!seconds) return "–";
  const d = new Date(seconds * 1000);
  const two = (n) => String(n).padStart(2, "0");
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}`;
}

/** What stands after # in the address: the key, and which run is shown. */
export function place() {
  return new URLSearchParams(location.hash.slice(1));
}

/** The address of a run, or of the list. */
export function link(run) {
  const to = new URLSearchParams({ key: place().get("key") ?? "" });
  if (run !== undefined) to.set("run", run);
  return `#${to}`;
}

/** What a request failed with: status 0: the server does not answer. */
export class Failure extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

async function ask(path, how) {
  let answer;
  try {
    answer = await fetch(path, { cache: "no-store", credentials: "omit", redirect: "error", ...how });
  } catch {
    throw new Failure(0, "lbm watch does not answer: it has ended, or the tunnel is closed.");
  }
  const content = await answer.json().catch(() => ({ error: "The answer is damaged." }));
  if (!answer.ok) throw new Failure(answer.status, content.error ?? "It failed.");
  return content;
}

const key = () => ({ "X-Lbm-Key": place().get("key") ?? "" });

/** Reads from the server. */
export function read(name, wish = {}) {
  return ask(`/api/${name}?${new URLSearchParams(wish)}`, { headers: key() });
}

/** Asks the server for a change. */
export function change(name, wish) {
  return ask(`/api/${name}`, { method: "POST", headers: key(), body: JSON.stringify(wish) });
}

/** Does something now and after each pause, while the page is seen, until stopped. */
export class Every {
  constructor(pause, work) {
    this.pause = pause;
    this.work = work;
    this.stopped = false;
    this.turn();
  }

  async turn() {
    if (this.stopped) return;
    if (!document.hidden) await this.work();
    if (!this.stopped) this.timer = setTimeout(() => this.turn(), this.pause());
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
  }
}
