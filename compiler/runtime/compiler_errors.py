"""What a compiler that ran may end in."""

from __future__ import annotations

from opc.errors import ToolchainError


class CompilerFailure(ToolchainError):
    """A compiler ran, and said that it failed."""


class CompilerCrash(CompilerFailure):
    """A compiler died of a fault of its own."""


CRASHES = ("internal compiler error", "error in backend", "frontend command failed")
"""What gcc and clang say then."""
