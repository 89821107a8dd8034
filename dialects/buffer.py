"""Buffers of the ``loop`` dialect: local ones, parts of the workspace, views and constants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from . import element as el
from . import expr as ex
from .blob import BlobAttr
from .body import parse_dims, parse_index, parse_value, print_dims
from .effects import Allocates
from .shape import Buffer, IndexAttr, parse_expr, shape_of

OUTPUTS = "opc.api.outputs"
"""Attribute of a function: how many of its last arguments but one, the workspace, are results."""
WORKSPACE = "opc.workspace"
"""Attribute of a function: how many bytes of workspace it needs."""
MACHINE = "opc.machine"
"""Attribute of a function: the machine that it is scheduled for, in words."""


def index_of(e: ex.Expr) -> IndexAttr:
    """The attribute for one expression."""
    return IndexAttr((e,))


def check_index(name: str, index: IndexAttr, dims: Sequence[SSAValue]) -> None:
    """Check an index against the values given for its dimensions."""
    # loop_c1: an index, a bound or an offset is one expression.
    if len(index.data) != 1:
        raise VerifyException(f"{name}: expected one expression, found {len(index.data)}")
    # loop_c2: each dimension of an expression is given by a value.
    e = index.data[0]
    if any(d >= len(dims) for d in e.dims()):
        raise VerifyException(f"{name}: {e} has more dimensions than the {len(dims)} values given")


def buffer_of(name: str, value: SSAValue) -> Buffer:
    """The type of a buffer; VerifyException for operation ``name`` if it is none."""
    # loop_c3: what is loaded from, stored to, cut or seen otherwise is a buffer.
    type: Attribute = value.type
    if not isinstance(type, MemRefType):
        raise VerifyException(f"{name}: expected a memref, found {type}")
    return cast(Buffer, type)


def element_in(buffer: SSAValue) -> el.ElementType:
    """The element type of a buffer of the types that opc stores."""
    found = el.element_of(buffer_of("buffer", buffer).element_type)
    assert found is not None
    return found


def check_element(name: str, buffer: SSAValue, scalar: SSAValue) -> None:
    """Check a scalar against the buffer that it is loaded from or stored to."""
    # loop_c4: a scalar is of the element type of the buffer that it comes from or goes to.
    if buffer_of(name, buffer).element_type != scalar.type:
        raise VerifyException(f"{name}: {scalar.type} is no element of {buffer.type}")


@irdl_op_definition
class LocalOp(IRDLOperation):
    """A variable (rank 0) or a fixed array (rank 1) that lives for one round of its block.

    With ``lanes``, the array is meant for vector registers that hold so many elements each.
    """

    name = "loop.local"
    lanes = opt_prop_def(IntegerAttr)
    result = result_def(MemRefType)
    traits = traits_def(Allocates())

    @staticmethod
    def of(type: el.ElementType, length: int | None = None, lanes: int | None = None) -> LocalOp:
        """A variable, or an array of that length; of one value for none, as C has no empty ones."""
        return LocalOp(
            properties={"lanes": None if lanes is None else IntegerAttr(lanes, i64)},
            result_types=[MemRefType(type.type, [] if length is None else [length or 1])],
        )

    @property
    def register_lanes(self) -> int | None:
        """Elements in a vector register, None for an array in memory or a variable."""
        return None if self.lanes is None else int(self.lanes.value.data)

    def verify_(self) -> None:
        """Check the extents."""
        # local_c1: it is a variable, or an array of known length that is not 0.
        shape = self.result.type.get_shape()
        if len(shape) > 1 or any(n < 1 for n in shape):
            raise VerifyException(
                f"loop.local: {self.result.type} is no variable and no fixed array"
            )
        # local_c2: registers are filled.
        lanes = self.register_lanes
        if lanes is not None and (lanes < 1 or not shape or shape[0] % lanes):
            raise VerifyException(f"loop.local: {lanes} lanes do not divide {self.result.type}")

    @classmethod
    def parse(cls, parser: Parser) -> LocalOp:
        """Parse ``: type`` or ``registers 16 : type``."""
        lanes = None
        if parser.parse_optional_keyword("registers") is not None:
            lanes = IntegerAttr(parser.parse_integer(allow_negative=False), i64)
        parser.parse_punctuation(":")
        return LocalOp(properties={"lanes": lanes}, result_types=[parser.parse_type()])

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        if self.register_lanes is not None:
            printer.print_string(f" registers {self.register_lanes}")
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
        return SliceOp(
            operands=[workspace], properties={"offset": index_of(offset)}, result_types=[type]
        )

    def verify_(self) -> None:
        """Check the workspace and the offset."""
        # slice_c1: the workspace is an array of bytes.
        if buffer_of(self.name, self.workspace).element_type != IntegerType(8):
            raise VerifyException(f"loop.slice: the workspace is {self.workspace.type}, not bytes")
        check_index(self.name, self.offset, ())
        # slice_c2: no extent is below 0, nor is the offset.
        shape, offset = shape_of(self.result.type), self.offset.data[0]
        if any(e.constant is not None and e.constant < 0 for e in (*shape, offset)):
            raise VerifyException(
                f"loop.slice: found {self.result.type} at {offset}, expected nothing below 0"
            )

    @classmethod
    def parse(cls, parser: Parser) -> SliceOp:
        """Parse ``%workspace[offset] : type``."""
        workspace = parse_value(parser)
        offset = parse_index(parser, parser.Delimiter.SQUARE)
        parser.parse_punctuation(":")
        return SliceOp(
            operands=[workspace], properties={"offset": offset}, result_types=[parser.parse_type()]
        )

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" ")
        printer.print_ssa_value(self.workspace)
        printer.print_string(f"[{self.offset.data[0]}] : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class ViewOp(IRDLOperation):
    """The same buffer with other extents; with an offset, what of it lies from an element on.

    Where there is an offset, extents beyond the end of the buffer say how far apart elements are,
    and nothing is accessed there.
    """

    name = "loop.view"
    source = operand_def()
    dims = var_operand_def()
    offset = opt_prop_def(IndexAttr)
    result = result_def(MemRefType)
    traits = traits_def(Pure())

    @staticmethod
    def of(
        source: SSAValue,
        type: MemRefType,
        offset: ex.Expr | None = None,
        dims: Sequence[SSAValue] = (),
    ) -> ViewOp:
        """Build it."""
        return ViewOp(
            operands=[source, list(dims)],
            properties={"offset": None if offset is None else index_of(offset)},
            result_types=[type],
        )

    @property
    def start(self) -> ex.Expr:
        """The element that it begins with."""
        return ex.const(0) if self.offset is None else self.offset.data[0]

    def verify_(self) -> None:
        """Check the element types and the offset."""
        # view_c1: the elements stay what they are.
        if buffer_of(self.name, self.source).element_type != self.result.type.element_type:
            raise VerifyException(f"loop.view: {self.source.type} seen as {self.result.type}")
        # view_c2: the offset is one expression, whose dimensions are given.
        if self.offset is not None:
            check_index(self.name, self.offset, self.dims)

    @classmethod
    def parse(cls, parser: Parser) -> ViewOp:
        """Parse ``%x : type``, or ``%x[offset](%i) : type``."""
        source, offset, dims = parse_value(parser), None, list[SSAValue]()
        if parser.parse_optional_punctuation("[") is not None:
            offset = IndexAttr((parse_expr(parser),))
            parser.parse_punctuation("]")
            dims = parse_dims(parser)
        parser.parse_punctuation(":")
        return ViewOp(
            operands=[source, dims],
            properties={"offset": offset},
            result_types=[parser.parse_type()],
        )

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        if self.offset is not None:
            printer.print_string(f"[{self.start}]")
            print_dims(printer, self.dims)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


def root(buffer: SSAValue) -> SSAValue:
    """The buffer that a view is of."""
    while isinstance(buffer.owner, ViewOp):
        buffer = buffer.owner.source
    return buffer


def shown(buffer: SSAValue) -> str:
    """A buffer for messages: ``%x``, or its type where it has no name."""
    return f"%{buffer.name_hint}" if buffer.name_hint else f"a {buffer.type}"


def start_of(buffer: SSAValue) -> ex.Expr:
    """The element of that buffer with which a view begins."""
    start = ex.const(0)
    while isinstance(buffer.owner, ViewOp):
        start += buffer.owner.start
        buffer = buffer.owner.source
    return start


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
