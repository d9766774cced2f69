"""docs/reference/columns.md: every column of the tables, with its unit, from runs of scenarios.

Names and units are those that the command prints. Meanings are here; a column without one, and a meaning without a
column, end the generation.
"""

from __future__ import annotations

import csv
import json
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from text import code, table, wrap

INTRODUCTION = """\
# Columns

This page lists the columns of every table that the commands write: name, unit and meaning. It is for those who read the
tables in other programs. Tables are CSV, or NumPy's `.npz` with one array for each column. With several contacts or coordinates
their columns have numbers: `fx1`, `fx2`. Which columns a run writes is set by [output](keys.md#output-of-a-body).
"""

EVERYTHING = "output={energy: true, contacts: true, cop: true}"

# kind: what its rows are about, and scenarios that together have all of its columns, with keys to set
RUNS: dict[str, tuple[str, list[tuple[str, ...]]]] = {
    "law + motion": ("A law under an imposed motion.", [("presliding.yaml",)]),
    "law + rig": ("A mass on a law, pulled by a spring.", [("stick_slip.yaml",)]),
    "contact + motion": (
        "A contact patch under an imposed motion. Twist and wrench are at the centre of pressure.",
        [("sliding_disc.yaml", "output={contacts: true}")],
    ),
    "body": (
        "A planar body with friction contacts.",
        [("in_hand.yaml", EVERYTHING), ("box_onto_ice.yaml",), ("pusher.yaml",)],
    ),
    "slider": ("A body with its equivalent contact point.", [("slider_free.yaml",)]),
    "slider, quasistatic": ("A body that is pushed slowly.", [("slider_quasistatic.yaml",)]),
    "mechanism, two-link": ("An arm of two links whose end point is on a path.", [("mechanism_two_link.yaml",)]),
    "mechanism, block and incline": ("A block on a slope.", [("mechanism_block.yaml",), ("mechanism_incline.yaml",)]),
    "mechanism, bead": ("A bead on a wire; y is up.", [("mechanism_bead.yaml",)]),
    "mechanism, chain": ("A chain of links whose end point is on a path.", [("mechanism_chain.yaml",)]),
}

BODY_POSE = {"t": "time", "x": "position of the centre of mass", "y": "position of the centre of mass", "theta": "angle"}
BODY_VELOCITY = {"vx": "velocity of the centre of mass", "vy": "velocity of the centre of mass", "w": "rate of the angle"}
ON_BODY = "friction of one contact on the body, in the contact's axes; `output: {axes: world}`: in the world's axes"
POINT = {
    "t": "time",
    "x": "position of the contact point",
    "y": "position of the contact point",
    "fn": "normal force; two normals: its size",
    "fx": "friction on the mechanism at the contact point",
    "fy": "friction on the mechanism at the contact point",
    "mode": "`slide` or `stick`",
}
CONTACT = {
    "state": "`stick`, `slip` or `open`",
    "slip": "slip rate",
    "load": "share of what friction can hold, 0 to 1",
}
SLIDER = {
    **BODY_POSE,
    **BODY_VELOCITY,
    "sigma": "slip speed at the contact point",
    "ax": "equivalent contact point, world",
    "ay": "equivalent contact point, world",
    "mode": "`slide`, `stick` or `topple`",
}

MEANINGS: dict[str, dict[str, str]] = {
    "law + motion": {"t": "time", "v": "slip speed", "f": "resistance of the law along +v", "z": "state of the bristles"},
    "law + rig": {
        "t": "time", "x": "position of the mass", "v": "its velocity", "f": "resistance of the law along +v",
        "z": "state of the bristles",
    },
    "contact + motion": {
        "t": "time", "vx": "velocity of the body over the support", "vy": "velocity of the body over the support",
        "w": "spin of the body over the support", "fx": "friction on the body", "fy": "friction on the body",
        "tau": "torque of friction on the body", "fn": "normal force", **CONTACT,
    },
    "body": {
        **BODY_POSE, **BODY_VELOCITY, "fx": ON_BODY, "fy": ON_BODY,
        "tau": "torque of that friction at the origin of the contact's frame", "fn": "normal force of a contact",
        **CONTACT,
        "tau_cop": "torque of friction at the patch's centre of pressure (`output: {cop: true}`)",
        "kinetic": "kinetic energy (`output: {energy: true}` for this and the next ones)",
        "stored": "energy in the bristles",
        "dissipated": "energy lost in friction since the start",
        "work_loads": "work of the loads since the start",
        "work_gravity": "work of gravity since the start",
        "work_normal": "work put into the bristles by changes of normal force and pressure",
        "work_contacts": "work of moving contacts and of the pusher",
        "residual": "energies minus works: the error of the integration",
        "pusher_fx": "force of the pusher on the body, world axes",
        "pusher_fy": "force of the pusher on the body, world axes",
        "cop_x": "centre of pressure in the contact's frame (with `friction: {field: ...}`)",
        "cop_y": "centre of pressure in the contact's frame (likewise)",
        "cof_x": "centre of friction in the contact's frame (likewise)",
        "cof_y": "centre of friction in the contact's frame (likewise)",
        "mu_factor": "mean factor of the field under the contact",
    },
    "slider": {
        **SLIDER, "pt": "impulse of friction over the step, along x", "po": "impulse of friction over the step, along y",
        "pr": "angular impulse of friction over the step",
    },
    "slider, quasistatic": {
        **SLIDER, "pt": "friction along x, over mu N", "po": "friction along y, over mu N",
        "pr": "torque of friction over mu N", "sigma": "weighted slip speed", "ax": "centre of friction, world",
        "ay": "centre of friction, world", "mode": "`slide` or `stick`",
    },
    "mechanism, two-link": {**POINT, "theta": "angle of a link, each relative to the one before", "w": "rate of such an angle"},
    "mechanism, block and incline": {**POINT, "vx": "velocity of the block", "vy": "velocity of the block"},
    "mechanism, bead": {
        **POINT, "z": "position of the bead", "vx": "velocity of the bead", "vy": "velocity of the bead",
        "vz": "velocity of the bead", "fz": "friction on the bead",
    },
    "mechanism, chain": {
        **POINT, "theta": "angle of a link, each relative to the one before", "w": "rate of such an angle",
        "f": "friction torque of a joint",
    },
}

# tables of other commands: the words of the command, files to write, and the meanings of the columns with their units
DISC = "shape: disc\nradius: 0.01\n"
TWIST = {"vx": "twist of the body [m/s]", "vy": "twist of the body [m/s]", "w": "twist of the body [rad/s]"}
WRENCH = {
    "fx": "friction on the body over mu fn [-]", "fy": "friction on the body over mu fn [-]",
    "tau": "torque of friction over mu fn [m]",
}
FORCE = {"fx": "the force [N]", "fy": "the force [N]", "fz": "the force [N]"}
OTHERS: list[tuple[str, dict[str, str]]] = [
    ("surface disc.yaml", {"theta": "direction of sliding [rad]", "phi": "share of sliding and spin [rad]", **TWIST, **WRENCH}),
    ("surface disc.yaml --twists twists.csv", {**TWIST, **WRENCH}),
    ("cone --mu 0.5 --print h", {"ax": "row a of a.f <= b [-]", "ay": "row a [-]", "az": "row a [-]", "b": "its right side [N]"}),
    ("cone --mu 0.5 --print v", {"x": "ray on n.f = 1, or vertex [N]", "y": "likewise", "z": "likewise"}),
    ("cone --mu 0.5 --check forces.csv", {
        **FORCE, "soc": "1: inside the cone, else 0", "polyhedron": "1: inside the polyhedron, else 0",
        "margin": "mu n.f - \\|f_t\\| [N]"}),
    ("cone --mu 0.5 --project forces.csv", {
        **FORCE, "px": "nearest force in the cone [N]", "py": "nearest force in the cone [N]",
        "pz": "nearest force in the cone [N]", "distance": "its distance [N]"}),
    ("cone --mu 0.5 --patch-wrench disc.yaml --print h", {
        "ax": "row of ax fx + ay fy + at tau <= b", "ay": "likewise", "at": "likewise", "b": "likewise"}),
    ("cone --mu 0.5 --patch-wrench disc.yaml --print v", {
        "fx": "vertex of the polyhedron [N]", "fy": "vertex [N]", "tau": "vertex [N m]"}),
    ("cone --mu 0.5 --patch-wrench disc.yaml --check wrenches.csv", {
        "fx": "the wrench [N]", "fy": "the wrench [N]", "tau": "the wrench [N m]",
        "exact": "1: inside the limit surface, else 0", "polyhedron": "1: inside the polyhedron, else 0",
        "gauge": "size relative to the limit surface; at most 1: friction holds"}),
]
INPUTS = {
    "disc.yaml": DISC,
    "twists.csv": "vx,vy,w\n1,0,0\n",
    "forces.csv": "fx,fy,fz\n1,0,1\n",
    "wrenches.csv": "fx,fy,tau\n0.1,0,0\n",
}

SUMMARY = {
    "final": "the last row, by column; `pose` and `velocity` of a body",
    "events": "changes of contacts: instant `t` [s], `contact` (from 1), `kind` (`slip`, `stick`, `open`)",
    "energy": "energies and works at the end [J], as the columns of these names",
    "contacts": "of each contact: `slipped`, slip distance [m]; `stuck` and `open`, times [s]; `load`, the largest share of what "
                "friction can hold [-]",
    "scenario": "its kind",
    "rows": "of the table",
    "steps": "of the integrator",
    "rejected": "steps that were tried and repeated",
    "evaluations": "of the right-hand side",
    "wall_s": "time that the run took [s]",
    "warnings": "texts",
}


def number_free(name: str, meanings: dict[str, str]) -> str:
    """fx1, fx2 are fx; but w1 of one joint alone is a name, too."""
    short = re.sub(r"\d+$", "", name)
    return name if name in meanings else short


def read_units(run: Callable[..., str], path: str, words: list[str], names: list[str], at: Path) -> dict[str, str]:
    """Units of columns: those of a sweep of one case."""
    run("sweep", path, *words, "--vary", "version=[1]", "--want", ",".join(f"max.{name}" for name in names), "-q",
        "-o", str(at / "units.csv"))
    found = json.loads((at / "units.csv.json").read_text(encoding="utf-8"))["columns"]
    return {column["name"].removeprefix("max."): column["unit"] for column in found}


def read_columns(run: Callable[..., str], scenario: tuple[str, ...], at: Path) -> dict[str, str]:
    """Columns of a scenario and their units."""
    path, words = f"scenarios/{scenario[0]}", [word for text in scenario[1:] for word in ("--set", text)]
    run("run", path, *words, "-q", "-o", str(at / "out.csv"))
    with (at / "out.csv").open(newline="", encoding="utf-8") as file:
        names, *rows = list(csv.reader(file))
    is_number = {name: re.fullmatch(r"[-+.\de]+|[-+]?(nan|inf)", rows[0][i]) for i, name in enumerate(names)}
    units = read_units(run, path, words, [name for name in names if is_number[name]], at)
    return {name: units.get(name, "") for name in names}


def table_of_kind(run: Callable[..., str], kind: str, at: Path) -> str:
    meanings, units = MEANINGS[kind], {}
    for scenario in RUNS[kind][1]:
        for name, unit in read_columns(run, scenario, at).items():
            units.setdefault(number_free(name, meanings), unit)
    if set(units) != set(meanings):
        raise SystemExit(f"columns.py: {kind}: columns without a meaning, or meanings without a column: "
                         f"{sorted(set(units) ^ set(meanings))}")
    return table(["Column", "Unit", "Meaning"], [[code(name), unit, meanings[name]] for name, unit in units.items()])


def table_of_command(run: Callable[..., str], words: str, meanings: dict[str, str], at: Path) -> str:
    arguments = [str(at / word) if word in INPUTS else word for word in words.split()]
    names = run(*arguments, "-q").split("\n", 1)[0].split(",")
    if names != list(meanings):
        raise SystemExit(f"columns.py: bristle {words}: it writes {names}")
    return table(["Column", "Meaning"], [[code(name), meaning] for name, meaning in meanings.items()])


def table_of_summary(run: Callable[..., str], at: Path) -> str:
    found = json.loads(run("run", "scenarios/in_hand.yaml", "--json", "-q", "-o", str(at / "out.csv")))
    if set(found) != set(SUMMARY):
        raise SystemExit(f"columns.py: the summary and its meanings differ: {sorted(set(found) ^ set(SUMMARY))}")
    return table(["Entry", "Meaning"], [[code(name), SUMMARY[name]] for name in found])


def write_page(run: Callable[..., str], root: Path) -> str:
    head, _, rest = INTRODUCTION.partition("\n")
    parts = [head + "\n\n" + wrap(rest), "## Tables of bristle run\n"]
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        for name, text in INPUTS.items():
            (at / name).write_text(text, encoding="utf-8")
        for kind, (lead, _) in RUNS.items():
            parts += [f"### {kind}\n", lead + "\n", table_of_kind(run, kind, at)]
        parts += ["With `--sensitivity KEY` each column has a second one, `d(COLUMN)/d(KEY)`: its derivative, in SI units.\n"]
        parts += ["## Summary of bristle run\n", "`bristle run --json` prints these. `bristle sweep --want` takes their paths: "
                  "`final.x`, `contacts[0].slipped`.\n", table_of_summary(run, at)]
        parts += ["## Tables of bristle sweep\n", wrap("One row for each case: the keys that change, the outputs of `--want`, and "
                  "`status` (`ok`, or the error). `OUT.csv.json` has the units. For each output of a run, `min.COLUMN`, `max.COLUMN` and "
                  "`events.slip.first`, `.last` and `.count` can be requested.")]
        parts += ["## Tables of other commands\n"]
        for words, meanings in OTHERS:
            parts += [f"### bristle {words}\n", table_of_command(run, words, meanings, at)]
    return "\n".join(parts)
