"""Oracle: the command's scenarios, and the same definition from another source."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import bristle

SCENARIOS = Path(__file__).resolve().parents[3] / "scenarios"
BOX = {
    "body": {"mass": 1, "inertia": 0.01, "velocity": [1, 0, 0]},
    "friction": {"mu": 0.3},
    "contact": {
        "frame": "body",
        "patch": {"shape": "disc", "radius": 0.05},
        "normal_force": 9.81,
    },
    "duration": 0.5,
    "output": {"every": 0.01, "energy": True, "contacts": True},
}

needs_files = pytest.mark.skipif(not SCENARIOS.is_dir(), reason="no scenarios beside the package")


def test_values_may_have_units() -> None:
    body = {**BOX["body"], "mass": "1000 g", "velocity": ["100 cm/s", 0, "0 deg/s"]}
    other = bristle.run({**BOX, "body": body, "duration": "500 ms"})
    for name, values in bristle.run(BOX).items():
        np.testing.assert_array_equal(other[name], values)
    with pytest.raises(bristle.ScenarioError, match="body.mass: must be a number, alone or in one of the units kg"):
        bristle.Scenario({**BOX, "body": {**BOX["body"], "mass": "12 mm"}})


def test_dicts_text_and_files_give_the_same(tmp_path: Path) -> None:
    path = tmp_path / "box.yaml"
    path.write_text(json.dumps(BOX, indent=1))
    first = bristle.run(BOX)
    for source in (path, str(path), json.dumps(BOX, indent=1)):
        other = bristle.run(source)
        assert list(other) == list(first)
        for name in first:
            np.testing.assert_array_equal(other[name], first[name])


def test_columns_events_and_summary_come_by_name() -> None:
    result = bristle.run(BOX)
    # closed form: v^2/(2 mu g); 2e-4 m: the bristles deflect
    assert result["x"][-1] == pytest.approx(1 / (2 * 0.3 * 9.81), abs=2e-4)
    assert result.summary["final.x"] == result["x"][-1]
    assert result.units["x"] == "m"
    assert "stick" in [event.kind for event in result.events]
    assert set(result["state"]) <= {"stick", "slip", "open"}
    assert result.energy["dissipated"][-1] == pytest.approx(0.5, rel=1e-2)
    assert "final pose" in result.text


def test_numbers_of_numpy_are_accepted() -> None:
    box = {**BOX, "body": {"mass": np.float32(1), "inertia": np.array(0.01), "velocity": np.array([1, 0, 0])}}
    assert bristle.run(box)["x"][-1] == bristle.run(BOX)["x"][-1]
    with pytest.raises(TypeError, match="a scenario holds"):
        bristle.run({"body": object()})


def test_values_are_set_by_their_keys() -> None:
    scenario = bristle.Scenario(BOX)
    short = scenario.variant({"friction.mu": 0.6}).run()["x"][-1]
    assert bristle.run(BOX, set={"friction.mu": 0.6})["x"][-1] == short
    assert bristle.run(BOX, {"body.velocity": [0.5, 0, 0]})["x"][-1] < scenario.run()["x"][-1]


def test_all_problems_are_reported_with_their_positions() -> None:
    text = "body: {mass: -1, inertia: 1}\nfriction: {mew: 0.3}\nduration: 1\n"
    with pytest.raises(bristle.ScenarioError) as caught:
        bristle.run(text, name="box")
    problems = {problem.key: problem for problem in caught.value.problems}
    assert problems["body.mass"].line == 1
    assert problems["body.mass"].file == "box"
    assert isinstance(problems["body.mass"], bristle.ScenarioProblem)
    assert caught.value.mistakes is caught.value.problems and bristle.Mistake is bristle.ScenarioProblem  # as in 0.2
    assert isinstance(caught.value, bristle.DefinitionError)
    assert "box:1: body.mass: must be > 0" in str(caught.value)
    with pytest.raises(bristle.ScenarioError, match="no_such_file"):
        bristle.run("no_such_file.yaml")


@needs_files
@pytest.mark.parametrize("name", ["in_hand.yaml"])
def test_the_commands_scenarios_run(name: str) -> None:
    result = bristle.run(SCENARIOS / name)
    assert result.rows == 201
    assert np.isfinite(result["x"]).all()


def test_a_result_is_written_and_read_back(tmp_path: Path) -> None:
    result = bristle.run(BOX)
    result.to_csv(tmp_path / "box.csv")
    lines = (tmp_path / "box.csv").read_text().splitlines()
    assert lines[0].split(",") == list(result)
    assert len(lines) == result.rows + 1
    assert float(lines[-1].split(",")[1]) == result["x"][-1]
    result.to_npz(tmp_path / "box.npz")
    np.testing.assert_array_equal(np.load(tmp_path / "box.npz")["x"], result["x"])
    assert "<table>" in result._repr_html_()
    assert "rows of t, x, y" in repr(result)


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    result = bristle.run(BOX)
    for name, method in (("pandas", result.to_frame), ("xarray", result.to_xarray)):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(bristle.AbsentError, match=f"needs {name}"):
            method()


def test_a_result_becomes_a_frame() -> None:
    pytest.importorskip("pandas")
    result = bristle.run(BOX)
    frame = result.to_frame()
    assert list(frame.columns) == list(result)
    np.testing.assert_array_equal(frame["x"].to_numpy(), result["x"])
    assert frame["state"].iloc[0] == "slip"


def test_a_result_becomes_a_dataset_over_time() -> None:
    pytest.importorskip("xarray")
    result = bristle.run(BOX)
    dataset = result.to_xarray()
    np.testing.assert_array_equal(dataset["x"].values, result["x"])
    # closed form: v = 1 - mu g t; 5e-3 m/s: the bristles deflect
    vx = float(dataset["vx"].sel(t=0.1, method="nearest"))
    assert vx == pytest.approx(1 - 0.3 * 9.81 * 0.1, abs=5e-3)


def test_sensitivities_are_further_columns() -> None:
    source = {
        "law": {"kind": "coulomb", "mu_c": 0.3},
        "rig": {"mass": 2, "normal_force": 20, "force": {"kind": "steps", "times": [0, 0.1], "values": [31, 0]}},
        "duration": 1,
    }
    run = bristle.run(source, sensitivity=["law.mu_c", "rig.mass"])
    plain = bristle.run(source)
    assert (run["x"] == plain["x"]).all() and "d(x)/d(law.mu_c)" not in plain.keys()
    v1 = (31 - 6) * 0.1 / 2
    by_mu = -(0.05 + v1 * 2 / 6) * 20 * 0.1 / 2 - v1**2 * 2 / (2 * 0.09 * 20)
    assert run["d(x)/d(law.mu_c)"][-1] == pytest.approx(by_mu, rel=2e-6)  # closed form, differences of 1e-6
    assert run.units["d(x)/d(rig.mass)"] == "m/kg"
    with pytest.raises(bristle.ArgumentError, match="did you mean mass"):
        bristle.run(source, sensitivity="rig.mas")
