"""What each operation of StableHLO means, by family; importing this enters them all."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from xdsl.dialects.builtin import StringAttr

from opc.dialects.stablehlo import NodeOp
from opc.frontend.stablehlo.node import OPERATORS

from .checks import TARGETS

_REASONS = {
    "all_gather all_reduce all_to_all collective_broadcast collective_permute collective_reduce "
    "cross-replica-sum partition_id ragged_all_to_all reduce_scatter replica_id": (
        "it speaks to other processes"
    ),
    "infeed outfeed recv send": "it speaks to a host, in order of tokens",
    "complex fft": "complex numbers are not supported",
}
_BY_NAME = {name: reason for names, reason in _REASONS.items() for name in names.split()}


def refusal(op: NodeOp) -> str | None:
    """Why an operation is not supported; None if it is."""
    name = op.operator.data
    target = op.attributes.get("call_target_name")
    if isinstance(target, StringAttr) and name == "stablehlo.custom_call":
        known = target.data in TARGETS
        return None if known else f"custom_call @{target.data}, which only its maker knows"
    if name in OPERATORS:
        return None
    reason = _BY_NAME.get(name.partition(".")[2])
    return f"{name}: {reason}" if reason else name


# Importing a module enters its operations.
for _module in iter_modules(__path__, f"{__name__}."):
    import_module(_module.name)
