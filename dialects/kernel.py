"""The ``kernel`` dialect: iteration spaces, index maps and scalar bodies.

A nest computes its body at each of a set of independent points d0, d1, ...  Inside a nest, a sweep
runs over further dimensions, numbered after those of the nest.  It reduces values over them,
materializes values for later sweeps, or stores to the nest's results.  Row centring::

    %y = kernel.nest [4096] {
      %sum = kernel.sweep [1024] lanes 64 (sum) {
        %x0 = kernel.load %x[d0, d1] : f32
        kernel.yield %x0
      } : f32
      %n = scalar.constant 1024.0 : f32
      %mean = scalar.apply div(%sum, %n) : f32
      kernel.sweep [1024] {
        %x1 = kernel.load %x[d0, d1] : f32
        %c = scalar.apply sub(%x1, %mean) : f32
        kernel.store %c to 0[d0, d1]
        kernel.yield
      }
    } : tensor<4096x1024xf32>

Identity index maps make an elementwise operator, permuted maps a transpose, maps without some
dimension a broadcast, a sum of products a matrix product, and sums of dimensions (``d0 + d2``) a
convolution.  A guarded load, ``kernel.load %x[d0 + d2 - 1] else 0.0 : f32``, gives its default
where the index is outside; padding is made of those.  ``kernel.prefix`` computes scans, and
``kernel.pick`` reads a dimension.  After plan-buffers the tensors are memrefs, and a nest names the
buffers that it fills:
``kernel.nest [4096] into (%out) {...}``.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from .body import number_of
from .effects import OnBuffers
from .formats import Formatted
from .indirect import GatherOp, ScatterOp
from .kernel_nest import (
    KEEP,
    NestOp,
    SweepOp,
    YieldOp,
    check_scope,
    loops_around,
    result_stored,
    result_type,
    scope,
    shown,
    storage,
)
from .pick import PickOp, picks_of
from .prefix import PrefixOp, prefixes_of
from .repeat import NextOp, RepeatOp
from .shape import IndexAttr, Shape, shape_of


def _verify_index(op: LoadOp | StoreOp, index: Shape, rank: int) -> None:
    # access_c1: each axis has an expression.
    if len(index) != rank:
        raise VerifyException(f"{op.name}: {len(index)} expressions for rank {rank}")
    # access_c2: every dimension is one of the nest and sweeps around.
    check_scope(op, index)


@irdl_op_definition
class LoadOp(Formatted):
    """Loads an element of a tensor, a buffer, or a value that an earlier sweep materialized.

    A load with a default is guarded: it gives the default where the index is outside.
    """

    name = "kernel.load"
    source = operand_def()
    index = prop_def(IndexAttr)
    default = opt_prop_def(Attribute)
    result = result_def()
    traits = traits_def(OnBuffers())
    FORMAT: ClassVar[str] = "$source custom<Index>($index) custom<Default>($default, type($result))"

    @staticmethod
    def of(source: SSAValue, index: Shape, default: Attribute | None = None) -> LoadOp:
        """The load of the source's element type."""
        type = storage(source)
        assert type is not None
        return LoadOp.new(source, results=[type.element_type], index=index, default=default)

    def verify_(self) -> None:
        """Check the index and the type."""
        # load_c1: it loads from a tensor or a buffer.
        type = storage(self.source)
        if type is None:
            raise VerifyException(f"kernel.load: cannot load from {self.source.type}")
        # load_c2: the result has the source's element type.
        if type.element_type != self.result.type:
            raise VerifyException(f"kernel.load: {self.result.type} from {type}")
        # load_c3: a default has the element type; a load of a materialized value has none.
        if self.default is not None:
            default = number_of(self.default)
            if default is None or default.type != self.result.type:
                raise VerifyException(f"kernel.load: {self.default} is no {self.result.type}")
            if isinstance(self.source.owner, SweepOp):
                raise VerifyException("kernel.load: a materialized value has no default")
        _verify_index(self, self.index.data, len(shape_of(type)))


@irdl_op_definition
class StoreOp(Formatted):
    """Stores an element to a result of the nest, or to the buffer in its place, by number."""

    name = "kernel.store"
    value = operand_def()
    target = prop_def(IntegerAttr)
    index = prop_def(IndexAttr)
    traits = traits_def(MemoryWriteEffect())
    FORMAT: ClassVar[str] = "$value `to` $target custom<Index>($index)"

    @staticmethod
    def of(value: SSAValue, number: int, index: Shape) -> StoreOp:
        """The store to result ``number``."""
        return StoreOp.new(value, target=number, index=index)

    @property
    def number(self) -> int:
        """The number of the result in the nest."""
        return int(self.target.value.data)

    def verify_(self) -> None:
        """Check the index and the type."""
        # store_c1: the nest has a result of that number and element type.
        type = result_stored(self, self.number, self.value)
        _verify_index(self, self.index.data, len(shape_of(type)))


Kernel = Dialect(
    "kernel",
    [
        *(NestOp, SweepOp, YieldOp, LoadOp, StoreOp, PrefixOp, GatherOp, ScatterOp),
        *(RepeatOp, NextOp, PickOp),
    ],
)

__all__ = [
    "KEEP",
    "GatherOp",
    "Kernel",
    "LoadOp",
    "NestOp",
    "NextOp",
    "PickOp",
    "PrefixOp",
    "RepeatOp",
    "ScatterOp",
    "StoreOp",
    "SweepOp",
    "YieldOp",
    "loops_around",
    "picks_of",
    "prefixes_of",
    "result_type",
    "scope",
    "shown",
    "storage",
]
