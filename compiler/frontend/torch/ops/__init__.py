"""What each operator of ATen means, by family; importing this enters them all."""

from __future__ import annotations

import operator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from opc.frontend.torch.node import OPERATORS, overload

_REASONS = {
    "rand randn randperm randint bernoulli normal native_dropout multinomial": (
        "random numbers of PyTorch are not those of opc"
    ),
    "_fft_c2r _fft_r2c _fft_c2c view_as_complex view_as_real complex": (
        "complex numbers are not supported"
    ),
}
_BY_NAME = {name: reason for names, reason in _REASONS.items() for name in names.split()}


CHECKS = (
    "_assert_async",
    "_assert_scalar",
    "_assert_tensor_metadata",
    "_linalg_check_errors",
    "sym_constrain_range",
    "sym_constrain_range_for_size",
)
"""Operators that check what the types of arguments and the ranges of symbols say already."""


FIRST_ONLY = ("_embedding_bag", "_embedding_bag_forward_only")
"""Operators whose other results are not supported."""


def _uses_another_result(user: Any) -> bool:
    return user.target is operator.getitem and user.args[1] > 0 and bool(user.users)


def is_check(node: Any) -> bool:
    """Whether a node has no result and only checks something."""
    name = overload(node.target)
    # Checks with effects are arguments, behind a token.
    name = overload(node.args[1]) if name == "with_effects.default" else name
    return name.removeprefix("aten.").partition(".")[0] in CHECKS


def graphs_of(node: Any) -> list[Any]:
    """The graphs that are arguments of a node."""
    owner = node.graph.owning_module
    names = [n.target for n in node.all_input_nodes if n.op == "get_attr"]
    values = [getattr(owner, name, None) for name in names if owner is not None]
    return [value for value in values if hasattr(value, "graph")]


def is_extent(number: Any) -> bool:
    """Whether a symbolic number is an integer that is not below 0."""
    if type(number).__name__ != "SymInt":
        return False
    limits = number.node.shape_env.var_to_range.get(number.node.expr)
    return limits is not None and limits.lower >= 0


def refusal(node: Any) -> str | None:
    """Why a node of a graph is not supported; None if it is."""
    if node.op in ("placeholder", "output", "get_attr") or node.target is operator.getitem:
        return None
    name = overload(node.target)
    stem = name.removeprefix("aten.").partition(".")[0]
    if stem == "_local_scalar_dense" and not is_extent(node.meta["val"]):
        return f"{name}: data decide a number of Python that may be below 0, or no integer"
    for graph in graphs_of(node):
        reasons = filter(None, map(refusal, graph.graph.nodes))
        if (reason := next(reasons, None)) is not None:
            return f"{name}: {reason}"
    if stem in FIRST_ONLY and any(_uses_another_result(user) for user in node.users):
        return f"{name}: only its first result is supported"
    is_number = type(node.meta.get("val")).__name__ in ("SymInt", "SymBool")
    if is_number or is_check(node) or name.removeprefix("aten.") in OPERATORS:
        return None
    reason = _BY_NAME.get(stem)
    return f"{name}: {reason}" if reason else name


# Importing a module enters its operators.
for _module in iter_modules(__path__, f"{__name__}."):
    import_module(_module.name)
