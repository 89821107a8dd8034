"""All passes from a graph to loops, in order."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from opc.dialects.registry import resolve

from .registry import PASSES

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

STAGES: dict[str, tuple[str, ...]] = {
    "source": (),
    "graph": ("legalize-onnx", "legalize-openvino", "legalize-stablehlo", "infer-shapes"),
    "normal": (
        "sink-constants",
        "sink-concats",
        "integer-contractions",
        "split-zero-points",
        "fold-constants",
        "sink-constants",
        "require-ranges",
        "normalize-axes",
        "decompose",
        "sink-functions",
        "fold-constants",
        "flush-weights",
        "normalize-broadcast",
        "fix-orders",
    ),
    "kernels": (
        "form-kernels",
        "hoist-reductions",
        "fuse-kernels",
        "form-sweeps",
        "narrow-domains",
        "requantize-integers",
        "narrow-integers",
        "shift-factors",
        "unsigned-casts",
        "nest-contractions",
        "pick-matrices",
        "float-windows",
        "channel-windows",
        "tabulate-bytes",
        "multiply-quotients",
        "order-axes",
        "separate-windows",
        "unroll-windows",
        "sink-pads",
    ),
    "schedule": ("plan-buffers", "split-axes", "form-tile-fusions", "schedule"),
    "loops": (
        "lower-tile-fusions",
        "schedule-partial-tiles",
        "lower-to-loops",
        "simplify-loops",
        "fission",
        "interleave-stores",
        "convert-narrow-floats",
        "lower-schedules",
        "hoist-invariants",
        "simplify-loops",
        "look-up-bytes",
        "narrow-stores",
        "place-buffers",
        "place-constants",
        "share-loops",
        "outline-loops",
        "place-arrays",
        "mark-loops",
    ),
}
"""For each stage, the passes that lead to it from the stage before."""
FOR_A_MACHINE = frozenset(
    {
        "split-zero-points",
        "requantize-integers",
        "shift-factors",
        "unsigned-casts",
        "float-windows",
        "channel-windows",
        "tabulate-bytes",
        "multiply-quotients",
        "order-axes",
        "form-tile-fusions",
        "schedule",
        "schedule-partial-tiles",
    }
)
"""The passes that take a description of the machine."""

FUSING = frozenset({"fuse-kernels", "form-tile-fusions"})
"""The passes that ``fuse=False`` leaves out."""


def passes(stage: str, since: str = "source", fuse: bool = True) -> list[str]:
    """The names of the passes that lead from stage ``since`` to ``stage``."""
    names = list(STAGES)
    between = names[names.index(since) + 1 : names.index(stage) + 1]
    return [p for s in between for p in STAGES[s] if fuse or p not in FUSING]


def run(
    module: ModuleOp,
    ctx: Context,
    names: Iterable[str],
    *,
    verify_each: bool = False,
    print_ir_after_all: bool = False,
    time_passes: bool = False,
    target: str = "native",
    report: Callable[[str, int, int], None] | None = None,
) -> None:
    """Apply passes in order, for a machine.  IR and times are printed to standard error.

    ``report`` is called before each pass with its name, its number from 1 and the number of passes.
    """
    spent: list[tuple[str, float]] = []
    names = list(names)
    for number, name in enumerate(names, 1):
        if report is not None:
            report(name, number, len(names))
        start = time.perf_counter()
        options = {"target": target} if name in FOR_A_MACHINE else {}
        resolve(PASSES[name])(**options).apply(ctx, module)
        spent.append((name, time.perf_counter() - start))
        if print_ir_after_all:
            from xdsl.printer import Printer

            print(f"// ----- after {name}", file=sys.stderr)
            Printer(stream=sys.stderr).print_op(module)
            print(file=sys.stderr)
        if verify_each:
            from .stages import check

            check(module, name)
    if time_passes:
        for name, seconds in spent:
            print(f"{seconds * 1e3:9.2f} ms  {name}", file=sys.stderr)
