"""What ATen's own table of decompositions lacks, in operators that it has."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from .fused_layers import (
    attention,
    attention_gradient,
    encoder_layer,
    flash_attention,
    lstm_layer,
    lstm_layer_gradient,
)

TAKEN = (
    "addmv.default",
    "dist.default",
    "ldexp.Tensor",
    "linalg_vector_norm.default",
    "tril_indices.default",
    "triu_indices.default",
    "upsample_bicubic2d.default",
    "upsample_trilinear3d.default",
)
"""Operators for which PyTorch has decompositions outside of the table of the core ones."""


def variance_and_mean(x: Any, *axes: Any, **how: Any) -> tuple[Any, Any]:
    """The variance and the mean along axes."""
    plain = {k: v for k, v in how.items() if k != "correction"}
    return x.var(*axes, **how), x.mean(*axes, **plain)


@cache
def decompositions() -> dict[Any, Callable[..., Any]]:
    """The decompositions to ATen's core operators, with more that opc needs."""
    torch: Any = import_module("torch")
    module: Any = import_module("torch._decomp")
    aten = torch.ops.aten
    taken = [getattr(getattr(aten, n.split(".")[0]), n.split(".")[1]) for n in TAKEN]
    own: dict[Any, Callable[..., Any]] = {
        aten._transformer_encoder_layer_fwd.default: encoder_layer,
        aten._native_multi_head_attention.default: attention,
        aten.mkldnn_rnn_layer.default: lstm_layer,
        aten.mkldnn_rnn_layer_backward.default: lstm_layer_gradient,
        aten._scaled_dot_product_flash_attention_for_cpu.default: flash_attention,
        aten._scaled_dot_product_flash_attention_for_cpu_backward.default: attention_gradient,
        aten._trilinear.default: trilinear,
        aten.angle.default: angle,
        aten.bucketize.Scalar: bucketize,
        aten.bucketize.Tensor: bucketize,
        aten.cholesky_inverse.default: cholesky_inverse,
        aten.cholesky_solve.default: cholesky_solve,
        aten.diagonal_scatter.default: diagonal_scatter,
        aten.histc.default: histc,
        aten.index_reduce.default: index_reduce,
        aten.kthvalue.default: kthvalue,
        aten.masked_select.default: masked_select,
        aten.median.default: median,
        aten.median.dim: median_along,
        aten.nanmedian.default: nanmedian,
        aten.nanmedian.dim: nanmedian_along,
        aten.repeat_interleave.Tensor: repeat_interleave,
        aten.rrelu_with_noise_functional.default: rrelu,
        aten.searchsorted.Scalar: searchsorted,
        aten.searchsorted.Tensor: searchsorted,
        aten.var_mean.correction: variance_and_mean,
    }
    known = {op: module.decomposition_table[op] for op in taken}
    return {**module.core_aten_decompositions(), **known, **own}


def masked_select(x: Any, mask: Any) -> Any:
    """The elements of x where a mask is true, in a row."""
    torch: Any = import_module("torch")
    x, mask = torch.broadcast_tensors(x, mask)
    return x[mask]


def repeat_interleave(repeats: Any, *, output_size: Any = None) -> Any:
    """Each index as often as ``repeats`` says."""
    torch: Any = import_module("torch")
    ends = repeats.cumsum(0)
    if output_size is None:
        output_size = repeats.sum().item()
        torch._check(output_size >= 0)
    places = torch.arange(output_size, device=repeats.device)
    return searchsorted(ends, places, right=True).to(repeats.dtype)


def searchsorted(
    ordered: Any,
    values: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Any = None,
) -> Any:
    """How many of an ordered last axis are below each value; with ``right``, or equal to it."""
    torch: Any = import_module("torch")
    if sorter is not None:
        return NotImplemented
    is_above = torch.gt if right or side == "right" else torch.ge
    values = values if torch.is_tensor(values) else ordered.new_full((), values)
    above = is_above(ordered.unsqueeze(-2), values.unsqueeze(-1))
    # NaN is above all.
    count = above.logical_not().sum(-1).reshape(values.shape)
    return count.to(torch.int32) if out_int32 else count


def bucketize(values: Any, ordered: Any, *, out_int32: bool = False, right: bool = False) -> Any:
    """How many boundaries are below each value."""
    return searchsorted(ordered, values, out_int32=out_int32, right=right)


def kthvalue(x: Any, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Any, Any]:
    """The k-th least element along an axis, and its position."""
    pair = x.sort(dim=dim, stable=True)
    return tuple(v.narrow(dim, k - 1, 1) if keepdim else v.select(dim, k - 1) for v in pair)


def middle(x: Any, dim: int, keepdim: bool, skips: bool) -> tuple[Any, Any]:
    """The lower median along an axis, and its position; ``skips``: of what is not NaN."""
    torch: Any = import_module("torch")
    values, places = x.sort(dim=dim, stable=True)
    extent = x.shape[dim]
    missing = x.isnan().sum(dim, keepdim=True)
    if skips:
        place = ((extent - missing - 1) // 2).clamp(min=0)
    else:
        place = torch.where(missing == 0, (extent - 1) // 2, extent - missing)
    pair = [v.gather(dim, place) for v in (values, places)]
    return tuple(v if keepdim else v.squeeze(dim) for v in pair)


def median_along(x: Any, dim: int, keepdim: bool = False) -> tuple[Any, Any]:
    """The lower median along an axis, and its position; NaN if there is any."""
    return middle(x, dim, keepdim, False)


def nanmedian_along(x: Any, dim: int, keepdim: bool = False) -> tuple[Any, Any]:
    """The lower median along an axis of what is not NaN, and its position."""
    return middle(x, dim, keepdim, True)


def nanmedian(x: Any) -> Any:
    """The lower median of all elements that are not NaN."""
    return nanmedian_along(x.flatten(), 0)[0]


def trilinear(
    x: Any, y: Any, z: Any, of_x: Any, of_y: Any, of_z: Any, summed: Any, unroll_dim: int = 1
) -> Any:
    """The product of three tensors summed along axes; each lacks some axes, in ascending order."""
    for axis in of_x:
        x = x.unsqueeze(axis)
    for axis in of_y:
        y = y.unsqueeze(axis)
    for axis in of_z:
        z = z.unsqueeze(axis)
    return (x * y * z).sum(summed)


def rrelu(
    x: Any,
    noise: Any,
    lower: float = 1 / 8,
    upper: float = 1 / 3,
    training: bool = False,
    generator: Any = None,
) -> Any:
    """x, times the mean slope where it is below 0; slopes in training are random."""
    if training:
        return NotImplemented
    torch: Any = import_module("torch")
    return torch.nn.functional.leaky_relu(x, (lower + upper) / 2), noise.clone()


def angle(x: Any) -> Any:
    """pi for numbers below 0, else 0; NaN for NaN."""
    torch: Any = import_module("torch")
    if x.is_complex():
        return NotImplemented
    x = x if x.is_floating_point() else x.to(torch.get_default_dtype())
    return torch.where(x.isnan(), x, torch.where(x < 0, torch.pi, 0.0)).to(x.dtype)


def cholesky_solve(b: Any, factor: Any, upper: bool = False) -> Any:
    """x of L Lt x = b, or of Ut U x = b."""
    solve: Any = import_module("torch").linalg.solve_triangular
    first, last = (factor.mT, factor) if upper else (factor, factor.mT)
    return solve(last, solve(first, b, upper=False), upper=True)


def cholesky_inverse(factor: Any, upper: bool = False) -> Any:
    """The inverse of a matrix of which ``factor`` is a triangle."""
    torch: Any = import_module("torch")
    eye = torch.eye(factor.shape[-1], dtype=factor.dtype).expand(factor.shape)
    return cholesky_solve(eye, factor, upper)


def diagonal_scatter(x: Any, values: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """x with other values on a diagonal of two axes."""
    torch: Any = import_module("torch")
    moved = x.movedim((dim1, dim2), (-2, -1))
    line = torch.arange(values.shape[-1])
    places = [*[None] * (x.ndim - 2), line - min(offset, 0), line + max(offset, 0)]
    return torch.ops.aten.index_put(moved, places, values).movedim((-2, -1), (dim1, dim2))


def index_reduce(
    x: Any, dim: int, index: Any, source: Any, reduce: str, *, include_self: bool = True
) -> Any:
    """x combined with the parts of ``source`` along an axis, each at a place of x."""
    shape = [1] * x.ndim
    shape[dim] = -1
    places = index.reshape(shape).expand(source.shape)
    return x.scatter_reduce(dim, places, source, reduce, include_self=include_self)


def median(x: Any) -> Any:
    """The lower median of all elements."""
    return median_along(x.flatten(), 0)[0]


def histc(x: Any, bins: int = 100, min: float = 0, max: float = 0) -> Any:
    """How many elements are in each of so many parts of equal width."""
    torch: Any = import_module("torch")
    x = x.flatten()
    low, high = (x.amin(), x.amax()) if min == max else (x.new_full((), min), x.new_full((), max))
    place = ((x - low) / (high - low) * bins).floor().clamp(max=bins - 1)
    inside = (x >= low) & (x <= high)
    same = (place.unsqueeze(-1) == torch.arange(bins)) & inside.unsqueeze(-1)
    return same.sum(0).to(x.dtype)
