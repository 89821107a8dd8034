"""Shared objects built from C text, in the user's cache folder.

The folder is ``$OPC_CACHE_DIR``, else ``$XDG_CACHE_HOME/opc``, else ``~/.cache/opc``, made with
mode 0700.  Since its content is loaded into the process, a folder is not used if it belongs to
another user, if others may write to it or replace it, or if it cannot be written.

An entry is the shared object followed by its digest (the loader does not look behind the last
section), so one rename publishes both.  Objects of translation units have the same form, and the C
text of graphs that were lowered before; see :mod:`opc.api.compile_cache`.

``OPC_CACHE_LIMIT`` bounds the folder in bytes (4 GiB unless set): beyond it the least recently used
entries are removed.  That is checked about once for each 64th of the limit that is written.
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
from collections.abc import Iterable, Sequence
from pathlib import Path

from opc.errors import OutputError, ToolchainError, UsageError
from opc.support.interface import ABI_VERSION
from opc.support.safe_open import read_regular

from . import limits, objects, scratch, seals
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
"""Seconds after which a file is of no use, by the prefix of its name."""


class Default(enum.Enum):
    """The type of :data:`DEFAULT`."""

    CACHE = "the user's cache folder"


DEFAULT = Default.CACHE
"""The user's cache folder."""

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
    units: Sequence[str] = (),
    stop: threading.Event | None = None,
) -> Path:
    """The path of a loadable shared object of ``c_text``, from the cache if it is there.

    ``units`` are its translation units, if it has several, the one of public functions first.
    ``cc`` and ``target`` are those of :mod:`opc.runtime.toolchain`; ``threads`` above 1 turns
    threads on.  With ``cache=None``, and if the default folder is not usable, the result is in a
    private temporary folder that is removed at exit.  When ``stop`` is set, compilers are killed.

    Raises :class:`ToolchainError`, :class:`UsageError` for invalid options, and
    :class:`OutputError` if the folder ``cache`` is not usable.
    """
    threaded = threads > 1
    check_threads(threads)
    limit = _limit()
    folder = _open(cache)
    compiler = find_compiler(cc, records=folder)
    if folder is None:
        library = store_private(_content(compiler, c_text, units, target, threaded, None, stop))
        _load(library, compiler)
        return library
    entry = folder / f"{cache_key(compiler, c_text, target, threaded=threaded, units=units)}.so"
    if _is_sound(entry, compiler):
        return entry
    content = _content(compiler, c_text, units, target, threaded, folder, stop)
    try:
        write_atomically(entry, [seal(content)])
    except OSError as error:
        if cache is DEFAULT:
            return store_private(content)
        raise OutputError(f"cannot write to the cache {folder}: {error.strerror}") from None
    _load(entry, compiler)
    _prune(folder, limit, entry.name, len(content))
    return entry


def built(
    c_text: str, compiler: Compiler, target: str, *, threaded: bool, units: Sequence[str] = ()
) -> bytes:
    """The content of the shared object of ``c_text``, from the cache if it is there.

    The arguments are those of :func:`build`.  This process need not be able to load it: it may be
    for another machine.  Raises :class:`ToolchainError`.
    """
    name = f"{cache_key(compiler, c_text, target, threaded=threaded, units=units)}.so"
    known = read_entry(DEFAULT, name)
    if known is not None:
        return bytes(known)
    content = _content(compiler, c_text, units, target, threaded, DEFAULT)
    write_entry(DEFAULT, name, len(content), [content])
    return content


def _content(
    compiler: Compiler,
    c_text: str,
    units: Sequence[str],
    target: str,
    threaded: bool,
    cache: Cache,
    stop: threading.Event | None = None,
) -> bytes:
    """The shared object of a C text; of ``units``, those are compiled whose objects are not kept.

    Only the first one shares loops, so the objects of the others do not depend on ``threaded``.
    """
    if not units or not objects.can_link(compiler):
        return translate(compiler, c_text, target=target, threaded=threaded, stop=stop)
    known: dict[str, bytes] = {}

    def name(text: str) -> str:
        is_threaded = threaded and text is units[0]
        return f"{cache_key(compiler, text, target, threaded=is_threaded)}.o"

    def keep(text: str, content: bytes) -> None:
        known[text] = content
        write_entry(cache, name(text), len(content), [content])

    for text in units:
        kept = read_entry(cache, name(text))
        if kept is not None:
            known[text] = bytes(kept)
    missing = [(t, threaded and t is units[0]) for t in units if t not in known]
    objects.compile_all(compiler, missing, target, keep, stop)
    return objects.link(compiler, [known[t] for t in units], target, threaded=threaded)


def check_threads(threads: object) -> None:
    """:class:`UsageError` for what is no number of threads."""
    if type(threads) is not int or not 0 < threads <= limits.THREADS:
        raise UsageError(
            f"threads: found {threads!r}, expected a number from 1 to {limits.THREADS}"
        )


def read_entry(cache: Cache, name: str) -> memoryview | None:
    """The content of an entry, or None if it is absent or damaged; marks it as used.

    Raises :class:`OutputError` if the folder ``cache`` is not usable.
    """
    folder = _open(cache)
    if folder is None:
        return None
    try:
        return seals.unsealed(folder / name)
    except (OSError, ValueError):
        return None


def write_entry(cache: Cache, name: str, size: int, content: Iterable[bytes | memoryview]) -> bool:
    """Write an entry of ``size`` bytes; whether that was possible.

    Each part of ``content`` must stay valid until the next one is taken.  The folder is kept within
    its limit; an entry of more than half of that is not written.
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


def cache_key(
    compiler: Compiler,
    c_text: str,
    target: str,
    *,
    threaded: bool = False,
    units: Sequence[str] = (),
) -> str:
    """A hexadecimal digest of everything that the machine code depends on."""
    parts = [
        ABI_VERSION,
        [c_text, *units],
        compiler.path,
        compiler.argv,
        compiler.version,
        command_flags(compiler, target, threaded=threaded, c_text=c_text),
        resolved_isa(compiler, target),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def library_content(library: Path) -> bytes:
    """The shared object in a file from :func:`build`, without the digest of an entry."""
    try:
        content = read_regular(library)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OutputError(f"cannot be read: {reason}", str(library)) from None
    return content[: -seals.SIZE] if is_sealed(content) else content


def default_folder() -> Path | None:
    """The path of the user's cache; None if the user has no home."""
    explicit = os.environ.get("OPC_CACHE_DIR", "")
    if explicit:
        return Path(explicit).absolute()
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # By the XDG specification, a relative path is ignored.
    if base.is_absolute():
        return base / "opc"
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return home / ".cache" / "opc" if home.is_absolute() else None


def _open(cache: Cache) -> Path | None:
    """The folder to use, made if necessary; None for a private temporary one."""
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
        # One place for all callers, so that the warning is shown once.
        warnings.warn(f"the cache {folder} is not used: {objection}", RuntimeWarning, stacklevel=1)
        return None
    folder = _real(Path(cache))
    objection = _objection(folder)
    if objection is not None:
        raise OutputError(f"cannot use the cache {folder}: {objection}")
    return folder


def _real(folder: Path) -> Path:
    """Resolve all links: who may replace a folder is known only of real ones."""
    with contextlib.suppress(OSError, ValueError):
        return Path(os.path.realpath(folder))
    return folder.absolute()


def _objection(folder: Path) -> str | None:
    """Make ``folder`` if necessary; the reason why it cannot be trusted or used, or None."""
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
    """Whether ``entry`` exists, is undamaged and loadable; marks it as used."""
    try:
        content = read_regular(entry)
        # A damaged file would crash the loader.
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
            # The system's message is only about the libraries that this one needs.
            reason = (
                f"it is for another machine: {shlex.join(compiler.argv)} compiles for "
                f"{compiler.triple}, this process is for {platform.machine()}; opc compile writes "
                "libraries for other machines"
            )
        raise ToolchainError(f"the built library cannot be loaded: {reason}") from None


def _machine(binary: Path) -> tuple[bytes, bytes] | None:
    """The width and byte order, and the machine, of an ELF file; None for other files."""
    header = b""
    with contextlib.suppress(OSError), binary.open("rb") as file:
        header = file.read(20)
    return (header[4:6], header[18:20]) if header.startswith(b"\x7fELF") else None


def store_private(content: bytes) -> Path:
    """Write ``content`` under a new name in a folder that is removed with this process."""
    folder = _private_folder()
    try:
        handle, name = tempfile.mkstemp(suffix=".so", dir=folder)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
    except OSError as error:
        raise OutputError(f"cannot write a temporary file: {error.strerror}") from None
    return Path(name)


def _private_folder() -> Path:
    # A forked child must not remove the folder of its parent.
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
    """Remove the least recently used entries until the folder is within its limit, now and then.

    In a full folder that takes longer than many compilations: 0.2 s for 32,000 files.  So the name
    of a new entry decides whether it is done: about once for each share of the limit that is
    written, by any number of processes.

    Recent files stay: another process may be about to load one.  Older files that a killed process
    left half-written, and old records of compilers, are removed in any case.
    """
    if zlib.crc32(name.encode()) * limit >= (limits.SHARES * size) << 32:
        return
    now = time.time()
    files: list[tuple[float, int, str]] = []
    # The seal of a mapped file has the time of its last use.
    used_at: dict[str, float] = {}
    with contextlib.suppress(OSError), os.scandir(folder) as items:
        for item in items:
            suffixes = (".so", ".o", ".c.json", seals.SUFFIX)
            if not (item.name.endswith(suffixes) or item.name.startswith(tuple(_OLD))):
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
