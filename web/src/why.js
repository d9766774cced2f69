/**
 * "Why?": the formula of a scene with the numbers that are shown in it, and three steps that move its controls.
 * KaTeX is loaded when the panel is opened for the first time.
 */
import { element } from "./dom.js";
import { digits, shownUnit } from "./format.js";
import { get } from "./tree.js";

/**
 * @typedef {object} Why
 * @property {string} text what happens, in two or three sentences
 * @property {(of: Quote, state: any) => string} formula TeX; of("fn") is a result as it is shown, with its unit
 * @property {Step[]} steps three
 */
/** @typedef {{text: string, to: (state: any) => void}} Step what is seen, and the change that shows it */
/** @typedef {(name: string, unit?: string) => string} Quote */

/** A number with its unit in TeX. @param {number} x in SI @param {string} [unit] SI */
export function tex(x, unit = "-") {
  const [factor, shown] = shownUnit(unit);
  const number = digits(x * factor).replace("−", "-").replace(/e(-?\d+)/, "\\cdot 10^{$1}").replace("∞", "\\infty").replace("—", "?");
  const plain = shown.replace("%", "\\%").replace("°", "^\\circ").replace("²", "^2");
  return plain ? `${number}\\,\\mathrm{${plain.replaceAll(" ", "\\,")}}` : number;
}

/** @returns {Promise<any>} */
async function loadKatex() {
  const style = element("link", { rel: "stylesheet", href: "vendor/katex/katex.min.css" });
  document.head.append(style);
  const there = new Promise((done) => style.addEventListener("load", done, { once: true }));
  await import(new URL("../vendor/katex/katex.min.js", import.meta.url).href);
  await there;
  return /** @type {any} */ (window).katex;
}

/** @type {Promise<any> | null} */
let loading = null;

export class WhyPanel {
  /** @param {HTMLElement} parent @param {{change: (by: (state: any) => void) => void}} host */
  constructor(parent, host) {
    this.host = host;
    /** @type {any} */
    this.katex = null;
    /** @type {Why | undefined} */
    this.why = undefined;
    /** @type {any[]} the results and the state that are shown */
    this.now = [[], null];
    this.shown = "";
    this.text = element("p", {});
    this.formula = element("div", { class: "formula", tabindex: 0, role: "group", "aria-label": "Formula with the present numbers" });
    this.steps = element("ol", {});
    this.box = element(
      "details",
      { class: "why", ontoggle: () => this.#draw() },
      element("summary", {}, "Why? The formula, and three steps"),
      this.text,
      this.formula,
      this.steps,
    );
    parent.append(this.box);
  }

  /** Another scene. @param {Why | undefined} why */
  open(why) {
    this.why = why;
    this.shown = "";
    this.box.hidden = !why;
    this.text.textContent = why?.text ?? "";
    this.steps.replaceChildren(...(why?.steps ?? []).map((step, i) => this.#step(step, i)));
    this.formula.replaceChildren();
  }

  /** @param {Step} step @param {number} i */
  #step(step, i) {
    const button = element(
      "button",
      {
        type: "button",
        "data-step": i + 1,
        onclick: () => {
          const before = structuredClone(this.now[1]);
          this.host.change(step.to);
          button.dataset.done = "yes";
          this.#mark(before);
        },
      },
      `${i + 1}. ${step.text}`,
    );
    return element("li", {}, button);
  }

  /** Outline the controls that a step has moved. @param {any} before */
  #mark(before) {
    for (const control of document.querySelectorAll("[data-control]")) {
      const path = /** @type {HTMLElement} */ (control).dataset.control ?? "";
      const changed = JSON.stringify(get(before, path)) !== JSON.stringify(get(this.now[1], path));
      control.closest(".control")?.classList.toggle("moved", changed);
    }
  }

  /** What is shown now. @param {import('./controls.js').Figure[]} list @param {any} state */
  show(list, state) {
    this.now = [list, state];
    if (this.box.open) this.#draw();
  }

  async #draw() {
    if (!this.box.open || !this.why) return;
    loading ??= loadKatex();
    this.katex ??= await loading;
    const [list, state] = this.now;
    if (!list.length || !this.why) {
      this.shown = "";
      return this.formula.replaceChildren();
    }
    const of = (/** @type {string} */ name, /** @type {string | undefined} */ unit = undefined) => {
      const found = list.find((/** @type {any} */ figure) => figure.name === name);
      return tex(Number(found?.value ?? NaN), unit ?? found?.unit);
    };
    const text = this.why.formula(of, state);
    if (text === this.shown) return undefined;
    this.shown = text;
    this.katex.render(text, this.formula, { displayMode: true, throwOnError: false });
    this.formula.dataset.tex = text;
    return undefined;
  }
}
