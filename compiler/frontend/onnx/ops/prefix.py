"""CumSum and CumProd."""

from __future__ import annotations

from opc.dialects import expr as ex
from opc.dialects.shape import MAX_RANK, type_text
from opc.frontend.models.op_builder import Result
from opc.frontend.models.prefix import prefixes, prefixes_along

from .node import Node
from .schema import Legalize, onnx


def running(operator: str) -> Legalize:
    """CumX(x, axis) {exclusive, reverse} --> opc.cum_x along the axis."""

    def legalize(node: Node) -> Result:
        shape = node.shape()
        if ex.product(node.shape(1)) != 1:
            raise node.error(f"expected one axis, found {type_text(node[1].type)}")
        flags = [node.attr(name) for name in ("exclusive", "reverse")]
        for name, flag in zip(("exclusive", "reverse"), flags, strict=True):
            if flag not in (0, 1):
                raise node.error(f"attribute {name} is {flag}, expected 0 or 1")
        exclusive, is_reversed = map(bool, flags)
        numbers = node.known_numbers(1)
        if numbers is not None:
            axis = node.axis(numbers[0], len(shape))
            return prefixes(
                node, node[0], operator, axis, exclusive=exclusive, is_reversed=is_reversed
            )
        if not 0 < 2 * len(shape) <= MAX_RANK:
            raise node.unsupported(
                f"an axis that is only known at run time, of rank {len(shape)}, "
                f"expected 1 to {MAX_RANK // 2}"
            )
        parts = node.split(1, shape, len(shape) - 1)
        return prefixes_along(
            node, node[0], parts, operator, exclusive=exclusive, is_reversed=is_reversed
        )

    return legalize


onnx("CumSum", 11, 14)(running("add"))
onnx("CumProd", 26)(running("mul"))
