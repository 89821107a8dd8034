"""Functions of jax, exported and compiled, beside ``jax.jit``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import opc
from tests.unit.common import ROOT

jax: Any = pytest.importorskip("jax")

RNG = np.random.default_rng(0)


def drawn(*shape: int) -> Any:
    return RNG.normal(size=shape).astype(np.float32)


def attention(q: Any, k: Any, v: Any) -> Any:
    jnp = jax.numpy
    scores = q @ k.swapaxes(-1, -2) / 2.0
    seen = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jax.nn.softmax(jnp.where(seen, scores, -jnp.inf), -1) @ v


def recurrent(xs: Any, w: Any, u: Any) -> Any:
    def step(h: Any, x: Any) -> Any:
        h = jax.numpy.tanh(h @ w + x @ u)
        return h, h

    return jax.lax.scan(step, jax.numpy.zeros(5), xs)


def root(x: Any) -> Any:
    def goes(state: Any) -> Any:
        return (state[1] < 20) & (abs(state[0] ** 2 - 2) > 1e-6)

    return jax.lax.while_loop(
        goes, lambda s: (s[0] - (s[0] ** 2 - 2) / (2 * s[0]), s[1] + 1), (x, 0)
    )


def loss(w: Any, x: Any) -> Any:
    return jax.numpy.mean(jax.nn.relu(x @ w) ** 2)


def pooled(x: Any) -> Any:
    most = jax.lax.reduce_window(x, -np.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return (most**2).sum()


def convolved(x: Any, w: Any) -> Any:
    names = ("NHWC", "HWIO", "NHWC")
    return jax.lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=names)


def random(key: Any) -> Any:
    return jax.random.normal(jax.random.wrap_key_data(key), (3, 4))


FUNCTIONS: dict[str, Any] = {
    "dense": (lambda x, w, b: jax.numpy.tanh(x @ w + b).sum(), (4, 6), (6, 5), (5,)),
    "attention": (attention, (2, 5, 4), (2, 5, 4), (2, 5, 4)),
    "recurrent": (recurrent, (7, 6), (5, 5), (6, 5)),
    "gradient": (lambda w, x: jax.value_and_grad(loss)(w, x), (6, 5), (4, 6)),
    "gradient of a pool": (lambda x: jax.grad(pooled)(x), (1, 4, 4, 2)),
    "convolution": (convolved, (2, 8, 8, 3), (3, 3, 3, 4)),
    "gradient of a convolution": (
        lambda w, x: jax.grad(lambda v: (convolved(x, v) ** 2).sum())(w),
        (3, 3, 3, 4),
        (2, 8, 8, 3),
    ),
    "orders": (
        lambda x: (jax.numpy.sort(x, 1), jax.numpy.argsort(x, 0), jax.lax.top_k(x, 3)),
        (4, 6),
    ),
    "approximate orders": (
        lambda x: (
            jax.lax.approx_max_k(x, 3),
            jax.lax.approx_min_k(x, 2, reduction_dimension=0),
            jax.lax.approx_max_k(x, 2, aggregate_to_topk=False),
        ),
        (4, 6),
    ),
    "sort by two": (lambda x, y: jax.lax.sort((x.round(), y), num_keys=2), (4, 6), (4, 6)),
    "totals": (lambda x: (x.cumsum(1), x.cumprod(0), jax.lax.cummax(x, axis=1)), (4, 6)),
    "places": (lambda x: (x.argmax(1), x.argmin(), x.min(0)), (4, 6)),
    "bits of a reduction": (
        lambda x: (
            jax.lax.reduce_xor((x * 100).astype("int32"), (1,)),
            jax.lax.reduce_or((x * 100).astype("uint8"), (0,)),
            jax.lax.reduce_and((x * 9).astype("int8"), (0, 1)),
            jax.lax.reduce_xor(x > 0, (1,)),
        ),
        (4, 6),
    ),
    "indices": (
        lambda x: (x[np.array([2, 0])], x.at[np.array([1, 1])].add(2.0), x.at[:, 3].set(0.0)),
        (4, 6),
    ),
    "special": (
        lambda x: (jax.scipy.special.gammaln(x), jax.scipy.special.erfinv(x / 4)),
        (4, 6),
    ),
    "factors": (
        lambda x: (
            jax.numpy.linalg.cholesky(x @ x.T + jax.numpy.eye(4)),
            jax.numpy.linalg.qr(x.T),
            jax.numpy.linalg.det(x[:, :4]),
        ),
        (4, 6),
    ),
    "systems": (
        lambda x, y: (
            jax.numpy.linalg.solve(x, y),
            jax.numpy.linalg.inv(x),
            jax.scipy.linalg.solve_triangular(x, y, lower=True, trans=1),
        ),
        (3, 4, 4),
        (3, 4, 2),
    ),
    "branches": (
        lambda x: jax.lax.switch(
            (x[0, 0] > 0).astype("int32"), [lambda v: v, lambda v: v @ x, lambda v: v * v], x @ x
        ),
        (6, 6),
    ),
}


def compare(function: Any, *inputs: Any) -> None:
    exported = jax.export.export(jax.jit(function))(*inputs)
    results = opc.compile(exported)(*inputs)
    results = results if isinstance(results, tuple) else (results,)
    wanted = jax.tree_util.tree_leaves(jax.jit(function)(*inputs))
    assert len(results) == len(wanted)
    for result, array in zip(results, map(np.asarray, wanted), strict=True):
        assert np.asarray(result).dtype == array.dtype
        np.testing.assert_allclose(result, array, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function(name: str) -> None:
    function, *shapes = FUNCTIONS[name]
    compare(function, *(drawn(*shape) for shape in shapes))


def test_loop_with_a_condition() -> None:
    compare(root, np.float32(1.5))


def test_random_numbers_are_those_of_jax() -> None:
    compare(random, np.array([0, 7], np.uint32))


def test_unknown_batch() -> None:
    shape = jax.export.symbolic_shape("n, 6")
    argument = jax.ShapeDtypeStruct(shape, np.float32)
    exported = jax.export.export(jax.jit(lambda x: jax.nn.softmax(x * 2.0, -1).mean(0)))(argument)
    f, x = opc.compile(exported), drawn(5, 6)
    wanted = jax.nn.softmax(x * 2.0, -1).mean(0)
    np.testing.assert_allclose(f(x), wanted, rtol=2e-5)


UNKNOWN: dict[str, Any] = {
    "totals": (lambda x: x.cumsum(0), "n, 6", (5, 6)),
    "totals from each on": (lambda x: jax.lax.cumsum(x, 0, reverse=True), "n, 6", (5, 6)),
    "extremes": (lambda x: jax.lax.cummax(x, 1) - jax.lax.cummin(x, 0), "n, m", (5, 6)),
    "extremes from each on": (lambda x: jax.lax.cummax(x, 0, reverse=True), "n, 6", (5, 6)),
    "sums of exponentials": (lambda x: jax.lax.cumlogsumexp(x, 0), "n, 6", (5, 6)),
    "padded convolution": (
        lambda x: jax.lax.conv_general_dilated(x, np.ones((3, 3, 2, 4), np.float32), (2, 2), "SAME",
            dimension_numbers=("NHWC", "HWIO", "NHWC")),
        "b, h, w, 2",
        (2, 7, 6, 2),
    ),
    "padded windows": (
        lambda x: jax.lax.reduce_window(x, -np.inf, jax.lax.max, (1, 3), (1, 2), "SAME"),
        "n, m", (5, 7),
    ),
    "gradient of a pool": (lambda x: jax.grad(pooled)(x), "b, h, w, 2", (2, 6, 4, 2)),
    "pads by extents": (lambda x: jax.numpy.pad(x, ((0, x.shape[0]), (1, 2))), "n, 6", (5, 6)),
    "factors of a product": (
        lambda x: jax.numpy.linalg.cholesky(x @ x.T + 9 * jax.numpy.eye(x.shape[0])),
        "n, 6", (5, 6),
    ),
    "a system": (
        lambda x: jax.numpy.linalg.solve(x + 9 * jax.numpy.eye(x.shape[0]), x), "n, n", (5, 5),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNKNOWN)
def test_unknown_extents(name: str) -> None:
    function, extents, shape = UNKNOWN[name]
    argument = jax.ShapeDtypeStruct(jax.export.symbolic_shape(extents), np.float32)
    f, x = opc.compile(jax.export.export(jax.jit(function))(argument)), drawn(*shape)
    np.testing.assert_allclose(f(x), function(x), rtol=2e-5, atol=2e-6)


def test_what_the_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "docs/stablehlo.md").read_text(encoding="utf-8")
    block = text.partition("```\nimport jax, opc\n")[2].partition("```")[0]
    exec("import jax, opc\n" + block, {})
    assert "void" in capsys.readouterr().out
