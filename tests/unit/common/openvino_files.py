"""IR models as text, so that tests can write what no writer would."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np

Dims: TypeAlias = "Sequence[int]"

CODES = {
    "float64": ("f64", "FP64"),
    "float32": ("f32", "FP32"),
    "float16": ("f16", "FP16"),
    "bfloat16": ("bf16", "BF16"),
    "bool": ("boolean", "BOOL"),
    **{f"int{bits}": (f"i{bits}", f"I{bits}") for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (f"u{bits}", f"U{bits}") for bits in (8, 16, 32, 64)},
}
"""The names that attributes and ports have for a NumPy type."""


def port(id: int, dims: Dims, precision: str | None = None) -> str:
    stated = f' precision="{precision}"' if precision else ""
    return f'<port id="{id}"{stated}>{"".join(f"<dim>{d}</dim>" for d in dims)}</port>'


def parameter(id: int, name: str, shape: str, dims: Dims, dtype: str = "float32") -> str:
    code, precision = CODES[dtype]
    return (
        f'<layer id="{id}" name="{name}" type="Parameter" version="opset1">\n'
        f'<data shape="{shape}" element_type="{code}"/>'
        f"<output>{port(0, dims, precision)}</output></layer>"
    )


def constant(id: int, array: np.ndarray, offset: int, size: int | None = None) -> str:
    code, precision = CODES[array.dtype.name]
    return (
        f'<layer id="{id}" name="constant{id}" type="Const" version="opset1">\n'
        f'<data element_type="{code}" shape="{",".join(map(str, array.shape))}" offset="{offset}" '
        f'size="{array.nbytes if size is None else size}"/>'
        f"<output>{port(0, array.shape, precision)}</output></layer>"
    )


def result(id: int, dims: Dims) -> str:
    return (
        f'<layer id="{id}" name="result{id}" type="Result" version="opset1">'
        f"<input>{port(0, dims)}</input></layer>"
    )


def edge(source: int, out: int, target: int, into: int) -> str:
    return f'<edge from-layer="{source}" from-port="{out}" to-layer="{target}" to-port="{into}"/>'


def net(layers: Sequence[str], edges: Sequence[str], version: str = "11") -> str:
    lines = "\n".join(layers)
    return (
        f'<?xml version="1.0"?>\n<net name="model" version="{version}">\n<layers>\n{lines}\n'
        f"</layers>\n<edges>\n{chr(10).join(edges)}\n</edges>\n</net>\n"
    )


def write(folder: Path, text: str | bytes, weights: bytes | None = b"") -> Path:
    """Write both files; the path of the .xml."""
    path = folder / "model.xml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    if weights is not None:
        path.with_suffix(".bin").write_bytes(weights)
    return path
