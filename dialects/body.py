"""The ``scalar`` dialect: the operations of kernel and loop bodies, and the values they can have.

One operation applies any scalar function of the table in ``scalar``::

    %s = scalar.constant 2.0 : f32
    %t = scalar.apply mul(%x, %s) : f32
    %k = scalar.index <d0*4 + d1> : i64
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, TypeAlias, cast

import numpy as np
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType, StringAttr
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, prop_def, result_def, traits_def, var_operand_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from . import element as el
from . import expr as ex
from .formats import Formatted
from .scalar import CONVERSIONS, REINTERPRETED, SCALARS
from .shape import IndexAttr, parse_expr

Number: TypeAlias = "FloatAttr[AnyFloat] | IntegerAttr[IntegerType]"


def scalar_type(value: SSAValue) -> el.ElementType:
    """The element type of a scalar value.  VerifyException for other values."""
    element = el.element_of(value.type)
    if element is None:
        raise VerifyException(f"expected a scalar, found {value.type}")
    return element


def resolve_value(parser: Parser, operand: UnresolvedOperand) -> SSAValue:
    """The value that an operand names; a parse error unless it is defined above."""
    values = parser.ssa_values.get(operand.operand_name, ())
    if operand.index >= len(values):
        parser.raise_error("SSA value used before assignment", operand.span)
    return values[operand.index]


def parse_value(parser: Parser) -> SSAValue:
    """Parse a value that is defined above, without its type."""
    return resolve_value(parser, parser.parse_unresolved_operand())


@irdl_op_definition
class ApplyOp(Formatted):
    """A scalar function applied to scalars of its types."""

    name = "scalar.apply"
    function = prop_def(StringAttr)
    args = var_operand_def()
    result = result_def()
    traits = traits_def(Pure())
    FORMAT: ClassVar[str] = "custom<Word>($function) `(` $args `)` `:` type($result)"

    @staticmethod
    def of(
        function: str, args: Sequence[SSAValue], result: el.ElementType | None = None
    ) -> ApplyOp:
        """The operation; ``result`` is needed for conversions, else the table gives it."""
        if result is None:
            result = SCALARS[function].result or scalar_type(args[-1])
        return ApplyOp.new(args, results=[result.type], function=function)

    @property
    def is_expensive(self) -> bool:
        """Whether the function is expensive."""
        return SCALARS[self.function.data].cost > 1

    def verify_(self) -> None:
        """Check name, arity and types against the table."""
        # scalar_apply_c1: the function is in the table.
        row = SCALARS.get(self.function.data)
        if row is None:
            raise VerifyException(f"scalar.apply: unknown function {self.function.data}")
        # scalar_apply_c2: the number of operands is the function's.
        if len(self.args) != row.arity:
            raise VerifyException(f"scalar.apply {row.name}: expected {row.arity} operands")
        types = [scalar_type(a) for a in self.args]
        if row.name in CONVERSIONS:
            # scalar_apply_c5: types with reinterpreted bits have the same width.
            to = scalar_type(self.result)
            if row.name in REINTERPRETED and to.bytes != types[0].bytes:
                raise VerifyException(
                    f"scalar.apply {row.name}: {types[0]} and {to} differ in width"
                )
            return
        # scalar_apply_c3: operands have one type that the function admits.
        if row.name == "select" and types.pop(0) is not el.I1:
            raise VerifyException("scalar.apply select: the condition must be i1")
        if row.operands:
            if tuple(types) != row.operands or scalar_type(self.result) is not types[-1]:
                raise VerifyException(
                    f"scalar.apply {row.name}: operands are {', '.join(map(str, types))}, "
                    f"expected {', '.join(map(str, row.operands))}"
                )
            return
        if len(set(types)) != 1 or types[0] not in row.types:
            raise VerifyException(
                f"scalar.apply {row.name}: operands are {', '.join(map(str, types))}, "
                f"expected one of {el.names(row.types)}"
            )
        # scalar_apply_c4: the result type is the function's.
        if scalar_type(self.result) is not (row.result or types[0]):
            raise VerifyException(
                f"scalar.apply {row.name}: result type is {row.result or types[0]}"
            )


def number_of(attr: Attribute) -> Number | None:
    """The attribute if it is a number with a type, else None."""
    return cast("Number", attr) if isinstance(attr, FloatAttr | IntegerAttr) else None


def print_number(printer: Printer, attr: Attribute) -> None:
    """Print ``value : type``."""
    value = number_of(attr)
    if isinstance(value, FloatAttr):
        printer.print_float(value.value.data, value.type)
        printer.print_string(" : ")
        printer.print_attribute(value.type)
    elif value is not None:
        printer.print_attribute(value)


@irdl_op_definition
class ConstantOp(Formatted):
    """A scalar known when compiling."""

    name = "scalar.constant"
    value = prop_def(Attribute)
    result = result_def()
    traits = traits_def(Pure())
    FORMAT: ClassVar[str] = "custom<Scalar>($value, type($result))"

    @staticmethod
    def of(value: int | float | bool | np.generic, type: el.ElementType) -> ConstantOp:
        """The constant; a float is rounded to the type."""
        attr: Attribute
        if type.is_float or type.small == "float":
            rounded = float(np.asarray(value).astype(type.dtype).astype(np.float64))
            attr = FloatAttr(rounded, cast(AnyFloat, type.type))
        else:
            attr = IntegerAttr(int(value), cast(IntegerType, type.type), truncate_bits=True)
        return ConstantOp.new(results=[type.type], value=attr)

    @property
    def number(self) -> int | float:
        """The value; booleans are 0 and 1."""
        value = number_of(self.value)
        assert value is not None
        if isinstance(value, FloatAttr):
            return float(value.value.data)
        number = int(value.value.data)
        return abs(number) if scalar_type(self.result) is el.I1 else number

    def verify_(self) -> None:
        """Check that value and result agree."""
        # scalar_constant_c1: the value is a number of the result type.
        value = number_of(self.value)
        if value is None or value.type != self.result.type:
            raise VerifyException("scalar.constant: the value is not of the result type")
        scalar_type(self.result)


def parse_index(parser: Parser, delimiter: Parser.Delimiter) -> IndexAttr:
    """Parse expressions in the given brackets."""
    return IndexAttr(
        tuple(parser.parse_comma_separated_list(delimiter, lambda: parse_expr(parser)))
    )


@irdl_op_definition
class IndexOp(Formatted):
    """The i64 value of an expression over dimensions and symbols.

    In loop bodies the operands are the values of d0, d1, ...; in kernels the dimensions are those
    of the iteration space around.
    """

    name = "scalar.index"
    index = prop_def(IndexAttr)
    dims = var_operand_def()
    result = result_def()
    traits = traits_def(Pure())
    FORMAT: ClassVar[str] = "$index custom<Dims>($dims) `:` type($result)"

    @staticmethod
    def of(index: ex.Expr, dims: Sequence[SSAValue] = ()) -> IndexOp:
        """The operation."""
        return IndexOp.new(dims, results=[el.I64.type], index=index)

    @property
    def expr(self) -> ex.Expr:
        """The expression."""
        return self.index.data[0]

    def verify_(self) -> None:
        """Check the number of expressions."""
        # scalar_index_c1: there is one expression, and the result is i64.
        if len(self.index.data) != 1 or self.result.type != el.I64.type:
            raise VerifyException("scalar.index: expected one expression and an i64 result")
        # scalar_index_c2: if there are operands, each dimension has one.
        if self.dims and any(d >= len(self.dims) for d in self.expr.dims()):
            raise VerifyException(
                f"scalar.index: {self.expr} has more dimensions than the {len(self.dims)} values "
                "given"
            )


Scalar = Dialect("scalar", [ApplyOp, ConstantOp, IndexOp])

Interval: TypeAlias = "tuple[int, int]"
"""The least and the greatest value."""


def is_within(interval: Interval | None, type: el.ElementType) -> bool:
    """Whether an integer type holds all values of a known interval."""
    return interval is not None and type.lowest <= interval[0] and interval[1] <= type.highest


def intervals(
    ops: Iterable[Operation], loaded: Mapping[SSAValue, Interval] | None = None
) -> dict[SSAValue, Interval]:
    """The interval of each integer that the operations compute; that of its type at worst.

    ``loaded`` has those of values that are known better.
    """
    known, loaded = dict[SSAValue, Interval](), loaded or {}
    for op in ops:
        for result in op.results:
            type = el.element_of(result.type)
            if type is None or not type.is_integer:
                continue
            interval = loaded.get(result, _of(op, known))
            if interval is None or not is_within(interval, type):
                # It may wrap, or an operand is unknown.
                interval = int(type.lowest), int(type.highest)
            known[result] = interval
    return known


def _of(op: Operation, known: dict[SSAValue, Interval]) -> Interval | None:
    if isinstance(op, ConstantOp):
        return int(op.number), int(op.number)
    if not isinstance(op, ApplyOp) or any(a not in known for a in op.args):
        return None
    low, high = zip(*(known[a] for a in op.args), strict=True)
    match op.function.data:
        case "cast":
            return low[0], high[0]
        case "add":
            return low[0] + low[1], high[0] + high[1]
        case "sub":
            return low[0] - high[1], high[0] - low[1]
        case _:
            return None


def before_narrowing(value: SSAValue) -> SSAValue:
    """The value before a cast from a wider type, else the value itself."""
    op = value.owner
    if isinstance(op, ApplyOp) and op.function.data == "cast":
        source = op.args[0]
        return source if scalar_type(source).bytes > scalar_type(value).bytes else value
    return value
