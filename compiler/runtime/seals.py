"""Content that ends in a digest of itself, by which damage is found.

Of what is large the digest is computed once: a small file beside it, ``NAME.seal``, has the state
that the file had then, by which it is known to be the same.  It is mapped, not read: as shared
objects are, which lie in the same folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import mmap
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from opc.support.safe_open import open_regular, read_regular, state_of

from . import limits
from .scratch import write_atomically

SUFFIX = ".seal"
_MARK = b"\nopc sha256 "
SIZE = len(_MARK) + 64
"""Bytes of the digest with what is in front of it."""


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
    """Whether ``content`` ends in the digest of what is before it."""
    if len(content) <= SIZE:
        return False
    view = memoryview(content)
    digest = hashlib.sha256(view[:-SIZE]).hexdigest().encode()
    return bytes(view[-SIZE:]) == _MARK + digest


def unsealed(path: Path) -> memoryview | None:
    """What is in a file, without its digest, marked as used; None if it is damaged.

    Raises OSError, and ValueError for what is no file.
    """
    if path.lstat().st_size < limits.MAPPED:
        content = read_regular(path)
        if not is_sealed(content):
            return None
        os.utime(path)
        # No copy: it may be large.
        return memoryview(content)[:-SIZE]
    descriptor = open_regular(path)
    try:
        # A file of the cache gets a new name before anybody reads it, and is never written again.
        content = memoryview(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ))
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
    """Write down that a large file is sound as it is now."""
    if path.lstat().st_size >= limits.MAPPED:
        with contextlib.suppress(OSError):
            state = repr(state_of(path)).encode()
            write_atomically(path.with_name(path.name + SUFFIX), [state])


def _recorded(record: Path) -> str:
    with contextlib.suppress(OSError, ValueError):
        return read_regular(record, 1000).decode(errors="replace")
    return ""
