"""Signals at random times, of runs, fits and sweeps that take long, with threads and with processes of MPI."""

import os
import random
import shutil
import signal
import subprocess
import time

import calls
import commands
import harness

SIGNALS = ("SIGKILL", "SIGKILL", "SIGTERM", "SIGINT", "SIGHUP")
DRAWS = ["sweep", "IN/puck.yaml", "--set", "duration=3", "--vary", "friction.mu=[-1, 0.1, 0.3]", "--draw",
         "body.mass=lognormal:0.1:0.2", "--samples", "60", "--want", "final.theta,contacts[0].slipped"]
SWEEPS = [
    commands.Command("long.sweep.csv", DRAWS + ["--jobs", "2", "-o", "out.csv"], ["out.csv", "out.csv.json"], True),
    commands.Command("long.sweep.npz", DRAWS + ["--jobs", "1", "-o", "out.npz"], ["out.npz"], True),
    commands.Command("long.sweep.part", DRAWS + ["--jobs", "2", "--shard", "1/1", "-o", "out.part"], ["out.part"], True),
]
LONG = [
    commands.Command("long.run", ["run", "IN/rig.yaml", "--set", "duration=60", "-o", "out.csv"], ["out.csv"]),
    commands.Command("long.run.npz", ["run", "IN/puck.yaml", "--set", "output.every=1e-5", "-o", "out.npz"], ["out.npz"]),
    commands.Command("long.fit.law", ["fit", "law", "IN/noisy.csv", "-o", "out.yaml"], ["out.yaml"]),
    commands.Command("long.fit.contact", ["fit", "contact", "IN/finger.csv", "--patch", "IN/pad.yaml", "-o", "out.yaml"],
                     ["out.yaml"]),
]


def start(bench, command, folder, more=(), before=()):
    return subprocess.Popen(list(before) + bench.words(command, more), cwd=folder, env=bench.environment(),
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            start_new_session=True)


def finish(child, folder):
    try:
        out, err = child.communicate(timeout=harness.PATIENCE)
        status = child.returncode
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        (out, err), status = child.communicate(), "hangs"
    return harness.Result(status, out, err, harness.read_files(folder), [])


def end_at_random(bench, command, folder, how, seconds, more=(), before=()):
    child = start(bench, command, folder, more, before)
    time.sleep(seconds)
    child.send_signal(getattr(signal, how))
    return finish(child, folder)


def run_task(bench, command, how, seconds):
    def task():
        folder = bench.start_folder(command)
        got = end_at_random(bench, command, folder, how, seconds)
        problems = ["does not end"] if got.status == "hangs" else calls.judge_killed(bench, command, got, folder, how)
        shutil.rmtree(folder, ignore_errors=True)
        return problems

    return command.name, "%s after %.3f s" % (how, seconds), task


def wait_for_ranks(folder, longest=60):
    """Processes of MPI end a little later than mpirun: until none has this working folder [s]."""

    def is_there(process):
        try:
            return os.readlink("/proc/%s/cwd" % process) == os.path.realpath(folder)
        except OSError:
            return False

    end = time.monotonic() + longest
    while time.monotonic() < end and any(is_there(name) for name in os.listdir("/proc") if name.isdigit()):
        time.sleep(0.05)


def sweep_task(bench, command, seed, before=(), most=40, longest=0.3):
    """Start a sweep again and again, and end it at random times [s], until it is complete."""

    def task():
        rng = random.Random(seed)
        folder = bench.start_folder(command, False)
        path = os.path.join(folder, command.journal)
        for _ in range(most):
            how, seconds = rng.choice(SIGNALS), rng.uniform(0.0, longest)
            got = end_at_random(bench, command, folder, how, seconds, ["--resume"] if os.path.exists(path) else [],
                                before)
            wait_for_ranks(folder)
            if got.status == "hangs":
                return ["does not end"]
            if not os.path.exists(path) and command.outputs[0] in got.files:
                break
        got = got._replace(files=harness.read_files(folder))
        problems = harness.judge_resumed(bench, command, folder) if os.path.exists(path) else compare(bench, command, got)
        shutil.rmtree(folder, ignore_errors=True)
        return problems

    return command.name, "seed %d" % seed, task


def compare(bench, command, got):
    reference = bench.reference(command)
    if "out.part" in got.files:
        return [] if harness.merged(bench, got.files) == harness.merged(bench, reference.files) else ["the part differs"]
    return ["%s differs" % name for name, data in reference.files.items()
            if not harness.same(got.files.get(name, b""), data)]


def kills(bench, _, most):
    rng = random.Random(35)
    tasks = [run_task(bench, command, rng.choice(SIGNALS), rng.uniform(0.0, 0.25)) for command in LONG
             for _ in range(min(most, 60))]
    return tasks + [sweep_task(bench, command, seed) for command in SWEEPS for seed in range(max(1, min(most, 60) // 4))]


def mpi(bench, _, most):
    """The same for a sweep under mpirun."""
    if not shutil.which("mpirun") or not os.path.exists(os.path.join(os.path.dirname(bench.bristle), "bristle-mpi")):
        print("skipped: MPI (libopenmpi-dev, openmpi-bin)")
        return []
    version = subprocess.run(["mpirun", "--version"], capture_output=True).stdout
    before = ["mpirun", "-n", "3"] + ["--oversubscribe"] * (b"Open MPI" in version)
    before += ["--allow-run-as-root"] * (os.getuid() == 0)
    return [sweep_task(bench, command, seed, before, 6, 3.0) for command in SWEEPS[:2] for seed in range(min(most, 10))]
