"""A policy that pivots a box in a gripper by modulating the grip, found by the cross-entropy method (CEM).

    python pivot_search.py [picture.png]

Each of 64 candidates is tried in 16 worlds of pivot_env.py with different masses, frictions and fingers: 1,024 worlds.
"""

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from pivot_env import Array, LENGTH, PivotEnv, STEPS, TARGET  # noqa: E402


def act(policy: Array, seen: Array) -> Array:
    """Grip from remaining angle, spin and slip: linear, limited smoothly. Policies (n, 4), observations (n, 3)."""
    return np.array(np.tanh(policy[:, :1] + (policy[:, 1:] * seen).sum(axis=-1, keepdims=True)))


def episode(env: PivotEnv, policy: Array, seed: int) -> tuple[Array, Array]:
    """Returns of all worlds (n), and the observations (actions + 1, n, 3)."""
    course, total = [env.reset(seed=seed)[0]], np.zeros(env.num_envs)
    for _ in range(LENGTH):
        seen, reward, *_ = env.step(act(policy, course[-1]))
        course, total = [*course, seen], total + reward
    return total, np.array(course)


def search(candidates: int = 64, worlds: int = 16, iterations: int = 15, seed: int = 1) -> tuple[Array, list[float]]:
    """A policy, and the mean return of the best quarter in each iteration."""
    random, env, history = np.random.default_rng(seed), PivotEnv(candidates * worlds), list[float]()
    mean, spread = np.zeros(4), np.full(4, 3.0)
    for i in range(iterations):
        policies = mean + spread * random.normal(size=(candidates, 4))
        returns = episode(env, policies.repeat(worlds, axis=0), seed + i)[0].reshape(candidates, worlds).mean(axis=1)
        best = np.argsort(returns)[-candidates // 4 :]
        mean, spread = policies[best].mean(axis=0), policies[best].std(axis=0) + 0.02
        history += [float(returns[best].mean())]
        print(f"{i + 1:3d}: return {history[-1]:.4f}, policy {mean.round(2)}")
    return mean, history


def main(path: str) -> None:
    import matplotlib.pyplot as plt  # the search does without it
    start, (policy, history) = time.perf_counter(), search()
    spent = time.perf_counter() - start
    print(f"{spent:.1f} s for {1024 * LENGTH * STEPS * len(history):.1e} steps of worlds")
    course = episode(PivotEnv(1024), policy[None], 999)[1]  # the search has not used these worlds
    for name, numbers in (("angle [deg]", np.degrees(np.abs(course[-1, :, 0]))), ("slip [mm]", 10 * course[-1, :, 2])):
        print(f"1,024 other worlds, error of {name}: mean {numbers.mean():.2f}, 95 % {np.quantile(numbers, 0.95):.2f}")
    plt.plot(np.degrees(course[:, :100, 0] + TARGET), "tab:blue")
    plt.gca().set(xlabel="time [10 ms]", ylabel=f"angle of the box [deg], target {np.degrees(TARGET):.0f}")
    plt.savefig(path)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "pivot_search.png")
