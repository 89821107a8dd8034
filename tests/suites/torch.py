"""Runs the samples of PyTorch's own tests of operators, and counts what agrees with PyTorch.

    python -m tests.suites.torch                    # NumPy runs the graph of each sample
    python -m tests.suites.torch --compile          # compiled by the C compiler
    python -m tests.suites.torch --only softmax --types f32 f16

Each sample is traced, decomposed into ATen's core operators, and compared with PyTorch by the
tolerance of ``torch.testing`` for its type.  A sample is *refused* where opc says that it does not
compile it, and *rounded* where it agrees in f16 with PyTorch's results in f32, but not with those
in f16, which PyTorch rounds more than once.  The exit code is 1 if a sample differs or crashes.
"""

from __future__ import annotations

import argparse
import functools
import re
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

import opc
from opc.dialects.registry import context
from opc.errors import OpcError, UnsupportedError
from opc.frontend.torch.reader import from_graph
from opc.interpret.function import run
from opc.passes import pipeline

VERDICTS = ("agrees", "rounded", "refused", "differs", "crashes")
AGREES, ROUNDED, REFUSED, DIFFERS, CRASHES = VERDICTS
TYPES = {"f32": "float32", "i64": "int64", "i1": "bool", "f16": "float16"}
OPEN = ("empty", "empty_like", "empty_strided", "empty_permuted", "new_empty", "new_empty_strided")
"""Operators whose elements PyTorch leaves open: only types and shapes are compared."""
ANY_OF_EQUALS = ("sort", "topk")
"""Operators that give any of equal elements: their positions must lead to the values."""


def core_names() -> set[str]:
    """The names of ATen's core operators."""
    import torch

    names: set[str] = set()
    for name in dir(torch.ops.aten):
        packet = getattr(torch.ops.aten, name)
        for overload in getattr(packet, "overloads", list)():
            if torch.Tag.core in getattr(packet, overload).tags:
                names.add(name.strip("_"))
    return names


@functools.cache
def operators(is_complete: bool) -> list[Any]:
    """What PyTorch tests of operators that are core, or of all."""
    from torch.testing._internal.common_methods_invocations import op_db

    core = core_names()
    return [
        op
        for op in op_db
        if is_complete or {op.name.split(".")[-1].strip("_"), op.aten_name.strip("_")} & core
    ]


@functools.cache
def decompositions() -> dict[Any, Any]:
    """What is not core, in core operators."""
    import torch

    return dict(torch.export.default_decompositions())


def traced(op: Any, sample: Any) -> tuple[ModuleOp, list[Any]]:
    """The module of a sample, and its arguments."""
    import torch
    from torch.fx.experimental.proxy_tensor import make_fx
    from torch.utils._pytree import tree_flatten, tree_unflatten

    leaves, spec = tree_flatten((sample.input, sample.args, sample.kwargs))
    places = [k for k, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]

    def function(*tensors: Any) -> Any:
        every = list(leaves)
        for k, tensor in zip(places, tensors, strict=True):
            every[k] = tensor
        x, args, named = tree_unflatten(every, spec)
        return tree_flatten(op.op(x, *args, **named))[0]

    tensors = [leaves[k].detach() for k in places]
    graph_module: Any = make_fx(
        torch.func.functionalize(function),
        decomposition_table=decompositions(),
        tracing_mode="fake",
    )(*tensors)
    return from_graph(graph_module, {}), tensors


def computed(module: ModuleOp, tensors: list[Any], is_compiled: bool) -> list[Any]:
    """The results of a module for tensors."""
    values = [np.array(t.numpy()) for t in tensors]
    if is_compiled:
        results: Any = opc.compile(module, cache=None)(*values)
        results = list(results.values()) if isinstance(results, dict) else results
        return list(results) if isinstance(results, list | tuple) else [results]
    pipeline.run(module, context(), pipeline.passes("graph"))
    main = module.body.block.first_op
    assert isinstance(main, FuncOp)
    return list(run(main, values))


def verdict(op: Any, sample: Any, is_compiled: bool) -> tuple[str, str]:
    """Whether a sample agrees, and what is wrong otherwise."""
    import torch
    from torch.utils._pytree import tree_flatten

    expected = tree_flatten(op.op(sample.input, *sample.args, **sample.kwargs))[0]
    expected = [torch.as_tensor(x) for x in expected if x is not None]
    try:
        results = computed(*traced(op, sample), is_compiled)
        tensors = [torch.from_numpy(np.array(x)) for x in results]
        name = op.name.split(".")[-1]
        if name in OPEN:
            expected = [
                torch.empty_like(x).copy_(y) for x, y in zip(expected, tensors, strict=True)
            ]
        elif name in ANY_OF_EQUALS:
            places = (tensors[1], expected[1])
            tensors[1], expected[1] = (at_positions(sample, x, name == "topk") for x in places)
        try:
            torch.testing.assert_close(tensors, expected, equal_nan=True)
        except AssertionError:
            if torch.float16 not in [x.dtype for x in tensors]:
                raise
            torch.testing.assert_close(tensors, in_f32(op, sample), equal_nan=True)
            return ROUNDED, ""
    except UnsupportedError as error:
        return REFUSED, error.message
    except AssertionError as error:
        return DIFFERS, " ".join(str(error).split())
    except OpcError as error:
        return CRASHES, f"{type(error).__name__}: {error.message}"
    except Exception as error:
        line = traceback.format_exc().strip().splitlines()
        return CRASHES, f"{type(error).__name__}: {str(error)[:300]} {line[-3].strip()}"
    return AGREES, ""


def at_positions(sample: Any, places: Any, is_topk: bool) -> Any:
    """The elements of a sample at positions along the axis that it names."""
    import torch

    numbers = [a for a in sample.args if type(a) is int]
    axis = sample.kwargs.get("dim", numbers[-1] if len(numbers) > is_topk else -1)
    x = torch.as_tensor(sample.input)
    return x.gather(axis, places) if x.ndim else x


def in_f32(op: Any, sample: Any) -> list[Any]:
    """What PyTorch gives in f32 for a sample in f16, rounded to f16."""
    import torch
    from torch.utils._pytree import tree_flatten, tree_map

    def other(wide: Any, narrow: Any) -> Any:
        def change(x: Any) -> Any:
            is_tensor = isinstance(x, torch.Tensor)
            return x.to(wide) if is_tensor and x.dtype is narrow else wide if x is narrow else x

        return change

    parts = (sample.input, sample.args, sample.kwargs)
    x, args, named = tree_map(other(torch.float32, torch.float16), parts)
    results = tree_flatten(op.op(x, *args, **named))[0]
    return [other(torch.float16, torch.float32)(torch.as_tensor(y)) for y in results]


def outcome(job: tuple[int, bool, str, int, bool]) -> list[tuple[str, str, str]]:
    """(operator, verdict, reason) of the samples of one operator and type."""
    import torch

    number, is_complete, type, limit, is_compiled = job
    torch.manual_seed(0)
    warnings.simplefilter("ignore")
    op = operators(is_complete)[number]
    dtype = getattr(torch, TYPES[type])
    label = f"{op.name}{'.' + op.variant_test_name if op.variant_test_name else ''}"
    results: list[tuple[str, str, str]] = []
    for k, sample in enumerate(islice(_samples(op, dtype), limit or None)):
        try:
            op.op(sample.input, *sample.args, **sample.kwargs)
        except Exception:
            continue
        kind, reason = verdict(op, sample, is_compiled)
        results.append((label, kind, f"{type} sample {k}: {reason}" if reason else ""))
    return results


def _samples(op: Any, dtype: Any) -> Iterator[Any]:
    if dtype in op.supported_dtypes("cpu"):
        yield from op.sample_inputs("cpu", dtype, requires_grad=False)


def kind_of(reason: str) -> str:
    """A reason without numbers and names."""
    reason = reason.partition(": ")[2]
    reason = re.sub(r"\(node \w+\)|first \w+|@\w+", "", reason)
    return re.sub(r"\d+", "N", reason.splitlines()[0] if reason else "")[:150]


def main() -> int:
    """Run all samples; 1 if any differs or crashes."""
    parser = argparse.ArgumentParser(prog="python -m tests.suites.torch", description=__doc__)
    parser.add_argument("--compile", action="store_true", help="run C instead of interpreting")
    parser.add_argument("--all", action="store_true", help="operators that are not core, too")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="these operators")
    parser.add_argument("--types", nargs="*", default=list(TYPES), choices=list(TYPES))
    parser.add_argument("--limit", type=int, default=0, help="samples of an operator and type")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    jobs = [
        (number, arguments.all, type, arguments.limit, arguments.compile)
        for number, op in enumerate(operators(arguments.all))
        if not arguments.only or op.name.split(".")[-1] in arguments.only
        for type in arguments.types
    ]
    by_name: dict[str, Counter[str]] = {}
    reasons, first = Counter[tuple[str, str]](), dict[tuple[str, str], str]()
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for number, results in enumerate(pool.map(outcome, jobs)):
            for name, kind, reason in results:
                by_name.setdefault(name, Counter())[kind] += 1
                if reason:
                    key = kind, name + kind_of(reason) if kind != REFUSED else kind_of(reason)
                    reasons[key] += 1
                    first.setdefault(key, f"{name} {reason[:400]}")
            if number % 50 == 49:
                print(f"{number + 1} of {len(jobs)}", file=sys.stderr, flush=True)
    for name, counts in by_name.items():
        print(f"{name}: " + ", ".join(f"{counts[v]} {v}" for v in VERDICTS if counts[v]))
    for (kind, _), count in sorted(reasons.items(), key=lambda item: (item[0][0], -item[1])):
        print(f"{count:5} {kind}: {first[kind, _]}")
    total: Counter[str] = sum(by_name.values(), Counter())
    size = max(total.total(), 1)
    print(", ".join(f"{total[v]} {v} ({100 * total[v] / size:.1f} %)" for v in VERDICTS))
    return int(total[DIFFERS] + total[CRASHES] > 0)


if __name__ == "__main__":
    sys.exit(main())
