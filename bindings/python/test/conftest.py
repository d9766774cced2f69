"""Shared by the tests: contacts of every method, reproducible random numbers."""

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
