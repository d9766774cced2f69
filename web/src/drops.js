/** Files that are dropped on the page or opened, as text. */

const MOST = 48; // cells across that a picture becomes, at most

/** A file as text; a picture is cells instead, 1 where it is white. @typedef {{name: string, text: string, cells?: number[][]}} TextFile */

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
  Promise.all(
    Array.from(files, async (file) =>
      /\.png$/i.test(file.name)
        ? { name: file.name, text: "", cells: await cellsOf(file) }
        : { name: file.name, text: await file.text() },
    ),
  );

/** The brightness of a picture, in at most MOST cells across. @param {File} file */
async function cellsOf(file) {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error(`${file.name}: is no picture that this browser can read`);
  });
  const share = Math.min(MOST / Math.max(picture.width, picture.height), 1),
    [columns, rows] = [picture.width, picture.height].map((count) => Math.max(Math.round(count * share), 1));
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: columns, height: rows });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.drawImage(picture, 0, 0, columns, rows);
  const { data } = context.getImageData(0, 0, columns, rows);
  const grey = (/** @type {number} */ i) => (0.2126 * data[i] + 0.7152 * data[i + 1] + 0.0722 * data[i + 2]) / 255;
  return Array.from({ length: rows }, (_, y) =>
    Array.from({ length: columns }, (_, x) => Number(grey(4 * (y * columns + x)).toFixed(3))),
  );
}
