"""Constrained systems at an instant, and mechanisms in time, in generalised coordinates."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._common import ArrayLike, FloatArray, handle_of, INT_MAX, real, to_float64, whole
from .body import events_from, run_definition
from .errors import ArgumentError
from .law import Law
from .result import columns_from, Result

__all__ = ["Constrained", "ConstrainedValue", "Hold", "Mechanism", "Slide"]


class ConstrainedValue(NamedTuple):
    """Results of the equations of Huang et al., by their numbers."""

    rank: int  #: of A M^(-1/2)
    inconsistency: float  #: share of b outside the range of A [-]
    q_id: FloatArray  #: ideal constraint force (8) (n)
    multipliers: FloatArray  #: of smallest norm (m)
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
    """A sliding contact."""

    qdd: FloatArray  #: acceleration (n)
    n_frictionless: float  #: normal force without friction [N]
    n: float  #: normal force [N]
    friction: FloatArray  #: on the mechanism [N] (d)
    margin: float  #: distance from the Painleve limit [-]


class Hold(NamedTuple):
    """A contact point held at rest on the surface."""

    qdd: FloatArray  #: acceleration (n)
    force: FloatArray  #: that holds the point [N] (d)
    n: float  #: its normal part [N]
    tangential: float  #: size of its tangential part [N]
    friction: FloatArray  #: its tangential part [N] (d)
    possible: bool  #: a force can hold the point
    sticks: bool  #: and friction can provide it


def _array(value: ArrayLike | None, shape: tuple[int, ...], name: str) -> FloatArray | None:
    if value is None:
        return None
    array = np.array(to_float64(value, name), order="C")  # a copy, so that it does not change
    if array.shape != shape:
        raise ArgumentError(name, f"must be of shape {shape}, got {array.shape}")
    array.flags.writeable = False
    return array


def _length(value: ArrayLike, name: str) -> int:
    array = to_float64(value, name)
    if array.ndim == 0:
        raise ArgumentError(name, "must be an array, got a number")
    return len(array)


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Constrained:
    """M qdd = Q + A^T lambda + J^T F, A qdd = b, with friction F at a contact point of velocity J qd.

    Friction is against the velocity over the surface, along the surface.

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
        surface_velocity: of the surface at the contact point [m/s] (d); None: 0
        surface_acceleration: of its particle there [m/s^2] (d); None: 0
        contact: the row of A that constrains the contact point; None: found automatically

    >>> block = Constrained(  # 1 kg on a floor, pushed down by 9.81 N, sliding along x
    ...     M=np.eye(2), Q=[0, -9.81], A=[[0, 1]], b=[0], J=np.eye(2), qd=[1, 0],
    ...     normal=[[0, 1]], mu=0.3)
    >>> slide = block.slide()
    >>> round(slide.n, 6), round(float(slide.qdd[0]), 6)
    (9.81, -2.943)
    """

    M: FloatArray
    Q: FloatArray
    A: FloatArray
    b: FloatArray
    J: FloatArray
    qd: FloatArray
    normal: FloatArray | None
    mu: float
    mu_s: float
    C: FloatArray | None
    bias: FloatArray | None
    surface_velocity: FloatArray | None
    surface_acceleration: FloatArray | None
    contact: int | None
    _definition: tuple[Any, ...] = dataclasses.field(init=False)  # in the form that the extension expects

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
        surface_velocity: ArrayLike | None = None,
        surface_acceleration: ArrayLike | None = None,
        contact: int | None = None,
    ) -> None:
        for name, value in (("M", M), ("Q", Q), ("A", A), ("b", b), ("J", J), ("qd", qd)):
            if value is None:
                raise TypeError(f"{name}: must be an array, got None")
        n, m, d = _length(Q, "Q"), _length(b, "b"), _length(J, "J")
        normals = 0 if normal is None else _length(normal, "normal")
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
            _array(surface_velocity, (d,), "surface_velocity"),
            _array(surface_acceleration, (d,), "surface_acceleration"),
        )
        row = -1 if contact is None else whole(contact, "contact", 0, INT_MAX)
        mu = real(mu, "mu")
        static = mu if mu_s is None else real(mu_s, "mu_s")
        names = ("M", "Q", "A", "b", "J", "qd", "C", "bias", "normal", "surface_velocity", "surface_acceleration")
        values: dict[str, Any] = dict(zip(names, arrays), mu=mu, mu_s=static, contact=contact)
        definition = (n, m, d, arrays, normals, row, mu, static)
        for name, number in {**values, "_definition": definition}.items():
            object.__setattr__(self, name, number)
        _core.constrained_check(definition)

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
        """The paper's equations; their normal force is the frictionless one.

        >>> lift = Constrained(np.eye(2), [0, -9.81], [[0, 1]], [0], np.eye(2), [1, 0])
        >>> lift.eval().q_id
        array([0.  , 9.81])
        """
        return ConstrainedValue(*_core.constrained_eval(self._definition))

    def slide(self, law: Law | None = None, z: ArrayLike | None = None, *, paper: bool = False) -> Slide:
        """Normal force, friction and acceleration of a sliding contact; without a law: Coulomb.

        Args:
            law: friction at the contact
            z: its state (d) [m]
            paper: with the frictionless normal force, as printed
        """
        handle = None if law is None else handle_of(law, Law, "law")
        return Slide(*_core.constrained_slide(self._definition, handle, z, paper))

    def hold(self) -> Hold:
        """The force that holds the contact point, and whether friction can provide it.

        >>> rest = Constrained(np.eye(2), [2, -9.81], [[0, 1]], [0], np.eye(2), [0, 0],
        ...                    normal=[[0, 1]], mu=0.3)
        >>> rest.hold().sticks
        True
        """
        return Hold(*_core.constrained_hold(self._definition))


Dynamics = Callable[[float, FloatArray, FloatArray], tuple[ArrayLike, ArrayLike, float, float]]
Constraint = Callable[
    [float, FloatArray, FloatArray],
    "tuple[ArrayLike, ArrayLike, ArrayLike] | tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike]",
]
Touch = Callable[
    [float, FloatArray, FloatArray],
    "tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike]"
    " | tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike, ArrayLike, ArrayLike]",
]

_PARTS = {
    "dynamics": ("M", "Q", "potential", "power"),
    "constraint": ("A", "b", "gap", "rate"),
    "contact": ("point", "J", "bias", "normal", "surface_velocity", "surface_acceleration"),
}
#: how many of these a function may return
_COUNTS = {"dynamics": (4,), "constraint": (3, 4), "contact": (4, 6)}
_FORMS = ("vector", "per-axis", "printed")


def _check_shape(function: str, name: str, value: ArrayLike, shape: tuple[int, ...]) -> None:
    """Check the shape, so that C reads the numbers in the right order. One row may be flat, one number a scalar."""
    got = to_float64(value).shape
    flat = shape[1:] if shape[0] == 1 else shape
    if got not in (shape, flat) and not (got == (1,) and flat == ()):
        raise ArgumentError(function, f"{name} must be of shape {shape}, got {got}")


@dataclasses.dataclass
class Mechanism:
    """A mechanism with friction at one contact point, from three functions of (t, q, qd).

    Args:
        dynamics: returns M (n, n), Q (n), potential energy [J], power of forces that are not in it [W]
        constraint: returns A (m, n), b (m), gap (m); the contact's rows come first, d(gap)/dq = A. One that depends
            on time returns a fourth, rate (m): d(gap)/dt at fixed q
        contact: returns point (d), J (d, n), bias Jd qd (d), unit normals (d - 1, d). On a moving surface it returns
            two more: surface_velocity (d) at the point and surface_acceleration (d) of its particle there; only
            their parts along the surface count
        law: friction at the contact
        paper: with the frictionless normal force, as printed
        dahl: "vector", "per-axis" or "printed": how Dahl's law applies in the plane and in space
        sigma_axes, alpha_axes: Dahl's stiffness [N/m] and exponent of each axis (d), for the last two; None: the law's

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

    A conveyor that rises at 0.5 m/s and runs at 1.2 m/s takes a block with it:

    >>> def rising(t, q, qd):
    ...     return [[0.0, 1.0]], [0.0], [q[1] - 0.5 * t], [-0.5]
    >>> def belt(t, q, qd):
    ...     return q, np.eye(2), [0.0, 0.0], [[0.0, 1.0]], [1.2, 0.5], [0.0, 0.0]
    >>> carried = Mechanism(dynamics, rising, belt, Law(mu=0.3, kind="coulomb"))
    >>> result = carried.simulate(1.0, q=[0, 0], qd=[0, 0.5])
    >>> [round(float(result[name][-1]), 4) for name in ("qd1", "q2", "work_constraints")]
    [1.2, 0.5, 6.345]
    """

    dynamics: Dynamics
    constraint: Constraint
    contact: Touch
    law: Law = dataclasses.field(default_factory=lambda: Law(kind="coulomb"))
    paper: bool = False
    stabilisation: float = 20.0  #: Baumgarte's rate [1/s]
    dahl: str = "vector"
    sigma_axes: ArrayLike | None = None
    alpha_axes: ArrayLike | None = None

    def _call_function(self, name: str, q: FloatArray, qd: FloatArray) -> tuple[ArrayLike, ...]:
        """Call one of the functions at the start and check its result."""
        answer = getattr(self, name)(0.0, q.copy(), qd.copy())
        if not isinstance(answer, tuple) or len(answer) not in _COUNTS[name]:
            forms = " or ".join(f"({', '.join(_PARTS[name][:count])})" for count in _COUNTS[name])
            got = f"a tuple of {len(answer)}" if isinstance(answer, tuple) else repr(answer)
            raise TypeError(f"{name}: must return a tuple {forms}, got {got}")
        return answer

    def _sizes(self, q: FloatArray, qd: FloatArray) -> tuple[tuple[int, int, int, int], tuple[int, int]]:
        """n, m, d, normals, and how many parts constraint and contact return; also checks their shapes."""
        constraint, contact = self._call_function("constraint", q, qd), self._call_function("contact", q, qd)
        n, m, d = len(q), to_float64(constraint[1]).size, to_float64(contact[0]).size
        normals = max(to_float64(contact[3]).size // max(d, 1), 1)
        shapes = {
            "constraint": ((m, n), (m,), (m,), (m,)),
            "contact": ((d,), (d, n), (d,), (normals, d), (d,), (d,)),
        }
        for function, answer in (("constraint", constraint), ("contact", contact)):
            for name, value, shape in zip(_PARTS[function], answer, shapes[function]):
                _check_shape(function, name, value, shape)
        return (n, m, d, normals), (len(constraint), len(contact))

    def _dahl(self, d: int) -> tuple[int, FloatArray | None]:
        """The form of Dahl's law, and sigma and alpha of all axes."""
        if self.dahl not in _FORMS:
            raise ArgumentError("dahl", f"must be one of {', '.join(_FORMS)}, got {self.dahl!r}")
        form = _FORMS.index(self.dahl)
        if self.sigma_axes is None and self.alpha_axes is None:
            return form, None
        if self.law.kind != "dahl" or form == 0:
            raise ArgumentError("sigma_axes", "sigma_axes and alpha_axes need kind='dahl' and dahl='per-axis' or 'printed'")
        axes = []
        for name, value, default in (
            ("sigma_axes", self.sigma_axes, self.law.sigma0),
            ("alpha_axes", self.alpha_axes, self.law.alpha),
        ):
            numbers = np.full(d, default) if value is None else to_float64(value)
            if numbers.shape != (d,):
                raise ArgumentError(name, f"must be of shape ({d},), got {numbers.shape}")
            axes.append(numbers)
        return form, np.concatenate(axes)

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
            every: time between rows [s]; 0: 200 rows
            at: rows at these times instead [s]
            project: move a start that is off the constraint onto it
            rtol, atol, atol_z: tolerances; 0: defaults for mechanisms
        """
        start = to_float64(q)
        speed = np.zeros(start.shape) if qd is None else to_float64(qd)
        if start.ndim != 1 or speed.shape != start.shape:
            raise ArgumentError("q", "q and qd must be two lists of the same length")
        sizes, parts = self._sizes(start, speed)
        d = sizes[2]
        tables, cost, report = _core.mechanism_run(
            sizes,
            (self.dynamics, self.constraint, self.contact),
            parts,
            np.concatenate([start, speed]),
            handle_of(self.law, Law, "law"),
            self._dahl(d),
            self.paper,
            project,
            self.stabilisation,
            run_definition(duration, every, at, "rosenbrock", 0.0, rtol, atol, atol_z, max_step),
        )
        columns, units = columns_from(tables[0], tables[1])
        columns["sticks"] = (columns["mode"] == "stick").astype(float)
        result = Result("mechanism", columns, events_from(tables[2]), _summary(report, cost))
        units["sticks"] = "-"
        result.units = units
        return result


_WORKS = ("work_applied", "work_friction", "work_constraints")


def _summary(report: tuple[float, ...], cost: tuple[int, ...]) -> dict[str, Any]:
    names = ("drift", "residual", "turnover", "margin", "kinetic", "potential")
    summary: dict[str, Any] = dict(zip((*names, *_WORKS), report))
    summary.update(zip(("steps", "rejected", "evaluations", "jacobians", "factorisations"), cost))
    return summary
