"""Strings and lists of dictionaries (ZipMap), results of classifiers of ai.onnx.ml.

A tensor of strings is an i64 tensor of the same shape, of indices into a table of names that is
known when compiling.  A list of dictionaries is the matrix of their values, with a key for each
column.  The graph returns that tensor; the interface of the function has the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute, SSAValue

from opc.dialects import element as el

from .containers import Held


@dataclass(frozen=True, eq=False)
class Labelled(Held):
    """A tensor with a table of labels."""

    tensor: SSAValue | None = None
    table: tuple[str | int, ...] = ()

    def with_tensor(self, tensor: SSAValue) -> Labelled:
        """The same table for another tensor."""
        return replace(self, tensor=tensor)

    def of_others(self, other: Callable[[SSAValue], SSAValue]) -> Held:
        """See the base."""
        assert self.tensor is not None
        return self.with_tensor(other(self.tensor))

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
        return Labels(el.I64, (), tensor, names)


class Maps(Labelled):
    """A list of N dictionaries: their values [N, K], and the K keys that they share."""

    kind = "a list of dictionaries"

    @staticmethod
    def of_rows(tensor: SSAValue, keys: tuple[str | int, ...]) -> Maps:
        """A dictionary for each row of a matrix."""
        return Maps(el.F32, (), tensor, keys)
