/**
 * Controls: each belongs to a path of the scene's state, reads it and changes it. They are plain inputs with
 * labels, so keyboard and screen readers work as everywhere.
 */
import { element, help as helpFor } from "./dom.js";
import { digits, shownUnit } from "./format.js";
import { get, rounded, set } from "./tree.js";

/**
 * @typedef {object} Host what a scene is given to live in
 * @property {any} bristle the module
 * @property {any} state the scene's state, a tree; changed only by change()
 * @property {(by: (state: any) => void) => void} change
 * @property {() => void} refresh computes and shows the state again
 * @property {(trees: any[], show: (runs: any[], state: any) => void) => void} run computes scenarios beside the page;
 *   their Results are shown with the state they belong to, and the page shows progress, errors, and a way to cancel
 * @property {(work: () => void) => void} later runs the work of a timer or a frame: its errors are shown
 * @property {HTMLElement} stage where pictures go
 * @property {HTMLElement} panel where controls go
 * @property {(list: Figure[]) => void} numbers shows results
 * @property {(text: string, kind?: string) => void} say a sentence about what is seen; '' for none
 */
/**
 * A result that is shown. At most six are seen at once: those with `more`, and those beyond six, are folded away.
 * @typedef {{name: string, label: string, value: number | string | boolean, unit?: string, help?: string, kind?: string,
 *            more?: boolean}} Figure
 */

let count = 0;

/** @typedef {{update: () => void, box: HTMLElement}} Control */

/**
 * A group of controls; update() shows the state.
 */
export class Controls {
  /** @param {Host} host @param {HTMLElement} [parent] */
  constructor(host, parent = host.panel) {
    this.host = host;
    this.parent = parent;
    /** @type {Control[]} */
    this.list = [];
  }

  /** @param {string} title */
  heading(title) {
    this.parent.append(element("h3", {}, title));
    return this;
  }

  /**
   * @param {HTMLElement} box @param {() => void} update @param {(state: any) => boolean} [when]
   * @param {[about: string, text: string | undefined]} [help]
   */
  #add(box, update, when, [about, text] = ["", undefined]) {
    this.parent.append(box);
    if (text) {
      const [button, shown] = helpFor(about, text);
      const label = box.querySelector("label");
      if (label) label.after(button);
      else box.append(button);
      box.classList.add("helped");
      box.append(shown);
    }
    this.list.push({
      box,
      update: () => {
        box.hidden = when ? !when(this.host.state) : false;
        if (!box.hidden) update();
      },
    });
    return this;
  }

  /**
   * A number by a slider and a field.
   * @param {string} path
   * @param {string} label
   * @param {{unit: string, from: number, to: number, step?: number, log?: boolean, help?: string,
   *          read?: (state: any) => number, write?: (state: any, value: number) => void,
   *          when?: (state: any) => boolean}} options in SI units
   */
  number(path, label, { unit, from, to, step, log = false, help, read, write, when }) {
    const [factor, shown] = shownUnit(unit),
      id = `control-${++count}`;
    const toSlider = (/** @type {number} */ x) =>
      log ? Math.log(x / from) / Math.log(to / from) : (x - from) / (to - from);
    const fromSlider = (/** @type {number} */ s) =>
      log ? Number((from * (to / from) ** s).toPrecision(2)) : from + s * (to - from);
    const slider = element("input", {
      type: "range",
      min: 0,
      max: 1,
      step: log ? 0.005 : (step ?? (to - from) / 200) / (to - from),
      id,
      "data-control": path,
    });
    const field = element("input", {
      type: "number",
      step: "any",
      "aria-label": `${label} in ${shown || "its number"}`,
      "data-field": path,
    });
    const put = (/** @type {number} */ x) => {
      if (Number.isFinite(x)) this.host.change((state) => (write ? write(state, x) : set(state, path, x)));
    };
    slider.addEventListener("input", () =>
      put(
        log ? fromSlider(Number(slider.value)) : rounded(fromSlider(Number(slider.value)), step ?? (to - from) / 200),
      ),
    );
    field.addEventListener("change", () => put(Number((Number(field.value) / factor).toPrecision(12))));
    const box = element(
      "div",
      { class: "control" },
      element("label", { for: id }, label),
      slider,
      element("span", { class: "field" }, field, element("span", { class: "unit" }, shown)),
    );
    return this.#add(
      box,
      () => {
        const value = read ? read(this.host.state) : get(this.host.state, path);
        if (document.activeElement !== slider) slider.value = String(toSlider(value));
        if (document.activeElement !== field) field.value = digits(value * factor).replace("−", "-");
      },
      when,
      [label, help],
    );
  }

  /**
   * One of several words.
   * @param {string} path @param {string} label @param {[string, string][]} words value and what is shown
   * @param {{read?: (state: any) => string, write?: (state: any, word: string) => void, when?: (state: any) => boolean, help?: string}} [options]
   */
  choice(path, label, words, { read, write, when, help } = {}) {
    const id = `control-${++count}`;
    const list = element(
      "select",
      { id, "data-control": path },
      ...words.map(([value, text]) => element("option", { value }, text)),
    );
    list.addEventListener("change", () =>
      this.host.change((state) => (write ? write(state, list.value) : set(state, path, list.value))),
    );
    const box = element("div", { class: "control choice" }, element("label", { for: id }, label), list);
    const show = () => (list.value = String(read ? read(this.host.state) : get(this.host.state, path)));
    return this.#add(box, show, when, [label, help]);
  }

  /**
   * Yes or no.
   * @param {string} path @param {string} label @param {{read?: (state: any) => boolean, write?: (state: any, on: boolean) => void, when?: (state: any) => boolean, help?: string}} [options]
   */
  check(path, label, { read, write, when, help } = {}) {
    const id = `control-${++count}`;
    const input = element("input", { type: "checkbox", id, "data-control": path });
    input.addEventListener("change", () =>
      this.host.change((state) => (write ? write(state, input.checked) : set(state, path, input.checked))),
    );
    const box = element("div", { class: "control check" }, input, element("label", { for: id }, label));
    return this.#add(
      box,
      () => (input.checked = Boolean(read ? read(this.host.state) : get(this.host.state, path))),
      when,
      [label, help],
    );
  }

  /**
   * Buttons in a row.
   * @param {[string, (state: any) => void, string?][]} list label, what it changes, its explanation
   * @param {(state: any) => boolean} [when]
   */
  buttons(list, when) {
    const box = element(
      "div",
      { class: "control buttons" },
      ...list.map(([label, by]) => element("button", { type: "button", onclick: () => this.host.change(by) }, label)),
    );
    const text = list.flatMap(([label, , help]) => (help ? [`${label}: ${help}.`] : [])).join(" ");
    return this.#add(box, () => {}, when, ["these buttons", text]);
  }

  update() {
    for (const control of this.list) control.update();
  }
}
