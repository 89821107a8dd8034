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

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, traits_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .. import expr as ex
from ..effects import OnBuffers
from ..shape import Tensor, shape_of, tensor_type, type_text
from .functions import function_named, module_of
from .symbols import SymbolSource

MAX_DEPTH = 64
"""Passes and the C go into bodies level by level, and have a stack that ends."""

Equal: TypeAlias = "tuple[ex.Expr, ex.Expr]"
"""Two extents that must be equal when the function runs."""


def typed(type: Attribute) -> Tensor:
    """The type of a value, a tensor or a buffer, as that of a tensor."""
    return tensor_type(cast("Tensor", type).element_type, shape_of(type))


@dataclass
class Binding:
    """What the symbols of a body are where it is called, and what must be equal for that."""

    values: dict[str, ex.Expr] = field(default_factory=dict[str, ex.Expr])
    equal: list[Equal] = field(default_factory=list[Equal])

    def argument(self, wanted: Attribute, actual: Tensor) -> None:
        """Give an argument.  VerifyException where it cannot have that type."""
        type = typed(wanted)
        self.same(type, actual)
        for e, f in zip(shape_of(type), shape_of(actual), strict=True):
            if (name := e.symbol()) is None:
                self.equal.append((e, f))
            elif (known := self.values.setdefault(name, f)) != f:
                self.equal.append((known, f))

    def result(self, type: Attribute) -> Tensor:
        """The type that a result has where the body is called."""
        tensor = typed(type)
        return tensor_type(tensor.element_type, [self.extent(e) for e in shape_of(tensor)])

    def extent(self, e: ex.Expr) -> ex.Expr:
        """What an extent of the body is where it is called."""
        return e.substitute(self.values)

    def meet(self, a: Tensor, b: Tensor) -> None:
        """Two types that must be the same."""
        self.same(a, b)
        self.equal += zip(shape_of(a), shape_of(b), strict=True)

    @staticmethod
    def same(a: Tensor, b: Tensor) -> None:
        """VerifyException unless element types and ranks are the same."""
        # control_c1: values given and values expected have one element type and one rank.
        if a.element_type != b.element_type or len(shape_of(a)) != len(shape_of(b)):
            raise VerifyException(f"found {type_text(b)}, expected {type_text(a)}")


class ControlOp(IRDLOperation):
    """What the operations have in common."""

    traits = traits_def(OnBuffers())

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

    def body_named(self, name: str) -> FuncOp:
        """The body of that name.  VerifyException if there is none."""
        body = function_named(self, name)
        # control_c2: bodies are functions of the module.
        if body is None:
            raise VerifyException(f"{self.name}: there is no function @{name}")
        return body

    def bodies(self) -> list[FuncOp]:
        """The bodies."""
        return [self.body_named(name) for name in self.callees]

    def equal(self) -> list[Equal]:
        """The extents that must be equal, those that are not so anyway."""
        return [(a, b) for binding in self.bindings() for a, b in binding.equal if a != b]

    def verify_(self) -> None:
        """Check what is given to the bodies and what comes of them."""
        module = module_of(self)
        if module is None:
            return
        around = self.parent_op()
        try:
            types = self.infer_results() if self.bindings() else []
            if isinstance(around, FuncOp) and self is _first_control(around):
                list(bodies_below(around))
        except VerifyException as e:
            message = str(e).removeprefix(f"{self.name}: ")
            raise VerifyException(f"{self.name}: {message}") from None
        # control_c3: results, or the buffers that are filled, are those of the body.
        if len(self.targets) != len(types):
            raise VerifyException(
                f"{self.name}: {len(self.targets)} results, the body gives {len(types)}"
            )
        for target, type in zip(self.targets, types, strict=True):
            try:
                Binding.same(type, typed(target.type))
            except VerifyException as e:
                raise VerifyException(f"{self.name}: a result: {e}") from None


def _first_control(function: FuncOp) -> Operation | None:
    return next((op for op in function.body.block.ops if isinstance(op, ControlOp)), None)


def bodies_below(function: FuncOp) -> Iterator[FuncOp]:
    """The bodies that a function needs, those of bodies first, each once."""
    seen = set[str]()
    yield from _below(function, seen, (function.sym_name.data,))


def _below(function: FuncOp, seen: set[str], around: tuple[str, ...]) -> Iterator[FuncOp]:
    for op in function.body.block.ops:
        bodies = op.bodies() if isinstance(op, ControlOp) else []
        if isinstance(op, SymbolSource) and (computes := op.body) is not None:
            bodies = [computes]
        if bodies:
            for body in bodies:
                name = body.sym_name.data
                # control_c4: no body needs itself.
                if name in around:
                    raise VerifyException(f"{op.name}: body @{name} needs itself")
                if len(around) > MAX_DEPTH:
                    raise VerifyException(
                        f"{op.name}: bodies are more than {MAX_DEPTH} deep in each other"
                    )
                if name not in seen:
                    yield from _below(body, seen, (*around, name))
                    if name not in seen:
                        seen.add(name)
                        yield body


def arguments_of(body: FuncOp, count: int) -> list[Attribute]:
    """The types of the arguments of a body, without those that plan-buffers adds."""
    types = [a.type for a in body.body.block.args][:count]
    # control_c5: a body takes what it is given.
    if len(types) != count or (body.function_type.outputs.data and len(body.args) != count):
        raise VerifyException(f"body @{body.sym_name.data} takes {len(body.args)}, found {count}")
    return types


def results_of(body: FuncOp, count: int) -> list[Attribute]:
    """The types of the results of a body that takes so many arguments."""
    end = body.body.block.last_op
    if end is not None and end.operands:
        return [v.type for v in end.operands]
    return [a.type for a in body.body.block.args][count:-1]


def refer(name: str) -> SymbolRefAttr:
    """A reference to a body."""
    return SymbolRefAttr(name)


def parse_operands(parser: Parser) -> list[UnresolvedOperand]:
    """Operands in parentheses."""
    return parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_unresolved_operand
    )


def parse_optional_operands(parser: Parser, word: str) -> list[UnresolvedOperand]:
    """Operands behind a word, none if that is not there."""
    return parse_operands(parser) if parser.parse_optional_keyword(word) is not None else []


def parse_types(
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


def print_operands(
    printer: Printer, word: str, values: Sequence[SSAValue], always: bool = False
) -> None:
    """Print operands behind a word, nothing if there are none."""
    if values or always:
        printer.print_string(f" {word} (")
        printer.print_list(values, printer.print_ssa_value)
        printer.print_string(")")


def print_types(printer: Printer, op: ControlOp) -> None:
    """Print the types of operands and results."""
    printer.print_string(" : (")
    printer.print_list(op.operands, lambda v: printer.print_attribute(v.type))
    printer.print_string(") -> (")
    printer.print_list(op.results, lambda v: printer.print_attribute(v.type))
    printer.print_string(")")


def strides_of(type: Attribute) -> ex.Expr:
    """Elements from one position of the leading axis to the next."""
    return ex.product(shape_of(type)[1:])
