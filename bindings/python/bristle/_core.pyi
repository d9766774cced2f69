from collections.abc import Callable
from typing import Any

from ._common import ArrayLike, FloatArray

_Handle = Any
_Columns = list[tuple[str, str, list[str]]]
_Tables = tuple[_Columns, FloatArray, FloatArray]

version: str

# of bindings/core/table.inc, which has their arguments
law_make: Callable[..., _Handle]
law_default: Callable[..., FloatArray]
law_complete: Callable[..., FloatArray]
law_has_state: Callable[..., bool]
law_passivity_margin: Callable[..., float]
law_g: Callable[..., Any]
law_eval: Callable[..., tuple[Any, Any]]
law_gradient: Callable[..., FloatArray]
law_step: Callable[..., Any]
patch_make: Callable[..., _Handle]
patch_depends_on_force: Callable[..., bool]
patch_eval: Callable[..., tuple[FloatArray, Any, Any, Any]]
hertz_make: Callable[..., _Handle]
hertz_eval: Callable[..., tuple[Any, Any, Any, Any, Any, Any]]
hertz_patch: Callable[..., tuple[float, float, float, float]]
field_make: Callable[..., _Handle]
field_eval: Callable[..., Any]
limit_make: Callable[..., _Handle]
limit_value: Callable[..., tuple[FloatArray, float, FloatArray, float]]
limit_error: Callable[..., tuple[float, float, float, float]]
limit_wrench: Callable[..., FloatArray]
limit_dissipation: Callable[..., Any]
limit_jacobian: Callable[..., FloatArray]
limit_gauge: Callable[..., Any]
limit_twist: Callable[..., FloatArray]
contact_make: Callable[..., _Handle]
contact_place: Callable[..., _Handle]
contact_press: Callable[..., _Handle]
contact_numbers: Callable[..., tuple[int, int, int, FloatArray, float, float, float, FloatArray]]
contact_parts: Callable[..., tuple[FloatArray, FloatArray, FloatArray]]
contact_centres: Callable[..., tuple[FloatArray, FloatArray, float]]
contact_eval: Callable[..., tuple[FloatArray, FloatArray]]
contact_step: Callable[..., FloatArray]
contact_steady: Callable[..., FloatArray]
contact_load: Callable[..., Any]
contact_stored: Callable[..., Any]
contact_slip: Callable[..., tuple[Any, Any, Any]]
contact_gradient: Callable[..., tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]]
contact_part_values: Callable[..., tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]]
contact_carry: Callable[..., FloatArray]
cone_make: Callable[..., _Handle]
cone_axes: Callable[..., FloatArray]
cone_split: Callable[..., FloatArray]
cone_margin: Callable[..., Any]
cone_contains: Callable[..., Any]
cone_project: Callable[..., FloatArray]
polyhedron_make: Callable[..., _Handle]
polyhedron_rows: Callable[..., tuple[FloatArray, FloatArray, float, float]]
polyhedron_margin: Callable[..., Any]
polyhedron_contains: Callable[..., Any]
wrench_cone_make: Callable[..., _Handle]
wrench_cone_rectangle: Callable[..., FloatArray]
wrench_cone_rows: Callable[..., tuple[FloatArray, FloatArray]]
wrench_cone_margin: Callable[..., Any]
wrench_cone_contains: Callable[..., Any]
limit_polyhedron_make: Callable[..., _Handle]
limit_polyhedron_rows: Callable[..., tuple[FloatArray, FloatArray, float]]
grip_surface: Callable[..., Any]
grasp_make: Callable[..., _Handle]
grasp_eval: Callable[..., tuple[FloatArray, FloatArray]]
slider_make: Callable[..., _Handle]
slider_ellipsoid: Callable[..., FloatArray]
slider_step: Callable[..., tuple[FloatArray, Any, FloatArray, Any]]
slider_eval: Callable[..., tuple[FloatArray, FloatArray, Any, FloatArray, Any]]
pushing_make: Callable[..., _Handle]
pushing_outline: Callable[..., tuple[FloatArray, FloatArray, float]]
pushing_eval: Callable[..., tuple[FloatArray, FloatArray, FloatArray, FloatArray, Any]]
pushing_step: Callable[..., tuple[FloatArray, FloatArray, FloatArray, FloatArray, Any]]
pushing_rollout: Callable[..., FloatArray]
pushing_gradient: Callable[..., tuple[FloatArray, FloatArray, Any, Any]]
pushing_cone: Callable[..., tuple[FloatArray, FloatArray]]
profile_make: Callable[..., _Handle]
profile_eval: Callable[..., Any]
grip_make: Callable[..., _Handle]
grip_eval: Callable[..., Any]
engine_make: Callable[..., _Handle]
engine_form: Callable[..., int]
engine_error: Callable[..., tuple[float, float, float, float]]
engine_wrench: Callable[..., FloatArray]
engine_gauge: Callable[..., Any]

def install(
    empty: Callable[..., FloatArray],
    share: Callable[[Any, Any], bool],
    convert: Callable[[object], FloatArray],
    exception: Callable[[int, str, str], Exception],
    describe: Callable[[object], str],
    /,
) -> None: ...
def set_workers(count: int, /) -> int: ...
def statuses() -> dict[str, str]: ...
def engine_numbers(engine: _Handle, /) -> dict[str, float]: ...
def contact_methods() -> list[str]: ...
def grip_patch(patch: _Handle, mu: float, load: tuple[float, ...], /) -> float: ...
_Place = tuple[float, FloatArray, FloatArray, list[FloatArray], FloatArray]

def body_make(definition: tuple[Any, ...], place: _Place | None, /) -> _Handle: ...
def body_complete_friction(
    body: _Handle, friction: list[tuple[Any, ...]], /
) -> list[tuple[float, float, float]]: ...
def body_place_of(body: _Handle, place: _Place, /) -> None: ...
def body_run(
    body: _Handle, place: _Place, run: tuple[Any, ...], /
) -> tuple[_Tables, tuple[int, int, int, int, int]]: ...
def body_step(
    body: _Handle, place: _Place, h: float, load: tuple[float, ...], order: int, /
) -> tuple[
    float,
    list[tuple[float, float, float]],
    tuple[float, float, float, float],
    tuple[float, float],
    int,
    list[tuple[float, int, int]],
]: ...
def event_names() -> list[str]: ...
def worlds_make(is_float: bool, contacts: list[tuple[Any, ...]], count: int, threads: int, passes: int, /) -> _Handle: ...
def worlds_sizes(worlds: _Handle, /) -> tuple[list[int], int]: ...
def worlds_attach(worlds: _Handle, contact: int, name: str, array: Any | None, /) -> None: ...
def worlds_step(
    worlds: _Handle, h: float, steps: int, load: Any | None, load_steps: int, normal_force: Any | None, fn_steps: int,
    mask: Any | None, check: bool, /,
) -> None: ...
def worlds_reset(worlds: _Handle, mask: Any | None, /) -> None: ...
def worlds_complete(
    worlds: _Handle, contacts: list[tuple[Any, ...]], rules: list[tuple[int, float, float]], mask: Any | None, /
) -> None: ...
def worlds_tape(worlds: _Handle, steps: int, every: int, /) -> int: ...
def worlds_record(
    common: tuple[Any, ...], taped: tuple[int, FloatArray], pose: FloatArray | None, twist: FloatArray | None, check: bool, /
) -> None: ...
def worlds_vjp(
    common: tuple[Any, ...], taped: tuple[int, FloatArray], pose_steps: int, twist_steps: int, body: tuple[Any, ...],
    contacts: list[tuple[Any, ...]], /,
) -> None: ...
def contact_step_vjp(
    contact: _Handle, z0: ArrayLike, z1: ArrayLike, v: ArrayLike, fn: ArrayLike, h: float, wrench: ArrayLike,
    z: ArrayLike, /,
) -> tuple[FloatArray, FloatArray, Any, FloatArray, Any]: ...
def rollout_run(
    numbers: tuple[Any, ...], contacts: list[tuple[Any, ...]], arrays: tuple[FloatArray | None, ...],
    outputs: tuple[FloatArray, ...], /,
) -> tuple[_Handle, int, int]: ...
def rollout_vjp(
    rollout: _Handle, by_law: bool, bars: tuple[FloatArray | None, ...], outputs: tuple[FloatArray, ...], /
) -> tuple[tuple[float, ...], tuple[float, ...], float, float, float, float, int, int]: ...
def constrained_check(system: tuple[Any, ...], /) -> None: ...
def constrained_eval(system: tuple[Any, ...], /) -> tuple[Any, ...]: ...
def constrained_slide(
    system: tuple[Any, ...], law: _Handle, z: ArrayLike | None, paper: bool, /
) -> tuple[FloatArray, float, float, FloatArray, float]: ...
def constrained_hold(
    system: tuple[Any, ...], /
) -> tuple[FloatArray, FloatArray, float, float, FloatArray, bool, bool]: ...
def mechanism_run(
    sizes: tuple[int, int, int, int],
    functions: tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]],
    parts: tuple[int, int],
    start: FloatArray,
    law: _Handle,
    dahl: tuple[int, FloatArray | None],
    paper: bool,
    project: bool,
    stabilisation: float,
    run: tuple[Any, ...],
    /,
) -> tuple[
    _Tables, tuple[int, int, int, int, int], tuple[float, ...]
]: ...
def scenario_read(
    kind: str, source: Any, name: str, overrides: list[str], /
) -> tuple[_Handle, list[tuple[str, int, int, str, str, str, str]]]: ...
def scenario_facts(scenario: _Handle, /) -> tuple[str, float, int, str, list[str], list[str]]: ...
def scenario_run(
    scenario: _Handle, /
) -> tuple[
    _Columns,
    FloatArray,
    list[tuple[float, str, int]],
    dict[str, float | str],
    list[str],
    str,
]: ...
def scenario_sensitivity(
    scenario: _Handle, keys: list[str], /
) -> tuple[Any, tuple[_Columns, FloatArray]]: ...

def fit_law_names() -> tuple[list[tuple[str, str]], list[str]]: ...
def pressure_fit(
    pairs: FloatArray, outline: Any, supports: Any | None, tolerance: float, resolution: int, choices: int, /,
) -> dict[str, Any]: ...
def pushes_fit(
    pushes: FloatArray, outline: Any, patch: Any | None, tip_radius: float, mu_tip: float, keeps_mu: bool,
    resolution: int, offset_x: float, offset_y: float, keeps_offset: bool, fits_radius: bool, /,
) -> dict[str, Any]: ...
def law_fit(
    law: int, t: ArrayLike | None, v: ArrayLike, f: ArrayLike, fn: ArrayLike | None,
    load: ArrayLike | None, free: int, offered: int, fixed: int, values: tuple[float, ...], train: int,
    level: float, by_position: bool, robust: bool, passive: bool, profile: bool, starts: int,
    flip_force: bool, speed_noise: float, hold_out: float, out: FloatArray, /,
) -> tuple[int, dict[int, float], dict[str, Any], str | None]: ...
def law_speed(t: FloatArray, x: FloatArray, v: FloatArray, /) -> tuple[int, float, float]: ...
def sweep_create(
    scenario: _Handle,
    keys: list[tuple[int, str, str | None, Any]],
    samples: int,
    sampling: int,
    seed: int,
    indices: int,
    want: list[str],
    /,
) -> _Handle: ...
def sweep_facts(
    sweep: _Handle, /
) -> tuple[
    list[int], list[tuple[str, str, list[str]]], list[tuple[str, str, list[str]]], int, str, list[int], bool
]: ...
def sweep_run(sweep: _Handle, workers: int, /) -> tuple[FloatArray, dict[int, str]]: ...
def sweep_local(sweep: _Handle, /) -> tuple[list[float], list[tuple[float, float, list[float]]]]: ...
def sweep_indices(
    numbers: FloatArray, inputs: int, /
) -> list[tuple[float, float, float, float, float, float]]: ...
