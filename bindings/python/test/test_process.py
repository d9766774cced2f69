"""Oracle: what a process may expect. Threads, forks, interrupts, memory."""

from __future__ import annotations

import gc
import os
import resource
import signal
import subprocess
import sys
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
def test_workers_share_a_call_and_change_no_bit(
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


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="the system tells no threads")
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
    assert most >= before + 3  # who watches, and two besides the caller
    for _ in range(5000):  # the system may list a thread a moment longer
        if len(os.listdir("/proc/self/task")) == before:
            return
        time.sleep(0.001)
    pytest.fail("a thread is left")


def test_a_number_of_workers_that_is_none_is_refused() -> None:
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
def test_a_fork_goes_on_with_the_same_contact() -> None:
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


PROGRAMS = {
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
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_ctrl_c_stops_what_takes_long(name: str) -> None:
    text = (
        "import bristle, signal, numpy as np\n"
        "c = bristle.Contact(bristle.Patch.disc(0.01), 0.3)\n"
        # a shell that starts the tests in the background has them ignore Ctrl-C, and children inherit it
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"try:\n    print('ready', flush=True)\n    exec({PROGRAMS[name]!r})\n"
        "except KeyboardInterrupt:\n    print('stopped')\n"
    )
    child = subprocess.Popen([sys.executable, "-P", "-c", text], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.4)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    assert out == "stopped\n", name


def memory() -> int:
    """Resident memory [kB] now, where the system tells."""
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


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the system tells no memory")
@pytest.mark.parametrize(
    "count", [4000, pytest.param(1000000, marks=pytest.mark.slow)], ids=["short", "long"]
)
def test_nothing_leaks(count: int) -> None:
    cycle(1000)
    gc.collect()
    before = memory()
    cycle(count)
    gc.collect()
    # an object of 64 bytes left behind each time would be 250 kB for the short run, 64 MB for the long
    assert memory() - before < 200, "kB more than before"
