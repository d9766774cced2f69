"""The sample of same.c, by Python."""

from __future__ import annotations

import numpy as np

import bristle
import samples_rest

TWISTS = np.array([[0.1, 0.0, 0.0], [0.0, -0.02, 3.0], [1e-4, 2e-4, -0.5], [0.0, 0.0, 0.0]])
FORCES = np.array([5.0, 2.0, 0.7, 1.0])
POLYGON = [(0, 0), (0.03, 0), (0.03, 0.01), (0.01, 0.01), (0.01, 0.04), (0, 0.04)]


def computed() -> dict[str, object]:
    found: dict[str, object] = {}
    law = bristle.Law()
    z = np.array(1e-5)
    found["law.eval"] = law.eval(z, 0.003, 2.0)
    found["law.gradient"] = law.gradient(z, 0.003, 2.0)
    found["law.step"] = (law.step(z, 0.003, 2.0, 1e-3), z)
    patch = bristle.Patch.polygon(POLYGON, angle=0.3, centre=(0.01, 0.02))
    found["patch"] = patch.at(1.0)
    surface = bristle.LimitSurface(patch)
    wrench = surface.wrench(TWISTS)
    found["limit.wrench"] = wrench
    found["limit.jacobian"] = surface.jacobian(TWISTS)
    found["limit.gauge"] = surface.gauge(0.7 * wrench[:3])
    for engine in ("mujoco", "drake", "gazebo", "bullet", "genesis"):
        friction = bristle.EngineFriction(patch, engine, mu=0.5, fn=2.0)
        found[engine + ".numbers"] = tuple(friction.numbers.values())
        found[engine + ".wrench"] = friction.wrench(TWISTS)
    for method in ("blocks", "distributed", "reduced", "ellipsoid"):
        contact = bristle.Contact(patch, law, method)
        states = contact.state(4)
        energy = np.empty((4, 3))
        found[method + ".step"] = contact.step(states, TWISTS, FORCES, 1e-3, energy=energy)
        found[method + ".energy"] = energy
        found[method + ".eval"] = contact.eval(states, TWISTS, FORCES)
        found[method + ".steady"] = contact.steady(TWISTS, FORCES)
        found[method + ".load"] = contact.load(states, TWISTS, FORCES)
        found[method + ".stored"] = contact.stored(states, FORCES)
        found[method + ".gradient"] = contact.gradient(states[0], TWISTS[0], FORCES[0]).f_z
    add_cones(found, patch, surface)
    add_sliders(found, patch)
    add_runs(found)
    return found | samples_rest.computed()


LOADS = np.array([[0.1, 0.2, 1.0], [1.0, 0.0, 1.0], [0.3, -0.2, -1.0], [0.0, 0.0, 0.0]])
CORNERS = [(0.1, 0.05, 0), (-0.1, 0.05, 0), (-0.1, -0.05, 0), (0.1, -0.05, 0)]
WRENCHES = [[0, 0, 100, 0, 0, 0], [10, 5, 100, 1, 2, -1], [90, 0, 100, 0, 0, 0]]


def add_cones(
    found: dict[str, object], patch: bristle.Patch, surface: bristle.LimitSurface
) -> None:
    cone = bristle.FrictionCone([0.1, 0.2, 1.0], 0.6)
    flat_cone = cone.polyhedron(8)
    foot = bristle.WrenchCone(CORNERS, flat_cone)
    found["cone.split"] = cone.split(LOADS)
    found["cone.margin"] = cone.margin(LOADS)
    found["cone.project"] = cone.project(LOADS)
    found["polyhedron.h"] = flat_cone.h
    found["polyhedron.v"] = flat_cone.v
    found["polyhedron.margin"] = flat_cone.margin(LOADS)
    found["wrench_cone.h"] = foot.h
    found["wrench_cone.margin"] = foot.margin(WRENCHES)
    found["limit_polyhedron.h"] = bristle.LimitPolyhedron(surface, 40, "outer").h
    found["grasp.one"] = bristle.grip_force(surface, 0.5, [2.0, 1.0, 0.01])
    grasp = bristle.Grasp((patch, patch), (0.5, 0.4), 0.02)
    found["grasp.two"] = tuple(grasp.force([0.5, -2.0, 0.1, 0.01, 0.02, 0.005]))


def add_sliders(found: dict[str, object], patch: bristle.Patch) -> None:
    puck = bristle.Slider(0.5, 2e-4, mu=0.3, height=0.01, patch=patch)
    q, v, load = np.array([0.0, 0.0, 0.2]), np.array([1.0, -0.5, 5.0]), [0.5, 0.1, 0.01]
    found["slider.eval"] = tuple(puck.eval(q, v, load))
    found["slider.step"] = (*puck.step(q, v, 1e-3, load), q, v)
    tip = bristle.Pusher(patch, mu=0.3, radius=0.002, method="exact")
    pose = np.zeros(3)
    found["pusher.push"] = tuple(tip.push((0.0, 0.02), (1.0, 0.0), (0.01, 0.004)))
    found["pusher.step"] = (*tip.step(pose, (-0.04, 0.02), (0.01, 0.021)), pose)
    tip = bristle.Pusher(patch, mu=0.3, radius=0.002, support=bristle.LimitSurface(patch, "smooth"))
    paths = [[(-0.04, 0.01), (-0.01, 0.012), (0.01, 0.02)], [(-0.04, 0.02), (-0.02, 0.02), (0.0, 0.01)]]
    found["pusher.rollout"] = tip.rollout((0.0, 0.0, 0.0), paths, mu=(0.3, 0.1))
    found["pusher.gradient"] = tip.gradient((0.0, 0.0, 0.0), paths, mu=(0.3, 0.1)).by


def add_runs(found: dict[str, object]) -> None:
    finger = bristle.Contact(bristle.Patch.disc(0.01), bristle.Law())
    cup = bristle.Body(
        0.2,
        5e-4,
        [bristle.BodyContact(finger, 0.8, count=2)],
        pose=(0.002, 0, 0),
        gravity=(0, -9.81),
    )
    names = ("t", "x", "y", "theta", "vx", "vy", "w", "fx", "fy", "tau", "load", "dissipated")
    found["body.rows"] = columns_of(cup.simulate(0.1, 0.01), names)
    bead = bristle.Mechanism(dynamics, wire, touch)
    names = ("t", "q1", "q2", "qd1", "qd2", "fn", "work_friction")
    found["mechanism.rows"] = columns_of(bead.simulate(0.5, [0.5, 0.25], every=0.05), names)
    box = bristle.run(SCENARIO, name="same")
    found["scenario.rows"] = columns_of(box, tuple(box))


def columns_of(result: bristle.Result, names: tuple[str, ...]) -> np.ndarray:
    return np.column_stack([result[name] for name in names])


# a bead of 1 kg on the wire y = x^2, as in same_run.c
def dynamics(t: float, q: np.ndarray, qd: np.ndarray) -> tuple[object, ...]:
    return np.eye(2), [0.0, -9.81], 9.81 * q[1], 0.0


def wire(t: float, q: np.ndarray, qd: np.ndarray) -> tuple[object, ...]:
    return [[-2.0 * q[0], 1.0]], [2.0 * qd[0] * qd[0]], [q[1] - q[0] * q[0]]


def touch(t: float, q: np.ndarray, qd: np.ndarray) -> tuple[object, ...]:
    slope = 2.0 * q[0]
    size = np.sqrt(1.0 + slope * slope)
    return q, np.eye(2), [0.0, 0.0], [[-slope / size, 1.0 / size]]


SCENARIO = """\
body: {mass: 1, inertia: 0.01, velocity: [1, 0, 3]}
friction: {mu: 0.3}
contact: {frame: body, patch: {shape: disc, radius: 0.05}, normal_force: 9.81}
duration: 0.4
output: {every: 0.05, energy: true}
"""
