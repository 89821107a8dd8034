"""A hand-written library for the tests of calls, with the interfaces of its functions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from opc.errors import ArgumentError
from opc.runtime.cache import build
from opc.support.interface import Interface, TensorSpec

C_TEXT = """
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* x + b on f32[2,3] */
int add_run(const float *restrict x, const float *restrict b, float *restrict y, void *w)
{
    (void)w;
    for (int i = 0; i < 6; i++) y[i] = x[i] + b[i];
    return 0;
}

/* x[N,3] + b[N], with a check that N is not 13 */
int rows_plan(int64_t n, const float *x, const float *b, int64_t *shapes, size_t *bytes)
{
    (void)x; (void)b;
    shapes[0] = n; shapes[1] = 3;
    *bytes = (size_t)n * 4;
    return 0;
}
int rows_run(int64_t n, const float *x, const float *b, float *y, void *w)
{
    float *space = (float *)w;
    if (n == 13) return 1;
    if (n > 0 && ((uintptr_t)w & 63) != 0) return 2;
    for (int64_t i = 0; i < n; i++) space[i] = b[i];
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < 3; j++) y[3 * i + j] = x[3 * i + j] + space[i];
    return 0;
}

/* the first n of x[4], n read from an input; a check that 0 <= n <= 4 */
int first_plan(const int64_t *n, const float *x, int64_t *shapes, size_t *bytes)
{
    (void)x;
    if (*n == 100) { shapes[0] = -1; *bytes = 0; return 0; }
    if (*n == 101) { shapes[0] = INT64_MAX; *bytes = 0; return 0; }
    if (*n == 102) { shapes[0] = 0; *bytes = SIZE_MAX - 64; return 0; }
    if (*n < 0 || *n > 4) return 1;
    shapes[0] = *n; *bytes = 0;
    return 0;
}
int first_run(const int64_t *n, const float *x, float *y, void *w)
{
    (void)w;
    for (int64_t i = 0; i < *n; i++) y[i] = x[i];
    return 0;
}

/* sum and difference of i32 scalars */
int two_run(const int32_t *a, const int32_t *b, int32_t *s, int32_t *d, void *w)
{
    (void)w; *s = *a + *b; *d = *a - *b;
    return 0;
}

int none_run(const float *x, void *w) { (void)x; (void)w; return 0; }
int source_run(float *y, void *w) { (void)w; y[0] = 1; y[1] = 2; return 0; }

/* one unsigned integer of each width, as small floats and bools are */
int u8_run(const uint8_t *x, uint8_t *y, void *w) { (void)w; *y = *x != 0; return 0; }
int u16_run(const uint16_t *x, uint16_t *y, void *w) { (void)w; *y = *x; return 0; }
int u32_run(const uint32_t *x, uint32_t *y, void *w) { (void)w; *y = *x; return 0; }
int u64_run(const uint64_t *x, uint64_t *y, void *w) { (void)w; *y = *x; return 0; }

/* x * weights[1], on one f32 */
int weigh_run(const float *x, const void *weights, float *y, void *w)
{
    (void)w;
    *y = *x * ((const float *)weights)[1];
    return 0;
}

/* the address of the workspace, which it writes to */
int space_run(uint64_t *y, void *w)
{
    for (int i = 0; i < 1000; i++) ((char *)w)[i] = 1;
    *y = (uint64_t)(uintptr_t)w;
    return 0;
}

/* waits until somebody else changes x from 0, at most 20 seconds */
int wait_run(const double *x, double *y, void *w)
{
    const volatile double *watched = x;
    time_t end = time(NULL) + 20;
    (void)w;
    while (*watched == 0 && time(NULL) < end) {}
    *y = *watched;
    return 0;
}

int fail_run(const float *x, float *y, void *w) { (void)w; *y = *x; return (int)*x; }
"""

F32 = np.dtype(np.float32)
I32 = np.dtype(np.int32)
BF16 = np.dtype(ml_dtypes.bfloat16)


@functools.cache
def built_library() -> Path:
    """The library of ``C_TEXT``."""
    return build(C_TEXT, target="baseline", cache=None)


def interface(
    prefix: str,
    inputs: Mapping[str, tuple[Any, tuple[int | str, ...]]],
    outputs: Mapping[str, tuple[Any, tuple[int | str, ...]]],
    dims: tuple[str, ...] = (),
    workspace: int | None = 0,
    has_weights: bool = False,
    checks: tuple[str, ...] = (),
) -> Interface:
    """An interface of a function ``main``."""

    def specs(given: Mapping[str, tuple[Any, tuple[int | str, ...]]]) -> tuple[TensorSpec, ...]:
        return tuple(TensorSpec(n, np.dtype(dtype), shape) for n, (dtype, shape) in given.items())

    return Interface(
        prefix, "main", specs(inputs), specs(outputs), dims, workspace, has_weights, checks
    )


ADD = interface("add", {"x": (F32, (2, 3)), "b": (F32, (2, 3))}, {"y": (F32, (2, 3))})
SCHEMAS = interface(
    "rows",
    {"x": (F32, ("N", 3)), "b": (F32, ("N",))},
    {"y": (F32, ("N", 3))},
    dims=("N",),
    workspace=None,
    checks=("opc.rows: {N} rows are unlucky in {graph}", "misaligned"),
)
FIRST = interface(
    "first",
    {"n": (np.int64, ()), "x": (F32, (4,))},
    {"y": (F32, ("n",))},
    workspace=None,
    checks=("opc.first: the length is not from 0 to 4",),
)
TWO = interface("two", {"a": (I32, ()), "b": (I32, ())}, {"s": (I32, ()), "d": (I32, ())})


def one(prefix: str, dtype: Any) -> Interface:
    """A function of one scalar ``x``."""
    return interface(prefix, {"x": (dtype, ())}, {"y": (dtype, ())})


def layouts(exact: Any) -> dict[str, Any]:
    """The same values laid out in ways that C cannot read."""
    buffer = np.zeros(exact.nbytes + 1, np.uint8)
    unaligned = buffer[1:].view(exact.dtype).reshape(exact.shape)
    unaligned[...] = exact
    wide = np.zeros((*exact.shape[:-1], 2 * exact.shape[-1]), exact.dtype)
    wide[..., ::2] = exact
    return {
        "fortran": np.asfortranarray(exact),
        "strided": wide[..., ::2],
        "reversed": exact[::-1].copy()[::-1],
        "unaligned": unaligned,
        "swapped": exact.astype(exact.dtype.newbyteorder()),
        "swapped and strided": wide.astype(exact.dtype.newbyteorder())[..., ::2],
        "broadcast": np.broadcast_to(exact, exact.shape),
        "read-only": np.frombuffer(exact.tobytes(), exact.dtype).reshape(exact.shape),
    }


def refused(message: str, call: Callable[[], Any], kind: type[Exception] = ArgumentError) -> None:
    """Check that ``call`` raises exactly ``message``."""
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == message
