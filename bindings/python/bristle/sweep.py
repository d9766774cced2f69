"""Sweeps: many runs of one scenario with different values of some keys, in threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._common import INT_MAX, Named, optional, whole
from .errors import ArgumentError
from .scenario import Scenario, Source

__all__ = ["Index", "LocalError", "sweep", "Sweep", "sweep_local"]

_USES = {"vary": 0, "zip": 1, "draw": 2}
_SAMPLINGS = {"": 0, "random": 1, "latin": 2, "sobol": 3}


class Index(NamedTuple):
    """Sobol' index: share of the variance that an input explains, with 95 % intervals."""

    first: float  #: alone
    first_low: float
    first_high: float
    total: float  #: with interactions with other inputs
    total_low: float
    total_high: float


class LocalError(NamedTuple):
    """An output at the means of the drawn keys, and its standard deviation to first order."""

    value: float  #: with all keys at their means
    deviation: float  #: root of the sum over keys of (slope times standard deviation)^2
    slopes: dict[str, float]  #: derivatives by the keys
    shares: dict[str, float]  #: of the variance, by the keys; they add up to 1


class Sweep:
    """Results of a sweep: arrays by the names of keys and outputs, with the shape of the grid.

    If keys were drawn, the last axis is that of the samples. ``status`` is ``"ok"`` or the reason why a case
    failed; the outputs of a failed case are NaN.
    """

    def __init__(self, handle: Any, workers: int, indices: bool) -> None:
        shape, inputs, wants, drawn, self.text, axes, has_samples = _core.sweep_facts(handle)
        numbers, failures = _core.sweep_run(handle, workers)
        self.shape = tuple(shape)
        self.inputs = [name for name, _, _ in inputs]
        self.wants = [name for name, _, _ in wants]
        self.units = {name: unit for name, unit, _ in inputs + wants}
        self.status = np.full(numbers.shape[0], "ok", dtype=object)
        for index, why in failures.items():
            self.status[index] = why
        self.status = self.status.reshape(self.shape)
        self._arrays: dict[str, Any] = Named()
        for i, (name, _, words) in enumerate(inputs + wants):
            column = numbers[:, i].copy()
            column = np.array(words)[column.astype(np.int64)] if words else column
            self._arrays[name] = column.reshape(self.shape)
        #: the axis of each input, and the names of the axes: the first key on each, or ``sample``
        self.axes = dict(zip(self.inputs, axes))
        given = {axis: name for name, axis in reversed(self.axes.items())}
        self.dims = tuple(given.get(axis, "case") for axis in range(len(self.shape)))
        if has_samples:
            self.dims = (*self.dims[:-1], "sample")
        #: with ``indices``: for each output the Index of each drawn key
        self.indices: dict[str, dict[str, Index]] = Named()
        keys = self.inputs[len(inputs) - drawn :]
        for name in self.wants if indices else []:
            found = _core.sweep_indices(self._arrays[name].ravel(), drawn)
            self.indices[name] = Named({key: Index(*index) for key, index in zip(keys, found)})

    def __getitem__(self, name: str) -> Any:
        return self._arrays[name]

    def to_frame(self) -> Any:
        """A pandas.DataFrame with a row for each case, if pandas is installed: keys, outputs, status."""
        columns = {name: array.ravel() for name, array in self._arrays.items()}
        return optional("pandas", "to_frame").DataFrame({**columns, "status": self.status.ravel()})

    def to_xarray(self) -> Any:
        """An xarray.Dataset, if xarray is installed: outputs and status over the axes of the grid.

        An axis has the name of its key, whose values are its coordinate. Keys of ``zip`` share the axis of the
        first of them, and those that were drawn are arrays over all axes and ``sample``.
        """
        data = {name: (self.dims, self._arrays[name]) for name in self.wants}
        data["status"] = (self.dims, self.status)
        coords: dict[str, Any] = {}
        for name, axis in self.axes.items():
            if self.dims[axis] == "sample":
                data[name] = (self.dims, self._arrays[name])
            else:
                along = np.moveaxis(self._arrays[name], axis, 0).reshape(self.shape[axis], -1)
                coords[name] = ((self.dims[axis],), along[:, 0])
        dataset = optional("xarray", "to_xarray").Dataset(data, coords=coords)
        for name, unit in self.units.items():
            dataset[name].attrs["units"] = unit
        return dataset

    def keys(self) -> list[str]:
        """Names of the arrays."""
        return list(self._arrays)

    def __repr__(self) -> str:
        return f"<sweep: {' x '.join(map(str, self.shape))} cases of {', '.join(self.inputs)}>"


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, (bool, np.bool_)) else str(value)


def _key(use: str, key: str, values: Any) -> tuple[int, str, str | None, Any]:
    if isinstance(values, str):
        return _USES[use], key, values, None
    listed = np.asarray(values).tolist() if not isinstance(values, (list, tuple)) else list(values)
    listed = listed if isinstance(listed, list) else [listed]
    if any(isinstance(value, (list, tuple, np.ndarray)) for value in listed):
        raise ValueError(f"{key}: must have a list of values, got a list of lists")
    if use == "draw" or any(isinstance(value, (str, bool, np.bool_)) for value in listed):
        return _USES[use], key, "[" + ", ".join(map(_text, listed)) + "]", None
    return _USES[use], key, None, [float(value) for value in listed]


def sweep(
    scenario: Scenario | Source,
    vary: Mapping[str, Any] | None = None,
    *,
    want: str | Sequence[str] = (),
    draw: Mapping[str, Any] | None = None,
    zip: Mapping[str, Any] | None = None,
    samples: int = 0,
    sampling: str = "",
    seed: int | None = None,
    indices: bool = False,
    workers: int = 0,
) -> Sweep:
    """Run a scenario many times. The key ``sweep`` of the scenario gives the defaults of these arguments.

    Args:
        scenario: a Scenario, a YAML file, text or a dict
        vary: an axis for each key: values, or "0.2:0.6:41", "log:0.1:1:11"
        want: outputs of each case: "final.theta", "contacts[0].slipped", "max.fn", "events.slip.first",
            or a formula of these and of keys, "bad = contacts[0].slipped > 1e-3"
        draw: random values in each sample: "uniform:a:b", "loguniform:a:b", "normal:mean:sd",
            "lognormal:median:sigma", or a list of equally likely values
        zip: as ``vary``, but these keys change together, as one axis
        samples: number of samples for each point of the grid
        sampling: "random", "latin" or "sobol"
        seed: of the random numbers
        indices: draw for Sobol' indices and compute them
        workers: threads; 0: one for each processor that this process may use

    >>> puck = {"body": {"mass": 0.1, "radius": 0.04, "velocity": [0.5, 0, 0]}, "friction": {"mu": 0.2},
    ...         "contact": {"frame": "body", "patch": {"shape": "disc", "radius": 0.04}}, "duration": 1}
    >>> runs = sweep(puck, {"friction.mu": [0.1, 0.2], "body.velocity[0]": "0.2:0.4:3"}, want=["final.x"])
    >>> runs["final.x"].shape
    (2, 3)
    >>> [round(float(x), 4) for x in runs["final.x"][1]]  # v^2/(2 mu g), less a little
    [0.0101, 0.0229, 0.0407]
    """
    groups = (("vary", vary), ("zip", zip), ("draw", draw))
    keys = [_key(use, key, values) for use, group in groups for key, values in (group or {}).items()]
    if sampling not in _SAMPLINGS:
        raise ArgumentError("sampling", f"must be one of random, latin, sobol, got {sampling!r}")
    whole(samples, "samples")
    whole(0 if seed is None else seed, "seed")
    whole(workers, "workers", 0, INT_MAX)
    read = scenario if isinstance(scenario, Scenario) else Scenario(scenario)
    handle = _core.sweep_create(
        read._handle,
        keys,
        samples,
        _SAMPLINGS[sampling],
        -1 if seed is None else seed,
        int(indices),
        [want] if isinstance(want, str) else list(want),
    )
    return Sweep(handle, workers, indices)


def sweep_local(
    scenario: Scenario | Source, draw: Mapping[str, Any] | None = None, *, want: str | Sequence[str] = ()
) -> dict[str, LocalError]:
    """Standard deviations of outputs from those of drawn keys, to first order, by the derivatives at their means.

    Beside Monte Carlo (:func:`sweep` with samples): 2 n + 1 runs for n keys; good where outputs are nearly linear over the
    spreads. It is ``bristle sweep --local``.

    Args:
        scenario: a Scenario, a YAML file, text or a dict
        draw: distributions of keys, as in :func:`sweep`; numbers, independent of each other
        want: outputs, as in :func:`sweep`

    >>> puck = {"body": {"mass": 0.1, "radius": 0.04, "velocity": [0.5, 0, 0]}, "friction": {"mu": 0.2},
    ...         "contact": {"frame": "body", "patch": {"shape": "disc", "radius": 0.04}}, "duration": 1}
    >>> got = sweep_local(puck, {"friction.mu": "normal:0.2:0.01", "body.mass": "uniform:0.09:0.11"}, want="final.x")
    >>> print(f"{got['final.x'].deviation / got['final.x'].value:.3f}")  # x ~ 1/mu, and mass has no part
    0.050
    """
    keys = [_key("draw", key, values) for key, values in (draw or {}).items()]
    read = scenario if isinstance(scenario, Scenario) else Scenario(scenario)
    wants = [want] if isinstance(want, str) else list(want)
    handle = _core.sweep_create(read._handle, keys, 1, 0, -1, 0, wants)
    _, inputs, outputs, *_ = _core.sweep_facts(handle)
    deviations, found = _core.sweep_local(handle)
    names = [name for name, _, _ in inputs]
    results: dict[str, LocalError] = Named()
    for (name, _, _), (value, deviation, slopes) in zip(outputs, found):
        parts = [slope * own for slope, own in zip(slopes, deviations)]
        shares = [(part / deviation) ** 2 if deviation > 0 else 0.0 for part in parts]
        by_key = (Named(zip(names, slopes)), Named(zip(names, shares)))
        results[name] = LocalError(value, deviation, *by_key)
    return results
