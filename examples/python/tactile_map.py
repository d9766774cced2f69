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


def main(path: str) -> None:
    frames = np.loadtxt(Path(__file__).with_name("tactile_map.csv"), delimiter=",", skiprows=1)
    law = Law(mu_c=0.6, mu_s=0.7, sigma0=2e4, sigma1=20, sigma2=0)
    contact: Contact | None = None
    z, rows = np.empty(0), []
    for t, fn, *pressures in frames:
        patch = Patch.grid(np.reshape(pressures, (SIDE, SIDE)), SIZE)
        new = Contact(patch, law)
        # other cells are pressed: the bristles go along, with the force and torque that they carry
        z = new.state() if contact is None else contact.carry(z, new)
        contact = new
        for _ in range(20):
            wrench = contact.step(z, TWIST, fn, STEP)
        load = contact.load(z, TWIST, fn)
        rows.append((t, fn, *patch.cop, patch.r, *wrench, load))
    t, fn, x, y, r, fx, fy, tau, load = np.transpose(rows)
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
