"""Values that are no tensors and exist while compiling only: sequences, optional values, labels.

Nodes on sequences and optional values become operators on the values that they hold.  A tensor of
strings is an i64 tensor of the same shape, of indices into a table of names that is known when
compiling.  A list of dictionaries (ZipMap) is the matrix of their values, with a key for each
column.  The graph returns that tensor; the interface of the function has the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from itertools import islice
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute, SSAValue

from opc.dialects import element as el
from opc.dialects.shape import element, tensor_of


@dataclass(frozen=True, eq=False)
class Held:
    """A sequence or an optional value: a container of values, not itself a tensor."""

    type: el.ElementType
    items: tuple[SSAValue | Held | None, ...] = ()
    """The values; None where only the number of values is known."""

    @staticmethod
    def of(items: Iterable[SSAValue | Held | None], type: el.ElementType = el.F32) -> Held:
        """A container of some values; ``type`` is used if there are none."""
        values = tuple(items)
        types = [v.type if isinstance(v, Held) else element(tensor_of(v)) for v in values if v]
        return Held(types[0] if types else type, values)

    kind: ClassVar[str] = "a sequence or an optional value"
    """The kind of value, for messages."""

    @property
    def described(self) -> str:
        """A description for messages."""
        return f"a sequence of {len(self.items)} values"

    def holding(self, items: Iterable[SSAValue | Held]) -> Held:
        """The same with other values."""
        return replace(self, items=tuple(items))

    def of_others(self, other: Callable[[SSAValue], SSAValue]) -> Held:
        """The same with tensors replaced, for instance by the arguments of a body."""
        items = tuple(other(v) if isinstance(v, SSAValue) else v for v in self.items)
        own: dict[str, SSAValue | None] = {f.name: getattr(self, f.name) for f in fields(self)}
        tensors = {name: other(v) for name, v in own.items() if isinstance(v, SSAValue)}
        return replace(self, items=items, **tensors)


class Nothing(Held):
    """An empty optional: to a node it is an absent input."""

    def __init__(self) -> None:
        super().__init__(el.F32)


@dataclass(frozen=True, eq=False)
class Stacked(Held):
    """A sequence of values of one shape, stacked along the first axis of ``stack``."""

    stack: SSAValue = field(kw_only=True)


@dataclass(frozen=True, eq=False)
class Ragged(Stacked):
    """A sequence of values that differ in one extent, padded to one shape in ``stack``.

    ``sizes``, i64 [count], are the true extents; ``capacity`` is the name of their upper bound, if
    the caller gives it.
    """

    sizes: SSAValue = field(kw_only=True)
    axis: int = field(kw_only=True)
    """The axis of a value with the extent."""
    capacity: str | None = field(default=None, kw_only=True)


def listed(value: SSAValue | Held | None) -> Held | None:
    """The value as a sequence with a known list of values, else None."""
    return value if type(value) is Held and None not in value.items else None


def grouped(
    values: Iterable[SSAValue | Held], sequences: Iterable[Held | None]
) -> list[SSAValue | Held]:
    """A flat list of values with the values of each sequence grouped again."""
    rest = iter(values)
    items = [next(rest) if s is None else s.holding(islice(rest, len(s.items))) for s in sequences]
    return [*items, *rest]


@dataclass(frozen=True, eq=False)
class Labelled(Held):
    """A tensor with a table of labels."""

    tensor: SSAValue = field(kw_only=True)
    table: tuple[str | int, ...] = field(kw_only=True)

    def with_tensor(self, tensor: SSAValue) -> Labelled:
        """The same table for another tensor."""
        return replace(self, tensor=tensor)

    def attribute(self) -> Attribute:
        """The table as an attribute."""
        return ArrayAttr(
            [StringAttr(n) if isinstance(n, str) else IntegerAttr(n, i64) for n in self.table]
        )


class Labels(Labelled):
    """A tensor of strings: i64 indices into a table."""

    kind = "a tensor of strings"

    @staticmethod
    def at(tensor: SSAValue, names: tuple[str, ...]) -> Labels:
        """The names at some indices."""
        return Labels(el.I64, tensor=tensor, table=names)


class Maps(Labelled):
    """A list of N dictionaries: their values [N, K], and the K keys that they share."""

    kind = "a list of dictionaries"

    @staticmethod
    def of_rows(tensor: SSAValue, keys: tuple[str | int, ...]) -> Maps:
        """A dictionary for each row of a matrix."""
        return Maps(el.F32, tensor=tensor, table=keys)
