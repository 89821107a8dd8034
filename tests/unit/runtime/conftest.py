"""Arrays and functions of the samples, for the tests of calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opc.runtime.callable import CompiledFunction
from tests.unit.common.runtime_samples import ADD, F32, FIRST, SCHEMAS, TWO, built_library


@pytest.fixture
def library() -> Path:
    """The library of the samples."""
    return built_library()


@pytest.fixture
def add(library: Path) -> CompiledFunction:
    """``x + b`` of ``f32[2,3]``."""
    return CompiledFunction(ADD, library)


@pytest.fixture
def rows(library: Path) -> CompiledFunction:
    """``x + b[:, None]`` of ``f32[N,3]``."""
    return CompiledFunction(SCHEMAS, library)


@pytest.fixture
def first(library: Path) -> CompiledFunction:
    """``x[:n]``."""
    return CompiledFunction(FIRST, library)


@pytest.fixture
def two(library: Path) -> CompiledFunction:
    """``a + b, a - b``."""
    return CompiledFunction(TWO, library)


@pytest.fixture
def x() -> np.ndarray[Any, Any]:
    """0 to 5 as ``f32[2,3]``."""
    return np.arange(6, dtype=F32).reshape(2, 3)


@pytest.fixture
def b() -> np.ndarray[Any, Any]:
    """10 to 15 as ``f32[2,3]``."""
    return np.arange(10, 16, dtype=F32).reshape(2, 3)
