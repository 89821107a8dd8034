"""The ``kernel`` dialect: iteration spaces with index maps, in which everything is expressed.

A nest is a set of independent points d0, d1, ...; its body is computed for each.  Inside a nest, a
sweep runs over further dimensions (numbered after those of the nest) and reduces values over them,
keeps values in an array for later sweeps, or stores to the nest's results.  Row centring::

    %y = kernel.nest [4096] {
      %sum = kernel.sweep [1024] (sum) {
        %x0 = kernel.load %x[d0, d1] : f32
        kernel.yield %x0
      } : f32
      %n = scalar.constant 1024.0 : f32
      %mean = scalar.apply div(%sum, %n) : f32
      kernel.sweep [1024] {
        %x1 = kernel.load %x[d0, d1] : f32
        %c = scalar.apply sub(%x1, %mean) : f32
        kernel.store %c to 0[d0, d1]
        kernel.yield
      }
    } : tensor<4096x1024xf32>

Where every index map is an identity this is an elementwise operator; permuted maps make a
transpose, maps without some dimension a broadcast, a product under a sum a matmul, sums of
dimensions (``d0 + d2``) a convolution.  A load that is guarded, ``kernel.load %x[d0 + d2 - 1]
else 0.0 : f32``, gives its default where the index is outside: padding is that.  After
plan-buffers the tensors are memrefs and a nest names the buffers that it fills:
``kernel.nest [4096] into (%out) {...}``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, MemRefType, StringAttr, TensorType
from xdsl.ir import Attribute, Block, Dialect, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsTerminator, NoTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from . import element as el
from . import expr as ex
from .body import (
    ApplyOp,
    number_of,
    parse_index,
    parse_value,
    print_number,
    resolve_value,
    scalar_type,
)
from .kernel_syntax import (
    parse_extents,
    parse_kinds,
    parse_types,
    print_body,
    print_extents,
    print_kinds,
    print_types,
)
from .scalar import REDUCTIONS
from .shape import Buffer, DimsAttr, IndexAttr, Shape, Tensor, shape_of, tensor_type

KEEP = "keep"


def loops_around(op: Operation) -> tuple[NestOp | SweepOp, ...]:
    """The sweeps and the nest that op is in, outermost first."""
    found: list[NestOp | SweepOp] = []
    parent = op.parent_op()
    while parent is not None:
        if isinstance(parent, NestOp | SweepOp):
            found.append(parent)
        parent = parent.parent_op()
    return tuple(reversed(found))


def scope(op: Operation) -> Shape:
    """Extents of d0, d1, ... at op."""
    return tuple(e for around in loops_around(op) for e in around.extents.data)


def storage(value: SSAValue) -> Tensor | Buffer | None:
    """The type of a tensor or buffer, None for another value."""
    type: Attribute = value.type
    return cast("Tensor | Buffer", type) if isinstance(type, TensorType | MemRefType) else None


@irdl_op_definition
class NestOp(IRDLOperation):
    """Independent points; results are tensors, or the buffers in ``into`` are filled."""

    name = "kernel.nest"
    into = var_operand_def()
    extents = prop_def(DimsAttr)
    body = region_def("single_block")
    outputs = var_result_def()
    traits = traits_def(NoTerminator())

    @staticmethod
    def of(extents: Shape, block: Block, results: Sequence[Attribute]) -> NestOp:
        """Build it in tensor form."""
        return NestOp(
            operands=[[]],
            properties={"extents": DimsAttr(extents)},
            regions=[Region(block)],
            result_types=[list(results)],
        )

    @property
    def targets(self) -> Sequence[SSAValue]:
        """What the stores refer to by number: results, or buffers."""
        return self.into if self.into else self.outputs

    def verify_(self) -> None:
        """Check the form."""
        # nest_c1: results are tensors and no buffers are filled, or the other way round.
        if self.into and self.outputs:
            raise VerifyException("kernel.nest: has results and fills buffers")
        wanted = MemRefType if self.into else TensorType
        for target in self.targets:
            if not isinstance(target.type, wanted):
                raise VerifyException(f"kernel.nest: cannot produce {target.type}")
        # nest_c2: it stands on its own.
        if isinstance(self.parent_op(), NestOp | SweepOp):
            raise VerifyException("kernel.nest: nests do not nest; use kernel.sweep")

    @classmethod
    def parse(cls, parser: Parser) -> NestOp:
        """Parse ``[extents] into (%buffers : types) {...} : types``."""
        extents = parse_extents(parser)
        into: list[SSAValue] = []
        if parser.parse_optional_keyword("into") is not None:
            into = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, lambda: parse_value(parser)
            )
        region = parser.parse_region()
        return NestOp(
            operands=[into],
            properties={"extents": extents},
            regions=[region],
            result_types=[parse_types(parser)],
        )

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        print_extents(printer, self.extents.data)
        if self.into:
            printer.print_string(" into (")
            printer.print_list(self.into, printer.print_ssa_value)
            printer.print_string(")")
        print_body(printer, self.body)
        print_types(printer, [r.type for r in self.outputs])


@irdl_op_definition
class SweepOp(IRDLOperation):
    """Further dimensions inside a nest.

    ``kinds`` has, for each value that the body yields, the name of a reduction, or ``keep`` for a
    value that later sweeps load by the dimensions of this one.  Results are the reduced scalars
    (i64 for argmax and argmin: the row-major position) and the kept tensors.  ``places`` says in
    which element of the nest's results a kept value may lie (see ``kept``): the number of the
    result and the index, or nothing.
    """

    name = "kernel.sweep"
    extents = prop_def(DimsAttr)
    kinds = prop_def(ArrayAttr[StringAttr])
    places = opt_prop_def(ArrayAttr[IndexAttr])
    body = region_def("single_block")
    outputs = var_result_def()
    traits = traits_def(NoTerminator())

    @staticmethod
    def of(extents: Shape, kinds: Sequence[str], block: Block) -> SweepOp:
        """Build it around a block that ends in a yield."""
        last = block.last_op
        assert isinstance(last, YieldOp)
        types = [
            result_type(k, scalar_type(v), extents) for k, v in zip(kinds, last.values, strict=True)
        ]
        return SweepOp(
            properties={
                "extents": DimsAttr(extents),
                "kinds": ArrayAttr([StringAttr(k) for k in kinds]),
            },
            regions=[Region(block)],
            result_types=[types],
        )

    @property
    def yielded(self) -> Sequence[SSAValue]:
        """The values that the body yields."""
        last = self.body.block.last_op
        return last.values if isinstance(last, YieldOp) else ()

    def kept(self) -> list[tuple[SSAValue, SSAValue, IndexAttr]]:
        """The values that are kept: as yielded and as results, and their places, empty if none."""
        places = self.places or [IndexAttr(())] * len(self.kinds)
        every = zip(self.kinds, self.yielded, self.outputs, places, strict=True)
        return [(value, result, place) for kind, value, result, place in every if kind.data == KEEP]

    def verify_(self) -> None:
        """Check kinds and result types against what is yielded."""
        # sweep_c1: it is inside a nest.
        if not isinstance(self.parent_op(), NestOp | SweepOp):
            raise VerifyException("kernel.sweep: expected inside kernel.nest")
        # sweep_c2: each yielded value has a kind and a result.
        if not len(self.kinds) == len(self.yielded) == len(self.outputs):
            raise VerifyException(
                "kernel.sweep: kinds, yielded values and results differ in number"
            )
        # sweep_c5: what has a place is kept.
        kinds = zip(self.kinds, self.places or (), strict=self.places is not None)
        if any(place.data and kind.data != KEEP for kind, place in kinds):
            raise VerifyException("kernel.sweep: a place for what is not kept")
        for kind, value, result in zip(self.kinds, self.yielded, self.outputs, strict=True):
            # sweep_c3: the kind is a reduction that admits the type, or keep.
            type = scalar_type(value)
            row = REDUCTIONS.get(kind.data)
            if kind.data != KEEP and (row is None or type not in row.types):
                raise VerifyException(f"kernel.sweep: cannot reduce {type} by {kind.data}")
            # sweep_c6: what a chain adds are products, which are not rounded by themselves.
            if row is not None and row.is_chain and not _is_product(value):
                raise VerifyException(f"kernel.sweep: {kind.data} adds products")
            # sweep_c4: the result type follows.
            wanted = result_type(kind.data, type, self.extents.data)
            if result.type != wanted:
                raise VerifyException(
                    f"kernel.sweep: {kind.data} gives {wanted}, not {result.type}"
                )
        from .kept import verify_kept

        verify_kept(self)

    @classmethod
    def parse(cls, parser: Parser) -> SweepOp:
        """Parse ``[extents] (kinds) {...} : types``."""
        extents = parse_extents(parser)
        kinds, places = parse_kinds(parser)
        region = parser.parse_region()
        return SweepOp(
            properties={
                "extents": extents,
                "kinds": ArrayAttr(kinds),
                "places": ArrayAttr(places) if any(p.data for p in places) else None,
            },
            regions=[region],
            result_types=[parse_types(parser)],
        )

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        print_extents(printer, self.extents.data)
        print_kinds(printer, self.kinds.data, self.places)
        print_body(printer, self.body)
        print_types(printer, [r.type for r in self.outputs])


def _is_product(value: SSAValue) -> bool:
    op = value.owner
    return isinstance(op, ApplyOp) and op.function.data == "mul"


def result_type(kind: str, type: el.ElementType, extents: Shape) -> Attribute:
    """The type of a sweep's result."""
    if kind == KEEP:
        return tensor_type(type, extents)
    return el.I64.type if REDUCTIONS[kind].is_arg else type.type


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Ends the body of a sweep with the values to reduce or keep."""

    name = "kernel.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), HasParent(SweepOp))

    @classmethod
    def parse(cls, parser: Parser) -> YieldOp:
        """Parse ``%a, %b``."""
        values = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        return YieldOp(operands=[[resolve_value(parser, v) for v in values or ()]])

    def print(self, printer: Printer) -> None:
        """Print ``%a, %b``."""
        if self.values:
            printer.print_string(" ")
            printer.print_list(self.values, printer.print_ssa_value)


def _verify_index(op: LoadOp | StoreOp, index: Shape, rank: int) -> None:
    # access_c1: there is an expression for each axis.
    if len(index) != rank:
        raise VerifyException(f"{op.name}: {len(index)} expressions for rank {rank}")
    # access_c2: every dimension is one of those around.
    depth = len(scope(op))
    for e in index:
        if any(d >= depth for d in e.dims()):
            raise VerifyException(f"{op.name}: {e} is outside the {depth} dimensions around")


@irdl_op_definition
class LoadOp(IRDLOperation):
    """An element of a tensor or buffer at an index, or of a kept tensor of an earlier sweep.

    With a default it is guarded: the default is its value where the index is outside.
    """

    name = "kernel.load"
    source = operand_def()
    index = prop_def(IndexAttr)
    default = opt_prop_def(Attribute)
    result = result_def()
    traits = traits_def(Pure())

    @staticmethod
    def of(source: SSAValue, index: Shape, default: Attribute | None = None) -> LoadOp:
        """Build it."""
        type = storage(source)
        assert type is not None
        return LoadOp(
            operands=[source],
            properties={"index": IndexAttr(index), "default": default},
            result_types=[type.element_type],
        )

    def verify_(self) -> None:
        """Check the index and the type."""
        # load_c1: it loads from a tensor or a buffer.
        type = storage(self.source)
        if type is None:
            raise VerifyException(f"kernel.load: cannot load from {self.source.type}")
        # load_c2: the result is an element of it.
        if type.element_type != self.result.type:
            raise VerifyException(f"kernel.load: {self.result.type} from {type}")
        # load_c3: a default is a number of the element type, and what is kept needs none.
        if self.default is not None:
            default = number_of(self.default)
            if default is None or default.type != self.result.type:
                raise VerifyException(f"kernel.load: {self.default} is no {self.result.type}")
            if isinstance(self.source.owner, SweepOp):
                raise VerifyException("kernel.load: a default for what a sweep keeps")
        _verify_index(self, self.index.data, len(shape_of(type)))

    @classmethod
    def parse(cls, parser: Parser) -> LoadOp:
        """Parse ``%x[d0, d1] : f32``, or ``%x[d0 - 1, d1] else 0.0 : f32``."""
        source = parse_value(parser)
        index = parse_index(parser, parser.Delimiter.SQUARE)
        default: Attribute | None = None
        type: Attribute
        if parser.parse_optional_keyword("else") is not None:
            number = number_of(parser.parse_attribute())
            if number is None:
                parser.raise_error("kernel.load: expected a number and its type")
            default, type = number, number.type
        else:
            parser.parse_punctuation(":")
            type = parser.parse_type()
        return LoadOp(
            operands=[source],
            properties={"index": index, "default": default},
            result_types=[type],
        )

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string(f"[{', '.join(map(str, self.index.data))}]")
        if self.default is not None:
            printer.print_string(" else ")
            print_number(printer, self.default)
            return
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Writes an element of the nest's result (or buffer) with the given number."""

    name = "kernel.store"
    value = operand_def()
    target = prop_def(IndexAttr)
    index = prop_def(IndexAttr)

    @staticmethod
    def of(value: SSAValue, number: int, index: Shape) -> StoreOp:
        """Build it."""
        return StoreOp(
            operands=[value],
            properties={"target": IndexAttr((ex.const(number),)), "index": IndexAttr(index)},
        )

    @property
    def number(self) -> int:
        """Which result of the nest."""
        return self.target.data[0].constant or 0

    def verify_(self) -> None:
        """Check the index and the type."""
        around = loops_around(self)
        nest = around[0] if around else None
        # store_c1: the nest has a result of that number and element type.
        if not isinstance(nest, NestOp) or not 0 <= self.number < len(nest.targets):
            raise VerifyException(f"kernel.store: there is no result {self.number}")
        type = storage(nest.targets[self.number])
        if type is None or type.element_type != self.value.type:
            raise VerifyException(f"kernel.store: {self.value.type} does not go into {type}")
        _verify_index(self, self.index.data, len(shape_of(type)))

    @classmethod
    def parse(cls, parser: Parser) -> StoreOp:
        """Parse ``%v to 0[d0, d1]``."""
        value = parse_value(parser)
        parser.parse_keyword("to")
        number = parser.parse_integer(allow_boolean=False, allow_negative=False)
        return StoreOp.of(value, number, parse_index(parser, parser.Delimiter.SQUARE).data)

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(f" to {self.number}[{', '.join(map(str, self.index.data))}]")


Kernel = Dialect("kernel", [NestOp, SweepOp, YieldOp, LoadOp, StoreOp])
