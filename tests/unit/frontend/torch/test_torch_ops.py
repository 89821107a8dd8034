"""Operators by family, beside eager PyTorch; ``python -m tests.suites.torch`` has many more."""

from __future__ import annotations

from typing import Any

import pytest

from .torch_modules import agrees, agrees_undecomposed, torch

ATEN, F = torch.ops.aten, torch.nn.functional
INF, NAN = float("inf"), float("nan")
SPECIAL = torch.tensor([NAN, INF, -INF, 0.0, -0.0, 1.5, -2.5, 3.0])
WHOLE = torch.tensor([-7, -3, 0, 2, 5, 9])


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(0)


POINTWISE: dict[str, Any] = {
    "clamp": lambda x: x.clamp(-1, 2),
    "remainder": lambda x: torch.remainder(x, -1.5),
    "fmod": lambda x: torch.fmod(x, -1.5),
    "floor_divide": lambda x: torch.div(x, -2.0, rounding_mode="floor"),
    "truncated": lambda x: torch.div(x, -2.0, rounding_mode="trunc"),
    "sign": torch.sign,
    "round": torch.round,
    "maximum": lambda x: torch.maximum(x, x.flip(0)),
    "relu": torch.relu,
    "elu": F.elu,
    "leaky_relu": F.leaky_relu,
    "hardtanh": F.hardtanh,
    "where": lambda x: torch.where(x > 0, x, 1.0),
    "compared": lambda x: (x == x, x != x, x < 1, x >= 0.0, x > x.flip(0)),
    "atan2": lambda x: torch.atan2(x, x.flip(0)),
    "power": lambda x: (x**2, x**-0.5, 2.0**x, x**x),
    "predicates": lambda x: (torch.isnan(x), torch.isinf(x), torch.logical_not(x)),
    "either": lambda x: (torch.fmax(x, x.flip(0)), torch.fmin(x, x.flip(0)), torch.signbit(x)),
    "special": lambda x: (torch.erfc(x), torch.lgamma(x), torch.digamma(x), torch.erfinv(x / 4)),
    "bessel": lambda x: (torch.i0(x), torch.special.i0e(x), torch.special.i1(x)),
    "bits": lambda x: (x.view(torch.int32), torch.angle(x)),
    "next": lambda x: (torch.nextafter(x, x.flip(0)), torch.copysign(x, x.flip(0))),
    "logarithms": lambda x: (torch.log2(x), torch.log10(x), torch.log1p(x)),
}


@pytest.mark.parametrize("name", POINTWISE)
def test_pointwise_of_special_numbers(name: str) -> None:
    agrees(POINTWISE[name], SPECIAL)


@pytest.mark.parametrize("type", ["int64", "int32", "int8", "uint8"])
def test_whole_numbers(type: str) -> None:
    def function(x: Any) -> Any:
        three = torch.div(x, 2, rounding_mode="floor"), torch.div(x, 2, rounding_mode="trunc")
        shifted = x << 1, x >> 1, torch.bitwise_left_shift(x, 2)
        return (
            *three,
            *shifted,
            x / 2,
            x % 3,
            torch.fmod(x, 3),
            x & 3,
            x | 8,
            x.sum(),
            x * x,
            x.float(),
        )

    agrees(function, WHOLE.to(getattr(torch, type)))


def test_truth_values() -> None:
    def function(x: Any) -> Any:
        y = x.flip(0)
        return (
            x + y,
            x * y,
            x & y,
            ~x,
            x.sum(),
            x.any(),
            x.all(),
            x.cumsum(0),
            x.float().mean(),
            x < y,
        )

    agrees(function, torch.tensor([True, False, False]))


def test_promotion() -> None:
    def function(x: Any, y: Any, z: Any) -> Any:
        return x + y, x + 1.5, x * z, y + z, x / x, x > 0.5, torch.where(x > 0, x, y), z + 1

    agrees(function, WHOLE, torch.randn(6), torch.tensor(2.5, dtype=torch.float64))


REDUCTIONS: dict[str, Any] = {
    "sum": lambda x: (x.sum(), x.sum(-1), x.sum((0, 2), True)),
    "mean": lambda x: (x.mean(), x.mean(-2)),
    "product": lambda x: (x.prod(), x.prod(1)),
    "extremes": lambda x: (x.amax(-1), x.amin((0, 1)), *x.max(1), *x.min(-1)),
    "positions": lambda x: (x.argmax(), x.argmin(1), x.argmax(-1, keepdim=True)),
    "variance": lambda x: (x.var(), x.var(-1), x.std(0, correction=0), x.var(1, keepdim=True)),
    "softmax": lambda x: (x.softmax(0), x.log_softmax(-1), torch.logsumexp(x, 1)),
    "cumulative": lambda x: (x.cumsum(1), x.cumprod(-1)),
    "sorted": lambda x: (*x.sort(1), *x.sort(-1, descending=True), *x.topk(2, 1)),
    "norms": lambda x: (F.layer_norm(x, (3, 5)), F.group_norm(x, 3), F.instance_norm(x)),
    "distances": lambda x: (torch.cdist(x, x + 1), F.pdist(x[0]), torch.cdist(x, x + 1, 1.0)),
}


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name: str) -> None:
    agrees(REDUCTIONS[name], torch.randn(2, 3, 5))


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (1,)])
def test_scalars_and_empty_tensors(shape: tuple[int, ...]) -> None:
    def function(x: Any) -> Any:
        every = x.sum(), x.sum(-1), x + 1, x.cumsum(0), x.prod(), x.any(), x.reshape(-1)
        return (*every, x.unsqueeze(0), torch.cat([x.reshape(-1), x.reshape(-1)]))

    agrees(function, torch.randn(shape))


MOVES: dict[str, Any] = {
    "slices": lambda x: (x[:, -3:], x[..., ::2], x[1], x[:, 1:-1, 2], x[:, None]),
    "permuted": lambda x: (x.transpose(0, -1), x.permute(2, 0, 1), x.flip(0, -1)),
    "repeated": lambda x: (x.repeat(2, 1, 3), x.expand(2, 2, 4, 5), x.repeat_interleave(2, 1)),
    "split": lambda x: (*x.split([1, 3], 1), *x.chunk(2, 1), x.unfold(2, 3, 2)),
    "diagonal": lambda x: (x.diagonal(0, 1, 2), x.diagonal(-1, -1, 0), x.tril(), x.triu(1)),
    "padded": lambda x: (F.pad(x, (1, -2)), F.pad(x, (1, 2, 3, 0), value=2.0)),
    "mirrored": lambda x: (F.pad(x, (2, 1), "reflect"), F.pad(x, (2, 1), "replicate")),
    "rolled": lambda x: (x.roll(1, 1), x.flatten(), torch.stack([x, x], -2)),
    "strided": lambda x: torch.as_strided(x, (2, 3), (5, 2), 1),
    "made": lambda x: (
        torch.arange(1, 9, 2),
        torch.ones_like(x),
        torch.full((2,), 3),
        torch.eye(3),
    ),
}


@pytest.mark.parametrize("name", MOVES)
def test_moves(name: str) -> None:
    agrees(MOVES[name], torch.randn(2, 4, 5))


PLACES = torch.tensor([[0, 2, 1], [3, 0, 0]])
INDEXED: dict[str, Any] = {
    "embedding": lambda x: F.embedding(PLACES, x),
    "bag": lambda x: F.embedding_bag(PLACES[0], x, torch.tensor([0, 2]), mode="mean"),
    "selected": lambda x: (x.index_select(1, PLACES[0]), x.gather(1, PLACES), x[PLACES[:, 0] - 1]),
    "indexed": lambda x: (x[:, PLACES], x[PLACES, PLACES], x[PLACES[0], :3][:, PLACES[0]]),
    "scattered": lambda x: (x.scatter(1, PLACES, x), x.scatter(1, PLACES, 2.0)),
    "added": lambda x: x.scatter_add(1, PLACES, x),
    "reduced": lambda x: tuple(
        x.scatter_reduce(1, PLACES, x, how, include_self=self)
        for how in ("sum", "prod", "mean", "amax", "amin")
        for self in (True, False)
    ),
    "put": lambda x: torch.index_put(x, (PLACES[0], PLACES[0]), x[0, :3], accumulate=True),
    "replaced": lambda x: (x.slice_scatter(x[:, :2], 1, 1, 4, 2), x.select_scatter(x[0], 0, -1)),
    "masked": lambda x: (x.masked_fill(x > 0, 1.0), x.masked_scatter(x > 0, x.flip(0))),
    "put where true": lambda x: (
        torch.index_put(x, (x > 0,), torch.tensor(2.0)),
        ATEN.index_put(x, [None, x[0] > 0], x[:1, :1], True),
        torch.index_put(x, (torch.tensor([True, False, True, False, False]),), x[:2]),
    ),
}


@pytest.mark.parametrize("name", INDEXED)
def test_indexed(name: str) -> None:
    agrees(INDEXED[name], torch.randn(5, 5))


def conv(*sizes: int, **options: Any) -> Any:
    w, bias = torch.randn(*sizes), torch.randn(sizes[0])
    return lambda x: getattr(F, f"conv{len(sizes) - 2}d")(x, w, bias, **options)


def turned(*sizes: int, **options: Any) -> Any:
    w = torch.randn(*sizes)
    return lambda x: getattr(F, f"conv_transpose{len(sizes) - 2}d")(x, w, **options)


IMAGES: dict[str, Any] = {
    "conv": conv(6, 4, 3, 2, stride=2, padding=1, dilation=2),
    "depthwise": conv(4, 1, 3, 3, groups=4, padding="same"),
    "transposed": turned(4, 3, 3, 2, stride=2, padding=1, output_padding=1),
    "transposed groups": turned(4, 3, 3, 3, groups=2, dilation=2),
    "max pool": lambda x: F.max_pool2d(x, 3, 2, 1, ceil_mode=True, return_indices=True),
    "mean pool": lambda x: (
        F.avg_pool2d(x, 3, 2, 1),
        F.avg_pool2d(x[0], 2, count_include_pad=False),
    ),
    "mean pool up": lambda x: F.avg_pool2d(x, 3, 2, 1, True, False),
    "divided pool": lambda x: F.avg_pool2d(x, 3, 2, 1, divisor_override=5),
    "adaptive pool": lambda x: (F.adaptive_avg_pool2d(x, (3, 5)), F.adaptive_avg_pool2d(x, 1)),
    "nearest": lambda x: F.interpolate(x, scale_factor=1.5),
    "bilinear": lambda x: F.interpolate(x, (5, 13), mode="bilinear"),
    "corners": lambda x: F.interpolate(x, (5, 13), mode="bilinear", align_corners=True),
    "bicubic": lambda x: F.interpolate(x, (5, 13), mode="bicubic"),
    "folded": lambda x: F.fold(F.unfold(x, 3, padding=1, stride=2), (8, 9), 3, padding=1, stride=2),
    "attention": lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True),
}


@pytest.mark.parametrize("name", IMAGES)
def test_images(name: str) -> None:
    agrees(IMAGES[name], torch.randn(2, 4, 8, 9))


@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
def test_points_of_images(mode: str, padding: str) -> None:
    def function(x: Any, grid: Any) -> Any:
        return F.grid_sample(x, grid, mode, padding, align_corners=False)

    agrees(function, torch.randn(2, 3, 4, 5), torch.rand(2, 3, 3, 2) * 2.4 - 1.2)


def gradients_of_convolution(x: Any) -> Any:
    w, y = x[:1, :2, :3, :3].expand(6, 2, 3, 3), x.repeat(1, 2, 1, 1)[:, :6, :4, :5]
    how = [2, 2], [1, 1], [1, 1], False, [0, 0], 2, [True] * 3
    return ATEN.convolution_backward(y, x, w, [6], *how)


def gradients_of_norms(x: Any) -> Any:
    channels = x[0, :, 0, 0].clone()
    y, mean, factor = ATEN.native_layer_norm(x, [9], x[0, 0, 0], x[0, 0, 1], 1e-5)
    first = ATEN.native_layer_norm_backward(
        y * x, x, [9], mean, factor, x[0, 0, 0], x[0, 0, 1], [True] * 3
    )
    _, mean, factor = ATEN.native_group_norm(x, channels, None, 2, 4, 72, 2, 1e-5)
    second = ATEN.native_group_norm_backward(
        x * x, x, mean, factor, channels, 2, 4, 72, 2, [True] * 3
    )
    return (*first, *second)


def gradients_of_pools(x: Any) -> Any:
    small, places = ATEN.max_pool2d_with_indices(x, [3, 3], [2, 2], [1, 1])
    return (
        ATEN.max_pool2d_with_indices_backward(
            small, x, [3, 3], [2, 2], [1, 1], [1, 1], False, places
        ),
        ATEN.avg_pool2d_backward(small, x, [3, 3], [2, 2], [1, 1], False, False, None),
        ATEN._adaptive_avg_pool2d_backward(x[:, :, :3, :5], x),
    )


def gradients_of_embeddings(x: Any) -> Any:
    places = x[0, 0, :6, 0].reshape(2, 3).abs().to(torch.int64)
    return ATEN.embedding_dense_backward(x[0, 0, :6].reshape(2, 3, 9), places, 4, 2, True)


@pytest.mark.parametrize(
    "function",
    [
        gradients_of_convolution,
        gradients_of_norms,
        gradients_of_pools,
        gradients_of_embeddings,
    ],
)
def test_gradients(function: Any) -> None:
    agrees_undecomposed(function, torch.randn(2, 4, 8, 9))


def test_index_put_on_axes_that_are_no_neighbours() -> None:
    """The extents are equal, so no shape tells axes in another order."""

    def function(x: Any, v: Any) -> Any:
        y = x.clone()
        y[[0, 2, 1, 3], :, [0, 1, 2, 3]] = v
        return y

    agrees(function, torch.randn(4, 4, 4), torch.randn(4, 4))


ALONG: dict[str, Any] = {
    "running extremes": lambda x: (torch.cummax(x, 1), torch.cummin(x, 0)),
    "running sum of exponentials": lambda x: torch.logcumsumexp(x, 1),
    "medians": lambda x: (x.median(1), x.median(), x.kthvalue(2, 0), x.median(0, keepdim=True)),
    "norms": lambda x: (x.norm(), torch.linalg.vector_norm(x, 3, dim=1), F.normalize(x)),
    "moments": lambda x: (*torch.var_mean(x, 1), *torch.std_mean(x)),
    "searches": lambda x: (
        torch.searchsorted(x.sort(1)[0], x, right=True),
        torch.bucketize(x, torch.tensor([-1.0, 0.0, 1.0])),
        torch.searchsorted(x[0].sort()[0], 0.3),
        torch.histc(x, 4),
    ),
    "put": lambda x: (
        torch.diagonal_scatter(x, x[0, :5], 1),
        torch.index_reduce(x, 0, torch.tensor([0, 2]), x[:2], "amax"),
        torch.index_reduce(x, 1, torch.tensor([3, 3]), x[:, :2], "mean", include_self=False),
    ),
    "products": lambda x: (
        torch.mv(x, x[0]),
        torch.addmv(x[:, 0], x, x[0], beta=0.5),
        F.bilinear(x[:, :2], x[:, 2:], x[:4, :2].reshape(1, 2, 4)),
        torch.addcmul(x, x, x + 1, value=0.5),
        torch.addcdiv(x, x, x + 9, value=-0.1),
    ),
    "slopes": lambda x: F.rrelu(x, training=False),
    "selected": lambda x: (torch.masked_select(x, x > 0), x.clone().fill_diagonal_(3.0)),
}


@pytest.mark.parametrize("name", ALONG)
def test_along_axes(name: str) -> None:
    agrees(ALONG[name], torch.randn(5, 6))


def test_median_of_nan() -> None:
    x = torch.randn(3, 4)
    x[1, 2] = NAN
    agrees(lambda x: (x.median(1).values, torch.cummax(x, 1), x.nanmedian(1), x.nanmedian()), x)


SOLVED: dict[str, Any] = {
    "triangles": lambda a, b: (torch.linalg.cholesky(a), torch.linalg.cholesky(a, upper=True)),
    "systems": lambda a, b: (torch.linalg.solve(a, b), torch.linalg.solve(a, b, left=False)),
    "vector": lambda a, b: torch.linalg.solve(a[0], b[0, 0]),
    "inverses": lambda a, b: (torch.linalg.inv(b), torch.linalg.det(b), torch.linalg.slogdet(b)),
    "factors": lambda a, b: (torch.linalg.lu_factor(b), torch.linalg.qr(b[:, :, :2])),
    "by factors": lambda a, b: (
        torch.cholesky_solve(b, torch.linalg.cholesky(a)),
        torch.cholesky_solve(b, torch.linalg.cholesky(a, upper=True), upper=True),
        torch.cholesky_inverse(torch.linalg.cholesky(a)),
    ),
    "triangular": lambda a, b: torch.linalg.solve_triangular(a.triu(), b, upper=True),
}


@pytest.mark.parametrize("name", SOLVED)
def test_solvers(name: str) -> None:
    x = torch.randn(2, 4, 4)
    agrees(SOLVED[name], x @ x.mT + torch.eye(4), torch.randn(2, 4, 4))


def test_windows_of_nearly_equal_size() -> None:
    def function(x: Any) -> Any:
        pooled, places = F.adaptive_max_pool2d(x, (3, 2), return_indices=True)
        gradient = ATEN.adaptive_max_pool2d_backward(pooled, x, places)
        return pooled, places, gradient, F.adaptive_max_pool1d(x[0], 4)

    agrees_undecomposed(function, torch.randn(2, 3, 7, 5))


def test_antialiased_images() -> None:
    def function(x: Any) -> Any:
        return tuple(
            F.interpolate(x, size, mode=mode, antialias=True)
            for mode in ("bilinear", "bicubic")
            for size in ((5, 4), (11, 13))
        )

    agrees(function, torch.randn(1, 2, 8, 9))


def imitated_levels(x: Any) -> Any:
    scales, zeros = torch.tensor([0.1, 0.25, 0.5]), torch.tensor([0, 3, -2], dtype=torch.int32)
    return (
        torch.fake_quantize_per_tensor_affine(x, 0.25, 3, 0, 255),
        torch.fake_quantize_per_tensor_affine(x, scales[1], zeros[1], 0, 7),
        torch.fake_quantize_per_channel_affine(x, scales, zeros, 1, -8, 7),
    )


def stored_levels(x: Any) -> Any:
    pytest.importorskip("torch.ao.quantization.fx._decomposed")
    ops, i8 = torch.ops.quantized_decomposed, torch.int8
    scales, zeros = torch.tensor([0.1, 0.25, 0.5]), torch.tensor([0, 3, -2])
    whole = ops.quantize_per_tensor(x, 0.25, 3, -128, 127, i8)
    channels = ops.quantize_per_channel(x, scales, zeros, 1, -8, 7, i8)
    return (
        whole,
        ops.dequantize_per_tensor(whole, 0.25, 3, -128, 127, i8),
        channels,
        ops.dequantize_per_channel(channels, scales, zeros, 1, -8, 7, i8),
    )


@pytest.mark.parametrize("function", [imitated_levels, stored_levels])
def test_quantized(function: Any) -> None:
    agrees(function, torch.randn(4, 3) * 3)


def test_products_and_sums_at_once() -> None:
    pytest.importorskip("torch._inductor.inductor_prims")
    x = torch.randn(4, 3)
    agrees_undecomposed(lambda x: torch.ops.prims.fma(x, x + 1, x * 2), x)


def test_products_of_small_integers() -> None:
    x, y = (torch.randint(-128, 128, shape, dtype=torch.int8) for shape in ((17, 8), (8, 16)))
    agrees(torch._int_mm, x, y)


def test_numbers_computed_of_extents() -> None:
    """PyTorch writes arithmetic of symbolic floats in these operators."""

    def function(x: Any) -> Any:
        wide = torch.ops.prims.convert_element_type(x, torch.float64)
        return torch.ops.aten.true_divide(wide, wide + 2)

    agrees_undecomposed(function, torch.arange(5))
