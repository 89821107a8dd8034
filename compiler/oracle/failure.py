"""Kinds of failure of a graph, to tell whether a smaller one fails the same way."""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from opc.errors import (
    ArgumentError,
    InputError,
    OpcError,
    UndecidedError,
    UnsupportedError,
    UsageError,
)
from opc.interpret.memory import FaultError
from opc.interpret.precision import Array

from .child import CrashError, in_child
from .edit import Candidate
from .locate import last_run
from .subject import SECONDS, Outcome, Subject

DIFFERS = "gives other results than the interpreter"


def by_compiling(subject: Subject, inputs: Sequence[Array]) -> str | None:
    """How a graph fails that is compiled and run; None if it does not."""
    try:
        outcome = subject.try_on(inputs, interpret_loops=True)
    except Exception as error:
        # A defect may raise any exception.
        return _raised(error)
    return _of(outcome)


def by_interpreting(subject: Subject, inputs: Sequence[Array]) -> str | None:
    """How the loops of a graph fail, interpreted: in far less time, and the same every time."""
    try:
        expected = subject.expected(inputs)
    except (ArgumentError, UndecidedError):
        return None
    try:
        outcome = last_run(subject, inputs, expected)
    except Exception as error:
        return _raised(error)
    return _of(outcome)


def by_command(command: str, candidate: Candidate) -> bool:
    """Whether a command ends with 0 that gets the paths of a graph and of its inputs.

    Raises OpcError where it cannot be run.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files(candidate, "graph").items():
            (Path(folder) / name).write_bytes(content)
        paths = [str(Path(folder) / name) for name in ("graph.mlir", "graph.npz")]
        try:
            call = [*shlex.split(command), *paths]
            done = subprocess.run(call, capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return False
        except (OSError, ValueError) as error:
            raise OpcError(f"--test: cannot be run: {error}") from error
    return done.returncode == 0


def guarded(candidate: Candidate, subject: Subject, interpreted: bool) -> str | None:
    """How a graph fails; compiling runs in a child, since a defect may end the process or hang."""
    how = by_interpreting if interpreted else by_compiling
    try:
        return in_child(lambda: how(subject, candidate.inputs), 3 * SECONDS)
    except CrashError as error:
        return f"compiling {error}"


def files(candidate: Candidate, stem: str) -> dict[str, bytes]:
    """A graph and its inputs as the files ``stem.mlir`` and ``stem.npz``."""
    from opc.tools.arrays import archive
    from opc.tools.convert import text_and_weights

    pairs = zip(candidate.function.body.block.args, candidate.inputs, strict=True)
    named = {arg.name_hint or f"arg{k}": array for k, (arg, array) in enumerate(pairs)}
    return {**text_and_weights(candidate.module, stem), f"{stem}.npz": archive(named)}


def _of(outcome: Outcome) -> str | None:
    if outcome.agrees:
        return None
    return "crashes" if outcome.crashed else DIFFERS


def _raised(error: Exception) -> str:
    if isinstance(error, InputError | UnsupportedError | UsageError):
        # The error of a graph that opc refuses is no defect.
        raise error
    if isinstance(error, FaultError):
        return "becomes loops that touch what they must not"
    return f"raises {type(error).__name__} when it is compiled"
