// MuJoCo 3 for the scenes: alone, or with bristle's friction.

import load from "@mujoco/mujoco";

const mujoco = await load();
export const name = `MuJoCo ${mujoco.mj_versionString()}`;
export const steps = [0.002];

/** Mass of a body that is moved by the scene [kg], which sets its velocity in each step. MuJoCo ends its solver by the mean inertia: much more than that, and its forces are wrong. */
const DRIVEN = 100;

export class Engine {
  /**
   * @param {any} Friction MujocoFriction, or null for the engine alone
   * @param {number} h
   * @param {object} [options] of the layer
   */
  constructor(Friction, h, options) {
    Object.assign(this, { Friction, h, options, bodies: [], has_ground: false, g: "0 0 0", forces: [] });
  }

  gravity(x, y, z) {
    this.g = `${x} ${y} ${z}`;
  }

  ground(mu) {
    this.has_ground = true;
  }

  add(shape, x, y, z) {
    this.bodies.push({ ...shape, x, y, z, name: `g${this.bodies.length}`, inside: "" });
    return this.bodies.length - 1;
  }

  /** A hinge: MuJoCo's second body is a child of the first. */
  hinge(i, k, at, axis) {
    Object.assign(this.bodies[k], { parent: i, hinge: { at, axis } });
  }

  /** With bristle, bodies that the scene moves are mocap bodies. MuJoCo alone would take their velocity as 0. */
  is_mocap({ kinematic }) {
    return Boolean(kinematic && this.Friction);
  }

  joint({ kinematic, turns, axis, hinge, x, y, z }) {
    if (hinge) {
      const at = [hinge.at[0] - x, hinge.at[1] - y, hinge.at[2] - z];
      return `<joint type="hinge" pos="${at.join(" ")}" axis="${hinge.axis.join(" ")}"/>`;
    }
    if (kinematic) {
      return turns ? '<joint type="hinge" axis="0 0 1"/>' : '<joint type="slide" axis="1 0 0"/>';
    }
    return axis === undefined ? "<freejoint/>" : `<joint type="slide" axis="${[0, 1, 2].map((k) => +(k === axis)).join(" ")}"/>`;
  }

  /** In the scenes coefficients are multiplied, and all but those of objects are 1: an object has a higher priority. */
  body(each, i) {
    const { cylinder, half, mass, mu, kinematic, name, parent } = each;
    const base = parent === undefined ? { x: 0, y: 0, z: 0 } : this.bodies[parent];
    const size = cylinder ? `${half[0]} ${half[2]}` : half.join(" ");
    const inside = this.bodies.map((other, k) => (other.parent === i ? this.body(other, k) : "")).join("");
    return `<body name="${name}" pos="${each.x - base.x} ${each.y - base.y} ${each.z - base.z}" gravcomp="${kinematic ? 1 : 0}"
      mocap="${this.is_mocap(each)}">${this.is_mocap(each) ? "" : this.joint(each)}
      <geom name="${name}" type="${cylinder ? "cylinder" : "box"}" size="${size}" mass="${kinematic ? DRIVEN : mass}"
      friction="${mu} 0.005 0.0001" condim="4" priority="${mu < 1 ? 1 : 0}"/>${inside}</body>`;
  }

  /** Two objects of the same scene: their product. */
  pairs() {
    const objects = this.bodies.filter(({ mu, hinge }) => mu < 1 && !hinge);
    if (objects.length > 15) {
      return ""; // they do not touch
    }
    return objects
      .flatMap((a, i) => objects.slice(i + 1).map((b) => [a, b, a.mu * b.mu]))
      .map(([a, b, mu]) => `<pair geom1="${a.name}" geom2="${b.name}" friction="${mu} ${mu} 0.005 0.0001 0.0001" condim="4"/>`)
      .join("");
  }

  /** Create the model: MuJoCo has no bodies that are added later. */
  start() {
    const ground = this.has_ground ? '<geom type="plane" size="5 5 1" friction="1 0.005 0.0001" condim="4"/>' : "";
    const bodies = this.bodies.map((each, i) => (each.parent === undefined ? this.body(each, i) : "")).join("");
    const xml = `<mujoco><option timestep="${this.h}" gravity="${this.g}" cone="elliptic"/>
      <worldbody>${ground}${bodies}</worldbody><contact>${this.pairs()}</contact></mujoco>`;
    this.model = mujoco.MjModel.from_xml_string(xml);
    this.data = new mujoco.MjData(this.model);
    mujoco.mj_forward(this.model, this.data);
    this.friction = this.Friction && new this.Friction(mujoco, this.model, this.data, this.options);
    this.ids = this.bodies.map(({ name }) => mujoco.mj_name2id(this.model, mujoco.mjtObj.mjOBJ_BODY.value, name));
    this.addresses = this.ids.map((id) => {
      const joint = this.model.body_jntadr[id];
      return { q: this.model.jnt_qposadr[joint], v: this.model.jnt_dofadr[joint] };
    });
  }

  force(i, x, y, z) {
    this.forces.push([i, x, y, z]);
  }

  set_velocity(i, v, w) {
    const { v: at } = this.addresses[i];
    const { kinematic, turns } = this.bodies[i];
    const { qvel } = this.data;
    if (this.is_mocap(this.bodies[i])) {
      this.move_mocap(i, v, w);
    } else if (kinematic) {
      qvel[at] = turns ? w[2] : v[0];
    } else {
      qvel.set([...v, ...rotate(conjugate(this.get(i).q), w)], at);
    }
  }

  move_mocap(i, v, w) {
    const id = this.model.body_mocapid[this.ids[i]];
    const { mocap_pos, mocap_quat } = this.data;
    v.forEach((speed, k) => (mocap_pos[3 * id + k] += this.h * speed));
    const half = (this.h * w[2]) / 2; // the scenes turn them about z
    const [a, b] = [mocap_quat[4 * id], mocap_quat[4 * id + 3]];
    mocap_quat[4 * id] = a * Math.cos(half) - b * Math.sin(half);
    mocap_quat[4 * id + 3] = b * Math.cos(half) + a * Math.sin(half);
  }

  step() {
    const { xfrc_applied } = this.data;
    xfrc_applied.fill(0);
    for (const [i, x, y, z] of this.forces) {
      xfrc_applied.set([x, y, z], 6 * this.ids[i]);
    }
    this.forces.length = 0;
    if (this.friction) {
      this.friction.step();
    } else {
      mujoco.mj_step(this.model, this.data);
    }
  }

  get(i) {
    const { q, v } = this.addresses[i];
    const { qpos, qvel } = this.data;
    const { axis, kinematic, turns, hinge, x, y, z } = this.bodies[i];
    if (this.is_mocap(this.bodies[i])) {
      const id = this.model.body_mocapid[this.ids[i]];
      const { mocap_pos, mocap_quat } = this.data;
      const at = [...mocap_pos.subarray(3 * id, 3 * id + 3)];
      return { x: at, q: [0, 0, mocap_quat[4 * id + 3], mocap_quat[4 * id]], v: [0, 0, 0], w: [0, 0, 0] };
    }
    if (hinge) {
      return this.get_pose(i);
    }
    if (turns) {
      return { x: [x, y, z], q: [0, 0, Math.sin(qpos[q] / 2), Math.cos(qpos[q] / 2)], v: [0, 0, 0], w: [0, 0, qvel[v]] };
    }
    if (kinematic || axis !== undefined) {
      const unit = [0, 1, 2].map((k) => +(k === (axis ?? 0)));
      return { x: [x, y, z].map((c, k) => c + unit[k] * qpos[q]), q: [0, 0, 0, 1], v: unit.map((c) => c * qvel[v]), w: [0, 0, 0] };
    }
    const [w, a, b, c] = qpos.subarray(q + 3, q + 7);
    const turn = [a, b, c, w];
    return { x: [...qpos.subarray(q, q + 3)], q: turn, v: [...qvel.subarray(v, v + 3)], w: rotate(turn, qvel.subarray(v + 3, v + 6)) };
  }

  /** Pose of a body of a tree. */
  get_pose(i) {
    mujoco.mj_kinematics(this.model, this.data);
    const id = this.ids[i];
    const [w, a, b, c] = this.data.xquat.subarray(4 * id, 4 * id + 4);
    return { x: [...this.data.xpos.subarray(3 * id, 3 * id + 3)], q: [a, b, c, w], v: [0, 0, 0], w: [0, 0, 0] };
  }

  get report() {
    return this.friction?.layer.report;
  }

  free() {
    this.friction?.free();
    this.data?.delete();
    this.model?.delete();
  }
}

const conjugate = ([x, y, z, w]) => [-x, -y, -z, w];

/** A vector of a body in world axes. */
function rotate([x, y, z, w], v) {
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]];
}
