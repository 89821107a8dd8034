"""Schemas of operator versions, the functions that legalize them, and their registry.

A signature is one line: ``"A:T B:T -> C:T"``.  A name ends in ``?`` if the value is optional and in
``*`` for any number of values; a type variable or element type follows the colon.  Attributes are
``"axis:int keepdims:int=1 to:int!"``: kind, then a default, or ``!`` if required.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from opc.dialects import element as el

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from opc.frontend.models.known import Known

    from .node import Node


Types: TypeAlias = "frozenset[str]"
Result: TypeAlias = "SSAValue | Known"
Legalize: TypeAlias = "Callable[[Node], Result | tuple[Result | None, ...]]"

ELEMENTS: dict[str, str] = {
    "float": "f32",
    "double": "f64",
    "float16": "f16",
    "bfloat16": "bf16",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "uint8": "ui8",
    "uint16": "ui16",
    "uint32": "ui32",
    "uint64": "ui64",
    "bool": "i1",
    "float8e4m3fn": "f8E4M3FN",
    "float8e4m3fnuz": "f8E4M3FNUZ",
    "float8e5m2": "f8E5M2",
    "float8e5m2fnuz": "f8E5M2FNUZ",
    "float8e8m0": "f8E8M0FNU",
    "float4e2m1": "f4E2M1FN",
    "int4": "i4",
    "uint4": "ui4",
    "int2": "i2",
    "uint2": "ui2",
}
"""IR names of the element types in schemas."""

NAMES = {ir: name for name, ir in ELEMENTS.items()}


DATA_TYPES = {
    1: "float",
    2: "uint8",
    3: "int8",
    4: "uint16",
    5: "int16",
    6: "int32",
    7: "int64",
    8: "string",
    9: "bool",
    10: "float16",
    11: "double",
    12: "uint32",
    13: "uint64",
    14: "complex64",
    15: "complex128",
    16: "bfloat16",
    17: "float8e4m3fn",
    18: "float8e4m3fnuz",
    19: "float8e5m2",
    20: "float8e5m2fnuz",
    21: "uint4",
    22: "int4",
    23: "float4e2m1",
    24: "float8e8m0",
    25: "uint2",
    26: "int2",
    27: "float6e2m3",
    28: "float6e3m2",
}
"""The element types of ``TensorProto.DataType``, by number."""


def element_named(name: str) -> el.ElementType | None:
    """The element type of an ONNX name; None if unsupported."""
    return el.BY_NAME.get(ELEMENTS.get(name, ""))


def element_numbered(number: int) -> el.ElementType | None:
    """The element type of a ``TensorProto.DataType``; None if unsupported."""
    return element_named(DATA_TYPES.get(number, ""))


def _set(text: str) -> Types:
    return frozenset(text.split())


FLOAT = _set("float16 float double")
SIGNED = _set("int8 int16 int32 int64")
UNSIGNED = _set("uint8 uint16 uint32 uint64")
INTEGER = SIGNED | UNSIGNED
BOOL = _set("bool")
BYTES, WORDS = map(_set, ("int8 uint8", "int16 uint16"))
HALF, SINGLE = map(_set, ("float16", "float"))
BF16 = _set("bfloat16")
HIGH = FLOAT | _set("int32 int64 uint32 uint64")
NUMERIC = FLOAT | INTEGER
CLASSIC = NUMERIC | BOOL
FLOAT8 = _set("float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz")
FLOAT6 = _set("float6e2m3 float6e3m2")
INT4, FLOAT4, E8M0, INT2 = map(_set, ("int4 uint4", "float4e2m1", "float8e8m0", "int2 uint2"))
INT32, INT64 = map(_set, ("int32", "int64"))
INDEX = _set("int32 int64")

GROWTH: tuple[tuple[int, Types], ...] = (
    (19, FLOAT8),
    (21, INT4),
    (23, FLOAT4),
    (24, E8M0),
    (25, INT2),
    (28, FLOAT6),
)


def everything(since: int, base: Types = CLASSIC | BF16) -> Types:
    """All element types of an opset: ``base`` and those added since opset 19."""
    return base.union(*(types for opset, types in GROWTH if opset <= since))


@dataclass(frozen=True)
class Value:
    """An input or output: its name, type variable or element type, and ``?`` or ``*``."""

    name: str
    type: str
    option: str = ""


@dataclass(frozen=True)
class Attribute:
    """An attribute: its kind as in ``int``, ``floats``, ``tensor``, and its default."""

    name: str
    kind: str
    default: Any = None
    required: bool = False


@dataclass(frozen=True)
class Schema:
    """One version of an operator."""

    operator: str
    since: int
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    attributes: tuple[Attribute, ...]
    types: Mapping[str, Types]
    legalize: Legalize
    fewest: int | None = None
    """The least number of inputs if the signature does not say it."""
    held: frozenset[str] = frozenset()
    """The type variables of inputs that may be sequences or optional values."""
    mixed: bool = False
    """Whether variadic inputs may differ in type."""

    @property
    def least(self) -> int:
        """The least number of inputs."""
        if self.fewest is not None:
            return self.fewest
        needed = [k for k, value in enumerate(self.inputs) if value.option != "?"]
        return max(needed, default=-1) + 1

    @property
    def most(self) -> int | None:
        """The greatest number of inputs, or None."""
        return None if self.inputs and self.inputs[-1].option == "*" else len(self.inputs)

    @property
    def is_homogeneous(self) -> bool:
        """Whether variadic inputs have one type; inputs of subgraphs may differ."""
        return not self.mixed and all(a.kind != "graph" for a in self.attributes)

    def input(self, position: int) -> Value:
        """The input at a position."""
        return self.inputs[min(position, len(self.inputs) - 1)]

    def allowed(self, type: str) -> Types:
        """The element types of a type variable; an element type stands for itself."""
        return self.types.get(type, frozenset({type}))

    def has(self, attribute: str) -> bool:
        """Whether this version has an attribute of that name."""
        return any(a.name == attribute for a in self.attributes)

    def __str__(self) -> str:
        return f"{self.operator}-{self.since}"


def _value(text: str) -> Value:
    name, _, type = text.partition(":")
    option = name[-1] if name[-1] in "?*" else ""
    return Value(name.removesuffix(option) if option else name, type, option)


DEFAULTS: dict[str, Callable[[str], Any]] = {
    "int": int,
    "float": lambda text: float(np.float32(text)),
    "string": str,
    "ints": lambda text: tuple(map(int, text.split(","))),
    "strings": lambda text: tuple(text.split(",")),
}
"""Parsers of defaults by kind; floats are rounded to f32."""


def _attribute(text: str) -> Attribute:
    name, _, kind = text.partition(":")
    required = kind.endswith("!")
    kind, _, default = kind.removesuffix("!").partition("=")
    value: Any = None
    if default:
        value = DEFAULTS[kind](default)
    return Attribute(name, kind, value, required)


SCHEMAS: dict[str, dict[int, Schema]] = {}
"""All schemas by operator, or ``domain::operator`` outside of ONNX's domain, and version."""


def qualified(domain: str, operator: str) -> str:
    """The name of an operator of a domain in schemas and IR."""
    return f"{domain}::{operator}" if domain else operator


def add(
    operator: str,
    since: int,
    signature: str,
    types: Types | Mapping[str, Types],
    legalize: Legalize,
    attributes: str = "",
    fewest: int | None = None,
    held: str = "",
    mixed: bool = False,
) -> None:
    """Register a schema; plain ``types`` are those of the variable T."""
    inputs, _, outputs = signature.partition("->")
    SCHEMAS.setdefault(operator, {})[since] = Schema(
        operator,
        since,
        tuple(map(_value, inputs.split())),
        tuple(map(_value, outputs.split())),
        tuple(map(_attribute, attributes.split())),
        types if isinstance(types, Mapping) else {"T": types},
        legalize,
        fewest,
        frozenset(held.split()),
        mixed,
    )


def find(operator: str, opset: int) -> Schema | None:
    """The schema of the newest version in an opset, or None."""
    versions = SCHEMAS.get(operator, {})
    since = max((v for v in versions if v <= opset), default=None)
    return None if since is None else versions[since]
