"""Journals and parts of sweeps that are damaged: bits that flip, tails that are cut, other files."""

import os
import random
import shutil

import commands
import harness

SWEEP = ["sweep", "IN/puck.yaml", "--vary", "friction.mu=[-1, 0.1, 0.3]", "--draw", "body.mass=lognormal:0.1:0.2",
         "--samples", "30", "--want", "final.theta,contacts[0].slipped", "--jobs", "1"]
RESUMED = commands.Command("journal", SWEEP + ["-o", "out.csv", "-q"], ["out.csv", "out.csv.json"], True)
PART = commands.Command("part", SWEEP + ["--shard", "1/1", "-o", "out.part", "-q"], ["out.part"], True)
MERGED = commands.Command("merge", ["sweep", "--merge", "damaged", "-o", "out.csv", "-q"], ["out.csv", "out.csv.json"])
HEADER = 56  # bytes of the header before the description


def flip(data, rng, count, end=None):
    out = bytearray(data)
    for _ in range(count):
        out[rng.randrange(end or len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def damages(data, rng, count):
    """Damaged copies of a journal: (label, bytes)"""
    yield "complete", data
    yield "empty", b""
    yield "other file", b"shape: disc\nradius: 0.01\n" * 400
    yield "zeros", bytes(len(data))
    at = data.rindex(b"friction.mu")  # in the last text of a failure
    yield "text", data[:at] + b"F" + data[at + 1:]
    yield "half a text", data[:at + 4]
    yield "header alone", data[:HEADER]
    yield "longer", data + bytes(rng.randrange(256) for _ in range(5000))
    yield "twice", data + data
    for i in range(count):
        yield "header flip %d" % i, flip(data, rng, 1, HEADER)
        yield "flip %d" % i, flip(data, rng, 1)
        yield "flips %d" % i, flip(data, rng, 20)
        yield "cut %d" % i, data[:rng.randrange(len(data))]
        a, b = sorted(rng.randrange(len(data)) for _ in range(2))
        yield "hole %d" % i, data[:a] + bytes(b - a) + data[b:]
        yield "moved %d" % i, data[:a] + data[b:] + data[a:b]


def resume_task(bench, label, data):
    def task():
        folder = bench.start_folder(RESUMED)
        path = os.path.join(folder, RESUMED.journal)
        with open(path, "wb") as to:
            to.write(data)
        got = bench.run(RESUMED, more=["--resume"], folder=folder, keep=True)
        problems = harness.judge(RESUMED, got, bench.reference(RESUMED), (0, 2))
        if got.status == 2 and got.files.get(RESUMED.journal) != data:
            problems.append("a journal that is refused has changed")
        shutil.rmtree(folder)
        return problems

    return "resume", label, task


def merge_task(bench, label, data, reference):
    def task():
        folder = bench.start_folder(MERGED)
        with open(os.path.join(folder, "damaged"), "wb") as to:
            to.write(data)
        got = bench.run(MERGED, folder=folder, keep=True)
        whole = reference._replace(files={**reference.files, "damaged": data})
        problems = harness.judge(MERGED, got, whole, (0, 1, 2), ["damaged"])
        shutil.rmtree(folder)
        return problems if got.files["damaged"] == data else problems + ["a part has changed"]

    return "merge", label, task


def journals(bench, _, most):
    count = max(1, min(most, 400) // 12)
    data = bench.run(PART).files["out.part"]
    reference = bench.reference(RESUMED)
    rng = random.Random(35)
    tasks = [resume_task(bench, label, bad) for label, bad in damages(data, rng, count)]
    return tasks + [merge_task(bench, label, bad, reference) for label, bad in damages(data, rng, count)]
