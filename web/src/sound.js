/** Stick-slip as a sound: the speed of the mass over some periods, played faster, again and again, as a rubbed glass sings. */

export const FASTER = 400; // a period of 2 s sounds at 200 Hz
const LEAST = 2; // slips that a tone needs

/**
 * When a mass breaks away: its speed passes half of its largest, upwards.
 * @param {ArrayLike<number>} t @param {ArrayLike<number>} v @returns {number[]} rows
 */
export function slipsOf(t, v) {
  let most = 0;
  for (let i = 0; i < v.length; i++) most = Math.max(most, Math.abs(v[i]));
  const rows = [];
  for (let i = 1; i < v.length; i++) if (Math.abs(v[i - 1]) < most / 2 && Math.abs(v[i]) >= most / 2) rows.push(i);
  return rows;
}

/** The pitch of stick-slip [Hz], as it is and not faster; NaN where it does not repeat. @param {ArrayLike<number>} t @param {ArrayLike<number>} v */
export function pitchOf(t, v) {
  const rows = slipsOf(t, v);
  return rows.length < LEAST ? NaN : (rows.length - 1) / (t[rows[rows.length - 1]] - t[rows[0]]);
}

export class Sound {
  constructor() {
    /** @type {AudioContext | null} */
    this.context = null;
    /** @type {AudioBufferSourceNode | null} */
    this.source = null;
  }

  get on() {
    return Boolean(this.source);
  }

  /** Play whole periods of a speed. @param {ArrayLike<number>} t @param {ArrayLike<number>} v @returns {boolean} is there something to hear? */
  play(t, v) {
    this.stop();
    const rows = slipsOf(t, v);
    if (rows.length < LEAST) return false;
    this.context ??= new AudioContext();
    const { sampleRate } = this.context,
      [from, to] = [t[rows[0]], t[rows[rows.length - 1]]];
    const buffer = this.context.createBuffer(1, Math.max(Math.round(((to - from) / FASTER) * sampleRate), 2), sampleRate);
    fill(buffer.getChannelData(0), t, v, from, to);
    const source = this.context.createBufferSource(),
      gain = this.context.createGain();
    source.buffer = buffer;
    source.loop = true;
    gain.gain.value = 0.25;
    source.connect(gain).connect(this.context.destination);
    source.start();
    this.context.resume();
    this.source = source;
    return true;
  }

  stop() {
    this.source?.stop();
    this.source = null;
  }

  close() {
    this.stop();
    this.context?.close();
    this.context = null;
  }
}

/** Samples of a speed between two times, without its mean, 1 at most. @param {Float32Array} to @param {ArrayLike<number>} t @param {ArrayLike<number>} v @param {number} from @param {number} end */
function fill(to, t, v, from, end) {
  let row = 0,
    mean = 0;
  for (let i = 0; i < to.length; i++) {
    const now = from + ((end - from) * i) / to.length;
    while (row + 2 < t.length && t[row + 1] <= now) row++;
    const share = Math.min(Math.max((now - t[row]) / (t[row + 1] - t[row]), 0), 1);
    to[i] = v[row] + share * (v[row + 1] - v[row]);
    mean += to[i] / to.length;
  }
  let most = 1e-12;
  for (let i = 0; i < to.length; i++) most = Math.max(most, Math.abs((to[i] -= mean)));
  for (let i = 0; i < to.length; i++) to[i] /= most;
}
