"""The ``loop`` dialect: explicit loops over buffers, one step above C.

Indices are row-major offsets, written as expressions whose dimensions d0, d1, ... are the values
in parentheses::

    loop.for %i = <0> to <4096> step 1 parallel {
      %acc = loop.local : memref<f32>
      loop.store %zero to %acc[0]
      loop.for %j = <0> to <1024> step 1 vector {
        %v = loop.load %x[d0*1024 + d1](%i, %j) : f32
        ...

The dialect is closed: a new operator of the source never needs a new loop operation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    i64,
)
from xdsl.ir import Block, Dialect, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from . import element as el
from . import expr as ex
from .blob import BlobAttr
from .body import parse_dims, parse_index, parse_value, print_dims, scalar_type
from .scalar import REDUCTIONS
from .shape import IndexAttr


def _index(e: ex.Expr) -> IndexAttr:
    return IndexAttr((e,))


def _check_index(name: str, index: IndexAttr, dims: Sequence[SSAValue]) -> None:
    # loop_c1: an index, a bound or an offset is one expression.
    if len(index.data) != 1:
        raise VerifyException(f"{name}: expected one expression, found {len(index.data)}")
    # loop_c2: each dimension of an expression is given by a value.
    e = index.data[0]
    if any(d >= len(dims) for d in e.dims()):
        raise VerifyException(f"{name}: {e} has more dimensions than the {len(dims)} values given")


def _buffer(name: str, value: SSAValue) -> MemRefType:
    # loop_c3: what is loaded from, stored to, cut or seen otherwise is a buffer.
    if not isinstance(value.type, MemRefType):
        raise VerifyException(f"{name}: expected a memref, found {value.type}")
    return value.type  # pyright: ignore[reportUnknownVariableType]


def _check_element(name: str, buffer: SSAValue, scalar: SSAValue) -> None:
    # loop_c4: a scalar is of the element type of the buffer that it comes from or goes to.
    if _buffer(name, buffer).element_type != scalar.type:
        raise VerifyException(f"{name}: {scalar.type} is no element of {buffer.type}")


@irdl_op_definition
class ForOp(IRDLOperation):
    """Runs its body for lower, lower + step, ... below upper.

    ``kind``: serial; parallel (iterations are independent, threads may share them); vector
    (independent, and meant for vector instructions); unroll.
    """

    name = "loop.for"
    lower = prop_def(IndexAttr)
    upper = prop_def(IndexAttr)
    step = prop_def(IntegerAttr)
    kind = prop_def(StringAttr)
    dims = var_operand_def()
    body = region_def("single_block")
    traits = traits_def(NoTerminator())
    KINDS: ClassVar[tuple[str, ...]] = ("serial", "parallel", "vector", "unroll")

    @staticmethod
    def of(lower: ex.Expr, upper: ex.Expr, dims: Sequence[SSAValue], kind: str = "serial",
           step: int = 1) -> ForOp:
        """A loop with an empty body."""
        return ForOp(
            operands=[list(dims)],
            properties={"lower": _index(lower), "upper": _index(upper),
                        "step": IntegerAttr(step, i64), "kind": StringAttr(kind)},
            regions=[Region(Block(arg_types=[IndexType()]))])

    @property
    def bounds(self) -> tuple[ex.Expr, ex.Expr, int]:
        """Lower bound, upper bound and step."""
        return self.lower.data[0], self.upper.data[0], int(self.step.value.data)

    @property
    def variable(self) -> SSAValue:
        """The loop variable."""
        return self.body.block.args[0]

    def verify_(self) -> None:
        """Check kind, step and bounds."""
        # for_c1: the kind is known and the step positive.
        if self.kind.data not in self.KINDS or self.step.value.data < 1:
            raise VerifyException(f"loop.for: kind {self.kind.data}, step {self.step.value.data}")
        # for_c2: it has one variable, an index.
        if [a.type for a in self.body.block.args] != [IndexType()]:
            raise VerifyException("loop.for: expected one variable of type index")
        for bound in (self.lower, self.upper):
            _check_index(self.name, bound, self.dims)

    @classmethod
    def parse(cls, parser: Parser) -> ForOp:
        """Parse ``%i = <lower> to <upper>(%dims) step n kind {...}``."""
        variable = parser.parse_argument(expect_type=False).resolve(IndexType())
        parser.parse_punctuation("=")
        lower = parse_index(parser, parser.Delimiter.ANGLE)
        parser.parse_keyword("to")
        upper = parse_index(parser, parser.Delimiter.ANGLE)
        dims = parse_dims(parser)
        parser.parse_keyword("step")
        step = parser.parse_integer()
        kind = parser.parse_identifier(" of a loop")
        return ForOp(operands=[dims], regions=[parser.parse_region([variable])], properties={
            "lower": lower, "upper": upper, "step": IntegerAttr(step, i64),
            "kind": StringAttr(kind)})

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        lower, upper, step = self.bounds
        printer.print_string(" ")
        printer.print_ssa_value(self.variable)
        printer.print_string(f" = <{lower}> to <{upper}>")
        print_dims(printer, self.dims)
        printer.print_string(f" step {step} {self.kind.data} ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)


@irdl_op_definition
class LoadOp(IRDLOperation):
    """The element of a buffer at an offset, in its stored type."""

    name = "loop.load"
    source = operand_def()
    index = prop_def(IndexAttr)
    dims = var_operand_def()
    result = result_def()

    @staticmethod
    def of(source: SSAValue, index: ex.Expr, dims: Sequence[SSAValue] = ()) -> LoadOp:
        """Build it."""
        type = _buffer("loop.load", source).element_type
        return LoadOp(operands=[source, list(dims)], result_types=[type],
                      properties={"index": _index(index)})

    def verify_(self) -> None:
        """Check the types and the dimensions."""
        _check_element(self.name, self.source, self.result)
        _check_index(self.name, self.index, self.dims)

    @classmethod
    def parse(cls, parser: Parser) -> LoadOp:
        """Parse ``%x[offset](%i) : type``."""
        source = parse_value(parser)
        index = parse_index(parser, parser.Delimiter.SQUARE)
        dims = parse_dims(parser)
        parser.parse_punctuation(":")
        return LoadOp(operands=[source, dims], result_types=[parser.parse_type()],
                      properties={"index": index})

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string(f"[{self.index.data[0]}]")
        print_dims(printer, self.dims)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Writes an element of a buffer at an offset."""

    name = "loop.store"
    value = operand_def()
    target = operand_def()
    index = prop_def(IndexAttr)
    dims = var_operand_def()

    @staticmethod
    def of(value: SSAValue, target: SSAValue, index: ex.Expr, dims: Sequence[SSAValue] = ()
           ) -> StoreOp:
        """Build it."""
        return StoreOp(operands=[value, target, list(dims)], properties={"index": _index(index)})

    def verify_(self) -> None:
        """Check the types and the dimensions."""
        _check_element(self.name, self.target, self.value)
        _check_index(self.name, self.index, self.dims)

    @classmethod
    def parse(cls, parser: Parser) -> StoreOp:
        """Parse ``%v to %x[offset](%i)``."""
        value = parse_value(parser)
        parser.parse_keyword("to")
        target = parse_value(parser)
        index = parse_index(parser, parser.Delimiter.SQUARE)
        return StoreOp(operands=[value, target, parse_dims(parser)], properties={"index": index})

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(" to ")
        printer.print_ssa_value(self.target)
        printer.print_string(f"[{self.index.data[0]}]")
        print_dims(printer, self.dims)


@irdl_op_definition
class LocalOp(IRDLOperation):
    """A variable (rank 0) or a fixed array (rank 1) that lives for one round of its block."""

    name = "loop.local"
    result = result_def(MemRefType)

    @staticmethod
    def of(type: el.ElementType, length: int | None = None) -> LocalOp:
        """A variable, or an array of that length."""
        return LocalOp(result_types=[MemRefType(type.type, [] if length is None else [length])])

    def verify_(self) -> None:
        """Check the extents."""
        # local_c1: it is a variable, or an array of known length that is not 0.
        shape = self.result.type.get_shape()
        if len(shape) > 1 or any(n < 1 for n in shape):
            raise VerifyException(f"loop.local: {self.result.type} is no variable and no fixed array")

    @classmethod
    def parse(cls, parser: Parser) -> LocalOp:
        """Parse ``: type``."""
        parser.parse_punctuation(":")
        return LocalOp(result_types=[parser.parse_type()])

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class SliceOp(IRDLOperation):
    """A buffer inside the workspace, at an offset in bytes."""

    name = "loop.slice"
    workspace = operand_def()
    offset = prop_def(IndexAttr)
    result = result_def(MemRefType)
    traits = traits_def(Pure())

    @staticmethod
    def of(workspace: SSAValue, offset: ex.Expr, type: MemRefType) -> SliceOp:
        """Build it."""
        return SliceOp(operands=[workspace], properties={"offset": _index(offset)},
                       result_types=[type])

    def verify_(self) -> None:
        """Check the workspace and the offset."""
        # slice_c1: the workspace is an array of bytes.
        if _buffer(self.name, self.workspace).element_type != IntegerType(8):
            raise VerifyException(f"loop.slice: the workspace is {self.workspace.type}, not bytes")
        _check_index(self.name, self.offset, ())

    @classmethod
    def parse(cls, parser: Parser) -> SliceOp:
        """Parse ``%workspace[offset] : type``."""
        workspace = parse_value(parser)
        offset = parse_index(parser, parser.Delimiter.SQUARE)
        parser.parse_punctuation(":")
        return SliceOp(operands=[workspace], properties={"offset": offset},
                       result_types=[parser.parse_type()])

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" ")
        printer.print_ssa_value(self.workspace)
        printer.print_string(f"[{self.offset.data[0]}] : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class ViewOp(IRDLOperation):
    """The same buffer with other extents."""

    name = "loop.view"
    source = operand_def()
    result = result_def(MemRefType)
    traits = traits_def(Pure())

    @staticmethod
    def of(source: SSAValue, type: MemRefType) -> ViewOp:
        """Build it."""
        return ViewOp(operands=[source], result_types=[type])

    def verify_(self) -> None:
        """Check the element types."""
        # view_c1: the elements stay what they are.
        if _buffer(self.name, self.source).element_type != self.result.type.element_type:
            raise VerifyException(f"loop.view: {self.source.type} seen as {self.result.type}")

    @classmethod
    def parse(cls, parser: Parser) -> ViewOp:
        """Parse ``%x : type``."""
        source = parse_value(parser)
        parser.parse_punctuation(":")
        return ViewOp(operands=[source], result_types=[parser.parse_type()])

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """A buffer whose elements are known when compiling."""

    name = "loop.constant"
    value = prop_def(DenseIntOrFPElementsAttr | BlobAttr)
    result = result_def(MemRefType)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        """Check that the value fills the buffer."""
        # constant_c1: value and buffer have one element type and one shape.
        type, buffer = self.value.type, self.result.type
        if (type.element_type, type.get_shape()) != (buffer.element_type, buffer.get_shape()):
            raise VerifyException(f"loop.constant: {type} does not fill {buffer}")

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        """Parse ``value to type``."""
        value = parser.parse_attribute()
        parser.parse_keyword("to")
        return ConstantOp(properties={"value": value}, result_types=[parser.parse_type()])

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" ")
        printer.print_attribute(self.value)
        printer.print_string(" to ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class CombineOp(IRDLOperation):
    """Reduces the lanes of an array pairwise, halving: lane k takes lane k + width/2.

    The width is a power of two; the array is overwritten.
    """

    name = "loop.combine"
    lanes = operand_def()
    reduction = prop_def(StringAttr)
    result = result_def()

    @staticmethod
    def of(lanes: SSAValue, reduction: str) -> CombineOp:
        """Build it."""
        return CombineOp(operands=[lanes], properties={"reduction": StringAttr(reduction)},
                         result_types=[_buffer("loop.combine", lanes).element_type])

    def verify_(self) -> None:
        """Check the reduction and the width."""
        width = _buffer(self.name, self.lanes).get_shape()
        # combine_c1: the reduction is known and the width a power of two.
        row = REDUCTIONS.get(self.reduction.data)
        power = len(width) == 1 and width[0] > 0 and not width[0] & (width[0] - 1)
        if row is None or row.is_arg or not power:
            raise VerifyException(f"loop.combine: {self.reduction.data} of {self.lanes.type}")
        # combine_c2: the reduction admits the element type.
        if scalar_type(self.result) not in row.types:
            raise VerifyException(f"loop.combine: cannot reduce {self.result.type} by {row.name}")
        _check_element(self.name, self.lanes, self.result)

    @classmethod
    def parse(cls, parser: Parser) -> CombineOp:
        """Parse ``sum %lanes : type``."""
        reduction = parser.parse_identifier(" of a reduction")
        lanes = parse_value(parser)
        parser.parse_punctuation(":")
        return CombineOp(operands=[lanes], properties={"reduction": StringAttr(reduction)},
                         result_types=[parser.parse_type()])

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(f" {self.reduction.data} ")
        printer.print_ssa_value(self.lanes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class CascadeOp(IRDLOperation):
    """Adds the lanes of a block to a cascade of partial sums of 1, 2, 4, ... blocks.

    Blocks of equal count are added first, so the error of a long sum grows with the logarithm of
    its length.  ``levels`` holds the partial sums and ``count`` the number of blocks so far.  With
    ``last``, the partial sums are added up, smallest first, into ``lanes``.
    """

    name = "loop.cascade"
    lanes = operand_def()
    levels = operand_def()
    count = operand_def()
    step = prop_def(StringAttr)
    STEPS: ClassVar[tuple[str, ...]] = ("push", "finish")

    @staticmethod
    def of(step: str, lanes: SSAValue, levels: SSAValue, count: SSAValue) -> CascadeOp:
        """Build it."""
        return CascadeOp(operands=[lanes, levels, count], properties={"step": StringAttr(step)})

    def verify_(self) -> None:
        """Check the step."""
        # cascade_c1: the step is known and the buffers hold one element type.
        types = {_buffer(self.name, v).element_type for v in (self.lanes, self.levels)}
        if self.step.data not in self.STEPS or len(types) != 1:
            raise VerifyException(
                f"loop.cascade: {self.step.data} of {self.lanes.type} and {self.levels.type}"
            )
        # cascade_c2: the count is an i64 variable.
        if self.count.type != MemRefType(i64, []):
            raise VerifyException(f"loop.cascade: the count is {self.count.type}")

    @classmethod
    def parse(cls, parser: Parser) -> CascadeOp:
        """Parse ``push %lanes, %levels, %count``."""
        step = parser.parse_identifier(" of a cascade")
        values = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, lambda: parse_value(parser))
        if len(values) != 3:
            parser.raise_error("loop.cascade: expected lanes, levels and count")
        return CascadeOp.of(step, *values)

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(f" {self.step.data} ")
        printer.print_list(self.operands, printer.print_ssa_value)


Loop = Dialect("loop", [ForOp, LoadOp, StoreOp, LocalOp, SliceOp, ViewOp, ConstantOp, CombineOp, CascadeOp])
