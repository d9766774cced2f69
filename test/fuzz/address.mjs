/**
 * Addresses of the page, mutated at random: address.mjs COUNT [SEED]. This is no libFuzzer: nothing measures coverage.
 * Oracle: reading never throws, changes no prototype, and reports what it leaves out.
 */
import { fromAddress, sceneOf } from "../../web/src/address.js";

const START = { body: { mass: 0.2, pose: [0, 0, 0] }, patch: { shape: "disc" }, label: "box" };
const SEEDS = [
  "#limit?body.mass=0.3&label=a+b",
  "#gripper?patch.shape=disc&body.pose=[1,2,3]",
  "#a?x.y.z=(1:2)&%41=%20",
  "#",
  "#s?__proto__.a=1",
];
const PIECES = "& = ? # % %25 %zz [ ] ( ) ' . .. __proto__ constructor 1e999 null \ud800 \0".split(" ");
let state = BigInt(process.argv[3] ?? 1);

function draw(below) {
  state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
  return Number(state >> 33n) % below;
}

function mutate(text) {
  const at = draw(text.length + 1);
  const piece = draw(3) ? PIECES[draw(PIECES.length)] : String.fromCharCode(draw(draw(8) ? 128 : 65536));
  return text.slice(0, at) + piece + text.slice(at + draw(4));
}

const count = Number(process.argv[2] ?? 10000);
const kept = [...SEEDS];
for (let i = 0; i < count; i++) {
  let text = kept[draw(kept.length)];
  for (let k = draw(6); k >= 0; k--) text = mutate(text);
  const { problems } = fromAddress(text, START);
  sceneOf(text);
  const isChanged = Object.keys(Object.prototype).length > 0 || {}.a !== undefined;
  if (isChanged || problems.some((problem) => !problem)) throw new Error(`address: ${JSON.stringify(text)}`);
  if (kept.length < 200) kept.push(text);
  else kept[SEEDS.length + draw(kept.length - SEEDS.length)] = text;
}
console.log(`addresses    ${count} mutants  nothing found`);
