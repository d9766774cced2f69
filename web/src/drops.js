/** Files that are dropped on the page or opened, as text. */

/** @typedef {{name: string, text: string}} TextFile */

/**
 * Let files be dropped anywhere on the page.
 * @param {HTMLElement} page @param {(files: Promise<TextFile[]>) => void} then called at once, before the files are read
 */
export function acceptDrops(page, then) {
  let depth = 0;
  const show = (/** @type {number} */ by) => {
    depth = Math.max(depth + by, 0);
    page.classList.toggle("dropping", depth > 0);
  };
  page.addEventListener("dragenter", (event) => {
    event.preventDefault();
    show(1);
  });
  page.addEventListener("dragleave", () => show(-1));
  page.addEventListener("dragover", (event) => event.preventDefault());
  page.addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    show(0);
    then(texts(event.dataTransfer?.files ?? []));
  });
}

/** @param {ArrayLike<File>} files @returns {Promise<TextFile[]>} */
export const texts = (files) =>
  Promise.all(Array.from(files, async (file) => ({ name: file.name, text: await file.text() })));
