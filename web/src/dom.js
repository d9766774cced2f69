/** Small functions that create elements. */

/**
 * @param {string} tag @param {Record<string, any>} [attributes] functions are listeners ("onclick")
 * @param {...(Node | string)} children @returns {any}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  fill(made, attributes);
  made.append(...children);
  return made;
}

/** @param {string} tag @param {Record<string, any>} [attributes] @returns {any} */
export function svg(tag, attributes = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(made, attributes);
  return made;
}

/** @param {Element} on @param {Record<string, any>} attributes */
export function fill(on, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") on.addEventListener(name.slice(2), value);
    else if (value === true) on.setAttribute(name, "");
    else if (value !== false && value !== undefined) on.setAttribute(name, String(value));
  }
}

/** Colours of the page as it is shown, light or dark: colour('accent'). @param {string} name */
export function colour(name) {
  let value = colours.get(name);
  if (!value) {
    value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    colours.set(name, value);
  }
  return value;
}

/** @type {Map<string, string>} asked for thousands of times a second; forgotten when the page turns light or dark */
const colours = new Map();
onTheme(() => colours.clear());

/** Call when the page turns light or dark. @param {() => void} then @returns {() => void} stops it */
export function onTheme(then) {
  const query = matchMedia("(prefers-color-scheme: dark)");
  query.addEventListener("change", then);
  return () => query.removeEventListener("change", then);
}

/** Once per frame, however often it is requested. @param {() => void} draw */
export function oncePerFrame(draw) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  };
}

let helps = 0;

/**
 * Help that opens by a tap, a click or a key: a button beside what it is about, and its text, hidden at first.
 * @param {string} about what it is about @param {string} text @returns {[any, any]} the button, the text
 */
export function help(about, text) {
  const id = `help-${++helps}`;
  const shown = element("p", { class: "help-text", id, hidden: true }, text);
  const button = element(
    "button",
    {
      type: "button",
      class: "help",
      "aria-label": `Help: ${about}`,
      "aria-expanded": "false",
      "aria-controls": id,
      onclick: () => {
        shown.hidden = !shown.hidden;
        button.setAttribute("aria-expanded", String(!shown.hidden));
      },
    },
    "?",
  );
  return [button, shown];
}
