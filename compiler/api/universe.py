"""Our dialects and passes for xDSL's own tools: the entry point that ``xdsl-opt`` looks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.universe import Universe

from opc.dialects.registry import DIALECTS, resolve
from opc.passes.registry import PASSES


def _lazy(reference: str) -> Callable[[], Any]:
    return lambda: resolve(reference)


OPC_UNIVERSE = Universe(
    all_dialects={
        name: _lazy(reference)
        for name, reference in DIALECTS.items()
        if reference.startswith("opc.")
    },
    all_passes={name: _lazy(reference) for name, reference in PASSES.items()},
)
"""Everything is imported when it is first asked for."""
