"""Writes several files so that either all are complete or none is touched."""

from __future__ import annotations

import contextlib
import secrets
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TextIO

from opc.errors import OutputError


def write_all(folder: Path, contents: Mapping[str, bytes | memoryview]) -> list[tuple[Path, int]]:
    """Write files into ``folder``, created if missing; the paths and their sizes.

    Every file is written under a temporary name first, so that a full disk leaves nothing behind.
    Raises :class:`OutputError`.
    """
    if not contents:
        return []
    created = _make(folder)
    temporary: dict[Path, Path] = {}
    try:
        for name, content in contents.items():
            target = folder / name
            if target.is_dir():
                raise OutputError("cannot be written: there is a folder of that name", str(target))
            temporary[target] = folder / f".{name[:100]}.{secrets.token_hex(6)}.tmp"
            with temporary[target].open("xb") as file:
                file.write(content)
        for target, source in temporary.items():
            source.replace(target)
    except OSError as error:
        place = str(error.filename2 or error.filename or folder)
        place = {str(source): str(target) for target, source in temporary.items()}.get(place, place)
        raise OutputError(f"cannot be written: {error.strerror or error}", place) from error
    except ValueError as error:
        raise OutputError(f"cannot be written: {error}", repr(str(folder))) from error
    finally:
        for source in temporary.values():
            with contextlib.suppress(OSError):
                source.unlink()
        if created is not None:
            # Only an empty folder can be removed, so this undoes a failure and nothing else.
            with contextlib.suppress(OSError):
                created.rmdir()
    return [(target, len(contents[target.name])) for target in temporary]


def require_place(target: Path) -> None:
    """Raise :class:`OutputError` before long work whose result could not be written."""
    if target.is_dir():
        raise OutputError("cannot be written: there is a folder of that name", str(target))
    created = _make(target.parent)
    try:
        with tempfile.TemporaryFile(dir=target.parent):
            pass
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror or error}", str(target)) from error
    finally:
        if created is not None:
            with contextlib.suppress(OSError):
                created.rmdir()


def say_written(written: Iterable[tuple[Path, int]], stream: TextIO | None = None) -> None:
    """Print what was written, with sizes."""
    for path, size in written:
        print(f"wrote {path} ({size} bytes)", file=stream)


def _make(folder: Path) -> Path | None:
    """Make ``folder``; the path if it was not there before."""
    try:
        if folder.is_dir():
            return None
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise OutputError(f"cannot make this folder: {reason}", str(folder)) from error
    return folder
