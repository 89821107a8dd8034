"""The registry of operator versions: for each its signature, and the function that legalizes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from opc.dialects import element as el
from opc.frontend.models import op_builder

from .signatures import Attribute, Signature, Types, signature

if TYPE_CHECKING:
    from .node import Node

Result: TypeAlias = op_builder.Value
"""What a legalizing function gives for an output."""
Legalize: TypeAlias = "Callable[[Node], Result | tuple[Result | None, ...]]"
F = TypeVar("F", bound="Legalize")

_TYPES = (
    "float:f32 uint8:ui8 int8:i8 uint16:ui16 int16:i16 int32:i32 int64:i64 string bool:i1 "
    "float16:f16 double:f64 uint32:ui32 uint64:ui64 complex64 complex128 bfloat16:bf16 "
    "float8e4m3fn:f8E4M3FN float8e4m3fnuz:f8E4M3FNUZ float8e5m2:f8E5M2 float8e5m2fnuz:f8E5M2FNUZ "
    "uint4:ui4 int4:i4 float4e2m1:f4E2M1FN float8e8m0:f8E8M0FNU uint2:ui2 int2:i2 float6e2m3 "
    "float6e3m2"
)
"""The element types of ``TensorProto.DataType`` from 1 on, with the IR names of those opc has."""
_PAIRS = [pair.partition(":") for pair in _TYPES.split()]
DATA_TYPES = {number: name for number, (name, _, _) in enumerate(_PAIRS, 1)}
ELEMENTS = {name: ir for name, _, ir in _PAIRS if ir}
NAMES = {ir: name for name, ir in ELEMENTS.items()}


def element_named(name: str) -> el.ElementType | None:
    """The element type of an ONNX name; None if unsupported."""
    return el.BY_NAME.get(ELEMENTS.get(name, ""))


def element_numbered(number: int) -> el.ElementType | None:
    """The element type of a ``TensorProto.DataType``; None if unsupported."""
    return element_named(DATA_TYPES.get(number, ""))


@dataclass(frozen=True)
class Schema:
    """One version of an operator."""

    operator: str
    since: int
    legalize: Legalize
    also_held: Types = frozenset()
    """Type variables that opc lets be sequences or strings, besides those of the signature."""

    @cached_property
    def signature(self) -> Signature:
        """What the specification says of this version."""
        return signature(self.operator, self.since)

    @property
    def held(self) -> Types:
        """The type variables that may be sequences, optional values or strings."""
        return self.signature.containers | self.also_held


SCHEMAS: dict[str, dict[int, Schema]] = {}
"""All schemas by operator, or ``domain::operator`` outside of ONNX's domain, and version."""


def qualified(domain: str, operator: str) -> str:
    """The name of an operator of a domain in schemas and IR."""
    return f"{domain}::{operator}" if domain else operator


def onnx(operator: str, *since: int, held: str = "") -> Callable[[F], F]:
    """Register the function that legalizes these versions of an operator.

    ``held``: see ``Schema.also_held``.
    """

    def register(legalize: F) -> F:
        also_held = frozenset(held.split())
        for version in since:
            schema = Schema(operator, version, legalize, also_held)
            SCHEMAS.setdefault(operator, {})[version] = schema
        return legalize

    return register


@cache
def newest_with(operator: str, attribute: str) -> Attribute:
    """An attribute as the newest version of an operator that has it states it."""
    versions = SCHEMAS[operator]
    schemas = (versions[since] for since in sorted(versions, reverse=True))
    return next(a for s in schemas for a in s.signature.attributes if a.name == attribute)


def rows(text: str, module: ModuleType) -> Iterator[tuple[str, Any, list[int]]]:
    """``Abs:1,6,13 Swish=Silu:24``: operators, classes of a module (SiluOp), and versions."""
    for entry in text.split():
        names, _, versions = entry.partition(":")
        operator, _, other = names.partition("=")
        yield operator, getattr(module, f"{other or operator}Op"), [*map(int, versions.split(","))]


def find(operator: str, opset: int) -> Schema | None:
    """The schema of the newest version in an opset, or None."""
    versions = SCHEMAS.get(operator, {})
    since = max((v for v in versions if v <= opset), default=None)
    return None if since is None else versions[since]
