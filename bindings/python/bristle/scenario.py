"""Scenarios from YAML files, text or dicts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from os import PathLike, fspath, path
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._common import Named
from .errors import AbsentError, DefinitionError
from .result import columns_from, Event, Result

__all__ = ["Mistake", "Scenario", "ScenarioError", "ScenarioProblem", "run"]


class ScenarioProblem(NamedTuple):
    """An error in a scenario, and its position."""

    file: str  #: the file, or the name of the dict
    line: int  #: from 1; 0: unknown
    column: int  #: from 1; 0: unknown
    key: str  #: "contact.patch.radius"
    text: str  #: what is wrong and what is allowed
    allowed: str  #: only what is allowed
    nearest: str  #: the nearest allowed word

    def __str__(self) -> str:
        position = f"{self.file}:{self.line}" if self.line else self.file
        return ": ".join(part for part in (position, self.key, self.text) if part)


Mistake = ScenarioProblem  #: the name in version 0.2


class ScenarioError(DefinitionError):
    """A scenario with errors, all of them in ``problems`` (``mistakes`` in version 0.2).

    >>> try:
    ...     run({"body": {"mass": -1}})
    ... except ScenarioError as error:
    ...     print([problem.key for problem in error.problems])
    ['duration', 'body.mass', 'body.size']
    """

    def __init__(self, problems: list[ScenarioProblem]) -> None:
        super().__init__(problems[0].key, problems[0].text)
        self.problems = problems

    @property
    def mistakes(self) -> list[ScenarioProblem]:
        """The same as ``problems``."""
        return self.problems

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)

    def __reduce__(self) -> tuple[Any, ...]:
        return ScenarioError, (self.problems,)


Source = str | PathLike[str] | Mapping[str, Any]


def _plain(value: Any) -> Any:
    """Convert to dicts, lists, text and numbers of Python; NumPy arrays and numbers are converted."""
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"a scenario holds dicts, lists, text and numbers, got {type(value).__name__}")


def _overrides(values: Mapping[str, Any] | None) -> list[str]:
    def text(value: Any) -> str:
        plain = _plain(value)
        return plain if isinstance(plain, str) else json.dumps(plain)

    return [f"{key}={text(value)}" for key, value in (values or {}).items()]


class Scenario:
    """A scenario that has been read and can be run. It pickles as its source: a dict, a text or a file's path,
    which is read again.

    Args:
        source: a YAML file, YAML or JSON text (which contains a line break), or a dict with the same keys
        set: values that replace its own, by their full keys: ``{"friction.mu": 0.3}``
        name: of a text or dict, in messages

    >>> box = Scenario({
    ...     "body": {"mass": 1, "inertia": 0.01, "velocity": [1, 0, 0]},
    ...     "friction": {"mu": 0.3},
    ...     "contact": {"frame": "body", "patch": {"shape": "disc", "radius": 0.05},
    ...                 "normal_force": 9.81},
    ...     "duration": 0.5, "output": {"every": 0.01}})
    >>> box.kind, box.duration
    ('body', 0.5)
    >>> round(box.run()["x"][-1], 2)  # v^2/(2 mu g)
    0.17
    >>> round(box.variant({"friction.mu": 0.6}).run()["x"][-1], 3)
    0.085
    """

    def __init__(
        self, source: Source, set: Mapping[str, Any] | None = None, *, name: str = "scenario"
    ) -> None:
        self._read(*_classify(source), name, _overrides(set))

    def _read(self, kind: str, what: Any, name: str, overrides: list[str]) -> None:
        try:
            found = _core.scenario_read(kind, what, name, overrides)
        except AbsentError:
            found = _core.scenario_read("tree", _by_pyyaml(kind, what), name, overrides)
        self._origin = (kind, path.abspath(what) if kind == "file" else what, name, overrides)
        self._set_handle(*found)

    def __getstate__(self) -> tuple[str, Any, str, list[str]]:
        """Its source, with all values that were set."""
        return self._origin

    def __setstate__(self, origin: tuple[str, Any, str, list[str]]) -> None:
        self._read(*origin)

    def _set_handle(self, handle: Any, problems: list[Any]) -> None:
        if problems:
            raise ScenarioError([ScenarioProblem(*problem) for problem in problems])
        self._handle = handle
        facts = _core.scenario_facts(handle)
        self.kind, self.duration, self.rows, self.text, self.warnings, self.files = facts

    def variant(self, set: Mapping[str, Any]) -> Scenario:
        """The same scenario with other values, without parsing it again; for sweeps."""
        other = object.__new__(Scenario)
        kind, what, name, overrides = self._origin
        other._origin = (kind, what, name, overrides + _overrides(set))
        other._set_handle(*_core.scenario_read("variant", self._handle, "", _overrides(set)))
        return other

    def __repr__(self) -> str:
        return f"<scenario: {self.kind}, {self.duration:g} s, {self.rows} rows>"

    def run(self, *, sensitivity: str | Iterable[str] = ()) -> Result:
        """Run it. Other Python threads run meanwhile; Ctrl-C stops it.

        Args:
            sensitivity: full keys of numbers of the scenario; the result then has the derivatives of all its columns
                by them, ``result["d(x)/d(friction.mu)"]``, at the cost of two more runs for each

        >>> box = Scenario({
        ...     "body": {"mass": 1, "inertia": 0.01, "velocity": [1, 0, 0]},
        ...     "friction": {"mu": 0.3},
        ...     "contact": {"frame": "body", "patch": {"shape": "disc", "radius": 0.05}},
        ...     "duration": 0.5})
        >>> run = box.run(sensitivity="friction.mu")
        >>> float(run["d(x)/d(friction.mu)"][-1].round(2))  # about -v^2/(2 mu^2 g)
        -0.57
        """
        keys = [sensitivity] if isinstance(sensitivity, str) else list(sensitivity)
        if keys:
            whole, (names, slopes) = _core.scenario_sensitivity(self._handle, keys)
        else:
            whole = _core.scenario_run(self._handle)
        columns, rows, events, values, warnings, text = whole
        table, units = columns_from(columns, rows)
        if keys:
            more, of_more = columns_from(names, slopes)
            table.update(more)
            units.update(of_more)
        happened = [Event(t, kind, max(contact - 1, 0)) for t, kind, contact in events]
        result = Result(self.kind, table, happened, values)
        result.units, result.text, result.warnings = units, text, [*self.warnings, *warnings]
        return result


def _classify(source: Source) -> tuple[str, Any]:
    if isinstance(source, Mapping):
        return "tree", _plain(source)
    text = fspath(source)
    return ("text" if isinstance(source, str) and "\n" in source else "file"), text


def _by_pyyaml(kind: str, source: Any) -> Any:
    try:
        import yaml
    except ImportError as error:
        raise AbsentError(
            "yaml", "this build has no libyaml, and PyYAML is not installed: pass a dict"
        ) from error
    if kind == "text":
        return _plain(yaml.safe_load(source))
    with open(source, encoding="utf-8") as file:
        return _plain(yaml.safe_load(file))


def run(
    source: Source,
    set: Mapping[str, Any] | None = None,
    *,
    name: str = "scenario",
    sensitivity: str | Iterable[str] = (),
) -> Result:
    """Run a scenario: a YAML file, YAML text or a dict; ``set`` replaces values by their full keys. ``sensitivity``
    names keys whose derivatives are added, see :meth:`Scenario.run`.

    >>> result = run({
    ...     "law": {"kind": "stiction", "mu_c": 0.3, "mu_s": 0.4},
    ...     "rig": {"mass": 1, "stiffness": 100, "pull": 0.01, "normal_force": 9.81},
    ...     "duration": 20, "output": {"every": 0.01}})
    >>> [event.kind for event in result.events][:4]  # a spring pulls a mass: stick and slip
    ['slip', 'stick', 'slip', 'stick']
    """
    return Scenario(source, set, name=name).run(sensitivity=sensitivity)
