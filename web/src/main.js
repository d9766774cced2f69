/** The page: which scene is open, its state in the address, files that are dropped, the export. */
import { fromAddress, sceneOf, toAddress } from "./address.js";
import { LONGEST, startBudget } from "./budget.js";
import { Computing } from "./computing.js";
import { element, help as helpFor } from "./dom.js";
import { acceptDrops, texts } from "./drops.js";
import { ExportPanel } from "./exporting.js";
import { quantity } from "./format.js";
import { loadBristle } from "./module.js";
import { Outdated, Runs } from "./runs.js";
import { SCENES, sceneFor } from "./scenes.js";
import { addShare, isEmbedded } from "./share.js";
import { copy } from "./tree.js";
import { WhyPanel } from "./why.js";

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);

const MOST_FIGURES = 6; // that are seen at once; the rest is folded away

/** Move the list of scenes, which is wider than a phone, so that one of its links is in the middle. @param {any} link */
function showInList(link) {
  const list = link.closest("nav");
  list.scrollLeft = link.offsetLeft - list.offsetLeft - (list.clientWidth - link.offsetWidth) / 2;
}

class Page {
  /** @param {any} bristle */
  constructor(bristle) {
    this.bristle = bristle;
    /** @type {any} */
    this.scene = null;
    /** @type {any} */
    this.view = null;
    this.timer = 0; // of the next settle(), 0 where none is due
    this.tasks = 0; // that are running: the page is busy until the last one ends
    this.failed = false; // the state cannot be computed: no results are shown
    this.runs = new Runs(bristle);
    /** @type {object | null} the run that belongs to the state, until it is shown */
    this.awaited = null;
    this.computing = new Computing(byId("computing"), { cancel: () => this.cancel() });
    this.figures = ""; // names of the results that are shown
    /** @type {any[]} their elements */
    this.cells = [];
    this.panel = new ExportPanel(byId("export"), async () => {
      const { toYaml } = await import("./yaml_text.js"); // not needed before
      return this.scene.exports(this.state, { bristle: this.bristle, toYaml });
    });
    this.why = new WhyPanel(byId("why"), { change: (by) => this.host().change(by) });
    acceptDrops(document.body, (files) => this.load(files));
    byId("open").addEventListener("change", async (/** @type {any} */ event) => {
      await this.load(texts(event.target.files));
      event.target.value = "";
    });
    byId("reset").addEventListener("click", () => this.open(this.scene, this.scene.start()));
    addEventListener("hashchange", () => this.follow());
    addShare(byId("share"), this);
    this.follow();
  }

  /** Show the state in the address. */
  follow() {
    if (this.scene && location.hash === this.written) return;
    const name = sceneOf(location.hash);
    const scene = SCENES.find(({ id }) => id === name);
    const { state, problems } = fromAddress(location.hash, (scene ?? SCENES[0]).start());
    if (name && !scene) problems.unshift(`the address: there is no scene "${name}"`);
    this.open(scene ?? SCENES[0], state, problems);
  }

  /** @param {any} scene @param {any} state @param {string[]} [problems] found before */
  open(scene, state, problems = []) {
    this.view?.close();
    this.view = null;
    this.scene = scene;
    this.state = state;
    for (const link of document.querySelectorAll("nav a")) {
      if (link.getAttribute("href") === `#${scene.id}`) {
        link.setAttribute("aria-current", "page");
        showInList(link);
      } else link.removeAttribute("aria-current");
    }
    document.title = `${scene.title} · bristle`;
    byId("title").textContent = scene.title;
    byId("lead").textContent = scene.lead;
    byId("stage").replaceChildren();
    byId("stage").className = `stage ${scene.id}`;
    byId("controls").replaceChildren();
    this.numbers([]);
    this.say("");
    this.why.open(scene.why);
    this.attempt(() => {
      this.view = scene.open(this.host());
      this.view.update();
    });
    if (problems.length && !this.failed) this.error(problems.join("\n"));
    this.settleSoon();
  }

  host() {
    const page = this;
    return {
      bristle: this.bristle,
      get state() {
        return page.state;
      },
      change: (/** @type {(state: any) => void} */ by) => {
        by(this.state);
        this.update();
      },
      stage: byId("stage"),
      panel: byId("controls"),
      refresh: () => this.update(),
      run: (/** @type {any[]} */ trees, /** @type {(runs: any[], state: any) => void} */ show) => void this.run(trees, show),
      later: (/** @type {() => void} */ work) => this.guard(work),
      // a player that goes on shows nothing beside an error
      numbers: (/** @type {any[]} */ list) => this.failed || this.numbers(list),
      say: (/** @type {string} */ text, /** @type {string} */ kind = "") => this.failed || this.say(text, kind),
    };
  }

  /** The state has changed: show it, and put it into the address soon. */
  update() {
    this.attempt(() => this.view?.update());
    this.settleSoon();
  }

  /**
   * Run scenarios beside the page. Results of a state before the present one are shown while this one is computed, if
   * they come in time; their errors are not.
   * @param {any[]} trees @param {(runs: any[], state: any) => void} show
   */
  async run(trees, show) {
    const { view } = this,
      state = copy(this.state),
      mine = (this.awaited = {});
    if (!this.computing.since) this.startTask();
    this.computing.start();
    try {
      const runs = await this.runs.request(trees, (at) => mine === this.awaited && this.computing.show(at));
      if (this.awaited && view === this.view && !this.failed) this.guard(() => show(runs, state));
    } catch (error) {
      if (mine === this.awaited && !(error instanceof Outdated)) this.fail(/** @type {Error} */ (error).message);
    }
    if (mine === this.awaited) this.arrived();
  }

  /** No run is awaited any more. */
  arrived() {
    this.awaited = null;
    if (!this.failed) byId("stage").classList.remove("failed");
    if (this.computing.since) this.endTask();
    this.computing.end();
  }

  /** End the run that is computed: its state has no results. */
  cancel() {
    this.fail(this.computing.cancelled());
    this.arrived();
    this.runs.cancel();
  }

  startTask() {
    this.tasks++;
    document.body.dataset.busy = "yes";
  }

  endTask() {
    this.tasks--;
    if (!this.tasks) delete document.body.dataset.busy;
  }

  settleSoon() {
    if (!this.timer) this.startTask();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), 150);
  }

  async settle() {
    this.timer = 0;
    this.written = toAddress(this.scene.id, this.scene.start(), this.state);
    if (location.hash !== this.written) history.replaceState(null, "", this.written);
    await this.panel.update().catch((/** @type {Error} */ error) => this.failed || this.error(error.message));
    this.endTask();
  }

  /** Compute what is shown; what cannot be computed is reported instead. @param {() => void} work */
  attempt(work) {
    this.failed = false;
    this.awaited = null;
    this.guard(work);
    if (!this.failed) this.error("");
    if (this.awaited && !this.failed) return;
    this.runs.outdate();
    this.arrived();
  }

  /** Work within the time that the page has at once; an error ends it and is shown. @param {() => void} work */
  guard(work) {
    try {
      startBudget();
      work();
    } catch (error) {
      this.fail(/** @type {Error} */ (error).message);
    }
  }

  /** Show an error, and no results of an earlier state beside it. @param {string} text */
  fail(text) {
    this.failed = true;
    this.view?.pause?.();
    this.numbers([]);
    this.say("");
    byId("stage").classList.add("failed");
    this.error(text);
  }

  /** @param {string} text */
  error(text) {
    byId("error").textContent = text;
    byId("error").hidden = !text;
  }

  /** @param {string} text @param {string} [kind] good | bad */
  say(text, kind = "") {
    byId("say").textContent = text;
    byId("say").className = kind;
    byId("say").hidden = !text;
  }

  /** @param {import('./controls.js').Figure[]} list */
  numbers(list) {
    const key = list.map(({ name, label }) => name + label).join();
    if (key !== this.figures) this.makeNumbers(list);
    this.figures = key;
    // the elements stay while a run plays
    list.forEach(({ value, unit = "-" }, i) => {
      const dd = this.cells[i];
      const text = typeof value === "number" ? quantity(value, unit) : String(value);
      dd.dataset.value = String(value);
      if (dd.textContent !== text) dd.textContent = text;
    });
    this.why.show(list, this.state);
  }

  /** @param {import('./controls.js').Figure[]} list */
  makeNumbers(list) {
    this.cells = list.map(({ name }) => element("dd", { "data-number": name }));
    const boxes = list.map(({ label, help, kind }, i) => {
      const [button, text] = help ? helpFor(label, help) : [];
      const name = element("dt", {}, label, ...(button ? [" ", button] : []));
      return element("div", { class: kind }, name, this.cells[i], ...(text ? [element("dd", { class: "about" }, text)] : []));
    });
    const first = list.flatMap(({ more }, i) => (more ? [] : [i])).slice(0, MOST_FIGURES);
    byId("numbers").replaceChildren(...first.map((i) => boxes[i]));
    const rest = boxes.filter((_, i) => !first.includes(i));
    byId("more-numbers").replaceChildren(...rest);
    byId("more").hidden = !rest.length;
  }

  /** Open files. The page is busy from here on, while they are read, too. @param {Promise<import('./drops.js').TextFile[]>} reading */
  async load(reading) {
    this.startTask();
    try {
      const files = await reading;
      if (!files.length) return;
      const { mapOf, readDropped } = await import("./files.js");
      const map = files.length === 1 ? mapOf(files[0]) : null;
      const takes = this.scene.takeMap ? this.scene : SCENES.find((each) => each.takeMap);
      if (map && takes?.takeMap) return this.open(takes, takes.takeMap(map, takes === this.scene ? this.state : undefined));
      const file = readDropped(files);
      const scene = sceneFor(file.tree, this.scene);
      const state = scene.take(file, this.bristle, scene === this.scene ? this.state : undefined);
      this.open(scene, state);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      this.error(`${message}\nNothing was opened; the scene is the one from before.`);
    } finally {
      this.endTask();
    }
  }
}

async function start() {
  document.documentElement.classList.toggle("embed", isEmbedded());
  byId("scenes").append(...SCENES.map(({ id, title }) => element("li", {}, element("a", { href: `#${id}` }, title))));
  try {
    const bristle = await loadBristle();
    const page = new Page(bristle);
    // nothing moves when the first results come, but for those that take long
    await Promise.race([page.computing.ended, new Promise((done) => setTimeout(done, LONGEST))]);
    Object.assign(page, { readyAt: performance.now() });
    document.body.dataset.ready = "yes";
    Object.assign(window, { page });
  } catch (error) {
    byId("error").textContent = `bristle could not be loaded: ${/** @type {Error} */ (error).message}`;
    byId("error").hidden = false;
  }
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("service.js").catch(() => {});
}

start();
