"""CumSum and CumProd."""

from __future__ import annotations

from opc.dialects import expr as ex
from opc.dialects.shape import MAX_RANK, type_text
from opc.frontend.models.op_builder import Result
from opc.frontend.models.prefix import prefixes, prefixes_along

from .node import Node
from .schema import BF16, HIGH, INDEX, Legalize, add


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


_SIGNATURE = "x:T axis:T2 -> y:T"
_FLAGS = "exclusive:int=0 reverse:int=0"
for _name, _operator, _since, _types in (
    ("CumSum", "add", 11, HIGH - {"float16"}),
    ("CumSum", "add", 14, HIGH | BF16),
    ("CumProd", "mul", 26, HIGH | BF16),
):
    add(_name, _since, _SIGNATURE, {"T": _types, "T2": INDEX}, running(_operator), _FLAGS)
