/** Space that comes when three has arrived, which nothing else waits for: its box is there, the last picture is kept. */
import { element } from "./dom.js";

/** @typedef {import('./space.js').Space} Space */

export class SpaceLater {
  /** @param {HTMLElement} parent @param {string} title @param {import('./space.js').Options} options */
  constructor(parent, title, options) {
    this.box = element("div", { class: "space", "aria-busy": "true" }, element("div", { class: "title" }, title));
    parent.append(this.box);
    /** @type {Space | null} */
    this.space = null;
    this.picture = (/** @type {Space} */ _space) => {};
    this.closed = false;
    this.#load(options);
  }

  /** @param {import('./space.js').Options} options */
  async #load(options) {
    const { Space } = await import("./space.js");
    if (this.closed) return;
    this.space = new Space(this.box, options);
    this.picture(this.space);
    this.box.removeAttribute("aria-busy");
  }

  /** Draw now, and when there is space to draw in. @param {(space: Space) => void} picture */
  draw(picture) {
    this.picture = picture;
    if (this.space) picture(this.space);
  }

  close() {
    this.closed = true;
    this.space?.close();
    this.box.remove();
  }
}
