"""Files to read, opened once, without waiting, and checked by their descriptors.

Only regular files are read: a pipe may wait for ever, a device may have no end.  What a model
names must lie in the model's folder, be reached through no link, and have no second name: a link
in a folder that comes from elsewhere would show any file of the machine as weights.

Bytes of such a file are read when they are needed, never mapped: a mapped file that becomes
shorter ends the process with a signal.  One that has changed since it was opened is an error.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import os
import stat
import time
import weakref
from collections.abc import Generator
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from opc.errors import InputError

Bytes: TypeAlias = "np.ndarray[Any, np.dtype[np.uint8]]"

_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_MOST_AT_ONCE = 1 << 30
_PART = 1 << 20
"""Bytes that are read at once to look at all of a file."""
_TICK = 50_000_000
"""Nanoseconds in which changes of a file may have the same time; the clock for that is coarse."""


def open_regular(path: str | os.PathLike[str]) -> int:
    """A descriptor of a file that the user names; links are followed.

    Raises OSError, and ValueError where the name is none or belongs to something else.
    """
    descriptor = os.open(path, _READ)
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(status.st_mode):
            raise ValueError("it is a pipe or a device, not a file")
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def read_regular(path: str | os.PathLike[str], most: int | None = None) -> bytes:
    """The content that a file has when it is opened; raises what :func:`open_regular` does.

    ValueError too if there are more than ``most`` bytes.
    """
    with os.fdopen(open_regular(path), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if most is not None and size > most:
            raise ValueError(f"it is larger than {most} bytes")
        return file.read(size) or b""


FileState: TypeAlias = "tuple[int, int, int, int, int]"
"""Device, inode, size, time of the last change of the content and of anything."""

_opened: ContextVar[list[DataFile] | None] = ContextVar("_opened", default=None)


class DataFile:
    """A file that a model names, open as long as this lives; ``size`` is in bytes.

    ``state`` is that when it was opened.  As long as :func:`state_of` its ``path`` gives the same,
    the content is the same, if ``is_settled``; otherwise it may have changed within a moment.
    """

    def __init__(self, folder: str | os.PathLike[str], location: str) -> None:
        """Open ``location``, a path with ``/`` in it or none, which starts at ``folder``.

        Raises ValueError that says what is wrong with it.
        """
        self.path = Path(folder) / location
        self._hold(_open_beside(folder, location))
        files = _opened.get()
        if files is not None:
            files.append(self)
            self._settle()
        self.size = self.state[2]

    @classmethod
    def named(cls, path: str | os.PathLike[str]) -> DataFile:
        """A file that the user names; raises what :func:`open_regular` does."""
        file = cls.__new__(cls)
        file.path = Path(path)
        file._hold(open_regular(path))
        file._settle()
        file.size = file.state[2]
        return file

    def _hold(self, descriptor: int) -> None:
        self._descriptor = descriptor
        weakref.finalize(self, os.close, descriptor)
        self.state = _state(os.fstat(descriptor))
        self.is_settled = False

    @functools.cached_property
    def digest(self) -> str:
        """SHA-256 of the content, in hexadecimal."""
        hashed = hashlib.sha256()
        for offset in range(0, self.size, _PART):
            hashed.update(self.read(offset, min(_PART, self.size - offset)).data)
        return hashed.hexdigest()

    def read(self, offset: int, size: int) -> Bytes:
        """The bytes at an offset, which the caller knows to lie within the file.

        Raises :class:`InputError` if the file has changed since it was opened.
        """
        content = np.empty(size, np.uint8)
        done, count = 0, size
        try:
            while count:
                part = content[done : done + _MOST_AT_ONCE]
                count = os.preadv(self._descriptor, [part.data], offset + done)
                done += count
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", str(self.path)) from error
        state = _state(os.fstat(self._descriptor))
        if done < size or state[2:4] != self.state[2:4]:
            raise InputError("has changed since the model was read", str(self.path))
        return content

    def _settle(self) -> None:
        """Let a moment pass if the file was written just now."""
        age = time.time_ns() - max(self.state[3:])
        if 0 <= age < _TICK:
            time.sleep((_TICK - age) / 1e9)
            self.state = _state(os.fstat(self._descriptor))
        changed = max(self.state[3:])
        # Some file systems count in seconds, or in two.
        tick = _TICK if changed % 1_000_000 else 2_000_000_000
        self.is_settled = time.time_ns() - changed >= tick


@contextlib.contextmanager
def recorded() -> Generator[list[DataFile]]:
    """The files that models name and that are opened meanwhile, by this thread."""
    files: list[DataFile] = []
    token = _opened.set(files)
    try:
        yield files
    finally:
        _opened.reset(token)


def state_of(path: str | os.PathLike[str]) -> FileState | None:
    """The state of a file, None if there is none; a link is a file of its own."""
    try:
        return _state(Path(path).lstat())
    except (OSError, ValueError):
        return None


def _state(status: os.stat_result) -> FileState:
    times = status.st_mtime_ns, status.st_ctime_ns
    return (status.st_dev, status.st_ino, status.st_size, *times)


def decimal(text: str) -> int:
    """The number that ASCII digits write, at most 18 of them; ValueError for any other text.

    ``int`` takes underscores, signs, blanks and the digits of other scripts, too.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise ValueError(f"found {text[:40]!r}, expected a number of at most 18 digits")
    return int(text)


def _open_beside(folder: str | os.PathLike[str], location: str) -> int:
    parts, shown = location.split("/"), repr(location[:100])
    if "\0" in location or not parts[0]:
        raise ValueError(f"{shown} is not a relative path")
    if ".." in parts:
        raise ValueError(f"{shown} lies outside the folder of the model")
    parts = [part for part in parts if part not in ("", ".")]
    place = _open(folder, os.O_DIRECTORY, None, shown)
    for k, part in enumerate(parts):
        kind = os.O_DIRECTORY if k < len(parts) - 1 else 0
        try:
            inner = _open(part, os.O_NOFOLLOW | kind, place, shown)
        finally:
            os.close(place)
        place = inner
    try:
        status = os.fstat(place)
        if not stat.S_ISREG(status.st_mode):
            raise ValueError(f"{shown} is no file")
        if status.st_nlink > 1:
            raise ValueError(f"{shown} is a hard link: the file has other names")
    except BaseException:
        os.close(place)
        raise
    return place


def _open(path: str | os.PathLike[str], flags: int, place: int | None, shown: str) -> int:
    try:
        return os.open(path, _READ | flags, dir_fd=place)
    except OSError as error:
        why = f"cannot be opened: {error.strerror}"
        # The system does not say whether it is a link that is in the way.
        may_be_link = error.errno in (errno.ELOOP, errno.ENOTDIR)
        if may_be_link and stat.S_ISLNK(os.stat(path, dir_fd=place, follow_symlinks=False).st_mode):
            why = "is or lies behind a symbolic link, which is not followed"
        raise ValueError(f"{shown} {why}") from None
