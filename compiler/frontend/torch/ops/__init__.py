"""What each operator of ATen means, by family; importing this enters them all."""

from __future__ import annotations

import operator
from typing import Any

from opc.frontend.torch.node import OPERATORS, overload

from . import (
    contraction,
    creation,
    distance,
    images,
    indexing,
    norms,
    order,
    pointwise,
    reduction,
    shaping,
    windows,
)

_REASONS = {
    "rand randn randperm randint bernoulli normal native_dropout multinomial": (
        "random numbers of PyTorch are not those of opc"
    ),
    "_fft_c2r _fft_r2c _fft_c2c view_as_complex view_as_real complex": (
        "complex numbers are not supported"
    ),
    "cond while_loop scan map_impl associative_scan flex_attention": (
        "operators with graphs as arguments are not supported"
    ),
}
_BY_NAME = {name: reason for names, reason in _REASONS.items() for name in names.split()}


def refusal(node: Any) -> str | None:
    """Why a node of a graph is not supported; None if it is."""
    if node.op in ("placeholder", "output", "get_attr") or node.target is operator.getitem:
        return None
    name = overload(node.target)
    is_number = type(node.meta.get("val")).__name__ in ("SymInt", "NoneType")
    if is_number or name.removeprefix("aten.") in OPERATORS:
        return None
    reason = _BY_NAME.get(name.removeprefix("aten.").partition(".")[0])
    return f"{name}: {reason}" if reason else name


__all__ = [
    "contraction",
    "creation",
    "distance",
    "images",
    "indexing",
    "norms",
    "order",
    "pointwise",
    "reduction",
    "refusal",
    "shaping",
    "windows",
]
