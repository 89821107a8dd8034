"""What a schedule of a nest that is no contraction may be."""

from __future__ import annotations

from opc.dialects import kernel
from opc.dialects.schedule import TreeOp


def check(nest: kernel.NestOp, tree: TreeOp) -> None:
    """Raise InputError unless a schedule is legal for a nest."""
