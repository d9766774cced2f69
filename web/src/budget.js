/**
 * Limits of what the page computes at once: it does not react meanwhile. Runs and loops check the time, sizes are
 * checked before anything is allocated. A worker (run_worker.js) has the limits of sizes, but not of time: its runs are
 * cancelled. What is refused here still runs with the command.
 */

export const LONGEST = 2000; // computing without a pause [ms]
export const MOST_ROWS = 100000; // of a run
export const MOST_ACROSS = 200; // cells of a patch; cells of a grid: its square
export const MOST_FACES = 1000; // of a flat cone

const ELSEWHERE = 'The command has no such limit: see "Take it with you" below.';

/** What to do about a run that takes too long. */
export const ADVICE = `Choose a shorter duration, larger steps or fewer cells. ${ELSEWHERE}`;

let until = Infinity;

/** Start to count: what follows may take LONGEST. */
export function startBudget() {
  until = performance.now() + LONGEST;
}

/** Is the time over? */
export const spent = () => performance.now() >= until;

/** The time is over. */
export class TooLong extends Error {}

/** Throw when the time is over. @param {string} what was computed, "the run at t = 3 s of 10 s" */
export function checkTime(what) {
  if (spent())
    throw new TooLong(`${what}: ended after ${LONGEST / 1000} s of computing, the most that this page takes. ${ADVICE}`);
}

/** Throw when a number is too large for the page. @param {string} what @param {number} value @param {number} most */
export function checkCount(what, value, most) {
  if (value > most) throw new Error(`${what}: this page takes at most ${most}, got ${value}. ${ELSEWHERE}`);
}

/** Check the sizes that a tree gives, at any depth. @param {any} tree @param {string} [path] */
export function checkSizes(tree, path = "") {
  if (tree === null || typeof tree !== "object" || Array.isArray(tree)) return;
  for (const [key, value] of Object.entries(tree)) {
    const at = path ? `${path}.${key}` : key;
    if (key === "resolution") checkCount(at, value, MOST_ACROSS);
    if (key === "cells" && Array.isArray(value)) checkCount(at, value.flat().length, MOST_ACROSS ** 2);
    if (key === "contacts" && Array.isArray(value)) value.forEach((each, i) => checkSizes(each, `${at}[${i}]`));
    checkSizes(value, at);
  }
}
