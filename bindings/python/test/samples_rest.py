"""The samples of same_rest.c and same_fit.c, by Python."""

from __future__ import annotations

import numpy as np

import bristle

TWIST = [0.02, -0.01, 1.5]
DISC = bristle.Patch.disc(0.01)
BOX = bristle.Patch.rectangle((0.03, 0.02))


def computed() -> dict[str, object]:
    found: dict[str, object] = {}
    add_patches(found)
    for engine in ("mujoco", "drake", "gazebo", "bullet", "genesis"):
        friction = bristle.EngineFriction(BOX, engine, mu=0.5)
        found[engine + ".error"] = friction.error()
        found[engine + ".gauge"] = friction.gauge([0.5, 0.1, 0.003])
    for method in ("blocks", "distributed", "reduced", "ellipsoid"):
        add_contact(found, method)
    add_cones(found)
    add_profiles(found)
    outline = bristle.Pusher(BOX).outline()
    found["pusher.outline"] = outline[:-1]
    add_body_step(found)
    add_worlds(found)
    add_fit_law(found)
    add_fit_pressure(found)
    add_fit_pushes(found)
    add_sweep(found)
    return found


def add_patches(found: dict[str, object]) -> None:
    centre = (0.001, 0.002)
    cells = np.array([[1.0, 2.0, 0.0], [0.5, 1.5, 3.0]])
    pressure = bristle.LinearPressure(1.0, 3.0)
    points = [(0.0, 0.0), (0.02, 0.0), (0.01, 0.03)]
    patches = {
        "disc": bristle.Patch.disc(0.01, centre=centre),
        "ring": bristle.Patch.ring(0.01, centre=centre),
        "rectangle": bristle.Patch.rectangle((0.03, 0.02), centre=centre, angle=0.2),
        "grid": bristle.Patch.grid(cells, (0.03, 0.02), centre=centre, angle=0.2),
        "line": bristle.Patch.line(0.04, pressure=pressure, centre=centre, angle=0.2),
        "points": bristle.Patch.points(points, [1.0, 2.0, 0.5]),
    }
    for name, patch in patches.items():
        found["patch." + name] = (patch.cop, patch.r, patch.u, patch.area)


def add_contact(found: dict[str, object], method: str) -> None:
    contact, other = (bristle.Contact(patch, bristle.Law(), method) for patch in (DISC, BOX))
    z = contact.state()
    contact.step(z, TWIST, 3.0, 1e-4)
    gradient = contact.gradient(z, TWIST, 3.0)
    found[method + ".f_v"] = gradient.f_v
    found[method + ".f_fn"] = gradient.f_fn
    n, k = contact.part_count, contact.state_count // contact.part_count
    own = np.einsum("rici->rci", gradient.dz_z.reshape(k, n, k, n))  # the diagonal block of each part
    found[method + ".dz_z"] = own
    found[method + ".dz_v"] = np.swapaxes(gradient.dz_v.reshape(k, n, 3), 1, 2)
    found[method + ".carry"] = contact.carry(z, other)


def add_cones(found: dict[str, object]) -> None:
    cone = bristle.FrictionCone([0.1, 0.2, 1.0], 0.6)
    outer = cone.polyhedron(6, "outer")
    forces = [[0.1, 0.2, 1.0], [1.0, 0.0, 1.0], [0.3, -0.2, -1.0]]
    found["cone.axes"] = cone.axes
    found["cone.contains"] = cone.contains(forces)
    found["polyhedron.contains"] = outer.contains(forces)
    found["polyhedron.error"] = outer.error
    places = [(0.1, 0.0, 0.0), (-0.1, 0.05, 0.0), (-0.1, -0.05, 0.01)]
    supports = bristle.WrenchCone(places, bristle.FrictionCone([0, 0, 1], 0.5))
    found["wrench_cone.rectangle"] = bristle.WrenchCone.rectangle(0.1, 0.05, 0.5)
    found["wrench_cone.v"] = supports.v
    found["wrench_cone.contains"] = supports.contains([[0, 0, 10, 0, 0, 0], [9, 0, 10, 0, 0, 0]])
    inner = bristle.LimitPolyhedron(bristle.LimitSurface(BOX), 40, "inner")
    found["limit_polyhedron.v"] = inner.v
    found["limit_polyhedron.error"] = inner.error


def add_profiles(found: dict[str, object]) -> None:
    at, times, values = [0.0, 0.4, 1.0, 2.5], [0.0, 1.0, 2.0], [1.0, 3.0, 2.0]
    found["profile.constant"] = bristle.Profile.constant(4.0)(at)
    found["profile.steps"] = bristle.Profile.steps(times, values)(at)
    found["profile.table"] = bristle.Profile.table(times, values)(at)
    found["profile.move"] = bristle.Profile.move(3.0, 0.7, from_=1.0, start=0.2)(at)
    found["profile.accelerate"] = bristle.Profile.accelerate(3.0, 0.7, from_=1.0, start=0.2)(at)


def add_body_step(found: dict[str, object]) -> None:
    finger = bristle.BodyContact(bristle.Contact(DISC, bristle.Law()), 1.5, count=2)
    cup = bristle.Body(0.2, 5e-4, [finger], pose=(0.002, 0, 0), gravity=(0, -9.81), start="relaxed")
    done = cup.step(5e-3)
    found["body.step"] = (cup.velocity, cup.pose, done.friction, done.dissipated, done.numerical)


def add_worlds(found: dict[str, object]) -> None:
    i = np.arange(9)
    foot = bristle.Contact(DISC, bristle.Law(), "ellipsoid")
    twist, load = np.zeros((3, 9)), np.zeros((3, 9))
    twist[0], twist[2], load[1] = 0.5, 2.0 * (i % 3), 0.5 * i
    mass = 0.5 + 0.25 * i
    worlds = bristle.Worlds(foot, 9, mass=mass, inertia=1e-4, normal_force=2.0, twist=twist, load=load)
    worlds.step(1e-3, steps=3)
    found["worlds.step"] = (worlds.pose.copy(), worlds.twist.copy(), np.array(worlds.z))
    worlds.reset(i % 2 == 1)
    found["worlds.reset"] = np.array(worlds.z)
    worlds.rollout(1e-3, steps=3, every=2)
    bar = np.ones((3, 9))
    got = worlds.vjp(pose=bar, z=bar)
    found["worlds.vjp"] = (got.twist, got.mass, got.normal_force, got.law["mu_c"], got.z)


def numbers_of(estimate: bristle.Estimate) -> tuple[float, ...]:
    return (estimate.value, estimate.error, estimate.low, estimate.high)


def add_fit_law(found: dict[str, object]) -> None:
    i = np.arange(60)
    v = (2 * i - 59) * 1e-3
    f = np.where(v > 0, 0.3, -0.3) + 2.5 * v + (i * 7 % 11 - 5) * 1e-3
    fit = bristle.fit_law(None, v, f, law="viscous")
    estimates = tuple(numbers_of(one) for one in fit.estimates.values())
    found["fit.law"] = (estimates, fit.rms, fit.noise, fit.bic, fit.force)
    fit = bristle.fit_law(1.0 * i, v, f, law="auto", profile=False)
    place = list(fit.compared).index(fit.name)
    found["fit.choice"] = (place, tuple(fit.compared.values()), numbers_of(fit["mu_c"]), [fit.bic])


def add_fit_pressure(found: dict[str, object]) -> None:
    i = np.arange(40)
    v = np.column_stack([(i * (37 + 12 * k) + 5 * k) % 41 / 20.0 - 1.0 for k in range(3)])
    v[:, 2] *= 100.0
    fit = bristle.fit_pressure(-bristle.LimitSurface(BOX).wrench(v), v, BOX, cells=4)
    found["fit.pressure"] = (numbers_of(fit.mu_fn), numbers_of(fit.r), fit.points, fit.angle_error)


def add_fit_pushes(found: dict[str, object]) -> None:
    y = (2 * np.arange(8) - 7) * 1e-3
    start = np.column_stack([np.full(8, -0.02), y])
    end = np.column_stack([np.full(8, -0.01), y + 1e-3])
    poses = np.zeros((8, 3))
    bristle.Pusher(BOX, mu=0.3, radius=0.002, method="exact").step(poses, start, end)
    fit = bristle.fit_pushes(np.zeros((8, 3)), poses, start, end, BOX, tip_radius=0.002, cells=3)
    found["fit.pushes"] = (numbers_of(fit.mu_tip), fit.points, fit.position_error, fit.angle_error)


def add_sweep(found: dict[str, object]) -> None:
    text = """\
body: {mass: 1, inertia: 0.01, velocity: [1, 0, 3]}
friction: {mu: 0.3}
contact: {frame: body, patch: {shape: disc, radius: 0.05}, normal_force: 9.81}
duration: 0.4
"""
    draw = {"friction.mu": "uniform:0.2:0.4", "body.mass": "uniform:0.8:1.2"}
    swept = bristle.sweep(text, draw=draw, samples=4, seed=3, indices=True, want=["final.x"])
    found["sweep.final.x"] = swept["final.x"]
    found["sweep.indices"] = tuple(tuple(index) for index in swept.indices["final.x"].values())
