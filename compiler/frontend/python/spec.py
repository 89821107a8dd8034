"""Input types of traced functions: ``"f32[N, 1024]"``."""

from __future__ import annotations

import operator
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import MAX_RANK, Tensor, tensor_type
from opc.errors import UsageError

_SPEC = re.compile(r"\s*(?P<dtype>\w+)\s*(?:\[(?P<shape>[^\[\]]*)\])?\s*\Z")
_PREFIX = {"float": "float", "signed": "int", "unsigned": "uint"}
_BY_DTYPE_NAME = {
    "bool": el.I1,
    **{f"{_PREFIX[e.kind]}{e.bits}": e for e in el.ELEMENTS if e not in (el.I1, el.BF16)},
    **{dtype: el.BY_NAME[name] for name, dtype in el.ML_DTYPES.items()},
}


@dataclass(frozen=True, slots=True)
class Spec:
    """Element type and shape of an input.

    An extent is an int, the name of a symbol, or ``?``: a symbol of its own.  ``weak`` marks a
    rank-0 input that promotes as a Python scalar.
    """

    element: el.ElementType
    shape: tuple[int | str, ...]
    weak: bool = False

    def __str__(self) -> str:
        extents = f"[{', '.join(map(str, self.shape))}]" if self.shape else ""
        return f"{self.element}{extents}"


def element_like(dtype: Any) -> el.ElementType:
    """The element type of ``"f32"``, ``"float32"``, ``np.float32``, ``float``, a dtype...

    Raises :class:`UsageError` for unsupported types.
    """
    if isinstance(dtype, el.ElementType):
        return dtype
    if isinstance(dtype, str) and dtype in el.BY_NAME:
        return el.BY_NAME[dtype]
    if isinstance(dtype, str) and dtype in _BY_DTYPE_NAME:
        return _BY_DTYPE_NAME[dtype]
    # NumPy takes None for float64 and "i4" for int32: surprising here.
    if dtype is not None and not isinstance(dtype, str):
        try:
            return _BY_DTYPE_NAME[np.dtype(dtype).name]
        except (KeyError, TypeError, ValueError):
            pass
    shown = dtype if isinstance(dtype, type) else repr(dtype)
    raise UsageError(f"{shown} is not an element type; expected one of {el.names(el.STORED)}")


def spec(dtype: Any, shape: int | str | None | Sequence[int | str | None] | None = None) -> Spec:
    """The type of an input: ``spec("f32", (4, "N"))``, or all of it as text, ``spec("f32[4, N]")``.

    ``dtype`` is a name (``"f32"``, ``"bf16"``, ``"float32"``) or a NumPy type.  An extent is an
    int, a name, equal wherever it occurs, or ``"?"`` or None for an extent of its own.  Without a
    shape the rank is 0.  Raises :class:`UsageError`.
    """
    if isinstance(dtype, Spec) and shape is None:
        return dtype
    if isinstance(dtype, str) and shape is None:
        return _parse(dtype)
    if isinstance(shape, Sequence) and not isinstance(shape, str):
        extents = tuple(map(_extent, shape))
    else:
        extents = () if shape is None else (_extent(shape),)
    if len(extents) > MAX_RANK:
        raise UsageError(f"rank {len(extents)} exceeds {MAX_RANK}")
    return Spec(element_like(dtype), extents)


def _parse(text: str) -> Spec:
    match = _SPEC.match(text)
    if match is None:
        shown = text if len(text) <= 80 else text[:77] + "..."
        raise UsageError(f"{shown!r} is not an input type; write one as 'f32[4096, N]' or 'i64'")
    inside = (match["shape"] or "").strip()
    extents = [part.strip() for part in inside.split(",")] if inside else []
    return spec(match["dtype"], [_number(e) if e[:1].isdigit() else e for e in extents])


def _number(text: str) -> int | str:
    # int() has its own error for thousands of digits.
    if not re.fullmatch(r"[0-9]{1,18}", text):
        raise UsageError(f"{text[:80]!r} is not an extent")
    return int(text)


def _extent(value: Any) -> int | str:
    if value is None or value == "?":
        return "?"
    if isinstance(value, str):
        if not ex.SYMBOL.match(value) or ex.DIM.match(value) or value in ex.FUNCTIONS:
            raise UsageError(
                f"{value[:80]!r} is no name of an extent: use a letter, then letters, digits or _ "
                f"(not d0, d1, ... nor {', '.join(sorted(ex.FUNCTIONS))})"
            )
        return value
    if isinstance(value, bool):
        raise UsageError(f"{value} is not an extent")
    try:
        number = operator.index(value)
    except TypeError:
        raise UsageError(f"{value!r} is not an extent: use an int, a name or '?'") from None
    if number < 0:
        raise UsageError(f"extent {number} is negative")
    return number


def tensor_types(names: Sequence[str], specs: Sequence[Spec]) -> list[Tensor]:
    """The types in IR: each ``?`` becomes a symbol made from the input's name and the axis."""
    taken = {e for s in specs for e in s.shape if isinstance(e, str)}
    types: list[Tensor] = []
    for k, (name, s) in enumerate(zip(names, specs, strict=True)):
        extents: list[ex.Expr | int] = []
        for axis, extent in enumerate(s.shape):
            if extent == "?":
                stem = name if re.fullmatch(r"[A-Za-z_]\w{0,31}", name, re.ASCII) else f"input{k}"
                extent = _fresh(f"{stem}_{axis}", taken)
                taken.add(extent)
            extents.append(ex.sym(extent) if isinstance(extent, str) else extent)
        types.append(tensor_type(s.element, extents))
    return types


def _fresh(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "_"
    return name
