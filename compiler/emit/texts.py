"""The fixed texts of emitted files, which stand in ``texts``.

A line ``//// name`` begins a text, and ``@key@`` is the place of a value.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TypeAlias

from opc.support.target import WIDEST

ROLLED = "OPC_ROLLED"
Helper: TypeAlias = "tuple[str, dict[str, str]]"
"""The name of a C function, and all texts that it needs, by name and in order."""


@cache
def _file(stem: str) -> dict[str, str]:
    """The texts of a file by name."""
    folder = files(__package__ or "").joinpath("texts").iterdir()
    content = next(f for f in folder if f.name.startswith(f"{stem}.")).read_text(encoding="utf-8")
    _, *parts = re.split(r"^//// (\w+)\n", content, flags=re.M)
    return {
        name: part.rstrip("\n") + "\n" for name, part in zip(parts[::2], parts[1::2], strict=True)
    }


def mark_macro(mark: str) -> str:
    """The macro of a mark of a loop."""
    return f"OPC_{mark.upper()}"


def macro(name: str) -> str:
    """The definition of a macro, or of ``opc_step``, which is a text of ``macros.c``."""
    return c_text(f"macros.{name.removeprefix('OPC_').lower()}", WIDEST=WIDEST)


def c_text(place: str, /, **values: object) -> str:
    """The text ``file.name`` with its values.  KeyError if one of them is missing."""
    stem, _, name = place.partition(".")
    return re.sub(r"@(\w+)@", lambda match: str(values[match[1]]), _file(stem)[name])


INTRINSICS = c_text("staging.intrinsics")
"""What includes the functions of vectors of x86."""
