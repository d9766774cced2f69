"""Oracle: the C library. A sample of every function is the same to the last bit.

BRISTLE_SAME names two programs that CMake builds with the library's own flags, `python-same` (same.c and those beside
it) and `wasm-same` (bindings/wasm/test/same.c), separated by a colon; they print names and numbers.
"""

from __future__ import annotations

import inspect
import os
import subprocess

import numpy as np
import pytest

import bristle
import samples
import samples_wasm

PROGRAMS = os.environ.get("BRISTLE_SAME", "").split(os.pathsep)

# the sample of each public function; a method has its own numbers, not those of a method that it calls
COMPARED = {
    "Body.simulate": "body.rows",
    "Body.step": "body.step",
    "Constrained.eval": "constrained.eval",
    "Constrained.hold": "constrained.hold",
    "Constrained.slide": "constrained.slide",
    "Contact.at": "field.contact",
    "Contact.at_pressure": "pressed.contact",
    "Contact.carry": "blocks.carry",
    "Contact.centres": "field.centres",
    "Contact.eval": "blocks.eval",
    "Contact.gradient": "blocks.dz_z",
    "Contact.load": "blocks.load",
    "Contact.part_values": "contact.part_value",
    "Contact.parts": "contact.part",
    "Contact.slip": "contact.slip",
    "Contact.steady": "blocks.steady",
    "Contact.step": "blocks.step",
    "Contact.stored": "blocks.stored",
    "EngineFriction.error": "mujoco.error",
    "EngineFriction.gauge": "mujoco.gauge",
    "EngineFriction.numbers": "mujoco.numbers",
    "EngineFriction.wrench": "mujoco.wrench",
    "Field.eval": "field.factor",
    "fit_law": "fit.law",
    "fit_pressure": "fit.pressure",
    "fit_pushes": "fit.pushes",
    "FrictionCone.axes": "cone.axes",
    "FrictionCone.contains": "cone.contains",
    "FrictionCone.margin": "cone.margin",
    "FrictionCone.project": "cone.project",
    "FrictionCone.split": "cone.split",
    "Grasp.force": "grasp.two",
    "grip_force": "grip_force.soft",
    "Hertz.at": "hertz.at",
    "Law.eval": "law.eval",
    "Law.from_mu": "law.from_mu",
    "Law.g": "lugre",
    "Law.gradient": "law.gradient",
    "Law.passivity_margin": "law.passivity_margin",
    "Law.step": "law.step",
    "LimitSurface.dissipation": "exact",
    "LimitSurface.error": "error",
    "LimitSurface.gauge": "limit.gauge",
    "LimitSurface.jacobian": "limit.jacobian",
    "LimitSurface.spin_centre": "exact",
    "LimitSurface.twist": "twist.exact",
    "LimitSurface.wrench": "limit.wrench",
    "Mechanism.simulate": "mechanism.rows",
    "Patch.area": "patch.disc",
    "Patch.at": "patch",
    "Patch.cop": "patch.disc",
    "Patch.disc": "patch.disc",
    "Patch.ellipse": "patch.ellipse",
    "Patch.grid": "patch.grid",
    "Patch.hertz": "patch.hertz",
    "Patch.line": "patch.line",
    "Patch.points": "patch.points",
    "Patch.polygon": "patch",
    "Patch.r": "patch.disc",
    "Patch.rectangle": "patch.rectangle",
    "Patch.ring": "patch.ring",
    "Patch.triangles": "patch.triangles",
    "Patch.u": "patch.disc",
    "Polyhedron.contains": "polyhedron.contains",
    "Polyhedron.error": "polyhedron.error",
    "Polyhedron.h": "polyhedron.h",
    "Polyhedron.margin": "polyhedron.margin",
    "Polyhedron.v": "polyhedron.v",
    "Profile.__call__": "profile.table",
    "Profile.accelerate": "profile.accelerate",
    "Profile.constant": "profile.constant",
    "Profile.move": "profile.move",
    "Profile.sine": "profile",
    "Profile.steps": "profile.steps",
    "Profile.table": "profile.table",
    "Pusher.cone": "pushing.cone",
    "Pusher.gradient": "pusher.gradient",
    "Pusher.outline": "pusher.outline",
    "Pusher.push": "pusher.push",
    "Pusher.rollout": "pusher.rollout",
    "Pusher.step": "pusher.step",
    "run": "scenario.rows",
    "Scenario.run": "scenario.rows",
    "Slider.eval": "slider.eval",
    "Slider.step": "slider.step",
    "sweep": "sweep.final.x",
    "Worlds.reset": "worlds.reset",
    "Worlds.step": "worlds.step",
    "Worlds.vjp": "worlds.vjp",
    "WrenchCone.contains": "wrench_cone.contains",
    "WrenchCone.h": "wrench_cone.h",
    "WrenchCone.margin": "wrench_cone.margin",
    "WrenchCone.rectangle": "wrench_cone.rectangle",
    "WrenchCone.v": "wrench_cone.v",
}

# functions that compute no number, and what they return instead
WITHOUT = {
    "Body.contacts": "what it was given",
    "Body.gravity": "what it was given",
    "Body.loads": "what it was given",
    "Body.pose": "what step advances",
    "Body.rollout": "test_gradient.py: steps of Body.step",
    "Body.velocity": "what step advances",
    "Contact.jac": "gradient",
    "Contact.rhs": "eval",
    "Contact.state": "zeros",
    "Contact.step_vjp": "test_gradient.py: central differences",
    "EngineFriction.form": "a word",
    "PushGradient.vjp": "products of Pusher.gradient",
    "FrictionCone.dual": "another cone",
    "FrictionCone.plot": "a picture",
    "FrictionCone.polyhedron": "a Polyhedron",
    "Rollout.vjp": "test_gradient.py: central differences",
    "Law.has_state": "a property of its kind",
    "LawFit.covariance": "test_friendly.py",
    "Law.state": "zeros",
    "LimitSurface.cop": "that of its patch",
    "LimitSurface.plot": "a picture",
    "LimitSurface.points": "wrench",
    "LimitSurface.r": "that of its patch",
    "Patch.depends_on_force": "a property of its definition",
    "Polyhedron.A": "columns of h",
    "Polyhedron.b": "a column of h",
    "Pusher.follow": "step",
    "Result.animate": "an animation",
    "Result.energy": "columns",
    "Result.plot": "a picture",
    "Result.rows": "how many",
    "Result.scene": "a picture",
    "Result.to_csv": "its columns",
    "Result.to_frame": "its columns",
    "Result.to_npz": "its columns",
    "Result.to_xarray": "its columns",
    "Scenario.variant": "another scenario",
    "ScenarioError.mistakes": "problems",
    "set_workers": "how many threads",
    "sweep_local": "test_sweep.py: the command",
    "Sweep.keys": "names",
    "Sweep.to_frame": "a pandas.DataFrame",
    "Sweep.to_xarray": "an xarray.Dataset",
    "Worlds.lanes": "how many",
    "Worlds.rollout": "test_worlds_gradient.py: steps of Worlds.step",
    "WorldsRollout.vjp": "that of Worlds.vjp",
    "Worlds.z": "what step advances",
}


def public_functions() -> set[str]:
    """Functions, methods and properties of all public names of the package."""
    found = set()
    for name in bristle.__all__:
        thing = getattr(bristle, name)
        if not inspect.isclass(thing):
            found.add(name)
            continue
        for member, value in vars(thing).items():
            counts = callable(value) or isinstance(value, (property, classmethod, staticmethod))
            if counts and (not member.startswith("_") or member == "__call__"):
                found.add(f"{name}.{member}")
    return found


def test_every_public_function_has_a_sample() -> None:
    assert not set(COMPARED) & set(WITHOUT)
    assert public_functions() == set(COMPARED) | set(WITHOUT)


def from_c(program: str) -> dict[str, list[float]]:
    text = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    lines = [line.split() for line in text.splitlines()]
    return {words[0]: [float.fromhex(word) for word in words[1:]] for words in lines}


def flat(value: object) -> list[float]:
    if isinstance(value, tuple):
        return [number for part in value for number in flat(part)]
    return np.ravel(np.asarray(value, dtype=np.float64)).tolist()


def compare(expected: dict[str, list[float]], found: dict[str, object]) -> None:
    assert set(expected) == set(found)
    for name, numbers in expected.items():
        assert [n.hex() for n in flat(found[name])] == [n.hex() for n in numbers], name


@pytest.mark.skipif(len(PROGRAMS) != 2, reason="BRISTLE_SAME does not name two programs")
def test_every_number_is_that_of_c() -> None:
    expected = from_c(PROGRAMS[0])
    compare(expected, samples.computed())
    expected_too = from_c(PROGRAMS[1])
    del expected_too["grip.eval"], expected_too["body.step"]  # Grip only stores numbers; body.step is in the first
    compare(expected_too, samples_wasm.computed())
    assert set(COMPARED.values()) <= set(expected) | set(expected_too)
