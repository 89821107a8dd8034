"""Files made to harm: each with what must happen, a kind of error and a part of its message.

An attack is a row of a table: what lies in a folder, of which the first file is the graph, and
what becomes of it.  ``LOWERED`` stands for those that must do no harm and give C.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

LOWERED = "lowered"
INPUT, UNSUPPORTED = "InputError", "UnsupportedError"
CALL = "ArgumentError"
"""Of those that give C, which refuses every call."""

Content: TypeAlias = "bytes | str | Callable[[Path], object]"
"""Of a file: bytes, text, or what makes something else than a file at its path."""


@dataclass(frozen=True)
class Attack:
    """Contents by name, the outcome, and a part of the message."""

    files: Mapping[str, Content]
    kind: str
    message: str = ""

    def write(self, folder: Path) -> Path:
        """Put everything into a folder; the path of the graph."""
        for name, content in self.files.items():
            if callable(content):
                content(folder / name)
            else:
                data = content.encode() if isinstance(content, str) else content
                (folder / name).write_bytes(data)
        return folder / next(iter(self.files))


def pipe(path: Path) -> None:
    """A pipe that nobody writes to."""
    os.mkfifo(path)


def device(path: Path) -> None:
    """A link to a device without an end."""
    path.symlink_to("/dev/zero")


def link(target: str) -> Callable[[Path], None]:
    """A symbolic link."""
    return lambda path: path.symlink_to(target)


def second_name(path: Path) -> None:
    """A hard link to a file that lies outside."""
    outside = path.parent.parent / f"{path.parent.name}-outside"
    outside.write_bytes(b"secret" * 100)
    os.link(outside, path)


def sparse(size: int) -> Callable[[Path], None]:
    """A file of so many bytes that takes no room."""

    def make(path: Path) -> None:
        path.touch()
        os.truncate(path, size)

    return make


def odd(name: str, message: str) -> dict[str, Attack]:
    """Everything that may lie in the place of a graph of this name and is no file."""
    places: dict[str, tuple[Content, str]] = {
        "pipe": (pipe, "it is a pipe or a device"),
        "device": (device, "it is a pipe or a device"),
        "folder": (Path.mkdir, "Is a directory"),
        "link to nothing": (link("nothing"), "No such file or directory"),
        "link to itself": (link(name), "symbolic links"),
        "empty": (b"", message),
    }
    return {
        f"{name}: {what}": Attack({name: content}, INPUT, part)
        for what, (content, part) in places.items()
    }
