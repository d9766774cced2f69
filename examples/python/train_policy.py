"""Training through contact: a small network grips harder or less while a tool turns between two fingers, so that it ends
at 30 degrees although mass and friction differ by 10 %. PyTorch differentiates whole episodes, stick and slip included.

    python train_policy.py [picture.png]
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
import torch

import bristle.torch
from bristle import Body, BodyContact, Contact, Patch

GOAL, PERIODS, STEPS, H, MASS, INERTIA = np.radians(-30.0), 60, 5, 2e-3, 0.2, 5e-4  # each 10 ms another grip
FINGERS = Body(MASS, INERTIA, [BodyContact(Contact(Patch.disc(0.012), 0.8), count=2)]).contacts


def episode(policy: torch.nn.Module, mu: float, mass: float) -> tuple[torch.Tensor, list[float]]:
    """The cost of an episode, and the angles during it [degrees]."""
    pose, velocity, states = torch.tensor([0.03, 0.0, 0.0]), torch.zeros(3), None
    angles = list[float]()
    for i in range(PERIODS):
        seen = torch.stack([2.0 * (pose[2] - GOAL), 0.3 * velocity[2], torch.tensor(i / PERIODS)])
        now = bristle.torch.rollout(
            FINGERS, mass, INERTIA * mass / MASS, h=H, steps=STEPS, normal_force=5.5 * torch.exp(policy(seen)),
            pose=pose, velocity=velocity, states=states, gravity=(0.0, -9.81), law={"mu_c": mu, "mu_s": mu},
        )  # fmt: skip
        pose, velocity, states = now.pose[-1], now.velocity[-1], now.states
        angles.append(float(np.degrees(pose[2].item())))
    return 50.0 * (pose[2] - GOAL) ** 2 + 0.1 * velocity[2] ** 2, angles


def main(path: str) -> None:
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(1)
    random = np.random.default_rng(1)
    policy = torch.nn.Sequential(torch.nn.Linear(3, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
    torch.nn.init.zeros_(policy[2].weight)
    torch.nn.init.zeros_(policy[2].bias)
    learn = torch.optim.Adam(policy.parameters(), 3e-2)
    figure, axes = plt.subplots()
    for _ in range(60):
        learn.zero_grad()
        for _ in range(4):
            cost, _ = episode(policy, 0.8 * random.uniform(0.9, 1.1), MASS * random.uniform(0.9, 1.1))
            (cost / 4).backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 5.0)
        learn.step()
    tests = [episode(policy, 0.8 * random.uniform(0.9, 1.1), MASS * random.uniform(0.9, 1.1))[1] for _ in range(20)]
    ends = np.array(tests)[:, -1]
    print(f"20 tools of other mass and friction: {ends.mean():.2f} +- {ends.std():.2f} degrees")
    axes.plot(1e-3 * 10.0 * np.arange(1, PERIODS + 1), np.transpose(tests), color="#08306b", linewidth=0.7)
    axes.set(xlabel="t [s]", ylabel="angle [degrees]")
    figure.savefig(path)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "train_policy.png")
