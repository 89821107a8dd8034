"""Factors of matrices and systems of equations, also as jax calls LAPACK for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.models import linalg
from opc.frontend.stablehlo.node import Node, operation


@operation("triangular_solve")
def triangular_solve(
    a: Any, rhs: Any, *, left_side: bool, lower: bool, unit_diagonal: bool, transpose_a: str
) -> Any:
    """x of a x = b, or of x a = b."""
    return linalg.solve_triangular(
        a,
        rhs,
        left=left_side,
        lower=lower,
        unit=unit_diagonal,
        transposed=transpose_a != "NO_TRANSPOSE",
    )


@operation("cholesky")
def cholesky(a: Any, *, lower: bool = False) -> Any:
    """A triangle of which the square is a."""
    return triangle(a, lower)


def triangle(a: Any, lower: bool) -> Any:
    """The factor of Cholesky by one triangle of a."""
    if lower:
        return linalg.cholesky(a)
    return onp.swapaxes(linalg.cholesky(onp.swapaxes(a, -1, -2)), -1, -2)


def _is(node: Node, name: str, letter: str) -> bool:
    """Whether an option of LAPACK is a letter, which the text has as a number."""
    return node.attr("mhlo.backend_config").get(name) == ord(letter)


def potrf(a: Any, *, node: Node) -> list[Any]:
    """The factor of Cholesky, and 1 where there is none."""
    low = triangle(a, _is(node, "uplo", "L"))
    return [low, onp.any(onp.isnan(low), axis=(-2, -1)).astype("i32")]


def getrf(a: Any, *, node: Node) -> list[Any]:
    """Both triangles of LU, the rows exchanged, counted from 1, and 0."""
    x, pivots = linalg.lu(a)
    return [x, (pivots + 1).astype("i32"), node.trace.full(a.extents[:-2], 0, el.BY_NAME["i32"])]


def trsm(a: Any, b: Any, *, node: Node) -> Any:
    """The solution of a triangular system."""
    return linalg.solve_triangular(
        a,
        b,
        left=_is(node, "side", "L"),
        lower=_is(node, "uplo", "L"),
        unit=_is(node, "diag", "U"),
        transposed=not _is(node, "trans_x", "N"),
    )


def geqrf(a: Any, *, node: Node) -> list[Any]:
    """R and the vectors of reflections, and their factors."""
    return list(linalg.householder(a))


def orgqr(a: Any, factors: Any, *, node: Node) -> Any:
    """Q of reflections."""
    return linalg.product_of_reflections(a, factors)


SOLVERS: dict[str, Callable[..., Any]] = {
    f"lapack_{letter}{function.__name__}_ffi": function
    for letter in "sd"
    for function in (potrf, getrf, trsm, geqrf)
} | {"lapack_sorgqr_ffi": orgqr, "lapack_dorgqr_ffi": orgqr}
"""The custom calls of jax on processors that factor and solve, in f32 and f64."""
