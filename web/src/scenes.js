/** The scenes of the page, in the order in which they are shown, and which of them a file belongs to. */
import { cones } from "./scenes/cones.js";
import { anyFile } from "./scenes/any_file.js";
import { engines } from "./scenes/engines.js";
import { gripper } from "./scenes/gripper.js";
import { limit } from "./scenes/limit.js";
import { puck } from "./scenes/puck.js";
import { push } from "./scenes/push.js";
import { rig } from "./scenes/rig.js";
import { slide } from "./scenes/slide.js";
import { steps } from "./scenes/steps.js";

/**
 * @typedef {object} Scene
 * @property {string} id in the address
 * @property {string} title
 * @property {string} lead what can be done here
 * @property {() => any} start its state at first
 * @property {import('./why.js').Why} [why] its formula and three steps
 * @property {(host: import('./controls.js').Host) => {update: () => void, close: () => void, pause?: () => void}} open
 * @property {(tree: any) => boolean} takes does a file belong here?
 * @property {(file: import('./files.js').Dropped, bristle: any, state: any) => any} take its state
 *           from a file; `state` is what is shown now, if it is this scene
 * @property {(cells: number[][], state: any) => any} [takeMap] its state from a map of pressure, row 0 at the top
 * @property {(state: any, tools: {bristle: any, toYaml: (tree: any) => string}) => import('./exporting.js').Exports} exports
 */

/** @type {Scene[]} */
export const SCENES = [puck, limit, slide, gripper, push, rig, steps, cones, engines, anyFile];

/** The scene that shows a file: the one that is open if it can. @param {any} tree @param {Scene} open */
export const sceneFor = (tree, open) =>
  open.takes(tree) ? open : (SCENES.find((scene) => scene.takes(tree)) ?? anyFile);
