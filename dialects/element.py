"""The table of element types, and the sets of them that operators accept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float4E2M1FNType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float8E8M0FNUType,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    Signedness,
)
from xdsl.ir import Attribute, TypeAttribute


@dataclass(frozen=True)
class ElementType:
    """An element type: ``name`` as in IR text, ``kind`` float, signed, unsigned, bool or small.

    Values of kind ``small`` are moved and converted, never computed with; ``small`` is float,
    signed or unsigned for these.  Each is stored in the lowest bits of its own byte.
    """

    name: str
    kind: str
    bits: int
    type: TypeAttribute
    small: str = ""

    @property
    def is_float(self) -> bool:
        """Whether the type is a floating-point type."""
        return self.kind == "float"

    @property
    def is_integer(self) -> bool:
        """Whether the type is an integer type; i1 is not."""
        return self.kind in ("signed", "unsigned")

    @property
    def is_whole(self) -> bool:
        """Whether the type is an integer type or i1."""
        return self.is_integer or self.kind == "bool"

    @property
    def is_small_float(self) -> bool:
        """Whether the type is a float whose arithmetic happens in f32: f16 or bf16."""
        return self.is_float and self.bits < 32

    @property
    def computed(self) -> ElementType:
        """The type in which arithmetic happens: f32 for f16 and bf16."""
        return F32 if self.is_small_float else self

    @property
    def is_small(self) -> bool:
        """Whether values are only moved and converted."""
        return self.kind == "small"

    @property
    def bytes(self) -> int:
        """Bytes of a stored element."""
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


ML_DTYPES = {
    "bf16": "bfloat16",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E4M3FNUZ": "float8_e4m3fnuz",
    "f8E5M2": "float8_e5m2",
    "f8E5M2FNUZ": "float8_e5m2fnuz",
    "f8E8M0FNU": "float8_e8m0fnu",
    "f4E2M1FN": "float4_e2m1fn",
    "i4": "int4",
    "ui4": "uint4",
    "i2": "int2",
    "ui2": "uint2",
}
"""The names in ml_dtypes, by names in IR."""


@cache
def _dtype(name: str) -> np.dtype[Any]:
    if name in ML_DTYPES:
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, ML_DTYPES[name]))
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


def _small_rows() -> tuple[ElementType, ...]:
    floats: list[tuple[str, TypeAttribute]] = [
        ("f8E4M3FN", Float8E4M3FNType()),
        ("f8E4M3FNUZ", Float8E4M3FNUZType()),
        ("f8E5M2", Float8E5M2Type()),
        ("f8E5M2FNUZ", Float8E5M2FNUZType()),
        ("f8E8M0FNU", Float8E8M0FNUType()),
        ("f4E2M1FN", Float4E2M1FNType()),
    ]
    return (
        *(ElementType(name, "small", int(name[1]), t, "float") for name, t in floats),
        *(ElementType(f"i{n}", "small", n, IntegerType(n), "signed") for n in (4, 2)),
        *(
            ElementType(f"ui{n}", "small", n, IntegerType(n, Signedness.UNSIGNED), "unsigned")
            for n in (4, 2)
        ),
    )


ELEMENTS = _rows()
"""The types with arithmetic."""
SMALL_ELEMENTS = _small_rows()
BY_NAME = {e.name: e for e in (*ELEMENTS, *SMALL_ELEMENTS)}
_BY_TYPE: dict[Attribute, ElementType] = {e.type: e for e in BY_NAME.values()}

F64, F32, F16, BF16 = (BY_NAME[n] for n in ("f64", "f32", "f16", "bf16"))
I64, I1 = BY_NAME["i64"], BY_NAME["i1"]

FLOAT = frozenset(e for e in ELEMENTS if e.is_float)
SIGNED = frozenset(e for e in ELEMENTS if e.kind == "signed")
UNSIGNED = frozenset(e for e in ELEMENTS if e.kind == "unsigned")
INTEGER = SIGNED | UNSIGNED
BOOL = frozenset({I1})
NUMERIC = FLOAT | INTEGER
ANY = NUMERIC | BOOL
SMALL = frozenset(SMALL_ELEMENTS)
STORED = ANY | SMALL


def element_of(type: Attribute) -> ElementType | None:
    """The element type of an xDSL type, None if opc has none."""
    return _BY_TYPE.get(type)


def names(elements: frozenset[ElementType]) -> str:
    """The names in table order, for messages and documentation."""
    return " ".join(e.name for e in BY_NAME.values() if e in elements)
