"""Kinds of attributes of operators: constraint, Python value and text.

A family declares attributes as properties with one of these constraints, and maybe a default::

    keepdims = prop_def(boolean("whether reduced axes stay with extent 1"), FALSE)
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, AttributeCovT
from xdsl.irdl import AttrConstraint, OpDef, OptPropertyDef, VerificationContext
from xdsl.utils.exceptions import VerifyException

from .. import element as el

Params: TypeAlias = "Mapping[str, Any]"
REQUIRED = object()

FALSE, TRUE = IntegerAttr(0, i1), IntegerAttr(1, i1)


@dataclass(frozen=True)
class Coded(AttrConstraint[AttributeCovT]):
    """Admits the attributes that ``decode`` converts to a Python value."""

    decode: Callable[[Attribute], Any]
    encode: Callable[[Any], Attribute]
    show: Callable[[Any], str] | None
    meaning: str

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        """VerifyException for other attributes."""
        self.decode(attr)

    def mapping_type_vars(self, type_var_mapping: Any) -> Coded[AttributeCovT]:
        """It depends on no type variable."""
        return self


@dataclass(frozen=True)
class Param(Coded[Attribute]):
    """An attribute of an operator: its kind, name and default."""

    name: str
    default: Any


def params_of(definition: OpDef) -> tuple[Param, ...]:
    """The attributes of an operator, in the order of their declarations."""
    params: list[Param] = []
    for name, declared in definition.properties.items():
        kind, default = declared.constr, REQUIRED
        assert isinstance(kind, Coded), f"{definition.name}: {name} has no form in Python"
        if isinstance(declared, OptPropertyDef):
            default = None
        elif declared.default_value is not None:
            default = kind.decode(declared.default_value)
        params.append(Param(kind.decode, kind.encode, kind.show, kind.meaning, name, default))
    return tuple(params)


def _bad(expected: str, attr: Attribute) -> VerifyException:
    return VerifyException(f"expected {expected}, found {attr}")


def decode_ints(attr: Attribute) -> tuple[int, ...]:
    """The integers of an attribute.  VerifyException if it is no list of integers."""
    if isinstance(attr, DenseArrayBase):
        return tuple(int(v) for v in cast("DenseArrayBase[IntegerType]", attr).get_values())
    if isinstance(attr, ArrayAttr):
        return tuple(_decode_int(a) for a in cast("ArrayAttr[Attribute]", attr))
    raise _bad("a list of integers", attr)


def _number(attr: Attribute) -> tuple[int, Attribute] | None:
    """The value and the type of an integer attribute, None for others."""
    if not isinstance(attr, IntegerAttr):
        return None
    known = cast("IntegerAttr[IntegerType]", attr)
    return known.value.data, known.type


def _decode_int(attr: Attribute) -> int:
    parsed = _number(attr)
    if parsed is not None and parsed[1] != el.I1.type:
        return parsed[0]
    raise _bad("an integer", attr)


def _decode_bool(attr: Attribute) -> bool:
    parsed = _number(attr)
    if parsed is not None and parsed[1] == el.I1.type:
        return bool(parsed[0])
    raise _bad("true or false", attr)


def _decode_float(attr: Attribute) -> float:
    if isinstance(attr, FloatAttr):
        return float(cast("FloatAttr[AnyFloat]", attr).value.data)
    parsed = _number(attr)
    if parsed is not None and parsed[1] == i64:
        return float(parsed[0])
    raise _bad("a number", attr)


def _show_float(value: float) -> str:
    if math.isfinite(value):
        text = repr(float(value))
        mantissa, e, exponent = text.partition("e")
        return text if not e or "." in mantissa else f"{mantissa}.0e{exponent}"
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X} : f64"


def ints(meaning: str) -> Coded[DenseArrayBase | ArrayAttr[Attribute]]:
    """A list of integers, such as axes."""
    return Coded(
        decode_ints,
        lambda v: DenseArrayBase.from_list(i64, list(v)),
        lambda v: f"[{', '.join(map(str, v))}]",
        meaning,
    )


def integer(meaning: str) -> Coded[IntegerAttr]:
    """One integer."""
    return Coded(_decode_int, lambda v: IntegerAttr(v, i64), str, meaning)


def boolean(meaning: str) -> Coded[IntegerAttr]:
    """True or false."""
    return Coded(
        _decode_bool,
        lambda v: TRUE if v else FALSE,
        lambda v: "true" if v else "false",
        meaning,
    )


def number(meaning: str) -> Coded[FloatAttr | IntegerAttr]:
    """A double-precision number; operators round it to the element type they compute in."""
    return Coded(
        _decode_float,
        lambda v: FloatAttr(float(v), Float64Type()),
        _show_float,
        meaning,
    )


def choice(options: Sequence[str], meaning: str) -> Coded[StringAttr]:
    """One of some words."""

    def decode(attr: Attribute) -> str:
        if isinstance(attr, StringAttr) and attr.data in options:
            return attr.data
        raise _bad("one of " + ", ".join(f'"{o}"' for o in options), attr)

    return Coded(decode, StringAttr, lambda v: f'"{v}"', meaning)


def text(meaning: str) -> Coded[StringAttr]:
    """Any text."""

    def decode(attr: Attribute) -> str:
        if isinstance(attr, StringAttr):
            return attr.data
        raise _bad("a text", attr)

    return Coded(decode, StringAttr, None, meaning)


def attribute(meaning: str) -> Coded[Attribute]:
    """Any attribute, unchanged."""
    return Coded(lambda a: a, lambda a: a, None, meaning)
