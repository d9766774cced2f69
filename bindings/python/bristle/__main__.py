"""``python -m bristle``: the commands run, check and surface, implemented in Python."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from . import __version__
from .errors import ArgumentError, BristleError
from .limit import LimitSurface
from .patch import Patch
from .scenario import Scenario, ScenarioError

_SHAPES: dict[str, tuple[Callable[..., Patch], int]] = {
    "disc": (Patch.disc, 1),
    "ring": (Patch.ring, 1),
    "line": (Patch.line, 1),
    "rectangle": (lambda x, y: Patch.rectangle((x, y)), 2),
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m bristle", description="Dry friction, from Python.")
    parser.add_argument("--version", action="version", version=f"bristle {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="run a scenario")
    run.add_argument("file", help="a YAML file")
    run.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="values")
    run.add_argument("-o", "--output", help="a table: .csv or .npz")
    run.add_argument("--plot", help="a picture over time")
    run.add_argument("--animate", help="a GIF of the motion")
    check = commands.add_parser("check", help="look for errors in scenarios")
    check.add_argument("files", nargs="+")
    surface = commands.add_parser("surface", help="the limit surface of a shape")
    surface.add_argument("shape", choices=_SHAPES, help="for files of patches use the command `bristle`")
    surface.add_argument("size", nargs="+", type=float, help="radius, length, or two sides [m]")
    surface.add_argument("-n", type=int, default=12, help="rows from spin to spin")
    surface.add_argument("-o", "--output", help="a table, .csv (default: print it)")
    surface.add_argument("--plot", help="a picture in 3-D")
    return parser


def _run(arguments: argparse.Namespace) -> int:
    for entry in arguments.values:
        if "=" not in entry:
            raise ArgumentError(f"--set {entry}", "must be KEY=VALUE")
    values = dict(entry.split("=", 1) for entry in arguments.values)
    result = Scenario(arguments.file, values).run()
    for warning in result.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    print(result.text.rstrip())
    if arguments.output and Path(arguments.output).suffix == ".npz":
        result.to_npz(arguments.output)
    elif arguments.output:
        result.to_csv(arguments.output)
    if arguments.plot:
        result.plot(path=arguments.plot)
    if arguments.animate:
        result.animate(arguments.animate)
    return 0


def _check(arguments: argparse.Namespace) -> int:
    status = 0
    for file in arguments.files:
        try:
            scenario = Scenario(file)
            print(f"{file}: ok: {scenario.kind}, {scenario.duration:g} s, {scenario.rows} rows")
        except ScenarioError as error:
            print(error, file=sys.stderr)
            status = 2
    return status


def _surface(arguments: argparse.Namespace) -> int:
    make, count = _SHAPES[arguments.shape]
    if len(arguments.size) != count:
        print(f"{arguments.shape}: takes {count} numbers [m]", file=sys.stderr)
        return 2
    surface = LimitSurface(make(*arguments.size))
    rows = surface.points(arguments.n).reshape(-1, 3)
    target = arguments.output or sys.stdout
    np.savetxt(target, rows, delimiter=",", header="fx,fy,tau", comments="", fmt="%.12g")
    if arguments.plot:
        surface.plot(path=arguments.plot)
    return 0


def _has_more(words: list[str]) -> bool:
    """Is this supported only by the command in C?"""
    if words[:1] == ["surface"] and len(words) > 1:
        return not words[1].startswith("-") and words[1] not in _SHAPES  # a file of a patch
    known = {"run", "check", "surface"}
    return bool(words) and not words[0].startswith("-") and words[0] not in known


def main(words: list[str]) -> int:
    if _has_more(words):
        command = shutil.which("bristle")
        where = f"it is {command}" if command else "`make install` of the repository installs it"
        what = " ".join(words[:2]) if words[0] == "surface" else words[0]
        print(f"{what}: the command `bristle` supports that: {where}", file=sys.stderr)
        return 2
    arguments = _parser().parse_args(words)
    try:
        return {"run": _run, "check": _check, "surface": _surface}[arguments.command](arguments)
    except BristleError as error:
        print(f"bristle: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader has closed the pipe: write nothing more, also not at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"bristle: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
