"""What ATen's own table of decompositions lacks, in operators that it has."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from .fused_layers import attention, attention_gradient, encoder_layer, flash_attention, lstm_layer

TAKEN = (
    "dist.default",
    "ldexp.Tensor",
    "linalg_vector_norm.default",
    "tril_indices.default",
    "triu_indices.default",
    "upsample_bicubic2d.default",
    "upsample_trilinear3d.default",
)
"""Operators for which PyTorch has decompositions outside of the table of the core ones."""


@cache
def variance_and_mean(x: Any, *axes: Any, **how: Any) -> tuple[Any, Any]:
    """The variance and the mean along axes."""
    plain = {k: v for k, v in how.items() if k != "correction"}
    return x.var(*axes, **how), x.mean(*axes, **plain)


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
        aten._scaled_dot_product_flash_attention_for_cpu.default: flash_attention,
        aten._scaled_dot_product_flash_attention_for_cpu_backward.default: attention_gradient,
        aten.bucketize.Tensor: bucketize,
        aten.histc.default: histc,
        aten.kthvalue.default: kthvalue,
        aten.masked_select.default: masked_select,
        aten.median.default: median,
        aten.median.dim: median_along,
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


def median_along(x: Any, dim: int, keepdim: bool = False) -> tuple[Any, Any]:
    """The lower median along an axis, and its position; NaN if there is any."""
    values, places = x.sort(dim=dim, stable=True)
    extent = x.shape[dim]
    missing = x.isnan().sum(dim, keepdim=True)
    place = missing.new_full((), (extent - 1) // 2).where(missing == 0, extent - missing)
    pair = [v.gather(dim, place) for v in (values, places)]
    return tuple(v if keepdim else v.squeeze(dim) for v in pair)


def median(x: Any) -> Any:
    """The lower median of all elements."""
    return median_along(x.flatten(), 0)[0]


def histc(x: Any, bins: int = 100, min: float = 0, max: float = 0) -> Any:
    """How many elements are in each of so many parts of equal width."""
    torch: Any = import_module("torch")
    x = x.flatten()
    low, high = (x.amin(), x.amax()) if min == max else (x.new_tensor(min), x.new_tensor(max))
    place = ((x - low) / (high - low) * bins).floor().clamp(max=bins - 1)
    inside = (x >= low) & (x <= high)
    same = (place.unsqueeze(-1) == torch.arange(bins)) & inside.unsqueeze(-1)
    return same.sum(0).to(x.dtype)
