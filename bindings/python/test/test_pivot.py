"""Oracle: Gymnasium's interface of environments (shapes, spaces, seeds), and the task that the policy must solve."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "python"
pytestmark = pytest.mark.skipif(not EXAMPLES.is_dir(), reason="no examples beside the package")


@pytest.fixture
def pivot(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module("pivot_env")


def test_the_environment_has_the_interface_of_gymnasium(pivot: Any) -> None:
    env = pivot.PivotEnv(8)
    seen, info = env.reset(seed=4)
    assert env.observation_space.contains(seen) and info == {}
    same, _ = env.reset(seed=4)
    np.testing.assert_array_equal(seen, same)
    assert len(set(env.worlds.mass)) == 8  # every world has its own
    action = np.full(env.action_space.shape, -0.2)
    assert env.action_space.contains(action) and not env.action_space.contains(2 * np.ones((8, 1)))
    for i in range(pivot.LENGTH):
        seen, reward, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(seen)
        assert reward.shape == terminated.shape == truncated.shape == (8,) and (reward <= 0).all()
        assert truncated.all() == (i == pivot.LENGTH - 1)


def test_some_worlds_are_reset(pivot: Any) -> None:
    env = pivot.PivotEnv(6)
    env.reset(seed=1)
    for _ in range(10):
        before, *_ = env.step(np.full((6, 1), -0.2))
    mask = np.arange(6) < 2
    seen, _ = env.reset(options={"reset_mask": mask})
    np.testing.assert_allclose(seen[mask], [[-pivot.TARGET, 0, 0]] * 2, atol=1e-12)  # at the start: rounding
    np.testing.assert_array_equal(seen[~mask], before[~mask])
    assert env.time.tolist() == [0, 0, 10, 10, 10, 10]


def test_a_firm_grip_holds_and_a_loose_one_drops(pivot: Any) -> None:
    for action, falls in ((1.0, False), (-1.0, True)):
        env = pivot.PivotEnv(4)
        env.reset(seed=2)
        for _ in range(pivot.LENGTH):
            seen, _, terminated, _, _ = env.step(np.full((4, 1), action))
        assert terminated.all() == falls
        # 30 N hold: friction of 42 N or more, and its torque 0.22 N m, where the weight has 1.8 N and 0.05 N m
        assert falls or np.abs(seen[:, 0] + pivot.TARGET).max() < 1e-3


def test_the_search_solves_the_task(pivot: Any) -> None:
    search = importlib.import_module("pivot_search")
    policy, history = search.search(candidates=24, worlds=4, iterations=9)
    assert history[-1] > history[0] / 2  # the cost is less than half of the first
    course = search.episode(pivot.PivotEnv(64), policy[None], 999)[1]
    error, slip = np.degrees(np.abs(course[-1, :, 0])), 10 * course[-1, :, 2]
    # degrees and mm: what a short search reaches; it starts 50 degrees away, and a loose grip slips by 30 mm
    assert error.mean() < 5.0 and slip.mean() < 5.0
    assert np.abs(course[-1, :, 1]).max() < 0.01  # all boxes are at rest
