"""Inputs that a caller donates: ``opc.compile(model, donate={"past": "present"})``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.func import FuncOp

from opc.dialects.donation import donate
from opc.dialects.named import INPUT_NAMES, RESULT_NAMES
from opc.errors import UsageError
from opc.frontend.did_you_mean import near


def checked_pairs(pairs: Any) -> dict[str, str]:
    """The name of the output for each name of an input; none for None.

    Raises UsageError for what is no such mapping, and for an output that is named twice.
    """
    names: object = {} if pairs is None else pairs
    entries = list(cast("Mapping[Any, Any]", names).items()) if isinstance(names, Mapping) else None
    if entries is None or not all(isinstance(name, str) for entry in entries for name in entry):
        raise UsageError(f"donate: found {pairs!r}, expected names, as {{'past': 'present'}}")
    outputs = [output for _, output in entries]
    for k, output in enumerate(outputs):
        if output in outputs[:k]:
            raise UsageError(f"donate: output {output!r} has two inputs, expected one")
    return dict(entries)


def donate_named(function: FuncOp, pairs: Mapping[str, str]) -> None:
    """Mark donated inputs by the names of inputs and results.  UsageError for a wrong name."""
    if pairs:
        numbers = [
            [_number(function, key, kind, name) for name in names]
            for key, kind, names in (
                (INPUT_NAMES, "input", pairs.keys()),
                (RESULT_NAMES, "output", pairs.values()),
            )
        ]
        donate(function, dict(zip(*numbers, strict=True)))


def _number(function: FuncOp, key: str, kind: str, name: str) -> int:
    known = [attr.data for attr in cast("ArrayAttr[StringAttr]", function.attributes[key])]
    if name not in known:
        likely = near(name, known)
        word = "did you mean" if likely else "there are"
        text = ", ".join(map(repr, likely or known))
        raise UsageError(f"donate: no {kind} {name!r}; {word}: {text}")
    return known.index(name)
