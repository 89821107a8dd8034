"""``loop.if``: a choice between two blocks of operations.

::

    loop.if <atleast(N, 17)> {
      loop.for %i = <0> to <N> step 1 vector { ... }
    } else {
      loop.for %i = <0> to <N> step 1 serial { ... }
    }

A condition is an expression that is 0 or 1 for all extents and loop variables: a product of the
choices ``atleast`` and ``nonunit``, or 1 minus such a product.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    opt_prop_def,
    opt_region_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import NoTerminator, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .buffer import check_index
from .formats import Formatted
from .polynomial import Atom
from .remarks import Remarks, check_remarks, choice_of
from .shape import IndexAttr

CHOICES = frozenset({"atleast", "nonunit"})
"""The functions that are 0 or 1."""
MOST_CHOICES = 8
"""Different choices in a condition that is not one product, at most."""


def is_condition(e: ex.Expr) -> bool:
    """Whether an expression is 0 or 1 for all values of its choices."""
    atoms = list(dict.fromkeys(e.atoms()))
    if any(atom.kind not in CHOICES for atom in atoms):
        return False
    if len(e.terms) == 1 and e.terms[0][1] == 1:
        return True
    if len(atoms) > MOST_CHOICES:
        return False
    return all(total in (0, 1) for _, total in _values(e, atoms))


def _values(e: ex.Expr, atoms: Sequence[Atom]) -> Iterator[tuple[dict[Atom, int], int]]:
    """All values of the choices, and the value of the expression for each."""
    for values in itertools.product((0, 1), repeat=len(atoms)):
        known: dict[Atom, int] = dict(zip(atoms, values, strict=True))
        yield known, sum(c * all(known[atom] for atom in factors) for factors, c in e.terms)


def needed(condition: ex.Expr) -> dict[Atom, int] | None:
    """The values of all choices for which a condition holds; None if there are several such.

    Choices that must be 1 come first.
    """
    atoms = list(dict.fromkeys(condition.atoms()))
    if len(atoms) > MOST_CHOICES:
        return None
    solutions = [known for known, total in _values(condition, atoms) if total]
    if len(solutions) != 1:
        return None
    return dict(sorted(solutions[0].items(), key=lambda item: -item[1]))


def is_negated(condition: ex.Expr) -> bool:
    """Whether a condition is 1 minus a product of choices."""
    product = 1 - condition
    return len(product.terms) == 1 and product.terms[0][1] == 1 and product.constant is None


@irdl_op_definition
class IfOp(Formatted):
    """Runs ``then`` if its condition is 1, else ``otherwise``, if it has that."""

    name = "loop.if"
    condition = prop_def(IndexAttr)
    names = opt_prop_def(Remarks)
    asks = opt_prop_def(Remarks)
    dims = var_operand_def()
    then = region_def("single_block")
    otherwise = opt_region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())
    FORMAT: ClassVar[str] = (
        "$condition custom<Dims>($dims) custom<Choice>($asks, $names, $then, $otherwise)"
    )

    @staticmethod
    def of(
        condition: ex.Expr,
        dims: Sequence[SSAValue],
        then: Block,
        otherwise: Block | None = None,
        names: tuple[str, str] = ("", ""),
        asks: Mapping[Atom, str] | None = None,
    ) -> IfOp:
        """The choice between two blocks, or between one and nothing, with remarks."""
        blocks = [Region(then), [] if otherwise is None else [Region(otherwise)]]
        properties = choice_of(condition, names, asks or {})
        return IfOp(operands=[list(dims)], properties=properties, regions=blocks)

    @property
    def holds(self) -> ex.Expr:
        """The condition."""
        return self.condition.data[0]

    @property
    def blocks(self) -> list[Block]:
        """The block for 1, and the one for 0, if there is one."""
        return [region.block for region in self.regions]

    def verify_(self) -> None:
        """Check the condition."""
        check_index(self.name, self.condition, self.dims)
        # if_c1: the condition is 0 or 1.
        if not is_condition(self.holds):
            raise VerifyException(f"loop.if: {self.holds} is not a condition, which is 0 or 1")
        # if_c2: blocks have no arguments.
        if any(block.args for block in self.blocks):
            raise VerifyException("loop.if: blocks of a choice have no arguments")
        check_remarks(self.name, self.holds, self.names, self.asks)


def flat(block: Block) -> Iterator[Operation]:
    """The operations of a block, with the operations of its choices in place of them."""
    for op in block.ops:
        if isinstance(op, IfOp):
            for inner in op.blocks:
                yield from flat(inner)
        else:
            yield op


def purpose(op: Operation) -> str:
    """The remark that says what the innermost version around an operation is for, or empty."""
    region = op.parent_region()
    while region is not None and isinstance(choice := region.parent, IfOp):
        if choice.names is not None:
            return choice.names.data[choice.regions.index(region)].data
        region = choice.parent_region()
    return ""


def around(op: Operation) -> Operation | None:
    """The loop or function around an operation; choices do not count."""
    outer = op.parent_op()
    while isinstance(outer, IfOp):
        outer = outer.parent_op()
    return outer
