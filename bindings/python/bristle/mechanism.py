"""Constrained systems at an instant, and mechanisms in time, in generalised coordinates."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._common import ArrayLike, FloatArray, to_float64
from .body import events_from, run_definition
from .errors import ArgumentError
from .law import Law
from .result import Result

__all__ = ["Constrained", "ConstrainedValue", "Hold", "Mechanism", "Slide"]


class ConstrainedValue(NamedTuple):
    """What the equations of Huang et al. give, by their numbers."""

    rank: int  #: of A M^(-1/2)
    inconsistency: float  #: share of b outside the range of A [-]
    q_id: FloatArray  #: ideal constraint force (8) (n)
    multipliers: FloatArray  #: of least norm (m)
    qdd_ideal: FloatArray  #: acceleration without friction (n)
    q_nid: FloatArray  #: (9) (n)
    qdd_with_c: FloatArray  #: (10) (n)
    q_p: FloatArray  #: (12) (n)
    q_t: FloatArray  #: (13) (n)
    f_n: FloatArray  #: frictionless normal force (19) [N] (d)
    f_t: FloatArray  #: tangential force (20) [N] (d)
    f_c: FloatArray  #: Coulomb friction (21) [N] (d)
    q_c: FloatArray  #: the same, generalised (24) (n)
    stick: int  #: the threshold of (25)
    f_s: FloatArray  #: stiction (26) [N] (d)
    q_s: FloatArray  #: the same, generalised (27) (n)


class Slide(NamedTuple):
    """A contact that slides."""

    qdd: FloatArray  #: acceleration (n)
    n_frictionless: float  #: normal force without friction [N]
    n: float  #: normal force [N]
    friction: FloatArray  #: on the mechanism [N] (d)
    margin: float  #: distance from the Painleve limit [-]


class Hold(NamedTuple):
    """A contact point that is held where it is."""

    qdd: FloatArray  #: acceleration of the rest (n)
    force: FloatArray  #: that holds the point [N] (d)
    n: float  #: its normal part [N]
    tangential: float  #: size of its tangential part [N]
    friction: FloatArray  #: its tangential part [N] (d)
    possible: bool  #: a force can hold the point
    sticks: bool  #: and friction can give it


def _array(value: ArrayLike | None, shape: tuple[int, ...], name: str) -> FloatArray | None:
    if value is None:
        return None
    array = np.array(to_float64(value), order="C")  # its own, so that it stays as it is
    if array.shape != shape:
        raise ArgumentError(name, f"must be of shape {shape}, got {array.shape}")
    array.flags.writeable = False
    return array


class Constrained:
    """M qdd = Q + A^T lambda + J^T F, A qdd = b, with friction F at a contact point of velocity J qd.

    Args:
        M: mass matrix (n, n)
        Q: applied force, with centrifugal and Coriolis terms (n)
        A, b: constraints (m, n), (m)
        J: Jacobian of the contact point (d, n), d = 2 or 3
        qd: velocity (n)
        normal: unit normals of the contact (normals, d)
        mu: Coulomb coefficient [-]; mu_s: static coefficient [-], None: mu
        C: force that does work on the constraint (n)
        bias: Jd qd (d)
        contact: the row of A that keeps the contact point; None: found

    >>> block = Constrained(  # 1 kg on a floor, pushed down by 9.81 N, sliding along x
    ...     M=np.eye(2), Q=[0, -9.81], A=[[0, 1]], b=[0], J=np.eye(2), qd=[1, 0],
    ...     normal=[[0, 1]], mu=0.3)
    >>> slide = block.slide()
    >>> round(slide.n, 6), round(float(slide.qdd[0]), 6)
    (9.81, -2.943)
    """

    def __init__(
        self,
        M: ArrayLike,
        Q: ArrayLike,
        A: ArrayLike,
        b: ArrayLike,
        J: ArrayLike,
        qd: ArrayLike,
        *,
        normal: ArrayLike | None = None,
        mu: float = 0.0,
        mu_s: float | None = None,
        C: ArrayLike | None = None,
        bias: ArrayLike | None = None,
        contact: int | None = None,
    ) -> None:
        n = len(to_float64(Q))
        m = len(to_float64(b))
        d = len(to_float64(J))
        normals = 0 if normal is None else len(to_float64(normal))
        arrays = (
            _array(M, (n, n), "M"),
            _array(Q, (n,), "Q"),
            _array(A, (m, n), "A"),
            _array(b, (m,), "b"),
            _array(J, (d, n), "J"),
            _array(qd, (n,), "qd"),
            _array(C, (n,), "C"),
            _array(bias, (d,), "bias"),
            _array(normal, (normals, d), "normal"),
        )
        row = -1 if contact is None else contact
        static = mu if mu_s is None else mu_s
        self._definition = (n, m, d, arrays, normals, row, float(mu), float(static))
        _core.constrained_check(self._definition)

    def _key(self) -> tuple[Any, ...]:
        n, m, d, arrays, *rest = self._definition
        return (n, m, d, *(None if a is None else a.tobytes() for a in arrays), *rest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constrained) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        n, m, d, _, normals, _, mu, mu_s = self._definition
        return f"<Constrained: {n} coordinates, {m} constraints, {normals} normals in {d}-D, mu {mu}, mu_s {mu_s}>"

    def eval(self) -> ConstrainedValue:
        """The paper's own equations; their normal force is the frictionless one.

        >>> lift = Constrained(np.eye(2), [0, -9.81], [[0, 1]], [0], np.eye(2), [1, 0])
        >>> lift.eval().q_id
        array([0.  , 9.81])
        """
        return ConstrainedValue(*_core.constrained_eval(self._definition))

    def slide(self, law: Law | None = None, z: ArrayLike | None = None, *, paper: bool = False) -> Slide:
        """Normal force, friction and acceleration of a contact that slides; Coulomb without a law.

        Args:
            law: friction at the contact
            z: its state (d) [m]
            paper: with the frictionless normal force, as printed
        """
        handle = None if law is None else law._handle
        return Slide(*_core.constrained_slide(self._definition, handle, z, paper))

    def hold(self) -> Hold:
        """The force that holds the contact point, and whether friction can give it.

        >>> rest = Constrained(np.eye(2), [2, -9.81], [[0, 1]], [0], np.eye(2), [0, 0],
        ...                    normal=[[0, 1]], mu=0.3)
        >>> rest.hold().sticks
        True
        """
        return Hold(*_core.constrained_hold(self._definition))


Dynamics = Callable[[float, FloatArray, FloatArray], tuple[ArrayLike, ArrayLike, float, float]]
Constraint = Callable[[float, FloatArray, FloatArray], tuple[ArrayLike, ArrayLike, ArrayLike]]
Touch = Callable[
    [float, FloatArray, FloatArray], tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike]
]


@dataclasses.dataclass
class Mechanism:
    """A mechanism with friction at one contact point, from three functions of (t, q, qd).

    Args:
        dynamics: gives M (n, n), Q (n), potential energy [J], power of forces that are not in it [W]
        constraint: gives A (m, n), b (m), gap (m); the contact's rows come first, d(gap)/dq = A
        contact: gives point (d), J (d, n), bias Jd qd (d), unit normals (d - 1, d)
        law: friction at the contact
        paper: with the frictionless normal force, as printed

    >>> def dynamics(t, q, qd):
    ...     return np.eye(2), [0.0, -9.81], 9.81 * q[1], 0.0
    >>> def floor(t, q, qd):
    ...     return [[0.0, 1.0]], [0.0], [q[1]]
    >>> def touch(t, q, qd):
    ...     return q, np.eye(2), [0.0, 0.0], [[0.0, 1.0]]
    >>> block = Mechanism(dynamics, floor, touch, Law(mu=0.3, kind="coulomb"))
    >>> result = block.simulate(0.5, q=[0, 0], qd=[1, 0])
    >>> [event.kind for event in result.events]
    ['stick']
    >>> round(float(result["q1"][-1]), 4)  # 1/(2 mu g)
    0.1699
    """

    dynamics: Dynamics
    constraint: Constraint
    contact: Touch
    law: Law = dataclasses.field(default_factory=lambda: Law(kind="coulomb"))
    paper: bool = False
    stabilisation: float = 20.0  #: Baumgarte's rate [1/s]

    def _ask(self, name: str, count: int, q: FloatArray, qd: FloatArray) -> tuple[ArrayLike, ...]:
        """What one of the functions gives at the start."""
        answer = getattr(self, name)(0.0, q.copy(), qd.copy())
        if not isinstance(answer, tuple) or len(answer) != count:
            raise TypeError(f"{name}: must return a tuple of {count}, got {answer!r}")
        return answer

    def simulate(
        self,
        duration: float,
        q: ArrayLike,
        qd: ArrayLike | None = None,
        every: float = 0.0,
        *,
        at: ArrayLike | None = None,
        project: bool = False,
        rtol: float = 0.0,
        atol: float = 0.0,
        atol_z: float = 0.0,
        max_step: float = math.inf,
    ) -> Result:
        """Run it from q (n), qd (n); an exception of a function ends the run and is raised.

        Args:
            duration: [s], > 0
            every: rows each so many seconds [s]; 0: 200 of them
            at: rows at these times instead [s]
            project: move a start that is off the constraint onto it
            rtol, atol, atol_z: tolerances; 0: those that mechanisms deserve
        """
        start = to_float64(q)
        speed = np.zeros(start.shape) if qd is None else to_float64(qd)
        if start.ndim != 1 or speed.shape != start.shape:
            raise ArgumentError("q", "q and qd must be two lists of the same length")
        _, b, _ = self._ask("constraint", 3, start, speed)
        m = len(to_float64(b))
        point, _, _, normal = self._ask("contact", 4, start, speed)
        d = len(to_float64(point))
        sizes = (len(start), m, d, to_float64(normal).size // d)
        tables, cost, report = _core.mechanism_run(
            sizes,
            (self.dynamics, self.constraint, self.contact),
            np.concatenate([start, speed]),
            self.law._handle,
            self.paper,
            project,
            self.stabilisation,
            run_definition(duration, every, at, "rosenbrock", 0.0, rtol, atol, atol_z, max_step),
        )
        return Result(
            "mechanism", _columns(tables[0], len(start), d), events_from(tables[1]), _summary(report, cost)
        )


_FIRST = ("t", "fn", "sticks", "work_applied", "work_friction", "drift", "residual")


def _columns(rows: FloatArray, n: int, d: int) -> dict[str, Any]:
    axes = "xyz"[:d]
    names = [*_FIRST, *(f"q{i + 1}" for i in range(n)), *(f"qd{i + 1}" for i in range(n))]
    names += [*axes, *(f"f{axis}" for axis in axes)]
    return {name: rows[:, i].copy() for i, name in enumerate(names)}


def _summary(report: tuple[float, ...], cost: tuple[int, ...]) -> dict[str, Any]:
    names = ("drift", "residual", "turnover", "margin", "kinetic", "potential")
    summary: dict[str, Any] = dict(zip((*names, "work_applied", "work_friction"), report))
    summary.update(zip(("steps", "rejected", "evaluations", "jacobians", "factorisations"), cost))
    return summary
