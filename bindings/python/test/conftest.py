"""What the tests share: contacts of every method, random numbers that are the same every time."""

from __future__ import annotations

import hypothesis
import numpy as np
import pytest

import bristle

hypothesis.settings.register_profile("bristle", deadline=None, max_examples=60, derandomize=True)
hypothesis.settings.load_profile("bristle")

METHODS = ("blocks", "distributed", "reduced", "ellipsoid")


@pytest.fixture(params=METHODS)
def contact(request: pytest.FixtureRequest) -> bristle.Contact:
    return bristle.Contact(bristle.Patch.disc(0.01, pressure="hertz"), 0.3, request.param)


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(18)
