"""``loop.gather`` and ``loop.scatter``: loads and stores at offsets that depend on data.

The dimensions of an offset are loop variables or i64 scalars::

    %v = loop.gather %table[d0*8 + d1](%i, %j) : f32
    loop.scatter %v to %y[d0*8 + d1](%i, %j)
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from . import element as el
from .body import parse_value
from .loop_access import Load, Store


class _AtValues:
    """An access whose dimensions may be scalars."""

    @classmethod
    def parse_dims(cls, parser: Parser) -> list[SSAValue]:
        """Parse loop variables and scalars."""
        return parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parse_value(parser)
        )


def _check_dims(op: Load | Store) -> None:
    # loop_indirect_c1: an offset depends on loop variables and i64 scalars alone.
    for v in op.dims:
        if v.type not in (IndexType(), el.I64.type):
            raise VerifyException(
                f"{op.name}: an offset depends on {v.type}, expected index or i64"
            )


@irdl_op_definition
class GatherOp(_AtValues, Load):
    """Loads the element of a buffer at a data-dependent offset, in its stored type."""

    name = "loop.gather"

    def verify_(self) -> None:
        """Check the types and the dimensions."""
        super().verify_()
        _check_dims(self)


@irdl_op_definition
class ScatterOp(_AtValues, Store):
    """Stores an element to a buffer at a data-dependent offset."""

    name = "loop.scatter"

    def verify_(self) -> None:
        """Check the types and the dimensions."""
        super().verify_()
        _check_dims(self)
