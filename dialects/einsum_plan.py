"""Plans of sums of products by labels, as in ``bij,bjk->bik``.

An operand with a label at several axes is reduced to their diagonal (``diagonals``).  Operands are
then combined from the left, two at a time (``Product``).  Labels of one operand that nothing else
has are summed first, in the order of ``order.reduce``; labels of both that nothing else has are
contracted, in the order of ``order.chain``; along all other labels, elements are multiplied.  The
labels of the last product that the result lacks are summed.
"""

from __future__ import annotations

import string
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .shape import UNKNOWN, Shape

LETTERS = string.ascii_letters
"""The labels."""


def split(equation: str) -> tuple[tuple[str, ...], str]:
    """The labels of each operand, and those of the result.

    VerifyException if the text is no equation, or the result repeats a label or has a new one.
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
    """Pairs of axes with one label, each with the labels after the pair became the last axis."""
    for label in dict.fromkeys(term):
        while term.count(label) > 1:
            first = term.index(label)
            second = term.index(label, first + 1)
            term = term[:first] + term[first + 1 : second] + term[second + 1 :] + label
            yield first, second, term


@dataclass(frozen=True)
class Product:
    """The product of two operands; labels are in the order in which an operand has them."""

    left: str
    """Labels of the left operand, without those that are summed first."""
    right: str
    both: str
    """Labels along which elements are multiplied."""
    rows: str
    """Labels of the left operand alone."""
    columns: str
    """Labels of the right operand alone."""
    gone: str
    """Labels that are contracted."""

    @property
    def labels(self) -> str:
        """The labels of the result."""
        return self.both + self.rows + self.columns


def product(left: str, right: str, kept: Collection[str]) -> Product:
    """The product of two operands, for labels that something else reads."""
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
    """The labels that are in ``kept``."""
    return "".join(label for label in labels if label in kept)


@dataclass(frozen=True)
class Plan:
    """How to compute a sum of products."""

    terms: tuple[str, ...]
    """The labels of each operand, without repetitions."""
    shapes: tuple[Shape, ...]
    """The extents of these labels."""
    result: str

    @property
    def extents(self) -> dict[str, ex.Expr]:
        """The extent of each label, a constant if an operand has one."""
        extents: dict[str, ex.Expr] = {}
        for term, shape in zip(self.terms, self.shapes, strict=True):
            for label, extent in zip(term, shape, strict=True):
                if extents.get(label, UNKNOWN) == UNKNOWN or extent.constant is not None:
                    extents[label] = extent
        return extents

    @property
    def products(self) -> list[Product]:
        """The products, from the left: the result of each is the left operand of the next."""
        left, products = self.terms[0], list[Product]()
        for k, right in enumerate(self.terms[1:], 2):
            products.append(product(left, right, {*self.result, *"".join(self.terms[k:])}))
            left = products[-1].labels
        return products


def plan(terms: Sequence[str], result: str, shapes: Sequence[Shape]) -> Plan:
    """The plan for operands of some shapes.

    It drops an operand's axes of extent 1 whose label has another extent elsewhere: they broadcast.
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
    """The axes of an operand, as labels with extents, after it is reduced to its diagonals."""
    extents = dict(zip(reversed(term), reversed(shape), strict=True))
    *_, (_, _, term) = [(0, 0, term), *diagonals(term)]
    return [(label, extents[label]) for label in term]
