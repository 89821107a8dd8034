"""``loop.if``: operations that run where a condition holds, and others where it does not.

::

    loop.if <atleast(N, 17)> {
      loop.for %i = <0> to <N> step 1 vector { ... }
    } else {
      loop.for %i = <0> to <N> step 1 serial { ... }
    }

A condition is an expression that is 0 or 1 whatever extents and loop variables are: products of
``atleast`` and ``nonunit``, and what is left of 1 without them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    opt_region_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .body import parse_dims, parse_index, print_dims
from .buffer import check_index, index_of
from .comments import (
    Remarks,
    asks_of,
    check_remarks,
    parse_asks,
    parse_name,
    print_asks,
    print_name,
    remarks_of,
)
from .polynomial import Atom
from .shape import IndexAttr

CHOICES = frozenset({"atleast", "nonunit"})
"""The functions that are 0 or 1."""
MOST_CHOICES = 8
"""Different ones in a condition that is no product."""


def is_condition(e: ex.Expr) -> bool:
    """Whether an expression is 0 or 1 whatever its choices are."""
    atoms = list(dict.fromkeys(e.atoms()))
    if any(atom.kind not in CHOICES for atom in atoms):
        return False
    if len(e.terms) == 1 and e.terms[0][1] == 1:
        return True
    if len(atoms) > MOST_CHOICES:
        return False
    return all(total in (0, 1) for _, total in _values(e, atoms))


def _values(e: ex.Expr, atoms: Sequence[Atom]) -> Iterator[tuple[dict[Atom, int], int]]:
    """What an expression is for all that its choices may be."""
    for values in itertools.product((0, 1), repeat=len(atoms)):
        known: dict[Atom, int] = dict(zip(atoms, values, strict=True))
        yield known, sum(c * all(known[atom] for atom in factors) for factors, c in e.terms)


def needed(condition: ex.Expr) -> dict[Atom, int] | None:
    """What all choices must be for a condition to hold; None if there is more than one way.

    First those that must be 1.
    """
    atoms = list(dict.fromkeys(condition.atoms()))
    if len(atoms) > MOST_CHOICES:
        return None
    ways = [known for known, total in _values(condition, atoms) if total]
    if len(ways) != 1:
        return None
    return dict(sorted(ways[0].items(), key=lambda way: -way[1]))


def is_negated(condition: ex.Expr) -> bool:
    """Whether a condition is all but some product of choices."""
    rest = 1 - condition
    return len(rest.terms) == 1 and rest.terms[0][1] == 1 and rest.constant is None


@irdl_op_definition
class IfOp(IRDLOperation):
    """Runs ``then`` where its condition is 1, and ``otherwise``, if it has that, where it is 0."""

    name = "loop.if"
    condition = prop_def(IndexAttr)
    names = opt_prop_def(Remarks)
    asks = opt_prop_def(Remarks)
    dims = var_operand_def()
    then = region_def("single_block")
    otherwise = opt_region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    @staticmethod
    def of(
        condition: ex.Expr,
        dims: Sequence[SSAValue],
        then: Block,
        otherwise: Block | None = None,
        names: tuple[str, str] = ("", ""),
        asks: Mapping[Atom, str] | None = None,
    ) -> IfOp:
        """A choice between two blocks, or between one and nothing, with remarks."""
        return IfOp(
            operands=[list(dims)],
            properties={
                "condition": index_of(condition),
                "names": remarks_of(names),
                "asks": asks_of(condition, asks or {}),
            },
            regions=[Region(then), [] if otherwise is None else [Region(otherwise)]],
        )

    @property
    def holds(self) -> ex.Expr:
        """The condition."""
        return self.condition.data[0]

    @property
    def blocks(self) -> list[Block]:
        """What runs where the condition holds, and what does otherwise if there is that."""
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

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        """Parse ``<condition>(%dims) {...}``, or that with ``else {...}``, with remarks."""
        condition = parse_index(parser, parser.Delimiter.ANGLE)
        dims, asks = parse_dims(parser), parse_asks(parser)
        first, then = parse_name(parser), parser.parse_region(())
        has_else = parser.parse_optional_keyword("else") is not None
        names = remarks_of((first, parse_name(parser) if has_else else ""))
        return IfOp(
            operands=[dims],
            properties={"condition": condition, "names": names, "asks": asks},
            regions=[then, [parser.parse_region(())] if has_else else []],
        )

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(f" <{self.holds}>")
        print_dims(printer, self.dims)
        print_asks(printer, self.asks)
        for k, (word, region) in enumerate(zip(("", " else"), self.regions, strict=False)):
            printer.print_string(word)
            print_name(printer, self.names, k)
            printer.print_string(" ")
            printer.print_region(region, print_empty_block=False)


def flat(block: Block) -> Iterator[Operation]:
    """The operations of a block, those under a condition in place of it."""
    for op in block.ops:
        if isinstance(op, IfOp):
            for inner in op.blocks:
                yield from flat(inner)
        else:
            yield op


def purpose(op: Operation) -> str:
    """What the innermost version around an operation is for; empty if nothing says that."""
    region = op.parent_region()
    while region is not None and isinstance(choice := region.parent, IfOp):
        if choice.names is not None:
            return choice.names.data[choice.regions.index(region)].data
        region = choice.parent_region()
    return ""


def around(op: Operation) -> Operation | None:
    """What an operation is in, conditions aside: a loop or a function."""
    outer = op.parent_op()
    while isinstance(outer, IfOp):
        outer = outer.parent_op()
    return outer
