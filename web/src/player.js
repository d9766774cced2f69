/** Plays a run in real time: a button, a slider over time, a speed. */
import { element } from "./dom.js";

export class Player {
  /** @param {HTMLElement} parent @param {(t: number) => void} show called for every frame that is shown */
  constructor(parent, show) {
    this.show = show;
    this.t = 0;
    this.duration = 1;
    this.playing = false;
    this.speed = 1;
    this.frame = 0;
    this.last = 0; // when the last frame was shown [ms]
    this.button = element("button", { type: "button", "data-player": "play", onclick: () => this.toggle() }, "Play");
    this.slider = element("input", {
      type: "range",
      min: 0,
      max: 1,
      step: "any",
      "aria-label": "Time",
      oninput: () => this.seek(Number(this.slider.value) * this.duration),
    });
    this.output = element("output", {}, "");
    this.speeds = element(
      "select",
      { "aria-label": "Speed", style: "width: auto", onchange: () => (this.speed = Number(this.speeds.value)) },
      ...[
        ["1", "real time"],
        ["0.25", "¼ speed"],
        ["0.05", "1/20 speed"],
      ].map(([value, text]) => element("option", { value }, text)),
    );
    this.box = element("div", { class: "player" }, this.button, this.slider, this.output, this.speeds);
    parent.append(this.box);
    this.step = this.step.bind(this);
  }

  /** @param {number} duration [s] */
  setDuration(duration) {
    this.duration = duration;
    this.seek(Math.min(this.t, duration));
  }

  /** @param {1 | 0.25 | 0.05} speed over real time [-] */
  setSpeed(speed) {
    this.speed = speed;
    this.speeds.value = String(speed);
  }

  /** @param {number} t [s] */
  seek(t) {
    this.t = t;
    this.slider.value = String(t / this.duration);
    this.output.textContent = `${t.toFixed(2)} s`;
    this.show(t);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.t >= this.duration) this.t = 0;
    this.playing = true;
    this.button.textContent = "Pause";
    this.last = performance.now();
    this.frame = requestAnimationFrame(this.step);
  }

  pause() {
    this.playing = false;
    this.button.textContent = "Play";
    cancelAnimationFrame(this.frame);
  }

  /** @param {number} now [ms] */
  step(now) {
    // a page that slept does not jump
    const passed = Math.min(Math.max(now - this.last, 0), 100) / 1000;
    this.last = now;
    this.seek(Math.min(this.t + passed * this.speed, this.duration));
    if (this.t >= this.duration) this.pause();
    else if (this.playing) this.frame = requestAnimationFrame(this.step);
  }

  close() {
    this.pause();
    this.box.remove();
  }
}

/** The row of a table at a time. @param {ArrayLike<number>} times that grow @param {number} t */
export function rowAt(times, t) {
  let low = 0,
    high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t + 1e-9) low = middle;
    else high = middle - 1;
  }
  return low;
}
