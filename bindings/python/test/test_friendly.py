"""Oracle: conventions of Python. Copies, pickles, tables, names in messages."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bristle
from bristle import ByForce, Contact, Law, LinearPressure, Patch

PUCK = {
    "body": {"mass": 0.1, "radius": 0.04, "velocity": [0.5, 0, 0]},
    "friction": {"mu": 0.2},
    "contact": {"frame": "body", "patch": {"shape": "disc", "radius": 0.04}},
    "duration": 0.2,
}
TEXT = "law: {kind: coulomb, mu_c: 0.3}\nmotion: {velocity: {kind: sine, mean: 0, amplitude: 1, frequency: 2}}\nduration: 1\n"
COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
}


def same(one: bristle.Result, other: bristle.Result) -> None:
    assert list(one) == list(other)
    for name in one:
        np.testing.assert_array_equal(one[name], other[name])


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("source", ["dict", "text", "file"])
def test_a_scenario_copies(how: str, source: str, tmp_path: Path) -> None:
    if source == "file":
        (tmp_path / "rig.yaml").write_text(TEXT)
    given: Any = {"dict": PUCK, "text": TEXT, "file": tmp_path / "rig.yaml"}[source]
    key = "friction.mu" if source == "dict" else "law.mu_c"
    scenario = bristle.Scenario(given, {"duration": 0.1})
    for original in (scenario, scenario.variant({key: 0.4}), scenario.variant({key: 0.4}).variant({key: 0.25})):
        again = COPIES[how](original)
        assert again.duration == 0.1 and again.kind == original.kind
        assert again.files == scenario.files
        same(again.run(), original.run())


def test_a_scenario_of_a_file_pickles_from_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rig.yaml").write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    pickled = pickle.dumps(bristle.Scenario("rig.yaml"))
    monkeypatch.chdir("/")
    assert pickle.loads(pickled).duration == 1.0


# --- tables of sweeps


def grid() -> bristle.Sweep:
    axes = {"friction.mu": [0.1, 0.2], "body.velocity[0]": "0.2:0.4:3"}
    return bristle.sweep(PUCK, axes, want=["final.x", "contacts[0].slipped"])


def drawn() -> bristle.Sweep:
    return bristle.sweep(
        PUCK, {"body.mass": [0.1, 0.2]}, zip={"body.velocity[0]": [0.1, 0.2], "friction.mu": [0.1, 0.3]},
        draw={"body.velocity[1]": "uniform:0:0.1"}, samples=4, want="final.x",
    )  # fmt: skip


class Frame:
    """The part of a pandas table that we use."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self.columns = list(columns)
        self.data = columns


class Dataset:
    """The part of an xarray dataset that we use: shapes are checked against dimensions."""

    def __init__(self, data: dict[str, Any], coords: dict[str, Any]) -> None:
        self.sizes: dict[str, int] = {}
        self.all = {name: types.SimpleNamespace(dims=d, values=v, attrs={}) for name, (d, v) in {**data, **coords}.items()}
        self.coords = list(coords)
        for one in self.all.values():
            for name, length in zip(one.dims, one.values.shape, strict=True):
                assert self.sizes.setdefault(name, length) == length

    def __getitem__(self, name: str) -> Any:
        return self.all[name]


@pytest.fixture(params=["real", "stand-in"])
def packages(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """pandas and xarray, or substitutes if they are not installed."""
    if request.param == "real":
        pytest.importorskip("pandas", reason="pandas is not installed")
        pytest.importorskip("xarray", reason="xarray is not installed")
    else:
        monkeypatch.setitem(sys.modules, "pandas", types.SimpleNamespace(DataFrame=Frame))  # type: ignore[arg-type]
        monkeypatch.setitem(sys.modules, "xarray", types.SimpleNamespace(Dataset=Dataset))  # type: ignore[arg-type]
    return str(request.param)


def test_a_sweep_is_a_frame(packages: str) -> None:
    got = grid()
    frame = got.to_frame()
    assert list(frame.columns) == ["friction.mu", "body.velocity[0]", "final.x", "contacts[0].slipped", "status"]
    columns = frame.data if packages == "stand-in" else frame
    for i, (mu, v) in enumerate((mu, v) for mu in (0.1, 0.2) for v in (0.2, 0.3, 0.4)):
        assert columns["friction.mu"][i] == mu and columns["body.velocity[0]"][i] == pytest.approx(v)
        assert columns["final.x"][i] == got["final.x"].ravel()[i] and columns["status"][i] == "ok"


def test_a_sweep_is_a_dataset(packages: str) -> None:
    got = grid()
    data = got.to_xarray()
    assert got.dims == ("friction.mu", "body.velocity[0]") == tuple(data["final.x"].dims)
    np.testing.assert_array_equal(data["final.x"].values, got["final.x"])
    np.testing.assert_array_equal(data["friction.mu"].values, [0.1, 0.2])
    np.testing.assert_allclose(data["body.velocity[0]"].values, [0.2, 0.3, 0.4])
    assert data["final.x"].attrs["units"] == "m"
    if packages == "real":
        assert float(data["final.x"].sel({"friction.mu": 0.2}).isel({"body.velocity[0]": 1})) == got["final.x"][1, 1]


def test_drawn_and_zipped_keys_of_a_dataset(packages: str) -> None:
    got = drawn()
    data = got.to_xarray()
    assert got.dims[-1] == "sample" and set(got.dims) == {"body.mass", "body.velocity[0]", "sample"}
    assert tuple(data["friction.mu"].dims) == ("body.velocity[0]",)
    np.testing.assert_array_equal(data["friction.mu"].values, [0.1, 0.3])
    assert tuple(data["body.velocity[1]"].dims) == got.dims
    np.testing.assert_array_equal(data["body.velocity[1]"].values, got["body.velocity[1]"])


@pytest.mark.parametrize("package, method", [("pandas", "to_frame"), ("xarray", "to_xarray")])
def test_a_package_that_is_missing_is_named(package: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    for table in (grid(), bristle.run(PUCK)):
        with pytest.raises(bristle.AbsentError, match=f"{method}: needs {package}, which is not installed") as caught:
            getattr(table, method)()
        assert isinstance(caught.value.__cause__, ImportError)


# --- dataclasses.replace

GROWING = Patch.disc(ByForce(0.002, exponent=1 / 3))
DISC, BOX = Patch.disc(0.01), Patch.rectangle((0.1, 0.06))
PAD = Contact(DISC, Law(mu=0.3))
CONE = bristle.FrictionCone([0, 0, 1], 0.5)
BLOCK = bristle.Constrained(np.eye(2), [0, -9.81], [[0, 1]], [0], np.eye(2), [1, 0], normal=[[0, 1]], mu=0.3)
REPLACED: dict[str, tuple[Any, dict[str, Any], Any]] = {
    "law": (Law(mu=0.3), {"sigma2": 0.1}, Law(mu=0.3, sigma2=0.1)),
    "by force": (ByForce(0.1), {"max": 2.0}, ByForce(0.1, max=2.0)),
    "patch": (DISC, {"radius": 0.02}, Patch.disc(0.02)),
    "patch that grows": (GROWING, {"pressure": "hertz"}, Patch.disc(ByForce(0.002, exponent=1 / 3), "hertz")),
    "patch in place": (BOX, {"centre": [0.01, 0], "angle": 1}, Patch.rectangle((0.1, 0.06), centre=(0.01, 0), angle=1.0)),
    "patch of a grid": (Patch.grid([[1, 2]], (0.1, 0.1)), {"numbers": np.array([[1.0, 3.0]])}, Patch.grid([[1, 3]], (0.1, 0.1))),
    "pressure": (LinearPressure(1, 3), {"right": 2}, LinearPressure(1, 2)),
    "surface": (bristle.LimitSurface(DISC), {"method": "smooth"}, bristle.LimitSurface(DISC, "smooth")),
    "contact, law": (PAD, {"law": Law(mu=0.5)}, Contact(DISC, Law(mu=0.5))),
    "contact, patch": (PAD, {"patch": BOX}, Contact(BOX, Law(mu=0.3))),
    "contact, method": (PAD, {"method": "reduced"}, Contact(DISC, Law(mu=0.3), "reduced")),
    "contact, resolution": (Contact(DISC, Law(mu=0.3), resolution=4), {"method": "distributed"}, Contact(DISC, Law(mu=0.3), "distributed", resolution=4)),
    "contact of mu": (Contact(DISC, 0.3), {"patch": BOX}, Contact(BOX, 0.3)),
    "contact without patch": (Contact(None, Law(mu=0.3), "ellipsoid", r=0.01, u=1e-4), {"r": 0.02}, Contact(None, Law(mu=0.3), "ellipsoid", r=0.02, u=1e-4)),
    "grip": (bristle.Grip(), {"aim": 0.7}, bristle.Grip(aim=0.7)),
    "body contact": (bristle.BodyContact(PAD, 5.0), {"count": 2}, bristle.BodyContact(PAD, 5.0, count=2)),
    "support": (bristle.BodyContact(PAD, 5.0, support=(1, 0, 0)), {"support": (2, 0, 0)}, bristle.BodyContact(PAD, 5.0, support=(2, 0, 0))),
    "motion": (bristle.BodyContact(PAD, 5.0, support=(1, 0, 0)), {"motion": (2, 0, 0)}, bristle.BodyContact(PAD, 5.0, support=(2, 0, 0))),
    "weight": (bristle.BodyContact(PAD, "weight", "body"), {"normal_force": 5.0}, bristle.BodyContact(PAD, 5.0, "body")),
    "load": (bristle.Load(fx=1.0), {"fy": 2.0}, bristle.Load(fx=1.0, fy=2.0)),
    "pusher of a body": (bristle.BodyPusher(0.0, 0.0), {"mu": 0.1}, bristle.BodyPusher(0.0, 0.0, mu=0.1)),
    "profile": (bristle.Profile.sine(0, 1, 2), {"frequency": 3.0}, bristle.Profile.sine(0, 1, 3)),
    "slider": (bristle.Slider(0.5, 2e-4, mu=0.3), {"mu": 0.4}, bristle.Slider(0.5, 2e-4, mu=0.4)),
    "slider, patch": (bristle.Slider(0.5, 2e-4, mu=0.3, patch=DISC), {"patch": BOX}, bristle.Slider(0.5, 2e-4, mu=0.3, patch=BOX)),
    "pusher": (bristle.Pusher(BOX), {"radius": 0.01}, bristle.Pusher(BOX, radius=0.01)),
    "cone": (CONE, {"mu": 0.6}, bristle.FrictionCone([0, 0, 1], 0.6)),
    "polyhedron": (CONE.polyhedron(4), {"faces": 8}, CONE.polyhedron(8)),
    "wrench cone": (bristle.WrenchCone([(0, 0, 0)], CONE), {"places": [(1, 0, 0)]}, bristle.WrenchCone([(1, 0, 0)], CONE)),
    "flat surface": (bristle.LimitPolyhedron(bristle.LimitSurface(DISC), 16), {"side": "outer"}, bristle.LimitPolyhedron(bristle.LimitSurface(DISC), 16, "outer")),
    "engine": (bristle.EngineFriction(DISC, "mujoco", 0.5), {"engine": "drake"}, bristle.EngineFriction(DISC, "drake", 0.5)),
    "grasp": (bristle.Grasp((DISC, DISC), (0.5, 0.5), 0.01), {"half_gap": 0.02}, bristle.Grasp((DISC, DISC), (0.5, 0.5), 0.02)),
    "constrained": (BLOCK, {"mu": 0.4, "mu_s": 0.4}, bristle.Constrained(np.eye(2), [0, -9.81], [[0, 1]], [0], np.eye(2), [1, 0], normal=[[0, 1]], mu=0.4)),
}  # fmt: skip


@pytest.mark.parametrize("name", REPLACED)
def test_definitions_are_replaced(name: str) -> None:
    original, changes, expected = REPLACED[name]
    before = copy.deepcopy(original)
    got = dataclasses.replace(original, **changes)
    assert type(got) is type(expected)
    for field in dataclasses.fields(expected):
        one, other = getattr(got, field.name), getattr(expected, field.name)
        assert np.array_equal(one, other, equal_nan=isinstance(other, float)) if field.name != "_definition" else True, field.name
    assert dataclasses.replace(original) == before == original or name == "weight"  # nan


def test_a_contact_from_mu_remains_one_in_a_body() -> None:
    pad = dataclasses.replace(Contact(BOX, 0.3), patch=DISC, method="distributed")
    body = bristle.Body(1.0, 1e-3, [bristle.BodyContact(pad, 5.0)])
    expected = bristle.Body(1.0, 1e-3, [bristle.BodyContact(Contact(DISC, 0.3, "distributed"), 5.0)])
    assert body.contacts[0].contact.law == expected.contacts[0].contact.law != pad.law


def test_a_given_law_is_not_changed() -> None:
    law = Contact(DISC, 0.3).law
    assert Contact(BOX, law).law == law and not Contact(BOX, law)._from_mu


def test_a_body_is_replaced() -> None:
    body = bristle.Body(1.0, 1e-3, [bristle.BodyContact(PAD, 5.0)], velocity=(1, 0, 0), gravity=(0, -1))
    body.step(1e-3)
    heavy = dataclasses.replace(body, mass=2.0)
    assert heavy.mass == 2.0 and heavy.gravity == body.gravity and heavy.contacts == body.contacts and heavy.t == 0.0
    np.testing.assert_array_equal(heavy.velocity, body.velocity)
    assert body.mass == 1.0 and heavy.pose is not body.pose


# --- arguments and keys that do not exist

UNKNOWN: dict[str, tuple[Callable[[], object], str]] = {
    "center": (lambda: Patch.disc(0.01, center=(0, 0)), "Patch.disc: no argument 'center'; did you mean 'centre'\\? there are: radius, pressure, centre, angle"),  # type: ignore[call-arg]
    "center of points": (lambda: Patch.points([(0, 0)], center=(0, 0)), "Patch.points: no argument 'center'; did you mean 'centre'"),  # type: ignore[call-arg]
    "center of a patch": (lambda: Patch("disc", center=(0, 0)), "Patch: no argument 'center'; did you mean 'centre'"),  # type: ignore[call-arg]
    "law": (lambda: Law(mu=0.3, sigma_0=1e5), "Law: no argument 'sigma_0'; did you mean 'sigma0'"),  # type: ignore[call-arg]
    "contact": (lambda: Contact(DISC, 0.3, resolutoin=3), "Contact: no argument 'resolutoin'; did you mean 'resolution'"),  # type: ignore[call-arg]
    "mu of a contact": (lambda: Contact(DISC, mu=0.3), "Contact: no argument 'mu'; a coefficient of friction is given as 'law': .*; there are: patch, law"),  # type: ignore[call-arg]
    "position": (lambda: bristle.BodyContact(PAD, position=(0, 0)), "BodyContact: no argument 'position'; its position is 'at', the motion of what it touches 'support'; there"),  # type: ignore[call-arg]
    "body": (lambda: bristle.Body(1, 1, gravty=(0, 0)), "Body: no argument 'gravty'; did you mean 'gravity'"),  # type: ignore[call-arg]
    "simulate": (lambda: bristle.Body(1, 1).simulate(1.0, evry=0.1), "Body.simulate: no argument 'evry'; did you mean 'every'"),  # type: ignore[call-arg]
    "sweep": (lambda: bristle.sweep(PUCK, wants="final.x"), "sweep: no argument 'wants'; did you mean 'want'"),  # type: ignore[call-arg]
    "run": (lambda: bristle.run(PUCK, sets={}), "run: no argument 'sets'; did you mean 'set'"),  # type: ignore[call-arg]
    "fit": (lambda: bristle.fit_law([0], [0], [0], robst=True), "fit_law: no argument 'robst'; did you mean 'robust'"),  # type: ignore[call-arg]
    "profile": (lambda: bristle.Profile.sine(0, 1, freq=3), "Profile.sine: no argument 'freq'; did you mean 'frequency'|missing"),  # type: ignore[call-arg]
    "far from all": (lambda: Patch.ring(0.1, qqqqq=1), "Patch.ring: no argument 'qqqqq'; there are: radius, centre"),  # type: ignore[call-arg]
}  # fmt: skip


@pytest.mark.parametrize("name", UNKNOWN)
def test_arguments_that_do_not_exist_name_the_nearest(name: str) -> None:
    call, message = UNKNOWN[name]
    with pytest.raises(TypeError, match=message):
        call()


def test_errors_of_nested_calls_are_unchanged() -> None:
    def dynamics(t: float, q: Any, qd: Any) -> Any:
        return dict(wrong=1, **{"a": 1}).fromkeys(x=1)  # type: ignore[call-arg]

    def rest(t: float, q: Any, qd: Any) -> Any:
        return dynamics(t, q, qd)

    with pytest.raises(TypeError, match="fromkeys"):
        bristle.Mechanism(dynamics, rest, rest).simulate(1.0, [0.0])


def test_signatures_and_documentation_are_unchanged() -> None:
    assert list(inspect.signature(Patch.disc).parameters) == ["radius", "pressure", "centre", "angle"]
    assert "A disc." in (Patch.disc.__doc__ or "") and bristle.sweep.__module__ == "bristle.sweep"
    assert pickle.loads(pickle.dumps(bristle.run)) is bristle.run


def test_keys_that_do_not_exist_name_the_nearest_and_all() -> None:
    result, sweep = bristle.run(PUCK), grid()
    t = np.arange(0, 2, 0.01)
    v = 0.05 * np.sin(2 * np.pi * t)
    fit = bristle.fit_law(t, v, 0.3 * np.sign(v) + 2.5 * v, law="viscous")
    tries: tuple[tuple[Callable[[], object], str], ...] = (
        (lambda: result["thetta"], "no column 'thetta'; did you mean 'theta'\\? there are: t, x, y, theta"),
        (lambda: result.summary["final.thetta"], "did you mean 'final.theta'"),
        (lambda: result.energy["disipated"], "did you mean 'dissipated'\\? there are: kinetic, stored"),
        (lambda: result.units["qqq"], "no entry 'qqq'; there are: t, x, y"),
        (lambda: sweep["final.y"], "did you mean 'final.x'\\? there are: friction.mu, body.velocity\\[0\\], final.x"),
        (lambda: sweep.indices["final.x"], "no entry 'final.x'; there are: none"),
        (lambda: fit["mu_k"], "did you mean 'mu_.'\\? there are: mu_c"),
        (lambda: bristle.EngineFriction(DISC, "mujoco", 0.5).numbers["torsion"], "did you mean 'torsional'"),
    )
    for call, message in tries:
        with pytest.raises(KeyError, match=message):
            call()
    assert "thetta" not in result and result.get("thetta") is None and result.summary.get("x") is None


# --- energy


def test_energy_without_columns_is_that_of_the_summary() -> None:
    plain, full = bristle.run(PUCK), bristle.run({**PUCK, "output": {"energy": True}})
    names = ["kinetic", "stored", "dissipated", "work_loads", "work_gravity", "work_normal", "work_contacts", "residual"]
    assert list(plain.energy) == list(full.energy) == names
    for name in names:
        assert plain.energy[name] == plain.summary[f"energy.{name}"] == full.energy[name][-1]
    assert plain.energy["dissipated"] > 0.001 and abs(plain.energy["residual"]) < 1e-6


def test_energy_of_mechanisms_and_of_runs_without_a_balance() -> None:
    scenario = Path(__file__).parents[3] / "scenarios/mechanism_bead.yaml"
    energy = bristle.run(scenario).energy
    assert {"kinetic", "potential", "work_friction", "residual"} <= set(energy)
    assert bristle.run(TEXT).energy == {}


# --- covariance of fits


def test_covariance_is_that_of_linear_least_squares() -> None:
    rng = np.random.default_rng(3)
    v = rng.uniform(-0.2, 0.2, 400)
    f = 0.3 * np.sign(v) + 2.0 * v + 0.02 + rng.normal(0, 0.01, v.size)
    fit = bristle.fit_law(None, v, f, law="viscous", speed_noise=0.0, by_position=False, profile=False)
    names = list(fit.estimates)
    assert fit.covariance.shape == (len(names), len(names))
    columns = {"mu_c": np.sign(v), "sigma2": v, "offset": np.ones(v.size)}
    assert set(columns) <= set(names)
    J = np.column_stack([columns[name] for name in columns])
    residual = f - J @ np.linalg.lstsq(J, f, rcond=None)[0]
    expected = np.linalg.inv(J.T @ J) * (residual @ residual) / (v.size - 3) * fit.widening**2
    at = [names.index(name) for name in columns]
    np.testing.assert_allclose(fit.covariance[np.ix_(at, at)], expected, rtol=1e-3)  # law's sign is smooth at rest


def test_covariance_contains_the_standard_errors() -> None:
    t = np.arange(0, 4, 0.004)
    v = 0.05 * np.sin(2 * np.pi * t / 2)
    f = 0.3 * np.sign(v) + 2.5 * v + np.random.default_rng(1).normal(0, 0.01, t.size)
    fit = bristle.fit_law(t, v, f, law="viscous", profile=False, fix={"sigma2": 2.5})
    errors = np.array([estimate.error for estimate in fit.estimates.values()])
    np.testing.assert_array_equal(np.diag(fit.covariance), errors**2)
    finite = np.isfinite(errors)
    np.testing.assert_allclose(fit.covariance[np.ix_(finite, finite)], fit.covariance[np.ix_(finite, finite)].T, rtol=1e-12)
    fixed = list(fit.estimates).index("sigma2")
    assert fit.covariance[fixed, fixed] == 0.0
    mu = fit["mu_c"]
    assert 1.9 < (mu.high - mu.value) / np.sqrt(fit.covariance[0, 0]) < 2.0  # 95 % of Student's t


# --- pushing

SHAPES = {
    "disc": DISC, "square": Patch.rectangle((0.1, 0.1)), "rectangle": BOX, "slim": Patch.rectangle((0.2, 0.04)),
    "pressure": Patch.rectangle((0.1, 0.06), LinearPressure(1, 3)),
    "triangle": Patch.polygon([(0, 0), (0.1, 0), (0.02, 0.07)]),
}  # fmt: skip
SUPPORTS = {
    "own": None, "grid": Patch.grid(np.arange(1, 50).reshape(7, 7), (0.08, 0.05)),
    "hertz": Patch.disc(0.04, "hertz"), "feet": Patch.points([(0.03, 0.02), (-0.03, 0.02), (0, -0.02)]),
    "ring": Patch.ring(0.03),
}  # fmt: skip


@pytest.mark.parametrize("support", SUPPORTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_pushes_end_at_the_pose_of_the_exact_surface(shape: str, support: str) -> None:
    """1e-7 m: allowed difference of the surfaces over a push of twice the body's size."""
    body, under = SHAPES[shape], SUPPORTS[support]
    pusher, exact = bristle.Pusher(body, 0.25, 0.005, under), bristle.Pusher(body, 0.25, 0.005, under, method="exact")
    angle = np.linspace(0, 2 * np.pi, 24, endpoint=False) + 0.1
    start = 0.12 * np.column_stack([np.cos(angle), np.sin(angle)])
    end = -0.03 * start + 0.01 * np.column_stack([np.sin(3 * angle), np.cos(5 * angle)])
    poses = [np.zeros((24, 3)), np.zeros((24, 3))]
    for one, pose in zip((pusher, exact), poses):
        one.step(pose, start, end)
    assert np.hypot(*(poses[0] - poses[1])[:, :2].T).max() < 1e-7
    assert np.hypot(*poses[0][:, :2].T).max() > 0.01


def test_a_surface_of_a_pusher_is_not_changed() -> None:
    pose, other = np.zeros(3), np.zeros(3)
    bristle.Pusher(BOX, support=bristle.LimitSurface(BOX)).step(pose, (-0.06, 0.01), (-0.02, 0.01))
    bristle.Pusher(BOX, method="exact").step(other, (-0.06, 0.01), (-0.02, 0.01))
    np.testing.assert_array_equal(pose, other)
