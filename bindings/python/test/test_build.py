"""Oracle: CMake's commands, and a build in another folder. Compilation, distribution and installation of the package."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import setuptools

HERE = Path(__file__).resolve().parents[1]
ROOT = HERE.parents[1]
COMMANDS = os.environ.get("BRISTLE_COMPILE_COMMANDS", "")

# flags that change results: instructions, floating point, and -O3 where a file needs it
COUNTS = re.compile(r"-m(?!d$|md$)|-ffp-contract|-f(no-)?(math-errno|trapping-math|signed-zeros|associative)")


def counting(flags: list[str]) -> set[str]:
    """The flags that change results; of two that contradict each other the last."""
    found = {flag for flag in flags if COUNTS.match(flag)}
    contract = [flag for flag in flags if flag.startswith("-ffp-contract")]
    return {flag for flag in found if not flag.startswith("-ffp-contract")} | set(contract[-1:])


@pytest.mark.skipif(not COMMANDS, reason="BRISTLE_COMPILE_COMMANDS names no file")
def test_every_source_is_compiled_as_cmake_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setuptools, "setup", lambda **_: None)
    own: dict[str, Any] = runpy.run_path(str(HERE / "setup.py"))
    by_cmake = {}
    for entry in json.loads(Path(COMMANDS).read_text()):
        path = Path(entry["file"])
        is_library = "-objects.dir/" in entry["command"]  # tests compile some sources again, with other flags
        if path.is_relative_to(ROOT / "src") and is_library:
            by_cmake[path.relative_to(ROOT).as_posix()] = counting(entry["command"].split())
    compiled = [path.relative_to(ROOT).as_posix() for path in own["library_sources"](list(own["OPTIONAL"]))]
    checked = [name for name in compiled if name in by_cmake]
    assert len(checked) > 150
    for name in checked:
        assert counting(own["EVERYWHERE"] + own["flags_of"](name)) == by_cmake[name], name


def run(*command: str | Path, **more: Any) -> str:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# a dict always runs; YAML needs PyYAML, else there is an error
PROGRAM = """
import sys
import bristle
box = {"body": {"mass": 1, "inertia": 0.01, "velocity": [1, 0, 0]}, "friction": {"mu": 0.3},
       "contact": {"frame": "body", "patch": {"shape": "disc", "radius": 0.05}, "normal_force": 9.81},
       "duration": 0.5, "output": {"every": 0.01}}
print(bristle.run(box)["x"][-1].hex())
import json
text = json.dumps(box, indent=1)
try:
    import yaml
    print(bristle.run(text)["x"][-1].hex())
except ImportError:
    print(bristle.run(box)["x"][-1].hex())
sys.modules["yaml"] = None
try:
    bristle.run(text)
    print("read")
except bristle.AbsentError as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.skipif(not (HERE / "setup.py").exists(), reason="no sources")
def test_a_source_distribution_installs_elsewhere_without_libyaml(tmp_path: Path) -> None:
    run(sys.executable, "setup.py", "-q", "sdist", "-d", tmp_path, cwd=HERE)
    (archive,) = tmp_path.glob("bristle-*.tar.gz")
    venv = tmp_path / "venv"
    run(sys.executable, "-m", "venv", "--system-site-packages", venv)
    options = ("--no-index", "--no-build-isolation", "--no-deps", "--ignore-installed")
    without = {**os.environ, "BRISTLE_WITHOUT": "yaml cminpack"}
    run(venv / "bin/pip", "install", "-q", *options, archive, env=without)
    by_tree, by_text, refused = run(
        venv / "bin/python", "-P", "-c", PROGRAM, cwd=tmp_path
    ).splitlines()
    assert by_tree == by_text
    assert "libyaml" in refused and "pass a dict" in refused


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / "README.md").exists(), reason="no sources")
@pytest.mark.parametrize("document", ["README.md", "docs/howto/python.md", "bindings/python/README.md"])
def test_the_lines_of_the_documents_install_it_without_network(document: str, tmp_path: Path) -> None:
    text = (ROOT / document).read_text()
    lines = [line.strip() for line in re.findall(r"^ *(?:python3 -m venv|out/venv/bin/).*$", text, re.M)]
    assert len(lines) >= 2 and "-m venv" in lines[0] and "pip install" in lines[1]
    (tmp_path / "out").mkdir()
    program = re.search(r"```python\n# out/gripped.py.*?\n(.*?)```", text, re.S)
    (tmp_path / "out/gripped.py").write_text(program[1] if program else "import bristle")
    for name in ("bindings", "src", "include", "VERSION", "LICENSE"):
        (tmp_path / name).symlink_to(ROOT / name)
    environment = {**os.environ, "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
    environment.pop("PYTHONPATH", None)
    for line in [*lines, "out/venv/bin/python out/gripped.py"]:
        line = line.replace("python3 -m", "/usr/bin/python3 -m")
        printed = run("sh", "-c", line, cwd=tmp_path, env=environment)
    assert not program or "mm" in printed


@pytest.mark.skipif(not (ROOT / "LICENSE").exists(), reason="no sources")
def test_the_package_carries_the_licence() -> None:
    package = metadata.distribution("bristle")
    assert package.metadata["License"] == "MIT"
    (installed,) = [path for path in package.files or [] if path.name == "LICENSE"]
    assert Path(package.locate_file(installed)).read_text() == (ROOT / "LICENSE").read_text()


@pytest.mark.skipif(not (ROOT / "bindings/core").exists(), reason="no sources")
def test_every_line_of_the_table_is_a_function_with_a_type() -> None:
    from bristle import _core

    text = (ROOT / "bindings/core/table.inc").read_text()
    names = re.findall(r"^(?:CALL|MAKE)\((\w+)", text, re.MULTILINE)
    typed = re.findall(r"^(\w+): Callable", (HERE / "bristle/_core.pyi").read_text(), re.MULTILINE)
    assert len(names) > 60 and names == typed
    for name in names:
        assert getattr(_core, name).__doc__.startswith(name)
