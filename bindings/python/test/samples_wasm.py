"""The sample of bindings/wasm/test/same.c, by Python."""

from __future__ import annotations

import numpy as np

import bristle

SPEEDS = (0.0, 1e-4, -0.02, 1.5)
MOVING = [1e-3, -2e-3, 0.4]


def computed() -> dict[str, object]:
    found: dict[str, object] = {}
    add_laws(found)
    add_soft_patch(found)
    add_shapes(found)
    add_field(found)
    add_pressed(found)
    add_surfaces(found)
    add_grained(found)
    add_sliding(found)
    add_cones(found)
    add_bodies(found)
    add_constrained(found)
    return found


def add_laws(found: dict[str, object]) -> None:
    for kind in ("coulomb", "stiction", "stribeck", "dahl", "lugre", "elasto-plastic"):
        law = bristle.Law(kind=kind)
        rows = []
        for v in SPEEDS:
            z = np.array(1e-6)
            rows.append((law.g(v), *law.eval(z, v, 2.0), law.step(z, v, 2.0, 1e-3)))
        found[kind] = np.array(rows)
    law = bristle.Law.from_mu(0.4, 0.01, 0.2, 5.0)
    found["law.from_mu"] = (law.mu_c, law.mu_s, law.sigma0, law.sigma1, law.s_ba, law.v_damping)
    found["law.passivity_margin"] = law.passivity_margin


def add_soft_patch(found: dict[str, object]) -> None:
    soft = bristle.Patch.disc(bristle.ByForce(0.002, 1 / 3, 0.01), pressure="hertz")
    contact = bristle.Contact(soft, bristle.Law(kind="lugre"))
    z = contact.state()
    found["patch.soft"] = soft.at(8.0)
    found["grip_force.soft"] = bristle.grip_force(soft, 0.5, [1.0, 0.5, 0.002])
    found["contact.soft"] = contact.step(z, MOVING, 3.0, 2e-3)
    found["contact.slip"] = tuple(contact.slip(z, MOVING, 3.0))
    found["contact.part"] = tuple(numbers[3] for numbers in contact.parts())
    found["contact.part_value"] = tuple(n[3] for n in contact.part_values(z, MOVING, 3.0))


def add_grained(found: dict[str, object]) -> None:
    box = bristle.Patch.rectangle((0.03, 0.02))
    grain = bristle.Anisotropy(1.5, 0.4)
    for method in ("blocks", "distributed", "reduced", "ellipsoid"):
        contact = bristle.Contact(box, bristle.Law(kind="lugre"), method, anisotropy=grain)
        found["grained." + method] = contact.step(contact.state(), MOVING, 3.0, 2e-3)
    surface = bristle.LimitSurface(box, anisotropy=grain)
    found["grained.surface"] = (surface.wrench([0.3, -0.1, 20.0]), surface.gauge([0.5, 0.1, 0.003]))


def add_shapes(found: dict[str, object]) -> None:
    slope = bristle.LinearPressure(1.0, 3.0, angle=0.7)
    bodies = bristle.Hertz((0.05, 0.02), 1e6, ground=(0.1, np.inf), ground_angle=0.4)
    square = [(0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1)]
    shapes = {
        "ellipse": (bristle.Patch.ellipse((0.02, 0.01), slope, centre=(0.001, 0.002), angle=0.2), 1.0),
        "hertz": (bristle.Patch.hertz(bodies, 20.0, angle=0.1), 5.0),
        "triangles": (bristle.Patch.triangles(square, [1.0, 3.0, 2.0, 0.5], [(0, 1, 2), (0, 3, 2)], angle=0.3), 1.0),
    }
    for name, (patch, fn) in shapes.items():
        surface = bristle.LimitSurface(patch, fn=fn)
        found["patch." + name] = (*patch.at(fn), surface.wrench([0.3, -0.1, 20.0]))
    found["hertz.at"] = tuple(bodies.at(5.0))


def add_field(found: dict[str, object]) -> None:
    field = bristle.Field([[1.0, 0.2, 0.0], [0.5, 1.5, 0.8]], (0.03, 0.02), angle=0.4, outside=0.7)
    law = bristle.Law(kind="elasto-plastic")
    contact = bristle.Contact(bristle.Patch.disc(0.01), law, field=field, field_moves=True)
    there = contact.at([0.005, 0.002, 0.3])
    found["field.factor"] = field.eval([0.004, -0.003])
    found["field.contact"] = there.step(there.state(), MOVING, 3.0, 2e-3)
    found["field.centres"] = tuple(there.centres())


def add_pressed(found: dict[str, object]) -> None:
    square, first = [(0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1)], [1.0, 3.0, 2.0, 0.5]
    moved, second = [(0.01, 0.0), (0.1, 0.0), (0.1, 0.12), (0.0, 0.1)], [0.0, 1.0, 4.0, 2.0]
    mesh = bristle.Patch.triangles(square, first, [(0, 1, 2), (0, 3, 2)])
    contact = bristle.Contact(mesh, bristle.Law(kind="elasto-plastic"))
    z = contact.state()
    f = contact.at_pressure(second).step(z, MOVING, 3.0, 2e-3)
    now = contact.at_pressure(first, moved)
    found["pressed.contact"] = (f, now.step(z, MOVING, 3.0, 2e-3), now.cop, now.r, now.u)


def add_surfaces(found: dict[str, object]) -> None:
    disc = bristle.Patch.disc(0.01)
    for method in ("exact", "smooth", "bilinear", "grid", "published", "ellipsoid", "fitted", "curve"):
        surface = bristle.LimitSurface(disc, method=method)
        v = [0.3, -0.1, 20.0]
        found[method] = (surface.dissipation(v), surface.wrench(v), surface.spin_centre)
        if method in ("exact", "ellipsoid"):
            found["twist." + method] = surface.twist([0.5, 0.1, 0.003])
            found["polyhedron." + method] = bristle.LimitPolyhedron(surface, 40, "outer").error
        if method == "ellipsoid":
            found["error"] = tuple(surface.error())
    exact = bristle.LimitSurface(disc)
    found["grip_force"] = bristle.grip_force(exact, 0.5, [2.0, 0.0, 0.01])
    found["grasp"] = bristle.Grasp((disc, disc), (0.5, 0.4), 0.02).force([0.3, -2, 0.1, 0, 0, 0.01])[0]


def add_sliding(found: dict[str, object]) -> None:
    slider = bristle.Slider(0.5, 2e-4, mu=0.3, patch=bristle.Patch.disc(0.02))
    q, v, load = np.array([0.0, 0.0, 0.1]), np.array([1.0, 0.2, 5.0]), [0.1, 0.0, 0.01]
    found["slider.eval"] = tuple(slider.eval(q, v, load))[:3]
    step = slider.step(q, v, 1e-3, load)
    found["slider.step"] = (q, v, *step[:2])
    pusher = bristle.Pusher(bristle.Patch.rectangle((0.1, 0.06)), mu=0.3, radius=0.005, method="exact")
    push = pusher.push((-0.05, 0.01), (1.0, 0.0), (0.01, 0.002))
    found["pushing.eval"] = (push.twist, push.friction, push.force, push.mode)
    found["pushing.cone"] = pusher.cone((-0.05, 0.01), (1.0, 0.0))
    pose = np.zeros(3)
    pusher.step(pose, (-0.06, 0.01), (-0.03, 0.015))
    found["pushing.step"] = pose


def add_cones(found: dict[str, object]) -> None:
    cone = bristle.FrictionCone([0.1, -0.2, 1.0], 0.5)
    f = [2.0, 0.3, 0.5]
    found["cone.split"] = cone.split(f)
    found["cone.margin"] = cone.margin(f)
    found["cone.project"] = cone.project(f)
    found["polyhedron.h"] = cone.polyhedron(6, f_max=20.0).h
    places = [(0.1, 0.0, 0.0), (-0.1, 0.05, 0.0), (-0.1, -0.05, 0.01)]
    wrenches = bristle.WrenchCone(places, cone.polyhedron(6))
    found["wrench_cone.margin"] = wrenches.margin([0.5, 0.0, 10.0, 0.1, 0.2, 0.0])


def add_bodies(found: dict[str, object]) -> None:
    sine = bristle.Profile.sine(1.73, 0.91, 2.0)
    found["profile"] = sine([0.0, 0.13, 0.4])
    finger = bristle.Contact(bristle.Patch.disc(0.01), bristle.Law.from_mu(1.0, r=bristle.Patch.disc(0.01).r))
    names = ("x", "y", "theta", "vx", "vy", "w", "dissipated")
    contacts = [bristle.BodyContact(finger, sine, count=2)]
    cup = bristle.Body(0.2, 5e-4, contacts, pose=(0.002, 0, 0), gravity=(0, -9.81))
    for method, step in (("fixed", 1e-3), ("rosenbrock", 0.0)):
        result = cup.simulate(0.5, method=method, step=step)
        found["body." + method] = tuple(result[name][-1] for name in names)


def add_constrained(found: dict[str, object]) -> None:
    bead = bristle.Constrained(
        np.eye(2), [0.5, -9.81], [[0, 1]], [0], J=np.eye(2), qd=[1, 0], normal=[[0, 1]], mu=0.3, mu_s=0.4
    )
    value, slide, hold = bead.eval(), bead.slide(), bead.hold()
    found["constrained.eval"] = (value.q_id, value.f_c[0])
    found["constrained.slide"] = (slide.qdd, slide.n)
    found["constrained.hold"] = (hold.force, hold.tangential)
