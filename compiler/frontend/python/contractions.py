"""Sums of products over shared axes: einsum, and what is said in its terms."""

from __future__ import annotations

import operator
import string
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc import reduction as r
from opc.dialects.opc.contraction import ConvOp, ConvTransposeOp

from .array import Array, Traced
from .elementwise import binary, matmul
from .extent import as_extent
from .joining import concatenate
from .place import input_error, unsupported
from .promotion import cast, promoted
from .reductions import reduction
from .shaping import axes_from, broadcast_to, items, ravel, reshape, transpose
from .spec import element_like

Label: TypeAlias = int | str
"""What an axis is called: a letter, or its place from the end among those of an ellipsis."""

Term: TypeAlias = tuple[Array, list[Label]]
"""An array with a label for each axis."""

_multiply = binary(b.MulOp, boolean=b.AndOp)
_sum = reduction(r.ReduceSumOp)
_any = reduction(r.ReduceAnyOp)


def einsum(subscripts: Any, /, *operands: Any, optimize: Any = False, dtype: Any = None) -> Traced:
    """Sums of products by labels, as in ``einsum("ij,jk->ik", x, y)``; taken from left to right.

    A label that an operand has twice takes a diagonal.  ``optimize`` changes nothing.
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
    terms = [_term(text, v, subscripts) for text, v in zip(texts, values, strict=True)]
    labels = [axes for _, axes in terms]
    dots = min((k for axes in labels for k in axes if isinstance(k, int)), default=0)
    if arrow:
        wanted = _split(output, -dots, subscripts)
        unknown = [k for k in wanted if not any(k in axes for axes in labels)]
        if unknown or len(set(wanted)) < len(wanted):
            raise input_error(f"einsum {subscripts!r}: {output!r} is no order of the axes")
        if dots and "..." not in output:
            raise input_error(f"einsum {subscripts!r}: the axes of '...' are not in the result")
    else:
        every = [k for text in texts for k in text if k != "."]
        once = sorted(k for k in set(every) if every.count(k) == 1)
        wanted = [*range(dots, 0), *once]
    return contract(terms, wanted)


def _term(text: str, x: Array, subscripts: str) -> Term:
    """An operand with its labels, each of which it has once."""
    found = _split(text, x.ndim - len(text.replace("...", "")), subscripts)
    if len(found) != x.ndim:
        raise input_error(f"einsum {subscripts!r}: {text!r} has {len(found)} axes, {x!r} {x.ndim}")
    for label in dict.fromkeys(found):
        while found.count(label) > 1:
            x, found = _diagonal(x, found, label)
    return x, found


def _diagonal(x: Array, labels: list[Label], label: Label) -> Term:
    """The elements at equal places of the first two axes of a label, which become one, the last.

    Of n rows of n elements they are the first ones of n rows of n + 1, if n more elements follow.
    """
    pair = [k for k, each in enumerate(labels) if each == label][:2]
    rest = [k for k in range(x.ndim) if k not in pair]
    first, second = (x.extents[k] for k in pair)
    x.trace.require_equal(first, second, f"extents of the diagonal {label!r} differ")
    outer = [x.extents[k] for k in rest]
    flat = _reshaped(transpose(x, [*rest, *pair]), [*outer, first * first])
    more = x.trace.constant(np.zeros((), x.element.dtype), x.element)
    rows = [as_extent(x.trace, e) for e in outer]
    longer = concatenate([flat, broadcast_to(more, (*rows, as_extent(x.trace, first)))], -1)
    found = _reshaped(longer, [*outer, first, first + 1])[..., 0]
    return found, [*(labels[k] for k in rest), label]


def _split(text: str, dots: int, subscripts: str) -> list[Label]:
    """The labels in a text, ``...`` being so many axes."""
    before, ellipsis, after = text.partition("...")
    if not set(before + after) <= set(string.ascii_letters):
        raise input_error(f"einsum {subscripts!r}: {text!r} has other labels than letters")
    return [*before, *(range(-dots, 0) if ellipsis else ()), *after]


def tensordot(x: Any, y: Any, /, axes: Any = 2) -> Traced:
    """The sum of products over some axes of both: the last of x and the first of y, or lists."""
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
    return contract([(left, first), (right, second)], output)


def inner(x: Any, y: Any, /) -> Traced:
    """The sum of products over the last axes; a product where one is of rank 0."""
    left, right = promoted(x, y)
    if 0 in (left.ndim, right.ndim):
        return _multiply(left, right)
    return tensordot(left, right, ([-1], [-1]))


def outer(x: Any, y: Any, /) -> Traced:
    """All products of an element of one array with one of the other."""
    left, right = promoted(x, y)
    return _multiply(reshape(left, (-1, 1)), ravel(right))


def conv(
    x: Any, filters: Any, /, *, strides: Any = 1, dilations: Any = 1, pads: Any = 0, groups: int = 1
) -> Traced:
    """The convolution of x [N, C, spatial...] with filters [F, C / groups, kernel...].

    ``strides`` and ``dilations`` are a number, or one for each spatial axis; ``pads`` are a number,
    or those before each spatial axis, then those after each: zeros, multiplied like any value.
    """
    left, right = promoted(x, filters)
    rank = max(left.ndim - 2, 0)
    return left.trace.emit(
        ConvOp,
        left,
        right,
        strides=_each(strides, rank),
        dilations=_each(dilations, rank),
        pads=_each(pads, 2 * rank),
        groups=operator.index(groups),
    )


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
    left, right = promoted(x, filters)
    rank = max(left.ndim - 2, 0)
    return left.trace.emit(
        ConvTransposeOp,
        left,
        right,
        strides=_each(strides, rank),
        dilations=_each(dilations, rank),
        pads=_each(pads, 2 * rank),
        output_padding=_each(output_padding, rank),
        groups=operator.index(groups),
    )


def _each(values: Any, count: int) -> tuple[int, ...]:
    """Numbers as they are listed, or one for all."""
    if isinstance(values, tuple | list):
        return tuple(map(operator.index, items(values)))
    return (operator.index(values),) * count


def contract(terms: Sequence[Term], output: Sequence[Label]) -> Traced:
    """The sum of products over all labels but those of the ``output``, which has them in order."""
    left, *rest = _without_stretched(terms)
    _require_equal([left, *rest])
    for k, right in enumerate(rest):
        later = [label for _, axes in rest[k + 1 :] for label in axes]
        left = _product(left, right, {*output, *later})
    x, labels = _summed(left, set(output))
    return transpose(x, [labels.index(label) for label in output])


def _without_stretched(terms: Sequence[Term]) -> list[Term]:
    """The terms without axes of extent 1 that have other extents elsewhere: products broadcast."""
    longer = {
        label
        for x, labels in terms
        for label, extent in zip(labels, x.extents, strict=True)
        if extent != 1
    }
    result: list[Term] = []
    for x, labels in terms:
        kept = [k for k, e in enumerate(x.extents) if e != 1 or labels[k] not in longer]
        shape = [x.shape[k] for k in kept]
        result.append((reshape(x, tuple(shape)), [labels[k] for k in kept]))
    return result


def _require_equal(terms: Sequence[Term]) -> None:
    """State that axes of one label have one extent."""
    first: dict[Label, ex.Expr] = {}
    for x, labels in terms:
        for label, extent in zip(labels, x.extents, strict=True):
            name = f"axis {label!r}" if isinstance(label, str) else "an axis"
            known = first.setdefault(label, extent)
            x.trace.require_equal(known, extent, f"contracted extents of {name} differ")


def _summed(term: Term, kept: set[Label]) -> Term:
    """The sum over all axes that are not kept; of booleans, whether any is true."""
    x, labels = term
    axes = tuple(k for k, label in enumerate(labels) if label not in kept)
    if not axes:
        return term
    total = _any(x, axes) if x.element is el.I1 else _sum(x, axes, x.element)
    return total, [label for label in labels if label in kept]


def _product(left: Term, right: Term, kept: set[Label]) -> Term:
    """Two terms as one, without the axes that only they have and that are not kept."""
    x, first = _summed(left, {*kept, *right[1]})
    y, second = _summed(right, {*kept, *left[1]})
    gone = [k for k in first if k in second and k not in kept]
    both = [k for k in first if k in second and k in kept]
    rows = [k for k in first if k not in second]
    columns = [k for k in second if k not in first]
    labels = [*both, *rows, *columns]
    if not gone:
        x = _grouped(x, [[first.index(k)] if k in first else [] for k in labels])
        y = _grouped(y, [[second.index(k)] if k in second else [] for k in labels])
        return _multiply(x, y), labels
    in_x = [[first.index(k) for k in group] for group in (*([k] for k in both), rows, gone)]
    in_y = [[second.index(k) for k in group] for group in (*([k] for k in both), gone, columns)]
    product = matmul(_grouped(x, in_x), _grouped(y, in_y))
    extents = product.extents[: len(both)]
    extents += tuple(x.extents[first.index(k)] for k in rows)
    extents += tuple(y.extents[second.index(k)] for k in columns)
    return _reshaped(product, extents), labels


def _grouped(x: Array, groups: Sequence[Sequence[int]]) -> Array:
    """The axes in the order of the groups, each group one axis; one of extent 1 for no axes."""
    moved = transpose(x, [k for group in groups for k in group])
    return _reshaped(moved, [ex.product(x.extents[k] for k in group) for group in groups])


def _reshaped(x: Array, extents: Sequence[ex.Expr]) -> Array:
    return reshape(x, tuple(as_extent(x.trace, e) for e in extents))
