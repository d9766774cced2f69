/** Share what is seen: its link, a frame for other pages, a video. */
import { element } from "./dom.js";

/** Is the page a frame of another one, with the stage alone? */
export const isEmbedded = () => new URLSearchParams(location.search).get("embed") === "1";

/** The address of what is seen, with or without all that is around the stage. @param {boolean} embed */
function addressOf(embed) {
  const url = new URL(location.href);
  if (embed) url.searchParams.set("embed", "1");
  else url.searchParams.delete("embed");
  return url.href;
}

/** Text for an attribute of HTML. @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A frame for other pages. @param {string} title */
export const frameOf = (title) =>
  `<iframe src="${escaped(addressOf(true))}" title="${escaped(title)}" width="760" height="560" style="border:0" loading="lazy"></iframe>`;

/**
 * Buttons that share what is seen; in a frame a link to the whole page.
 * @param {HTMLElement} parent @param {{scene: any, view: any, settle: () => Promise<void>}} page
 */
export function addShare(parent, page) {
  const done = element("span", { class: "done", role: "status" });
  const take = async (/** @type {string} */ text, /** @type {string} */ what) => {
    try {
      await navigator.clipboard.writeText(text);
      done.textContent = `${what} copied`;
    } catch {
      done.textContent = "the browser allows no copy: take the address above";
    }
  };
  const button = (/** @type {string} */ name, /** @type {string} */ label, /** @type {string} */ help, /** @type {() => void} */ onclick) =>
    element("button", { type: "button", "data-share": name, title: help, onclick }, label);
  /** @type {import('./recording.js').Recording | null} */
  let recording = null;
  let starting = false;
  const record = button("record", "Record", "a video of the stage (WebM), which is saved when it ends", async () => {
    if (recording) recording.stop();
    if (recording || starting) return;
    starting = true;
    try {
      const { Recording } = await import("./recording.js");
      const { player } = page.view ?? {};
      if (player && !player.playing) player.toggle();
      recording = new Recording(/** @type {HTMLElement} */ (document.getElementById("stage")), {
        name: `bristle-${page.scene.id}`,
        tick: (seconds) => (record.textContent = `Stop and save (${seconds} s)`),
        end: (text) => {
          recording = null;
          record.textContent = "Record";
          record.removeAttribute("aria-pressed");
          done.textContent = text;
        },
      });
      record.setAttribute("aria-pressed", "true");
    } catch (error) {
      done.textContent = /** @type {Error} */ (error).message;
    } finally {
      starting = false;
    }
  });
  parent.append(
    button("link", "Copy link", "the address: it holds what you see", () => take(addressOf(false), "link")),
    button("embed", "Embed", "HTML that shows this stage in another page", () => take(frameOf(document.title), "HTML of a frame")),
    record,
    done,
  );
  if (!isEmbedded()) return;
  const whole = element("a", { target: "_blank", rel: "noopener" }, "Change it: open in bristle");
  const update = () => (whole.href = addressOf(false));
  whole.addEventListener("pointerdown", update);
  whole.addEventListener("focus", update);
  update();
  document.querySelector("main")?.append(element("h1", { class: "whole" }, whole));
}
