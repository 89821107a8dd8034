"""Every value is defined before it is used: what xDSL's verifier does not check."""

from __future__ import annotations

from xdsl.ir import Operation, Region, SSAValue
from xdsl.traits import IsolatedFromAbove

from opc.errors import InputError, UnsupportedError
from opc.support.locations import location_of


def check_ssa(op: Operation) -> None:
    """Check the uses of values in all regions of ``op``.

    Raises :class:`InputError` for a value that is used before its definition, or outside the
    region that defines it, and :class:`UnsupportedError` for a region of several blocks, which
    would need dominance.
    """
    for region in op.regions:
        _check_region(region, set())


def _check_region(region: Region, visible: set[SSAValue]) -> None:
    if not region.blocks:
        return
    if len(region.blocks) > 1:
        owner = region.parent
        name = "" if owner is None else f"{owner.name}: "
        place = "" if owner is None else location_of(owner)
        raise UnsupportedError(
            f"{name}{len(region.blocks)} blocks in one region; control flow is not supported", place
        )
    block = region.blocks[0]
    local: list[SSAValue] = list(block.args)
    visible.update(local)
    for op in block.ops:
        for position, operand in enumerate(op.operands):
            if operand not in visible:
                hint = f"%{operand.name_hint}" if operand.name_hint else f"operand {position}"
                raise InputError(
                    f"{op.name}: {hint} is used before its definition, or outside the region "
                    "that defines it",
                    location_of(op),
                )
        isolated = op.regions and op.has_trait(IsolatedFromAbove)
        for inner in op.regions:
            _check_region(inner, set() if isolated else visible)
        local += op.results
        visible.update(op.results)
    visible.difference_update(local)
