"""Loops that carry values, and go over the leading axis of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

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
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .. import element as el
from .. import expr as ex
from ..extent_text import extent_text
from ..shape import DimsAttr, Tensor, shape_of, tensor_type, type_text
from .control import (
    Binding,
    ControlOp,
    arguments_of,
    parse_optional_operands,
    parse_types,
    print_operands,
    print_types,
    refer,
    results_of,
    typed,
)


def _positions(attr: DenseArrayBase | None) -> tuple[int, ...]:
    if attr is None:
        return ()
    return tuple(int(k) for k in cast("DenseArrayBase[IntegerType]", attr).get_values())


@irdl_op_definition
class ScanOp(ControlOp):
    """Runs a body for each position of a leading axis, and carries values from one to the next.

    ::

        %h, %ys = opc.scan @step <T> carry (%h0) over (%xs) with (%w)
            : (tensor<4xf32>, tensor<?x3xf32>, tensor<3x4xf32>)
            -> (tensor<4xf32>, tensor<?x4xf32>)

    The body takes the carried values, an element of each tensor in ``over`` (without the leading
    axis, of extent ``T``), and the values in ``with``, the same every time.  It gives the carried
    values for the next time and an element of each further result, which are stacked along a new
    leading axis.  ``reversed [0] [1]`` lists the tensors in ``over``, and the further results,
    that go from the last element to the first.  With ``index`` the body has the number of the
    iteration, i64 of rank 0, as its first argument.

    ``trip (%n)``, i64 of rank 0, says how many iterations there are at most; ``while`` that there
    are none after the first carried value, i1 of rank 0, is false.  With one of them there is
    nothing in ``over``, and the extent is not used but printed as ``<0>``: only ``while`` without
    ``trip`` may have further results, and then goes on ``T`` times at most.  Their elements are 0
    for the iterations that there were not.
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
    """After plan-buffers a second buffer for each carried value."""
    outputs = var_result_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

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
        """Build it; ``types`` are those of the results."""
        return ScanOp(
            operands=[list(carried), list(scanned), list(captured), trip, [], []],
            result_types=[list(types)],
            properties={
                "callee": refer(callee),
                "extent": DimsAttr((ex.Expr.of(extent),)),
                "reversed_inputs": _listed(reversed_inputs),
                "reversed_outputs": _listed(reversed_outputs),
                "has_index": UnitAttr() if has_index else None,
                "has_condition": UnitAttr() if has_condition else None,
            },
        )

    @property
    def targets(self) -> list[SSAValue]:
        """What is filled: buffers, or the results themselves."""
        return list(self.into or self.outputs)

    @property
    def callees(self) -> tuple[str, ...]:
        """The body."""
        return (self.callee.root_reference.data,)

    @property
    def count(self) -> ex.Expr:
        """The number of iterations, unless a value says it."""
        return self.extent.data[0]

    @property
    def operands_filled(self) -> list[SSAValue]:
        """Results, and the second buffers of carried values."""
        return [*self.into, *self.scratch]

    @property
    def is_open(self) -> bool:
        """Whether values say how many iterations there are."""
        return self.trip is not None or self.has_condition is not None

    @property
    def is_bounded(self) -> bool:
        """Whether a number of iterations is given that there are at most."""
        return not self.is_open or self.trip is not None or len(self.targets) > len(self.carried)

    @property
    def inputs_reversed(self) -> tuple[int, ...]:
        """The tensors in ``over`` that go backwards."""
        return _positions(self.reversed_inputs)

    @property
    def outputs_reversed(self) -> tuple[int, ...]:
        """The further results that go backwards."""
        return _positions(self.reversed_outputs)

    @property
    def argument_types(self) -> list[Tensor]:
        """The types of what the body takes."""
        scanned = [typed(v.type) for v in self.scanned]
        return [
            *([tensor_type(el.I64, ())] if self.has_index is not None else []),
            *(typed(v.type) for v in self.carried),
            *(tensor_type(t.element_type, shape_of(t)[1:]) for t in scanned),
            *(typed(v.type) for v in self.captured),
        ]

    def bindings(self) -> list[Binding]:
        """What the symbols of the body are here."""
        taken, binding = self.argument_types, Binding()
        # scan_c6: the number of iterations is not negative.
        if (self.count.constant or 0) < 0:
            raise VerifyException(f"{extent_text(self.count)} iterations")
        (body,) = self.bodies()
        for wanted, type in zip(arguments_of(body, len(taken)), taken, strict=True):
            binding.argument(wanted, type)
        for v in self.scanned:
            # scan_c1: what is gone over has the leading axis.
            if not shape_of(v.type):
                raise VerifyException(f"cannot go over {type_text(v.type)}")
            binding.equal.append((shape_of(v.type)[0], self.count))
        types = [binding.result(t) for t in results_of(body, len(taken))]
        # scan_c2: the body gives all carried values.
        if len(types) < len(self.carried):
            raise VerifyException(
                f"{len(self.carried)} carried values, the body gives {len(types)}"
            )
        for v, type in zip(self.carried, types, strict=False):
            binding.meet(typed(v.type), type)
        # scan_c3: what is gone over and what is stacked has a known number of iterations.
        if self.is_open and (self.scanned or self.reversed_outputs is not None):
            raise VerifyException("trip and while go over nothing, and not backwards")
        if self.trip is not None and len(types) > len(self.carried):
            raise VerifyException("trip goes with carried values alone")
        scalars = [(self.trip.type, el.I64)] if self.trip is not None else []
        if self.has_condition is not None:
            scalars += [(v.type, el.I1) for v in self.carried[:1]]
        for type, kind in scalars:
            # scan_c4: trip is i64 and a condition i1, of rank 0.
            if typed(type) != tensor_type(kind, ()):
                raise VerifyException(f"expected {kind} of rank 0 for trip or while")
        # scan_c5: what goes backwards is there.
        outside = [k for k in self.inputs_reversed if not 0 <= k < len(self.scanned)]
        stacked = len(types) - len(self.carried)
        outside += [k for k in self.outputs_reversed if not 0 <= k < stacked]
        if outside:
            raise VerifyException(f"there is no {outside[0]} to go backwards")
        return [binding]

    def infer_results(self) -> list[Tensor]:
        """Carried values, and what is stacked."""
        (binding,), (body,) = self.bindings(), self.bodies()
        types = [binding.result(t) for t in results_of(body, len(self.argument_types))]
        carried = [typed(v.type) for v in self.carried]
        stacked = types[len(carried) :]
        return [
            *carried,
            *(tensor_type(t.element_type, (self.count, *shape_of(t))) for t in stacked),
        ]

    @classmethod
    def parse(cls, parser: Parser) -> ScanOp:
        """Parse the form shown above."""
        callee = parser.parse_symbol_name()
        extent = DimsAttr(DimsAttr.parse_parameter(parser))
        segments = [parse_optional_operands(parser, w) for w in ("carry", "over", "with", "trip")]
        into, scratch = (
            parse_optional_operands(parser, "into"),
            parse_optional_operands(parser, "scratch"),
        )
        lists: list[list[int]] = [[], []]
        if parser.parse_optional_keyword("reversed") is not None:
            lists = [
                parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
                for _ in lists
            ]
        index = parser.parse_optional_keyword("index") is not None
        condition = parser.parse_optional_keyword("while") is not None
        operands, results = parse_types(parser, [*segments, into, scratch])
        return ScanOp(
            operands=operands,
            result_types=[results],
            properties={
                "callee": refer(callee.data),
                "extent": extent,
                "reversed_inputs": _listed(lists[0]),
                "reversed_outputs": _listed(lists[1]),
                "has_index": UnitAttr() if index else None,
                "has_condition": UnitAttr() if condition else None,
            },
        )

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(f" @{self.callees[0]} <{self.count}>")
        trip = [self.trip] if self.trip is not None else []
        for word, values in (
            ("carry", self.carried),
            ("over", self.scanned),
            ("with", self.captured),
            ("trip", trip),
            ("into", self.into),
            ("scratch", self.scratch),
        ):
            print_operands(printer, word, values)
        if self.inputs_reversed or self.outputs_reversed:
            printer.print_string(
                f" reversed {list(self.inputs_reversed)} {list(self.outputs_reversed)}"
            )
        printer.print_string(" index" if self.has_index is not None else "")
        printer.print_string(" while" if self.has_condition is not None else "")
        print_types(printer, self)


def _listed(values: Sequence[int]) -> DenseArrayBase | None:
    return DenseArrayBase.from_list(i64, list(values)) if values else None
