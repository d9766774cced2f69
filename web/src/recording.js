/**
 * Records the stage as WebM: its canvases, drawings and words are drawn onto one canvas, frame by frame, which the
 * browser's MediaRecorder encodes.
 */
import { colour } from "./dom.js";

const FRAMES = 30; // a second
const MOST = 30; // seconds: then it is saved
const WIDEST = 1280; // px
const EMPTY = 1000; // bytes: the head of a file, before the first picture is encoded
/** Containers, the best that the browser has; Safari has no WebM. */
const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];
/** What counts of the style of a drawing. */
const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "opacity", "font", "text-anchor", "visibility", "display"];

/** A drawing as a picture, as it looks now: its styles are those of the page. @param {SVGElement} svg */
async function pictureOf(svg) {
  const box = svg.getBoundingClientRect(),
    copied = /** @type {SVGElement} */ (svg.cloneNode(true)),
    [from, to] = [svg, copied].map((root) => [...root.querySelectorAll("*")]);
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    to[i].setAttribute("style", STYLES.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
  });
  copied.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copied.setAttribute("width", String(box.width));
  copied.setAttribute("height", String(box.height));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copied))}`;
  await image.decode();
  return image;
}

/** @param {Element} element */
const isSeen = (element) => element.checkVisibility?.({ visibilityProperty: true }) ?? true;

export class Recording {
  /** @param {HTMLElement} stage @param {{name: string, tick: (seconds: number) => void, end: (text: string) => void}} options */
  constructor(stage, { name, tick, end }) {
    const type = globalThis.MediaRecorder && TYPES.find((each) => MediaRecorder.isTypeSupported(each));
    if (!type) throw new Error("this browser cannot record a video");
    this.stage = stage;
    const box = this.#extent();
    this.scale = Math.min(devicePixelRatio || 1, WIDEST / box.width);
    this.canvas = document.createElement("canvas");
    // encoders take even sizes
    this.canvas.width = 2 * Math.round((box.width * this.scale) / 2);
    this.canvas.height = 2 * Math.round((box.height * this.scale) / 2);
    this.pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    /** @type {Map<Element, HTMLImageElement>} */
    this.images = new Map();
    this.pending = new Set(); // drawings whose picture is being made
    /** @type {Blob[]} */
    this.parts = [];
    this.recorder = new MediaRecorder(this.canvas.captureStream(FRAMES), { mimeType: type, videoBitsPerSecond: 5e6 });
    this.recorder.addEventListener("dataavailable", ({ data }) => this.parts.push(data));
    this.recorder.addEventListener("stop", () => this.#save(name, type, end));
    this.started = performance.now();
    this.recorder.start();
    this.timer = setInterval(() => this.#frame(tick), 1000 / FRAMES);
    this.#frame(tick);
  }

  /** What the stage's children cover; on a phone it has no box of its own. */
  #extent() {
    const boxes = [...this.stage.children].map((child) => child.getBoundingClientRect()).filter(({ width }) => width > 0);
    const left = Math.min(...boxes.map((box) => box.left)),
      top = Math.min(...boxes.map((box) => box.top));
    return {
      left,
      top,
      width: Math.max(...boxes.map((box) => box.right)) - left,
      height: Math.max(...boxes.map((box) => box.bottom)) - top,
    };
  }

  stop() {
    if (this.recorder.state !== "inactive") this.recorder.stop();
    clearInterval(this.timer);
  }

  /** @param {string} name @param {string} type @param {(text: string) => void} end */
  #save(name, type, end) {
    const blob = new Blob(this.parts, { type });
    if (blob.size < EMPTY) return end("nothing was recorded: let it run longer");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${name}.${type.startsWith("video/mp4") ? "mp4" : "webm"}`;
    link.click();
    // the browser reads it after the click
    setTimeout(() => URL.revokeObjectURL(link.href), 10e3);
    end(`saved ${link.download}, ${(blob.size / 1e6).toFixed(1)} MB`);
  }

  /** @param {(seconds: number) => void} tick */
  #frame(tick) {
    const seconds = (performance.now() - this.started) / 1000;
    if (seconds > MOST || !this.stage.children.length) return this.stop();
    tick(Math.floor(seconds));
    const { left, top } = this.#extent(),
      { pen } = this;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = colour("page");
    pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
    pen.setTransform(this.scale, 0, 0, this.scale, -this.scale * left, -this.scale * top);
    for (const child of this.stage.children) this.#element(child);
  }

  /** @param {Element} element with all that is in it */
  #element(element) {
    if (!isSeen(element)) return;
    const box = element.getBoundingClientRect();
    if (element instanceof HTMLCanvasElement) {
      if (element.width && element.height) this.pen.drawImage(element, box.left, box.top, box.width, box.height);
    } else if (element instanceof SVGElement) this.#drawing(element, box);
    else if (element.matches("button, input, select, option")) return;
    else {
      this.#panel(element, box);
      for (const node of element.childNodes) {
        if (node.nodeType === Node.TEXT_NODE) this.#words(/** @type {Text} */ (node), element);
        else if (node instanceof Element) this.#element(node);
      }
    }
  }

  /** Drawings become pictures a moment later; until then the picture of before is shown. @param {SVGElement} svg @param {DOMRect} box */
  #drawing(svg, box) {
    const image = this.images.get(svg);
    if (image) this.pen.drawImage(image, box.left, box.top, box.width, box.height);
    if (this.pending.has(svg)) return;
    this.pending.add(svg);
    pictureOf(svg)
      .then((made) => this.images.set(svg, made), () => {})
      .finally(() => this.pending.delete(svg));
  }

  /** Ground and border of a box. @param {Element} element @param {DOMRect} box */
  #panel(element, box) {
    const style = getComputedStyle(element),
      { pen } = this;
    pen.beginPath();
    pen.roundRect(box.left, box.top, box.width, box.height, parseFloat(style.borderTopLeftRadius) || 0);
    pen.fillStyle = style.backgroundColor;
    pen.fill();
    if (parseFloat(style.borderLeftWidth) && style.borderLeftStyle !== "none") {
      pen.strokeStyle = style.borderLeftColor;
      pen.lineWidth = parseFloat(style.borderLeftWidth);
      pen.stroke();
    }
  }

  /** Words, line by line, where the page has them. @param {Text} node @param {Element} parent */
  #words(node, parent) {
    if (!node.data.trim()) return;
    const style = getComputedStyle(parent),
      { pen } = this,
      range = document.createRange();
    pen.font = style.font;
    pen.fillStyle = style.color;
    pen.textBaseline = "alphabetic";
    for (const [start, end] of lines(node, range)) {
      range.setStart(node, start);
      range.setEnd(node, end);
      const box = range.getBoundingClientRect(),
        { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = pen.measureText("x");
      pen.fillText(node.data.slice(start, end).trim(), box.left, box.top + (box.height + up - down) / 2);
    }
  }
}

/** Where the lines of a text start and end: a word further down starts one. @param {Text} node @param {Range} range @returns {[number, number][]} */
function lines(node, range) {
  /** @type {[number, number][]} */
  const found = [];
  let low = -Infinity;
  for (const { index, 0: word } of node.data.matchAll(/\S+/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const { bottom } = range.getBoundingClientRect();
    if (bottom > low + 2) found.push([index, index + word.length]);
    else found[found.length - 1][1] = index + word.length;
    low = Math.max(low, bottom);
  }
  return found;
}
