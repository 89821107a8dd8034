"""Graphs taken through the passes, and what the interpreters need to have the bits of the C."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.func import FuncOp

from opc.dialects.registry import context
from opc.dialects.scalar import CONVERSIONS, SCALARS
from opc.dialects.shape import shape_of
from opc.emit.ctext import suffix
from opc.frontend.mlir.parser import LocatingParser
from opc.interpret.extents import element_type
from opc.oracle.inputs import index_bounds
from opc.passes import pipeline
from tests.unit.common import ROOT, emission_corpus, samples
from tests.unit.common.graphs import parse
from tests.unit.common.helper_build import Build, signatures

EXAMPLES = ROOT / "examples"
SMALLER = {"4096": "21", "1024": "150", "768": "130", "56": "5", "1000": "150", "512": "9"}
"""Extents of the examples, and those that loops take one by one in the time of a test."""
AXES = np.array([0, 2])


def example(name: str) -> str:
    """The text of an example over fewer elements."""
    text = (EXAMPLES / f"{name}.mlir").read_text(encoding="utf-8")
    return re.sub(r"\d+(?=x)", lambda m: SMALLER.get(m[0], m[0]), text)


TEXTS = {
    **{path.stem: example(path.stem) for path in sorted(EXAMPLES.glob("*.mlir"))},
    **emission_corpus.GRAPHS,
    "windows of unknown columns": """
func.func @main(%x: tensor<1x1x5x?xf32, #opc.dims<1, 1, 5, W>>, %w: tensor<1x1x3x3xf32>)
    -> tensor<1x1x5x?xf32, #opc.dims<1, 1, 5, floordiv(W + 1, 2)>> {
  %y = opc.conv %x, %w {pads = [1, 1, 1, 1], strides = [1, 2], dilations = [1, 1], groups = 1}
  func.return %y : tensor<1x1x5x?xf32, #opc.dims<1, 1, 5, floordiv(W + 1, 2)>>
}""",
    "greatest values of padded windows": """
func.func @main(%x: tensor<2x7x9xf32>) -> tensor<2x4x4xf32> {
  %l = opc.constant dense<0xff800000> : tensor<f32>
  %e = opc.broadcast %l -> tensor<2x1x9xf32>
  %c = opc.broadcast %l -> tensor<2x9x1xf32>
  %p = opc.concat %e, %x, %e {axis = 1}
  %q = opc.concat %c, %p {axis = 2}
  %w = opc.windows %q {sizes = [3, 3], strides = [2, 2], dilations = [1, 1]}
  %r = opc.reduce_max %w {axes = [3, 4], keepdims = false}
  func.return %r : tensor<2x4x4xf32>
}""",
}
"""Every example, and a graph of every family of operators for every element type."""


def function_of(text: str) -> FuncOp:
    """The function of a text in any dialect."""
    module = LocatingParser(context(), text, "<test>").parse()
    module.verify()
    return next(op for op in module.ops if isinstance(op, FuncOp))


def inputs_for(name: str, function: FuncOp) -> list[np.ndarray]:
    """Inputs of ordinary size; symbols are small, and of several sizes where the graph allows."""
    extents = {"M": 4, "K": 6, "N": 6}
    found: list[np.ndarray] = []
    for k, arg in enumerate(function.body.block.args):
        named = shape_of(arg.type)
        for e in named:
            other = len(extents) % 2
            small = 1 + other if len(named) > 8 else 4 + 2 * other
            extents.setdefault(str(e), 4 if name.startswith("broadcast") else small)
        shape = [extents[str(e)] if e.constant is None else e.constant for e in named]
        bounds = index_bounds(arg, extents)
        if bounds is not None:
            rng = np.random.default_rng(k)
            found.append(rng.integers(*bounds, shape).astype(element_type(arg).dtype))
            continue
        found.append(samples.moderate(element_type(arg), shape, k))
    if "run-time axes" in name:
        found[1] = AXES.astype(found[1].dtype)
    return found


def after_passes(text: str, since: str, stage: str) -> Iterator[tuple[str, FuncOp]]:
    """The function after each pass that leads from one stage to another."""
    module = parse(text)
    pipeline.run(module, context(), pipeline.passes(since))
    for name in pipeline.passes(stage, since):
        pipeline.run(module, context(), [name])
        yield name, next(op for op in module.ops if isinstance(op, FuncOp))


@cache
def c_functions() -> dict[str, Callable[..., Any]]:
    """The elementary functions as C computes them, by name and element type."""
    build = Build(Path(tempfile.mkdtemp()), "cc", "-O2")
    found: dict[str, Callable[..., Any]] = {}
    for row in SCALARS.values():
        for type in row.types if not row.exact and row.name not in CONVERSIONS else ():
            found[f"{row.name}_{type}"] = _over_arrays(build, f"opc_{row.name}_{suffix(type)}")
    return found


def _over_arrays(build: Build, name: str) -> Callable[..., Any]:
    assert name in signatures(), name

    def function(*args: Any) -> Any:
        arrays = np.broadcast_arrays(*args)
        return build(name, *(a.ravel() for a in arrays)).reshape(arrays[0].shape)[()]

    return function
