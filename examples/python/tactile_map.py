"""A tactile sensor over time: each frame is a pressure map, and friction follows it from frame to frame.

    python tactile_map.py [picture.png]

tactile_map.csv has a row for each frame: time [s], normal force [N], and 8 x 8 pressures [kPa], the first row at the top.
A fingertip rolls over the sensor while the object in it is pulled and twisted slowly.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from bristle import Contact, Law, Patch

SIZE, SIDE, STEP = (0.016, 0.016), 8, 1e-3  # m, cells, s
TWIST = (4e-5, 1e-5, 4e-3)  # of the object over the fingertip: m/s, m/s, rad/s


def mesh() -> Patch:
    """Two triangles between each four neighbouring cells of the sensor; the pressures are at the cells' centres."""
    x = SIZE[0] * ((np.arange(SIDE) + 0.5) / SIDE - 0.5)
    y = SIZE[1] * (0.5 - (np.arange(SIDE) + 0.5) / SIDE)
    vertices = [(u, v) for v in y for u in x]
    corners = [SIDE * i + j for i in range(SIDE - 1) for j in range(SIDE - 1)]
    triangles = [(at, at + 1, at + SIDE + 1) for at in corners] + [(at, at + SIDE + 1, at + SIDE) for at in corners]
    return Patch.triangles(vertices, np.ones(SIDE * SIDE), triangles)


def main(path: str) -> None:
    frames = np.loadtxt(Path(__file__).with_name("tactile_map.csv"), delimiter=",", skiprows=1)
    contact = Contact(mesh(), Law(mu_c=0.6, mu_s=0.7, sigma0=2e4, sigma1=20, sigma2=0))
    z, rows = contact.state(), []
    for t, fn, *pressures in frames:
        now = contact.at_pressure(pressures)  # the cells stay, and so do their bristles
        for _ in range(20):
            wrench = now.step(z, TWIST, fn, STEP)
        rows.append((t, fn, *now.cop, *wrench, now.load(z, TWIST, fn)))
    t, fn, x, y, fx, fy, tau, load = np.transpose(rows)
    print(f"{len(t)} frames: CoP moves {1e3 * np.ptp(x):.1f} mm, load {load[0]:.2f} to {load[-1]:.2f}")

    figure, axes = plt.subplots(2, 2, figsize=(9, 6))
    for axis, i in zip(axes[0], (0, -1)):
        axis.imshow(np.reshape(frames[i, 2:], (SIDE, SIDE)), extent=(-8, 8, -8, 8), cmap="viridis")
        axis.plot(1e3 * x[i], 1e3 * y[i], "r+", markersize=12)
        axis.set_title(f"t = {t[i]:.2f} s, {fn[i]:.1f} N")
    axes[1, 0].plot(t, fx, label="fx [N]")
    axes[1, 0].plot(t, 100 * tau, label="tau [N cm]")
    axes[1, 1].plot(t, load, "C3", label="share of the friction limit")
    for axis in axes[1]:
        axis.set_xlabel("t [s]")
        axis.grid(alpha=0.3)
        axis.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "tactile_map.png")
