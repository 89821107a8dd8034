"""Operations on symbolic extents: ``opc.require``, and some that define them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, TypeAlias

from xdsl.dialects.builtin import ArrayAttr, StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def, traits_def
from xdsl.utils.exceptions import VerifyException

from .. import element as el
from .. import expr as ex
from ..effects import KEPT
from ..formats import Formatted
from ..shape import DimsAttr, Requirement, Shape

Names: TypeAlias = "ArrayAttr[StringAttr]"

RELATIONS = ("equal", "broadcast", "stretch", "divides", "within")


@irdl_op_definition
class RequireOp(Formatted):
    """A requirement: a relation of two extents that is checked before the function computes.

    ``equal`` a == b; ``broadcast`` a == b, or one of them is 1; ``stretch`` a == b, or a is 1;
    ``divides`` a is a multiple of b; ``within`` a fits in an integer type of highest value b::

        opc.require broadcast<N, M> "opc.add: extents do not broadcast"
    """

    name = "opc.require"
    relation = prop_def(StringAttr)
    sides = prop_def(DimsAttr)
    message = prop_def(StringAttr)
    traits = traits_def(KEPT)
    FORMAT: ClassVar[str] = "custom<Word>($relation) `` $sides $message"

    @staticmethod
    def of(need: Requirement) -> RequireOp:
        """The operation of a requirement."""
        sides = DimsAttr((need.left, need.right))
        return RequireOp.new(relation=need.relation, sides=sides, message=need.message)

    @property
    def requirement(self) -> Requirement:
        """The relation of the two extents."""
        left, right = self.sides.data
        return Requirement(self.relation.data, left, right, self.message.data)

    @property
    def is_of_sizes(self) -> bool:
        """Whether it holds whenever the C computes the extents without overflow in 64 bits."""
        return self.relation.data == "within" and self.sides.data[1] == el.I64.highest

    def verify_(self) -> None:
        """Check relation and sides."""
        # require_c1: the relation is known and has two sides.
        if self.relation.data not in RELATIONS or len(self.sides.data) != 2:
            relations = ", ".join(RELATIONS)
            raise VerifyException(f"opc.require: expected one of {relations} of two extents")


def check_symbol(operation: str, name: str) -> None:
    """VerifyException unless a name can be a symbol in an extent."""
    if not ex.SYMBOL.match(name) or ex.DIM.match(name) or name in ex.FUNCTIONS:
        raise VerifyException(f"{operation}: {name!r} cannot be a symbol")


class SymbolSource(Formatted):
    """Defines symbolic extents by the values of an integer tensor at run time.

    The tensor is the only operand, or the result of a function of the operands.  ``extents`` are
    those of the tensor whose shape or axes the values describe.
    """

    extents = prop_def(DimsAttr)
    traits = traits_def(KEPT)

    @property
    def source(self) -> SSAValue:
        """The integer tensor, if it is an operand."""
        return self.operands[0]

    @property
    def body(self) -> FuncOp | None:
        """The function that computes the integer tensor, None if it is an operand."""
        return None

    @property
    @abstractmethod
    def defined(self) -> tuple[str, ...]:
        """The symbols, in order."""

    @property
    @abstractmethod
    def equal_products(self) -> list[tuple[Shape, Shape]]:
        """Pairs of shapes whose products are equal for all values."""

    def check_symbols(self) -> None:
        """VerifyException unless the symbols are distinct, and valid in an extent."""
        # symbols_c1: the defined symbols are valid and distinct.
        for name in self.defined:
            check_symbol(self.name, name)
        if len(set(self.defined)) != len(self.defined):
            raise VerifyException(f"{self.name}: a symbol is defined twice")


def names_attr(names: Sequence[str]) -> Names:
    """Names as an attribute."""
    return ArrayAttr([StringAttr(n) for n in names])


def texts_of(names: Names) -> tuple[str, ...]:
    """The names in an attribute."""
    return tuple(n.data for n in names)


@irdl_op_definition
class SplitAxesOp(SymbolSource):
    """Defines extents by axes that are known at run time.

    For a tensor of some ``extents`` and an integer tensor that lists axes, ``outer[k]`` is 1 if
    axis k is listed, else its extent; ``inner[k]`` is its extent if it is listed, else 1; ``kept``
    are the extents of the axes that are not listed, in order.  A reduction over the listed axes
    splits each axis k into (outer[k], inner[k]) and reduces all inner ones.  The call fails if an
    axis is outside or listed twice::

        opc.split_axes %axes of <N, 4> outer ["e0", "e1"] inner ["r0", "r1"] kept ["k0"] all
            : tensor<1xi64>

    With ``all``, an empty list means all axes.
    """

    name = "opc.split_axes"
    axes = operand_def()
    outer = prop_def(ArrayAttr[StringAttr])
    inner = prop_def(ArrayAttr[StringAttr])
    kept = prop_def(ArrayAttr[StringAttr])
    empty_is_all = opt_prop_def(UnitAttr)
    FORMAT: ClassVar[str] = (
        "$axes `of` $extents `outer` $outer `inner` $inner `kept` $kept (`all` $empty_is_all^)? "
        "`:` type($axes)"
    )

    @staticmethod
    def of(
        axes: SSAValue, extents: DimsAttr, names: Sequence[Sequence[str]], empty_is_all: bool
    ) -> SplitAxesOp:
        """The operation; ``names`` are those of outer, inner and kept."""
        outer, inner, kept = map(names_attr, names)
        return SplitAxesOp.new(
            axes, extents=extents, outer=outer, inner=inner, kept=kept, empty_is_all=empty_is_all
        )

    @property
    def defined(self) -> tuple[str, ...]:
        """The outer, inner and kept symbols."""
        return (*texts_of(self.outer), *texts_of(self.inner), *texts_of(self.kept))

    @property
    def split(self) -> tuple[Shape, Shape, Shape]:
        """Outer, inner and kept extents; an axis of extent 1 needs no symbols."""
        outer, inner = (
            tuple(
                ex.const(1) if e == 1 else ex.sym(n)
                for e, n in zip(self.extents.data, texts_of(names), strict=True)
            )
            for names in (self.outer, self.inner)
        )
        return outer, inner, tuple(map(ex.sym, texts_of(self.kept)))

    @property
    def equal_products(self) -> list[tuple[Shape, Shape]]:
        """Kept and outer extents; each axis and its outer and inner extent."""
        outer, inner, kept = self.split
        parts = zip(outer, inner, self.extents.data, strict=True)
        return [(kept, outer), *(((a, b), (e,)) for a, b, e in parts)]

    def verify_(self) -> None:
        """Check the number of symbols."""
        self.check_symbols()
        rank = len(self.extents.data)
        # split_axes_c1: each axis has two symbols.
        if len(self.outer) != rank or len(self.inner) != rank or len(self.kept) > rank:
            raise VerifyException(f"opc.split_axes: expected {rank} outer and inner symbols")


@irdl_op_definition
class GivenExtentsOp(SymbolSource):
    """Extents that are passed to a function beside its arguments.

    ::

        opc.given_extents ["v0", "v1"]

    For a public function they are upper bounds that the caller chooses, for data-dependent extents
    without another bound (``opc.data_extent %n most <v0> of "v0"``).  Results do not depend on
    them; if one is too small, the call fails and reports the number that is needed.

    For a private function that computes extents they are extents of its caller, of the same name,
    which are defined before the ``opc.read_extents`` that names the function.
    """

    name = "opc.given_extents"
    extents = prop_def(DimsAttr, DimsAttr(()))
    symbols = prop_def(ArrayAttr[StringAttr])
    FORMAT: ClassVar[str] = "$symbols"

    @staticmethod
    def of(symbols: list[str]) -> GivenExtentsOp:
        """The operation for some symbols."""
        return GivenExtentsOp.new(symbols=names_attr(symbols), extents=DimsAttr(()))

    @property
    def defined(self) -> tuple[str, ...]:
        """The symbols."""
        return texts_of(self.symbols)

    @property
    def equal_products(self) -> list[tuple[Shape, Shape]]:
        """Nothing is known of them."""
        return []

    def verify_(self) -> None:
        """Check the symbols."""
        self.check_symbols()


def given_extents(function: FuncOp) -> list[str]:
    """The extents that are passed to a function beside its arguments."""
    ops = (op for op in function.body.block.ops if isinstance(op, GivenExtentsOp))
    return [name for op in ops for name in op.defined]
