/** How far the run is that is computed beside the page, and a button that cancels it: shown when it takes a while. */
import { ADVICE } from "./budget.js";
import { element } from "./dom.js";
import { digits } from "./format.js";

const UNSEEN = 200; // shorter runs show nothing of it [ms]

export class Computing {
  /** @param {HTMLElement} box @param {{cancel: () => void}} options */
  constructor(box, { cancel }) {
    this.box = box;
    this.since = 0; // when the computing started; 0: there is none
    this.timer = 0;
    this.words = "the run"; // what is computed, and how far it is
    this.text = element("span", {}, "");
    this.bar = element("progress", { max: 1, "aria-label": "Progress of the run" });
    box.append(this.text, this.bar, element("button", { type: "button", "data-computing": "cancel", onclick: cancel }, "Cancel"));
    /** until nothing is computed @type {Promise<void>} */
    this.ended = Promise.resolve();
    this.release = () => {};
  }

  /** A run starts; the time counts from the first one that was not shown yet. */
  start() {
    this.words = "the run";
    this.text.textContent = "Computing …";
    this.bar.removeAttribute("value");
    if (this.since) return;
    this.since = performance.now();
    this.ended = new Promise((resolve) => (this.release = resolve));
    this.timer = setTimeout(() => (this.box.hidden = false), UNSEEN);
  }

  /** @param {import('./runs.js').Progress} at */
  show({ index, count, t, duration }) {
    const which = count > 1 ? `run ${index + 1} of ${count}` : "the run";
    this.words = `${which} at t = ${digits(t)} s of ${digits(duration)} s`;
    this.text.textContent = `Computing ${this.words}`;
    this.bar.value = (index + t / duration) / count;
  }

  /** What to report of a run that is cancelled now. */
  cancelled() {
    const seconds = digits(Math.round((performance.now() - this.since) / 100) / 10);
    return `${this.words}: cancelled after ${seconds} s of computing. ${ADVICE}`;
  }

  end() {
    clearTimeout(this.timer);
    this.since = 0;
    this.box.hidden = true;
    this.release();
  }
}
