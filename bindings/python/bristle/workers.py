"""How many threads share a call over arrays."""

from __future__ import annotations

import os

from . import _core

__all__ = ["set_workers"]


def _processors() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def set_workers(count: int = 0) -> int:
    """Let so many threads share each call over arrays that takes longer than some tenths of a millisecond.

    Results are the same whatever their number. It holds for the whole process; where a program has
    processes or threads of its own for every processor, 1 suits:
    ``multiprocessing.Pool(initializer=bristle.set_workers, initargs=(1,))``.

    Args:
        count: threads, at most 64; 0: one for each processor that this process may use, as at the start

    Returns:
        their number before

    >>> before = set_workers(1)
    >>> set_workers(before)
    1
    """
    return _core.set_workers(_processors() if count == 0 else count)


set_workers()
