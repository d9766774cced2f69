"""Pictures by matplotlib, which is imported when the first one is drawn.

Limit surfaces and cones in 3-D, panels over time with the slip shaded, scenes.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from ._common import FloatArray
from .errors import AbsentError, ArgumentError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .body import Body
    from .cone import FrictionCone
    from .limit import LimitSurface
    from .result import Result

__all__ = ["animation", "cone", "limit_surface", "panels", "scene"]

_SLIP = {"slip": ("tab:orange", 0.15), "open": ("tab:grey", 0.25)}
_PANELS: dict[str, tuple[tuple[str, ...], ...]] = {
    "body": (("x", "y"), ("theta",), ("vx", "vy"), ("w",), ("fx", "fy"), ("tau",), ("fn",), ("load",)),
    "mechanism": (("q",), ("qd",), ("fn",), ("fx", "fy", "fz")),
}
_UNITS = {
    "x": "m", "y": "m", "theta": "rad", "vx": "m/s", "vy": "m/s", "w": "rad/s", "fx": "N",
    "fy": "N", "fz": "N", "tau": "N m", "fn": "N", "load": "-", "slip": "m/s", "z": "m", "v": "m/s",
    "f": "N",
}  # fmt: skip


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot
    except ImportError as error:
        raise AbsentError("plot", "needs matplotlib, which is not installed") from error
    return matplotlib.pyplot


def _save(figure: Figure, path: str | PathLike[str] | None) -> Figure:
    if path is not None:
        figure.savefig(path, dpi=120)
    return figure


def _stem(name: str) -> str:
    return name.rstrip("0123456789")


def _default_panels(result: Result) -> list[list[str]]:
    wanted = _PANELS.get(result.kind.split(" ")[0])
    numeric = [n for n in result if n != "t" and result[n].dtype.kind == "f"]
    if wanted is None:
        return [[name] for name in numeric[:8]]
    groups = [[n for n in numeric if _stem(n) in stems] for stems in wanted]
    return [group for group in groups if group]


def panels(
    result: Result, names: Sequence[str] = (), path: str | PathLike[str] | None = None
) -> Figure:
    """Columns over time, one below the other, shaded where a contact slips (orange) or is open (grey)."""
    missing = [name for name in names if name not in result]
    if missing:
        raise ArgumentError("names", f"no column {missing[0]!r}; there are {', '.join(result)}")
    groups = [[name] for name in names] or _default_panels(result)
    plt = _pyplot()
    figure, axes = plt.subplots(
        len(groups), 1, sharex=True, squeeze=False, figsize=(8, 1.0 + 1.3 * len(groups))
    )
    for axis, group in zip(axes[:, 0], groups):
        for name in group:
            axis.plot(result["t"], result[name], label=name, linewidth=1.2)
        _shade(axis, result)
        unit = result.units.get(group[0], _UNITS.get(_stem(group[0]), ""))
        axis.set_ylabel(f"{_stem(group[0]) if len(group) == 1 else ''} [{unit}]" if unit else group[0])
        if len(group) > 1:
            axis.legend(loc="upper right", fontsize="small", ncols=len(group))
        axis.grid(alpha=0.3)
    axes[-1, 0].set_xlabel("t [s]")
    figure.tight_layout()
    return _save(figure, path)


def _spans(result: Result) -> list[tuple[float, float, str]]:
    """When the first contact slips or is open, from its events."""
    events = [e for e in result.events if e.contact == 0 and e.kind in ("stick", "slip", "open")]
    if not events:
        return []
    ends = [event.t for event in events[1:]] + [float(result["t"][-1])]
    return [(e.t, end, e.kind) for e, end in zip(events, ends) if e.kind in _SLIP]


def _shade(axis: Any, result: Result) -> None:
    for start, end, kind in _spans(result):
        colour, strength = _SLIP[kind]
        axis.axvspan(start, end, color=colour, alpha=strength, linewidth=0)


def limit_surface(
    *surfaces: LimitSurface, n: int = 40, path: str | PathLike[str] | None = None
) -> Figure:
    """Limit surfaces in 3-D, side by side: (fx, fy, tau/r) for mu fn = 1."""
    if not surfaces:
        raise ArgumentError("surfaces", "there must be at least one")
    plt = _pyplot()
    figure = plt.figure(figsize=(3.6 * len(surfaces), 4.2))
    for i, surface in enumerate(surfaces):
        axis = figure.add_subplot(1, len(surfaces), i + 1, projection="3d")
        points = surface.points(n)
        height = points[..., 2] / (surface.r or 1.0)
        axis.plot_surface(
            points[..., 0], points[..., 1], height, cmap="viridis", linewidth=0, alpha=0.9
        )
        axis.set_title(surface.patch.shape)
        axis.set_xlabel("fx")
        axis.set_ylabel("fy")
        axis.set_zlabel("tau/r", labelpad=8)
        axis.set_zticks([-1, 0, 1])
        axis.set_box_aspect((1, 1, 1), zoom=0.85)  # space for the label of tau/r
    figure.tight_layout()
    return _save(figure, path)


def cone(
    friction_cone: FrictionCone,
    forces: FloatArray | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """A friction cone up to a normal force of 1 N, and forces (n, 3): blue hold, red slip."""
    plt = _pyplot()
    figure = plt.figure(figsize=(4.5, 4.5))
    axis = figure.add_subplot(projection="3d")
    normal, t1, t2 = friction_cone.axes
    up, angle = np.meshgrid(np.linspace(0, 1, 12), np.linspace(0, 2 * np.pi, 40))
    around = np.cos(angle)[..., None] * t1 + np.sin(angle)[..., None] * t2
    surface = up[..., None] * (normal + friction_cone.mu * around)
    axis.plot_surface(*np.moveaxis(surface, -1, 0), alpha=0.35, color="tab:green", linewidth=0)
    if forces is not None:
        colours = np.where(friction_cone.contains(forces), "tab:blue", "tab:red")
        for force, colour in zip(forces, colours):
            axis.plot(*zip((0, 0, 0), force), color=str(colour))
    axis.set_xlabel("fx")
    axis.set_ylabel("fy")
    axis.set_zlabel("fz")
    figure.tight_layout()
    return _save(figure, path)


def _outline(body: Body | None) -> FloatArray:
    """The closed outline of the body, body frame; a square if it is unknown."""
    if body is not None and body.outline is not None:
        from .slider import Pusher

        return Pusher(body.outline).outline()
    reach = 0.03
    if body is not None:
        reach = float(np.sqrt(3.0 * body.inertia / body.mass / 2.0))  # a square with that inertia
    return reach * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)], dtype=np.float64)


def _placed(outline: FloatArray, x: float, y: float, theta: float) -> FloatArray:
    c, s = np.cos(theta), np.sin(theta)
    placed: FloatArray = outline @ np.array([[c, s], [-s, c]]) + (x, y)
    return placed


def _require_motion(result: Result) -> None:
    missing = [name for name in ("x", "y", "theta") if name not in result]
    if missing:
        raise ArgumentError("result", f"no motion of a body to draw: no column {missing[0]!r}")


def scene(
    result: Result, count: int = 8, path: str | PathLike[str] | None = None
) -> Figure:
    """A body at several instants, and the path of its centre of mass."""
    _require_motion(result)
    plt = _pyplot()
    figure, axis = plt.subplots(figsize=(6, 6))
    outline = _outline(result.picture.get("body"))
    axis.plot(result["x"], result["y"], color="tab:blue", linewidth=2)
    for entry in getattr(result.picture.get("body"), "contacts", ()):
        if entry.frame == "world":
            axis.add_patch(plt.Circle(entry.contact.cop, entry.contact.r, color="tab:orange"))
    for i in np.linspace(0, result.rows - 1, count).astype(int):
        edge = _placed(outline, result["x"][i], result["y"][i], result["theta"][i])
        axis.plot(edge[:, 0], edge[:, 1], color="black", alpha=0.2 + 0.8 * i / result.rows)
    axis.set_aspect("equal")
    axis.set_xlabel("x [m]")
    axis.set_ylabel("y [m]")
    axis.grid(alpha=0.3)
    figure.tight_layout()
    return _save(figure, path)


def animation(result: Result, path: str | PathLike[str] | None = None, fps: int = 25) -> Any:
    """Animation of the body's motion; rows are the frames, at most about 200 of them."""
    _require_motion(result)
    plt = _pyplot()
    from matplotlib.animation import FuncAnimation

    figure, axis = plt.subplots(figsize=(5, 5))
    outline = _outline(result.picture.get("body"))
    frames = np.unique(np.linspace(0, result.rows - 1, min(result.rows, 200)).astype(int))
    edges = [_placed(outline, result["x"][i], result["y"][i], result["theta"][i]) for i in frames]
    everything = np.concatenate(edges)
    margin = 0.1 * np.ptp(everything, axis=0).max()
    axis.set_xlim(everything[:, 0].min() - margin, everything[:, 0].max() + margin)
    axis.set_ylim(everything[:, 1].min() - margin, everything[:, 1].max() + margin)
    axis.set_aspect("equal")
    (line,) = axis.plot([], [], color="black")

    def draw(k: int) -> tuple[Any, ...]:
        line.set_data(edges[k][:, 0], edges[k][:, 1])
        axis.set_title(f"t = {result['t'][frames[k]]:.2f} s")
        return (line,)

    moving = FuncAnimation(figure, draw, frames=len(edges), interval=1000 / fps)
    if path is not None:
        moving.save(path, fps=fps, writer="pillow")
    return moving
