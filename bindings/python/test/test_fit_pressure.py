"""Pressures from pushes: the same as the command's, and SciPy's non-negative least squares as an oracle."""

import json
import os
import shutil
import subprocess
import time

import numpy as np
import pytest

import bristle

OUTLINE = bristle.Patch.rectangle((0.1, 0.06))
TRUTH = bristle.Patch.points([[0.04, 0.02], [-0.03, 0.02], [0.0, -0.02]], [0.5, 0.3, 0.2])


def make_pairs(count, noise=0.03, seed=1):
    """Wrenches and twists at the frame's origin, of TRUTH with mu fn = 4 N."""
    rng = np.random.default_rng(seed)
    surface, cop = bristle.LimitSurface(TRUTH), TRUTH.at(1).cop
    v = rng.normal(size=(count, 3)) * [1, 1, 30]
    f = -4.0 * surface.wrench(v) + 4.0 * noise * rng.normal(size=(count, 3)) * [1, 1, 0.03]
    f[:, 2] += cop[0] * f[:, 1] - cop[1] * f[:, 0]
    v[:, 0] += v[:, 2] * cop[1]
    v[:, 1] -= v[:, 2] * cop[0]
    return f, v


def test_pressure_is_found():
    """Oracle: the pressure that generated the pairs."""
    fit = bristle.fit_pressure(*make_pairs(150), OUTLINE)
    value = TRUTH.at(1)
    assert fit.choice == "grid"
    assert fit.mu_fn.value == pytest.approx(4.0, abs=0.1)  # 3 % noise in 150 pairs, and the grid
    assert fit.cop_x.value == pytest.approx(value.cop[0], abs=1.5e-3)
    assert fit.patch.at(1).r == pytest.approx(fit.r.value, rel=1e-5)  # weights left out: 1e-6 each
    known = bristle.fit_pressure(*make_pairs(150), OUTLINE, supports=TRUTH)
    assert known.choice == "supports" and len(known.points) == 3


def test_errors_are_reported():
    """Oracle: the arguments' ranges."""
    f, v = make_pairs(20)
    with pytest.raises(bristle.ArgumentError):
        bristle.fit_pressure(-f, v, OUTLINE)
    with pytest.raises(bristle.ArgumentError):
        bristle.fit_pressure(f, v[:10], OUTLINE)
    with pytest.raises(bristle.ArgumentError):
        bristle.fit_pressure(f, v, OUTLINE, choices=["disc"])


@pytest.mark.skipif(not shutil.which(os.environ.get("BRISTLE", "bristle")), reason="no command")
def test_same_as_the_command(tmp_path):
    """Oracle: bristle fit pressure --json, from the same numbers."""
    f, v = make_pairs(60)
    np.savetxt(tmp_path / "pairs.csv", np.hstack([f, v]), "%.17g", ",", header="fx,fy,tau,vx,vy,w", comments="")
    (tmp_path / "outline.yaml").write_text("shape: rectangle\nsize: [0.1, 0.06]\n")
    command = [os.environ.get("BRISTLE", "bristle"), "fit", "pressure", "pairs.csv", "--outline", "outline.yaml", "--json"]
    report = json.loads(subprocess.run(command, cwd=tmp_path, capture_output=True, check=True).stdout)
    fit = bristle.fit_pressure(f, v, OUTLINE)
    assert report["choice"] == fit.choice and report["points"] == len(fit.points)
    assert report["mu_fn"] == pytest.approx(fit.mu_fn.value, rel=1e-12)
    assert np.radians(report["angle_error"]) == pytest.approx(fit.angle_error, rel=1e-12)


@pytest.mark.skipif(not shutil.which(os.environ.get("BRISTLE", "bristle")), reason="no command")
def test_pushes_only(tmp_path):
    """Oracle: the pressure and the tip with which `fit pushes --predict` computed the ends; its --json."""

    def command(*more):
        words = [os.environ.get("BRISTLE", "bristle"), "fit", "pushes", "pushes.csv", "--outline", "outline.yaml"]
        words += ["--tip-radius", "0.005", *more]
        return subprocess.run(words, cwd=tmp_path, capture_output=True, check=True).stdout

    def save(*more):
        names = "x0,y0,th0,tipx0,tipy0,tipx1,tipy1" + (",x1,y1,th1" if more else "")
        rows = np.hstack([starts, tip, to, *more])
        np.savetxt(tmp_path / "pushes.csv", rows, "%.17g", ",", header=names, comments="")

    angle = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    starts, tip = np.zeros((16, 3)), 0.08 * np.c_[np.cos(angle), np.sin(angle)]
    to = tip - 0.06 * np.c_[np.cos(angle + 0.3), np.sin(angle + 0.3)]
    (tmp_path / "outline.yaml").write_text("shape: rectangle\nsize: [0.1, 0.06]\n")
    (tmp_path / "truth.yaml").write_text(
        "shape: points\npoints: [[0.04, 0.02, 0.5], [-0.03, 0.02, 0.3], [0, -0.02, 0.2]]\n"
    )
    save()
    command("--predict", "--patch", "truth.yaml", "--mu-tip", "0.15", "-o", "ends.csv")
    ends = np.loadtxt(tmp_path / "ends.csv", delimiter=",", skiprows=1)
    save(ends)
    report = json.loads(command("--json"))
    fit = bristle.fit_pushes(starts, ends, tip, to, OUTLINE, tip_radius=0.005)
    assert fit.pushes == 16 and fit.points[:, 2].sum() == pytest.approx(1, abs=1e-4)
    assert np.allclose(report["supports"], np.c_[fit.points, fit.errors], rtol=1e-9, atol=1e-12)
    assert report["mu_tip"] == pytest.approx(fit.mu_tip.value, rel=1e-9)
    assert not fit.keeps_patch and (fit.errors >= 0).all() and fit.errors.max() > 0
    assert fit.cop_x.value == pytest.approx(TRUTH.at(1).cop[0], abs=3e-3)  # a quarter of a cell
    assert fit.cop_y.value == pytest.approx(TRUTH.at(1).cop[1], abs=3e-3)

    # Oracle: the offset that was added. It is found and used; a known offset is not changed.
    offset = np.array([1.5e-3, -1e-3])
    found = bristle.fit_pushes(starts, ends, tip - offset, to - offset, OUTLINE, tip_radius=0.005, patch=TRUTH)
    assert found.uses_offset and found.offset_position_error < found.plain_position_error
    assert abs(found.tip_dx.value - offset[0]) < 1e-4 and abs(found.tip_dy.value - offset[1]) < 1e-4
    known = bristle.fit_pushes(starts, ends, tip - offset, to - offset, OUTLINE, tip_radius=0.005, patch=TRUTH,
                               tip_offset=offset)  # fmt: skip
    assert known.tip_dx.fixed and known.tip_dx.value == offset[0] and np.isnan(known.plain_position_error)
    assert known.position_error < 1e-3 and known.apart == 0
    with pytest.raises(bristle.ArgumentError, match="tip_offset: must be two numbers, got 3"):
        bristle.fit_pushes(starts, ends, tip, to, OUTLINE, tip_offset=(0, 0, 0))


def test_speed_compared_to_scipy():
    """Oracle: SciPy's nnls on one fold of the same size. 500 pairs, all of the fit, against a second."""
    nnls = pytest.importorskip("scipy.optimize").nnls
    f, v = make_pairs(500)
    ours = min(timed(lambda: bristle.fit_pressure(f, v, OUTLINE))[0] for _ in range(3))
    fit = bristle.fit_pressure(f, v, OUTLINE)
    xy = np.array([(x, y) for x in np.linspace(-0.045, 0.045, 11) for y in np.linspace(-0.026, 0.026, 9)])
    u = v[:, None, :2] + v[:, None, 2:] * np.stack([-xy[:, 1], xy[:, 0]], -1)[None]
    u /= np.linalg.norm(u, axis=-1, keepdims=True)
    rows = np.stack([u[..., 0], u[..., 1], (xy[:, 0] * u[..., 1] - xy[:, 1] * u[..., 0]) / 0.03], 1)
    seconds, (weights, _) = timed(lambda: nnls(rows.reshape(-1, len(xy)), (f / [1, 1, 0.03]).ravel()))
    print(f"ours with cross-validation {ours:.3f} s, one nnls of SciPy {seconds:.3f} s")
    # plain least squares of the wrenches finds the same pressure where noise is small
    assert weights.sum() == pytest.approx(fit.mu_fn.value, rel=0.03)
    assert weights @ xy[:, 0] / weights.sum() == pytest.approx(fit.cop_x.value, abs=1.5e-3)


def timed(call):
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result
