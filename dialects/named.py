"""Attributes of a function that name its inputs, results and extents for callers.

``PRODUCTS`` says how a contraction adds products; it holds for the bodies of control flow, too.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

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

PRODUCTS = "opc.products"
FUSED, ROUNDED = "fused", "rounded"
"""Contractions add exact products, each sum rounded once; or round each product, then the sum."""


def rounds_products(op: Operation) -> bool:
    """Whether contractions of the function around an operation round products.

    A body of control flow, which is private, does as the public function of its module.
    """
    at: Operation | None = op
    while at is not None and not isinstance(at, FuncOp):
        at = at.parent_op()
    if at is None:
        return False
    module = at.parent_op()
    functions = [at]
    if at.sym_visibility is not None and isinstance(module, ModuleOp):
        functions = [f for f in module.body.block.ops if isinstance(f, FuncOp)]
    return StringAttr(ROUNDED) in [f.attributes.get(PRODUCTS) for f in functions]
