"""Element types: one row for each, and the classes of them that operators accept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    Signedness,
)
from xdsl.ir import Attribute, TypeAttribute


@dataclass(frozen=True)
class ElementType:
    """An element type: ``name`` as in IR text, ``kind`` float, signed, unsigned or bool."""

    name: str
    kind: str
    bits: int
    type: TypeAttribute

    @property
    def is_float(self) -> bool:
        """Whether the type is a floating-point type."""
        return self.kind == "float"

    @property
    def is_integer(self) -> bool:
        """Whether the type is an integer type; i1 is not."""
        return self.kind in ("signed", "unsigned")

    @property
    def is_small_float(self) -> bool:
        """Whether arithmetic happens in f32."""
        return self.is_float and self.bits < 32

    @property
    def bytes(self) -> int:
        """Size of one stored element."""
        return max(1, self.bits // 8)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy type of the same bits."""
        return _dtype(self.name)

    @property
    def lowest(self) -> int | float:
        """The least value: -inf for floats."""
        if self.is_float:
            return float("-inf")
        return -(1 << (self.bits - 1)) if self.kind == "signed" else 0

    @property
    def highest(self) -> int | float:
        """The greatest value: inf for floats."""
        if self.is_float:
            return float("inf")
        return (1 << (self.bits - (self.kind == "signed"))) - 1

    def __str__(self) -> str:
        return self.name


@cache
def _dtype(name: str) -> np.dtype[Any]:
    if name == "bf16":
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    plain = {"i1": "bool", "f16": "float16", "f32": "float32", "f64": "float64"}
    return np.dtype(plain.get(name) or name.replace("i", "int"))


def _rows() -> tuple[ElementType, ...]:
    floats: list[tuple[str, int, TypeAttribute]] = [
        ("f64", 64, Float64Type()),
        ("f32", 32, Float32Type()),
        ("f16", 16, Float16Type()),
        ("bf16", 16, BFloat16Type()),
    ]
    signed = [(f"i{n}", n, IntegerType(n)) for n in (8, 16, 32, 64)]
    unsigned = [(f"ui{n}", n, IntegerType(n, Signedness.UNSIGNED)) for n in (8, 16, 32, 64)]
    return (
        *(ElementType(name, "float", bits, t) for name, bits, t in floats),
        *(ElementType(name, "signed", bits, t) for name, bits, t in signed),
        *(ElementType(name, "unsigned", bits, t) for name, bits, t in unsigned),
        ElementType("i1", "bool", 1, IntegerType(1)),
    )


ELEMENTS = _rows()
BY_NAME = {e.name: e for e in ELEMENTS}
_BY_TYPE: dict[Attribute, ElementType] = {e.type: e for e in ELEMENTS}

F64, F32, F16, BF16 = (BY_NAME[n] for n in ("f64", "f32", "f16", "bf16"))
I64, I1 = BY_NAME["i64"], BY_NAME["i1"]

FLOAT = frozenset(e for e in ELEMENTS if e.is_float)
SIGNED = frozenset(e for e in ELEMENTS if e.kind == "signed")
UNSIGNED = frozenset(e for e in ELEMENTS if e.kind == "unsigned")
INTEGER = SIGNED | UNSIGNED
BOOL = frozenset({I1})
NUMERIC = FLOAT | INTEGER
ANY = NUMERIC | BOOL


def element_of(type: Attribute) -> ElementType | None:
    """The row of an xDSL type, or None if opc has no such element type."""
    return _BY_TYPE.get(type)


def names(elements: frozenset[ElementType]) -> str:
    """The names, in table order, for messages and documentation."""
    return " ".join(e.name for e in ELEMENTS if e in elements)
