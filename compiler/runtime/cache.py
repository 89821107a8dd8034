"""Shared objects built from C text, kept in the user's cache folder.

The folder is ``$OPC_CACHE_DIR``, else ``$XDG_CACHE_HOME/opc``, else ``~/.cache/opc``, made with
mode 0700.  One that belongs to somebody else, that others may write to or may put another one in
the place of, or that cannot be written is not used: what is in it would be loaded into the process.

An entry is the shared object followed by a digest of it (the loader does not look behind the last
section), so one rename publishes both.  Beside them is the C text of graphs that were lowered
before, in the same form; see :mod:`opc.api.compile_cache`.

``OPC_CACHE_LIMIT`` bounds the folder in bytes (4 GiB unless set); past it the entries used longest
ago are removed.  That is seen to about once for each 64th of it that is written.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import enum
import hashlib
import json
import math
import os
import platform
import shlex
import stat
import sys
import tempfile
import threading
import time
import warnings
import zlib
from collections.abc import Iterable
from pathlib import Path

from opc.errors import OutputError, ToolchainError, UsageError
from opc.support.interface import ABI_VERSION
from opc.support.safe_open import read_regular

from . import limits, scratch, seals
from .scratch import write_atomically
from .seals import is_sealed, seal
from .toolchain import (
    Compiler,
    command_flags,
    find_compiler,
    resolved_isa,
    translate,
)

_OLD = {"tmp-": limits.YOUNG, "cc-": limits.RECORD}
"""Seconds after which a file is of no use, by what its name starts with."""


class Default(enum.Enum):
    """The type of :data:`DEFAULT`."""

    CACHE = "the user's cache folder"


DEFAULT = Default.CACHE
"""Stands for the user's cache folder."""

Cache = str | os.PathLike[str] | Default | None
"""A folder, :data:`DEFAULT`, or None for no cache."""

_private: dict[int, Path] = {}
_private_lock = threading.Lock()


def build(
    c_text: str,
    *,
    cc: str | os.PathLike[str] | None = None,
    target: str = "native",
    threads: int = 1,
    cache: Cache = DEFAULT,
) -> Path:
    """The path of a loadable shared object of ``c_text``, from the cache if it is there.

    ``cc`` and ``target`` are those of :mod:`opc.runtime.toolchain`; ``threads`` above 1 turns
    threads on.  With ``cache=None``, and when the default folder is not usable, the result is in a
    private temporary folder that is removed at exit.

    Raises :class:`ToolchainError`, :class:`UsageError` for options that make no sense, and
    :class:`OutputError` when the folder given as ``cache`` is not usable.
    """
    threaded = threads > 1
    check_threads(threads)
    limit = _limit()
    folder = _open(cache)
    compiler = find_compiler(cc, records=folder)
    if folder is None:
        return _build_private(compiler, c_text, target, threaded)
    key = cache_key(compiler, c_text, target, threaded=threaded)
    entry = folder / f"{key}.so"
    if _is_sound(entry, compiler):
        return entry
    content = translate(compiler, c_text, target=target, threaded=threaded)
    try:
        write_atomically(entry, [seal(content)])
    except OSError as error:
        if cache is DEFAULT:
            return store_private(content)
        raise OutputError(f"cannot write to the cache {folder}: {error.strerror}") from None
    _load(entry, compiler)
    _prune(folder, limit, entry.name, len(content))
    return entry


def built(c_text: str, compiler: Compiler, target: str, *, threaded: bool) -> bytes:
    """The content of the shared object of ``c_text``, from the cache if it is there.

    It may be one that this process cannot load, such as one for another machine.  Raises
    :class:`ToolchainError`.
    """
    name = f"{cache_key(compiler, c_text, target, threaded=threaded)}.so"
    found = read_entry(DEFAULT, name)
    if found is not None:
        return bytes(found)
    content = translate(compiler, c_text, target=target, threaded=threaded)
    write_entry(DEFAULT, name, len(content), [content])
    return content


def check_threads(threads: object) -> None:
    """:class:`UsageError` for what is no number of threads."""
    if type(threads) is not int or not 0 < threads <= limits.THREADS:
        raise UsageError(
            f"threads: found {threads!r}, expected a number from 1 to {limits.THREADS}"
        )


def read_entry(cache: Cache, name: str) -> memoryview | None:
    """The content of another entry, marked as used; None if it is not there or damaged.

    Raises :class:`OutputError` when the folder given as ``cache`` is not usable.
    """
    folder = _open(cache)
    if folder is None:
        return None
    try:
        return seals.unsealed(folder / name)
    except (OSError, ValueError):
        return None


def write_entry(cache: Cache, name: str, size: int, content: Iterable[bytes | memoryview]) -> bool:
    """Put content of so many bytes there, if the folder can be written to; whether that was done.

    It comes in parts, each needed until the next one is asked for.  The folder is kept within its
    limit; what would take more than half of that is not kept.
    """
    folder = _open(cache)
    if folder is None:
        return False
    limit = _limit()
    if size > limit // 2:
        return False
    try:
        write_atomically(folder / name, seals.sealed(content))
        seals.remember(folder / name)
    except OSError:
        return False
    _prune(folder, limit, name, size)
    return True


def cache_key(compiler: Compiler, c_text: str, target: str, *, threaded: bool = False) -> str:
    """Everything that the machine code depends on, as a hexadecimal digest."""
    parts = [
        ABI_VERSION,
        c_text,
        compiler.path,
        compiler.argv,
        compiler.version,
        command_flags(compiler, target, threaded=threaded, c_text=c_text),
        resolved_isa(compiler, target),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def library_content(library: Path) -> bytes:
    """The shared object in a file that :func:`build` gave, without the digest of an entry."""
    try:
        content = read_regular(library)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OutputError(f"cannot be read: {reason}", str(library)) from None
    return content[: -seals.SIZE] if is_sealed(content) else content


def default_folder() -> Path | None:
    """Where the user's cache is or will be; None if the user has no home."""
    explicit = os.environ.get("OPC_CACHE_DIR", "")
    if explicit:
        return Path(explicit).absolute()
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # The XDG specification: a relative path is to be ignored.
    if base.is_absolute():
        return base / "opc"
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return home / ".cache" / "opc" if home.is_absolute() else None


def _open(cache: Cache) -> Path | None:
    """The folder to use, made if need be; None for a private temporary one."""
    if cache is None:
        return None
    if isinstance(cache, Default):
        folder = default_folder()
        if folder is None:
            return None
        folder = _real(folder)
        objection = _objection(folder)
        if objection is None:
            return folder
        # Without a word, everything would only be slow.  Said once, wherever it is asked from: the
        # place that a warning is about is part of what makes it a new one.
        warnings.warn(f"the cache {folder} is not used: {objection}", RuntimeWarning, stacklevel=1)
        return None
    folder = _real(Path(cache))
    objection = _objection(folder)
    if objection is not None:
        raise OutputError(f"cannot use the cache {folder}: {objection}")
    return folder


def _real(folder: Path) -> Path:
    """Behind all links, since only of real folders it can be said who may replace them."""
    with contextlib.suppress(OSError, ValueError):
        return Path(os.path.realpath(folder))
    return folder.absolute()


def _objection(folder: Path) -> str | None:
    """Make ``folder`` if need be, and say why it cannot be trusted or used, if so."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        status = folder.stat()
    except (OSError, ValueError) as error:
        return (error.strerror if isinstance(error, OSError) else None) or str(error)
    if not stat.S_ISDIR(status.st_mode):
        return "it is not a folder"
    if status.st_uid != os.geteuid():
        return f"it belongs to user {status.st_uid}, not to you"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others may write to it (mode {stat.S_IMODE(status.st_mode):04o})"
    for parent in folder.parents:
        mode = parent.stat().st_mode
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            return f"others may replace it: they may write to {parent}"
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return "it is not writable"
    return None


def _is_sound(entry: Path, compiler: Compiler) -> bool:
    """Whether ``entry`` is there, whole and loadable; marks it as used."""
    try:
        content = read_regular(entry)
        # A damaged file must not reach the loader: it would end the process, not raise.
        if not is_sealed(content):
            return False
        os.utime(entry)
        _load(entry, compiler)
    except (OSError, ValueError, ToolchainError):
        return False
    return True


def _load(library: Path, compiler: Compiler) -> None:
    """Raise :class:`ToolchainError` if ``library`` cannot be loaded into this process."""
    try:
        ctypes.CDLL(str(library))
    except OSError as error:
        reason = str(error)
        machines = {_machine(library), _machine(Path(sys.executable))}
        if len(machines) > 1 and None not in machines:
            # The system's loader looks at the files that it needs first, and says only those.
            reason = (
                f"it is for another machine: {shlex.join(compiler.argv)} compiles for "
                f"{compiler.triple}, this process is for {platform.machine()}; opc compile writes "
                "libraries for other machines"
            )
        raise ToolchainError(f"the built library cannot be loaded: {reason}") from None


def _machine(binary: Path) -> tuple[bytes, bytes] | None:
    """What an ELF file says of its machine: width and byte order, and kind.  None for others."""
    header = b""
    with contextlib.suppress(OSError), binary.open("rb") as file:
        header = file.read(20)
    return (header[4:6], header[18:20]) if header.startswith(b"\x7fELF") else None


def _build_private(compiler: Compiler, c_text: str, target: str, threaded: bool) -> Path:
    library = store_private(translate(compiler, c_text, target=target, threaded=threaded))
    _load(library, compiler)
    return library


def store_private(content: bytes) -> Path:
    """Write ``content`` under a new name in a folder that lives as long as this process."""
    folder = _private_folder()
    try:
        handle, name = tempfile.mkstemp(suffix=".so", dir=folder)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
    except OSError as error:
        raise OutputError(f"cannot write a temporary file: {error.strerror}") from None
    return Path(name)


def _private_folder() -> Path:
    # By process: a forked child must not remove the folder of its parent.
    process = os.getpid()
    with _private_lock:
        if process not in _private:
            _private[process] = scratch.make()
        return _private[process]


@atexit.register
def _remove_private_folder() -> None:
    folder = _private.pop(os.getpid(), None)
    if folder is not None:
        scratch.remove(folder)


def _prune(folder: Path, limit: int, name: str, size: int) -> None:
    """Remove the entries used longest ago until the folder is within its limit, now and then.

    Of a full folder that takes longer than many a compilation: 0.2 s of 32,000 files.  So it is
    done for one in so many new entries, by name, that it happens about once for each share of the
    limit that is written, by however many processes.

    Recent files stay in any case: another process may be between finding and loading one.  Older
    files that a killed process has left half-written, and old answers of compilers, go in any case.
    """
    if zlib.crc32(name.encode()) * limit >= (limits.SHARES * size) << 32:
        return
    now = time.time()
    files: list[tuple[float, int, str]] = []
    # Of what is mapped, the file beside it says when it was used.
    used_at: dict[str, float] = {}
    with contextlib.suppress(OSError), os.scandir(folder) as found:
        for item in found:
            ours = (".so", ".c.json", seals.SUFFIX)
            if not (item.name.endswith(ours) or item.name.startswith(tuple(_OLD))):
                continue
            # Another process may prune at the same time.
            with contextlib.suppress(OSError):
                status = item.stat(follow_symlinks=False)
                if now - status.st_mtime > _OLD.get(item.name.partition("-")[0] + "-", math.inf):
                    Path(item.path).unlink()
                else:
                    files.append((status.st_mtime, status.st_size, item.path))
                    if item.name.endswith(seals.SUFFIX):
                        used_at[item.path.removesuffix(seals.SUFFIX)] = status.st_mtime
    total = sum(size for _, size, _ in files)
    for used, size, path in sorted((max(t, used_at.get(p, t)), n, p) for t, n, p in files):
        if total <= limit or now - used < limits.YOUNG:
            return
        with contextlib.suppress(OSError):
            Path(path).unlink()
            total -= size


def _limit() -> int:
    text = os.environ.get("OPC_CACHE_LIMIT", "").strip()
    if not text:
        return limits.CACHE
    if not (text.isascii() and text.isdigit() and len(text) <= limits.DIGITS):
        raise UsageError(f"OPC_CACHE_LIMIT: found {text!r}, expected a number of bytes")
    return int(text)
