"""MLIR text to a checked module."""

from __future__ import annotations

import os
import re
import sys

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from opc.dialects.registry import context
from opc.errors import InputError, UsageError
from opc.frontend.check import check_source
from opc.support.safe_open import read_regular

from .parser import LocatingParser

_STABLEHLO = re.compile(
    r'^[ \t]*(?:%[^=\n]*= *)?"?(?:stablehlo|chlo|sdy)\.(?!node|yield)', re.MULTILINE
)
"""Whether a text has operations of StableHLO, in its own assembly."""

MAX_BYTES = 1 << 28
"""The greatest size of a text; a larger one does not fit into memory when parsed."""


def parse_module(text: str, filename: str = "<string>") -> ModuleOp:
    """The module in ``text``, with source locations.

    ``module`` around the functions is optional.  Raises :class:`InputError` for invalid text and
    :class:`UnsupportedError` for valid text that opc cannot compile.
    """
    if (module := stablehlo_module(text, filename)) is not None:
        return module
    module = LocatingParser(context(), text, filename).parse()
    check_source(module)
    return module


def stablehlo_module(text: str, filename: str) -> ModuleOp | None:
    """The module of a text in StableHLO's own assembly; None for other texts."""
    if not _STABLEHLO.search(text):
        return None
    # Imported late: other graphs do not need it.
    from opc.frontend.stablehlo.reader import parse_stablehlo

    return parse_stablehlo(text, filename)


def read_module(path: str | os.PathLike[str]) -> ModuleOp:
    """The module in a file, or on standard input for ``-``; raises what :func:`parse_module` does.

    Files that cannot be read, are too large or are not UTF-8 are :class:`InputError` too.
    """
    return parse_module(*read_text(path))


def read_text(path: str | os.PathLike[str]) -> tuple[str, str]:
    """The text in a file, or on standard input for ``-``, and the name of that."""
    name = "<stdin>" if path == "-" else os.fspath(path)
    return decode(read_bytes(path), name), name


def read_bytes(path: str | os.PathLike[str], most: int | None = None) -> bytes:
    """The content of a file, or of standard input for ``-``; raises :class:`InputError`."""
    if path == "-":
        if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]
            raise InputError("cannot be read: it is closed", "<stdin>")
        content = sys.stdin.buffer.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise InputError(f"cannot be read: it is larger than {MAX_BYTES} bytes", "<stdin>")
        return content
    name = os.fspath(path)
    if not name:
        raise InputError("found an empty path, expected that of a file")
    try:
        return read_regular(name, MAX_BYTES if most is None else most)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", name) from error
    except ValueError as error:
        raise InputError(f"cannot be read: {error}", name.replace("\0", "\\0")) from error


def decode(content: bytes, name: str, line_offset: int = 0) -> str:
    """UTF-8 text, without a byte order mark; :class:`InputError` with the place of a bad byte."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        line = before.count(b"\n") + 1
        start = before.rfind(b"\n") + 1
        column = len(before[start:].decode("utf-8", "replace")) + 1
        place = f"{name}:{line + line_offset}:{column}"
        raise InputError(
            f"not UTF-8 text: byte 0x{content[error.start]:02x} ({error.reason})", place
        ) from None


def select_function(module: ModuleOp, name: str | None = None) -> FuncOp:
    """The function called ``name``; without a name ``main``, or the only one there is.

    Raises :class:`UsageError` that lists the names.
    """
    functions = {
        op.sym_name.data: op
        for op in module.body.ops
        if isinstance(op, FuncOp) and (op.sym_visibility is None or op.sym_name.data == name)
    }
    names = ", ".join(functions) or "none"
    if name is not None:
        if name not in functions:
            raise UsageError(f"there is no function {name!r}; the module has: {names}")
        return functions[name]
    if "main" in functions:
        return functions["main"]
    if len(functions) != 1:
        raise UsageError(
            f"choose a function: none is called main and there are {len(functions)}: {names}"
        )
    return next(iter(functions.values()))
