"""``opc.scan``: a loop with carried values over the leading axis of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FlatSymbolRefAttrConstr,
    IntegerType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    var_operand_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException

from .. import element as el
from .. import expr as ex
from ..extent_text import extent_text
from ..shape import DimsAttr, Tensor, shape_of, tensor_type, type_text
from .control import Binding, ControlOp, arguments_of, refer, results_of, typed


def _positions(attr: DenseArrayBase | None) -> tuple[int, ...]:
    if attr is None:
        return ()
    return tuple(int(k) for k in cast("DenseArrayBase[IntegerType]", attr).get_values())


@irdl_op_definition
class ScanOp(ControlOp):
    """Runs a body for each position of a leading axis, with carried values.

    ::

        %h, %ys = opc.scan @step <T> carry (%h0) over (%xs) with (%w)
            : (tensor<4xf32>, tensor<?x3xf32>, tensor<3x4xf32>)
            -> (tensor<4xf32>, tensor<?x4xf32>)

    The body's arguments are the carried values, a slice of each tensor in ``over`` (without the
    leading axis, of extent ``T``), and the values in ``with``.  Its results are the next carried
    values, and a slice of each stacked result, which has a new leading axis.  ``reversed [0] [1]``
    lists the tensors in ``over``, and the stacked results, that go from the last slice to the
    first.  With ``index`` the first argument is the number of the iteration, an i64 of rank 0.

    ``trip (%n)``, an i64 of rank 0, limits the number of iterations.  ``while`` ends the loop once
    the first carried value, an i1 of rank 0, is false.  Both exclude ``over``, and the extent is
    unused and printed as ``<0>``.  As an exception, ``while`` without ``trip`` may have stacked
    results; then ``T`` limits the iterations, and slices after the last iteration are 0.
    """

    name = "opc.scan"
    callee = prop_def(FlatSymbolRefAttrConstr)
    extent = prop_def(DimsAttr)
    reversed_inputs = opt_prop_def(DenseArrayBase)
    reversed_outputs = opt_prop_def(DenseArrayBase)
    has_index = opt_prop_def(UnitAttr)
    has_condition = opt_prop_def(UnitAttr)
    carried = var_operand_def()
    scanned = var_operand_def()
    captured = var_operand_def()
    trip = opt_operand_def()
    into = var_operand_def()
    scratch = var_operand_def()
    """A second buffer for each carried value, after plan-buffers."""
    outputs = var_result_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    FORMAT: ClassVar[str] = (
        "$callee $extent (`carry` ` ` `(` $carried^ `)`)? (`over` ` ` `(` $scanned^ `)`)? "
        "(`with` ` ` `(` $captured^ `)`)? (`trip` ` ` `(` $trip^ `)`)? "
        "(`into` ` ` `(` $into^ `)`)? (`scratch` ` ` `(` $scratch^ `)`)? "
        "(`reversed` $reversed_inputs^ $reversed_outputs)? "
        "(`index` $has_index^)? (`while` $has_condition^)? custom<Signature>()"
    )

    @staticmethod
    def of(
        callee: str,
        extent: ex.Expr | int,
        carried: Sequence[SSAValue],
        scanned: Sequence[SSAValue],
        captured: Sequence[SSAValue],
        types: Sequence[Attribute],
        *,
        reversed_inputs: Sequence[int] = (),
        reversed_outputs: Sequence[int] = (),
        has_index: bool = False,
        has_condition: bool = False,
        trip: SSAValue | None = None,
    ) -> ScanOp:
        """The loop; ``types`` are those of the results."""
        inputs, outputs = (
            DenseArrayBase.from_list(i64, list(v)) if reversed_inputs or reversed_outputs else None
            for v in (reversed_inputs, reversed_outputs)
        )
        return ScanOp.new(
            *(carried, scanned, captured, trip, (), ()),
            results=[types],
            callee=refer(callee),
            extent=DimsAttr((ex.Expr.of(extent),)),
            reversed_inputs=inputs,
            reversed_outputs=outputs,
            has_index=has_index,
            has_condition=has_condition,
        )

    @property
    def targets(self) -> list[SSAValue]:
        """The buffers that are filled, or the results."""
        return list(self.into or self.outputs)

    @property
    def callees(self) -> tuple[str, ...]:
        """The body."""
        return (self.callee.root_reference.data,)

    @property
    def count(self) -> ex.Expr:
        """The number of iterations, unless it is data-dependent."""
        return self.extent.data[0]

    @property
    def operands_filled(self) -> list[SSAValue]:
        """The results, and the second buffers of carried values."""
        return [*self.into, *self.scratch]

    @property
    def is_open(self) -> bool:
        """Whether the number of iterations is data-dependent."""
        return self.trip is not None or self.has_condition is not None

    @property
    def is_bounded(self) -> bool:
        """Whether the number of iterations has an upper bound."""
        return not self.is_open or self.trip is not None or len(self.targets) > len(self.carried)

    @property
    def inputs_reversed(self) -> tuple[int, ...]:
        """The tensors in ``over`` that go backwards."""
        return _positions(self.reversed_inputs)

    @property
    def outputs_reversed(self) -> tuple[int, ...]:
        """The stacked results that go backwards."""
        return _positions(self.reversed_outputs)

    @property
    def argument_types(self) -> list[Tensor]:
        """The types of the body's arguments."""
        scanned = [typed(v.type) for v in self.scanned]
        return [
            *([tensor_type(el.I64, ())] if self.has_index is not None else []),
            *(typed(v.type) for v in self.carried),
            *(tensor_type(t.element_type, shape_of(t)[1:]) for t in scanned),
            *(typed(v.type) for v in self.captured),
        ]

    def bindings(self) -> list[Binding]:
        """The binding of the body."""
        taken, binding = self.argument_types, Binding()
        # scan_c6: the number of iterations is not negative.
        if (self.count.constant or 0) < 0:
            raise VerifyException(f"{extent_text(self.count)} iterations")
        (body,) = self.bodies()
        for wanted, type in zip(arguments_of(body, len(taken)), taken, strict=True):
            binding.argument(wanted, type)
        for v in self.scanned:
            # scan_c1: tensors in over have a leading axis.
            if not shape_of(v.type):
                raise VerifyException(f"cannot go over {type_text(v.type)}")
            binding.equal.append((shape_of(v.type)[0], self.count))
        types = [binding.result(t) for t in results_of(body, len(taken))]
        # scan_c2: the body returns all carried values.
        if len(types) < len(self.carried):
            raise VerifyException(
                f"{len(self.carried)} carried values, the body gives {len(types)}"
            )
        for v, type in zip(self.carried, types, strict=False):
            binding.meet(typed(v.type), type)
        # scan_c3: trip and while exclude over and reversed; trip excludes stacked results.
        if self.is_open and (self.scanned or self.outputs_reversed):
            raise VerifyException("trip and while exclude over and reversed")
        if self.trip is not None and len(types) > len(self.carried):
            raise VerifyException("trip excludes stacked results")
        scalars = [(self.trip.type, el.I64)] if self.trip is not None else []
        if self.has_condition is not None:
            scalars += [(v.type, el.I1) for v in self.carried[:1]]
        for type, kind in scalars:
            # scan_c4: trip is an i64 and the condition an i1, of rank 0.
            if typed(type) != tensor_type(kind, ()):
                raise VerifyException(f"expected {kind} of rank 0 for trip or while")
        # scan_c5: reversed lists existing tensors and stacked results.
        outside = [k for k in self.inputs_reversed if not 0 <= k < len(self.scanned)]
        stacked = len(types) - len(self.carried)
        outside += [k for k in self.outputs_reversed if not 0 <= k < stacked]
        if outside:
            raise VerifyException(f"reversed: there is no tensor {outside[0]}")
        return [binding]

    def infer_results(self) -> list[Tensor]:
        """The types of the carried values and of the stacked results."""
        (binding,), (body,) = self.bindings(), self.bodies()
        types = [binding.result(t) for t in results_of(body, len(self.argument_types))]
        carried = [typed(v.type) for v in self.carried]
        stacked = types[len(carried) :]
        return [
            *carried,
            *(tensor_type(t.element_type, (self.count, *shape_of(t))) for t in stacked),
        ]
