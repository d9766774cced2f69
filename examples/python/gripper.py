"""A gripper that nearly drops a cup: the grip weakens, the cup slips and turns, a controller catches it.

    python gripper.py [picture.png]
"""

import sys

from bristle import Body, BodyContact, Contact, Grip, Patch, Profile

FINGER = Contact(Patch.disc(0.01, pressure="hertz"), 0.8)


def cup(contact: BodyContact) -> Body:
    """0.2 kg between two fingers, held 3 mm beside its centre of mass."""
    return Body(0.2, 4e-4, [contact], pose=(0.003, 0.0, 0.0), gravity=(0.0, -9.81))


def main(path: str) -> None:
    weak = Profile.table([0.0, 0.4, 0.7, 1.0], [2.5, 2.5, 1.0, 2.5])  # N, each finger
    dropped = cup(BodyContact(FINGER, weak, count=2)).simulate(1.5, 0.005)
    caught = cup(BodyContact(FINGER, 1.0, count=2, grip=Grip())).simulate(1.5, 0.005)
    for name, result in (("weak grip", dropped), ("controlled", caught)):
        print(
            f"{name:11s} sank {-1e3 * result['y'][-1]:6.2f} mm, turned "
            f"{result['theta'][-1]:6.3f} rad, slipped {1e3 * result.summary['slipped']:6.2f} mm, "
            f"last force {result['fn'][-1]:.2f} N"
        )
    for event in dropped.events:
        print(f"  {event.t:.3f} s: {event.kind}")
    dropped.plot("y", "theta", "fn", "load", path=path)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "gripper.png")
