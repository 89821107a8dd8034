"""Donated inputs: arrays that a caller gives away to hold a result, as caches are.

The attribute of a function has pairs of an input and a result, by number: ``opc.donated =
array<i64: 1, 0>`` says that input 1 and result 0 are one array.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, SSAValue

DONATED = "opc.donated"


def donations(function: FuncOp) -> dict[int, int]:
    """The number of the result that each donated input holds."""
    attr = function.attributes.get(DONATED)
    if not isinstance(attr, DenseArrayBase):
        return {}
    numbers = list(map(int, cast("DenseArrayBase[IntegerType]", attr).get_values()))
    return dict(zip(numbers[::2], numbers[1::2], strict=True))


def is_donated(value: SSAValue) -> bool:
    """Whether a value is a donated input."""
    if not isinstance(value, BlockArgument):
        return False
    function = value.owner.parent_op()
    return isinstance(function, FuncOp) and value.index in donations(function)


def donate(function: FuncOp, pairs: Mapping[int, int]) -> None:
    """State for each donated input, by number, which result it holds."""
    numbers = [number for pair in pairs.items() for number in pair]
    function.attributes[DONATED] = DenseArrayBase.from_list(i64, numbers)
