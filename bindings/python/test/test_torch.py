"""Oracle: PyTorch's own gradcheck (central differences), and bristle.Rollout. Skipped where PyTorch is not installed."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import bristle
from bristle import BodyContact, Contact, Law, Patch

torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed (make test-all installs it)")
import bristle.torch  # noqa: E402

pytestmark = pytest.mark.slow

LAW = Law(
    kind="elasto-plastic", mu_c=0.8, mu_s=0.9, v_stribeck=0.02, sigma0=2e4, sigma1=20.0, sigma2=0.1, s_ba=0.6, v_damping=0.0
)
FINGER = Contact(Patch.disc(0.012), LAW)


def real(*numbers: object) -> Any:
    return torch.tensor(np.array(numbers, dtype=float), dtype=torch.float64)


def test_importing_bristle_does_not_import_torch() -> None:
    script = "import sys, bristle, bristle.torch; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-P", "-c", script]).returncode == 0


def test_gradcheck_of_a_step() -> None:
    torch.manual_seed(0)
    z = torch.zeros(2, FINGER.state_count, dtype=torch.float64)
    for i in range(2):
        start = np.zeros(FINGER.state_count)
        FINGER.step(start, [0.02, 0.01, 2.0 + i], 4.0, 1e-3)
        z[i] = torch.from_numpy(start)
    v, fn, mu = real([0.01, 0.02, 3.0], [0.03, -0.01, 1.0]), real(4.0)[0], real(0.8)[0]

    def function(dz: Any, dv: Any, force: Any, scale: Any) -> Any:  # inputs of order 1
        law = {"mu_c": mu * scale, "mu_s": bristle.torch.static_mu(mu * scale, torch.log(real(0.1)[0]))}
        wrench, end = bristle.torch.step(FINGER, z + 1e-6 * dz, v * (1 + dv), fn * force, 1e-3, law)
        return wrench, end * 1e4

    inputs = (torch.randn_like(z), 0.01 * torch.randn_like(v), real(1.0)[0], real(1.0)[0])
    # differences of 1e-6 of numbers of order 1: 1e-10/1e-6 of rounding
    assert torch.autograd.gradcheck(function, [x.requires_grad_() for x in inputs], eps=1e-6, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("order", [1, 2])
def test_gradcheck_of_a_rollout(order: int) -> None:
    torch.manual_seed(0)
    steps, size = 25, FINGER.state_count
    contacts = [BodyContact(FINGER, count=2)]

    def function(fn: Any, load: Any, law: Any, at: Any, body: Any, pose: Any, velocity: Any, z: Any) -> Any:
        run = bristle.torch.rollout(
            contacts, 0.2 * body[0], 5e-4 * body[1], h=1e-3, steps=steps, normal_force=4.0 + fn, load=load,
            pose=real(0.03, 0, 0) + 0.01 * pose, velocity=0.1 * velocity, states=1e-5 * z, position=0.01 * at,
            law={"mu_c": 0.8 * law[0], "mu_s": 0.9 * law[1], "sigma0": 2e4 * law[2]}, gravity=(0, -9.81), order=order,
        )  # fmt: skip
        return 100 * run.pose, run.velocity, run.friction, 1e4 * run.states

    inputs = [
        0.1 * torch.randn(4, 1, dtype=torch.float64), 0.01 * torch.randn(4, 3, dtype=torch.float64), real(1.0, 1.0, 1.0),
        0.1 * torch.randn(1, 2, dtype=torch.float64), real(1.0, 1.0), 0.1 * torch.randn(3, dtype=torch.float64),
        0.1 * torch.randn(3, dtype=torch.float64), 0.1 * torch.randn(size, dtype=torch.float64),
    ]  # fmt: skip
    # as above; Newton's iteration adds 1e-10 of an impulse to each step
    assert torch.autograd.gradcheck(
        function, [x.requires_grad_() for x in inputs], eps=1e-6, atol=1e-4, rtol=1e-3, fast_mode=True
    )


def test_a_rollout_is_that_of_numpy() -> None:
    contacts = [BodyContact(FINGER, count=2)]
    given: dict[str, Any] = {"h": 1e-3, "steps": 50, "pose": (0.03, 0, 0), "gravity": (0, -9.81)}
    grip = real(4.0, 3.0, 5.0).requires_grad_()
    run = bristle.torch.rollout(contacts, 0.2, 5e-4, normal_force=grip, **given)
    plain = bristle.Rollout(contacts, 0.2, 5e-4, normal_force=[4.0, 3.0, 5.0], **given)
    assert np.array_equal(run.pose.detach().numpy(), plain.pose)
    run.pose[-1, 2].backward()
    assert np.array_equal(grip.grad.numpy(), plain.vjp(pose=[0, 0, 1], by_law=False).normal_force[:, 0])


@pytest.mark.parametrize("method", ["ellipsoid", "blocks"])
def test_gradcheck_of_worlds(method: str) -> None:
    torch.manual_seed(0)
    count, steps = 5, 12
    contacts = [BodyContact(Contact(Patch.disc(0.012), LAW, method), 1.0, frame=frame) for frame in ("body", "world")]
    many = bristle.Worlds(contacts, count, mass=0.2, inertia=5e-4)

    def function(fn: Any, load: Any, law: Any, at: Any, body: Any, pose: Any, twist: Any, z: Any) -> Any:
        run = bristle.torch.worlds(
            many, 1e-3, steps=steps, normal_force=3.0 + fn, load=load, mu_c=0.8 * law[0], mu_s=0.8 * law[0] + 0.1 * law[1],
            sigma0=2e4 * law[2], position=0.01 * at, mass=0.2 * body[0], inertia=5e-4 * body[1], scale=body[0],
            pose=0.01 * pose, twist=0.1 * twist, z=[1e-5 * z, 2e-5 * z],
        )  # fmt: skip
        return 100 * run.pose, run.twist, 1e4 * run.z[0], 1e4 * run.z[1]

    def some(*shape: int) -> Any:
        return 0.1 * torch.randn(*shape, dtype=torch.float64)

    inputs = [
        some(steps, 2, count), some(steps, 3, count), 1.0 + some(3, count), some(2, 2, count), 1.0 + some(2),
        some(3), some(3, count), some(*many.z[0].shape),
    ]  # fmt: skip
    # as for a rollout
    assert torch.autograd.gradcheck(
        function, [x.requires_grad_() for x in inputs], eps=1e-6, atol=1e-4, rtol=1e-3, fast_mode=True
    )


def test_worlds_are_those_of_numpy() -> None:
    many = bristle.Worlds(Contact(Patch.disc(0.02), 0.3, "ellipsoid"), 4, mass=1.0, inertia=2e-4, normal_force=9.81)
    many.reset(twist=(1, 0, 0))
    before = many.twist.copy()
    mu = torch.full((4,), 0.3, dtype=torch.float64, requires_grad=True)
    run = bristle.torch.worlds(many, 1e-3, steps=100, mu_c=mu, mu_s=mu)
    run.twist[-1, 0].sum().backward()
    assert np.array_equal(many.twist, before)  # the worlds do not change
    plain = many.rollout(1e-3, steps=100)
    bar = np.zeros((3, 4))
    bar[0] = 1.0
    law = plain.vjp(twist=bar).law
    assert np.array_equal(run.pose.detach().numpy(), plain.pose)
    assert np.array_equal(mu.grad.numpy(), law["mu_c"] + law["mu_s"])
    np.testing.assert_allclose(mu.grad.numpy(), -0.981, rtol=1e-3)  # -g t, but for the bristles of the start
    with pytest.raises(TypeError, match="no argument 'mu'"):
        bristle.torch.worlds(many, 1e-3, mu=mu)
    with pytest.raises(bristle.ArgumentError, match="z: must be of shape"):
        bristle.torch.worlds(many, 1e-3, z=[torch.zeros(2, 4, dtype=torch.float64)])


def test_wrong_tensors_are_refused_by_name() -> None:
    contacts = [BodyContact(FINGER, count=2)]
    with pytest.raises(TypeError, match="normal_force: must be a tensor of float64"):
        bristle.torch.rollout(contacts, 0.2, 5e-4, h=1e-3, steps=5, normal_force=torch.ones(3, dtype=torch.float32))
    with pytest.raises(bristle.ArgumentError, match="law: no parameter 'mu'"):
        bristle.torch.rollout(contacts, 0.2, 5e-4, h=1e-3, steps=5, normal_force=3.0, law={"mu": 0.3})
    with pytest.raises(bristle.ArgumentError, match="position"):
        bristle.torch.rollout(contacts, 0.2, 5e-4, h=1e-3, steps=5, normal_force=3.0, position=[0.0, 0.0])
    with pytest.raises(bristle.ArgumentError, match="states"):
        bristle.torch.rollout(contacts, 0.2, 5e-4, h=1e-3, steps=5, normal_force=3.0, states=[0.0])
    with pytest.raises(bristle.DefinitionError, match="mu_s"):
        bristle.torch.rollout(contacts, 0.2, 5e-4, h=1e-3, steps=5, normal_force=3.0, law={"mu_c": 2.0})


def test_it_is_once_differentiable() -> None:
    x = real(4.0)[0].requires_grad_()
    run = bristle.torch.rollout([BodyContact(FINGER, count=2)], 0.2, 5e-4, h=1e-3, steps=5, normal_force=x)
    (slope,) = torch.autograd.grad(run.velocity.sum(), x, create_graph=True)
    with pytest.raises(RuntimeError):  # and not a second derivative of 0
        slope.backward()
