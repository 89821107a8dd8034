"""What tests of the cache of C text ask for."""

from __future__ import annotations

from typing import Any

import pytest

from opc.api import driver


@pytest.fixture
def lowered(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Has an element for each time that a graph was lowered."""
    calls: list[None] = []
    emit = driver.emit

    def counted(*args: Any) -> Any:
        calls.append(None)
        return emit(*args)

    monkeypatch.setattr(driver, "emit", counted)
    return calls
