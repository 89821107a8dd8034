"""Inputs that a caller donates: ``opc.compile(model, donate={"past": "present"})``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.func import FuncOp

from opc.dialects.named import INPUT_NAMES, RESULT_NAMES, donate
from opc.errors import UsageError
from opc.frontend.requested_outputs import check_names


def checked_pairs(pairs: Any) -> dict[str, str]:
    """The name of the output for each name of an input; none for None.  UsageError for others."""
    names: object = {} if pairs is None else pairs
    entries = list(cast("Mapping[Any, Any]", names).items()) if isinstance(names, Mapping) else None
    if entries is None or not all(isinstance(name, str) for entry in entries for name in entry):
        raise UsageError(f"donate: found {pairs!r}, expected names, as {{'past': 'present'}}")
    return dict(entries)


def donate_named(function: FuncOp, pairs: Mapping[str, str]) -> None:
    """Mark donated inputs by the names of inputs and results.

    Raises UsageError for a name that is not there, and for a result that is named twice.
    """
    if not pairs:
        return
    numbers: list[list[int]] = []
    for key, kind, names in (
        (INPUT_NAMES, "input", [*pairs]),
        (RESULT_NAMES, "output", [*pairs.values()]),
    ):
        known = [attr.data for attr in cast("ArrayAttr[StringAttr]", function.attributes[key])]
        check_names(names, known, "donate", kind)
        numbers.append([known.index(name) for name in names])
    donate(function, dict(zip(*numbers, strict=True)))
