"""``loop.gather`` and ``loop.scatter``: loads and stores at offsets that depend on data.

The dimensions of an offset are loop variables or i64 scalars::

    %v = loop.gather %table[d0*8 + d1](%i, %j) : f32
    loop.scatter %v to %y[d0*8 + d1](%i, %j)
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IndexType
from xdsl.irdl import irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from . import element as el
from .loop_access import Load, Store


def _check_dims(op: Load | Store) -> None:
    # loop_indirect_c1: an offset depends on loop variables and i64 scalars alone.
    for v in op.dims:
        if v.type not in (IndexType(), el.I64.type):
            raise VerifyException(
                f"{op.name}: an offset depends on {v.type}, expected index or i64"
            )


@irdl_op_definition
class GatherOp(Load):
    """Loads the element of a buffer at a data-dependent offset, in its stored type."""

    name = "loop.gather"
    FORMAT: ClassVar[str] = "$source custom<Index>($index) custom<Scalars>($dims) `:` type($result)"

    def verify_(self) -> None:
        """Check the types and the dimensions."""
        super().verify_()
        _check_dims(self)


@irdl_op_definition
class ScatterOp(Store):
    """Stores an element to a buffer at a data-dependent offset."""

    name = "loop.scatter"
    FORMAT: ClassVar[str] = "$value `to` $target custom<Index>($index) custom<Scalars>($dims)"

    def verify_(self) -> None:
        """Check the types and the dimensions."""
        super().verify_()
        _check_dims(self)
