"""Where a body bears, from slow pushes, and how sure that is."""

from __future__ import annotations

import dataclasses
import math
from typing import Sequence

import numpy as np

from . import _core
from ._common import ArrayLike, FloatArray, handle_of, to_float64, whole
from .errors import ArgumentError
from .fit_law import Estimate
from .patch import Patch

__all__ = ["fit_pressure", "fit_pushes", "PressureFit", "PushesFit"]

_CHOICES = ("uniform", "grid", "supports", "linear", "ring", "hertz")


def _rows(value: ArrayLike, width: int, name: str) -> FloatArray:
    rows = np.ascontiguousarray(to_float64(value))
    if rows.ndim != 2 or rows.shape[1] != width:
        raise ArgumentError(name, f"must be rows of {width} numbers, got shape {rows.shape}")
    return rows


def _patch(points: FloatArray) -> Patch:
    return Patch.points(points[:, :2], points[:, 2])


@dataclasses.dataclass(frozen=True)
class PressureFit:
    """What :func:`fit_pressure` gives."""

    patch: Patch  #: of support points, for everything that takes a patch
    points: FloatArray  #: x, y [m], weight; weights sum to 1 (n x 3)
    errors: FloatArray  #: standard errors of the weights (n)
    mu_fn: Estimate  #: friction coefficient times normal force [N]
    cop_x: Estimate  #: centre of pressure [m]
    cop_y: Estimate
    r: Estimate  #: mean distance from it [m]
    angle_error: float  #: between predicted and measured twists, mean [rad]
    validation_angle_error: float  #: the same for pairs that were left out [rad]
    choice: str  #: uniform, grid, supports, linear, ring, hertz
    tried: dict[str, float]  #: validation error of each choice that was tried [rad]
    strength: float  #: of what was expected; infinite: the data changed nothing
    radius: float  #: of a ring or of Hertz's pressure [m]; else 0
    pairs: int
    ignored: int  #: pairs with wrench . twist <= 0


@dataclasses.dataclass(frozen=True)
class PushesFit:
    """What :func:`fit_pushes` gives."""

    patch: Patch  #: of support points, for everything that takes a patch
    points: FloatArray  #: x, y [m], weight; weights sum to 1 (n x 3)
    errors: FloatArray  #: standard errors of the weights (n)
    mu_tip: Estimate  #: friction of the tip on the body
    cop_x: Estimate  #: centre of pressure [m]
    cop_y: Estimate
    r: Estimate  #: mean distance from it [m]
    position_error: float  #: of the predicted ends, mean [m]
    angle_error: float  #: of the predicted ends, mean [rad]
    validation_position_error: float  #: the same for pushes that were left out [m]
    validation_angle_error: float  #: [rad]
    keeps_patch: bool  #: the expected pressure predicts as well as a fitted one
    strength: float  #: of what was expected
    pushes: int


def fit_pressure(
    wrenches: ArrayLike,
    twists: ArrayLike,
    outline: Patch,
    *,
    supports: Patch | None = None,
    tolerance: float = 0.0,
    choices: Sequence[str] = (),
    cells: int = 11,
) -> PressureFit:
    """Fit a pressure to what pushes a body and how it moves, slowly.

    Args:
        wrenches: on the body by the pusher, body frame, at its origin [N, N, N m] (n x 3)
        twists: of the body, there, up to a positive factor each [m/s, m/s, rad/s] (n x 3)
        outline: where the body can bear; its pressure is what is expected
        supports: known supports, a patch of points
        tolerance: of their places [m]
        choices: what to choose from; by default uniform, grid, and supports where there are any
        cells: of the grid across the outline

    >>> from bristle import LimitSurface
    >>> truth = LimitSurface(Patch.points([[0.04, 0.02], [-0.03, 0.02], [0, -0.02]], [0.5, 0.3, 0.2]))
    >>> rng = np.random.default_rng(1)
    >>> cop = truth.patch.at(1).cop
    >>> v = rng.normal(size=(100, 3)) * [1, 1, 30]
    >>> f = -4.0 * truth.wrench(v)  # at the CoP: both go to the frame's origin
    >>> f[:, 2] += cop[0] * f[:, 1] - cop[1] * f[:, 0]
    >>> v[:, 0] += v[:, 2] * cop[1]; v[:, 1] -= v[:, 2] * cop[0]
    >>> fit = fit_pressure(f, v, Patch.rectangle((0.1, 0.06)))
    >>> fit.choice, round(fit.mu_fn.value, 1)
    ('grid', 4.0)
    """
    unknown = [name for name in choices if name not in _CHOICES]
    if unknown:
        raise ArgumentError("choices", f"no such choice: {unknown[0]}; there are {', '.join(_CHOICES)}")
    f, v = _rows(wrenches, 3, "wrenches"), _rows(twists, 3, "twists")
    if len(f) != len(v):
        raise ArgumentError("twists", "must be as many as wrenches")
    bits = sum(1 << _CHOICES.index(name) for name in set(choices))
    handle = None if supports is None else handle_of(supports, Patch, "supports")
    got = _core.pressure_fit(
        np.hstack([f, v]), handle_of(outline, Patch, "outline"), handle, tolerance, whole(cells, "cells"), bits
    )
    for name in ("mu_fn", "cop_x", "cop_y", "r"):
        got[name] = Estimate(*got[name])
    got["tried"] = {k: float(x) for k, x in zip(_CHOICES, got["tried"]) if not math.isnan(x)}
    return PressureFit(patch=_patch(got["points"]), **got)


def fit_pushes(
    starts: ArrayLike,
    ends: ArrayLike,
    tip_from: ArrayLike,
    tip_to: ArrayLike,
    outline: Patch,
    *,
    tip_radius: float = 0.0,
    patch: Patch | None = None,
    mu_tip: float = 0.25,
    keep_mu: bool = False,
    cells: int = 9,
) -> PushesFit:
    """Fit a pressure and the friction of the pusher's tip to pushes alone: no force is measured.

    Args:
        starts: poses of the body before, world frame [m, m, rad] (n x 3)
        ends: poses after (n x 3)
        tip_from: centre of the tip at the start of its straight way [m] (n x 2)
        tip_to: and at its end [m] (n x 2)
        outline: what the tip touches, and where the body can bear
        tip_radius: of the tip [m]
        patch: the pressure that is expected; None: the outline's own
        mu_tip: friction of the tip that is expected
        keep_mu: take mu_tip as known
        cells: of the grid across the outline
    """
    rows = np.hstack([_rows(starts, 3, "starts"), _rows(ends, 3, "ends"), _rows(tip_from, 2, "tip_from"),
                      _rows(tip_to, 2, "tip_to")])  # fmt: skip
    handle = None if patch is None else handle_of(patch, Patch, "patch")
    got = _core.pushes_fit(
        np.ascontiguousarray(rows), handle_of(outline, Patch, "outline"), handle, tip_radius, mu_tip, keep_mu,
        whole(cells, "cells"),
    )
    for name in ("mu_tip", "cop_x", "cop_y", "r"):
        got[name] = Estimate(*got[name])
    return PushesFit(patch=_patch(got["points"]), **got)
