"""Which operations of a function need extents that are found on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from opc.dialects.opc.data_extent import DataExtentOp
from opc.dialects.shape import ExprsData, Tensor, shape_of


class DataSymbols:
    """For each operation the data-dependent symbols that have a value before it can run."""

    def __init__(self, ops: Sequence[Operation]) -> None:
        self.names = {op.defined for op in ops if isinstance(op, DataExtentOp)}
        self._of: dict[Operation, frozenset[str]] = {}
        for op in ops if self.names else ():
            self._of[op] = self._needed(op)

    def of(self, op: Operation) -> frozenset[str]:
        """Those that it mentions, or what it reads needs."""
        return self._of.get(op, frozenset())

    def _needed(self, op: Operation) -> frozenset[str]:
        found = set[str]()
        for inner in op.walk():
            for attr in (*inner.properties.values(), *inner.attributes.values()):
                if isinstance(attr, ExprsData):
                    found.update(*(e.symbols() for e in attr.data))
            for value in inner.results:
                found |= symbols_of(value)
            for value in inner.operands:
                found |= symbols_of(value)
                if isinstance(value.owner, Operation):
                    found |= self.of(value.owner)
        return frozenset(found & self.names)


def symbols_of(value: SSAValue) -> frozenset[str]:
    """The symbols in the extents of a tensor or a buffer."""
    type: Attribute = value.type
    if not isinstance(type, TensorType | MemRefType):
        return frozenset()
    return frozenset[str]().union(*(e.symbols() for e in shape_of(cast("Tensor", type))))
