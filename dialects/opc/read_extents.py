"""``opc.read_extents``: extents given by integers, of an input or computed, at run time."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    FlatSymbolRefAttrConstr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from .. import expr as ex
from ..formats import stored
from ..shape import MAX_RANK, Buffer, DimsAttr, Shape, Tensor, require_integers
from .functions import function_named, module_of
from .symbols import SymbolSource, names_attr, texts_of


@irdl_op_definition
class ReadExtentsOp(SymbolSource):
    """Defines the extents of a shape that is known at run time.

    ``values`` are extents or axes for a tensor with the extents after ``of``; the rule says which
    extents they define.  The call fails if the values do not fit::

        opc.read_extents reshape %values of <N, 4> -> ["s0", "s1"] : tensor<2xi64>

    Computed values are the result of a function, a 1-D i64 tensor of the length after ``gives``.
    Its arguments are those of the function around, with the same symbols::

        opc.read_extents plain @extents0 gives 2 %x, %y -> ["s0", "s1"] : tensor<4xi64>, ...

    ``most <N>``, after the extents, gives upper bounds of plain values.  Values that depend on data
    then become data-dependent extents (``opc.data_extent``).

    ===================== =======================================================================
    ``plain``             the values themselves
    ``reshape``           those of a tensor with the same elements: 0 is the extent of ``of`` at
                          that position, one -1 is inferred
    ``reshape_allowzero`` the same, but 0 is an extent
    ``expand``            those of ``of`` and of the values, broadcast against each other
    ``squeeze``           those of ``of`` without the axes in the values, whose extents must be 1
    ``unsqueeze``         those of ``of`` with extents of 1 at the axes in the values
    ===================== =======================================================================
    """

    name = "opc.read_extents"
    inputs = var_operand_def()
    callee = opt_prop_def(FlatSymbolRefAttrConstr)
    most = opt_prop_def(DimsAttr)
    length = opt_prop_def(IntegerAttr)
    rule = prop_def(StringAttr)
    extents = prop_def(DimsAttr, DimsAttr(()))
    symbols = prop_def(ArrayAttr[StringAttr])
    RULES: ClassVar[tuple[str, ...]] = (
        *("plain", "reshape", "reshape_allowzero", "expand", "squeeze", "unsqueeze"),
    )
    FORMAT: ClassVar[str] = (
        "custom<Word>($rule) ($callee^ `gives` $length)? $inputs (`of` $extents^)? "
        "(`most` $most^)? `->` $symbols `:` type($inputs)"
    )

    @staticmethod
    def of(
        rule: str,
        values: SSAValue,
        extents: Shape,
        symbols: Sequence[str],
        most: Shape | None = None,
    ) -> ReadExtentsOp:
        """The operation; ``extents`` are empty for ``plain``."""
        axes, names = DimsAttr(extents), names_attr(symbols)
        bounds = None if most is None else DimsAttr(most)
        return ReadExtentsOp.new([values], rule=rule, extents=axes, symbols=names, most=bounds)

    def computed(self, name: str, count: int, inputs: Sequence[SSAValue]) -> ReadExtentsOp:
        """The same operation for ``count`` values that the function ``name`` computes."""
        properties = stored(**self.properties, callee=SymbolRefAttr(name), length=count)
        return ReadExtentsOp(operands=[list(inputs)], properties={**properties, "most": None})

    @property
    def values(self) -> SSAValue:
        """The integer tensor, if it is an operand."""
        return self.inputs[0]

    @property
    def body(self) -> FuncOp | None:
        """The function that computes the values, None if they are an operand."""
        if self.callee is None:
            return None
        function = function_named(self, self.callee.root_reference.data)
        # read_extents_c6: the function is in the module.
        if function is None:
            raise VerifyException(f"{self.name}: there is no function {self.callee}")
        return function

    @property
    def defined(self) -> tuple[str, ...]:
        """One symbol for each axis of the shape."""
        return texts_of(self.symbols)

    @property
    def equal_products(self) -> list[tuple[Shape, Shape]]:
        """A reshape keeps the number of elements."""
        if self.rule.data in ("plain", "expand"):
            return []
        return [(tuple(map(ex.sym, self.defined)), self.extents.data)]

    @property
    def count(self) -> int | None:
        """The number of values, None if unknown at compile time."""
        if self.length is not None:
            return self.length.value.data
        shape = cast("Tensor | Buffer", self.values.type).get_shape()
        return None if DYNAMIC_INDEX in shape else prod(shape)

    @staticmethod
    def rank(rule: str, count: int, rank: int) -> int:
        """The rank of the shape for ``count`` values and a tensor of rank ``rank``."""
        if rule == "expand":
            return max(count, rank)
        return {"squeeze": rank - count, "unsqueeze": rank + count}.get(rule, count)

    def verify_(self) -> None:
        """Check rule, values and the number of symbols."""
        # read_extents_c1: the rule is known.
        if self.rule.data not in self.RULES:
            raise VerifyException(f"opc.read_extents: expected one of {', '.join(self.RULES)}")
        if self.callee is None:
            # read_extents_c2: the values are an integer tensor.
            if len(self.inputs) != 1:
                raise VerifyException(
                    f"opc.read_extents: {len(self.inputs)} operands, expected one"
                )
            require_integers("opc.read_extents", self.values)
        elif module_of(self) is not None:
            assert self.body is not None
        # read_extents_c3: the number of values is known.
        if self.count is None:
            raise VerifyException("opc.read_extents: the number of values is unknown")
        self.check_symbols()
        # read_extents_c4: each axis of the shape has a symbol.
        rank = self.rank(self.rule.data, self.count, len(self.extents.data))
        if rank != len(self.symbols):
            raise VerifyException(
                f"opc.read_extents: {len(self.symbols)} symbols for a shape of rank {rank}"
            )
        # read_extents_c7: bounds are of plain values, one for each.
        if self.most is not None and (rank != len(self.most.data) or self.rule.data != "plain"):
            raise VerifyException(
                f"opc.read_extents: {len(self.most.data)} bounds, expected {rank}"
            )
        # read_extents_c5: the rank is within limits.
        if max(rank, len(self.extents.data)) > MAX_RANK:
            raise VerifyException(f"opc.read_extents: rank {rank} exceeds {MAX_RANK}")
