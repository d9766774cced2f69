/** Tables as CSV: what dropped scenarios name, and what the page hands out. */

/**
 * @param {string} text @param {string} name @returns {{columns: string[], rows: number[][]}}
 */
export function readCsv(text, name) {
  const lines = text
    .split(/\r?\n/)
    .map((line, i) => ({ line: i + 1, text: line.trim() }))
    .filter(({ text: t }) => t && !t.startsWith("#"));
  const header = /[a-df-z_]/i.test(lines[0]?.text ?? "");
  const columns = header ? lines[0].text.split(",").map((word) => word.trim()) : [];
  const rows = lines.slice(header ? 1 : 0).map(({ line, text: t }) =>
    t.split(",").map((word) => {
      const number = Number(word);
      if (!word.trim() || !Number.isFinite(number))
        throw new Error(`${name}:${line}: must be a number; got ${word.trim() || "nothing"}`);
      return number;
    }),
  );
  return { columns, rows };
}

/** @param {string[]} columns @param {(number | string)[][]} rows */
export const writeCsv = (columns, rows) => `${columns.join(",")}\n${rows.map((row) => row.join(",")).join("\n")}\n`;
