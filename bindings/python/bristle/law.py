"""Friction laws at a point, along one line."""

from __future__ import annotations

import dataclasses
from typing import Any, SupportsIndex

import numpy as np

from . import _core
from ._common import ArrayLike, Definition, FloatArray

__all__ = ["Law"]

_NAMES = ("mu_c", "mu_s", "v_stribeck", "gamma", "sigma0", "sigma1", "sigma2", "s_ba", "alpha")


@dataclasses.dataclass(frozen=True, init=False)
class Law(Definition):
    """A friction law and its parameters.

    With ``mu`` alone it is dry friction that holds still and slides with that coefficient (see
    :meth:`from_mu`); without it, the measured parameters of Waltersson & Karayiannidis, Table I.
    Everything else that is named replaces what that gives. Forces are per normal force; a law resists
    along +v.

    Args:
        mu: coefficient of friction [-], sets mu_c and mu_s
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

    >>> law = Law(mu=0.3)
    >>> law.mu_c, law.mu_s
    (0.3, 0.3)
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
    ) -> None:
        start = _core.law_default(kind) if mu is None else _core.law_from_mu(mu, 0.0, 0.0, 0.0)
        named = (mu_c, mu_s, v_stribeck, gamma, sigma0, sigma1, sigma2, s_ba, alpha)
        values = {
            name: float(base if value is None else value)
            for name, base, value in zip(_NAMES, start, named)
        }
        self._set(kind=kind, **values)
        self._make()

    def _make(self) -> None:
        parameters = tuple(getattr(self, name) for name in _NAMES)
        self._set(_handle=_core.law_make(self.kind, parameters))

    @classmethod
    def from_mu(cls, mu: float, r: float = 0.0, mass: float = 0.0, fn: float = 0.0) -> Law:
        """Friction from its coefficient alone, with bristles that suit a patch and a body.

        Elasto-plastic, mu_s = mu_c = mu; the bristles give way by 2 um for each mm of the patch's r
        before it breaks away, and are damped so that the body does not ring on them.

        Args:
            mu: coefficient of friction [-], > 0
            r: mean distance of the patch from its centre of pressure [m]; 0: a point
            mass: that swings on the bristles [kg]; 0: the motion is given
            fn: normal force of all contacts that share the motion [N]

        >>> round(Law.from_mu(0.3, r=0.01).sigma0)  # 0.3 over 20 um
        15000
        """
        names: dict[str, Any] = dict(zip(_NAMES, _core.law_from_mu(mu, r, mass, fn)))
        return cls(**names)

    @property
    def has_state(self) -> bool:
        """Does the law have a bristle? If not it is set-valued at rest.

        >>> Law(kind="coulomb").has_state
        False
        """
        return _core.law_has_state(self._handle)

    @property
    def passivity_margin(self) -> float:
        """sigma2 - sigma1 (mu_s - mu_c)/mu_c [s/m]; negative: some motions may take energy out of the
        bristles that nobody put in.

        >>> Law(mu=0.3).passivity_margin
        0.0
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
        >>> dz  # far from sliding the bristle goes along
        1e-06
        """
        return _core.law_eval(self._handle, z, v, fn, out[0], out[1])

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
