"""Verification with what that of xDSL lacks, and without what it does too much.

It adds that every value is defined before it is used.  It leaves out printing the whole module
into the exception, which for a module with large constants takes seconds.
"""

from __future__ import annotations

from xdsl.ir import Operation, Region
from xdsl.traits import IsTerminator, NoTerminator
from xdsl.utils.exceptions import VerifyException

from opc.dialects.budgets import BudgetExceeded
from opc.errors import InputError, UnsupportedError
from opc.support.locations import location_of

from .ssa import check_ssa

_LONGEST_MESSAGE = 400


def shorten(message: str) -> str:
    """The message in one line of bounded length, which a terminal can show."""
    line = _printable(" ".join(message.split()))
    return line if len(line) <= _LONGEST_MESSAGE else f"{line[:_LONGEST_MESSAGE]}..."


def shown(name: str) -> str:
    """A name as messages show it: printable and not too long."""
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
        for op in module.walk():
            verify_operation(op)
            for region in op.regions:
                _verify_terminators(op, region)
        check_ssa(module)
    except RecursionError:
        raise InputError("nested too deeply", location_of(module)) from None


def verify_operation(op: Operation) -> None:
    """Check one operation by itself; :class:`InputError` with its location."""
    try:
        op.verify_()
    except BudgetExceeded as error:
        raise UnsupportedError(f"{op.name}: {error}", location_of(op)) from None
    except VerifyException as error:
        raise InputError(shorten(str(error)), location_of(op)) from error
    except (ValueError, TypeError, ArithmeticError, AssertionError, LookupError) as error:
        # A verifier may rely on what another part of the operation fails to be.
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
