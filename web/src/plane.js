/**
 * A plane to draw on and to drag things on, in metres, x to the right and y up: a canvas for the picture, and
 * above it handles (SVG) that a pointer drags and arrow keys move.
 */
import { colour, element, onTheme, oncePerFrame, svg } from "./dom.js";

/** @typedef {[number, number]} Point */
/**
 * @typedef {object} Handle
 * @property {string} id
 * @property {string} label what it is, for those who do not see it
 * @property {() => Point} at where it is [m]
 * @property {(to: Point) => void} move called with where it shall be [m]
 * @property {string} [kind] corner | centre | load | tip: how it looks
 * @property {number} [step] of an arrow key [m]
 * @property {(by: Point) => void} [nudge] what arrow keys do instead: right, up; 5 with Shift
 * @property {() => void} [done] it is released, or Enter
 */

/** Draws in metres. */
export class Pen {
  /** @param {CanvasRenderingContext2D} context @param {(p: Point) => Point} place @param {number} scale [px/m] */
  constructor(context, place, scale) {
    this.context = context;
    this.place = place;
    this.scale = scale;
  }

  /** @param {{fill?: string, stroke?: string, width?: number, dash?: number[], alpha?: number}} look */
  #finish({ fill, stroke, width = 1.5, dash = [], alpha = 1 }) {
    const c = this.context;
    c.globalAlpha = alpha;
    if (fill) {
      c.fillStyle = fill;
      c.fill();
    }
    if (stroke) {
      c.strokeStyle = stroke;
      c.lineWidth = width;
      c.setLineDash(dash);
      c.stroke();
    }
    c.globalAlpha = 1;
  }

  /** @param {ArrayLike<Point>} points @param {any} look with `open: true` it is not closed */
  line(points, look) {
    const c = this.context;
    c.beginPath();
    for (let i = 0; i < points.length; i++) c.lineTo(...this.place(points[i]));
    if (!look.open) c.closePath();
    this.#finish(look);
  }

  /** Draw only inside of an edge, until the context is restored. @param {ArrayLike<Point>} points */
  clip(points) {
    this.context.beginPath();
    for (let i = 0; i < points.length; i++) this.context.lineTo(...this.place(points[i]));
    this.context.clip();
  }

  /** @param {Point} centre @param {number} radius [m] @param {any} look */
  circle(centre, radius, look) {
    const [x, y] = this.place(centre);
    this.context.beginPath();
    this.context.arc(x, y, Math.max(radius * this.scale, 0), 0, 2 * Math.PI);
    this.#finish(look);
  }

  /** A mark of a fixed size. @param {Point} at @param {number} size [px] @param {any} look */
  dot(at, size, look) {
    this.circle(at, size / this.scale, look);
  }

  /** A square cell. @param {number} x @param {number} y @param {number} side [m] @param {string} fill */
  cell(x, y, side, fill) {
    const [px, py] = this.place([x, y]);
    const half = (side * this.scale) / 2,
      left = Math.round(px - half),
      top = Math.round(py - half);
    this.context.fillStyle = fill;
    // whole pixels: neighbours neither overlap nor leave a gap
    this.context.fillRect(left, top, Math.round(px + half) - left, Math.round(py + half) - top);
  }

  /** @param {Point} from @param {Point} by [m] @param {string} stroke @param {number} [width] */
  arrow(from, by, stroke, width = 2.5) {
    const a = this.place(from),
      b = this.place([from[0] + by[0], from[1] + by[1]]);
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (length < 3) return;
    const head = Math.min(10, 0.5 * length),
      angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
    const c = this.context;
    c.beginPath();
    c.moveTo(...a);
    c.lineTo(...b);
    for (const side of [-0.45, 0.45]) {
      c.moveTo(...b);
      c.lineTo(b[0] - head * Math.cos(angle + side), b[1] - head * Math.sin(angle + side));
    }
    this.#finish({ stroke, width });
  }

  /** A torque: an arc with a head; its length is the share of a half turn. @param {Point} at @param {number} share @param {number} size [px] @param {string} stroke */
  turn(at, share, size, stroke) {
    if (Math.abs(share) < 0.02) return;
    const [x, y] = this.place(at);
    const end = -Math.PI / 2 - Math.sign(share) * Math.min(Math.abs(share), 1.8) * Math.PI;
    const c = this.context;
    c.beginPath();
    c.arc(x, y, size, -Math.PI / 2, end, share > 0);
    const tip = [x + size * Math.cos(end), y + size * Math.sin(end)];
    const along = end - (Math.sign(share) * Math.PI) / 2;
    for (const side of [-0.5, 0.5]) {
      c.moveTo(tip[0], tip[1]);
      c.lineTo(tip[0] - 8 * Math.cos(along + side), tip[1] - 8 * Math.sin(along + side));
    }
    this.#finish({ stroke, width: 2.5 });
  }

  /** @param {string} text @param {Point} at @param {{fill?: string, dx?: number, dy?: number, align?: CanvasTextAlign}} [look] */
  text(text, at, { fill = colour("muted"), dx = 0, dy = 0, align = "left" } = {}) {
    const [x, y] = this.place(at);
    const c = this.context;
    c.font = "12px system-ui, sans-serif";
    c.textAlign = align;
    c.fillStyle = fill;
    c.fillText(text, x + dx, y + dy);
  }
}

/** A round length that fits into `most`: 1, 2 or 5 times a power of ten. @param {number} most */
export function roundLength(most) {
  const power = 10 ** Math.floor(Math.log10(most));
  return ([5, 2].find((n) => n * power <= most) ?? 1) * power;
}

export class Plane {
  /**
   * @param {HTMLElement} parent
   * @param {{label: string, span: number, centre?: Point, draw: (pen: Pen) => void, scale?: boolean,
   *          press?: (at: Point, kind: 'down' | 'move' | 'up') => void, tapped?: () => boolean}} options
   *        span: the least width and height to see [m]; press: a pointer on the plane, not on a handle;
   *        tapped: a finger presses by a tap, since it scrolls the page when it moves
   */
  constructor(parent, { label, span, centre = [0, 0], draw, press, tapped = () => false, scale = true }) {
    this.span = span;
    this.centre = centre;
    this.paint = draw;
    this.scaleShown = scale;
    this.held = false; // is a handle dragged? Its scene may then leave the view as it is
    this.canvas = element("canvas", { role: "img", "aria-label": label });
    this.overlay = svg("svg", { class: "handles" });
    this.box = element("div", { class: "plane" }, this.canvas, this.overlay);
    parent.append(this.box);
    /** @type {Map<string, {handle: Handle, mark: SVGElement}>} */
    this.handles = new Map();
    this.redraw = oncePerFrame(() => this.drawNow());
    this.observer = new ResizeObserver(() => this.redraw());
    this.observer.observe(this.box);
    this.stopTheme = onTheme(this.redraw);
    if (press) this.#listen(this.overlay, press, tapped);
  }

  /** @param {Element} on @param {(at: Point, kind: 'down' | 'move' | 'up') => void} then @param {() => boolean} [tapped] */
  #listen(on, then, tapped = () => false) {
    let down = false,
      taps = false;
    on.addEventListener("pointerdown", (/** @type {any} */ event) => {
      taps = event.pointerType === "touch" && tapped();
      if (taps) return;
      down = true;
      on.setPointerCapture(event.pointerId);
      then(this.metres(event), "down");
      event.stopPropagation();
    });
    on.addEventListener("pointermove", (/** @type {any} */ event) => {
      if (down) then(this.metres(event), "move");
    });
    for (const name of ["pointerup", "pointercancel"]) {
      on.addEventListener(name, (/** @type {any} */ event) => {
        if (down) then(this.metres(event), "up");
        down = false;
      });
    }
    on.addEventListener("click", (/** @type {any} */ event) => {
      if (!taps || event.target !== on) return;
      then(this.metres(event), "down");
      then(this.metres(event), "up");
    });
    if (on !== this.overlay) /** @type {any} */ (on).style.touchAction = "none";
    // chromium does not look at that of a <g>: a finger would scroll the page instead of dragging
    on.addEventListener("touchstart", (event) => tapped() || event.preventDefault(), { passive: false });
  }

  get scale() {
    return Math.min(this.box.clientWidth, this.box.clientHeight) / this.span;
  }

  /** @param {Point} p [m] @returns {Point} [px] */
  pixels(p) {
    const s = this.scale;
    return [
      this.box.clientWidth / 2 + (p[0] - this.centre[0]) * s,
      this.box.clientHeight / 2 - (p[1] - this.centre[1]) * s,
    ];
  }

  /** @param {{clientX: number, clientY: number}} event @returns {Point} [m] */
  metres(event) {
    const box = this.box.getBoundingClientRect(),
      s = this.scale;
    return [
      (event.clientX - box.left - box.width / 2) / s + this.centre[0],
      -(event.clientY - box.top - box.height / 2) / s + this.centre[1],
    ];
  }

  /** Replace the handles; those that stay keep their focus. @param {Handle[]} list */
  setHandles(list) {
    const wanted = new Map(list.map((handle) => [handle.id, handle]));
    for (const [id, { mark }] of this.handles) {
      if (!wanted.has(id)) {
        mark.remove();
        this.handles.delete(id);
      }
    }
    for (const handle of list) {
      const have = this.handles.get(handle.id);
      if (have) have.handle = handle;
      else this.handles.set(handle.id, { handle, mark: this.#mark(handle) });
    }
    this.redraw();
  }

  /** @param {Handle} first */
  #mark(first) {
    const mark = svg("g", {
      class: `handle ${first.kind ?? "corner"}`,
      tabindex: 0,
      role: "button",
      "aria-label": `${first.label}: drag, or arrow keys`,
      "data-handle": first.id,
    });
    mark.append(svg("circle", { class: "reach", r: 16 }), svg("circle", { class: "knob", r: 6.5 }));
    const now = () => /** @type {{handle: Handle}} */ (this.handles.get(first.id)).handle;
    /** @type {Point} */
    let grip = [0, 0];
    this.#listen(mark, (at, kind) => {
      const place = now().at();
      this.held = kind !== "up";
      if (kind === "down") grip = [place[0] - at[0], place[1] - at[1]];
      else if (kind === "move") now().move([at[0] + grip[0], at[1] + grip[1]]);
      else now().done?.();
    });
    mark.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      const { nudge, done } = now(),
        fast = event.shiftKey ? 5 : 1;
      if (by || (done && event.key === "Enter")) event.preventDefault();
      if (!by) return event.key === "Enter" && done?.();
      if (nudge) return nudge([by[0] * fast, by[1] * fast]);
      const step = (now().step ?? this.span / 100) * (event.shiftKey ? 5 : 1),
        [x, y] = now().at();
      now().move([x + by[0] * step, y + by[1] * step]);
    });
    this.overlay.append(mark);
    return mark;
  }

  drawNow() {
    const ratio = devicePixelRatio || 1,
      { clientWidth: width, clientHeight: height } = this.box;
    if (!width || !height) return;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const pen = new Pen(context, (p) => this.pixels(p), this.scale);
    this.paint(pen);
    if (this.scaleShown) this.#drawScale(context, width, height);
    for (const { handle, mark } of this.handles.values()) {
      const [x, y] = this.pixels(handle.at());
      mark.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height */
  #drawScale(context, width, height) {
    const length = roundLength((0.25 * width) / this.scale);
    const right = width - 12,
      left = right - length * this.scale,
      y = height - 10;
    context.strokeStyle = context.fillStyle = colour("muted");
    context.lineWidth = 1;
    context.setLineDash([]);
    context.beginPath();
    context.moveTo(left, y - 4);
    context.lineTo(left, y);
    context.lineTo(right, y);
    context.lineTo(right, y - 4);
    context.stroke();
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "right";
    context.fillText(
      length >= 0.1 ? `${Number((length * 100).toPrecision(3))} cm` : `${Number((length * 1000).toPrecision(3))} mm`,
      right,
      y - 7,
    );
  }

  close() {
    this.observer.disconnect();
    this.stopTheme();
    this.box.remove();
  }
}

/** Convex hull of points (x, y, ...), counter-clockwise. @param {number[][]} points @returns {Point[]} */
function hullOf(points) {
  const sorted = points.map(([x, y]) => /** @type {Point} */ ([x, y])).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (/** @type {Point[]} */ list) => {
    /** @type {Point[]} */
    const hull = [];
    for (const p of list) {
      while (hull.length > 1) {
        const [a, b] = hull.slice(-2);
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        hull.pop();
      }
      hull.push(p);
    }
    return hull.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** Corners of a patch's edge as a tree describes it, for drawing, patch frame. @param {any} patch @returns {Point[]} */
export function outlineOf(patch) {
  if (patch.shape === "polygon") return patch.vertices;
  if (patch.shape === "triangles") return hullOf(patch.vertices);
  if (patch.shape === "rectangle" || patch.shape === "grid") {
    const [a, b] = patch.size;
    return [
      [-a / 2, -b / 2],
      [a / 2, -b / 2],
      [a / 2, b / 2],
      [-a / 2, b / 2],
    ];
  }
  if (patch.shape === "line")
    return [
      [-patch.length / 2, 0],
      [patch.length / 2, 0],
    ];
  if (patch.shape === "points") return patch.points.map((/** @type {number[]} */ p) => [p[0], p[1]]);
  const radius = typeof patch.radius === "number" ? patch.radius : (patch.radius?.max ?? 0.01);
  return Array.from({ length: 72 }, (_, i) => [
    radius * Math.cos((i * Math.PI) / 36),
    radius * (patch.ratio ?? 1) * Math.sin((i * Math.PI) / 36),
  ]);
}

/** Points of a frame at (x, y), turned, seen from outside. @param {Point[]} points @param {number[]} pose @returns {Point[]} */
export function placed(points, [x, y, theta]) {
  const c = Math.cos(theta),
    s = Math.sin(theta);
  return points.map(([px, py]) => [x + c * px - s * py, y + s * px + c * py]);
}
