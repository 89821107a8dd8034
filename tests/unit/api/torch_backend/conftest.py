"""What tests of the backend share."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from opc.api import driver  # noqa: E402
from opc.api.torch_backend import partition  # noqa: E402


@pytest.fixture(autouse=True)
def _anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    """Nothing is compiled and nothing was warned of."""
    monkeypatch.setattr(partition, "_WARNED", set())
    torch._dynamo.reset()
    with torch.random.fork_rng():
        torch.manual_seed(0)
        yield


@pytest.fixture
def strict() -> Iterator[None]:
    """What runs in PyTorch is an error."""
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "opc: ")
        yield


@pytest.fixture
def functions(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Any]:
    """The functions that opc has compiled since the test began."""
    compiled: list[Any] = []
    compile = driver.compile

    def recording(*args: Any, **named: Any) -> Any:
        compiled.append(compile(*args, **named))
        return compiled[-1]

    monkeypatch.setattr(driver, "compile", recording)
    return compiled
