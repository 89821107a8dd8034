"""What ``mode`` and ``options`` of ``torch.compile`` say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from opc.api.options import Options, merged
from opc.api.tuning import check_seconds
from opc.errors import UsageError

SECONDS = 60
"""Seconds of measuring schedules for each graph in the mode ``max-autotune``."""

MODES: dict[str, dict[str, Any]] = {
    "default": {},
    "reduce-overhead": {},
    "max-autotune": {"tune": SECONDS},
}
"""The options that a mode stands for; calls have as little overhead in each."""

OF_COMPILE = (
    "activations",
    "budgets",
    "cache",
    "cc",
    "fuse",
    "print_ir_after_all",
    "products",
    "report",
    "subnormals",
    "target",
    "threads",
    "time_passes",
    "tuned",
    "verify_each",
)
"""The options of ``opc.compile`` that make sense for a graph whose names PyTorch chose."""

OWN = ("freeze", "tune")


@dataclass(frozen=True)
class Settings:
    """How graphs of PyTorch are compiled."""

    options: Options
    freeze: bool | None = None
    """Whether weights become constants in inference: True, False, or None for constants that each
    call compares with the tensors, by identity, address and version."""
    tune: float | None = None
    """Seconds of measuring schedules, or None."""


def settings_of(mode: str | None, options: Mapping[str, Any] | None, threads: int) -> Settings:
    """The settings of a call of ``torch.compile``; ``threads`` where no option says them.

    Raises UsageError for a mode or an option that is not known, and for a value without sense.
    """
    if mode is not None and mode not in MODES:
        raise UsageError(f"mode: found {mode!r}, expected one of {', '.join(MODES)}")
    values = {"threads": threads, **MODES[mode or "default"], **(options or {})}
    for name in values:
        if name not in (*OF_COMPILE, *OWN):
            known = ", ".join(sorted((*OF_COMPILE, *OWN)))
            raise UsageError(f"options: found {name!r}, expected some of {known}")
    freeze, tune = (values.pop(name, None) for name in OWN)
    if not isinstance(freeze, bool | None):
        raise UsageError(f"freeze: found {freeze!r}, expected True, False or None")
    if tune is not None:
        check_seconds(tune)
    return Settings(merged(None, values), freeze, tune)
