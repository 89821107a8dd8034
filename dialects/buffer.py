"""Buffers of the ``loop`` dialect: locals, slices of the workspace, views and constants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self, cast

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    UnitAttr,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from . import element as el
from . import expr as ex
from .blob import BlobAttr
from .effects import Allocates
from .formats import Formatted
from .shape import UNKNOWN, Buffer, IndexAttr, buffer_type, shape_of, tensor_type

OUTPUTS = "opc.outputs"
"""Attribute of a function: how many arguments, before the workspace, which is last, are results."""
WORKSPACE = "opc.workspace"
"""Attribute of a function: the bytes of workspace that it needs."""
MACHINE = "opc.machine"
"""Attribute of a function: a description of the target that it is scheduled for."""
ARRAYS = "opc.arrays"
"""Attribute of a function: the bytes of the arrays at the start of its workspace, and of those of
which each thread has its own behind them."""
SCALARS = "opc.scalars"
"""Attribute of a function: that target has no vectors, so sums are in registers one by one."""


def index_of(e: ex.Expr) -> IndexAttr:
    """The attribute for one expression."""
    return IndexAttr((e,))


def results_of(function: FuncOp) -> list[SSAValue]:
    """The arguments of a function that are its results; none before plan-buffers."""
    count, args = function.attributes.get(OUTPUTS), function.body.block.args
    number = count.value.data if isinstance(count, IntegerAttr) else 0
    return list(args[len(args) - 1 - number : -1]) if number else []


def check_index(name: str, index: IndexAttr, dims: Sequence[SSAValue]) -> None:
    """VerifyException unless an index is one expression over the values given."""
    # loop_c1: an index, a bound or an offset is one expression.
    if len(index.data) != 1:
        raise VerifyException(f"{name}: expected one expression, found {len(index.data)}")
    # loop_c2: each dimension of an expression has a value.
    e = index.data[0]
    if any(d >= len(dims) for d in e.dims()):
        raise VerifyException(f"{name}: {e} has more dimensions than the {len(dims)} values given")


def buffer_of(name: str, value: SSAValue) -> Buffer:
    """The type of a buffer.  VerifyException for operation ``name`` unless it is one."""
    # loop_c3: loads, stores, slices and views are of buffers.
    type: Attribute = value.type
    if not isinstance(type, MemRefType):
        raise VerifyException(f"{name}: expected a memref, found {type}")
    return cast(Buffer, type)


def element_in(buffer: SSAValue) -> el.ElementType:
    """The element type of a buffer."""
    element = el.element_of(buffer_of("buffer", buffer).element_type)
    assert element is not None
    return element


def bytes_of(buffer: SSAValue) -> ex.Expr:
    """The bytes of the elements of a buffer."""
    return ex.product(shape_of(buffer.type)) * element_in(buffer).bytes


def check_element(name: str, buffer: SSAValue, scalar: SSAValue) -> None:
    """VerifyException unless a scalar has the element type of a buffer."""
    # loop_c4: a scalar has the element type of the buffer that it is loaded from or stored to.
    if buffer_of(name, buffer).element_type != scalar.type:
        raise VerifyException(f"{name}: {scalar.type} is no element of {buffer.type}")


@irdl_op_definition
class LocalOp(Formatted):
    """A variable (rank 0) or an array (rank 1) that lives for one iteration of its block.

    With ``lanes``, the array is meant for vector registers of that many elements.  With ``offset``,
    it lies at that byte of the workspace, or of a ``thread``'s part of it, and not on the stack: so
    do all arrays whose length is an expression over symbols.  ``within`` is an earlier array, which
    is used no more, whose memory it takes.
    """

    name = "loop.local"
    lanes = opt_prop_def(IntegerAttr)
    thread = opt_prop_def(UnitAttr)
    offset = opt_prop_def(IndexAttr)
    within = opt_operand_def()
    result = result_def(MemRefType)
    traits = traits_def(Allocates())
    FORMAT: ClassVar[str] = (
        "(`registers` $lanes^)? (`at` custom<Size>($offset)^)? (`of` `thread` $thread^)? "
        "(`in` $within^)? `:` type($result)"
    )

    @staticmethod
    def of(
        type: el.ElementType, length: ex.Expr | int | None = None, lanes: int | None = None
    ) -> LocalOp:
        """A variable, or an array of a length; a number is at least 1: C has no empty arrays."""
        shape = [] if length is None else [ex.const(1) if length == 0 else length]
        buffer = buffer_type(tensor_type(type, shape))
        return LocalOp.new(None, results=[buffer], lanes=lanes)

    @property
    def register_lanes(self) -> int | None:
        """Elements in a vector register, None for an array in memory or a variable."""
        return None if self.lanes is None else int(self.lanes.value.data)

    def verify_(self) -> None:
        """Check the extents."""
        # local_c1: it is a variable, or an array whose length is known when the function runs.
        shape = shape_of(self.result.type)
        if len(shape) > 1 or any(e == UNKNOWN or (e.constant or 1) < 1 for e in shape):
            raise VerifyException(
                f"loop.local: found {self.result.type}, expected a variable or an array of a length"
            )
        # local_c2: the elements fill registers.
        lanes = self.register_lanes
        if lanes is not None and (lanes < 1 or not shape or (shape[0].constant or 1) % lanes):
            raise VerifyException(f"loop.local: {lanes} lanes do not divide {self.result.type}")
        # local_c3: what has an offset is an array in memory.
        if self.offset is not None and (lanes is not None or not shape):
            what = f"loop.local: found {self.result.type} in the workspace"
            raise VerifyException(f"{what}, expected an array in memory")
        # local_c4: the offset is one expression over symbols.
        if self.offset is not None:
            check_index(self.name, self.offset, ())


@irdl_op_definition
class SliceOp(Formatted):
    """A part of the workspace as a buffer, at an offset in bytes."""

    name = "loop.slice"
    workspace = operand_def()
    offset = prop_def(IndexAttr)
    result = result_def(MemRefType)
    traits = traits_def(Pure())
    FORMAT: ClassVar[str] = "$workspace custom<Index>($offset) `:` type($result)"

    @staticmethod
    def of(workspace: SSAValue, offset: ex.Expr, type: MemRefType) -> SliceOp:
        """The operation."""
        return SliceOp.new(workspace, results=[type], offset=offset)

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


@irdl_op_definition
class ViewOp(Formatted):
    """A buffer, or its elements from an offset on, with other extents.

    With an offset, extents may exceed the end of the buffer, where nothing is accessed; they then
    give the strides.
    """

    name = "loop.view"
    source = operand_def()
    dims = var_operand_def()
    offset = opt_prop_def(IndexAttr)
    result = result_def(MemRefType)
    traits = traits_def(Pure())
    FORMAT: ClassVar[str] = "$source custom<At>($offset, $dims) `:` type($result)"

    @staticmethod
    def of(
        source: SSAValue,
        type: MemRefType,
        offset: ex.Expr | None = None,
        dims: Sequence[SSAValue] = (),
    ) -> ViewOp:
        """The operation."""
        return ViewOp.new(source, dims, results=[type], offset=offset)

    @property
    def start(self) -> ex.Expr:
        """The offset of its first element."""
        return ex.const(0) if self.offset is None else self.offset.data[0]

    def verify_(self) -> None:
        """Check the element types and the offset."""
        # view_c1: source and view have one element type.
        if buffer_of(self.name, self.source).element_type != self.result.type.element_type:
            raise VerifyException(
                f"loop.view: element types differ: {self.source.type} as {self.result.type}"
            )
        # view_c2: the offset is one expression over the values given.
        if self.offset is not None:
            check_index(self.name, self.offset, self.dims)


class SpanOp(Formatted):
    """An operation on elements of buffers, which subclasses declare: ``%x[offset, number](%i)``."""

    index = prop_def(IndexAttr)
    dims = var_operand_def()
    COUNT: ClassVar[int] = 2
    """The number of expressions in ``index``: by default an offset and a number."""

    @classmethod
    def of(
        cls,
        buffers: Sequence[SSAValue],
        index: Sequence[ex.Expr],
        dims: Sequence[SSAValue] = (),
    ) -> Self:
        """The operation on its buffers; ``index`` are the expressions in brackets."""
        return cls.new(*buffers, dims, index=tuple(index))

    def check_span(self) -> None:
        """VerifyException unless all expressions are there, over the values given."""
        # span_c1: the number of expressions is the operation's.
        if len(self.index.data) != self.COUNT:
            raise VerifyException(
                f"{self.name}: expected {self.COUNT} expressions, found {len(self.index.data)}"
            )
        # span_c2: each of their dimensions has a value.
        if any(d >= len(self.dims) for e in self.index.data for d in e.dims()):
            raise VerifyException(f"{self.name}: more dimensions than values given")


def root(buffer: SSAValue) -> SSAValue:
    """The buffer under a view, or views of views; other buffers themselves."""
    while isinstance(buffer.owner, ViewOp):
        buffer = buffer.owner.source
    return buffer


def shown(buffer: SSAValue) -> str:
    """A buffer for messages: ``%x``, or its type if it has no name."""
    return f"%{buffer.name_hint}" if buffer.name_hint else f"a {buffer.type}"


def start_of(buffer: SSAValue) -> ex.Expr:
    """The offset of a view in its root, in elements."""
    start = ex.const(0)
    while isinstance(buffer.owner, ViewOp):
        start += buffer.owner.start
        buffer = buffer.owner.source
    return start


@irdl_op_definition
class ConstantOp(Formatted):
    """A buffer whose elements are known when compiling; a ``weight`` is not in the C text."""

    name = "loop.constant"
    weight = opt_prop_def(UnitAttr)
    value = prop_def(DenseIntOrFPElementsAttr | BlobAttr)
    result = result_def(MemRefType)
    traits = traits_def(Pure())
    FORMAT: ClassVar[str] = "(`weight` $weight^)? $value `to` type($result)"

    def verify_(self) -> None:
        """Check that the value fills the buffer."""
        # constant_c1: value and buffer have one element type and one shape.
        type, buffer = self.value.type, self.result.type
        if (type.element_type, type.get_shape()) != (buffer.element_type, buffer.get_shape()):
            raise VerifyException(f"loop.constant: {type} does not fill {buffer}")
