"""Loads and stores of loops at offsets that depend on values: ``loop.gather``, ``loop.scatter``.

Dimensions of the offset are loop variables or i64 scalars::

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
    """An access whose dimensions may be values: what both operations have beside their kind."""

    @classmethod
    def parse_dims(cls, parser: Parser) -> list[SSAValue]:
        """Parse loop variables and scalars."""
        return parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parse_value(parser)
        )


def _check_dims(op: Load | Store) -> None:
    # loop_indirect_c1: an offset depends on loop variables and on i64 scalars.
    if any(v.type not in (IndexType(), el.I64.type) for v in op.dims):
        raise VerifyException(f"{op.name}: an offset depends on what is no integer")


@irdl_op_definition
class GatherOp(_AtValues, Load):
    """The element of a buffer at an offset that depends on values, in its stored type."""

    name = "loop.gather"

    def verify_(self) -> None:
        """Check the types and the dimensions."""
        super().verify_()
        _check_dims(self)


@irdl_op_definition
class ScatterOp(_AtValues, Store):
    """Writes an element of a buffer at an offset that depends on values."""

    name = "loop.scatter"

    def verify_(self) -> None:
        """Check the types and the dimensions."""
        super().verify_()
        _check_dims(self)
