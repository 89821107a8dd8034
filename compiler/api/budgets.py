"""The limits of ``opc.dialects.budgets`` as options of a call: checked, applied, and reported."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import Any, cast

from opc.dialects.budgets import USUAL, BudgetExceeded, Budgets, applied
from opc.errors import InputError, UnsupportedError, UsageError

NAMES = tuple(f.name for f in fields(Budgets))
MOST = 10**12


def checked(budgets: Any) -> Mapping[str, int]:
    """Limits by name, checked.  UsageError for an unknown name or no number from 1 to MOST."""
    names = ", ".join(NAMES)
    if not isinstance(budgets, Mapping):
        raise UsageError(f"budgets: found {budgets!r}, expected a number for each of {names}")
    limits = dict(cast("Mapping[Any, Any]", budgets))
    for name, value in limits.items():
        if name not in NAMES:
            raise UsageError(f"budgets: found {name!r}, expected one of {names}")
        if type(value) is not int or not 0 < value <= MOST:
            raise UsageError(f"budgets: {name} is {value!r}, expected a number from 1 to {MOST}")
    return limits


@contextmanager
def within(budgets: Mapping[str, int]) -> Generator[None]:
    """The usual limits but for those given, for what the ``with`` statement runs.

    What exceeds one is an UnsupportedError, and what is nested too deeply for Python an InputError.
    """
    with applied(replace(USUAL, **budgets)), reported():
        yield


@contextmanager
def reported() -> Generator[None]:
    """The limits that apply already; errors as those of :func:`within`."""
    try:
        yield
    except BudgetExceeded as error:
        raise UnsupportedError(str(error)) from None
    except RecursionError:
        raise InputError("nested too deeply") from None
