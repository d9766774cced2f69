// Rotations for the glue of engines: quaternions as x, y, z, w; matrices row by row, from body to world axes.

/**
 * Write the matrix of a unit quaternion.
 * @param {Float64Array} to
 * @param {number} at
 * @param {{ x: number, y: number, z: number, w: number }} q
 */
export function put_matrix(to, at, q) {
  const { x, y, z, w } = q;
  to[at] = 1 - 2 * (y * y + z * z);
  to[at + 1] = 2 * (x * y - w * z);
  to[at + 2] = 2 * (x * z + w * y);
  to[at + 3] = 2 * (x * y + w * z);
  to[at + 4] = 1 - 2 * (x * x + z * z);
  to[at + 5] = 2 * (y * z - w * x);
  to[at + 6] = 2 * (x * z - w * y);
  to[at + 7] = 2 * (y * z + w * x);
  to[at + 8] = 1 - 2 * (x * x + y * y);
}

/**
 * Read a quaternion from four numbers.
 * @param {Float64Array} numbers
 * @param {number} at
 * @param {{ x: number, y: number, z: number, w: number }} q
 */
export function put_quaternion(numbers, at, q) {
  q.x = numbers[at];
  q.y = numbers[at + 1];
  q.z = numbers[at + 2];
  q.w = numbers[at + 3];
}

/**
 * R v + x into `to`: a point of a body in world axes.
 * @param {Float64Array} numbers with R at `rotation` and x at `origin`
 * @param {number} rotation
 * @param {number} origin
 * @param {number} vx
 * @param {number} vy
 * @param {number} vz
 * @param {Float64Array} to (3)
 */
export function to_world(numbers, rotation, origin, vx, vy, vz, to) {
  for (let i = 0; i < 3; i++) {
    const r = rotation + 3 * i;
    to[i] = numbers[r] * vx + numbers[r + 1] * vy + numbers[r + 2] * vz + numbers[origin + i];
  }
}

/**
 * Turn a quaternion by a rotation vector in world axes, in place.
 * @param {{ x: number, y: number, z: number, w: number }} q
 * @param {number} a rotation vector [rad]
 * @param {number} b
 * @param {number} c
 */
export function turn(q, a, b, c) {
  const angle = Math.hypot(a, b, c);
  const s = angle > 1e-9 ? Math.sin(0.5 * angle) / angle : 0.5;
  const k = Math.cos(0.5 * angle);
  const { x, y, z, w } = q;
  q.x = k * x + s * (a * w + b * z - c * y);
  q.y = k * y + s * (b * w + c * x - a * z);
  q.z = k * z + s * (c * w + a * y - b * x);
  q.w = k * w - s * (a * x + b * y + c * z);
  const length = Math.hypot(q.x, q.y, q.z, q.w);
  q.x /= length;
  q.y /= length;
  q.z /= length;
  q.w /= length;
}

/**
 * Rotation vector in world axes between two quaternions, by less than half a turn.
 * @param {Float64Array} from
 * @param {Float64Array} to
 * @param {number} at position of both
 * @param {Float64Array} out (3) [rad]
 */
export function put_rotation_vector(from, to, at, out) {
  const [x, y, z, w] = [-from[at], -from[at + 1], -from[at + 2], from[at + 3]];
  const [a, b, c, d] = [to[at], to[at + 1], to[at + 2], to[at + 3]];
  out[0] = d * x + a * w + b * z - c * y;
  out[1] = d * y + b * w + c * x - a * z;
  out[2] = d * z + c * w + a * y - b * x;
  const real = d * w - a * x - b * y - c * z;
  const sine = Math.hypot(out[0], out[1], out[2]);
  const factor = sine > 0 ? (2 * Math.atan2(sine, Math.abs(real)) * Math.sign(real || 1)) / sine : 0;
  out[0] *= factor;
  out[1] *= factor;
  out[2] *= factor;
}

/**
 * Does a cylinder stand on its face? Then the patch is its disc instead of the hull of a few points on its rim.
 * @param {ArrayLike<number>} axis unit vector
 * @param {ArrayLike<number>} n normal
 */
export function is_upright(axis, n) {
  return Math.abs(axis[0] * n[0] + axis[1] * n[1] + axis[2] * n[2]) > 0.9999;
}
