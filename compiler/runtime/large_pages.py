"""Large files in large pages, so that a processor translates few addresses while it reads them.

Linux keeps a part of a file in one large page where that part was written at once, or is read
through a mapping that asks for it.
"""

from __future__ import annotations

import contextlib
import mmap
from collections.abc import Iterable
from typing import BinaryIO

from .limits import LARGE_PAGE


def write(descriptor: int, parts: Iterable[bytes | memoryview]) -> None:
    """Write parts to a new file, and close it; the system gets whole pages.  Raises OSError."""
    file: BinaryIO
    with open(descriptor, "wb", buffering=LARGE_PAGE) as file:
        written = 0
        for part in parts:
            view = memoryview(part)
            rest = view.cast("B") if view.nbytes else b""
            while rest:
                # The buffer passes on what it holds once it is full.
                count = file.write(rest[: LARGE_PAGE - written % LARGE_PAGE])
                written, rest = written + count, rest[count:]


def mapped(descriptor: int, size: int = 0) -> mmap.mmap:
    """The first ``size`` bytes of a file, or all of it, to be read.  Raises OSError."""
    content = mmap.mmap(descriptor, size, access=mmap.ACCESS_READ)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        # A system without large pages refuses.
        with contextlib.suppress(OSError):
            content.madvise(mmap.MADV_HUGEPAGE)
    return content
