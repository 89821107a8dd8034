"""``kernel.gather`` and ``kernel.scatter``: loads and stores at indices that are values.

Such an index counts from the front and is within its axis.  Rows of a table::

    kernel.nest [3, 8] {
      %i = kernel.load %indices[d0] : i64
      %v = kernel.gather %table[%i, d1] : f32
      kernel.store %v to 0[d0, d1]
    } : tensor<3x8xf32>
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType, StringAttr, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from opc.dialects.walking import walk

from . import element as el
from . import expr as ex
from .effects import READ_AND_WRITE, OnBuffers
from .formats import Formatted
from .kernel_nest import NestOp, check_scope, loops_around, result_stored, storage
from .shape import IndexAttr, Shape, shape_of


class Indirect(Formatted):
    """An access with an expression for each axis, except for ``axes``, which have values."""

    at = var_operand_def()
    index = prop_def(IndexAttr)
    axes = prop_def(DenseArrayBase)

    def valued_axes(self) -> list[int]:
        """The axes whose index is a value."""
        return [int(k) for k in cast("DenseArrayBase[IntegerType]", self.axes).get_values()]

    @property
    def valued(self) -> dict[int, SSAValue]:
        """The values by axis."""
        return dict(zip(self.valued_axes(), self.at, strict=True))

    def check_index(self, rank: int) -> None:
        """VerifyException unless there is an index for each axis."""
        index = self.index.data
        axes = self.valued_axes()
        # indirect_c1: each axis has an expression or a value.
        if len(index) != rank or axes != sorted(set(axes)) or not set(axes) <= set(range(rank)):
            raise VerifyException(f"{self.name}: {len(index)} indices for rank {rank}")
        if len(axes) != len(self.at):
            raise VerifyException(f"{self.name}: {len(self.at)} values for axes {axes}")
        # indirect_c2: values are i64.
        if any(v.type != el.I64.type for v in self.at):
            raise VerifyException(f"{self.name}: an index is no i64")
        # indirect_c3: every dimension is one of the nest and sweeps around.
        check_scope(self, index)


def written(
    index: Mapping[int, SSAValue], exprs: Shape
) -> tuple[IndexAttr, DenseArrayBase[IntegerType]]:
    """The properties ``index`` and ``axes`` for values at some axes, expressions at others."""
    places = tuple(ex.const(0) if k in index else e for k, e in enumerate(exprs))
    return IndexAttr(places), DenseArrayBase.from_list(i64, sorted(index))


@irdl_op_definition
class GatherOp(Indirect):
    """Loads an element of a tensor or buffer; some indices are values."""

    name = "kernel.gather"
    source = operand_def()
    result = result_def()
    traits = traits_def(OnBuffers())
    FORMAT: ClassVar[str] = "$source custom<Mixed>($index, $axes, $at) `:` type($result)"

    @staticmethod
    def of(source: SSAValue, index: Mapping[int, SSAValue], exprs: Shape) -> GatherOp:
        """The load; ``exprs`` has an entry for each axis, unused for axes in ``index``."""
        type = storage(source)
        assert type is not None
        at = [index[k] for k in sorted(index)]
        place, axes = written(index, exprs)
        return GatherOp.new(source, at, results=[type.element_type], index=place, axes=axes)

    def verify_(self) -> None:
        """Check the index and the type."""
        # gather_c1: it gathers from a tensor or a buffer of the result's type.
        type = storage(self.source)
        if type is None or type.element_type != self.result.type:
            raise VerifyException(f"kernel.gather: {self.result.type} from {self.source.type}")
        self.check_index(len(shape_of(type)))


@irdl_op_definition
class ScatterOp(Indirect):
    """Stores an element to a result of the nest; some indices are values.

    A reduction combines the element with the value.  The points of a sweep do this in row-major
    order.
    """

    name = "kernel.scatter"
    value = operand_def()
    target = prop_def(IntegerAttr)
    reduction = opt_prop_def(StringAttr)
    traits = traits_def(*READ_AND_WRITE)
    WORDS: ClassVar[tuple[str, ...]] = ("add", "mul", "max", "min")
    """Scalar functions that combine the element and the scattered value."""
    FORMAT: ClassVar[str] = (
        "$value `to` $target custom<Mixed>($index, $axes, $at) custom<OneOf>($reduction)"
    )

    @staticmethod
    def of(
        value: SSAValue,
        number: int,
        index: Mapping[int, SSAValue],
        exprs: Shape,
        reduction: str | None = None,
    ) -> ScatterOp:
        """The store; ``exprs`` has an entry for each axis, unused for axes in ``index``."""
        at = [index[k] for k in sorted(index)]
        place, axes = written(index, exprs)
        return ScatterOp.new(value, at, target=number, index=place, axes=axes, reduction=reduction)

    @property
    def number(self) -> int:
        """The number of the result in the nest."""
        return int(self.target.value.data)

    def verify_(self) -> None:
        """Check the index, the type and the reduction."""
        # scatter_c1: it is in a sweep of a nest with one point, since points are independent.
        nest, *sweeps = loops_around(self) or (None,)
        if not isinstance(nest, NestOp) or not sweeps or nest.extents.data:
            raise VerifyException(
                "kernel.scatter: expected inside kernel.sweep of a nest with one point"
            )
        # scatter_c2: the nest has a result of that number.
        # scatter_c3: the value has its element type.
        type = result_stored(self, self.number, self.value)
        # scatter_c4: the reduction is known, and admits the element type.
        name, element = self.reduction, el.element_of(self.value.type)
        if name is not None and (name.data not in self.WORDS or element not in el.NUMERIC):
            raise VerifyException(f"kernel.scatter: cannot {name.data} {self.value.type}")
        self.check_index(len(shape_of(type)))


def is_indirect(op: Operation) -> bool:
    """Whether an operation, or one in it, has an index that is a value."""
    return any(isinstance(inner, Indirect) for inner in walk(op))


def offsets(op: Indirect, shape: Sequence[ex.Expr]) -> tuple[ex.Expr, list[ex.Expr]]:
    """The row-major offset of an access with its values as 0, and the stride of each value."""
    from .layout import linearize

    steps = [ex.product(shape[k + 1 :]) for k in op.valued]
    return linearize(op.index.data, tuple(shape)), steps
