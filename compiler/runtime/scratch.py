"""Temporary folders, which are removed even if their process was killed, and atomic writes.

A folder is locked as long as its process lives; however that ends, the system releases the lock.
With its first folder a process removes those that others left: folders of this user that are ten
minutes old and not locked.

A file that others may read at any time is written under another name and then renamed.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

from opc.errors import OutputError

from . import large_pages, limits

PREFIX = "opc-tmp-"

_locks: dict[Path, int] = {}
_swept: set[str] = set()


def make() -> Path:
    """A new folder, which nobody else may read; raises :class:`OutputError`."""
    try:
        parent = tempfile.gettempdir()
        if parent not in _swept:
            _swept.add(parent)
            _sweep(parent)
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        _locks[folder] = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise OutputError(f"cannot make a temporary folder: {error.strerror}") from None
    # Without locks of the file system, folders of killed processes stay.
    with contextlib.suppress(OSError):
        fcntl.flock(_locks[folder], fcntl.LOCK_EX | fcntl.LOCK_NB)
    return folder


def remove(folder: Path) -> None:
    """Remove a folder and its content, as far as possible."""
    shutil.rmtree(folder, ignore_errors=True)
    lock = _locks.pop(folder, None)
    if lock is not None:
        os.close(lock)


@contextmanager
def temporary() -> Generator[Path]:
    """A folder that is removed at the end; raises :class:`OutputError`."""
    folder = make()
    try:
        yield folder
    finally:
        remove(folder)


def _sweep(parent: str) -> None:
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for item in entries:
            if item.name.startswith(PREFIX) and _is_abandoned(item.path):
                # rmtree does not follow links, so nobody can lead it elsewhere.
                shutil.rmtree(item.path, ignore_errors=True)


def _is_abandoned(path: str) -> bool:
    try:
        lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        status = os.fstat(lock)
        if status.st_uid != os.geteuid() or time.time() - status.st_mtime < limits.YOUNG:
            return False
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(lock)
    return True


def write_atomically(path: Path, content: Iterable[bytes | memoryview]) -> None:
    """Write parts to ``path`` so that nobody ever sees only some of them; raises OSError."""
    handle, name = tempfile.mkstemp(prefix="tmp-", dir=path.parent)
    temporary = Path(name)
    try:
        large_pages.write(handle, content)
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
