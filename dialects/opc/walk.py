"""``opc.walk``: walks through ensembles of decision trees, which are tables.

The verifier checks that each step leads to a later node or to a leaf, so that walks end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from xdsl.irdl import operand_def
from xdsl.utils.exceptions import VerifyException

from .. import element as el
from ..shape import Tensor, element, shape_of, shape_text
from ..shape import tensor_type as typed
from .attributes import Params
from .base import TENSOR, OpcOp
from .movement import ConstantOp

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

FEATURE, SPLIT, LEFT, RIGHT = range(4)
"""The columns of a node."""
WIDTHS = {el.F32: el.BY_NAME["i32"], el.F64: el.I64}
"""The element type of nodes for that of x: a split is the bits of a float."""


class WalkOp(OpcOp, name="opc.walk"):
    """The leaf at the end of a walk, for each row of x and each root.

    A node is ``[feature, bits of split, left, right]``.  A walk goes left if
    ``x[row, feature] <= split``, else right.  A negative feature, ``~feature``, sends NaN left too.
    The walk ends at the first negative step ``~k``; the result is ``values[k]``::

        opc.walk %x, %nodes, %roots, %values
            : tensor<?x4xf32>, tensor<9x4xi32>, tensor<3xi32>, tensor<12xf32> -> tensor<?x3xf32>
    """

    x = operand_def(TENSOR)
    nodes = operand_def(TENSOR)
    roots = operand_def(TENSOR)
    values_ = operand_def(TENSOR)

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """Rows of x, roots, then the axes of a leaf."""
        x, nodes, roots, values = map(shape_of, types)
        kind = WIDTHS.get(element(types[0]))
        # walk_c1: x is a matrix of f32 or f64 with a constant number of columns.
        if kind is None or len(x) != 2 or x[1].constant is None:
            raise VerifyException(f"x is {types[0]}, expected a matrix of f32 or f64")
        # walk_c2: nodes and roots are integers as wide as x; a node has four.
        if any(element(t) is not kind for t in types[1:3]) or len(roots) != 1:
            raise VerifyException(f"nodes and roots are {types[1]} and {types[2]} of {kind}")
        if len(nodes) != 2 or nodes[1] != 4:
            raise VerifyException(f"nodes are {shape_text(nodes)}, expected [n, 4]")
        # walk_c3: values have an axis of leaves, and constant extents.
        if not values or any(e.constant is None for e in values):
            raise VerifyException(f"values are {shape_text(values)}, expected known extents")
        return typed(types[3].element_type, (x[0], roots[0], *values[1:]))

    def verify_(self) -> None:
        """Check the types and the table."""
        super().verify_()
        nodes, roots = self.table()
        count, leaves = len(nodes), shape_of(self.tensor_types[3])[0].constant or 0
        columns = shape_of(self.tensor_types[0])[1].constant or 0
        features = np.where(nodes[:, FEATURE] < 0, ~nodes[:, FEATURE], nodes[:, FEATURE])
        # walk_c5: a feature is a column of x.
        if count and int(features.max()) >= columns:
            raise VerifyException(f"{self.name}: feature {features.max()} of {columns}")
        # walk_c6: a step leads to a later node or to a leaf.
        ends = np.concatenate([nodes[:, LEFT:].reshape(-1), roots])
        after = np.concatenate([np.repeat(np.arange(count), 2), np.full(len(roots), -1)])
        wrong = (ends >= count) | (ends < -leaves) | ((ends >= 0) & (ends <= after))
        if wrong.any():
            k = int(np.flatnonzero(wrong)[0])
            raise VerifyException(
                f"{self.name}: a step from node {after[k]} to {ends[k]}, of {count} nodes and "
                f"{leaves} values; expected a later node, or ~k of a value"
            )

    def table(self) -> tuple[Array, Array]:
        """The nodes and the roots.  VerifyException unless they are constants."""
        owners = (self.operands[1].owner, self.operands[2].owner)
        tables = [owner.array() if isinstance(owner, ConstantOp) else None for owner in owners]
        # walk_c4: nodes and roots are constants.
        if tables[0] is None or tables[1] is None:
            raise VerifyException(f"{self.name}: nodes and roots are no constants")
        return tables[0], tables[1]


def longest(nodes: Array, roots: Array) -> int:
    """The number of steps of the longest walk."""
    steps, level = 0, np.unique(roots[roots >= 0])
    while level.size:
        steps += 1
        ends = nodes[level, LEFT:]
        level = np.unique(ends[ends >= 0])
    return steps
