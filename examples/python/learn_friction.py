"""Learning from a noisy run: the coefficient of friction and the position of the fingertips, by PyTorch through contact.

    python learn_friction.py [picture.png]
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
import torch

import bristle.torch
from bristle import Body, BodyContact, Contact, Patch

MASS, INERTIA, STEPS, H = 0.2, 5e-4, 600, 1e-3
NOISE = np.array([2e-5, 2e-5, 1e-3])  # of the measured pose [m, m, rad]
GUESS = Body(MASS, INERTIA, [BodyContact(Contact(Patch.disc(0.012), 0.8), count=2)]).contacts
GRIP = 4.0 + 0.5 * np.sin(12.0 * H * (np.arange(STEPS) + 0.5))  # N, at the middle of each step


def run(mu: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    """Poses of a tool that turns between two fingers."""
    return bristle.torch.rollout(
        GUESS, MASS, INERTIA, h=H, steps=STEPS, normal_force=GRIP, times=H * (np.arange(STEPS) + 0.5),
        pose=(0.03, 0.0, 0.0), gravity=(0.0, -9.81), law={"mu_c": mu, "mu_s": mu}, position=at[None, :],
    ).pose  # fmt: skip


def main(path: str) -> None:
    double, noise = torch.float64, np.random.default_rng(1).standard_normal((STEPS + 1, 3)) * NOISE
    truth = run(torch.tensor(0.856, dtype=double), torch.tensor([1.3e-3, -0.8e-3], dtype=double))
    measured = truth + torch.from_numpy(noise)
    scaled = torch.zeros(3, dtype=double, requires_grad=True)  # log(mu/0.8), x and y [cm]
    search = torch.optim.LBFGS([scaled], max_iter=40, line_search_fn="strong_wolfe")
    losses = list[float]()

    def loss() -> torch.Tensor:
        search.zero_grad()
        poses = run(0.8 * torch.exp(scaled[0]), 0.01 * scaled[1:])
        error = (((poses - measured) / torch.from_numpy(NOISE)) ** 2).mean()
        error.backward()
        losses.append(error.item())
        return error

    search.step(loss)
    mu, (x, y) = 0.8 * float(torch.exp(scaled[0])), 10.0 * scaled[1:].detach().numpy()
    print(f"mu {mu:.4f} (true 0.856), position {x:.3f}, {y:.3f} mm (true 1.3, -0.8): {len(losses)} rollouts")
    found = run(torch.tensor(mu, dtype=double), 0.01 * scaled[1:].detach())
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4))
    left.plot(np.degrees(measured[:, 2]), ".", markersize=2, color="#bbbbbb", label="measured")
    left.plot(np.degrees(found[:, 2]), color="#08306b", label="learned")
    left.set(xlabel="step", ylabel="angle [degrees]")
    left.legend()
    right.semilogy(losses, ".-", color="#cb181d")
    right.set(xlabel="rollout", ylabel="mean square error over noise")
    figure.savefig(path)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "learn_friction.png")
