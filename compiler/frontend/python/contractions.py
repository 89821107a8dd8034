"""Sums of products over shared axes: einsum, and functions in terms of it."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, TypeAlias

from opc.dialects.einsum_plan import LETTERS
from opc.dialects.opc import binary as b
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.contraction import ContractOp, ConvOp, ConvTransposeOp

from .array import Array, Traced
from .elementwise import binary
from .promotion import cast, promoted
from .shaping import axes_from, items, ravel, reshape
from .source_location import input_error, unsupported
from .spec import element_like

_multiply = binary(b.MulOp, boolean=b.AndOp)

Label: TypeAlias = int | str
"""The label of an axis: a letter, or a negative position within an ellipsis."""


def einsum(subscripts: Any, /, *operands: Any, optimize: Any = False, dtype: Any = None) -> Traced:
    """Sums of products by labels, as in ``einsum("ij,jk->ik", x, y)``, from left to right.

    A repeated label in one operand takes a diagonal.  ``optimize`` has no effect.
    """
    if not isinstance(subscripts, str):
        raise unsupported("einsum of lists of axes: write the axes as text, 'ij,jk->ik'")
    values = promoted(*operands)
    if dtype is not None:
        values = [cast(v, element_like(dtype)) for v in values]
    inputs, arrow, output = subscripts.replace(" ", "").partition("->")
    texts = inputs.split(",")
    if len(texts) != len(values):
        raise input_error(f"einsum {subscripts!r}: {len(texts)} terms for {len(values)} operands")
    labels = [_term(text, v, subscripts) for text, v in zip(texts, values, strict=True)]
    dots = min((k for axes in labels for k in axes if isinstance(k, int)), default=0)
    if arrow:
        wanted = _split(output, -dots, subscripts)
        unknown = [k for k in wanted if not any(k in axes for axes in labels)]
        if unknown or len(set(wanted)) < len(wanted):
            raise input_error(f"einsum {subscripts!r}: {output!r} is not an order of the axes")
        if dots and "..." not in output:
            raise input_error(f"einsum {subscripts!r}: the axes of '...' are not in the result")
    else:
        every = [k for text in texts for k in text if k != "."]
        once = sorted(k for k in set(every) if every.count(k) == 1)
        wanted = [*range(dots, 0), *once]
    return contract(values, labels, wanted)


def _term(text: str, x: Array, subscripts: str) -> list[Label]:
    """The labels of an operand."""
    labels = _split(text, x.ndim - len(text.replace("...", "")), subscripts)
    if len(labels) != x.ndim:
        raise input_error(f"einsum {subscripts!r}: {text!r} has {len(labels)} axes, {x!r} {x.ndim}")
    return labels


def _split(text: str, dots: int, subscripts: str) -> list[Label]:
    """The labels in a text, in which ``...`` stands for ``count`` axes."""
    before, ellipsis, after = text.partition("...")
    if not set(before + after) <= set(LETTERS):
        raise input_error(f"einsum {subscripts!r}: {text!r} has other labels than letters")
    return [*before, *(range(-dots, 0) if ellipsis else ()), *after]


def tensordot(x: Any, y: Any, /, axes: Any = 2) -> Traced:
    """The sum of products over the last axes of x and the first of y, or over listed axes."""
    left, right = promoted(x, y)
    if isinstance(axes, tuple | list):
        lists = items(axes)
        if len(lists) != 2:
            raise input_error(f"tensordot: axes {lists} are not a pair of lists")
        pairs = (axes_from(lists[0], left.ndim), axes_from(lists[1], right.ndim))
    else:
        count = operator.index(axes)
        if not 0 <= count <= min(left.ndim, right.ndim):
            raise input_error(f"tensordot: {left!r} and {right!r} do not share {count} axes")
        pairs = ([*range(left.ndim - count, left.ndim)], [*range(count)])
    if len(pairs[0]) != len(pairs[1]):
        raise input_error(f"tensordot: {len(pairs[0])} axes cannot meet {len(pairs[1])}")
    first: list[Label] = [*range(left.ndim)]
    second: list[Label] = [*range(left.ndim, left.ndim + right.ndim)]
    for k, j in zip(*pairs, strict=True):
        second[j] = k
    output = [k for k in first if k not in second] + [k for k in second if k not in first]
    return contract([left, right], [first, second], output)


def inner(x: Any, y: Any, /) -> Traced:
    """The sum of products over the last axes; a product if one operand is of rank 0."""
    left, right = promoted(x, y)
    if 0 in (left.ndim, right.ndim):
        return _multiply(left, right)
    return tensordot(left, right, ([-1], [-1]))


def outer(x: Any, y: Any, /) -> Traced:
    """The products of all pairs of elements."""
    left, right = promoted(x, y)
    return _multiply(reshape(left, (-1, 1)), ravel(right))


def conv(
    x: Any, filters: Any, /, *, strides: Any = 1, dilations: Any = 1, pads: Any = 0, groups: int = 1
) -> Traced:
    """The convolution of x [N, C, spatial...] with filters [F, C / groups, kernel...].

    ``strides`` and ``dilations`` are a number, or one for each spatial axis; ``pads`` are a number,
    or those before each spatial axis, then those after each: zeros, multiplied like any value.
    """
    how = {"strides": strides, "dilations": dilations, "pads": pads}
    return _convolved(ConvOp, x, filters, groups, how)


def conv_transpose(
    x: Any,
    filters: Any,
    /,
    *,
    strides: Any = 1,
    dilations: Any = 1,
    pads: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
) -> Traced:
    """The transposed convolution of x [N, C, spatial...] with filters [C, M / groups, kernel...].

    ``strides``, ``dilations`` and ``output_padding`` are a number, or one for each spatial axis;
    ``pads`` are a number, or those before each spatial axis, then those after each: so many results
    are cut off there, and ``output_padding`` makes axes longer before that.
    """
    how = {"strides": strides, "dilations": dilations, "output_padding": output_padding}
    return _convolved(ConvTransposeOp, x, filters, groups, {**how, "pads": pads})


def _convolved(op: type[OpcOp], x: Any, filters: Any, groups: int, how: dict[str, Any]) -> Traced:
    """A convolution by lists of numbers, or one number for all spatial axes."""
    left, right = promoted(x, filters)
    rank = max(left.ndim - 2, 0)
    lists: dict[str, Any] = {}
    for name, numbers in how.items():
        count = 2 * rank if name == "pads" else rank
        is_list = isinstance(numbers, tuple | list)
        lists[name] = tuple(map(operator.index, items(numbers) if is_list else [numbers] * count))
    return left.trace.emit(op, left, right, groups=operator.index(groups), **lists)


def contract(
    operands: Sequence[Array], labels: Sequence[Sequence[Label]], output: Sequence[Label]
) -> Traced:
    """The sum of products over all labels that are not in ``output``."""
    letters = {k: k for axes in labels for k in axes if isinstance(k, str)}
    free = [letter for letter in LETTERS if letter not in letters]
    others = dict.fromkeys(k for axes in labels for k in axes if isinstance(k, int))
    if len(others) > len(free):
        raise unsupported(f"a sum of products of {len(letters) + len(others)} axes; letters end")
    names: dict[Label, str] = {**letters, **dict(zip(others, free, strict=False))}
    terms = ["".join(names[k] for k in axes) for axes in (*labels, output)]
    equation = f"{','.join(terms[:-1])}->{terms[-1]}"
    return operands[0].trace.emit(ContractOp, *operands, equation=equation)
