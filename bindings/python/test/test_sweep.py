"""Sweeps, compared with single runs."""

import json
import os
import shutil
import subprocess

import numpy as np
import pytest

import bristle

CUP = """
body: {mass: 0.15, size: [0.07, 0.10], pose: [0.004, -0.02, 0]}
gravity: [0, -9.81]
friction: {mu: 0.8}
contact: {frame: world, count: 2, normal_force: 1.1, patch: {shape: disc, radius: 0.008}}
duration: 0.2
"""


def test_cases_are_single_runs_bit_by_bit():
    mu, mass = np.linspace(0.5, 0.9, 3), [0.1, 0.2]
    got = bristle.sweep(CUP, {"friction.mu": mu, "body.mass": mass}, want=["final.theta", "max.w"], workers=2)
    assert got["final.theta"].shape == got.shape == (3, 2)
    for i in range(3):
        for k in range(2):
            alone = bristle.run(CUP, {"friction.mu": float(mu[i]), "body.mass": mass[k]})
            assert got["final.theta"][i, k] == alone["theta"][-1]
            assert got["max.w"][i, k] == alone["w"].max()
    assert got.units["final.theta"] == "rad" and (got.status == "ok").all()


def test_draws_do_not_depend_on_workers():
    ask = dict(draw={"friction.mu": "normal:0.6:0.1"}, samples=20, sampling="latin", seed=3, want=["final.y"])
    one, many = bristle.sweep(CUP, workers=1, **ask), bristle.sweep(CUP, workers=4, **ask)
    assert (one["final.y"] == many["final.y"]).all() and one.shape == (20,)


def test_a_failed_case_does_not_end_the_sweep():
    got = bristle.sweep(CUP, {"friction.mu": [-1, 0.5], "model": ["blocks", "ellipsoid"]}, want=["final.y"])
    assert "friction.mu" in got.status[0, 0] and got.status[1, 1] == "ok"
    assert np.isnan(got["final.y"][0]).all() and list(got["model"][1]) == ["blocks", "ellipsoid"]


def test_indices_of_ishigami():
    x = "uniform:-3.141592653589793:3.141592653589793"
    law = {"law": {"kind": "coulomb", "mu_c": 1}, "duration": 1, "output": {"every": 1},
           "motion": {"velocity": {"kind": "ramp", "from": 0, "to": 1, "start": 0, "end": 4}}}  # fmt: skip
    keys = [f"motion.velocity.{name}" for name in ("from", "to", "start")]
    a, b, c = keys
    got = bristle.sweep(law, draw={key: x for key in keys}, samples=2048, sampling="sobol", indices=True,
                        want=[f"f = sin({a}) + 7*sin({b})^2 + 0.1*{c}^4*sin({a})"])  # fmt: skip
    for key, total in zip(keys, (0.5576, 0.4424, 0.2437)):
        assert got.indices["f"][key].total == pytest.approx(total, abs=0.02)


def test_errors_are_reported():
    with pytest.raises(bristle.DefinitionError, match="a:b:n"):
        bristle.sweep(CUP, {"friction.mu": "1:2"}, want=["final.y"])
    with pytest.raises(bristle.DefinitionError, match="did you mean final.theta"):
        bristle.sweep(CUP, {"friction.mu": "1:2:3"}, want=["final.thetta"])


def test_values_of_any_kind():
    assert bristle.sweep(CUP, {"friction.mu": 0.5}, want="final.y").shape == (1,)
    got = bristle.sweep(CUP, {"friction.elasto_plastic": [True, np.bool_(False)]}, want="final.y")
    assert (got.status == "ok").all() and list(got["friction.elasto_plastic"]) == ["true", "false"]
    with pytest.raises(ValueError, match="list of lists"):
        bristle.sweep(CUP, {"friction.mu": np.ones((2, 2))}, want="final.y")
    for wrong in ({"samples": -1}, {"samples": 2, "seed": -5}):
        with pytest.raises(ValueError, match="must be >= 0"):
            bristle.sweep(CUP, draw={"friction.mu": "normal:0.6:0.1"}, want="final.y", **wrong)


DRAWN = {"friction.mu": "normal:0.8:0.08", "body.mass": "uniform:0.14:0.16"}


@pytest.mark.skipif(not shutil.which(os.environ.get("BRISTLE", "bristle")), reason="no command")
def test_local_errors_are_those_of_the_command(tmp_path):
    (tmp_path / "cup.yaml").write_text(CUP)
    words = [os.environ.get("BRISTLE", "bristle"), "sweep", str(tmp_path / "cup.yaml"), "--local", "--json"]
    words += [word for key, value in DRAWN.items() for word in ("--draw", f"{key}={value}")]
    done = subprocess.run([*words, "--want", "final.y,final.theta"], check=True, capture_output=True, text=True)
    expected = json.loads(done.stdout)["local"]
    got = bristle.sweep_local(CUP, DRAWN, want=["final.y", "final.theta"])
    assert list(got) == list(expected)
    for name, local in got.items():  # the same C function; the command prints all digits
        assert local.value == pytest.approx(expected[name]["value"], rel=1e-12)
        assert local.deviation == pytest.approx(expected[name]["deviation"], rel=1e-12)
        assert local.slopes == pytest.approx(expected[name]["slopes"], rel=1e-12)
        assert sum(local.shares.values()) == pytest.approx(1)


def test_local_errors_are_those_of_samples():
    # x = v^2/(2 mu g): 5 % of mu give 5 % of x, and the mass has no part; 512 quasi-random samples see 0.5 % of curvature
    puck = {"body": {"mass": 0.1, "radius": 0.04, "velocity": [0.5, 0, 0]}, "friction": {"mu": 0.2},
            "contact": {"frame": "body", "patch": {"shape": "disc", "radius": 0.04}}, "duration": 1}  # fmt: skip
    drawn = {"friction.mu": "normal:0.2:0.01", "body.mass": "uniform:0.09:0.11"}
    local = bristle.sweep_local(puck, drawn, want="final.x")["final.x"]
    sampled = bristle.sweep(puck, draw=drawn, want="final.x", samples=512, sampling="sobol", seed=1)["final.x"]
    assert local.deviation / local.value == pytest.approx(0.05, rel=0.01)
    assert local.deviation == pytest.approx(sampled.std(), rel=0.03)
    assert local.shares["friction.mu"] == pytest.approx(1, abs=1e-3)


def test_local_errors_refuse_words_and_nothing():
    with pytest.raises(bristle.BristleError, match="is drawn from words"):
        bristle.sweep_local(CUP, {"model": ["blocks", "ellipsoid"]}, want="final.y")
    with pytest.raises(bristle.BristleError, match="no key changes"):
        bristle.sweep_local(CUP, want="final.y")
