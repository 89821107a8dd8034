"""Content that ends in a digest of itself, which shows damage.

The digest of a large file is checked once: ``NAME.seal`` beside it keeps the state of the file, by
which later checks know that it is the same.  Large files are mapped, not read, as shared objects
of the same folder are.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from opc.support.safe_open import open_regular, read_regular, state_of

from . import large_pages, limits
from .scratch import write_atomically

SUFFIX = ".seal"
_MARK = b"\nopc sha256 "
SIZE = len(_MARK) + 64
"""Bytes of the digest and of the mark before it."""


def seal(content: bytes) -> bytes:
    """``content`` followed by its digest."""
    return b"".join(map(bytes, sealed([content])))


def sealed(parts: Iterable[bytes | memoryview]) -> Iterator[bytes | memoryview]:
    """Parts of content, followed by their digest."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
        yield part
    yield _MARK + digest.hexdigest().encode()


def is_sealed(content: bytes | memoryview) -> bool:
    """Whether ``content`` ends in the digest of the rest."""
    if len(content) <= SIZE:
        return False
    view = memoryview(content)
    digest = hashlib.sha256(view[:-SIZE]).hexdigest().encode()
    return bytes(view[-SIZE:]) == _MARK + digest


def unsealed(path: Path) -> memoryview | None:
    """The content of a file without its digest, or None if it is damaged; marks it as used.

    Raises OSError, and ValueError for what is no file.
    """
    if path.lstat().st_size < limits.MAPPED:
        content = read_regular(path)
        if not is_sealed(content):
            return None
        os.utime(path)
        return memoryview(content)[:-SIZE]
    descriptor = open_regular(path)
    try:
        # A cache file is complete before it gets its name, and is never written again.
        content = memoryview(large_pages.mapped(descriptor))
    finally:
        os.close(descriptor)
    record = path.with_name(path.name + SUFFIX)
    if _recorded(record) == repr(state_of(path)):
        os.utime(record)
    elif is_sealed(content):
        remember(path)
    else:
        return None
    return content[:-SIZE]


def remember(path: Path) -> None:
    """Record that a large file is sound in its present state."""
    if path.lstat().st_size >= limits.MAPPED:
        with contextlib.suppress(OSError):
            state = repr(state_of(path)).encode()
            write_atomically(path.with_name(path.name + SUFFIX), [state])


def _recorded(record: Path) -> str:
    with contextlib.suppress(OSError, ValueError):
        return read_regular(record, 1000).decode(errors="replace")
    return ""
