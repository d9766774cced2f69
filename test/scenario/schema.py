#!/usr/bin/env python3
"""The tables of keys, seen from outside: schema, help and reader agree.

Oracle: python3-jsonschema, and the reader itself. Arguments: the command, the folder of scenarios.
"""
import copy
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"skipped: no {missing.name} (python3-jsonschema, python3-yaml)")
    sys.exit(77)

COMMAND, FOLDER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


class Loader(yaml.SafeLoader):
    """1e-3 is a number, as in YAML 1.2 and in bristle."""


Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$"),
    list("-+.0123456789"),
)


def run(*arguments):
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=120)


def scenarios():
    """Every file of the tree that is a scenario, not a patch or a constrained system."""
    for path in sorted(glob.glob(f"{FOLDER}/**/*.yaml", recursive=True)):
        with open(path, encoding="utf-8") as file:
            tree = yaml.load(file, Loader)
        if "shape" not in tree and "M" not in tree:
            yield path, tree


def places(tree, path=""):
    """Every mapping below, by its path as --set takes it."""
    if isinstance(tree, dict):
        yield path
        for key, value in tree.items():
            yield from places(value, f"{path}.{key}" if path else key)
    elif isinstance(tree, list):
        for index, value in enumerate(tree):
            yield from places(value, f"{path}[{index}]")


def every_scenario_is_valid(schema, files):
    validator = jsonschema.Draft7Validator(schema)
    jsonschema.Draft7Validator.check_schema(schema)
    for path, tree in files:
        errors = [error.message for error in validator.iter_errors(tree)]
        assert not errors, f"{path}: {errors[0]}"
        wrong = {**tree, "no_such_key": 1}
        assert not validator.is_valid(wrong), f"{path}: an unknown key is valid"


def units_are_valid_where_they_fit(schema):
    """Units that the reader takes, and refuses (cli.units)."""
    validator = jsonschema.Draft7Validator(schema)
    box = {
        "body": {"mass": "300 g", "size": ["12 mm", 0.1], "pose": ["2mm", 0, "30 deg"]},
        "friction": {"mu": 0.3},
        "contact": {
            "frame": "body",
            "patch": {"shape": "polygon", "vertices": [["-1 cm", 0], [0.1, 0], [0, "1 cm"]]},
            "normal_force": {"kind": "sine", "mean": "2 N", "amplitude": 1, "frequency": "2 kHz"},
        },
        "loads": [{"tau": "5 N mm"}, {"tau": "5 Nmm"}],
        "gravity": [0, "-9.81 m/s^2"],
        "duration": "5 ms",
    }
    errors = [error.message for error in validator.iter_errors(box)]
    assert not errors, errors[0]
    for key, value in (("mass", "12 mm"), ("mass", "300"), ("pose", [0, 0, "2 mm"]), ("size", ["1 kg", 1])):
        assert not validator.is_valid({**box, "body": {**box["body"], key: value}}), f"{key}: {value} is valid"


def the_reader_knows_what_the_schema_knows(schema, files):
    """An unknown key makes the reader list the keys it takes: those of one definition, or of several of which a
    file chooses one."""
    known = [frozenset(d["properties"]) for d in schema["definitions"].values()]
    met = set()
    for path, tree in files:
        for place in places(tree):
            if place in ("sweep.vary", "sweep.zip", "sweep.draw"):
                continue  # any key of the scenario is a key there
            listed_keys = run("check", path, "--set", f"{place}.qqqqqq=1" if place else "qqqqqq=1").stderr
            listed = re.search(r"qqqqqq: unknown key; allowed here: (.*)", listed_keys)
            assert listed, f"{path}: {place}: {listed_keys}"
            keys = frozenset(listed.group(1).split(", "))
            parts = [k for k in known if k <= keys]
            assert frozenset().union(*parts) == keys, f"{path}: {place}: the schema lacks some of {sorted(keys)}"
            met |= set(parts)
    # what no scenario of the tree has: alternatives that differ from a met one by a key or two
    print(f"{len(met)} of {len(set(known))} mappings met in scenarios")
    assert len(met) >= len(set(known)) // 2


def the_help_lists_every_key(schema):
    text = run("help", "run").stdout
    text = text[text.index("PROFILE: a number"):]
    listed_keys = set(re.findall(r"^ +([A-Za-z_0-9]+)(?= \[| [a-zA-Z0-9])(?! *:)", text, re.M))
    keys = set().union(*(d["properties"] for d in schema["definitions"].values()))
    assert keys <= listed_keys, f"the help lacks {sorted(keys - listed_keys)}"


def mutants_are_refused_or_read(files):
    """Whatever is wrong with a file, it is reported; nothing crashes."""
    random.seed(1)
    with tempfile.TemporaryDirectory() as folder:
        for name in glob.glob(f"{FOLDER}/*.csv"):
            os.symlink(name, os.path.join(folder, os.path.basename(name)))
        for path, tree in files:
            for _ in range(8):
                mutant = copy.deepcopy(tree)
                mutate(mutant)
                name = os.path.join(folder, "mutant.yaml")
                with open(name, "w", encoding="utf-8") as file:
                    json.dump(mutant, file)
                done = run("check", name)
                assert done.returncode in (0, 1, 2), f"{path}: exit {done.returncode} of {mutant}"
                assert done.returncode == 0 or "bristle: " in done.stderr, f"{path}: no message about {mutant}"


def mutate(tree):
    """Replace or drop one value, anywhere."""
    parent, keys = tree, None
    while True:
        keys = list(parent) if isinstance(parent, dict) else list(range(len(parent)))
        key = random.choice(keys)
        if isinstance(parent[key], (dict, list)) and parent[key] and random.random() < 0.7:
            parent = parent[key]
        else:
            break
    if random.random() < 0.3:
        del parent[key]
    else:
        parent[key] = random.choice([-1, 0, "zz", [], {}, {"zz": 1}, [1, 2], None])


def main():
    schema = json.loads(run("help", "--schema").stdout)
    files = list(scenarios())
    assert len(files) > 20
    every_scenario_is_valid(schema, files)
    units_are_valid_where_they_fit(schema)
    the_reader_knows_what_the_schema_knows(schema, files)
    the_help_lists_every_key(schema)
    mutants_are_refused_or_read(files)
    print(f"ok: {len(files)} scenarios")


main()
