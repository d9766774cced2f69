"""Results of a run: columns by name, events, a summary."""

from __future__ import annotations

import csv
import html
from collections.abc import Iterator, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ._common import FloatArray, Named, no_such, optional

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Event", "Result"]

ENERGY = (
    "kinetic",
    "stored",
    "dissipated",
    "work_loads",
    "work_gravity",
    "work_normal",
    "work_contacts",
    "residual",
)
# additional columns of mechanisms
_MORE = ("potential", "work_applied", "work_friction", "work_constraints")


def columns_from(
    columns: list[tuple[str, str, list[str]]], rows: FloatArray
) -> tuple[dict[str, Any], dict[str, str]]:
    """Columns by name, with their words, and their units; from (name, unit, words) of each and the rows."""
    table: dict[str, Any] = {}
    for i, (name, _, words) in enumerate(columns):
        column = rows[:, i].copy()
        table[name] = np.array(words)[column.astype(np.int64)] if words else column
    return table, Named({name: unit for name, unit, _ in columns})


class Event(NamedTuple):
    """Something that happened at an instant."""

    t: float  #: [s]
    kind: str  #: "stick", "slip", "open", ...
    contact: int  #: index of the body's contact


class Result(Mapping[str, Any]):
    """Columns by name, as arrays: ``result["y"]``. Made by ``bristle.run`` and the ``simulate`` methods.

    Attributes:
        events: list of Event, in order
        summary: numbers of the whole run, by name
        kind: kind of scenario: "body", "mechanism", ...
        units: of the columns, if known
        text: a summary of the run
        warnings: of the run, sentences

    >>> result = Result("body", {"t": np.array([0.0, 0.1]), "x": np.array([1.0, 2.0])})
    >>> result["x"]
    array([1., 2.])
    >>> result
    <body: 2 rows of t, x; 0 events>
    """

    def __init__(
        self,
        kind: str,
        columns: Mapping[str, Any],
        events: list[Event] | None = None,
        summary: Mapping[str, Any] | None = None,
        picture: Mapping[str, Any] | None = None,
    ) -> None:
        self.kind = kind
        self.events = list(events or [])
        self.summary: dict[str, Any] = Named(summary or {})
        self._columns = dict(columns)
        self.picture = dict(picture or {})
        self.units: dict[str, str] = Named()
        self.warnings: list[str] = []
        self.text = ""

    def __getitem__(self, name: str) -> Any:
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(no_such("column", name, self._columns)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self._columns.values()))) if self._columns else 0

    @property
    def energy(self) -> dict[str, Any]:
        """The balance of energy [J], by name: kinetic, stored, dissipated, work of ..., residual.

        Each is a column if the run has it (``output: {energy: true}``), else the number at the end of the run,
        from the summary. Empty for runs without a balance: laws, rigs, sliders.
        """
        end = {name: self.summary.get(f"energy.{name}", self.summary.get(name)) for name in ENERGY + _MORE}
        both = {name: self._columns.get(name, end[name]) for name in end}
        return Named({name: value for name, value in both.items() if value is not None})

    def __repr__(self) -> str:
        names = list(self._columns)
        shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
        return f"<{self.kind}: {self.rows} rows of {shown}; {len(self.events)} events>"

    def _repr_html_(self) -> str:
        names = [name for name in self._columns if self._columns[name].ndim == 1][:12]
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        last = self.rows - 1
        shown = sorted({0, 1, 2, last - 1, last} & set(range(self.rows)))
        body = "".join(
            "<tr>" + "".join(f"<td>{_cell(self._columns[n][i])}</td>" for n in names) + "</tr>"
            for i in shown
        )
        words = "".join(
            f"<li>{html.escape(str(k))}: {html.escape(_cell(v))}</li>"
            for k, v in self.summary.items()
        )
        caption = html.escape(repr(self))
        return f"<p>{caption}</p><table><tr>{head}</tr>{body}</table><ul>{words}</ul>"

    def to_csv(self, path: str | PathLike[str]) -> None:
        """Write the columns as CSV, as the command does: a header, then a row for each instant."""
        names = list(self._columns)
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(names)
            writer.writerows(zip(*(self._columns[name].tolist() for name in names)))

    def to_npz(self, path: str | PathLike[str]) -> None:
        """Write the columns as a compressed file of NumPy: ``numpy.load(path)["y"]``."""
        np.savez_compressed(path, **self._columns)

    def to_frame(self) -> Any:
        """The columns as a pandas.DataFrame, if pandas is installed."""
        return optional("pandas", "to_frame").DataFrame(self._columns)

    def to_xarray(self) -> Any:
        """The columns as an xarray.Dataset over t, if xarray is installed."""
        xarray = optional("xarray", "to_xarray")
        data = {name: ("t", column) for name, column in self._columns.items() if name != "t"}
        return xarray.Dataset(data, coords={"t": self._columns["t"]})

    def plot(self, *names: str, path: str | PathLike[str] | None = None) -> Figure:
        """Panels over time, shaded where a contact slips; of the given columns, or of the main ones.

        Args:
            names: columns; none: the main ones
            path: file to which the picture is also saved
        """
        from . import plot

        return plot.panels(self, names, path)

    def scene(self, count: int = 8, path: str | PathLike[str] | None = None) -> Figure:
        """The body at several instants, and the path of its centre of mass."""
        from . import plot

        return plot.scene(self, count, path)

    def animate(self, path: str | PathLike[str] | None = None, fps: int = 25) -> Any:
        """The body's motion as an animation of matplotlib; saved as GIF if a path is given."""
        from . import plot

        return plot.animation(self, path, fps)


def _cell(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, (float, np.floating)) else html.escape(str(value))
