"""A CMake file that makes a static library of emitted C."""

from __future__ import annotations

from .texts import c_text


def written(prefix: str, threads: int, has_weights: bool) -> str:
    """The text of ``PREFIX.cmake`` for ``PREFIX.c`` and, if they are C, the weights beside it."""
    names = [f"{prefix}.c", *([f"{prefix}.weights.c"] if has_weights else [])]
    sources = "".join(f'\n  "${{CMAKE_CURRENT_LIST_DIR}}/{name}"' for name in names)
    text = c_text("cmake.file", prefix=prefix, sources=sources)
    return text + (c_text("cmake.threads", prefix=prefix) if threads > 1 else "")
