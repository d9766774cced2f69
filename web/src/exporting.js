/** What is seen as YAML, as C and as Python, to copy or to save; written when it is looked at. */
import { element } from "./dom.js";

/**
 * @typedef {object} Exports
 * @property {{name: string, text: string}[]} files what the command reads, the first being the main one
 * @property {string} command the line that computes what is seen
 * @property {string} c
 * @property {string} python
 */

const TABS = /** @type {const} */ ([
  ["yaml", "as YAML"],
  ["c", "as C"],
  ["python", "as Python"],
]);

export class ExportPanel {
  /** @param {HTMLElement} parent @param {() => Promise<Exports>} read */
  constructor(parent, read) {
    this.read = read;
    /** @type {'yaml' | 'c' | 'python'} */
    this.shown = "yaml";
    this.body = element("div", { class: "export-body" });
    this.tabs = TABS.map(([id, label]) =>
      element("button", { type: "button", role: "tab", "data-export": id, onclick: () => this.show(id) }, label),
    );
    this.box = element(
      "details",
      { class: "export", ontoggle: () => this.update() },
      element("summary", {}, "Take it with you: as YAML, as C, as Python"),
      element("div", { class: "tabs", role: "tablist" }, ...this.tabs),
      this.body,
    );
    parent.append(this.box);
  }

  /** @param {'yaml' | 'c' | 'python'} id */
  show(id) {
    this.shown = id;
    this.box.open = true;
    this.update();
  }

  async update() {
    this.tabs.forEach((tab, i) => tab.setAttribute("aria-selected", String(TABS[i][0] === this.shown)));
    if (!this.box.open) return;
    const made = await this.read();
    const parts =
      this.shown === "yaml"
        ? [
            element("p", { class: "command" }, "Save and run: ", element("code", {}, made.command)),
            ...made.files.map(codeBlock),
          ]
        : [codeBlock({ name: this.shown === "c" ? "scene.c" : "scene.py", text: made[this.shown] })];
    this.body.replaceChildren(...parts);
    this.body.dataset.shown = this.shown;
  }
}

/** @param {{name: string, text: string}} file */
function codeBlock({ name, text }) {
  const done = element("span", { class: "done", role: "status" });
  const save = () => {
    const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const take = async () => {
    await navigator.clipboard.writeText(text);
    done.textContent = "copied";
  };
  return element(
    "div",
    { class: "code" },
    element(
      "div",
      { class: "code-head" },
      element("span", { class: "name" }, name),
      done,
      element("button", { type: "button", onclick: take }, "Copy"),
      element("button", { type: "button", onclick: save }, "Save"),
    ),
    element("pre", { tabindex: 0 }, element("code", {}, text)),
  );
}

/** A string of C over several lines. @param {string} text */
export const cString = (text) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => `    ${JSON.stringify(`${line}\n`)}`)
    .join("\n");

/**
 * C that runs a scenario and prints the last row.
 * @param {string} yaml @param {string} name
 */
export const scenarioInC = (yaml, name) => `// cc ${name}.c $(pkg-config --cflags --libs bristle-scenario) -o ${name}
#include <stdio.h>

#include "bristle/scenario.h"

static const char text[] =
${cString(yaml)};

int main(void)
{
    br_scenario* scenario = NULL;
    br_table* table = NULL;
    br_reason why;
    br_status status = br_scenario_read_text(text, "${name}", NULL, &scenario);
    for (size_t i = 0; scenario && i < br_scenario_get_error_count(scenario); i++) {
        const br_scenario_error* m = br_scenario_get_error(scenario, i);
        fprintf(stderr, "line %zu: %s: %s\\n", m->line, m->key, m->text);
    }
    if (status == BR_OK && (status = br_scenario_run(scenario, NULL, &table, &why)) != BR_OK) {
        fprintf(stderr, "%s: %s\\n", why.field, why.text);
    }
    if (status == BR_OK) {
        size_t columns;
        const br_column* column = br_table_get_columns(table, &columns);
        const double* last = br_table_get_rows(table) + (br_table_get_row_count(table) - 1) * columns;
        for (size_t i = 0; i < columns; i++) {
            printf("%s = %.9g %s\\n", column[i].name, last[i], column[i].unit);
        }
    }
    br_table_destroy(table);
    br_scenario_destroy(scenario);
    return status == BR_OK ? 0 : 1;
}
`;

/**
 * Python that runs a scenario.
 * @param {string} yaml @param {string[]} columns to print the ends of
 */
export const scenarioInPython = (yaml, columns) => `import bristle

result = bristle.run("""
${yaml.trimEnd()}
""")
print(result)
for name in ${JSON.stringify(columns)}:
    print(name, "=", result[name][-1])
result.plot(path="scene.png")  # needs matplotlib
`;
