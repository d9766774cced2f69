"""Planar contacts: friction of a patch that slides and spins, from a law and a method."""

from __future__ import annotations

import dataclasses
import weakref
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, SupportsIndex, TYPE_CHECKING

import numpy as np

from . import _core
from ._common import ArrayLike, both, choose, Chosen, Definition, FloatArray, handle_of, pair, real, to_float64, whole
from .errors import ArgumentError
from .field import Field
from .gradient import law_dict, refuse, StepGradient
from .law import Anisotropy, anisotropy_numbers, anisotropy_of, Law
from .limit import LimitSurface
from .patch import Patch

__all__ = ["Centres", "Contact", "Gradient", "Parts", "PartValues", "Slip"]


class Gradient(NamedTuple):
    """Derivatives of :meth:`Contact.eval`; N is the number of states."""

    f_z: FloatArray  #: of the wrench by the state (..., 3, N)
    f_v: FloatArray  #: of the wrench by the twist (..., 3, 3)
    f_fn: FloatArray  #: of the wrench by the normal force, at a constant patch (..., 3)
    dz_z: FloatArray  #: of the rates by the state (..., N, N)
    dz_v: FloatArray  #: of the rates by the twist (..., N, 3)


class Slip(NamedTuple):
    """Slip of a contact."""

    rate: Any  #: speed of the irreversible motion [m/s]
    state: Any  #: 0 sticks, 1 slips, 2 is open
    margin: Any  #: > 0: slips [-]


class Centres(NamedTuple):
    """Centres of a contact, and how much friction it has."""

    pressure: FloatArray  #: centre of pressure, contact frame [m] (2)
    friction: FloatArray  #: centre of friction, of mu p; where mu is uniform, the same [m] (2)
    factor: float  #: mean of the field's factor [-]; 1 without a field


class Parts(NamedTuple):
    """The n parts into which a contact divides its patch."""

    position: FloatArray  #: from the centre of pressure, patch axes [m] (n, 2)
    weight: FloatArray  #: share of the normal force times the field's factor [-] (n)
    covariance: FloatArray  #: of the pressure within it: xx, xy, yy [m^2] (n, 3)


class PartValues(NamedTuple):
    """State and wrench of each part at an instant, contact frame."""

    position: FloatArray  #: [m] (..., n, 2)
    v: FloatArray  #: velocity over the ground [m/s] (..., n, 2)
    z: FloatArray  #: deflection [m] (..., n, 2)
    dz: FloatArray  #: its rate [m/s] (..., n, 2)
    wrench: FloatArray  #: on the body, about `position` [N, N, N m] (..., n, 3)


_METHODS = tuple(_core.contact_methods())

# Contacts that own their geometry, by all that defines it
_shared: weakref.WeakValueDictionary[tuple[Any, ...], Contact] = weakref.WeakValueDictionary()

Given = ArrayLike | Callable[[float], ArrayLike]


class _Kept(tuple[float, float]):
    """The centre of pressure of a contact. ``dataclasses.replace`` passes it on, with the rule by which the contact has
    adapted its law."""

    law: Law | None = None
    rule = 0


@dataclasses.dataclass(frozen=True, init=False)
class Contact(Definition):
    """A planar contact with bristles.

    Twists (vx, vy, w) [m/s, m/s, rad/s] of the body over the ground and wrenches (fx, fy, tau)
    [N, N, N m] on the body are taken at the patch's centre of pressure. The state z belongs to the
    caller: ``contact.state()``. All functions broadcast over leading dimensions: (1000, 3) twists and
    (1000, N) states are 1000 contacts.

    Args:
        patch: contact area; None only for ``ellipsoid`` with r, u, cop
        law: a Law, or a coefficient of friction [-], ``Law(mu=...)``. Parameters of the law that follow from its
            coefficients are adapted to the patch, by a :class:`Body` to its vibration modes
        method: blocks (recommended), distributed, reduced or ellipsoid
        resolution: blocks or cells across, nodes of a table; 0: chosen automatically
        surface: for ``reduced``; None: chosen for the patch
        guard: reduced, ellipsoid: steps never release more energy than is stored
        r, u, cop: of an ``ellipsoid`` without patch [m], [m^2], [m]
        anisotropy: friction that depends on the direction, an :class:`Anisotropy` or a mapping with its keys; None:
            isotropic, or that of the surface. With axes of the ground the contact itself is at angle 0 over it; a
            :class:`Body` turns it
        field: factor on mu by position; None: mu is uniform
        field_moves: False: the field is fixed to the patch, in the contact's frame. True: it is fixed to the other
            surface, over which the contact moves: a Body sees to that, :meth:`at` gives the contact at a pose
        pose: of the contact's frame over the other surface [m, m, rad]; for the functions of this object

    >>> contact = Contact(Patch.disc(0.01, pressure="hertz"), Law(mu=0.3))
    >>> z = contact.state()
    >>> for _ in range(100):
    ...     wrench = contact.step(z, [0.1, 0.0, 0.0], fn=5.0, h=1e-3)
    >>> print(f"{wrench[0]:.3f} N")  # 0.3 times 5 N, against the motion
    -1.500 N
    """

    patch: Patch | None
    law: Law
    method: str
    resolution: int
    surface: LimitSurface | None
    guard: bool
    r: float
    u: float
    cop: tuple[float, float]
    anisotropy: Anisotropy
    field: Field | None
    field_moves: bool
    pose: tuple[float, float, float]

    def __init__(
        self,
        patch: Patch | None,
        law: Law | float,
        method: str = "blocks",
        *,
        resolution: int = 0,
        surface: LimitSurface | None = None,
        guard: bool = True,
        r: float = 0.0,
        u: float = 0.0,
        cop: ArrayLike = (0.0, 0.0),
        anisotropy: Anisotropy | Mapping[str, Any] | None = None,
        field: Field | None = None,
        field_moves: bool = False,
        pose: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        if patch is not None:
            handle_of(patch, Patch, "patch")
        law = law if isinstance(law, Law) else Law(mu=real(law, "law"))
        rule = cop.rule if isinstance(cop, _Kept) and law is cop.law else law._rule
        if rule:
            fixed = patch is not None and not patch.depends_on_force
            law = law._completed(rule, patch.r if patch is not None and fixed else r)
            self._set(_from_mu=rule)
        if isinstance(resolution, Chosen):
            resolution = 0
        self._set(patch=patch, law=law, method=method, resolution=resolution, surface=surface)
        self._set(guard=guard, r=float(r), u=float(u), cop=pair(cop, "cop"))
        self._set(anisotropy=anisotropy_of(anisotropy))
        self._set(field=field, field_moves=bool(field_moves), pose=_triple(pose))
        self._make()

    def _make(self, like: Contact | None = None) -> None:
        key = self._geometry()
        if like is None and key is not None:
            like = _shared.get(key)
        if like is None:
            handle = self._create()
        else:
            handle = _core.contact_place(*self.pose, self.law._handle, like._handle)
            self._set(_of=like)  # it borrows from that one
        states, parts, resolution, cop, r, u, angle, anisotropy = _core.contact_numbers(handle)
        self._set(_handle=handle, state_count=states, part_count=parts, angle=angle)
        chosen = Chosen(resolution) if isinstance(self.resolution, Chosen) or not self.resolution else resolution
        kept = _Kept(cop.tolist())
        kept.law, kept.rule = self.law, self._from_mu
        self._set(resolution=chosen, r=r, u=u, cop=kept)
        self._set(anisotropy=Anisotropy(float(anisotropy[0]), float(anisotropy[1]), self.anisotropy.axes))
        if like is None and key is not None:
            _shared[key] = self

    def _geometry(self) -> tuple[Any, ...] | None:
        """All but the law; equal ones share their cells, blocks and tables. None: not compared."""
        method = choose(self.method, _METHODS, "method")
        resolution = 0 if isinstance(self.resolution, Chosen) else whole(self.resolution, "resolution")
        given = (method, resolution, self.guard, self.anisotropy, self.field_moves, self.pose)
        own = (self.r, self.u, self.cop) if self.patch is None else ()
        key = (self.patch, self.surface, self.field, *given, *own)
        try:
            hash(key)
        except TypeError:
            return None
        return key

    def _create(self) -> Any:
        return _core.contact_make(
            choose(self.method, _METHODS, "method"),
            whole(self.resolution, "resolution"),
            self.r,
            self.u,
            *self.cop,
            bool(self.guard),
            *anisotropy_numbers(self.anisotropy),
            bool(self.field_moves),
            *self.pose,
            self.law._handle,
            None if self.patch is None else self.patch._handle,
            None if self.surface is None else handle_of(self.surface, LimitSurface, "surface"),
            None if self.field is None else handle_of(self.field, Field, "field"),
        )

    _from_mu = 0  # the parameters of the law that follow from its coefficients, which a Body completes (br_law_rule)

    def __getstate__(self) -> dict[str, Any]:
        return {**self._values(), "_from_mu": self._from_mu}

    def _friction(self) -> tuple[Any, ...]:
        """A br_body_friction in the form that the extension expects."""
        patch = None if self.patch is None else self.patch._handle
        numbers = anisotropy_numbers(self.anisotropy)
        return (self.law._handle, self._from_mu, patch, (self.r, self.u, self.cop), numbers)

    def _with_law(self, law: Law) -> Contact:
        """The same contact with another law, which a Body does not change."""
        copy = object.__new__(Contact)
        copy._set(**{**self._values(), "law": law})
        copy._make(None if "_rows" in vars(self) else vars(self).get("_of", self))
        return copy

    def at(self, pose: ArrayLike) -> Contact:
        """The contact at a pose of its frame over the ground, on whose field or axes it depends.

        Args:
            pose: x, y, theta [m, m, rad]

        >>> floors = Field([[1, 0]], (1, 1))  # ice for x > 0
        >>> box = Contact(Patch.rectangle((0.2, 0.1)), 0.5, field=floors, field_moves=True)
        >>> [round(float(box.at([x, 0, 0]).steady([0, 0.1, 0], 10.0)[1]), 3) for x in (-0.1, 0, 0.1)]
        [-5.0, -2.5, -0.0]
        """
        is_on_field = self.field is not None and self.field_moves
        if not is_on_field and self.anisotropy.axes != "ground":
            return self
        copy = object.__new__(Contact)
        copy._set(**vars(self))
        copy._set(pose=_triple(pose), _of=self)  # it borrows from this one
        copy._set(_handle=_core.contact_place(*copy.pose, self.law._handle, self._handle))
        return copy

    def at_pressure(self, pressures: ArrayLike, vertices: ArrayLike | None = None) -> Contact:
        """The contact on triangles at other pressures, which a hydroelastic model or a sensor gives at each step.

        No cell or block is created again, so the state stays valid, and a call takes half of the time of a new
        contact. Only ratios of pressures matter; without any pressure the contact stays as it was created. For ``blocks``
        and ``distributed``; where triangles appear or vanish, create another contact and use :meth:`carry`.

        Args:
            pressures: at the vertices of the patch (n), >= 0, in any unit
            vertices: their positions, patch frame [m] (n, 2); None: those of the patch

        >>> square = [(0, 0), (0.1, 0), (0.1, 0.1), (0, 0.1)]
        >>> pad = Contact(Patch.triangles(square, [1, 1, 1, 1], [(0, 1, 2), (0, 2, 3)]), 0.5)
        >>> z = pad.state()
        >>> for p in ([1, 1, 1, 1], [1, 2, 2, 1], [1, 3, 3, 1]):  # its front is pressed harder and harder
        ...     now = pad.at_pressure(p)
        ...     wrench = now.step(z, [0.1, 0, 0], fn=10.0, h=0.01)
        >>> round(now.cop[0], 6), wrench[0].round(3)
        (0.058333, -5.0)
        """
        base: Contact = vars(self).get("_unpressed", self)
        rows = _pressed_rows(pressures, vertices)
        handle = _core.contact_press(base._handle, None if base.patch is None else base.patch._handle, rows)
        copy = object.__new__(Contact)
        copy._set(**vars(base))
        if rows[:, -1].any():
            del copy.__dict__["patch"]  # __getattr__() creates that of these pressures when it is needed
        _, _, _, cop, r, u, _, _ = _core.contact_numbers(handle)
        kept = _Kept(cop.tolist())
        kept.law, kept.rule = self.law, self._from_mu
        copy._set(_handle=handle, _unpressed=base, _rows=rows, cop=kept, r=r, u=u)
        return copy

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """The patch of a contact at other pressures, created when it is needed."""
            if name != "patch" or "_rows" not in vars(self):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            self._set(patch=self._unpressed.patch._at_pressure(self._rows))
            return self.patch

    def centres(self) -> Centres:
        """Centres of pressure and of friction, and the mean factor of the field.

        >>> worn = Field([[1, 0]], (0.2, 0.1))
        >>> centres = Contact(Patch.rectangle((0.2, 0.1)), 0.5, field=worn).centres()
        >>> centres.friction[0].round(6), round(centres.factor, 6)
        (-0.05, 0.5)
        """
        return Centres(*_core.contact_centres(self._handle))

    state_count = 0  #: numbers of state, N
    part_count = 0  #: parts, n
    angle = 0.0  #: of the bristles' axes in the contact frame [rad]

    def state(self, shape: SupportsIndex | tuple[SupportsIndex, ...] = ()) -> FloatArray:
        """Bristles at rest: zeros (N), or (shape, N) for many contacts.

        >>> Contact(Patch.disc(0.01), 0.3, "reduced").state(1000).shape
        (1000, 3)
        """
        leading = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
        return np.zeros((*leading, self.state_count))

    def eval(
        self,
        z: ArrayLike,
        v: ArrayLike,
        fn: ArrayLike,
        out: tuple[FloatArray | None, FloatArray | None] = (None, None),
    ) -> tuple[FloatArray, FloatArray]:
        """Wrench on the body (..., 3) and rates of the bristles (..., N), for your own integrator.

        Args:
            z: state (..., N)
            v: twist (..., 3)
            fn: normal force [N], >= 0
            out: where to write both

        >>> contact = Contact(Patch.disc(0.01), 0.3, "reduced")
        >>> wrench, dz = contact.eval(contact.state(), [0.1, 0, 0], 5.0)
        >>> wrench.shape, dz.shape
        ((3,), (3,))
        """
        return _core.contact_eval(self._handle, z, v, fn, *both(out))

    def step(
        self,
        z: FloatArray,
        v: ArrayLike,
        fn: ArrayLike,
        h: float,
        out: FloatArray | None = None,
        energy: FloatArray | None = None,
    ) -> FloatArray:
        """Advance the bristles in place over a step with the twist held; stable at any size of step.

        Args:
            z: state (..., N), changed
            v: twist, held (..., 3)
            fn: normal force, held [N], >= 0; 0 resets the bristles
            h: step [s], > 0
            out: where to write the wrench (..., 3)
            energy: where to write stored, work, dissipated [J] (..., 3)

        Returns:
            mean wrench on the body over the step (..., 3)

        >>> contact = Contact(Patch.disc(0.01), 0.3, "reduced")
        >>> z, energy = contact.state(1000), np.zeros((1000, 3))
        >>> contact.step(z, [0.1, 0, 0], 5.0, 0.01, energy=energy).shape
        (1000, 3)
        >>> bool((energy[:, 2] >= 0).all())
        True
        """
        return _core.contact_step(self._handle, z, v, fn, h, out, energy)

    def step_vjp(
        self,
        z0: ArrayLike,
        z1: ArrayLike,
        v: ArrayLike,
        fn: ArrayLike,
        h: float,
        *,
        wrench: ArrayLike = (0.0, 0.0, 0.0),
        z: ArrayLike | None = None,
    ) -> StepGradient:
        """Derivatives of a number L by all that :meth:`step` starts from, from its derivatives by the results.

        Args:
            z0: state before the step (..., N)
            z1: state after it (..., N)
            v, fn, h: as in :meth:`step`
            wrench: dL/d(wrench) (..., 3)
            z: dL/dz of the state after the step (..., N); None: 0

        >>> contact = Contact(Patch.disc(0.01), 0.3)
        >>> z0 = contact.state()
        >>> z1 = z0.copy()
        >>> _ = contact.step(z1, [1e-6, 0, 0], 5.0, 1e-3)
        >>> bool(contact.step_vjp(z0, z1, [1e-6, 0, 0], 5.0, 1e-3, wrench=[1, 0, 0]).v[0] < 0)  # at stick, too
        True
        """
        bars = np.zeros(self.state_count) if z is None else z
        z0_bar, v_bar, fn_bar, more, flags = _core.contact_step_vjp(self._handle, z0, z1, v, fn, h, wrench, bars)
        bits = np.asarray(flags).astype(np.int64)
        refuse(int(np.bitwise_or.reduce(bits, axis=None)))
        return StepGradient(z0_bar, v_bar, fn_bar, law_dict(more[..., :-2]), more[..., -2], more[..., -1], bits)

    def steady(
        self,
        v: ArrayLike,
        fn: ArrayLike,
        out: FloatArray | None = None,
        z: FloatArray | None = None,
    ) -> FloatArray:
        """Wrench of steady sliding (..., 3); their bristles are written to ``z`` (..., N).

        >>> wrench = Contact(Patch.disc(0.01), 0.3).steady([0.1, 0, 0], 5.0)
        >>> print(f"{wrench[0]:.3f} N")
        -1.500 N
        """
        return _core.contact_steady(self._handle, v, fn, out, z)

    def load(
        self, z: ArrayLike, v: ArrayLike, fn: ArrayLike, out: FloatArray | None = None
    ) -> Any:
        """Load of the bristles relative to the friction limit [-]: 0 none, 1 the whole contact slides.

        >>> contact = Contact(Patch.disc(0.01), 0.3)
        >>> contact.load(contact.state(), [0, 0, 0], 5.0)
        0.0
        """
        return _core.contact_load(self._handle, z, v, fn, out)

    def stored(self, z: ArrayLike, fn: ArrayLike, out: FloatArray | None = None) -> Any:
        """Energy in the bristles [J].

        >>> contact = Contact(Patch.disc(0.01), 0.3)
        >>> contact.stored(contact.state(), 5.0)
        0.0
        """
        return _core.contact_stored(self._handle, z, fn, out)

    def slip(self, z: ArrayLike, v: ArrayLike, fn: ArrayLike, before: ArrayLike = 0) -> Slip:
        """Slip rate [m/s] and whether it sticks (0), slips (1) or is open (2).

        Args:
            before: the previous state (0, 1 or 2)

        >>> contact = Contact(Patch.disc(0.01), 0.3)
        >>> z = contact.state()
        >>> _ = contact.step(z, [0.1, 0, 0], 5.0, 1.0)
        >>> slip = contact.slip(z, [0.1, 0, 0], 5.0)
        >>> round(slip.rate, 3), slip.state
        (0.1, 1)
        """
        return Slip(*_core.contact_slip(self._handle, z, v, fn, before))

    def gradient(self, z: ArrayLike, v: ArrayLike, fn: ArrayLike) -> Gradient:
        """Derivatives of wrench and rates, exact; at a kink the mean of both sides.

        >>> contact = Contact(Patch.disc(0.01), 0.3, "reduced")
        >>> contact.gradient(contact.state(), [0.1, 0, 0], 5.0).f_v.shape
        (3, 3)
        """
        f_z, f_v, f_fn, dz_z, dz_v = _core.contact_gradient(self._handle, z, v, fn)
        return Gradient(f_z, f_v, f_fn, self._dense(dz_z), self._by_state(dz_v))

    def _dense(self, dz_z: FloatArray) -> FloatArray:
        # entry (row, column) of part i goes to (row n + i, column n + i)
        n, k = self.part_count, self.state_count // self.part_count
        leading = dz_z.shape[:-2]
        whole = np.zeros((*leading, k, n, k, n))
        part = np.arange(n)
        for row in range(k):
            for column in range(k):
                whole[..., row, part, column, part] = dz_z[..., k * row + column, :]
        return whole.reshape(*leading, k * n, k * n)

    def _by_state(self, dz_v: FloatArray) -> FloatArray:
        # columns refer to the twist in the patch's axes: rotate them to the contact frame
        n, k = self.part_count, self.state_count // self.part_count
        leading = dz_v.shape[:-2]
        rows = np.moveaxis(dz_v.reshape(*leading, k, 3, n), -1, -2).reshape(*leading, k * n, 3)
        c, s = np.cos(self.angle), np.sin(self.angle)
        turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
        turned: FloatArray = rows @ turn
        return turned

    def parts(self) -> Parts:
        """The parts of the patch.

        >>> weight = Contact(Patch.disc(0.01), 0.3).parts().weight
        >>> round(float(weight.sum()), 12)
        1.0
        """
        return Parts(*_core.contact_parts(self._handle))

    def part_values(self, z: ArrayLike, v: ArrayLike, fn: ArrayLike) -> PartValues:
        """State and wrench of each part, for pictures.

        >>> contact = Contact(Patch.disc(0.01), 0.3)
        >>> contact.part_values(contact.state(), [0, 0, 1], 5.0).v.shape[-1]
        2
        """
        return PartValues(*_core.contact_part_values(self._handle, z, v, fn))

    def carry(self, z: ArrayLike, to: Contact, out: FloatArray | None = None) -> FloatArray:
        """The state of another contact that replaces this one at equal force, e.g. of another shape.

        The torque is kept as far as no energy is gained and no bristle is bent beyond mu_s/sigma0.

        >>> small, large = Contact(Patch.disc(0.01), 0.3), Contact(Patch.disc(0.02), 0.3)
        >>> small.carry(small.state(), large).any()
        False
        """
        return _core.contact_carry(self._handle, z, handle_of(to, Contact, "to"), out)

    def rhs(self, v: Given, fn: Given) -> Callable[[float, FloatArray], FloatArray]:
        """dz/dt = f(t, z) for :func:`scipy.integrate.solve_ivp`.

        Args:
            v, fn: twist and normal force, each a constant or a function of time

        >>> contact = Contact(Patch.disc(0.01), 0.3, "reduced")
        >>> f = contact.rhs(v=lambda t: [0.1 * t, 0, 0], fn=5.0)
        >>> f(0.0, contact.state()).any()
        False
        """
        twist, force = _as_function(v), _as_function(fn)

        def rate(t: float, z: FloatArray) -> FloatArray:
            return self.eval(z, twist(t), force(t))[1]

        return rate

    def jac(self, v: Given, fn: Given) -> Callable[[float, FloatArray], FloatArray]:
        """d(dz/dt)/dz (N, N) for the implicit methods of :func:`scipy.integrate.solve_ivp`.

        >>> contact = Contact(Patch.disc(0.01), 0.3, "reduced")
        >>> contact.jac(v=[0.1, 0, 0], fn=5.0)(0.0, contact.state()).shape
        (3, 3)
        """
        twist, force = _as_function(v), _as_function(fn)

        def jacobian(t: float, z: FloatArray) -> FloatArray:
            return self.gradient(z, twist(t), force(t)).dz_z

        return jacobian


def _triple(value: ArrayLike) -> tuple[float, float, float]:
    x, y, theta = (real(number, "pose") for number in np.asarray(value).ravel().tolist())
    return x, y, theta


def _pressed_rows(pressures: ArrayLike, vertices: ArrayLike | None) -> FloatArray:
    """Rows of a pressure, or of x, y and a pressure: a copy, since the caller may change the arrays at the next step."""
    heights = to_float64(pressures, "pressures")
    if heights.ndim != 1:
        raise ArgumentError("pressures", f"must be one number for each vertex, got shape {heights.shape}")
    if vertices is None:
        return np.array(heights[:, None], order="C")
    corners = to_float64(vertices, "vertices")
    if corners.shape != (len(heights), 2):
        raise ArgumentError("vertices", f"must be of shape ({len(heights)}, 2), got {corners.shape}")
    return np.column_stack([corners, heights])


def _as_function(value: Given) -> Callable[[float], ArrayLike]:
    if callable(value):
        return value
    constant = value
    return lambda t: constant
