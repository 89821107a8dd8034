"""Errors that a user can cause, and the exit code of each kind."""

from __future__ import annotations


class OpcError(Exception):
    """Base of everything opc raises on bad input; ``location`` is ``file:line:col`` or empty."""

    exit_code = 1

    def __init__(self, message: str, location: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.location = location

    def __str__(self) -> str:
        return f"{self.location}: error: {self.message}" if self.location else self.message


class UsageError(OpcError):
    """The command line or the options of a call make no sense."""

    exit_code = 2


class InputError(OpcError):
    """A graph, model or array file cannot be read, parsed or verified."""

    exit_code = 3


class UnsupportedError(OpcError):
    """The graph is valid, but opc cannot compile it."""

    exit_code = 4


class MissingFunctionError(UnsupportedError, AttributeError):
    """NumPy has it, but :mod:`opc.numpy`, or a symbolic array, has not."""


class ToolchainError(OpcError):
    """No usable C compiler, or it failed."""

    exit_code = 5


class OutputError(OpcError):
    """A result cannot be written."""

    exit_code = 6


class ArgumentError(OpcError, ValueError):
    """An array given to a compiled function does not fit: found, expected and where."""

    exit_code = 7


class DTypeError(ArgumentError, TypeError):
    """An array has an element type that the function does not take."""


class NoMemoryError(ArgumentError, MemoryError):
    """The arrays of a call, of the sizes that its arguments ask for, do not fit into memory."""

    exit_code = 71


class UndecidedError(OpcError):
    """The interpreter of a graph cannot say what its results are."""


class UncertainError(UndecidedError):
    """An extent depends on how values are rounded."""


class EndlessError(UndecidedError):
    """A loop of a graph goes round so often that its interpreter gives up."""
