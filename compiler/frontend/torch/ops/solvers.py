"""Factors of matrices, inverses, determinants and systems of equations."""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.models import linalg
from opc.frontend.models.bodies import Arrays, scan
from opc.frontend.torch.node import Node, aten

I32 = el.BY_NAME["i32"]


def no_error(node: Node, a: Any) -> Any:
    """0 for each matrix."""
    return node.trace.full(a.extents[:-2], 0, I32)


@aten("linalg_cholesky_ex")
def cholesky(
    a: Any, upper: bool = False, check_errors: bool = False, *, node: Node
) -> tuple[Any, ...]:
    """The lower triangle of which the square is a, or the upper one, and where there is none."""
    low = linalg.cholesky(onp.swapaxes(a, -1, -2) if upper else a)
    wrong = onp.any(onp.isnan(low), axis=(-2, -1)).astype(I32)
    return onp.swapaxes(low, -1, -2) if upper else low, wrong


@aten("linalg_solve_triangular")
def solve_triangular(
    a: Any, b: Any, *, upper: bool, node: Node, left: bool = True, unitriangular: bool = False
) -> Any:
    """x of a x = b, or of x a = b."""
    shape = node.shape_of_result()
    a, b = (node.stretched(v, [*shape[:-2], *v.extents[-2:]]) for v in (a, b))
    how = {"left": left, "lower": not upper, "unit": unitriangular, "transposed": False}
    return linalg.solve_triangular(a, b, **how)


def solved(x: Any, pivots: Any, b: Any) -> Any:
    """The solution of a system with the factors that ``lu`` gives."""

    def exchanged(index: Any, order: Any, pivot: Any) -> tuple[Arrays, Arrays]:
        rows, other = order.trace.positions(order.extents[-1]), onp.expand_dims(pivot, -1)
        place = onp.where(rows == index, other, onp.where(rows == other, index, rows))
        return [onp.take_along_axis(order, place, axis=-1)], []

    rows = onp.broadcast_to(x.trace.positions(x.extents[-1]), x.extents[:-1])
    over = [onp.moveaxis(pivots, -1, 0)]
    (order,), _ = scan(x.extents[-1], [rows], over, [], exchanged, has_index=True)
    order = onp.broadcast_to(onp.expand_dims(order, -1), b.extents)
    b = onp.take_along_axis(b, order, axis=-2)
    how = {"left": True, "transposed": False}
    b = linalg.solve_triangular(x, b, lower=True, unit=True, **how)
    return linalg.solve_triangular(x, b, lower=False, unit=False, **how)


@aten("_linalg_solve_ex")
def solve(
    a: Any, b: Any, *, node: Node, left: bool = True, check_errors: bool = False
) -> tuple[Any, ...]:
    """x of a x = b, the factors of a, and 0."""
    shape = node.shape_of_result()
    is_vector = b.ndim == 1 or (b.ndim == a.ndim - 1 and b.extents == a.extents[:-1])
    wide = [*shape, 1] if is_vector else [*shape]
    b = onp.broadcast_to(onp.expand_dims(b, -1) if is_vector else b, wide)
    a = onp.broadcast_to(a, [*wide[:-2], *a.extents[-2:]])
    a, b = (v if left else onp.swapaxes(v, -1, -2) for v in (a, b))
    x, pivots = linalg.lu(a)
    y = solved(x, pivots, b)
    y = node.shaped(y if left else onp.swapaxes(y, -1, -2), shape)
    return y, x, (pivots + 1).astype(I32), no_error(node, a)


@aten("linalg_inv_ex")
def inverse(a: Any, check_errors: bool = False, *, node: Node) -> tuple[Any, ...]:
    """The inverse, and 0."""
    rows = node.trace.positions(a.extents[-1])
    eye = (onp.expand_dims(rows, -1) == rows).astype(a.element)
    return solved(*linalg.lu(a), onp.broadcast_to(eye, a.extents)), no_error(node, a)


@aten("linalg_lu_factor_ex")
def lu_factor(
    a: Any, *, node: Node, pivot: bool = True, check_errors: bool = False
) -> tuple[Any, ...]:
    """Both triangles in one array, the rows exchanged, counted from 1, and 0."""
    x, pivots = linalg.lu(a)
    return x, (pivots + 1).astype(I32), no_error(node, a)


def diagonal_and_sign(x: Any, pivots: Any) -> tuple[Any, Any]:
    """The diagonal of factors, and 1 or -1 for an even or odd number of exchanged rows."""
    rows = x.trace.positions(x.extents[-1])
    diagonal = onp.sum(onp.where(onp.expand_dims(rows, -1) == rows, x, 0), axis=-1)
    odd = onp.sum((pivots != rows).astype(el.I64), axis=-1) & 1
    return diagonal, 1.0 - 2.0 * odd.astype(x.element)


@aten("_linalg_det")
def determinant(a: Any) -> tuple[Any, ...]:
    """The determinant and the factors."""
    x, pivots = linalg.lu(a)
    diagonal, sign = diagonal_and_sign(x, pivots)
    return onp.prod(diagonal, axis=-1) * sign, x, (pivots + 1).astype(I32)


@aten("_linalg_slogdet")
def sign_and_logarithm(a: Any) -> tuple[Any, ...]:
    """The sign of the determinant, the logarithm of its size, and the factors."""
    x, pivots = linalg.lu(a)
    diagonal, sign = diagonal_and_sign(x, pivots)
    size = onp.sum(onp.log(onp.abs(diagonal)), axis=-1)
    sign = onp.prod(onp.sign(diagonal), axis=-1) * sign
    return sign, size, x, (pivots + 1).astype(I32)


@aten("linalg_qr")
def qr(a: Any, mode: str = "reduced", *, node: Node) -> tuple[Any, ...]:
    """Q and R of a = Q R."""
    if mode != "reduced" or a.extents[-1].constant is None or a.extents[-2].constant is None:
        raise node.unsupported(f"mode {mode}, or extents that are not known when compiling")
    x, factors = linalg.householder(a)
    count: int = factors.extents[-1].constant
    rows, columns = (node.trace.positions(e) for e in (factors.extents[-1], a.extents[-1]))
    r = onp.where(onp.expand_dims(rows, -1) <= columns, x[..., :count, :], 0)
    return linalg.product_of_reflections(x[..., :, :count], factors), r
