"""Errors of a C compiler that ran."""

from __future__ import annotations

from opc.errors import ToolchainError


class CompilerFailure(ToolchainError):
    """A compiler ran and failed."""


class CompilerCrash(CompilerFailure):
    """A compiler crashed."""


CRASHES = ("internal compiler error", "error in backend", "frontend command failed")
"""What gcc and clang print when they crash."""
