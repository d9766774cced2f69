"""Thousands of planar bodies at once, each with its own mass, friction, patch size and load."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _core
from ._common import ArrayLike, choose, describe, expect, INT_MAX, to_float64, whole
from .body import BodyContact
from .contact import Contact
from .errors import ArgumentError, BristleError, DefinitionError
from .worlds_gradient import last_rollout, WorldsGradient, WorldsRollout

__all__ = ["Worlds"]

Array = npt.NDArray[Any]

_FRAMES = ("body", "world")  # in the order of br_worlds_frame
_TYPES = ("float64", "float32")
_GRAVITY = 9.81  # on a level plane, as br_body_normal_gravity() [m/s^2]
_SIGMA0, _SIGMA1, _V_DAMPING = 1, 2, 4  # br_law_rule
_RULES = {"sigma0": _SIGMA0, "sigma1": _SIGMA1, "v_damping": _V_DAMPING}

# attribute: name in C, rows (0: a single number), of each contact?
_FIELDS = {
    "pose": ("pose", 3, False),
    "twist": ("twist", 3, False),
    "mass": ("mass", 0, False),
    "inertia": ("inertia", 0, False),
    "load": ("load", 3, False),
    "ledger": ("ledger", 9, False),
    "passes": ("passes", 0, False),
    "converged": ("converged", 0, False),
    "normal_force": ("fn", 0, True),
    "position": ("position", 2, True),
    "angle": ("angle", 0, True),
    "scale": ("scale", 0, True),
    "mu_c": ("mu_c", 0, True),
    "mu_s": ("mu_s", 0, True),
    "v_stribeck": ("v_stribeck", 0, True),
    "sigma0": ("sigma0", 0, True),
    "sigma1": ("sigma1", 0, True),
    "sigma2": ("sigma2", 0, True),
    "s_ba": ("s_ba", 0, True),
    "v_damping": ("v_damping", 0, True),
    "ratio": ("ratio", 0, True),
    "ground": ("ground", 3, True),
    "friction": ("f", 3, True),
    "state": ("state", 0, True),
    "slip_rate": ("slip_rate", 0, True),
    "contact_load": ("load", 0, True),
}
_OUTPUTS = ("friction", "state", "slip_rate", "contact_load", "ledger", "passes")
# rows of the ledger, in the order of br_worlds_ledger
_STORED_BEFORE, _LOAD, _NORMAL, _STORED_AFTER = 1, 2, 4, 6
_SUMS = [2, 3, 4, 7, 8]
_DTYPES = {"state": np.dtype(np.uint8), "converged": np.dtype(np.bool_), "passes": np.dtype(np.int32)}
_OF_LAW = ("mu_c", "mu_s", "v_stribeck", "sigma0", "sigma1", "sigma2", "s_ba", "v_damping")
_NAMES_OF_C = {(of_contact, name): attribute for attribute, (name, _, of_contact) in _FIELDS.items()}


class _Numbers:
    """An attribute that is an array of all worlds: reading gives the array itself, setting broadcasts into it."""

    def __init__(self, text: str) -> None:
        self.__doc__ = text

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, worlds: None, owner: type) -> _Numbers: ...
    @overload
    def __get__(self, worlds: Worlds, owner: type) -> Array: ...
    def __get__(self, worlds: Worlds | None, owner: type) -> _Numbers | Array:
        return self if worlds is None else worlds._view(self._name)

    def __set__(self, worlds: Worlds, value: ArrayLike) -> None:
        worlds._fill(self._name, value)


class _Friction(_Numbers):
    """mu_c; setting it sets mu_s, too, and the bristles that follow from it."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = "mu_c"

    def __set__(self, worlds: Worlds, value: ArrayLike) -> None:
        worlds._fill_mu(value, None)
        worlds._complete(None)


class Worlds:
    """Many planar bodies, each with 1 to 4 contacts, that one call advances.

    All worlds share the contacts' shapes and methods. Masses, friction, patch sizes, positions, forces and loads may
    differ from world to world. Numbers are arrays with the worlds as their last dimension, ``(count,)`` or
    ``(3, count)``; the attributes are these arrays themselves: ``worlds.pose[0]`` are all x, ``worlds.twist[:, 7] = 0``
    stops world 7, ``worlds.mass = 0.2`` sets all masses. With several contacts, numbers of contacts have one more
    dimension in front, ``(contacts, count)``.

    Args:
        contacts: 1 to 4, or a single one. A :class:`Contact` is a foot below the centre of mass; a :class:`BodyContact`
            with a constant normal force may be elsewhere, or a finger (frame ``"world"``). Method blocks, ellipsoid or
            reduced; the patch does not depend on the force
        count: number of worlds
        mass: [kg], > 0, a number or (count,)
        inertia: about the centre of mass [kg m^2], > 0, a number or (count,)
        normal_force: of one contact [N], >= 0: a number, (count,) or (contacts, count); ``"weight"`` with a single
            foot: mass times 9.81 m/s^2. None: those of the contacts
        mu: coefficient of friction [-], sets mu_c and mu_s; None: those of the contacts
        scale: size of the patch over that of the contact [-], > 0; forces, stiffness and torque follow from it
        pose, twist: at the start, (3,) or (3, count) [m, m, rad], [m/s, m/s, rad/s]; bristles as in steady sliding
        load: wrench at the centre of mass, world axes, (3,) or (3, count) [N, N, N m]
        dtype: of all arrays, float64 or float32 (docs/explanation/worlds.md has its errors)
        outputs: which results steps compute besides the motion, of friction, state, slip_rate, contact_load, ledger,
            passes
        threads: that share the worlds of a call, 1 to 64; each has at least 0.3 ms of work

    Contacts created from a coefficient of friction get bristles for the patch and the body of each world, as in a
    :class:`Body`; ``worlds.mu = ...`` chooses them again.

    >>> from bristle import Patch
    >>> pad = Contact(Patch.disc(0.02), 0.3, "ellipsoid")
    >>> mu = np.linspace(0.1, 0.4, 1000)
    >>> pucks = Worlds(pad, 1000, mass=1.0, inertia=2e-4, normal_force="weight", mu=mu, twist=(1, 0, 0))
    >>> pucks.step(1e-3, steps=1100)
    >>> np.abs(pucks.pose[0] / (1 / (2 * mu * 9.81)) - 1).max() < 2e-3  # v^2/(2 mu g)
    True
    """

    pose = _Numbers("Centre of mass and angle (3, count) [m, m, rad].")
    twist = _Numbers("Of the centre of mass, world axes (3, count) [m/s, m/s, rad/s].")
    mass = _Numbers("(count,) [kg], > 0.")
    inertia = _Numbers("About the centre of mass (count,) [kg m^2], > 0.")
    load = _Numbers("Wrench besides friction, at the centre of mass, world axes (3, count) [N, N, N m].")
    normal_force = _Numbers("Of one contact [N], >= 0; 0 resets its bristles.")
    position = _Numbers("Origin of the contact frame, in the body or the world (2, count) [m].")
    angle = _Numbers("Of the contact frame's axes [rad].")
    scale = _Numbers("Size of the patch over that of the contact [-], > 0.")
    mu = _Friction("Coefficient of friction [-], > 0: mu_c. Setting it sets mu_c, mu_s, and what follows from them.")
    mu_c = _Numbers("Coulomb coefficient [-], > 0.")
    mu_s = _Numbers("Static coefficient [-], >= mu_c.")
    v_stribeck = _Numbers("Stribeck speed [m/s], > 0.")
    sigma0 = _Numbers("Stiffness of the bristles [1/m], > 0.")
    sigma1 = _Numbers("Damping of the bristles [s/m], >= 0.")
    sigma2 = _Numbers("Viscous coefficient [s/m], >= 0.")
    s_ba = _Numbers("Breakaway fraction [-], in [0, 1).")
    v_damping = _Numbers("Speed at which half of sigma1 is left [m/s], >= 0; 0: constant damping.")
    ratio = _Numbers("Of anisotropic friction [-], 1e-3 to 1e3; method ellipsoid only.")
    ground = _Numbers("Twist of what the contact touches, at the CoP, world axes (3, count) [m/s, m/s, rad/s].")
    friction = _Numbers("Mean wrench of one contact over the last step, at the CoP, contact frame (3, count).")
    state = _Numbers("0 sticks, 1 slips, 2 is open, at the end of the last call (uint8).")
    slip_rate = _Numbers("Speed of the irreversible motion at the end of the last call [m/s].")
    contact_load = _Numbers("Part of the friction that is used, at the end of the last call [-], 0 to 1.")
    ledger = _Numbers("Energies of the last call (9, count) [J], rows as :data:`Worlds.LEDGER`.")
    passes = _Numbers("Passes over the bristles in the last call (int32).")
    converged = _Numbers("Whether Newton's method converged in every step of the last call (bool).")

    #: rows of ``ledger``: before + load + ground + normal = after + dissipated + numerical
    LEDGER = ("kinetic_before", "stored_before", "load", "ground", "normal",
              "kinetic_after", "stored_after", "dissipated", "numerical")  # fmt: skip

    def __init__(
        self,
        contacts: Contact | BodyContact | Sequence[Contact | BodyContact],
        count: int,
        *,
        mass: ArrayLike,
        inertia: ArrayLike,
        normal_force: ArrayLike | str | None = None,
        mu: ArrayLike | None = None,
        scale: ArrayLike | None = None,
        pose: ArrayLike = (0.0, 0.0, 0.0),
        twist: ArrayLike = (0.0, 0.0, 0.0),
        load: ArrayLike = (0.0, 0.0, 0.0),
        dtype: npt.DTypeLike = "float64",
        outputs: Sequence[str] = ("friction",),
        threads: int = 1,
    ) -> None:
        self.contacts = _contacts_of(contacts)
        self.count = whole(count, "count", 1)
        self.dtype = np.dtype(_TYPES[choose(_type_name(dtype), _TYPES, "dtype")])
        self.threads = whole(threads, "threads", 1, INT_MAX)
        self.outputs = _outputs_of(outputs)
        self._arrays: dict[str, Array] = {}
        self._recorded: WorldsRollout | None = None
        self._rules = [entry.contact._from_mu for entry in self.contacts]
        self._connect()
        self._z = [np.zeros((states, self.count), self.dtype) for states in _core.worlds_sizes(self._handle)[0]]
        for name, value in (("pose", pose), ("twist", twist), ("mass", mass), ("inertia", inertia), ("load", load)):
            self._fill(name, value)
        if scale is not None:
            self._fill("scale", scale)
        self._fill_forces(normal_force)
        for name in ("converged", *self.outputs):
            self._arrays[name] = np.zeros(self._shape(name), _DTYPES.get(name, self.dtype))
        self._attach_all()
        if mu is not None:
            self.mu = mu
        else:
            self._complete(None)
        self.reset()

    # --- arrays

    def _connect(self) -> None:
        is_float = self.dtype == np.float32
        self._handle: Any = _core.worlds_make(is_float, self._definition(), self.count, self.threads, 40)

    def _definition(self) -> list[tuple[Any, ...]]:
        """The contacts in the form that the extension expects."""
        return [
            (
                entry.contact._handle, choose(entry.frame, _FRAMES, "frame"), *entry.at, 0.0,
                _constant_force(entry, k), entry.count,
            )
            for k, entry in enumerate(self.contacts)
        ]  # fmt: skip

    def _attach(self, name: str) -> None:
        field, _, of_contact = _FIELDS[name]
        array = self._arrays[name]
        if not of_contact:
            _core.worlds_attach(self._handle, -1, field, array)
        for k in range(len(self.contacts) if of_contact else 0):
            _core.worlds_attach(self._handle, k, field, array[k])

    def _attach_all(self) -> None:
        for k, z in enumerate(self._z):
            _core.worlds_attach(self._handle, k, "z", z)
        for name in self._arrays:
            self._attach(name)

    def _shape(self, name: str) -> tuple[int, ...]:
        """Of the array in memory: with the contacts in front."""
        _, rows, of_contact = _FIELDS[name]
        contacts = (len(self.contacts),) if of_contact else ()
        return (*contacts, *((rows,) if rows else ()), self.count)

    def _seen(self, name: str, array: Array) -> Array:
        """The array as users see it: without the dimension of a single contact."""
        if _FIELDS[name][2] and len(self.contacts) == 1:
            array = array[0]
        return array

    def _initial(self, name: str, k: int) -> float | tuple[float, ...]:
        """The number of contact k that all worlds have until they get their own."""
        entry = self.contacts[k]
        if name in _OF_LAW:
            return float(getattr(entry.contact.law, name))
        numbers: dict[str, float | tuple[float, ...]] = {
            "normal_force": _constant_force(entry, k),
            "position": entry.at,
            "scale": 1.0,
            "ratio": entry.contact.anisotropy.ratio,
        }
        return numbers.get(name, 0.0)

    def _view(self, name: str) -> Array:
        array = self._arrays.get(name)
        if array is None:
            if name in _OUTPUTS:
                raise AttributeError(f"{name} is not computed: create the worlds with outputs={[*self.outputs, name]}")
            array = self._create(name)
        return self._seen(name, array)

    def _create(self, name: str) -> Array:
        """An array for numbers that all worlds have shared so far."""
        if name == "ratio" and any(entry.contact.method != "ellipsoid" for entry in self.contacts):
            raise ArgumentError("ratio", "only worlds of the method ellipsoid have ratios of their own")
        array = np.zeros(self._shape(name), self.dtype)
        for k in range(len(self.contacts) if _FIELDS[name][2] else 0):
            array[k] = np.reshape(self._initial(name, k), (-1, 1)) if _FIELDS[name][1] else self._initial(name, k)
        self._arrays[name] = array
        self._attach(name)
        return array

    def _fill(self, name: str, value: ArrayLike, mask: Array | None = None) -> None:
        """Set numbers of all worlds, or of those in the mask."""
        numbers = to_float64(value, name)
        rows = _FIELDS[name][1]
        if rows and numbers.shape == (rows,):
            numbers = numbers[:, None]
        array = self._arrays[name] if name in self._arrays else self._create(name)
        array = self._seen(name, array)
        allowed = _allowed(self, name)
        if numbers.shape not in allowed and numbers.shape not in ((rows, 1),):
            raise ArgumentError(name, f"must be {_list_of(allowed, rows)}, got {_what(value, numbers)}")
        if not np.isfinite(numbers).all():
            raise ArgumentError(name, "must be finite numbers, got nan or inf")
        if mask is None:
            array[...] = numbers
        else:
            np.copyto(array, numbers, where=mask, casting="same_kind")
        if name in _RULES:  # it no longer follows from mu
            self._rules = [rule & ~_RULES[name] for rule in self._rules]

    def _fill_forces(self, value: ArrayLike | str | None, mask: Array | None = None) -> None:
        if isinstance(value, str):
            choose(value, ("weight",), "normal_force")
            if len(self.contacts) > 1 or self.contacts[0].frame != "body":
                raise ArgumentError("normal_force", "weight is for a single foot: give the forces as numbers")
            self._fill("normal_force", self.mass * _GRAVITY, mask)
        elif value is not None:
            self._fill("normal_force", value, mask)
        elif mask is None and all(_constant_force(entry, k) == 0.0 for k, entry in enumerate(self.contacts)):
            raise ArgumentError("normal_force", 'must be given: a number, an array (count,), or "weight" for a foot')
        else:
            self._view("normal_force")

    # --- friction from mu

    def _fill_mu(self, value: ArrayLike, mask: Array | None) -> None:
        numbers = to_float64(value, "mu")
        if not (numbers > 0.0).all():
            raise ArgumentError("mu", f"must be > 0, got {numbers[~(numbers > 0.0)].flat[0]:g}")
        if numbers.shape not in _allowed(self, "mu_c"):
            raise ArgumentError("mu", f"must be {_list_of(_allowed(self, 'mu_c'), 0)}, got {_what(value, numbers)}")
        for name in ("mu_c", "mu_s"):
            self._fill(name, numbers, mask)

    def _complete(self, mask: Array | None) -> None:
        """Parameters of the bristles that follow from mu, for the bodies as they are."""
        if not any(self._rules):
            return
        for name, rule in _RULES.items():
            if name not in self._arrays and any(rules & rule for rules in self._rules):
                self._create(name)
        rules = []
        for rule, entry in zip(self._rules, self.contacts):
            contact, patch = entry.contact, entry.contact.patch
            r = contact.r if patch is None else patch.r
            u = contact.u if patch is None or contact.anisotropy.ratio != 1.0 else patch.u
            rules.append((rule, r, u))
        _core.worlds_complete(self._handle, self._definition(), rules, mask)

    # --- steps

    @property
    def z(self) -> Array | tuple[Array, ...]:
        """Bristles (states, count), rows as the state of the contact; a tuple of them for several contacts."""
        return self._z[0] if len(self._z) == 1 else tuple(self._z)

    @property
    def lanes(self) -> int:
        """Worlds that are computed at a time on this processor."""
        return int(_core.worlds_sizes(self._handle)[1])

    def step(
        self,
        h: float,
        *,
        load: ArrayLike | None = None,
        normal_force: ArrayLike | None = None,
        steps: int = 1,
        mask: Array | None = None,
        check: bool = True,
    ) -> None:
        """Advance all worlds by several steps of any size. Other Python threads run meanwhile.

        Args:
            h: step [s], > 0
            load: for this call in place of ``worlds.load``: (3,), (3, count), or (steps, 3, count) for each step
            normal_force: for this call in place of ``worlds.normal_force``: a number, (count,), or (steps, count) for
                each step; with several contacts (contacts, count), (steps, contacts, count)
            steps: how many; faster than as many calls
            mask: worlds to advance, bool (count,); the others do not change. None: all
            check: refuse numbers out of their range, such as nan, wherever they are. False: a world with nan stays
                so, without an effect on others

        Arrays have the dtype of the worlds.

        >>> from bristle import Patch
        >>> pad = Contact(Patch.disc(0.02), 0.3)
        >>> pucks = Worlds(pad, 3, mass=[1, 2, 3], inertia=2e-4, normal_force=10.0)
        >>> pucks.step(1e-3, load=[2.9, 0, 0], steps=20)  # 3 N of friction hold them
        >>> bool(pucks.pose[0].max() < 1e-4)
        True
        """
        number = whole(steps, "steps", 1)
        wrench, wrench_steps = self._load_of(load, number)
        force, force_steps = self._force_of(normal_force, number)
        chosen, before = self._mask_of(mask), None
        at_once = self._steps_at_once()
        try:
            for first in range(0, number, at_once):
                part = min(at_once, number - first)
                own_wrench = wrench if wrench is None or wrench_steps == 1 else wrench[first : first + part]
                own_force = force if force is None or force_steps == 1 else force[..., first : first + part, :].copy()
                _core.worlds_step(
                    self._handle, h, part, own_wrench, min(wrench_steps, part), own_force, min(force_steps, part),
                    chosen, check and first == 0,
                )  # fmt: skip
                before = self._add_results(before, chosen) if number > at_once else None
        except BristleError as error:
            raise self._renamed(error) from None

    def _steps_at_once(self) -> int:
        """Steps of a call of C: its threads check for Ctrl-C between blocks of 16 worlds, some 0.1 s."""
        states = sum(len(z) for z in self._z)
        return max(1, 250_000 // states)

    def _add_results(self, before: dict[str, Array] | None, mask: Array | None) -> dict[str, Array]:
        """Add results that are of all steps of a call, in parts of it; those of worlds outside of the mask stay."""
        now = {name: self._arrays[name] for name in ("converged", "passes", "ledger") if name in self._arrays}
        if before is not None:
            chosen: Any = slice(None) if mask is None else mask
            now["converged"][chosen] &= before["converged"][chosen]
            if "passes" in now:
                now["passes"][chosen] += before["passes"][chosen]
            if "ledger" in now:
                last, ledger = before["ledger"][:, chosen], now["ledger"][:, chosen]
                # between two parts the normal force may change what is stored
                ledger[_NORMAL] += ledger[_STORED_BEFORE] - last[_STORED_AFTER]
                ledger[_SUMS] += last[_SUMS]
                ledger[:_LOAD] = last[:_LOAD]
                now["ledger"][:, chosen] = ledger
        return {name: array.copy() for name, array in now.items()}

    def rollout(
        self,
        h: float,
        *,
        steps: int = 1,
        load: ArrayLike | None = None,
        normal_force: ArrayLike | None = None,
        mask: Array | None = None,
        every: int = 1,
        check: bool = True,
    ) -> WorldsRollout:
        """Advance all worlds, as :meth:`step` does, and record that: :meth:`WorldsRollout.vjp` gives derivatives. float64 only.

        Args:
            h, steps, load, normal_force, mask, check: as in :meth:`step`
            every: keep the bristles of every so many steps for the sweep, which computes those between again. 1: of all,
                fastest; 0: as many as need least memory

        >>> from bristle import Patch
        >>> pad = Contact(Patch.disc(0.02), 0.3, "ellipsoid")
        >>> held = Worlds(pad, 2, mass=1.0, inertia=2e-4, normal_force=[10.0, 20.0], load=(1.0, 0, 0))
        >>> run = held.rollout(1e-3, steps=200)
        >>> bool((run.vjp(pose=[[1, 1], [0, 0], [0, 0]]).normal_force < 0).all())  # they stick: press harder, creep less
        True
        """
        self._recorded = WorldsRollout(
            self, h, steps=steps, load=load, normal_force=normal_force, mask=mask, every=every, check=check
        )
        return self._recorded

    def vjp(
        self,
        pose: ArrayLike | None = None,
        twist: ArrayLike | None = None,
        friction: ArrayLike | None = None,
        z: ArrayLike | Sequence[ArrayLike] | None = None,
        *,
        by_law: bool = True,
    ) -> WorldsGradient:
        """Derivatives of the last :meth:`rollout`; arguments as in :meth:`WorldsRollout.vjp`."""
        return last_rollout(self).vjp(pose, twist, friction, z, by_law=by_law)

    def reset(
        self,
        mask: Array | None = None,
        *,
        pose: ArrayLike | None = None,
        twist: ArrayLike | None = None,
        mass: ArrayLike | None = None,
        inertia: ArrayLike | None = None,
        normal_force: ArrayLike | str | None = None,
        mu: ArrayLike | None = None,
        scale: ArrayLike | None = None,
    ) -> None:
        """Start worlds again, with other numbers where they are given; bristles as in steady sliding, relaxed at rest.

        Args:
            mask: which worlds, bool (count,); None: all
            pose, twist, mass, inertia, normal_force, mu, scale: as in the constructor. Arrays have numbers for all
                worlds, those outside of the mask are not used

        >>> from bristle import Patch
        >>> pad = Contact(Patch.disc(0.02), 0.3)
        >>> pucks = Worlds(pad, 3, mass=1.0, inertia=2e-4, normal_force=10.0)
        >>> pucks.reset(np.array([False, True, False]), twist=[1, 0, 0])
        >>> pucks.twist[0]
        array([0., 1., 0.])
        """
        chosen = self._mask_of(mask)
        given = {"pose": pose, "twist": twist, "mass": mass, "inertia": inertia, "scale": scale}
        for name, value in given.items():
            if value is not None:
                self._fill(name, value, chosen)
        if normal_force is not None:
            self._fill_forces(normal_force, chosen)
        if mu is not None:
            self._fill_mu(mu, chosen)
        if any(value is not None for value in (mu, mass, inertia, normal_force, scale)):
            self._complete(chosen)
        try:
            _core.worlds_reset(self._handle, chosen)
        except BristleError as error:
            raise self._renamed(error) from None

    # --- arguments of a call

    def _mask_of(self, mask: Array | None) -> Array | None:
        if mask is None:
            return None
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.count,):
            raise ArgumentError("mask", f"must be an array of bool of shape ({self.count},), got {describe(mask)}")
        return np.ascontiguousarray(mask)

    def _numbers_of(self, value: ArrayLike, name: str, shapes: tuple[tuple[int, ...], ...], rows: int) -> Array:
        """An array of the worlds' dtype in one of these shapes, contiguous; a number or (3,) is repeated."""
        is_plain = isinstance(value, (int, float)) or (
            isinstance(value, (list, tuple)) and len(value) == rows and all(isinstance(x, (int, float)) for x in value)
        )
        if is_plain:
            numbers = np.asarray(value, self.dtype)
        elif not isinstance(value, np.ndarray):
            raise ArgumentError(
                name, f"must be an array of {self.dtype} of shape {_list_of(shapes, rows)}, got {describe(value)}"
            )
        elif value.dtype != self.dtype:
            raise ArgumentError(
                name, f"must be {self.dtype}, the dtype of these worlds, got {describe(value)}: convert it once"
            )
        else:
            numbers = value
        if rows and numbers.shape == (rows,):
            numbers = np.broadcast_to(numbers[:, None], (rows, self.count))
        if numbers.shape not in shapes and numbers.shape != ():
            raise ArgumentError(name, f"must be {_list_of(shapes, rows)}, got {_what(value, numbers)}")
        return numbers

    def _load_of(self, value: ArrayLike | None, steps: int) -> tuple[Array | None, int]:
        if value is None:
            return None, 1
        numbers = self._numbers_of(value, "load", ((3, self.count), (steps, 3, self.count)), 3)
        if numbers.ndim == 0:
            raise ArgumentError("load", f"must be three numbers or an array (3, {self.count}), got {numbers}")
        return np.ascontiguousarray(numbers), steps if numbers.ndim == 3 else 1

    def _force_of(self, value: ArrayLike | None, steps: int) -> tuple[Array | None, int]:
        if value is None:
            return None, 1
        contacts, count = len(self.contacts), self.count
        one: tuple[tuple[int, ...], ...] = ((count,), (steps, count))
        several: tuple[tuple[int, ...], ...] = ((count,), (contacts, count), (steps, contacts, count))
        numbers = self._numbers_of(value, "normal_force", one if contacts == 1 else several, 0)
        if numbers.ndim <= 1:
            return np.ascontiguousarray(np.broadcast_to(numbers, (contacts, count))), 1
        if contacts == 1:
            return np.ascontiguousarray(numbers), steps
        if numbers.ndim == 2:
            return np.ascontiguousarray(numbers), 1
        return np.ascontiguousarray(np.moveaxis(numbers, 1, 0)), steps

    def _renamed(self, error: BristleError) -> BristleError:
        """An error of C by the names of Python: contacts[0].fn[17] is normal_force[17]."""
        found = re.fullmatch(r"(?:contacts\[(\d+)\]\.)?(\w+)(?:\[(\d+)\])?", error.field)
        if not found:
            return error
        contact, name, index = found.groups()
        name = _NAMES_OF_C.get((contact is not None, name), name)
        if index is None:
            return type(error)(name, error.reason)
        row, world = divmod(int(index), self.count)
        where = [contact] if contact is not None and len(self.contacts) > 1 and name != "z" else []
        has_rows = row > 0 or name == "z" or (name in _FIELDS and _FIELDS[name][1] > 0)
        where += [str(row)] if has_rows else []
        return type(error)(f"{name}[{', '.join([*where, str(world)])}]", error.reason)

    # --- copies

    def __repr__(self) -> str:
        methods = ", ".join(entry.contact.method for entry in self.contacts)
        return f"Worlds({self.count} x {len(self.contacts)} contacts ({methods}), {self.dtype}, {self.threads} threads)"

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name != "_handle"}
        return {**state, "_recorded": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._connect()
        self._attach_all()

    def _snapshot(self) -> Worlds:
        """The same worlds with copies of all numbers; contacts, which do not change, are shared."""
        state = self.__getstate__()
        state["_arrays"] = {name: array.copy() for name, array in self._arrays.items()}
        state["_z"] = [z.copy() for z in self._z]
        other = object.__new__(Worlds)
        other.__setstate__(state)
        return other

    def __copy__(self) -> Worlds:
        return copy.deepcopy(self)  # two worlds never share arrays


# --- what constructors accept


def _contacts_of(given: object) -> tuple[BodyContact, ...]:
    entries = [given] if isinstance(given, (Contact, BodyContact)) else given
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        raise TypeError(f"contacts: must be a Contact or a list of Contact or BodyContact, got {type(given).__name__}")
    contacts = []
    for k, entry in enumerate(entries):
        if isinstance(entry, Contact):
            entry = BodyContact(entry, frame="body")
        if not isinstance(entry, BodyContact):
            raise TypeError(f"contacts[{k}]: must be a Contact or BodyContact, got {type(entry).__name__}")
        _refuse_motion(expect(entry, BodyContact, f"contacts[{k}]"), k)
        contacts.append(entry)
    return tuple(contacts)


def _refuse_motion(entry: BodyContact, k: int) -> None:
    """What worlds do not have."""
    if entry.grip is not None:
        raise DefinitionError(f"contacts[{k}].grip", "has no effect in worlds: give normal_force at each step")
    if tuple(entry.support or ()) != (0.0, 0.0, 0.0):
        raise DefinitionError(f"contacts[{k}].support", "has no effect in worlds: set worlds.ground, a twist")
    if entry.weight != 0.0:
        raise DefinitionError(f"contacts[{k}].weight", 'has no effect in worlds: give normal_force="weight"')
    _constant_force(entry, k)


def _constant_force(entry: BodyContact, k: int) -> float:
    if not isinstance(entry.normal_force, (int, float)):
        raise DefinitionError(f"contacts[{k}].normal_force", "must be a number: give changes at each step")
    return float(entry.normal_force)


def _type_name(dtype: npt.DTypeLike) -> str:
    try:
        return np.dtype(dtype).name
    except TypeError:
        return str(dtype)


def _outputs_of(names: Sequence[str]) -> tuple[str, ...]:
    if isinstance(names, str):
        raise TypeError(f"outputs: must be a list of names, e.g. [{names!r}]")
    if not isinstance(names, Iterable):
        raise TypeError(f"outputs: must be a list of names, got {describe(names)}")
    for name in names:
        choose(name, _OUTPUTS, "outputs")
    return tuple(dict.fromkeys(names))


def _allowed(worlds: Worlds, name: str) -> tuple[tuple[int, ...], ...]:
    """Shapes of arrays that set a number of all worlds."""
    rows = (_FIELDS[name][1],) if _FIELDS[name][1] else ()
    one = (*rows, worlds.count)
    contacts = len(worlds.contacts)
    several = ((contacts, *rows, worlds.count),) if _FIELDS[name][2] and contacts > 1 else ()
    return (one, *several) if rows else ((), one, *several)


def _list_of(shapes: tuple[tuple[int, ...], ...], rows: int) -> str:
    """Allowed shapes in words."""
    words = [f"{rows} numbers"] if rows else ["a number"]
    words += [f"shape {shape}" for shape in dict.fromkeys(shapes) if shape]
    return " or ".join(words)


def _what(value: object, numbers: Array) -> str:
    return f"shape {numbers.shape}" if isinstance(value, np.ndarray) else f"{describe(value)} of shape {numbers.shape}"
