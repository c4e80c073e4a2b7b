// SPDX-License-Identifier: Apache-2.0
// Surfaces in a box, turned and zoomed by mouse, touch and keys.

import { el, fill, number, svg } from "/dom.js";
import { Camera, Raster, palette, project } from "/raster.js";
import { colourBar } from "/scale.js";

const FIRST = [-1.05, 0.35]; // yaw and pitch: x to the right, y away from the viewer, z upwards
const BAR = 104; // pixels at the right for the bar of colours
const SOFT = 0xff949b8a, FAINT = 0xffd8d1c9; // of the lines of the box, as ABGR
const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [n & 1, (n >> 1) & 1, n >> 2]);
const EDGES = [0, 1, 2].flatMap((axis) => CORNERS.flatMap((at, i) => (at[axis] ? [] : [[i, i + (1 << axis), axis]])));

function numbers(text, Kind) {
  return new Kind(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
}

export class View {
  constructor() {
    this.camera = new Camera(...FIRST);
    this.fingers = new Map();
    this.canvas = el("canvas", {
      tabindex: 0, role: "img",
      pointerdown: (event) => this.down(event), pointermove: (event) => this.drag(event), pointerup: (event) => this.up(event), pointercancel: (event) => this.up(event),
      keydown: (event) => this.key(event), dblclick: () => this.reset(),
    });
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.text = svg("svg", { class: "text", "aria-hidden": "true" });
    const button = (name, hint, click) => el("button", { "aria-label": hint, title: hint, click }, name);
    this.root = el("div", { class: "view" }, this.canvas, this.text,
      el("div", { class: "zoom" }, button("+", "zoom in", () => this.zoom(1.25)), button("−", "zoom out", () => this.zoom(0.8)), button("Reset", "view as at first", () => this.reset())));
    this.size = new ResizeObserver(() => this.data && this.soon());
    this.size.observe(this.root);
  }

  /** An answer of the server; the bodies of the one before stay where it has none. */
  set(data, meshes) {
    const sizes = data.box.map(([low, high]) => high - low);
    const half = Math.hypot(...sizes) / 2;
    const fresh = JSON.stringify(data.box) !== JSON.stringify(this.data?.box);
    this.data = data;
    this.sizes = sizes.map((size) => size / half); // the half diagonal is 1
    this.colours = palette(data.colours);
    this.meshes = meshes.filter(Boolean).map((mesh) => this.mesh(mesh));
    if (fresh) this.reset();
    else this.soon();
  }

  mesh(mesh) {
    const parts = numbers(mesh.points, Uint16Array), points = new Float32Array(parts.length);
    for (let i = 0; i < parts.length; i++) points[i] = (parts[i] / 65535 - 0.5) * this.sizes[i % 3];
    const shades = mesh.shades === undefined ? null : numbers(mesh.shades, Uint8Array);
    return { points, normals: numbers(mesh.normals, Int8Array), quads: numbers(mesh.quads, Uint32Array), shades };
  }

  reset() {
    Object.assign(this.camera, new Camera(...FIRST));
    this.soon();
  }

  turn(right, up) {
    this.camera.yaw -= right;
    this.camera.pitch = Math.min(Math.max(this.camera.pitch + up, -1.57), 1.57);
    this.soon();
  }

  zoom(factor) {
    this.camera.zoom = Math.min(Math.max(this.camera.zoom * factor, 0.3), 20);
    this.soon();
  }

  down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
  }

  drag(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const wide = this.spread();
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.fingers.size === 1) this.turn((event.clientX - before[0]) * 0.008, (event.clientY - before[1]) * 0.008);
    else if (wide > 0) this.zoom(this.spread() / wide);
  }

  up(event) {
    this.fingers.delete(event.pointerId);
  }

  /** The distance of two fingers. */
  spread() {
    const [first, second] = this.fingers.values();
    return second ? Math.hypot(first[0] - second[0], first[1] - second[1]) : 0;
  }

  /** The wheel scrolls the page, until the view has the focus. */
  wheel(event) {
    if (document.activeElement !== this.canvas && !event.ctrlKey) return;
    event.preventDefault();
    this.zoom(Math.exp(-Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY) / 400, 0.3)));
  }

  key(event) {
    const done = {
      ArrowLeft: () => this.turn(-0.1, 0), ArrowRight: () => this.turn(0.1, 0), ArrowUp: () => this.turn(0, -0.1), ArrowDown: () => this.turn(0, 0.1),
      "+": () => this.zoom(1.15), "=": () => this.zoom(1.15), "-": () => this.zoom(1 / 1.15), 0: () => this.reset(), Home: () => this.reset(),
    }[event.key];
    if (!done || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    done();
  }

  /** Draws before the next frame: coarsely while something moves, then finely. */
  soon() {
    clearTimeout(this.later);
    this.later = setTimeout(() => this.draw(2), 120);
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw(1);
    });
  }

  draw(fine) {
    const { canvas, camera } = this;
    const width = Math.round(Math.max(this.root.clientWidth, 260)), height = Math.round(Math.min(Math.max(0.55 * width, 280), 520));
    const dense = Math.min(Math.max(window.devicePixelRatio || 1, 1), 2);
    const [w, h] = [Math.round((width - BAR) * dense), Math.round(height * dense)];
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    canvas.style.width = `${width - BAR}px`;
    canvas.style.height = `${height}px`;
    const base = this.fit(width - BAR, height);
    const scale = fine * dense;
    const raster = this.raster(Math.round((width - BAR) * scale), Math.round(height * scale));
    const seen = new Camera(camera.yaw, camera.pitch, camera.zoom * base * scale);
    raster.clear();
    for (const mesh of this.meshes) raster.mesh(mesh, seen, this.colours);
    this.lines(raster, seen, scale);
    this.copy ??= document.createElement("canvas");
    [this.copy.width, this.copy.height] = [raster.width, raster.height];
    this.copy.getContext("2d").putImageData(raster.image, 0, 0);
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, w, h);
    context.drawImage(this.copy, 0, 0, w, h);
    this.write(width, height, new Camera(camera.yaw, camera.pitch, camera.zoom * base));
  }

  raster(width, height) {
    if (this.kept?.width !== width || this.kept.height !== height) this.kept = new Raster(width, height);
    return this.kept;
  }

  corners() {
    return Float32Array.from(CORNERS.flatMap((at) => at.map((one, axis) => (one - 0.5) * this.sizes[axis])));
  }

  /** Pixels for the length 1, with which the box fills the picture at first. */
  fit(width, height) {
    const at = project(this.corners(), new Camera(...FIRST), 0, 0);
    let wide = 0, high = 0;
    for (let i = 0; i < at.length; i += 3) [wide, high] = [Math.max(wide, Math.abs(at[i])), Math.max(high, Math.abs(at[i + 1]))];
    return Math.min((width / 2 - Math.min(46, width / 9)) / wide, (height / 2 - 34) / high);
  }

  lines(raster, camera, scale) {
    const at = project(this.corners(), camera, raster.width, raster.height);
    for (const [from, to] of EDGES) {
      raster.line(at.subarray(3 * from, 3 * from + 3), at.subarray(3 * to, 3 * to + 3), this.hidden(camera, from, to) ? FAINT : SOFT, Math.max(1, Math.round(scale)));
    }
  }

  /** Whether an edge lies at the far corner of the box. */
  hidden(camera, from, to) {
    const near = camera.frame[2];
    const far = CORNERS.findIndex((at) => at.every((one, axis) => (one === 1) === (near[axis] < 0)));
    return from === far || to === far;
  }

  /** Numbers and names along three edges, the bar of colours, in words what is seen. */
  write(width, height, camera) {
    const { data } = this, across = width - BAR;
    const at = project(this.corners(), camera, across, height);
    const middle = [across / 2, height / 2];
    const labels = [0, 1, 2].flatMap((axis) => {
      const [from, to] = this.outer(axis, at);
      const [x0, y0, x1, y1] = [at[3 * from], at[3 * from + 1], at[3 * to], at[3 * to + 1]];
      if (Math.hypot(x1 - x0, y1 - y0) < 60) return []; // seen from its end
      let [ox, oy] = [(x0 + x1) / 2 - middle[0], (y0 + y1) / 2 - middle[1]];
      const along = [(x1 - x0) / Math.hypot(x1 - x0, y1 - y0), (y1 - y0) / Math.hypot(x1 - x0, y1 - y0)];
      const share = ox * along[0] + oy * along[1];
      [ox, oy] = [ox - share * along[0], oy - share * along[1]];
      const far = Math.hypot(ox, oy) || 1;
      const put = (name, share, away, text) => svg("text", { class: name, x: x0 + share * (x1 - x0) + (ox / far) * away, y: y0 + share * (y1 - y0) + (oy / far) * away + 4, "text-anchor": "middle" }, text);
      const [low, high] = data.box[axis];
      return [put("tick", 0.04, 17, number(low, 3)), put("axis", 0.5, 22, data.axes[axis]), put("tick", 0.96, 17, number(high, 3))];
    });
    this.text.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.text.setAttribute("height", height);
    fill(this.text, labels, colourBar("colours-3d", { x: across + 8, y: 14, width: 14, height: height - 28 }, data.colours, data.colour.range, data.colour.label));
  }

  /** Of the four edges along an axis the one that lies the farthest down, for z the farthest to the left. */
  outer(axis, at) {
    const place = ([from, to]) => (axis === 2 ? -(at[3 * from] + at[3 * to]) : at[3 * from + 1] + at[3 * to + 1]);
    return EDGES.filter((edge) => edge[2] === axis).sort((a, b) => place(b) - place(a))[0];
  }
}
