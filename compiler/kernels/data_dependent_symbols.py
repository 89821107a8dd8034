"""The data-dependent extents that each operation of a function needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from opc.dialects.opc.data_extent import DataExtentOp
from opc.dialects.shape import ExprsData, Tensor, shape_of
from opc.dialects.walking import walk


class DataSymbols:
    """For each operation, the data-dependent symbols that must be defined before it."""

    def __init__(self, ops: Sequence[Operation]) -> None:
        self.names = {op.defined for op in ops if isinstance(op, DataExtentOp)}
        self._of: dict[Operation, frozenset[str]] = {}
        for op in ops if self.names else ():
            self._of[op] = self._needed(op)

    def of(self, op: Operation) -> frozenset[str]:
        """The symbols that an operation or one of its producers mentions."""
        return self._of.get(op, frozenset())

    def _needed(self, op: Operation) -> frozenset[str]:
        symbols = set[str]()
        for inner in walk(op):
            for attr in (*inner.properties.values(), *inner.attributes.values()):
                if isinstance(attr, ExprsData):
                    symbols.update(*(e.symbols() for e in attr.data))
            for value in (*inner.results, *inner.operands):
                symbols |= symbols_of(value)
            for value in inner.operands:
                if isinstance(value.owner, Operation):
                    symbols |= self.of(value.owner)
        return frozenset(symbols & self.names)


def symbols_of(value: SSAValue) -> frozenset[str]:
    """The symbols in the extents of a tensor or a buffer."""
    type: Attribute = value.type
    if not isinstance(type, TensorType | MemRefType):
        return frozenset()
    return frozenset[str]().union(*(e.symbols() for e in shape_of(cast("Tensor", type))))
