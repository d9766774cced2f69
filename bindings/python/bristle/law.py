"""Friction laws at a point, along one line."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from . import _core
from ._common import ArrayLike, both, choose, Definition, FloatArray, real
from .errors import DefinitionError

__all__ = ["Anisotropy", "Law"]

_KINDS = ("coulomb", "stiction", "stribeck", "dahl", "lugre", "elasto-plastic")
LAW_PARAMETERS = (
    "mu_c", "mu_s", "v_stribeck", "gamma", "sigma0", "sigma1", "sigma2", "s_ba", "alpha", "v_damping"
)  # fmt: skip
_ALL = 7  # BR_RULE_ALL: sigma0, sigma1 and v_damping
_ONE_COEFFICIENT = ("coulomb", "dahl")  # they do not use mu_s


def _coefficients(
    kind: str, mu: float | None, mu_c: float | None, mu_s: float | None
) -> tuple[float | None, float | None]:
    """mu_c and mu_s; None if no coefficient is given."""
    if mu is not None:
        if mu_c is not None and mu_s is not None:
            raise DefinitionError("mu", "has no meaning beside mu_c and mu_s: leave it, or one of them, out")
        return mu if mu_c is None else mu_c, mu if mu_s is None else mu_s
    if mu_s is None and kind in _ONE_COEFFICIENT:
        return mu_c, mu_c
    if (mu_c is None) != (mu_s is None):
        given, missing = ("mu_s", "mu_c") if mu_c is None else ("mu_c", "mu_s")
        raise DefinitionError(given, f"needs {missing}, too; or give mu, and what is not given follows from it")
    return mu_c, mu_s


class Anisotropy(NamedTuple):
    """Friction that depends on the direction of sliding: |A^-1 f| <= mu fn, f = -mu fn A^2 v/|A v| of each point.

    mu holds along the second axis, ratio times mu along the first. Stiffness, damping and viscous friction are ratio^2
    times as large along the first axis (docs/explanation/models.md).

    >>> from bristle import LimitSurface, Patch
    >>> LimitSurface(Patch.disc(0.01), anisotropy={"ratio": 1.5}).wrench([1.0, 0.0, 0.0])[0]
    -1.5
    """

    ratio: float = 1.0  #: friction along the first axis over that along the second [-], 1e-3 to 1e3
    angle: float = 0.0  #: of the first axis from x of the contact frame, or of the ground [rad]
    axes: str = "body"  #: what the axes are fixed to: body, the side with the patch, or ground, the other one


_AXES = ("body", "ground")


def anisotropy_of(given: Anisotropy | Mapping[str, Any] | None) -> Anisotropy:
    """An anisotropy as it is given: None is isotropic."""
    if given is None:
        return Anisotropy()
    if isinstance(given, Mapping):
        unknown = [name for name in given if name not in Anisotropy._fields]
        if unknown:
            raise DefinitionError(f"anisotropy.{unknown[0]}", f"is unknown; there are {', '.join(Anisotropy._fields)}")
        given = Anisotropy(**given)
    if not isinstance(given, Anisotropy):
        raise TypeError(f"anisotropy: must be an Anisotropy or a mapping with ratio, angle, axes, got {given!r}")
    choose(given.axes, _AXES, "anisotropy.axes")
    return Anisotropy(real(given.ratio, "anisotropy.ratio"), real(given.angle, "anisotropy.angle"), given.axes)


def anisotropy_numbers(of: Anisotropy) -> tuple[float, float, int]:
    """In the form that the extension expects."""
    return of.ratio, of.angle, _AXES.index(of.axes)


@dataclasses.dataclass(frozen=True, init=False)
class Law(Definition):
    """A friction law and its parameters.

    With only ``mu``, or ``mu_c`` and ``mu_s`` without ``sigma0``, it is dry friction that sticks
    and slides with these coefficients, as ``friction`` of a scenario (docs/explanation/models.md).
    Parameters that are not given follow from them, here for a point (see :meth:`from_mu`). A
    :class:`Contact` adapts them to its patch, a :class:`Body` to its vibration modes. Without
    coefficients, or with ``mu_c``, ``mu_s`` and ``sigma0``, what is not given is that of Waltersson
    & Karayiannidis, Table I. A given sigma1 is constant unless v_damping is also given. Forces are
    per normal force; a law resists along +v.

    Args:
        mu: coefficient of friction [-], sets mu_c and mu_s; one of them may be given in addition
        kind: coulomb, stiction, stribeck, dahl, lugre or elasto-plastic
        mu_c: Coulomb coefficient [-], > 0
        mu_s: static coefficient [-], >= mu_c
        v_stribeck: Stribeck speed [m/s], > 0
        gamma: Stribeck exponent [-], > 0
        sigma0: stiffness of the bristles [1/m], for Dahl [N/m], > 0
        sigma1: damping of the bristles [s/m], >= 0
        sigma2: viscous coefficient [s/m], >= 0
        s_ba: breakaway fraction [-], in [0, 1)
        alpha: Dahl's exponent [-], > 0
        v_damping: speed at which half of sigma1 is left [m/s], >= 0; 0 and inf: constant damping

    >>> law = Law(mu=0.3)
    >>> law.mu_c, law.mu_s
    (0.3, 0.3)
    >>> Law(mu_c=0.3, mu_s=0.3) == law
    True
    >>> z = law.state()
    >>> round(law.step(z, v=0.1, fn=10.0, h=10.0), 3)  # 0.3 times 10 N, once it slides
    3.0
    """

    kind: str
    mu_c: float
    mu_s: float
    v_stribeck: float
    gamma: float
    sigma0: float
    sigma1: float
    sigma2: float
    s_ba: float
    alpha: float
    v_damping: float

    def __init__(
        self,
        mu: float | None = None,
        *,
        kind: str = "elasto-plastic",
        mu_c: float | None = None,
        mu_s: float | None = None,
        v_stribeck: float | None = None,
        gamma: float | None = None,
        sigma0: float | None = None,
        sigma1: float | None = None,
        sigma2: float | None = None,
        s_ba: float | None = None,
        alpha: float | None = None,
        v_damping: float | None = None,
    ) -> None:
        index = choose(kind, _KINDS, "kind")
        mu_c, mu_s = _coefficients(kind, mu if mu is None else real(mu, "mu"), mu_c, mu_s)
        if mu is not None or (mu_c is not None and sigma0 is None):
            by_rule = (sigma0 is None, sigma1 is None, sigma1 is None and v_damping is None)
            self._set(_rule=sum(flag << i for i, flag in enumerate(by_rule)))
            sigma2 = 0.0 if sigma2 is None else sigma2
        named = (mu_c, mu_s, v_stribeck, gamma, sigma0, sigma1, sigma2, s_ba, alpha, v_damping)
        values = {
            name: float(base) if value is None else real(value, name)
            for name, base, value in zip(LAW_PARAMETERS, _core.law_default(index), named)
        }
        self._set(kind=kind, **values)
        self._make()
        if self._rule:
            self._set(**self._completed(self._rule)._values())
            self._make()

    # the parameters that follow from the coefficients, a sum of br_law_rule; contacts and bodies adapt them
    _rule = 0

    def _completed(self, rule: int, r: float = 0.0, mass: float = 0.0, fn: float = 0.0) -> Law:
        """A law with fixed parameters, of which those in `rule` follow from the coefficients."""
        numbers = _core.law_complete(self._handle, rule, r, mass, fn).tolist()
        copy = object.__new__(Law)
        copy.__setstate__({"kind": self.kind, **dict(zip(LAW_PARAMETERS, numbers))})
        return copy

    def __getstate__(self) -> dict[str, Any]:
        return {**self._values(), "_rule": self._rule}

    def _make(self) -> None:
        parameters = (getattr(self, name) for name in LAW_PARAMETERS)
        self._set(_handle=_core.law_make(choose(self.kind, _KINDS, "kind"), *parameters))

    @classmethod
    def from_mu(cls, mu: float, r: float = 0.0, mass: float = 0.0, fn: float = 0.0) -> Law:
        """Friction from only its coefficient, with bristles chosen for a patch and a body.

        Elasto-plastic, mu_s = mu_c = mu. The bristles deflect by 2 um for each mm of the patch's r
        before breakaway, and are damped so that the body does not vibrate on them. The damping fades
        with speed, so that it does not affect sliding.

        Args:
            mu: coefficient of friction [-], > 0
            r: mean distance of the patch from its centre of pressure [m]; 0: a point
            mass: mass that vibrates on the bristles [kg]; 0: the motion is imposed
            fn: normal force of all contacts that share the motion [N]

        >>> round(Law.from_mu(0.3, r=0.01).sigma0)  # 0.3 over 20 um
        15000
        """
        return cls(mu)._completed(_ALL, r, mass, fn)

    @property
    def has_state(self) -> bool:
        """Does the law have a bristle? If not it is set-valued at rest.

        >>> Law(kind="coulomb").has_state
        False
        """
        return _core.law_has_state(self._handle)

    @property
    def passivity_margin(self) -> float:
        """Margin of a sufficient condition for passivity [s/m]: sigma2 - sigma1 (mu_s - mu_c)/mu_c
        or, if it is larger, 3.5 mu_c/v_damping - sigma1. Negative: some motions may extract more
        energy from the bristles than was stored.

        >>> Law(mu=0.3).passivity_margin > 0
        True
        """
        return _core.law_passivity_margin(self._handle)

    def state(self, shape: SupportsIndex | tuple[SupportsIndex, ...] = ()) -> FloatArray:
        """Bristles at rest [m]: zeros.

        >>> Law().state(3)
        array([0., 0., 0.])
        """
        return np.zeros(shape)

    def g(self, v: ArrayLike, out: FloatArray | None = None) -> Any:
        """Steady-state coefficient at a speed v [m/s]: mu_s at rest, mu_c at high speed [-].

        >>> law = Law(mu_c=0.2, mu_s=0.3)
        >>> law.g(0.0), round(law.g(1.0), 6)
        (0.3, 0.2)
        """
        return _core.law_g(self._handle, v, out)

    def eval(
        self,
        z: ArrayLike,
        v: ArrayLike,
        fn: ArrayLike,
        out: tuple[FloatArray | None, FloatArray | None] = (None, None),
    ) -> tuple[Any, Any]:
        """Resistance along +v [N] and rate of the bristle [m/s], at an instant.

        Args:
            z: bristle [m]
            v: velocity [m/s]
            fn: normal force [N], >= 0
            out: where to write both

        >>> f, dz = Law(mu=0.3).eval(0.0, 1e-6, 1.0)
        >>> dz  # far from sliding the bristle follows the motion
        1e-06
        """
        return _core.law_eval(self._handle, z, v, fn, *both(out))

    def gradient(
        self, z: ArrayLike, v: ArrayLike, fn: ArrayLike, out: FloatArray | None = None
    ) -> FloatArray:
        """Derivatives of :meth:`eval` (..., 2, 3): of f and dz by z, v and fn.

        >>> Law(mu=0.3).gradient(0.0, 0.0, 1.0).shape
        (2, 3)
        """
        return _core.law_gradient(self._handle, z, v, fn, out)

    def step(
        self, z: FloatArray, v: ArrayLike, fn: ArrayLike, h: float, out: FloatArray | None = None
    ) -> Any:
        """Advance the bristles in place over a step with the velocity held; any size of step is stable.

        Args:
            z: bristle [m], an array, changed
            v: velocity, held [m/s]
            fn: normal force, held [N], >= 0
            h: step [s], > 0

        Returns:
            mean resistance along +v over the step [N]

        >>> law, v = Law(mu=0.3), [-0.1, 0.0, 0.1]
        >>> law.step(law.state(3), v, fn=1.0, h=10.0).round(3)
        array([-0.3,  0. ,  0.3])
        """
        return _core.law_step(self._handle, z, v, fn, h, out)
