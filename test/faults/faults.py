#!/usr/bin/python3
"""Faults: what the command does when memory, files, disks, pipes, signals or gnuplot fail.

usage: faults.py BRISTLE SHIM [KIND...] [--amount short|long|all] [--most N] [--only GLOB]
  BRISTLE   the command; bristle-reproduce, bristle-bench and bristle-mpi in its folder
  SHIM      the library that allocations.c is compiled to
  KIND      what fails, see KINDS (default: all kinds)
  --amount  faults for each command and kind, see AMOUNTS (default: all)
  --most    the same as a number
  --only    commands whose name matches, see commands.py
"""

import argparse
import fnmatch
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
import calls
import commands
import files
import harness
import journals
import kills
import pictures


def allocation_task(bench, command, variable, number):
    def task():
        folder = bench.start_folder(command)
        got = bench.run(command, environment={"LD_PRELOAD": bench.shim, variable: str(number)}, folder=folder,
                        keep=True)
        problems = harness.judge(command, got, bench.reference(command))
        if command.resumes and got.status == 1:
            problems += harness.judge_resumed(bench, command, folder)
        shutil.rmtree(folder, ignore_errors=True)
        return problems

    return command.name, "%s=%d" % (variable, number), task


def allocations(bench, chosen, most):
    """The n-th allocation fails, or all from the n-th on. Not within HDF5, which then ends by a signal."""
    tasks = []
    for command in (c for c in chosen if "out.h5" not in c.outputs):
        counted = bench.run(command, environment={"LD_PRELOAD": bench.shim})
        count = int(counted.left[0].split()[1])
        for variable in ("FAULTS_AT", "FAULTS_FROM"):
            tasks += [allocation_task(bench, command, variable, n) for n in harness.spread(count, most // 2)]
    return tasks


KINDS = {"allocations": allocations, "errors": calls.errors, "signals": calls.signals, "disks": files.disks,
         "locked": files.locked, "pipes": files.pipes, "closed": files.closed, "journals": journals.journals,
         "pictures": pictures.pictures, "kills": kills.kills, "mpi": kills.mpi}
# faults for each command and kind; 0: the kind is left out
AMOUNTS = {
    "short": {"allocations": 4, "errors": 3, "signals": 2, "disks": 1, "locked": 8, "pipes": 8, "journals": 12,
              "pictures": 12, "kills": 1, "mpi": 0},
    "long": {"allocations": 40, "errors": 40, "signals": 12, "disks": 3, "journals": 100, "pictures": 24, "kills": 6,
             "mpi": 1},
    "all": {},
}


def read_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("bristle")
    parser.add_argument("shim")
    parser.add_argument("kinds", nargs="*", default=[])
    parser.add_argument("--amount", choices=AMOUNTS, default="all")
    parser.add_argument("--most", type=int)
    parser.add_argument("--only", default="*")
    return parser.parse_args()


def choose(bench, options):
    return [c for c in commands.table() if fnmatch.fnmatch(c.name, options.only) and bench.exists(c)
            and not (c.slow and options.amount == "short")]


def run(bench, options):
    good = True
    for kind in options.kinds or KINDS:
        most = AMOUNTS[options.amount].get(kind, 10**9) if options.most is None else options.most
        if kind in ("errors", "signals") and not calls.works():
            print("skipped: %s (no strace, or it may not trace)" % kind)
        elif most > 0:
            campaign = harness.Campaign(kind)
            campaign.run(KINDS[kind](bench, choose(bench, options), most))
            good = campaign.report() and good
    return good


def main():
    options = read_options()
    folder = tempfile.mkdtemp()
    try:
        good = run(harness.Bench(os.path.realpath(options.bristle), os.path.realpath(options.shim), folder), options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0 if good else 1)


main()
