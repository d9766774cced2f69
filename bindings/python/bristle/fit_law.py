"""Friction laws from measured motion, with confidence intervals."""

from __future__ import annotations

import dataclasses
import math
from typing import Mapping, Sequence

import numpy as np

from . import _core
from ._common import ArrayLike, FloatArray, Named, no_such, to_float64, whole
from .errors import ArgumentError
from .law import Law

__all__ = ["Estimate", "fit_law", "LawFit"]

_LAWS, _NAMES = _core.fit_law_names()
_KINDS = dict(_LAWS)
_OF_LAW = ("mu_c", "mu_s", "v_s", "gamma", "sigma0", "sigma1", "sigma2", "s_ba", "alpha", "v_damping")


@dataclasses.dataclass(frozen=True)
class Estimate:
    """One estimated number with its confidence interval.

    ``identifiable`` is False if the data do not determine it; ``words`` gives the reason, or why its interval was
    widened.
    """

    name: str
    unit: str
    value: float
    error: float
    low: float
    high: float
    fixed: bool
    identifiable: bool
    words: str

    def __str__(self) -> str:
        if self.fixed:
            return f"{self.name} {self.value:.5g} {self.unit} given"
        text = f"{self.name} {self.value:.5g} {self.unit} [{self.low:.5g}, {self.high:.5g}]"
        return text + (f"  {self.words}" if self.words else "")


@dataclasses.dataclass(frozen=True)
class LawFit:
    """Result of :func:`fit_law`; ``fit["mu_c"]`` is an :class:`Estimate`."""

    law: Law
    name: str
    estimates: dict[str, Estimate]
    correlation: FloatArray  #: of the estimates, in their order (n x n)
    force: FloatArray  #: of the fit, at the rows of the data
    offset_by_position: FloatArray  #: position relative to the first row, and the additional offset there (n x 2)
    friction_by_position: FloatArray  #: position, and g there: friction is multiplied by 1 + g (n x 2)
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
    next_experiment: str  #: the experiment that would shrink the widest interval most
    speed_noise: float  #: standard deviation of the noise in v [m/s]; 0: none found
    noise_shift: dict[str, float]  #: bias of estimates due to that noise, by name; their intervals are widened by it
    warnings: list[str]  #: sentences: doubtful units, noise in v, speeds computed from positions
    compared: dict[str, float]  #: with law="auto": error of each law on held-out rows

    def __getitem__(self, name: str) -> Estimate:
        return self.estimates[name]

    @property
    def covariance(self) -> FloatArray:
        """Of the estimates (n x n), in the units of their products. Rows and columns are in the order of
        ``estimates``: ``list(fit.estimates)``.

        The square roots of its diagonal are the standard errors, ``fit["mu_c"].error``, widened if residuals
        are not white or v has noise. Given parameters have 0; parameters that are not identifiable have an infinite
        variance and NaN covariances.
        """
        errors = np.array([estimate.error for estimate in self.estimates.values()])
        with np.errstate(invalid="ignore"):  # of inf and 0
            matrix: FloatArray = self.correlation * np.multiply.outer(errors, errors)
        np.fill_diagonal(matrix, errors**2)
        return matrix

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.rms:.4g} rms over {self.rows} rows"]
        return "\n  ".join(lines + [str(e) for e in self.estimates.values()])


def _contiguous(values: ArrayLike, name: str) -> FloatArray:
    return np.ascontiguousarray(to_float64(values, name))


def _column(values: ArrayLike | None, name: str) -> FloatArray | None:
    return None if values is None else _contiguous(values, name)


def _bits(names: Sequence[str], argument: str) -> int:
    bits = 0
    for name in names:
        if name not in _NAMES:
            raise ArgumentError(argument, no_such("parameter", name, _NAMES))
        bits |= 1 << _NAMES.index(name)
    return bits


def _speed_of(
    t: ArrayLike | None, x: ArrayLike | None, noise: float | None
) -> tuple[FloatArray, float, str]:
    if x is None or t is None:
        raise ArgumentError("v", "is missing: motion needs t and v, or t and x")
    v = np.empty(np.shape(to_float64(x, "x")))
    rows, of_x, of_v = _core.law_speed(_contiguous(t, "t"), _contiguous(x, "x"), v)
    words = f"v: x was differentiated by parabolas over {rows} rows; noise of x about {of_x:.2g}, of v {of_v:.2g}"
    return v, of_v if noise is None else noise, words


def fit_law(
    t: ArrayLike | None,
    v: ArrayLike | None = None,
    f: ArrayLike | None = None,
    fn: ArrayLike | None = None,
    *,
    law: str = "lugre",
    load: ArrayLike | None = None,
    free: Sequence[str] = (),
    offer: Sequence[str] | None = None,
    fix: Mapping[str, float] | None = None,
    train: int = 0,
    level: float = 0.95,
    by_position: bool = True,
    robust: bool = False,
    passive: bool = False,
    profile: bool = True,
    starts: int = 3,
    flip_force: bool = False,
    x: ArrayLike | None = None,
    speed_noise: float | None = None,
    hold_out: float = 0.5,
) -> LawFit:
    """Fit a friction law to motion: least squares on its simulation, with exact sensitivities.

    Args:
        t: time [s], increasing; None: rows are steady points, for laws without bristles
        v: speed of the slip [m/s or rad/s]; not given: ``x`` is differentiated
        f: friction, the resistance along +v [N or N m]: f > 0 where v > 0; the other sign is an error
        fn: normal force [N]; None: 1, and coefficients are forces
        law: coulomb, viscous, stribeck, dahl, lugre, elasto-plastic, or auto: the simplest whose error on
            held-out rows is within 1 % of the smallest, as in ``bristle fit law``
        load: load of the joint along +v, for load_gain and the other parameters of the load
        free: additional parameters to estimate: gamma, alpha, delay, speed_offset, asymmetry; with ``load``:
            load_gain, load_c, load_s, load_square, load_direction
        offer: nuisance parameters that law="auto" adds where they lower the held-out error by more than 1 %.
            None: asymmetry, with ``load`` also load_c, load_s, load_square and load_direction
        fix: known parameters, by name
        train: fit only to this many first rows; the others are held out
        level: of the intervals
        by_position: let offset and friction depend on the position if that improves the prediction of held-out rows
        robust: Huber's loss, for outliers
        passive: only laws that cannot release more energy than is stored
        profile: intervals by profile likelihood, else only by the Jacobian
        starts: number of starting points
        flip_force: f is the force of friction on the body, f < 0 where v > 0
        x: position [m or rad], if v is not given
        speed_noise: standard deviation of the noise in v [m/s]; None: estimated
        hold_out: share of the last rows on which law="auto" compares laws, 0 to 0.9; 0, or without t: by BIC

    >>> rng = np.random.default_rng(1)
    >>> t = np.arange(0, 4, 0.004)
    >>> v = 0.05 * np.sin(2 * np.pi * t / 2)
    >>> f = 0.3 * np.sign(v) + 2.5 * v + rng.normal(0, 0.01, t.size)
    >>> fit = fit_law(t, v, f, law="viscous")
    >>> bool(fit["mu_c"].low < 0.3 < fit["mu_c"].high)
    True
    """
    if law not in _KINDS and law != "auto":
        raise ArgumentError("law", f"no such law: {law}; there are {', '.join(_KINDS)}, auto")
    if law == "auto" and train:
        raise ArgumentError("train", "is not for law='auto', which holds rows out itself: hold_out")
    fixed = dict(fix or {})
    values = [float(fixed.get(name, 0.0)) for name in _NAMES]
    nuisances = _bits(("offset", "start"), "free") | _bits(tuple(free), "free")
    of_load = () if load is None else ("load_c", "load_s", "load_square", "load_direction")
    offered = _bits(("asymmetry", *of_load) if offer is None else tuple(offer), "offer")
    warnings: list[str] = []
    if f is None:
        raise ArgumentError("f", "is missing: the force of friction")
    if v is None:
        v, speed_noise, words = _speed_of(t, x, speed_noise)
        warnings.append(words)
    elif x is not None:
        raise ArgumentError("x", "is not needed if v is given")
    force = np.empty(np.shape(to_float64(v, "v")))
    laws = list(_KINDS)
    chosen, compared, got, doubt = _core.law_fit(
        -1 if law == "auto" else laws.index(law), _column(t, "t"), _contiguous(v, "v"), _contiguous(f, "f"), _column(fn, "fn"), _column(load, "load"), nuisances, offered,
        _bits(tuple(fixed), "fix"), tuple(values),
        whole(train, "train"), level, by_position, robust, passive, profile, whole(starts, "starts", 1),
        flip_force, math.nan if speed_noise is None else speed_noise, hold_out, force,
    )  # fmt: skip
    if doubt:
        warnings.append(doubt)
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
    shift = {name: got["noise_shift"][k] for k, name in enumerate(_NAMES) if got["noise_felt"] >> k & 1}
    if shift:
        warnings.append(
            f"noise in v of about {got['speed_noise']:.2g} m/s shifts {', '.join(shift)}: their intervals are widened "
            "for it; filter v without delay, or measure it better"
        )
    return LawFit(
        law=Law(kind=_KINDS[laws[chosen]], **parameters),
        name=laws[chosen],
        estimates=Named({rows[k].name: rows[k] for k in kept}),
        correlation=correlation,
        force=force,
        offset_by_position=np.reshape(got["map"], (-1, 2)),
        friction_by_position=np.reshape(got["friction_map"], (-1, 2)),
        rows=got["rows"],
        rms=got["rms"],
        rms_held_out=got["rms_held_out"] if train or law == "auto" else math.nan,
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
        speed_noise=got["speed_noise"],
        noise_shift=shift,
        warnings=warnings,
        compared={laws[k]: error for k, error in compared.items()},
    )
