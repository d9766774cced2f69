"""Oracle: what a process may expect. Threads, forks, interrupts, memory."""

from __future__ import annotations

import gc
import os
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import bristle

CONTACT = bristle.Contact(bristle.Patch.disc(0.01), 0.3)


def steps(seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    z = CONTACT.state(2000)
    return CONTACT.step(z, random.standard_normal((2000, 3)), 5.0, 1e-3)


def test_threads_share_a_contact() -> None:
    alone = [steps(seed) for seed in range(8)]
    with ThreadPoolExecutor(4) as pool:
        for one, other in zip(alone, pool.map(steps, range(8))):
            np.testing.assert_array_equal(one, other)


GROWING = bristle.Patch.disc(bristle.ByForce(0.005, exponent=1 / 3, max=0.008))


@pytest.fixture
def workers() -> Iterator[None]:
    before = bristle.set_workers(1)
    yield
    bristle.set_workers(before)


@pytest.mark.parametrize("patch", [bristle.Patch.disc(0.01), GROWING], ids=["fixed", "growing"])
@pytest.mark.parametrize("method", ["blocks", "reduced", "ellipsoid"])
def test_workers_share_a_call_without_changing_a_bit(
    method: str, patch: bristle.Patch, workers: None, random: np.random.Generator
) -> None:
    contact = bristle.Contact(patch, 0.3, method)
    count = 30000 if method != "blocks" and patch is not GROWING else 3000
    twists = random.standard_normal((count, 6))[:, ::2]  # not contiguous: through memory of each thread
    forces = random.choice([0.0, 2.0, 5.0], count)
    found = []
    for number in (1, 2, 7):
        bristle.set_workers(number)
        z = contact.state(count)
        found.append((contact.step(z, twists, forces, 1e-3), z))
    for wrench, z in found[1:]:
        np.testing.assert_array_equal(wrench, found[0][0])
        np.testing.assert_array_equal(z, found[0][1])


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="the system does not list threads")
def test_workers_are_threads_and_end_with_the_call(workers: None) -> None:
    most = 0
    done = threading.Event()

    def watch() -> None:
        nonlocal most
        while not done.is_set():
            most = max(most, len(os.listdir("/proc/self/task")))
            time.sleep(0.001)

    before = len(os.listdir("/proc/self/task"))
    thread = threading.Thread(target=watch)
    thread.start()
    bristle.set_workers(3)
    z = CONTACT.state(100000)
    CONTACT.step(z, np.full((100000, 3), 0.1), 5.0, 1e-3)
    done.set()
    thread.join()
    assert most >= before + 3  # the watching thread, and two besides the caller
    for _ in range(5000):  # the system may list a thread a moment longer
        if len(os.listdir("/proc/self/task")) == before:
            return
        time.sleep(0.001)
    pytest.fail("a thread is left")


def test_an_invalid_number_of_workers_is_refused() -> None:
    with pytest.raises(bristle.ArgumentError, match="count: must be > 0, got -1"):
        bristle.set_workers(-1)
    with pytest.raises(TypeError):
        bristle.set_workers(1.5)  # type: ignore[arg-type]


def test_long_calls_let_other_threads_run() -> None:
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    z = CONTACT.state(200000)
    CONTACT.step(z, np.full((200000, 3), 0.1), 5.0, 1e-3)
    during = counted
    done.set()
    thread.join()
    assert during >= 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_continues_with_the_same_contact() -> None:
    expected = steps(1)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        same = bool((steps(1) == expected).all())
        os.write(writer, b"1" if same else b"0")
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 1) == b"1"
    os.close(reader)
    os.close(writer)


PUCK = {
    "body": {"mass": 0.1, "radius": 0.04, "velocity": [0.5, 0, 0]},
    "friction": {"mu": 0.2},
    "contact": {"frame": "body", "patch": {"shape": "disc", "radius": 0.04}},
    "duration": 1,
}
PROGRAMS = {
    "worlds": "bristle.Worlds(c, 2, mass=1, inertia=2e-4, normal_force=10.0).step(1e-3, steps=2**31)",
    "batch": "z = c.state(100000)\nwhile True: c.step(z, [0.1, 0.2, 3.0], 5.0, 1e-3)",
    "one call": "c.load(np.broadcast_to(c.state(), (100000000, c.state_count)), [0.1, 0.2, 3.0], 5.0)",
    "run": "bristle.Body(1, 1e-3, [bristle.BodyContact(c, 5.0)], velocity=(1, 0, 20), "
    "loads=[bristle.Load(fx=bristle.Profile.sine(0, 9, 50))]).simulate(1e5, 100)",
    "scenario": "bristle.run({'body': {'mass': 1, 'inertia': 1e-3, 'velocity': [1, 0, 20]}, "
    "'friction': {'mu': 0.3}, 'contact': {'frame': 'body', 'patch': {'shape': 'disc', 'radius': 0.01}, "
    "'normal_force': 5}, 'loads': [{'fx': {'kind': 'sine', 'mean': 0, 'amplitude': 9, 'frequency': 50}}], "
    "'duration': 1e5, 'output': {'every': 100}})",
    "fit pressure": "r = np.random.default_rng(1)\nv = r.normal(size=(4000, 3)) * [1, 1, 30]\n"
    "f = -bristle.LimitSurface(bristle.Patch.rectangle((0.1, 0.06))).wrench(v)\n"
    "bristle.fit_pressure(f, v, bristle.Patch.rectangle((0.1, 0.06)), cells=16)",
    "fit pushes": "a = np.linspace(0, 6, 400)\ntip = 0.08 * np.c_[np.cos(a), np.sin(a)]\n"
    "bristle.fit_pushes(np.zeros((400, 3)), np.c_[-0.5 * tip, 0.2 * np.sin(3 * a)], tip, -0.2 * tip, "
    "bristle.Patch.rectangle((0.1, 0.06)), tip_radius=0.005)",
    "fit law": "t = np.arange(400000) * 1e-3\nv = 0.05 * np.sin(t)\n"
    "bristle.fit_law(t, v, 0.3 * np.sign(v) + 2.5 * v + 0.01 * np.sin(1e4 * t), law='lugre')",
    "sweep": f"bristle.sweep({PUCK!r}, {{'friction.mu': '0.1:0.5:100000'}}, want='final.x')",
    "patch": "a = np.linspace(0, 6.28, 10000)\nwhile True: bristle.Patch.polygon(np.c_[np.cos(a), np.sin(a)])",
    "surface": "bristle.LimitSurface(GRID, 'published', nodes=60)",
    "surface of points": "bristle.LimitSurface(POINTS, 'smooth')",
    "error": "bristle.LimitSurface(POINTS).error()",
    "wrenches": "bristle.LimitSurface(POINTS).wrench(np.ones((100000, 3)))",
    "gauge": "bristle.LimitSurface(POINTS).gauge(np.ones((100000, 3)))",
    "contact": "bristle.Contact(POINTS, 0.3, 'reduced')",
    "cells": "bristle.Contact(bristle.Patch.disc(0.01), 0.3, 'distributed', resolution=4096)",
    "polyhedron": "bristle.LimitPolyhedron(bristle.LimitSurface(POINTS), 512)",
    "wrench cone": "a = np.linspace(0, 6.28, 400)\n"
    "bristle.WrenchCone(np.c_[np.cos(a), np.sin(a), 0.1 * np.sin(3 * a)], "
    "[bristle.FrictionCone([np.sin(x), 0, 1], 0.5).polyhedron(16) for x in a])",
    "engine": "bristle.EngineFriction(GRID, 'mujoco', 0.5).error()",
    "pushes": "p = bristle.Pusher(bristle.Patch.rectangle((0.1, 0.06)), support=bristle.Patch.points(r.random((100, 2))))\n"
    "p.step(np.zeros((2000, 3)), (-0.08, 0.01), (0.05, 0.02))",
    "grips": "bristle.grip_force(bristle.LimitSurface(POINTS), 0.5, np.ones((100000, 3)))",
}
WITHIN = 0.6  # [s] of processor time, within which Python responds: it checks every 50 ms, and two threads may run


def processor_time(process: int) -> float:
    """Processor time of all threads of a process so far [s]; independent of other processes."""
    with open(f"/proc/{process}/stat") as file:
        numbers = file.read().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="the system does not report processor time")
@pytest.mark.parametrize("name", PROGRAMS)
def test_ctrl_c_stops_long_calls(name: str) -> None:
    text = (
        "import bristle, signal, time, numpy as np\n"
        "c = bristle.Contact(bristle.Patch.disc(0.01), 0.3)\n"
        "r = np.random.default_rng(1)\n"
        "GRID, POINTS = bristle.Patch.grid(r.random((300, 300)), (0.1, 0.1)), bristle.Patch.points(r.random((60000, 2)))\n"
        # a shell that starts the tests in the background has them ignore Ctrl-C, and children inherit it
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"try:\n    print('ready', flush=True)\n{textwrap.indent(PROGRAMS[name], '    ')}\n"
        "except KeyboardInterrupt:\n    print('stopped', time.process_time(), flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-P", "-c", text], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.4)
    before = processor_time(child.pid)
    child.send_signal(signal.SIGINT)
    word, _, after = child.stdout.readline().partition(" ")
    assert word == "stopped", name
    assert child.wait(timeout=60) == 0  # also if an abandoned computation has not finished
    child.stdout.close()
    assert float(after) - before < WITHIN


def test_abandoned_computations_are_freed() -> None:
    """An interrupted computation runs to its end; later calls free its results."""
    patch = bristle.Patch.grid(np.random.default_rng(1).random((100, 100)), (0.1, 0.1))

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    count = sys.getrefcount(patch._handle)
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.06)
            bristle.LimitSurface(patch, "published")
    finally:
        signal.signal(signal.SIGALRM, before)
    gc.collect()
    assert sys.getrefcount(patch._handle) > count  # it is still running
    for _ in range(3000):
        time.sleep(0.01)
        bristle.LimitSurface(bristle.Patch.disc(0.01), "smooth")
        gc.collect()
        if sys.getrefcount(patch._handle) == count:
            return
    pytest.fail("the patch is still held")


MEMORY = {
    "cells": "bristle.Contact(bristle.Patch.disc(0.01), 0.3, 'distributed', resolution=4096)",
    "state": "c.state(10**8)",
    "output": "c.eval(np.broadcast_to(c.state(), (10**7, c.state_count)), [0.1, 0.2, 3.0], 5.0)",
    "converted": "c.steady(np.broadcast_to(np.float32(1), (10**8, 3)), 5.0)",
    "rows": "bristle.Body(1, 1e-3, velocity=(1, 0, 0)).simulate(1.0, 1e-8)",
    "rows of a scenario": f"bristle.run({PUCK!r}, {{'output.every': 2e-8}})",
    "cases": f"bristle.sweep({PUCK!r}, {{'friction.mu': '0.1:0.5:100000', 'body.mass': '1:2:10000'}}, want='final.x')",
    "patch": "bristle.Patch.grid(np.broadcast_to(1.0, (20000, 20000)), (1, 1))",
    "text": "bristle.run('duration: 1\\n' * 60000000)",
}


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the system does not report memory")
@pytest.mark.parametrize("name", MEMORY)
def test_no_memory_is_a_memory_error(name: str) -> None:
    """A call that needs more than 100 MB ends with MemoryError; smaller ones still work."""
    text = (
        "import bristle, resource, numpy as np\n"
        "c = bristle.Contact(bristle.Patch.disc(0.01), 0.3)\n"
        "with open('/proc/self/statm') as file:\n"
        "    limit = int(file.read().split()[0]) * resource.getpagesize() + 100_000_000\n"
        "resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\n"
        f"try:\n    exec({MEMORY[name]!r})\nexcept MemoryError as error:\n    print('no memory', error)\n"
        "print(c.step(c.state(), [0.1, 0, 0], 5.0, 1.0).round(3))\n"
    )
    child = subprocess.run([sys.executable, "-P", "-c", text], capture_output=True, text=True, timeout=120)
    assert child.returncode == 0, child.stderr
    assert child.stdout.startswith("no memory") and child.stdout.endswith("]\n"), child.stdout + child.stderr


def memory() -> int:
    """Current resident memory [kB], if the system reports it."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


def cycle(count: int) -> None:
    patch = bristle.Patch.points([(0, 0), (0.01, 0)])
    v, z = np.array([0.1, 0.0, 1.0]), np.zeros(3)
    for _ in range(count):
        contact = bristle.Contact(None, bristle.Law(mu=0.3), "ellipsoid", r=0.01, u=1e-4)
        contact.step(z, v, 5.0, 1e-3)
        bristle.FrictionCone([0, 0, 1], 0.5).polyhedron(4).h
        bristle.LimitSurface(patch)
        try:
            bristle.Law(mu=-1.0)
        except bristle.DefinitionError:
            pass


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the system does not report memory")
@pytest.mark.parametrize(
    "count", [4000, pytest.param(1000000, marks=pytest.mark.slow)], ids=["short", "long"]
)
def test_nothing_leaks(count: int) -> None:
    cycle(1000)
    gc.collect()
    before = memory()
    cycle(count)
    gc.collect()
    # a leak of 64 bytes each time would be 250 kB for the short run, 64 MB for the long
    assert memory() - before < 200, "kB more than before"
