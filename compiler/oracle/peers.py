"""The same model run by other libraries, where they are installed."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from opc.interpret.bounds import Bounded
from opc.interpret.precision import Array, is_float
from opc.interpret.tolerance import PEER_FACTOR, PEER_ULP, spacing
from opc.support.interface import Interface
from opc.tools.peers import PEERS, peer_model

from .compare import Comparison, compare

READS = {".onnx": "onnxruntime", ".onnxtxt": "onnxruntime", ".xml": "openvino"}
"""The library whose own format a file has, by its suffix."""


def peer_of(path: str) -> str | None:
    """The name of the installed library that a model is made for, if there is one."""
    name = READS.get(Path(path).suffix.lower())
    return name if name is not None and find_spec(name) is not None else None


def beside(
    name: str,
    path: str,
    interface: Interface,
    inputs: Sequence[Array],
    expected: Sequence[Bounded],
) -> list[Comparison]:
    """The comparison of the interpreter with a library; raises what the library raises."""
    results = [np.zeros(x.value.shape, x.value.dtype) for x in expected]
    call = PEERS[name](
        peer_model(path, name),
        {spec.name: x for spec, x in zip(interface.inputs, inputs, strict=True)},
        {spec.name: x for spec, x in zip(interface.outputs, results, strict=True)},
        1,
    )
    call()
    return [compare(a, _wider(b)) for a, b in zip(results, expected, strict=True)]


def _wider(x: Bounded) -> Bounded:
    """A comparison with the tolerance of another library."""
    error = x.error * PEER_FACTOR
    if is_float(x.value):
        # Where large terms cancel, their order matters more than a result shows by its own size.
        size = np.abs(np.where(np.isfinite(x.value), x.value, 0)).max(initial=0)
        greatest = np.full_like(x.value, size)
        error = error + PEER_ULP * spacing(x.value) + PEER_FACTOR * spacing(greatest)
    return Bounded(x.value, error)
