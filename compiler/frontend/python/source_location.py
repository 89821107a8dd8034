"""The line of the user's Python that made an operator, for locations and messages."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import numpy as np
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

from opc.errors import InputError, MissingFunctionError, UnsupportedError, UsageError
from opc.frontend.did_you_mean import near


def caller() -> FileLineColLoc:
    """The running line of the user's Python code: the innermost outside opc and NumPy."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_back is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] not in ("opc", "numpy"):
            break
        frame = frame.f_back
    assert frame is not None
    positions = islice(frame.f_code.co_positions(), frame.f_lasti // 2, None)
    column = next(positions, (None, None, None, None))[2]
    return FileLineColLoc(
        StringAttr(frame.f_code.co_filename),
        IntAttr(frame.f_lineno),
        IntAttr(1 if column is None else column + 1),
    )


def _here() -> str:
    place = caller()
    return f"{place.filename.data}:{place.line.data}:{place.column.data}"


def input_error(message: str) -> InputError:
    """An error in the traced code, at the running line."""
    return InputError(message, _here())


def unsupported(message: str) -> UnsupportedError:
    """An error about something untraceable, at the running line."""
    return UnsupportedError(message, _here())


def hint_at(name: str, known: Iterable[str]) -> str:
    """The names that ``name`` may be a misspelling of, as the end of a message."""
    meant = near(name, known)
    return f"; near to it are {', '.join(meant)}" if meant else ""


def no_function(name: str, known: Iterable[str]) -> MissingFunctionError:
    """An error about a function of NumPy, such as ``numpy.median``, that is not ``known``."""
    hint = hint_at(name.rpartition(".")[2], known)
    return MissingFunctionError(
        f"{name} cannot be traced: there is no operator for it{hint} (opc.numpy.__all__ lists "
        "what there is)",
        _here(),
    )


def no_attribute(symbolic: type, name: str) -> AttributeError:
    """The error about an attribute that symbolic arrays do not have."""
    if name.startswith("_"):
        return AttributeError(f"{symbolic.__name__!r} object has no attribute {name!r}")
    is_known = hasattr(np.ndarray, name)
    known = [own for own in dir(symbolic) if own[0] != "_" and hasattr(np.ndarray, own)]
    hint = hint_at(name, known)
    return MissingFunctionError(
        f"{'numpy.ndarray.' if is_known else ''}{name} cannot be traced: a symbolic array, which "
        f"has no values while the function is traced, has no such attribute{hint} (it has "
        f"{', '.join(known)})",
        _here(),
    )


def checked(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    """The function with :class:`UsageError` for arguments that do not fit its parameters."""

    @functools.wraps(call)
    def wrapped(*args: Any, **named: Any) -> Any:
        try:
            return call(*args, **named)
        except TypeError as error:
            # Raised by the call itself, not inside of the function.
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                problem = str(error).partition("() ")[2] or str(error)
                raise UsageError(f"{name}() {problem}", _here()) from None
            raise

    return wrapped
