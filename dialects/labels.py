"""Sums of products by labels, as in ``bij,bjk->bik``: what is combined with what, in which order.

An operand with a label at several axes is taken along their diagonal (``diagonals``).  Then
operands are combined from the left, two at a time, in three steps (``Product``): axes that only one
of the two has and nothing else reads are added up first, in the order of ``order.reduce``; those
that both have and nothing else reads are contracted, in that of ``order.chain``; along all others
elements are multiplied.  What is left of the last product is added up.
"""

from __future__ import annotations

import string
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .shape import UNKNOWN, Shape

LETTERS = string.ascii_letters
"""What labels are."""


def split(equation: str) -> tuple[tuple[str, ...], str]:
    """The labels of each operand, and those of the result.

    VerifyException if the text is no equation, or the result has labels twice or of its own.
    """
    operands, arrow, result = equation.partition("->")
    terms = tuple(operands.split(","))
    if not arrow or not set("".join((*terms, result))) <= set(LETTERS):
        raise VerifyException(
            f'expected an equation of letters such as "ij,jk->ik", found "{equation}"'
        )
    if len(set(result)) < len(result) or not set(result) <= set("".join(terms)):
        raise VerifyException(
            f'expected labels of operands in the result, each once, found "{result}" in '
            f'"{equation}"'
        )
    return terms, result


def diagonals(term: str) -> Iterator[tuple[int, int, str]]:
    """Two axes of one label at a time, and the labels once these are one axis, the last."""
    for label in dict.fromkeys(term):
        while term.count(label) > 1:
            first = term.index(label)
            second = term.index(label, first + 1)
            term = term[:first] + term[first + 1 : second] + term[second + 1 :] + label
            yield first, second, term


@dataclass(frozen=True)
class Product:
    """How two operands become one; all labels are in the order in which an operand has them."""

    left: str
    """Labels of the left operand, once axes are added up that nothing else has."""
    right: str
    both: str
    """Along these, elements are multiplied."""
    rows: str
    """Only the left operand has these,"""
    columns: str
    """and only the right one these."""
    gone: str
    """These are contracted."""

    @property
    def labels(self) -> str:
        """The labels of the result."""
        return self.both + self.rows + self.columns


def product(left: str, right: str, kept: Collection[str]) -> Product:
    """How to combine two operands if something else reads the labels that are kept."""
    first, second = taken(left, {*kept, *right}), taken(right, {*kept, *left})
    shared = taken(first, second)
    return Product(
        first,
        second,
        both=taken(shared, kept),
        rows="".join(label for label in first if label not in shared),
        columns="".join(label for label in second if label not in shared),
        gone="".join(label for label in shared if label not in kept),
    )


def taken(labels: str, kept: Collection[str]) -> str:
    """Those labels that are among others."""
    return "".join(label for label in labels if label in kept)


@dataclass(frozen=True)
class Plan:
    """How a sum of products is computed from operands of some shapes."""

    terms: tuple[str, ...]
    """Labels of each operand, each of which it has once."""
    shapes: tuple[Shape, ...]
    """The extents of these."""
    result: str

    @property
    def extents(self) -> dict[str, ex.Expr]:
        """The extent of each label, a number where an operand has one."""
        extents: dict[str, ex.Expr] = {}
        for term, shape in zip(self.terms, self.shapes, strict=True):
            for label, extent in zip(term, shape, strict=True):
                if extents.get(label, UNKNOWN) == UNKNOWN or extent.constant is not None:
                    extents[label] = extent
        return extents

    @property
    def products(self) -> list[Product]:
        """The products, from the left: what one gives is the left operand of the next."""
        left, products = self.terms[0], list[Product]()
        for k, right in enumerate(self.terms[1:], 2):
            products.append(product(left, right, {*self.result, *"".join(self.terms[k:])}))
            left = products[-1].labels
        return products


def plan(terms: Sequence[str], result: str, shapes: Sequence[Shape]) -> Plan:
    """How to compute it.

    Operands have no axes of extent 1 whose label has another extent elsewhere: they are the same
    for all there.
    """
    named = [_along_diagonals(*operand) for operand in zip(terms, shapes, strict=True)]
    longer = {label for axes in named for label, extent in axes if extent != 1}
    kept = [[axis for axis in axes if axis[1] != 1 or axis[0] not in longer] for axes in named]
    return Plan(
        tuple("".join(label for label, _ in axes) for axes in kept),
        tuple(tuple(extent for _, extent in axes) for axes in kept),
        result,
    )


def _along_diagonals(term: str, shape: Shape) -> list[tuple[str, ex.Expr]]:
    """The axes of an operand, labels with extents, once it is taken along its diagonals."""
    extents = dict(zip(reversed(term), reversed(shape), strict=True))
    *_, (_, _, term) = [(0, 0, term), *diagonals(term)]
    return [(label, extents[label]) for label in term]
