"""Runs files of StableHLO's public tests, and counts what passes.

    python -m tests.suites.stablehlo FOLDER            # compiled by the C compiler, at -O0
    python -m tests.suites.stablehlo FOLDER --interpret

Files are split at ``// -----``.  Each public function with checks is one case; constants of more
than one element become arguments, so that C computes what the compiler else would.  A case passes
if no check fails.  The exit code is 1 if a case is wrong.
"""

from __future__ import annotations

import argparse
import re
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp

import opc
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.registry import context
from opc.dialects.stablehlo import NodeOp
from opc.errors import ArgumentError, OpcError, UnsupportedError
from opc.frontend.stablehlo.reader import parse_stablehlo
from opc.interpret.function import run
from opc.passes import pipeline
from opc.runtime import toolchain

PASSED, REFUSED, ROUNDED, WRONG = WORSE = ("passed", "refused", "rounded", "wrong")

OTHERWISE_ROUNDED = {
    "conv_general_dilated_float32_2_3_9_float32_12_1_3": "products are added without rounding them",
    "cosh_float32_20_20_chlo": "the expected values are 4 ulp off",
    "cumsum_bfloat16_8_9": "totals are kept in f32",
    "sinh_float32_20_20_chlo": "the expected values are 10 ulp off",
}
"""Files whose results agree but for more rounding than they allow, and why."""


RUNS = re.compile(r"^// RUN:.*--interpret", re.MULTILINE)
"""Whether StableHLO's own interpreter runs a file."""


PROBE = re.compile(r'(%\w+) = interpreter\.probe (%\w+), probe_id = "([^"]*)"')
"""The name of a probe's result, its operand, and its own name."""


def cases(path: Path) -> Iterator[tuple[str, str]]:
    """The texts of a file that the interpreter runs, and where each is."""
    text = path.read_text(encoding="utf-8")
    for number, part in enumerate(text.split("// -----") if RUNS.search(text) else []):
        if "func.func" in part:
            yield part, f"{path.name}:{number}"


def unprobed(text: str) -> str:
    """A text with the operands of probes outside of loops instead of what probes write to files."""
    for name, value, probe in PROBE.findall(text) if "iter =" not in text else ():
        written = re.compile(rf'expect_serialized_eq (%\w+), probe_id = "{probe}"')
        text = written.sub(rf"expect_eq \1, {value}", text)
        read = f'{name} = interpreter.probe {value}, probe_id = "{probe}"'
        text = text.replace(read, f"{name} = stablehlo.optimization_barrier {value}")
    return text


def hoisted(main: FuncOp) -> list[Any]:
    """Make large constants arguments; returns their values."""
    block, values = main.body.block, list[Any]()
    for op in list(block.ops):
        if isinstance(op, ConstantOp) and op.array().size > 1:
            values.append(np.array(op.array()))
            op.result.replace_all_uses_with(block.insert_arg(op.result.type, len(block.args)))
            block.erase_op(op)
    return values


def prepared(text: str, name: str, is_hoisted: bool) -> Iterator[tuple[ModuleOp, list[Any]]]:
    """Each function with checks, in a module of its own, with a result, and its arguments."""
    module = parse_stablehlo(unprobed(text), name)
    for main in list(module.body.ops):
        assert isinstance(main, FuncOp)
        main.detach()
        block, end = main.body.block, main.body.block.last_op
        checks = [op for op in block.ops if isinstance(op, NodeOp) and _is_check(op)]
        assert isinstance(end, ReturnOp)
        if not checks or block.args:
            continue
        values = hoisted(main) if is_hoisted else []
        shown = [op.inputs[0] for op in checks]
        block.insert_op_before(ReturnOp(*shown), end)
        block.erase_op(end)
        main.function_type = type(main.function_type).from_lists(
            [a.type for a in block.args], [v.type for v in shown]
        )
        main.sym_visibility = None
        yield ModuleOp([main]), values


def _is_check(op: NodeOp) -> bool:
    target = op.attributes.get("call_target_name")
    return op.operator.data.startswith("check.") or "check." in str(target)


def computed(module: ModuleOp, values: list[Any], is_interpreted: bool) -> None:
    """Run a module.  ArgumentError if a check fails."""
    if is_interpreted:
        pipeline.run(module, context(), pipeline.passes("graph"))
        main = module.body.block.first_op
        assert isinstance(main, FuncOp)
        run(main, values)
        return
    opc.compile(module, cache=None)(*values)


def outcome(job: tuple[str, str, bool]) -> list[tuple[str, str, str]]:
    """(name, verdict, reason) of each function of a text."""
    text, name, is_interpreted = job
    results: list[tuple[str, str, str]] = []
    for is_hoisted in (True, False):
        try:
            results = []
            for module, values in prepared(text, name, is_hoisted):
                computed(module, values, is_interpreted)
                results.append((name, PASSED, ""))
            return results
        except ArgumentError as error:
            known = OTHERWISE_ROUNDED.get(name.partition(".")[0])
            return [(name, ROUNDED, known) if known else (name, WRONG, error.message)]
        except UnsupportedError as error:
            results = [(name, REFUSED, error.message)]
        except OpcError as error:
            results = [(name, WRONG, error.message)]
        except Exception as error:
            line = traceback.format_exc().strip().splitlines()[-3:]
            results = [(name, WRONG, f"{type(error).__name__}: {error} {line[0].strip()}")]
    return results


def kind(reason: str) -> str:
    """A reason without numbers and names."""
    return re.sub(r"\d+", "N", reason.splitlines()[0] if reason else "")[:110]


def main() -> int:
    """Run all files; 1 if any is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.suites.stablehlo", description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder of .mlir files")
    parser.add_argument("--interpret", action="store_true", help="interpret the graph instead")
    parser.add_argument("--only", default="", metavar="TEXT", help="files with it in the name")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    files = sorted(arguments.folder.rglob("*.mlir"))
    jobs = [
        (text, name, arguments.interpret)
        for path in files
        if arguments.only in path.name
        for text, name in cases(path)
    ]
    common = tuple("-O0" if flag == "-O3" else flag for flag in toolchain.COMMON_FLAGS)
    flags = patch.multiple(toolchain, COMMON_FLAGS=common, GCC_FLAGS=())
    counts, reasons, first = Counter[str](), Counter[tuple[str, str]](), dict[Any, str]()
    whole: dict[str, str] = {}
    with flags, ProcessPoolExecutor(arguments.jobs) as pool:
        for number, results in enumerate(pool.map(outcome, jobs, chunksize=4)):
            for name, verdict, reason in results:
                counts[verdict] += 1
                file = name.partition(":")[0]
                whole[file] = max(whole.get(file, PASSED), verdict, key=WORSE.index)
                if verdict == WRONG:
                    print(f"wrong: {name}: {reason[:200]}", flush=True)
                if reason:
                    key = verdict, kind(reason)
                    reasons[key] += 1
                    first.setdefault(key, name)
            if number % 200 == 199:
                print(number + 1, dict(counts), file=sys.stderr, flush=True)
    for (verdict, reason), count in reasons.most_common():
        print(f"{count:5} {verdict}: {reason} ({first[verdict, reason]})")
    for what, found in (("functions", counts), ("files", Counter(whole.values()))):
        print(f"{what}: " + ", ".join(f"{found[v]} {v}" for v in WORSE))
    return counts[WRONG] > 0


if __name__ == "__main__":
    sys.exit(main())
