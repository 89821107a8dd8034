"""``opc convert``: a model as text in its source dialect, with the weights in a file beside it."""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from opc.errors import UsageError

from .cli import add_budget_argument, add_dim_argument, add_outputs_argument, dims_of
from .files import say_written, write_all

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

ALIGNMENT = 64
"""Every array begins at a multiple of it."""

_EPILOG = """\
Constants of more than 1024 elements go to a file of the same name with .bin behind it; the text
has their place in it and their digest.  What has such constants can only be compiled where that
file lies beside it.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.description = "Writes a model as text, as it was before any pass."
    parser.epilog = _EPILOG
    parser.add_argument("graph", help="an ONNX or OpenVINO model, or MLIR text")
    parser.add_argument(
        "-o", dest="output", metavar="FILE", required=True, help="the .mlir file to write"
    )
    add_outputs_argument(parser)
    add_budget_argument(parser)
    add_dim_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Read and write; returns the exit code."""
    from opc.api.outputs import keep_only
    from opc.frontend.fixed_dims import fix_only

    from .cli import read_graph

    output = Path(args.output)
    if output.suffix != ".mlir":
        raise UsageError(f"-o: {args.output} does not end in .mlir")
    module = read_graph(args)
    if args.outputs is not None:
        keep_only(module, args.outputs)
    fix_only(module, dims_of(args))
    contents = text_and_weights(module, output.stem)
    say_written(write_all(output.parent, contents))
    return 0


def text_and_weights(module: ModuleOp, stem: str) -> dict[str, bytes]:
    """The content of ``stem.mlir`` and, if there are large constants, of ``stem.mlir.bin``."""
    import numpy as np

    from opc.dialects.blob import BlobAttr
    from opc.dialects.walking import walk

    module = module.clone()
    # Not stem.bin: beside an OpenVINO model of that name lies one that is not ours.
    name = f"{stem}.mlir.bin"
    weights = bytearray()
    places: dict[str, int] = {}
    for op in walk(module):
        for attributes in (op.attributes, op.properties):
            for key, attr in list(attributes.items()):
                if not isinstance(attr, BlobAttr):
                    continue
                data = np.ascontiguousarray(attr.array).tobytes()
                digest = hashlib.sha256(data).hexdigest()
                if digest not in places:
                    weights += bytes(-len(weights) % ALIGNMENT)
                    places[digest] = len(weights)
                    weights += data
                attributes[key] = attr.placed(name, places[digest])
    contents = {f"{stem}.mlir": (str(module) + "\n").encode()}
    return contents | ({name: bytes(weights)} if weights else {})
