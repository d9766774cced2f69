"""Pushing a T along a path: quasi-static, with a tip that sticks and slides on its edge.

    python push_t.py [picture.png]
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

from bristle import Patch, Pusher

CORNERS = 1e-3 * np.array(
    [(-60, 0), (-15, 0), (-15, -90), (15, -90), (15, 0), (60, 0), (60, 30), (-60, 30)]
)


def main(path: str) -> None:
    body = Pusher(Patch.polygon(CORNERS), mu=0.3, radius=0.005)
    s = np.linspace(0.0, 1.0, 120)
    tip = np.column_stack([0.02 * np.sin(3 * s), -0.096 + 0.15 * s])  # up against the stem
    poses = body.follow((0.0, 0.0, 0.0), tip)
    x, y, theta = poses[-1]
    print(f"the T ends at ({1e3 * x:.1f}, {1e3 * y:.1f}) mm, turned by {np.degrees(theta):.1f} deg")

    figure, axis = plt.subplots(figsize=(6, 7))
    outline = body.outline()
    for i in (0, 40, 80, 119):
        c, sine = np.cos(poses[i, 2]), np.sin(poses[i, 2])
        edge = outline @ np.array([[c, sine], [-sine, c]]) + poses[i, :2]
        axis.plot(edge[:, 0], edge[:, 1], color="black", alpha=0.25 + 0.75 * i / 119)
    axis.plot(tip[:, 0], tip[:, 1], color="tab:red", label="tip")
    axis.plot(poses[:, 0], poses[:, 1], color="tab:blue", label="origin of the T")
    axis.set_aspect("equal")
    axis.set_xlabel("x [m]")
    axis.set_ylabel("y [m]")
    axis.legend()
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "push_t.png")
