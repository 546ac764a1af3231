"""Data that several tests use."""
import os

import numpy as np
import pytest
import scipy.sparse as sp


@pytest.fixture
def sparse():
    random = np.random.default_rng(1)
    x = sp.random(300, 40, 0.2, format="csr", random_state=random)
    y = np.array(["no", "perhaps", "yes"])[np.clip((x @ random.normal(size=40)).round().astype(int) + 1, 0, 2)]
    return x, y


@pytest.fixture
def program():
    """The lazylogit program, to compare with."""
    path = os.environ.get("LAZYLOGIT_PROGRAM")
    if not path:
        pytest.skip("the program is not at hand")
    return path
