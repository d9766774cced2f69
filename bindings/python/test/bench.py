"""Time of calls from Python, compared with the same calls in C.

    python bench.py [program python-bench]

Minima of many runs, since other work on the machine only ever adds. The program, built by CMake from bench.c,
prints the same cases as C does them; without it those columns are empty.
"""

from __future__ import annotations

import subprocess
import sys
import timeit
from collections.abc import Callable
from pathlib import Path

import numpy as np

import bristle

COUNT = 100000  # contacts of a batch
WORLDS, STEPS = 4096, 40  # bodies that differ; steps of 1 ms from the same start
PUBLISHED = (900.0, 1300.0)  # a step of the reduced model by its authors' package, from Python [ns], as published
SCENARIO = Path(__file__).resolve().parents[3] / "scenarios" / "in_hand.yaml"


def once(call: Callable[[], object], number: int, repeat: int) -> float:
    """Smallest time of a call [ns], over many short runs, of which some are undisturbed."""
    return min(timeit.repeat(call, number=number, repeat=repeat)) / number * 1e9


def single_steps() -> dict[str, float]:
    patch = bristle.Patch.disc(0.01, pressure="hertz")
    times = {}
    v, out = np.array([0.1, 0.0, 3.0]), np.empty(3)
    for method in ("reduced", "ellipsoid", "blocks"):
        contact = bristle.Contact(patch, 0.3, method)
        z = contact.state()
        times[f"{method}.step"] = once(lambda: contact.step(z, v, 5.0, 1e-3, out), 200, 1500)
    law = bristle.Law(mu=0.3)
    z = law.state()
    times["law.step"] = once(lambda: law.step(z, 0.1, 5.0, 1e-3), 200, 1500)
    return times


def batches() -> dict[str, float]:
    """Time of one contact in a batch [ns], with one and with all workers."""
    patch = bristle.Patch.disc(0.01, pressure="hertz")
    random = np.random.default_rng(1)
    v, fn = random.uniform(-1, 1, (COUNT, 3)), random.uniform(1, 10, COUNT)
    out = np.empty((COUNT, 3))
    most = bristle.set_workers(1)
    times = {}
    for method in ("reduced", "ellipsoid", "blocks"):
        count = COUNT if method != "blocks" else COUNT // 20
        contact = bristle.Contact(patch, 0.3, method)
        z, dz = contact.state(count), contact.state(count)
        for workers in sorted({1, most}):
            bristle.set_workers(workers)
            step = once(lambda: contact.step(z, v[:count], fn[:count], 1e-3, out[:count]), 1, 200)
            rates = once(lambda: contact.eval(z, v[:count], fn[:count], (out[:count], dz)), 1, 200)
            end = f"/batch/{workers} workers" if workers > 1 else "/batch"
            times[f"{method}.step{end}"] = step / count
            times[f"{method}.eval{end}"] = rates / count
    bristle.set_workers(most)
    return times


def boxes_of(dtype: str) -> tuple[bristle.Worlds, np.ndarray]:
    """Boxes of different mass, friction and position between two fingers, and grips of each step: some slip, some stick."""
    random = np.random.default_rng(1)
    mass = random.uniform(0.1, 0.3, WORLDS)
    fingers = bristle.BodyContact(bristle.Contact(bristle.Patch.disc(0.01), 1.0, "ellipsoid"), 1.0, count=2)
    mu, pose = random.uniform(0.8, 1.2, WORLDS), random.uniform(-2e-3, 2e-3, (3, WORLDS))
    boxes = bristle.Worlds([fingers], WORLDS, mass=mass, inertia=2.4e-3 * mass, mu=mu, pose=pose, dtype=dtype)
    boxes.load[1] = -9.81 * mass
    phase = random.uniform(0, 2 * np.pi, WORLDS) + 4e-3 * np.pi * np.arange(STEPS)[:, None]
    return boxes, (mass / 0.2 * (1.75 + 0.91 * np.sin(phase))).astype(dtype)


def worlds() -> dict[str, float]:
    """Time of a step of one of many different bodies [ns], by one thread."""
    times = {}
    for dtype in ("float64", "float32"):
        boxes, grips = boxes_of(dtype)
        for name, each, check in (("", 1, True), (", unchecked", 1, False), (", 10 steps a call", 10, True)):
            calls = grips.reshape(-1, each, WORLDS) if each > 1 else grips

            def run(calls: np.ndarray = calls, each: int = each, check: bool = check) -> None:
                boxes.reset(pose=start, twist=(0, 0, 0))
                for grip in calls:
                    boxes.step(1e-3, normal_force=grip, steps=each, check=check)

            start = boxes.pose.copy()
            times[f"worlds {dtype}{name}"] = once(run, 1, 30) / (STEPS * WORLDS)
            boxes.reset(pose=start)
    return times


def runs() -> dict[str, float]:
    if not SCENARIO.exists():
        return {}
    scenario = bristle.Scenario(SCENARIO)
    return {"run in_hand.yaml": once(scenario.run, 1, 40)}


def from_c(program: str) -> dict[str, float]:
    words = [SCENARIO] if SCENARIO.exists() else []
    text = subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout
    return {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in text.splitlines()}


def main(words: list[str]) -> None:
    c = from_c(words[0]) if words else {}
    times = {**single_steps(), **batches(), **worlds(), **runs()}
    if words:  # both again alternately, and the smaller time of each
        again = from_c(words[0])
        c = {name: min(value, again[name]) for name, value in c.items()}
    print(f"bristle {bristle.__version__}, NumPy {np.__version__}; least of many runs")
    print(f"{'case':31s} {'Python ns':>12s} {'C ns':>12s} {'difference':>12s}   published/Python")
    for name, own in times.items():
        other = c.get(name)
        rest = f"{other:12.1f} {own - other:12.1f}" if other is not None else 25 * " "
        than = f"{PUBLISHED[0] / own:5.1f} to {PUBLISHED[1] / own:.1f}" if ".step" in name else ""
        print(f"{name:31s} {own:12.1f} {rest}   {than if 'law' not in name else ''}".rstrip())


if __name__ == "__main__":
    main(sys.argv[1:])
