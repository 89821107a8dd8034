"""``kernel.nest``, ``kernel.sweep`` and ``kernel.yield``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import ArrayAttr, MemRefType, StringAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import HasParent, IsTerminator, NoTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from . import element as el
from . import expr as ex
from . import order
from .body import ApplyOp, scalar_type
from .buffer import shown as shown_buffer
from .effects import OfSweep, OnBuffers
from .formats import Formatted
from .scalar import REDUCTIONS
from .shape import Buffer, DimsAttr, IndexAttr, Shape, Tensor, tensor_type

KEEP = "keep"
"""The kind of a value that a sweep materializes."""


def loops_around(op: Operation) -> tuple[NestOp | SweepOp, ...]:
    """The nest and the sweeps around an operation, outermost first."""
    loops: list[NestOp | SweepOp] = []
    parent = op.parent_op()
    while parent is not None:
        if isinstance(parent, NestOp | SweepOp):
            loops.append(parent)
        parent = parent.parent_op()
    return tuple(reversed(loops))


def scope(op: Operation) -> Shape:
    """The extents of d0, d1, ... at an operation."""
    return tuple(e for around in loops_around(op) for e in around.extents.data)


def storage(value: SSAValue) -> Tensor | Buffer | None:
    """The type of a tensor or buffer, None for other values."""
    type: Attribute = value.type
    return cast("Tensor | Buffer", type) if isinstance(type, TensorType | MemRefType) else None


def shown(nest: NestOp) -> str:
    """A nest for messages: ``kernel.nest [4, 8] into (%y)``."""
    extents = ", ".join(map(str, nest.extents.data))
    return f"{nest.name} [{extents}] into ({', '.join(map(shown_buffer, nest.targets))})"


def check_scope(op: Operation, exprs: Shape) -> None:
    """VerifyException unless expressions depend on dimensions of the nest and sweeps around."""
    depth = len(scope(op))
    for e in exprs:
        if any(d >= depth for d in e.dims()):
            raise VerifyException(f"{op.name}: {e} is outside the {depth} dimensions around")


def result_stored(op: Operation, number: int, value: SSAValue) -> Tensor | Buffer:
    """The type of a result of the nest; VerifyException unless it is there and holds the value."""
    around = loops_around(op)
    nest = around[0] if around else None
    if not isinstance(nest, NestOp) or not 0 <= number < len(nest.targets):
        raise VerifyException(f"{op.name}: there is no result {number}")
    type = storage(nest.targets[number])
    if type is None or type.element_type != value.type:
        raise VerifyException(f"{op.name}: cannot store {value.type} to {type}")
    return type


def _verify_extents(op: NestOp | SweepOp) -> None:
    """Check that extents depend on dimensions around alone, and that none is negative."""
    check_scope(op, op.extents.data)
    if any(e.constant is not None and e.constant < 0 for e in op.extents.data):
        extents = ", ".join(map(str, op.extents.data))
        raise VerifyException(f"{op.name}: found extents [{extents}], expected none below 0")


@irdl_op_definition
class NestOp(Formatted):
    """Computes its body at independent points.

    The results are tensors; after plan-buffers, it fills the buffers in ``into`` instead.
    """

    name = "kernel.nest"
    into = var_operand_def()
    extents = prop_def(DimsAttr)
    body = region_def("single_block")
    outputs = var_result_def()
    traits = traits_def(NoTerminator(), OnBuffers())
    FORMAT: ClassVar[str] = (
        "` ` custom<Index>($extents) (`into` ` ` `(` $into^ `)`)? $body (`:` type($outputs)^)?"
    )

    @staticmethod
    def of(extents: Shape, block: Block, results: Sequence[Attribute]) -> NestOp:
        """The nest with tensors as results."""
        return NestOp.new([], results=[results], regions=[[block]], extents=DimsAttr(extents))

    @property
    def targets(self) -> Sequence[SSAValue]:
        """The results or buffers to which stores refer by number."""
        return self.into if self.into else self.outputs

    @property
    def sweeps(self) -> list[SweepOp]:
        """Its sweeps, in order."""
        return [op for op in self.body.block.ops if isinstance(op, SweepOp)]

    @property
    def has_chain(self) -> bool:
        """Whether it is a contraction: a sweep accumulates products."""
        kinds = {kind.data for sweep in self.sweeps for kind in sweep.kinds}
        return any(kind in REDUCTIONS and REDUCTIONS[kind].is_chain for kind in kinds)

    def verify_(self) -> None:
        """Check extents, targets and the operation around."""
        _verify_extents(self)
        # nest_c1: it has tensors as results, or fills buffers, not both.
        if self.into and self.outputs:
            raise VerifyException("kernel.nest: has results and fills buffers")
        wanted = MemRefType if self.into else TensorType
        for target in self.targets:
            if not isinstance(target.type, wanted):
                raise VerifyException(f"kernel.nest: cannot produce {target.type}")
        # nest_c2: no nest is inside of another one.
        if loops_around(self):
            raise VerifyException("kernel.nest: nests do not nest; use kernel.sweep")


@irdl_op_definition
class SweepOp(Formatted):
    """Runs over further dimensions inside a nest.

    ``kinds`` has an entry for each value that the body yields: the name of a reduction, or ``keep``
    for a value to materialize.  The results are the reduced scalars (for argmax and argmin the
    row-major position, an i64) and the materialized tensors, which later sweeps load.  ``places``
    has, for each materialized value, the number of a result and an index in it where the value may
    be stored, or nothing (see ``materialized``).  ``lanes`` is the order of float sums and products
    (see ``order``) over the row-major positions of the extents.
    """

    name = "kernel.sweep"
    extents = prop_def(DimsAttr)
    kinds = prop_def(ArrayAttr[StringAttr])
    places = opt_prop_def(ArrayAttr[IndexAttr])
    lanes = opt_prop_def(IndexAttr)
    body = region_def("single_block")
    outputs = var_result_def()
    traits = traits_def(NoTerminator(), OfSweep())
    FORMAT: ClassVar[str] = (
        "` ` custom<Index>($extents) (`lanes` custom<Expr>($lanes)^)? "
        "custom<Kinds>($kinds, $places) $body (`:` type($outputs)^)?"
    )

    @staticmethod
    def of(
        extents: Shape, kinds: Sequence[str], block: Block, lanes: ex.Expr | None = None
    ) -> SweepOp:
        """The sweep of a block that ends in a yield."""
        last = block.last_op
        assert isinstance(last, YieldOp)
        types = [
            result_type(k, scalar_type(v), extents) for k, v in zip(kinds, last.values, strict=True)
        ]
        words = ArrayAttr(list(map(StringAttr, kinds)))
        space = DimsAttr(extents)
        return SweepOp.new(
            results=[types], regions=[[block]], extents=space, kinds=words, lanes=lanes
        )

    @property
    def lanes_expr(self) -> ex.Expr | None:
        """The number of lanes of its float sums and products, None without such."""
        return self.lanes.data[0] if self.lanes is not None else None

    @property
    def yielded(self) -> Sequence[SSAValue]:
        """The values that the body yields."""
        last = self.body.block.last_op
        return last.values if isinstance(last, YieldOp) else ()

    def kept(self) -> list[tuple[SSAValue, SSAValue, IndexAttr]]:
        """The materialized values: value yielded, result, and place (empty if it has none)."""
        places = self.places or [IndexAttr(())] * len(self.kinds)
        every = zip(self.kinds, self.yielded, self.outputs, places, strict=True)
        return [(value, result, place) for kind, value, result, place in every if kind.data == KEEP]

    def verify_(self) -> None:
        """Check kinds and result types against the yielded values."""
        _verify_extents(self)
        # sweep_c1: it is inside a nest.
        if not isinstance(self.parent_op(), NestOp | SweepOp):
            raise VerifyException("kernel.sweep: expected inside kernel.nest")
        # sweep_c2: each yielded value has a kind and a result.
        if not len(self.kinds) == len(self.yielded) == len(self.outputs):
            raise VerifyException(
                "kernel.sweep: kinds, yielded values and results differ in number"
            )
        # sweep_c5: only materialized values have a place.
        kinds = zip(self.kinds, self.places or (), strict=self.places is not None)
        if any(place.data and kind.data != KEEP for kind, place in kinds):
            raise VerifyException("kernel.sweep: a place for a value that is not kept")
        for kind, value, result in zip(self.kinds, self.yielded, self.outputs, strict=True):
            # sweep_c3: the kind is a reduction that admits the type, or keep.
            type = scalar_type(value)
            row = REDUCTIONS.get(kind.data)
            if kind.data != KEEP and (row is None or type not in row.types):
                raise VerifyException(f"kernel.sweep: cannot reduce {type} by {kind.data}")
            # sweep_c6: a serial accumulation adds products, so that each step is one fma.
            op = value.owner
            is_product = isinstance(op, ApplyOp) and op.function.data == "mul"
            if row is not None and row.is_chain and not is_product:
                raise VerifyException(f"kernel.sweep: {kind.data} adds products")
            # sweep_c4: the result type follows from kind, element type and extents.
            wanted = result_type(kind.data, type, self.extents.data)
            if result.type != wanted:
                raise VerifyException(
                    f"kernel.sweep: {kind.data} gives {wanted}, not {result.type}"
                )
        self._verify_lanes()
        from .materialized import verify_kept

        verify_kept(self)

    def _verify_lanes(self) -> None:
        kinds = zip(self.kinds, self.yielded, strict=True)
        is_ordered = any(order.is_ordered(k.data, scalar_type(v)) for k, v in kinds)
        # sweep_c7: float sums and products have an order, others have none.
        if is_ordered != (self.lanes is not None):
            problem = "lacks lanes for" if is_ordered else "has lanes without"
            raise VerifyException(f"kernel.sweep: {problem} a sum or product of floats")
        # sweep_c8: the number of lanes is the same at all points, and a power of two.
        if (lanes := self.lanes_expr) is not None:
            n = lanes.constant
            is_power = n is None or (n > 0 and not n & (n - 1))
            if lanes.dims() or not is_power:
                raise VerifyException(f"kernel.sweep: {lanes} lanes, expected a power of two")


def result_type(kind: str, type: el.ElementType, extents: Shape) -> Attribute:
    """The type of a sweep's result."""
    if kind == KEEP:
        return tensor_type(type, extents)
    return el.I64.type if REDUCTIONS[kind].is_arg else type.type


@irdl_op_definition
class YieldOp(Formatted):
    """Ends the body of a sweep with the values to reduce or materialize."""

    name = "kernel.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), HasParent(SweepOp), Pure())
    FORMAT: ClassVar[str] = "$values"
