// SPDX-License-Identifier: Apache-2.0
// Draws quadrilaterals and lines with a depth buffer into an array of pixels, on the processor: no WebGL, so it looks the
// same everywhere, through remote desktops and in virtual machines, too.

const LIGHTS = 64; // levels of brightness
const BODY = [154, 161, 168];
const LIGHT = [-0.35, 0.5, 0.79]; // towards the light: right, up, to the viewer

/** Colours, 255 of them and the grey of bodies as the last one, each at all levels of brightness. */
export function palette(colours) {
  const known = colours.map((text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16)));
  const found = new Uint32Array(256 * LIGHTS);
  for (let i = 0; i < 256; i++) {
    const at = (Math.min(i, 254) / 254) * (known.length - 1), low = Math.min(Math.floor(at), known.length - 2);
    const colour = i === 255 ? BODY : known[low].map((c, k) => c + (at - low) * (known[low + 1][k] - c));
    for (let l = 0; l < LIGHTS; l++) {
      const level = 0.42 + (0.7 * l) / (LIGHTS - 1);
      const [r, g, b] = colour.map((c) => Math.min(255, Math.round(c * level)));
      found[i * LIGHTS + l] = ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
    }
  }
  return found;
}

/** Where the viewer is: yaw around z and pitch above the plane of x and y, both in radians; zoom. */
export class Camera {
  constructor(yaw, pitch, zoom = 1) {
    Object.assign(this, { yaw, pitch, zoom });
  }

  /** Unit vectors to the right, upwards and to the viewer. */
  get frame() {
    const [s, c, t, d] = [Math.sin(this.yaw), Math.cos(this.yaw), Math.sin(this.pitch), Math.cos(this.pitch)];
    return [[-s, c, 0], [-c * t, -s * t, d], [c * d, s * d, t]];
  }
}

const DISTANCE = 4; // of the viewer from the middle of the box, whose half diagonal is 1

/** Projects points [x, y, z, x, ...] to pixels, and to a depth that grows towards the viewer. */
export function project(points, camera, width, height) {
  const [[rx, ry, rz], [ux, uy, uz], [tx, ty, tz]] = camera.frame;
  const count = points.length / 3, found = new Float32Array(points.length);
  for (let i = 0, j = 0; i < count; i++, j += 3) {
    const x = points[j], y = points[j + 1], z = points[j + 2];
    const depth = 1 / (DISTANCE - tx * x - ty * y - tz * z), scale = camera.zoom * DISTANCE * depth;
    found[j] = width / 2 + scale * (rx * x + ry * y + rz * z);
    found[j + 1] = height / 2 - scale * (ux * x + uy * y + uz * z);
    found[j + 2] = depth;
  }
  return found;
}

export class Raster {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.depth = new Float32Array(width * height);
  }

  clear() {
    this.pixels.fill(0);
    this.depth.fill(0);
  }

  /** A surface: { points, normals, quads, shades }; without shades it is grey. */
  mesh({ points, normals, quads, shades }, camera, colours) {
    const at = project(points, camera, this.width, this.height);
    const lights = brightness(normals, camera);
    for (let q = 0; q < quads.length; q += 4) {
      const a = quads[q], b = quads[q + 1], c = quads[q + 2], d = quads[q + 3];
      this.triangle(at, lights, shades, colours, a, b, c);
      this.triangle(at, lights, shades, colours, a, c, d);
    }
  }

  triangle(at, lights, shades, colours, a, b, c) {
    const x0 = at[3 * a], y0 = at[3 * a + 1], x1 = at[3 * b], y1 = at[3 * b + 1], x2 = at[3 * c], y2 = at[3 * c + 1];
    const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
    const { width, pixels, depth } = this;
    const left = Math.max(0, Math.ceil(Math.min(x0, x1, x2) - 0.5)), right = Math.min(width - 1, Math.floor(Math.max(x0, x1, x2) - 0.5));
    const top = Math.max(0, Math.ceil(Math.min(y0, y1, y2) - 0.5)), bottom = Math.min(this.height - 1, Math.floor(Math.max(y0, y1, y2) - 0.5));
    if (Math.abs(area) < 1e-9 || left > right || top > bottom) return;
    let s0 = 255, s1 = 255, s2 = 255;
    if (shades && shades[a] < 255 && shades[b] < 255 && shades[c] < 255) [s0, s1, s2] = [shades[a], shades[b], shades[c]];
    const z0 = at[3 * a + 2], dz1 = at[3 * b + 2] - z0, dz2 = at[3 * c + 2] - z0;
    const l0 = lights[a], dl1 = lights[b] - l0, dl2 = lights[c] - l0;
    const ds1 = s1 - s0, ds2 = s2 - s0;
    // Shares of the second and of the third corner at a pixel, and what they grow by to the right.
    const g1 = (y2 - y0) / area, g2 = -(y1 - y0) / area;
    for (let y = top; y <= bottom; y++) {
      const px = left + 0.5 - x0, py = y + 0.5 - y0;
      let w1 = (px * (y2 - y0) - (x2 - x0) * py) / area, w2 = ((x1 - x0) * py - px * (y1 - y0)) / area;
      for (let x = left, p = y * width + left; x <= right; x++, p++, w1 += g1, w2 += g2) {
        if (w1 < -1e-4 || w2 < -1e-4 || w1 + w2 > 1.0001) continue;
        const z = z0 + w1 * dz1 + w2 * dz2;
        if (z <= depth[p]) continue;
        depth[p] = z;
        pixels[p] = colours[((s0 + w1 * ds1 + w2 * ds2 + 0.5) | 0) * LIGHTS + ((l0 + w1 * dl1 + w2 * dl2) | 0)];
      }
    }
  }

  /** A line between two projected points, behind what is nearer. thick: its width in pixels. */
  line(from, to, colour, thick) {
    const steps = Math.ceil(Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]), 1));
    const half = Math.floor(thick / 2);
    for (let i = 0; i <= steps; i++) {
      const [x, y, z] = from.map((v, k) => v + (i / steps) * (to[k] - v));
      for (let row = -half; row < thick - half; row++) for (let column = -half; column < thick - half; column++) {
        const px = Math.floor(x) + column, py = Math.floor(y) + row;
        if (px < 0 || py < 0 || px >= this.width || py >= this.height) continue;
        const p = py * this.width + px;
        if (z > this.depth[p]) this.pixels[p] = colour;
      }
    }
  }
}

/** How bright points are, 0 to LIGHTS - 1: both sides of a surface are lit. */
function brightness(normals, camera) {
  const [right, up, near] = camera.frame;
  const [lx, ly, lz] = [0, 1, 2].map((i) => (LIGHT[0] * right[i] + LIGHT[1] * up[i] + LIGHT[2] * near[i]) / 127);
  const [nx, ny, nz] = near;
  const found = new Float32Array(normals.length / 3);
  for (let i = 0, j = 0; i < found.length; i++, j += 3) {
    const x = normals[j], y = normals[j + 1], z = normals[j + 2];
    const side = nx * x + ny * y + nz * z < 0 ? -1 : 1;
    found[i] = Math.min(Math.max(side * (lx * x + ly * y + lz * z), 0), 1) * (LIGHTS - 1);
  }
  return found;
}
