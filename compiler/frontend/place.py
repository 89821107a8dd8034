"""The line of the user's Python that made an operator, for locations and messages."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Sequence
from itertools import islice

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

from opc.errors import InputError, MissingFunctionError, UnsupportedError


def caller() -> FileLineColLoc:
    """The place in the user's Python code that is running: the innermost outside opc and NumPy."""
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
    """An error in the traced code, at the line that is running."""
    return InputError(message, _here())


def unsupported(message: str) -> UnsupportedError:
    """An error about something that cannot be traced, at the line that is running."""
    return UnsupportedError(message, _here())


def no_function(name: str, known: Sequence[str]) -> MissingFunctionError:
    """An error about a function of NumPy, such as ``numpy.cumsum``, that is not ``known``."""
    near = difflib.get_close_matches(name.rpartition(".")[2], known)
    listed = f"; near to it are {', '.join(near)}" if near else ""
    return MissingFunctionError(
        f"{name} cannot be traced: there is no operator for it{listed} (opc.numpy.__all__ lists "
        "what there is)",
        _here(),
    )
