"""Oracle of rollouts: follow(), one path at a time."""

from __future__ import annotations

import numpy as np
import pytest

import bristle

BOX = bristle.Pusher(bristle.Patch.rectangle((0.1, 0.06)), mu=0.3, radius=0.005)


def paths(count: int, steps: int) -> np.ndarray:
    random = np.random.default_rng(3)
    start = np.column_stack([random.uniform(-0.03, 0.03, count), np.full(count, -0.04)])
    moves = random.uniform((-0.005, 0.002), (0.005, 0.01), (count, steps, 2))
    return start[:, None] + np.concatenate([np.zeros((count, 1, 2)), moves.cumsum(axis=1)], axis=1)


def test_rollouts_are_paths_one_by_one() -> None:
    tips = paths(37, 6)
    found = BOX.rollout((0.0, 0.0, 0.1), tips)
    expected = [BOX.follow((0.0, 0.0, 0.1), path) for path in tips]
    assert found.shape == (37, 7, 3)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10)  # lanes round differently


def test_each_path_has_its_pose_and_friction() -> None:
    tips, poses = paths(3, 4), np.array([[0.0, 0, 0], [0.001, 0, 0.1], [0, 0.002, -0.1]])
    mu = np.array([0.0, 0.2, 0.5])
    found = BOX.rollout(poses, tips, mu)
    for i in range(3):
        tip = bristle.Pusher(bristle.Patch.rectangle((0.1, 0.06)), mu=mu[i], radius=0.005)
        np.testing.assert_allclose(found[i], tip.follow(poses[i], tips[i]), rtol=0, atol=1e-10)


def test_rollouts_broadcast() -> None:
    tips = paths(6, 2)
    many = BOX.rollout((0.0, 0.0, 0.0), tips.reshape(2, 3, 3, 2))
    assert (many.reshape(6, 3, 3) == BOX.rollout((0.0, 0.0, 0.0), tips)).all()
    assert BOX.rollout((0.0, 0.0, 0.0), tips[0]).shape == (3, 3)
    assert BOX.rollout((0.0, 0.0, 0.0), tips[0], mu=[0.1, 0.2]).shape == (2, 3, 3)
    assert BOX.rollout((0.0, 0.0, 0.0), tips[:0]).shape == (0, 3, 3)


def test_gradients_are_differences_of_paths() -> None:
    tips, mu = paths(5, 4), np.linspace(0.1, 0.5, 5)
    found = BOX.gradient((0.0, 0.0, 0.1), tips, mu)
    weights = np.random.default_rng(2).normal(size=found.poses.shape)
    back = found.vjp(weights)
    step, turn = 1e-7, np.random.default_rng(3).normal(size=tips.shape)

    def cost(scale: float) -> np.ndarray:
        start = np.array([0.0, 0.0, 0.1]) + scale * np.array([0.3, -0.2, 0.5])
        poses = [BOX.gradient(start, tips + scale * turn, mu + scale).poses]
        return np.einsum("...ki,...ki", weights, poses[0])

    slope = (cost(step) - cost(-step)) / (2 * step)
    expected = back["pose"] @ [0.3, -0.2, 0.5] + back["mu"] + np.sum(back["path"] * turn, axis=(1, 2))
    np.testing.assert_allclose(slope, expected, rtol=1e-5, atol=1e-5)  # differences


def test_gradients_have_the_poses_of_rollouts() -> None:
    tips = paths(6, 3)
    found = BOX.gradient((0.0, 0.0, 0.1), tips.reshape(2, 3, 4, 2))
    np.testing.assert_allclose(  # lanes round differently
        found.poses.reshape(6, 4, 3), BOX.rollout((0.0, 0.0, 0.1), tips), rtol=0, atol=1e-10
    )
    assert found.by.shape == (2, 3, 3, 3, 14) and found.changes.shape == (2, 3, 3)
    with pytest.raises(bristle.ArgumentError, match="paths: must be of shape"):
        BOX.gradient((0, 0, 0), [0.0, 1.0])


def test_bad_rollouts_are_refused() -> None:
    with pytest.raises(bristle.ArgumentError, match="paths: must be of shape"):
        BOX.rollout((0, 0, 0), [0.0, 1.0])
    with pytest.raises(bristle.ArgumentError, match="pose: must be of shape"):
        BOX.rollout((0, 0), paths(2, 2))
    with pytest.raises(bristle.ArgumentError, match="mu"):
        BOX.rollout((0, 0, 0), paths(2, 2), mu=-0.1)
    with pytest.raises(ValueError):
        BOX.rollout(np.zeros((3, 3)), paths(2, 2))
