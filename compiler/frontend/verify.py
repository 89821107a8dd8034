"""Verification, with changes to that of xDSL.

It also checks that every value is defined before it is used, which xDSL's verifier does not.  It
does not print the whole module into the exception, which takes seconds for large constants.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, Region, SSAValue
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator
from xdsl.utils.exceptions import VerifyException

from opc.dialects.budgets import BudgetExceeded
from opc.dialects.walking import walk
from opc.errors import InputError, UnsupportedError
from opc.support.locations import location_of

_LONGEST_MESSAGE = 400


def shorten(message: str) -> str:
    """A message as one printable line of bounded length."""
    line = _printable(" ".join(message.split()))
    return line if len(line) <= _LONGEST_MESSAGE else f"{line[:_LONGEST_MESSAGE]}..."


def shown(name: str) -> str:
    """A name for messages: printable, of bounded length."""
    text = _printable(name)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def verify(module: Operation) -> None:
    """Check every operation in ``module``, and that values are defined before they are used.

    Raises :class:`InputError` with the location of the operation, and :class:`UnsupportedError`
    for regions of several blocks.
    """
    try:
        for op in walk(module):
            verify_operation(op)
            for region in op.regions:
                _verify_terminators(op, region)
        check_ssa(module)
    except RecursionError:
        raise InputError("nested too deeply", location_of(module)) from None


def verify_operation(op: Operation) -> None:
    """Check one operation by itself; :class:`InputError` with its location."""
    is_around = isinstance(op, FuncOp | ModuleOp)
    if not is_around and not all(region.blocks for region in op.regions):
        raise InputError(f"{op.name}: its body is empty; it must have operations", location_of(op))
    try:
        op.verify_()
    except BudgetExceeded as error:
        raise UnsupportedError(f"{op.name}: {error}", location_of(op)) from None
    except VerifyException as error:
        raise InputError(shorten(str(error)), location_of(op)) from error
    except (ValueError, TypeError, ArithmeticError, AssertionError, LookupError) as error:
        # A verifier may fail on an invalid part of the operation.
        text = f"{op.name}: {shorten(str(error)) or type(error).__name__}"
        raise InputError(text, location_of(op)) from error


def _verify_terminators(op: Operation, region: Region) -> None:
    for block in region.blocks:
        last = block.last_op
        if not op.has_trait(NoTerminator) and (last is None or not last.has_trait(IsTerminator)):
            end = "is empty" if last is None else f"ends in {last.name}"
            raise InputError(
                f"{op.name}: its body {end}; it must end in a terminator",
                location_of(op if last is None else last),
            )
        for inner in block.ops:
            if inner is not last and inner.has_trait(IsTerminator):
                raise InputError(f"{inner.name}: not at the end of its block", location_of(inner))


def check_ssa(op: Operation) -> None:
    """Check the uses of values in all regions of ``op``.

    Raises :class:`InputError` for a use before the definition or outside of its region, and
    :class:`UnsupportedError` for a region of several blocks, which would need dominance.
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
