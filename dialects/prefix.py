"""``kernel.prefix``: a scan, the total of the values up to each point of an axis.

form-kernels names the dimension of the nest along which a scan goes, so that users of the totals
can be fused into the nest.  form-sweeps makes a sweep of that dimension::

    %y = kernel.nest [4096, 1024] {
      %x0 = kernel.load %x[d0, d1] : f32
      %t = kernel.prefix sum(%x0) along d1 : f32
      kernel.store %t to 0[d0, d1]
    } : tensor<4096x1024xf32>

    %y = kernel.nest [4096] {
      kernel.sweep [1024] {
        %x0 = kernel.load %x[d0, d1] : f32
        %t = kernel.prefix sum(%x0) : f32
        kernel.store %t to 0[d0, d1]
        kernel.yield
      }
    } : tensor<4096x1024xf32>
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .body import scalar_type
from .formats import Formatted
from .kernel_nest import NestOp, SweepOp, scope
from .scalar import REDUCTIONS
from .shape import IndexAttr


@irdl_op_definition
class PrefixOp(Formatted):
    """The total of the values at all points of an axis up to this one, in their order.

    It starts from the neutral value of the reduction.  An ``exclusive`` total excludes the value at
    this point; ``reverse`` goes from the last point to the first.
    """

    name = "kernel.prefix"
    value = operand_def()
    kind = prop_def(StringAttr)
    along = opt_prop_def(IndexAttr)
    exclusive = opt_prop_def(UnitAttr)
    reverse = opt_prop_def(UnitAttr)
    result = result_def()
    # The running total is no operand: equal operations in different blocks differ.
    traits = traits_def(MemoryReadEffect())
    KINDS: ClassVar[tuple[str, ...]] = ("sum", "prod")
    FORMAT: ClassVar[str] = (
        "custom<Word>($kind) `(` $value `)` (`along` custom<Expr>($along)^)? "
        "(`exclusive` $exclusive^)? (`reverse` $reverse^)? `:` type($result)"
    )

    @staticmethod
    def of(
        value: SSAValue, kind: str, along: int | None, *, exclusive: bool, reverse: bool
    ) -> PrefixOp:
        """The operation."""
        return PrefixOp.new(
            value,
            results=[value.type],
            kind=kind,
            along=None if along is None else ex.dim(along),
            exclusive=exclusive,
            reverse=reverse,
        )

    @property
    def dim(self) -> int:
        """The dimension along which it goes."""
        if self.along is None:
            return len(scope(self)) - 1
        dim = self.along.data[0].dim()
        return -1 if dim is None else dim

    def like(self, value: SSAValue, along: int | None) -> PrefixOp:
        """The same scan of another value, along another dimension."""
        exclusive, reverse = self.exclusive is not None, self.reverse is not None
        return PrefixOp.of(value, self.kind.data, along, exclusive=exclusive, reverse=reverse)

    def verify_(self) -> None:
        """Check the type, the dimension and the direction."""
        # prefix_c1: the kind is sum or prod and admits the type, which the result has too.
        row = REDUCTIONS.get(self.kind.data) if self.kind.data in self.KINDS else None
        if row is None or scalar_type(self.value) not in row.types:
            raise VerifyException(f"kernel.prefix: no {self.kind.data} of {self.value.type}")
        if self.result.type != self.value.type:
            raise VerifyException(f"kernel.prefix: {self.result.type} of {self.value.type}")
        around = self.parent_op()
        # prefix_c2: in a sweep it goes along its one dimension, else along a dimension of the nest.
        if isinstance(around, SweepOp):
            if self.along is not None or len(around.extents.data) != 1:
                raise VerifyException("kernel.prefix: expected along the only axis of its sweep")
        elif not isinstance(around, NestOp) or self.along is None:
            raise VerifyException("kernel.prefix: expected in a sweep, or along an axis of a nest")
        elif not 0 <= self.dim < len(around.extents.data) or around.sweeps:
            axis = self.along.data[0]
            raise VerifyException(f"kernel.prefix: {axis} is no axis of a nest without sweeps")
        # prefix_c3: all scans of a body have one dimension and direction.
        first = prefixes_of(around)[0]
        if (first.along, first.reverse) != (self.along, self.reverse):
            raise VerifyException("kernel.prefix: scans of a body differ in dimension or direction")


def prefixes_of(around: Operation) -> list[PrefixOp]:
    """The scans directly in a nest or a sweep."""
    ops = around.regions[0].block.ops if around.regions else ()
    return [op for op in ops if isinstance(op, PrefixOp)]
