"""``opc pack``: a graph to a wheel, which needs NumPy alone."""

from __future__ import annotations

import argparse
import base64
import hashlib
import io
import json
import keyword
import platform
import re
import sys
import sysconfig
import zipfile
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from opc.errors import UnsupportedError, UsageError
from opc.support.interface import CAPACITY, too_small_code

from .cli import add_graph_arguments, compiled_graph
from .files import say_written, write_all

if TYPE_CHECKING:
    from opc.api.driver import Function

_EPILOG = """\
The wheel has the shared library, the weights and a module, whose function is called NAME:
  pip install dist/NAME-0.1.0-py3-none-linux_x86_64.whl
  python -c "import NAME; print(NAME.function.inputs)"
It is for the system and the architecture that it was made on, and for processors of the target.
"""
_INIT = '''"""{name}: a function compiled by opc; call function(...) with NumPy arrays."""

from ._function import function

__all__ = ["function"]
'''
_METADATA = """\
Metadata-Version: 2.1
Name: {name}
Version: {version}
Summary: A function compiled by opc
Requires-Python: >=3.9
Requires-Dist: numpy
"""
_WHEEL = """\
Wheel-Version: 1.0
Generator: opc
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""
_NAME = re.compile(r"[A-Za-z0-9_]+\Z")
_VERSION = re.compile(r"[0-9]+(\.[0-9]+)*((a|b|rc)[0-9]+)?(\.post[0-9]+)?(\.dev[0-9]+)?\Z")
_DATE = (1980, 1, 1, 0, 0, 0)
"""Of every file, so that the same graph gives the same wheel."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.description = "Writes a graph as a Python package that needs NumPy alone."
    parser.epilog = _EPILOG
    add_graph_arguments(parser)
    is_x86 = platform.machine().lower() in ("x86_64", "amd64")
    parser.set_defaults(target="avx2" if is_x86 else "baseline")
    parser.add_argument(
        "-o", dest="output", metavar="DIR", default="dist", help="where to write; default: dist"
    )
    parser.add_argument("--name", help="the name of the package; default: that of the function")
    parser.add_argument(
        "--package-version", metavar="V", default="0.1.0", help="its version; default: 0.1.0"
    )


def run(args: argparse.Namespace) -> int:
    """Compile and write; returns the exit code."""
    if not _VERSION.match(args.package_version):
        raise UsageError(f"--package-version: found {args.package_version!r}, expected 1.2.3")
    function = compiled_graph(args)
    name = function.interface.prefix if args.name is None else args.name
    if args.name is None and function.interface.function == "main" and args.graph != "-":
        from opc.api.driver import prefix_of

        name = prefix_of("main", Path(args.graph).stem)
    _check_name(name)
    file, content = wheel(function, name, args.package_version)
    say_written(write_all(Path(args.output), {file: content}))
    return 0


def _check_name(name: str) -> None:
    """Raise UsageError for what pip or Python refuses, and what would hide another package."""
    problem, expected = "", "another name"
    if not _NAME.match(name):
        expected = "letters, digits and _"
    elif not name[0].isalpha():
        expected = "a letter first"
    elif name.endswith("_"):
        expected = "a letter or a digit last"
    elif keyword.iskeyword(name):
        problem = ", a keyword of Python"
    elif name in sys.stdlib_module_names:
        problem = ", a module of Python's standard library"
    # Names of packages have no case for pip.
    elif name.lower() in ("numpy", "opc"):
        problem = ", a package that this would replace"
    else:
        return
    raise UsageError(f"--name: found {name!r}{problem}, expected {expected}")


def wheel(function: Function, name: str, version: str) -> tuple[str, bytes]:
    """The name and the content of the wheel.

    Raises UnsupportedError for element types that NumPy does not have.
    """
    from opc.runtime import artifact, cache

    lowered, interface = function.lowered, function.interface
    for spec in (*interface.inputs, *interface.outputs):
        if spec.dtype.kind not in "fiub" or spec.dtype.name == "bfloat16":
            raise UnsupportedError(f"{spec.name}: NumPy has no {spec.dtype.name}")
    if interface.donated:
        raise UnsupportedError("opc pack does not take inputs that hold outputs")
    target, threads = lowered.options.target, lowered.options.threads
    content = cache.library_content(function.library)
    library = artifact.Library("function.so", content, platform.machine(), target, threads)
    described = json.loads(artifact.described(lowered.metadata, library, None))
    # What a capacity is at first, and by which number return codes are divided.
    described |= {"capacity": CAPACITY, "places": too_small_code(0)}
    tag = re.sub("[^a-z0-9]", "_", sysconfig.get_platform().lower())
    module = files("opc.runtime").joinpath("packed.py").read_bytes()
    parts: dict[str, bytes] = {
        f"{name}/__init__.py": _INIT.format(name=name).encode(),
        f"{name}/_function.py": module,
        f"{name}/function.json": json.dumps(described, indent=2).encode() + b"\n",
        f"{name}/function.so": bytes(content),
    }
    if lowered.weights is not None:
        parts[f"{name}/function.bin"] = np.ascontiguousarray(lowered.weights).tobytes()
    info = f"{name}-{version}.dist-info"
    parts[f"{info}/METADATA"] = _METADATA.format(name=name, version=version).encode()
    parts[f"{info}/WHEEL"] = _WHEEL.format(platform=tag).encode()
    record = [f"{path},{_digest(part)},{len(part)}" for path, part in parts.items()]
    parts[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path, part in parts.items():
            entry = zipfile.ZipInfo(path, _DATE)
            entry.external_attr = 0o644 << 16
            file.writestr(entry, part, zipfile.ZIP_DEFLATED)
    return f"{name}-{version}-py3-none-{tag}.whl", archive.getvalue()


def _digest(part: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(part).digest()).rstrip(b"=").decode()
    return f"sha256={digest}"
