"""Number of threads for calls over arrays."""

from __future__ import annotations

import os

from . import _core

__all__ = ["set_workers"]


def _processors() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def set_workers(count: int = 0) -> int:
    """Set the number of threads for calls over arrays that take longer than some tenths of a millisecond.

    Results do not depend on it. It applies to the whole process; if a program already runs a process
    or thread on every processor, use 1:
    ``multiprocessing.Pool(initializer=bristle.set_workers, initargs=(1,))``.

    Args:
        count: threads, at most 64; 0: one for each processor that this process may use (the default)

    Returns:
        the previous number

    >>> before = set_workers(1)
    >>> set_workers(before)
    1
    """
    return _core.set_workers(_processors() if count == 0 else count)


set_workers()
