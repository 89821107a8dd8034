"""Control flow: loops over the leading axis of tensors, and choices, whose bodies are functions.

A body is a private ``func.func`` of the same module, so every pass that goes over functions goes
over bodies, too.  What a body needs it is given: its extents are those of its arguments, in
symbols of its own.

Like a nest, an operation has tensors as results or, after plan-buffers, fills the buffers in
``into``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FlatSymbolRefAttrConstr,
    IntegerType,
    ModuleOp,
    SymbolRefAttr,
    UnitAttr,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .. import element as el
from .. import expr as ex
from ..shape import DimsAttr, Tensor, shape_of, tensor_type

Equal: TypeAlias = "tuple[ex.Expr, ex.Expr]"
"""Two extents that must be equal when the function runs."""


def typed(type: Attribute) -> Tensor:
    """The type of a value, a tensor or a buffer, as that of a tensor."""
    return tensor_type(cast("Tensor", type).element_type, shape_of(type))


@dataclass
class Binding:
    """What the symbols of a body are where it is called, and what must be equal for that."""

    values: dict[ex.Atom, ex.Expr] = field(default_factory=dict[ex.Atom, ex.Expr])
    equal: list[Equal] = field(default_factory=list[Equal])

    def argument(self, wanted: Attribute, given: Tensor) -> None:
        """Give an argument.  VerifyException where it cannot have that type."""
        type = typed(wanted)
        self.same(type, given)
        for e, f in zip(shape_of(type), shape_of(given), strict=True):
            if e.symbol() is None:
                self.equal.append((e, f))
            elif (known := self.values.setdefault(e.terms[0][0][0], f)) != f:
                self.equal.append((known, f))

    def result(self, type: Attribute) -> Tensor:
        """The type that a result has where the body is called."""
        found = typed(type)
        return tensor_type(found.element_type, [self.extent(e) for e in shape_of(found)])

    def extent(self, e: ex.Expr) -> ex.Expr:
        """What an extent of the body is where it is called."""
        return e.substitute(self.values, {})

    def meet(self, a: Tensor, b: Tensor) -> None:
        """Two types that must be the same."""
        self.same(a, b)
        self.equal += zip(shape_of(a), shape_of(b), strict=True)

    @staticmethod
    def same(a: Tensor, b: Tensor) -> None:
        """VerifyException unless element types and ranks are the same."""
        # control_c1: values given and values expected have one element type and one rank.
        if a.element_type != b.element_type or len(shape_of(a)) != len(shape_of(b)):
            raise VerifyException(f"found {b}, expected {a}")


class ControlOp(IRDLOperation):
    """What the operations have in common."""

    @property
    @abstractmethod
    def callees(self) -> tuple[str, ...]:
        """The names of the bodies."""

    @property
    @abstractmethod
    def operands_filled(self) -> list[SSAValue]:
        """The buffers that are filled, results and others: the last of the operands."""

    @abstractmethod
    def bindings(self) -> list[Binding]:
        """What the symbols of each body are here.  VerifyException where something does not fit."""

    @abstractmethod
    def infer_results(self) -> list[Tensor]:
        """The types of the results."""

    @property
    @abstractmethod
    def targets(self) -> list[SSAValue]:
        """What is filled: buffers, or the results themselves."""

    def body(self, name: str) -> FuncOp:
        """The body of that name.  VerifyException if there is none."""
        found = function_named(self, name)
        # control_c2: bodies are functions of the module.
        if found is None:
            raise VerifyException(f"{self.name}: there is no function @{name}")
        return found

    def bodies(self) -> list[FuncOp]:
        """The bodies."""
        return [self.body(name) for name in self.callees]

    def equal(self) -> list[Equal]:
        """The extents that must be equal, those that are not so anyway."""
        return [(a, b) for found in self.bindings() for a, b in found.equal if a != b]

    def verify_(self) -> None:
        """Check what is given to the bodies and what comes of them."""
        module = _module_of(self)
        if module is None:
            return
        try:
            found = self.bindings() and self.infer_results()
        except VerifyException as e:
            message = str(e).removeprefix(f"{self.name}: ")
            raise VerifyException(f"{self.name}: {message}") from None
        # control_c3: results, or the buffers that are filled, are those of the body.
        if len(self.targets) != len(found):
            raise VerifyException(
                f"{self.name}: {len(self.targets)} results, the body gives {len(found)}"
            )
        for target, type in zip(self.targets, found, strict=True):
            try:
                Binding.same(type, typed(target.type))
            except VerifyException as e:
                raise VerifyException(f"{self.name}: a result: {e}") from None


def _module_of(op: Operation) -> ModuleOp | None:
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, ModuleOp):
        parent = parent.parent_op()
    return parent


def function_named(op: Operation, name: str) -> FuncOp | None:
    """The function of that name in the module around an operation."""
    module = _module_of(op)
    listed = module.body.block.ops if module is not None else ()
    return next((f for f in listed if isinstance(f, FuncOp) and f.sym_name.data == name), None)


def bodies_below(function: FuncOp) -> Iterator[FuncOp]:
    """The bodies that a function needs, those of bodies first, each once."""
    seen = set[str]()
    yield from _below(function, seen, ())


def _below(function: FuncOp, seen: set[str], around: tuple[str, ...]) -> Iterator[FuncOp]:
    for op in function.body.block.ops:
        if isinstance(op, ControlOp):
            for body in op.bodies():
                name = body.sym_name.data
                # control_c4: no body needs itself.
                if name in around:
                    raise VerifyException(f"{op.name}: body @{name} needs itself")
                if name not in seen:
                    yield from _below(body, seen, (*around, name))
                    if name not in seen:
                        seen.add(name)
                        yield body


def arguments_of(body: FuncOp, count: int) -> list[Attribute]:
    """The types of the arguments of a body, without those that plan-buffers adds."""
    found = [a.type for a in body.body.block.args][:count]
    # control_c5: a body takes what it is given.
    if len(found) != count or (body.function_type.outputs.data and len(body.args) != count):
        raise VerifyException(f"body @{body.sym_name.data} takes {len(body.args)}, found {count}")
    return found


def results_of(body: FuncOp, count: int) -> list[Attribute]:
    """The types of the results of a body that takes so many arguments."""
    end = body.body.block.last_op
    if end is not None and end.operands:
        return [v.type for v in end.operands]
    return [a.type for a in body.body.block.args][count:-1]


def _refer(name: str) -> SymbolRefAttr:
    return SymbolRefAttr(name)


def _positions(attr: DenseArrayBase | None) -> tuple[int, ...]:
    if attr is None:
        return ()
    return tuple(int(k) for k in cast("DenseArrayBase[IntegerType]", attr).get_values())


@irdl_op_definition
class ScanOp(ControlOp):
    """Runs a body once for each position of a leading axis, and carries values from one to the next.

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
    nothing in ``over`` and no further result, and the extent is not used but printed as ``<0>``.
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
    traits = traits_def(Pure())

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
                "callee": _refer(callee),
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
        return (cast("SymbolRefAttr", self.callee).root_reference.data,)

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
    def inputs_reversed(self) -> tuple[int, ...]:
        """The tensors in ``over`` that go backwards."""
        return _positions(self.reversed_inputs)

    @property
    def outputs_reversed(self) -> tuple[int, ...]:
        """The further results that go backwards."""
        return _positions(self.reversed_outputs)

    @property
    def given(self) -> list[Tensor]:
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
        given, found = self.given, Binding()
        (body,) = self.bodies()
        for wanted, type in zip(arguments_of(body, len(given)), given, strict=True):
            found.argument(wanted, type)
        for v in self.scanned:
            # scan_c1: what is gone over has the leading axis.
            if not shape_of(v.type):
                raise VerifyException(f"cannot go over {v.type}")
            found.equal.append((shape_of(v.type)[0], self.count))
        types = [found.result(t) for t in results_of(body, len(given))]
        # scan_c2: the body gives all carried values.
        if len(types) < len(self.carried):
            raise VerifyException(
                f"{len(self.carried)} carried values, the body gives {len(types)}"
            )
        for v, type in zip(self.carried, types, strict=False):
            found.meet(typed(v.type), type)
        # scan_c3: without a known number of iterations there is nothing to stack.
        if self.is_open and (self.scanned or len(types) > len(self.carried)):
            raise VerifyException("trip and while go with carried values alone")
        scalars = [(self.trip, el.I64)] if self.trip is not None else []
        if self.has_condition is not None:
            scalars.append((next(iter(self.carried), None), el.I1))
        for value, kind in scalars:
            # scan_c4: trip is i64 and a condition i1, of rank 0.
            if value is None or typed(value.type) != tensor_type(kind, ()):
                raise VerifyException(f"expected {kind} of rank 0 for trip or while")
        # scan_c5: what goes backwards is there.
        outside = [k for k in self.inputs_reversed if not 0 <= k < len(self.scanned)]
        stacked = len(types) - len(self.carried)
        outside += [k for k in self.outputs_reversed if not 0 <= k < stacked]
        if outside:
            raise VerifyException(f"there is no {outside[0]} to go backwards")
        return [found]

    def infer_results(self) -> list[Tensor]:
        """Carried values, and what is stacked."""
        (found,), (body,) = self.bindings(), self.bodies()
        types = [found.result(t) for t in results_of(body, len(self.given))]
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
        segments = [_operands(parser, w) for w in ("carry", "over", "with", "trip")]
        into, scratch = _operands(parser, "into"), _operands(parser, "scratch")
        lists: list[list[int]] = [[], []]
        if parser.parse_optional_keyword("reversed") is not None:
            lists = [
                parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
                for _ in lists
            ]
        index = parser.parse_optional_keyword("index") is not None
        condition = parser.parse_optional_keyword("while") is not None
        operands, results = _types(parser, [*segments, into, scratch])
        return ScanOp(
            operands=operands,
            result_types=[results],
            properties={
                "callee": _refer(callee.data),
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
            _print_operands(printer, word, values)
        if self.inputs_reversed or self.outputs_reversed:
            printer.print_string(
                f" reversed {list(self.inputs_reversed)} {list(self.outputs_reversed)}"
            )
        printer.print_string(" index" if self.has_index is not None else "")
        printer.print_string(" while" if self.has_condition is not None else "")
        _print_types(printer, self)


def _listed(values: Sequence[int]) -> DenseArrayBase | None:
    return DenseArrayBase.from_list(i64, list(values)) if values else None


@irdl_op_definition
class IfOp(ControlOp):
    """The results of one of two bodies: of the first where a condition, i1 of rank 0, is true.

    ::

        %r = opc.if %c then @one (%x) else @other (%x, %y)
            : (tensor<i1>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)

    Only that body is run.
    """

    name = "opc.if"
    then_callee = prop_def(FlatSymbolRefAttrConstr)
    else_callee = prop_def(FlatSymbolRefAttrConstr)
    condition = operand_def()
    then_captured = var_operand_def()
    else_captured = var_operand_def()
    into = var_operand_def()
    outputs = var_result_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    @staticmethod
    def of(
        condition: SSAValue,
        callees: tuple[str, str],
        captured: tuple[Sequence[SSAValue], Sequence[SSAValue]],
        types: Sequence[Attribute],
    ) -> IfOp:
        """Build it; ``types`` are those of the results."""
        return IfOp(
            operands=[condition, list(captured[0]), list(captured[1]), []],
            result_types=[list(types)],
            properties={"then_callee": _refer(callees[0]), "else_callee": _refer(callees[1])},
        )

    @property
    def targets(self) -> list[SSAValue]:
        """What is filled: buffers, or the results themselves."""
        return list(self.into or self.outputs)

    @property
    def callees(self) -> tuple[str, ...]:
        """The body for true and that for false."""
        both = (self.then_callee, self.else_callee)
        return tuple(cast("SymbolRefAttr", c).root_reference.data for c in both)

    @property
    def operands_filled(self) -> list[SSAValue]:
        """The results."""
        return list(self.into)

    @property
    def arms(self) -> list[tuple[FuncOp, Sequence[SSAValue]]]:
        """Each body with what it takes."""
        return list(zip(self.bodies(), (self.then_captured, self.else_captured), strict=True))

    def _arm(self, body: FuncOp, values: Sequence[SSAValue]) -> tuple[Binding, list[Tensor]]:
        found = Binding()
        for wanted, v in zip(arguments_of(body, len(values)), values, strict=True):
            found.argument(wanted, typed(v.type))
        return found, [found.result(t) for t in results_of(body, len(values))]

    def bindings(self) -> list[Binding]:
        """What the symbols of each body are here."""
        # if_c1: the condition is i1, of rank 0.
        if typed(self.condition.type) != tensor_type(el.I1, ()):
            raise VerifyException(f"the condition is {self.condition.type}")
        (first, one), (second, other) = (self._arm(*arm) for arm in self.arms)
        # if_c2: both bodies give the same.
        if len(one) != len(other):
            raise VerifyException(f"the bodies give {len(one)} and {len(other)} results")
        for a, b in zip(one, other, strict=True):
            second.meet(a, b)
        return [first, second]

    def infer_results(self) -> list[Tensor]:
        """Those of the body for true."""
        return self._arm(*self.arms[0])[1]

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        """Parse the form shown above."""
        condition = [parser.parse_unresolved_operand()]
        parser.parse_keyword("then")
        one, first = parser.parse_symbol_name(), _listed_operands(parser)
        parser.parse_keyword("else")
        other, second = parser.parse_symbol_name(), _listed_operands(parser)
        into = _operands(parser, "into")
        operands, results = _types(parser, [condition, first, second, into])
        return IfOp(
            operands=operands,
            result_types=[results],
            properties={"then_callee": _refer(one.data), "else_callee": _refer(other.data)},
        )

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" ")
        printer.print_ssa_value(self.condition)
        one, other = self.callees
        _print_operands(printer, f"then @{one}", self.then_captured, always=True)
        _print_operands(printer, f"else @{other}", self.else_captured, always=True)
        _print_operands(printer, "into", self.into)
        _print_types(printer, self)


def _listed_operands(parser: Parser) -> list[UnresolvedOperand]:
    return parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_unresolved_operand
    )


def _operands(parser: Parser, word: str) -> list[UnresolvedOperand]:
    return _listed_operands(parser) if parser.parse_optional_keyword(word) is not None else []


def _types(
    parser: Parser, segments: Sequence[Sequence[UnresolvedOperand]]
) -> tuple[list[list[SSAValue]], list[Attribute]]:
    """The operands with their types, and the types of the results."""
    pos = parser.pos
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    parser.parse_punctuation("->")
    results = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    values = iter(parser.resolve_operands([v for s in segments for v in s], types, pos))
    return [[next(values) for _ in s] for s in segments], list(results)


def _print_operands(
    printer: Printer, word: str, values: Sequence[SSAValue], always: bool = False
) -> None:
    if values or always:
        printer.print_string(f" {word} (")
        printer.print_list(values, printer.print_ssa_value)
        printer.print_string(")")


def _print_types(printer: Printer, op: ControlOp) -> None:
    printer.print_string(" : (")
    printer.print_list(op.operands, lambda v: printer.print_attribute(v.type))
    printer.print_string(") -> (")
    printer.print_list(op.results, lambda v: printer.print_attribute(v.type))
    printer.print_string(")")


def strides_of(type: Attribute) -> ex.Expr:
    """Elements from one position of the leading axis to the next."""
    return ex.product(shape_of(type)[1:])


CONTROL = (ScanOp, IfOp)
"""Every operation of control flow."""

__all__ = [
    "CONTROL",
    "Binding",
    "ControlOp",
    "IfOp",
    "ScanOp",
    "bodies_below",
    "function_named",
    "strides_of",
    "typed",
]
