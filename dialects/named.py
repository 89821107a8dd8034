"""Attributes of a function for its callers: names of inputs, results and extents, donated inputs.

``opc.products``, ``opc.activations`` and ``opc.subnormals`` (``FORMS``) decide bits as operators
do, and hold for the bodies of control flow, too.
``DONATED`` has pairs of an input that a caller gives away and the result that it then holds, by
number: of ``array<i64: 1, 0>`` input 1 and result 0 are one array, as caches are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, ModuleOp, StringAttr, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from opc.support.forms import FORMS

INPUT_NAMES = "opc.input_names"
RESULT_NAMES = "opc.result_names"
NOTES = "opc.notes"
"""Remarks about the results, shown to whoever compiles the model."""
RESULT_LABELS = "opc.result_labels"
"""For each result the labels that its elements index, or unit."""
RESULT_KEYS = "opc.result_keys"
"""For each result the keys of its columns if it is a list of dictionaries, or unit."""
EXTENT_NAMES = "opc.extent_names"
"""The model's names of extents whose symbols differ from them, by symbol."""
EXTENT_BOUNDS = "opc.extent_bounds"
"""For each input the extents that the model states, some as ranges, ``1..4,?,3``; or empty."""

DONATED = "opc.donated"


def has_form(op: Operation, name: str) -> bool:
    """Whether the function around an operation has a form of ``FORMS`` that is not the default."""
    return StringAttr(FORMS[name][1]) in _stated(op, f"opc.{name}")


def forms_of(function: FuncOp) -> dict[str, str]:
    """The word for each of ``FORMS`` that a function has."""
    return {name: words[has_form(function, name)] for name, words in FORMS.items()}


def _stated(op: Operation, name: str) -> list[Attribute | None]:
    """An attribute of the function around an operation.

    A body of control flow, which is private, has that of the public function of its module.
    """
    at: Operation | None = op
    while at is not None and not isinstance(at, FuncOp):
        at = at.parent_op()
    if at is None:
        return []
    module = at.parent_op()
    functions = [at]
    if at.sym_visibility is not None and isinstance(module, ModuleOp):
        functions = [f for f in module.body.block.ops if isinstance(f, FuncOp)]
    return [f.attributes.get(name) for f in functions]


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
