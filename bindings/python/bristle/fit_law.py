"""Friction laws from measured motion, and how sure they are."""

from __future__ import annotations

import dataclasses
import math
from typing import Mapping, Sequence

import numpy as np

from . import _core
from ._common import ArrayLike, FloatArray, to_float64, whole
from .errors import ArgumentError
from .law import Law

__all__ = ["Estimate", "fit_law", "LawFit"]

_LAWS, _NAMES = _core.fit_law_names()
_KINDS = dict(_LAWS)
_OF_LAW = ("mu_c", "mu_s", "v_s", "gamma", "sigma0", "sigma1", "sigma2", "s_ba", "alpha")


@dataclasses.dataclass(frozen=True)
class Estimate:
    """One estimated number, and how sure it is.

    ``told`` is False where the data do not tell it; ``words`` says why.
    """

    name: str
    unit: str
    value: float
    error: float
    low: float
    high: float
    fixed: bool
    told: bool
    words: str

    def __str__(self) -> str:
        if self.fixed:
            return f"{self.name} {self.value:.5g} {self.unit} given"
        text = f"{self.name} {self.value:.5g} {self.unit} [{self.low:.5g}, {self.high:.5g}]"
        return text + (f"  {self.words}" if self.words else "")


@dataclasses.dataclass(frozen=True)
class LawFit:
    """What :func:`fit_law` gives; ``fit["mu_c"]`` is an :class:`Estimate`."""

    law: Law
    name: str
    estimates: dict[str, Estimate]
    correlation: FloatArray  #: of the estimates, in their order (n x n)
    force: FloatArray  #: of the fit, at the rows of the data
    offset_by_position: FloatArray  #: place, as way since the first row, and what the offset is there besides (n x 2)
    rows: int
    rms: float  #: of the residuals, in the unit of f
    rms_held_out: float  #: of the rows after ``train``; NaN without
    noise: float
    bic: float
    lag_correlation: float
    white: bool  #: are the residuals white noise? If not, errors are widened ``widening`` times
    widening: float
    outliers: int
    passivity_margin: float
    converged: bool
    evaluations: int
    next_experiment: str  #: what would shrink the widest interval most

    def __getitem__(self, name: str) -> Estimate:
        return self.estimates[name]

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.rms:.4g} rms over {self.rows} rows"]
        return "\n  ".join(lines + [str(e) for e in self.estimates.values()])


def _contiguous(values: ArrayLike) -> FloatArray:
    return np.ascontiguousarray(to_float64(values))


def _column(values: ArrayLike | None) -> FloatArray | None:
    return None if values is None else _contiguous(values)


def _bits(names: Sequence[str], argument: str) -> int:
    bits = 0
    for name in names:
        if name not in _NAMES:
            raise ArgumentError(argument, f"no such parameter: {name}; there are {', '.join(_NAMES)}")
        bits |= 1 << _NAMES.index(name)
    return bits


def fit_law(
    t: ArrayLike | None,
    v: ArrayLike,
    f: ArrayLike,
    fn: ArrayLike | None = None,
    *,
    law: str = "lugre",
    load: ArrayLike | None = None,
    free: Sequence[str] = (),
    fix: Mapping[str, float] | None = None,
    train: int = 0,
    level: float = 0.95,
    by_position: bool = True,
    robust: bool = False,
    passive: bool = False,
    profile: bool = True,
    starts: int = 3,
) -> LawFit:
    """Fit a friction law to motion: least squares through its simulation, with exact sensitivities.

    Args:
        t: time [s], increasing; None: rows are steady points, for laws without bristles
        v: speed of the slip [m/s or rad/s]
        f: friction, the resistance along +v [N or N m]
        fn: normal force [N]; None: 1, and coefficients are forces
        law: coulomb, viscous, stribeck, dahl, lugre or elasto-plastic
        load: what friction depends on by load_gain, where that is free
        free: what to estimate besides: gamma, alpha, delay, speed_offset, asymmetry, load_gain
        fix: what is known, by name
        train: fit to the first so many rows alone; the others are held out
        level: of the intervals
        by_position: let the offset depend on the position, where that predicts what was left out better
        robust: Huber's loss, for outliers
        passive: only laws that cannot give energy back that nobody put in
        profile: intervals by profile likelihood, else by the Jacobian alone
        starts: how many starting points are followed

    >>> rng = np.random.default_rng(1)
    >>> t = np.arange(0, 4, 0.004)
    >>> v = 0.05 * np.sin(2 * np.pi * t / 2)
    >>> f = 0.3 * np.sign(v) + 2.5 * v + rng.normal(0, 0.01, t.size)
    >>> fit = fit_law(t, v, f, law="viscous")
    >>> bool(fit["mu_c"].low < 0.3 < fit["mu_c"].high)
    True
    """
    if law not in _KINDS:
        raise ArgumentError("law", f"no such law: {law}; there are {', '.join(_KINDS)}")
    fixed = dict(fix or {})
    values = [float(fixed.get(name, 0.0)) for name in _NAMES]
    nuisances = _bits(("offset", "start"), "free") | _bits(tuple(free), "free")
    force = np.empty(np.shape(to_float64(v)))
    got = _core.law_fit(
        list(_KINDS).index(law), _column(t), _contiguous(v), _contiguous(f), _column(fn), _column(load), nuisances,
        _bits(tuple(fixed), "fix"), tuple(values),
        whole(train, "train"), level, by_position, robust, passive, profile, whole(starts, "starts", 1), force,
    )  # fmt: skip
    rows = [Estimate(*e) for e in got["estimates"]]
    kept = [k for k, e in enumerate(rows) if not e.fixed or e.name in fixed]
    parameters = {e.name: e.value for e in rows if e.name in _OF_LAW}
    parameters["v_stribeck"] = parameters.pop("v_s")
    parameters["mu_s"] = max(parameters["mu_s"], parameters["mu_c"])
    shape = (len(_NAMES), len(_NAMES))
    correlation = np.reshape(got["correlations"], shape)[np.ix_(kept, kept)]
    words = got["next_words"] if got["next_parameter"] >= 0 else ""
    if words:
        words = f"{_NAMES[got['next_parameter']]}: {words} (error times {got['next_shrinkage']:.2g})"
    return LawFit(
        law=Law(kind=_KINDS[law], **parameters),
        name=law,
        estimates={rows[k].name: rows[k] for k in kept},
        correlation=correlation,
        force=force,
        offset_by_position=np.reshape(got["map"], (-1, 2)),
        rows=got["rows"],
        rms=got["rms"],
        rms_held_out=got["rms_held_out"] if train else math.nan,
        noise=got["noise"],
        bic=got["bic"],
        lag_correlation=got["lag_correlation"],
        white=bool(got["white"]),
        widening=got["widening"],
        outliers=got["outliers"],
        passivity_margin=got["passivity_margin"],
        converged=bool(got["converged"]),
        evaluations=got["evaluations"],
        next_experiment=words,
    )
