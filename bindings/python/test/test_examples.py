"""Oracle: the picture that each example draws. It exists, has some size, and is not blank."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bristle

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "python"
# files without a main program are modules of others
FILES = sorted(file for file in EXAMPLES.glob("*.py") if "__main__" in file.read_text()) if EXAMPLES.is_dir() else []


def look_at(path: Path) -> None:
    """Is it a picture with lines or areas of several colours on a white page?"""
    image = pytest.importorskip("matplotlib.image").imread(path)[..., :3]
    height, width, _ = image.shape
    assert height >= 300 and width >= 300
    drawn = (image < 0.9).any(axis=-1).mean()
    assert 0.005 < drawn < 0.9, f"{100 * drawn:.2f} % of {path.name} is drawn"
    coloured = (image.max(axis=-1) - image.min(axis=-1) > 0.2).mean()
    assert coloured > 0.001, f"{path.name} has no colours"


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_examples_draw_their_pictures(file: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for package in ("scipy", "torch"):
        if package in file.read_text():
            pytest.importorskip(package)
    assert len(file.read_text().splitlines()) <= 60
    picture = tmp_path / "picture.png"
    run = subprocess.run(
        [sys.executable, "-P", str(file), str(picture)],
        env={**os.environ, "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout
    look_at(picture)
    if file.stem == "pivot":  # its own goal, at the cost that docs/explanation/gradients.md promises
        runs, sweeps = map(int, re.search(r"^(\d+) runs and (\d+) sweeps", run.stdout, re.M).groups())  # type: ignore[union-attr]
        assert 2 <= runs + sweeps <= 25 and re.search(r": -(29\.9[5-9]|30\.0[0-5]) degrees", run.stdout)
    if file.stem == "learn_friction":  # 1 % and 0.1 mm: ten times what the noise leaves
        mu, x, y = map(float, re.search(r"^mu (\S+) .*position (\S+), (\S+) mm", run.stdout).groups())  # type: ignore[union-attr]
        assert abs(mu / 0.856 - 1) < 0.01 and abs(x - 1.3) < 0.1 and abs(y + 0.8) < 0.1
    if file.stem == "train_policy":  # without the policy they end between 0 and several turns
        mean, spread = map(float, re.search(r": (\S+) \+- (\S+) degrees", run.stdout).groups())  # type: ignore[union-attr]
        assert abs(mean + 30.0) < 2.0 and spread < 2.0
    if file.stem == "push_planner":  # its own goal: a distance of 3 mm, which it has 80 steps to reach
        assert float(run.stdout.split()[0]) <= 3.0 and "after 80 steps" not in run.stdout


def test_pictures_of_results_surfaces_and_cones(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt

    finger = bristle.Contact(bristle.Patch.disc(0.01), 1.0)
    cup = bristle.Body(
        0.2, 5e-4, [bristle.BodyContact(finger, 0.9, count=2)], gravity=(0, -9.81)
    )
    result = cup.simulate(0.2)
    drawn = {
        "panels.png": lambda path: result.plot(path=path),
        "some.png": lambda path: result.plot("y", "fn", path=path),
        "scene.png": lambda path: result.scene(path=path),
        "surface.png": lambda path: bristle.LimitSurface(bristle.Patch.ring(0.01)).plot(path=path),
        "cone.png": lambda path: bristle.FrictionCone([0, 0, 1], 0.5).plot(
            [[0, 0, 1], [1, 0, 1]], path
        ),
    }
    for name, draw in drawn.items():
        draw(tmp_path / name)
        look_at(tmp_path / name)
    result.animate(tmp_path / "cup.gif")
    assert (tmp_path / "cup.gif").read_bytes()[:3] == b"GIF"
    with pytest.raises(bristle.ArgumentError, match="no column 'altitude'"):
        result.plot("altitude")
    plt.close("all")


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "bristle", *words], capture_output=True, text=True
    )


def test_the_module_is_a_command(tmp_path: Path) -> None:
    good = tmp_path / "good.yaml"
    good.write_text(
        "law: {kind: coulomb, mu_c: 0.3}\n"
        "rig: {mass: 1, stiffness: 100, pull: 0.01, normal_force: 9.81}\nduration: 1\n"
    )
    run = command("run", str(good), "--set", "law.mu_c=0.2", "-o", str(tmp_path / "good.csv"))
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "good.csv").read_text().startswith("t,x,v,f,z\n")
    bad = tmp_path / "bad.yaml"
    bad.write_text("law: {kind: coulomb, mu: 0.3}\nduration: -1\n")
    check = command("check", str(good), str(bad))
    assert check.returncode == 2
    assert "good.yaml: ok" in check.stdout
    assert "bad.yaml:2: duration" in check.stderr
    surface = command("surface", "disc", "0.01", "-n", "4")
    assert surface.stdout.startswith("fx,fy,tau\n")
    assert command("surface", "disc", "0.01", "0.02").returncode == 2
    assert command("surface", "disc", "-1").returncode == 2
    assert "the command `bristle`" in command("reproduce", "all").stderr
    assert "surface patch.yaml: the command `bristle`" in command("surface", "patch.yaml").stderr


def test_the_command_reports_errors_without_a_traceback(tmp_path: Path) -> None:
    good = tmp_path / "good.yaml"
    good.write_text(
        "law: {kind: coulomb, mu_c: 0.3}\n"
        "rig: {mass: 1, stiffness: 100, pull: 0.01, normal_force: 9.81}\nduration: 1\n"
    )
    no_value = command("run", str(good), "--set", "law.mu_c")
    assert (no_value.returncode, no_value.stderr) == (2, "bristle: --set law.mu_c: must be KEY=VALUE\n")
    nowhere = command("run", str(good), "-o", str(tmp_path / "none" / "x.csv"))
    assert nowhere.returncode == 1 and nowhere.stderr.endswith("x.csv: No such file or directory\n")
    words = [sys.executable, "-P", "-m", "bristle", "surface", "disc", "0.01", "-n", "400"]
    child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stderr is not None
    child.stdout.readline()
    child.stdout.close()  # as `| head -1` does
    assert (child.stderr.read(), child.wait()) == ("", 0)
    child.stderr.close()
