/** Curves over a common axis, by uPlot. */
import uPlot from "uplot";
import { colour, element, onTheme } from "./dom.js";
import { digits } from "./format.js";

/** @typedef {{label: string, colour: string, dash?: number[], width?: number}} Line a line's colour is one of the page's */

/** An axis of logarithms to base 10 that shows the numbers themselves. */
const POWERS = {
  incrs: [1],
  values: (/** @type {any} */ _, /** @type {number[]} */ list) => list.map((v) => digits(10 ** v)),
};

export class Curves {
  /**
   * @param {HTMLElement} parent
   * @param {{title: string, x: string, y: string, lines: Line[], height?: number,
   *          path?: boolean, powers?: boolean}} options
   *        x, y: what is drawn, with unit; path: y over x as it comes,
   *        where x may go back; powers: x is given as its logarithm to base 10
   */
  constructor(parent, options) {
    this.options = options;
    this.height = options.height ?? 170;
    // room for the curves, the title and the legend before they are drawn
    const lines = options.lines.length > 1 && !options.path ? 2 : 1;
    this.box = element("figure", { class: "curves", style: `min-height: ${this.height + 28 * lines + 8}px` }, element("figcaption", {}, options.title));
    parent.append(this.box);
    /** @type {any[]} */
    this.data = [];
    /** @type {any} */
    this.plot = null;
    this.instant = NaN;
    this.upright = element("div", { class: "upright" });
    this.observer = new ResizeObserver(() => this.#make());
    this.observer.observe(this.box);
    this.stopTheme = onTheme(() => this.#make());
  }

  #axis(/** @type {string} */ label, /** @type {number} */ size) {
    const grid = { stroke: colour("line"), width: 1 };
    return {
      label,
      labelSize: 16,
      labelFont: "12px system-ui",
      font: "11px system-ui",
      size,
      stroke: colour("muted"),
      grid,
      ticks: { ...grid, size: 4 },
      values: (/** @type {any} */ _, /** @type {number[]} */ list) => list.map((v) => (v === null ? "" : digits(v))),
    };
  }

  #make() {
    const width = this.box.clientWidth;
    if (!width || !this.data.length) return;
    if (this.plot && this.plot.width === width && this.theme === colour("ink")) return;
    this.theme = colour("ink");
    this.plot?.destroy();
    const { lines, x, y, path, powers } = this.options;
    const series = lines.map((line) => ({
      label: line.label,
      stroke: colour(line.colour),
      width: line.width ?? 1.6,
      dash: line.dash,
      points: { show: false },
      pxAlign: 0, // uPlot would round curves to whole pixels: small motions become stairs
      value: (/** @type {any} */ _, /** @type {number} */ v) => (v === null || v === undefined ? "" : digits(v)),
    }));
    const first = {
      label: x,
      value: (/** @type {any} */ _, /** @type {number} */ v) => (v === null || v === undefined ? "" : digits(v)),
    };
    this.plot = new uPlot(
      /** @type {any} */ ({
        width,
        height: this.height,
        series: path
          ? [
              {},
              ...series.map((s) => ({
                ...s,
                facets: [
                  { scale: "x", auto: true },
                  { scale: "y", auto: true },
                ],
                paths: drawPath,
              })),
            ]
          : [first, ...series],
        mode: path ? 2 : 1,
        legend: {
          show: lines.length > 1 && !path,
          live: false,
          markers: { dash: (/** @type {any} */ _, /** @type {number} */ i) => (lines[i - 1].dash ? "dashed" : "solid") },
        },
        cursor: { show: !path, y: false },
        scales: { x: { time: false } },
        axes: [powers ? { ...this.#axis(x, 32), ...POWERS } : this.#axis(x, 32), this.#axis(y, 52)],
        hooks: { draw: [() => this.#place()] },
      }),
      /** @type {any} */ (this.data),
      this.box,
    );
  }

  /** The mark is an element of its own: the curves need not be drawn again when it moves. */
  #place() {
    const { over } = this.plot ?? {};
    if (!over) return;
    if (this.upright.parentElement !== over) over.append(this.upright);
    const x = this.plot.valToPos(this.instant, "x");
    this.upright.hidden = !(x >= 0 && x <= over.clientWidth);
    if (!this.upright.hidden) this.upright.style.transform = `translateX(${x.toFixed(1)}px)`;
  }

  /** @param {any[]} data x, then a list for each line; for a path [null, [x, y], ...] */
  set(data) {
    if (data[0]?.length < 2) return; // nothing to draw a line through
    this.data = data;
    if (this.plot) this.plot.setData(data);
    else this.#make();
  }

  /** Mark an instant. @param {number} t */
  mark(t) {
    this.instant = t;
    this.#place();
  }

  close() {
    this.observer.disconnect();
    this.stopTheme();
    this.plot?.destroy();
    this.box.remove();
  }
}

// uPlot draws lines over an x that grows; a path may turn back
function drawPath(/** @type {any} */ u, /** @type {number} */ index) {
  const [xs, ys] = u.data[index],
    path = new Path2D();
  for (let i = 0; i < xs.length; i++) path.lineTo(u.valToPos(xs[i], "x", true), u.valToPos(ys[i], "y", true));
  const { ctx } = u,
    s = u.series[index];
  ctx.save();
  ctx.beginPath();
  ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  ctx.clip();
  ctx.strokeStyle = typeof s.stroke === "function" ? s.stroke(u, index) : s.stroke;
  ctx.lineWidth = s.width * devicePixelRatio;
  ctx.setLineDash(s.dash ?? []);
  ctx.stroke(path);
  ctx.restore();
  return null;
}
