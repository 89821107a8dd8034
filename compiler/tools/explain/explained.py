"""From a graph to its page: every stage is lowered once, and what is shown is taken on the way."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from opc.api.budgets import within
from opc.api.driver import Options, source_of
from opc.api.inputs import Graph
from opc.dialects.registry import context
from opc.emit.steps import line_numbers
from opc.frontend.wanted import wanting
from opc.passes import pipeline
from opc.tools.extents import by_symbol
from opc.tools.profile import report
from opc.tools.profile.timing import Stepped, random_values, stepped, symbols_of
from opc.tools.profile.work import outline
from opc.tools.run import seconds

from .model import Part, number_apart, parts_of
from .page import Loops, page
from .panes import Pane, c_pane, ir_pane


def explained(
    graph: Graph,
    title: str,
    function: str | None,
    options: Options,
    extents: Sequence[tuple[str, int]],
    rounds: int,
) -> str:
    """The page of a graph's function; with ``rounds``, its loops are measured over as many calls.

    ``extents`` are what ``--extent`` gives.

    Raises InputError, UnsupportedError, UsageError and ToolchainError.
    """
    with within(options.budgets), wanting(options.outputs):
        source = source_of(graph.parse(), function, options)
        number_apart(source)
        panes, early = _stages(source, options)
        compiled = stepped(source, options)
        interface = compiled.emitted.interface
        names = [s.name for s in interface.inputs], [s.name for s in interface.outputs]
        parts = parts_of(source, early, names)
        panes.append(_code(compiled))
        first = source.body.block.first_op
        assert isinstance(first, FuncOp)
        known = by_symbol(extents, first, interface.inputs)
        loops = _loops(compiled, known, rounds)
        return page(title, _summary(parts, loops), parts, panes, loops)


def _stages(source: ModuleOp, options: Options) -> tuple[list[Pane], ModuleOp]:
    """A pane for every stage, and the module at the stage ``graph``."""
    module, ctx = source.clone(), context()
    early = module
    panes: list[Pane] = []
    since = "source"
    for stage in pipeline.STAGES:
        passes = pipeline.passes(stage, since, fuse=options.fuse)
        pipeline.run(module, ctx, passes, target=options.target, report=options.report)
        panes.append(ir_pane(stage, module))
        since = stage
        early = module.clone() if stage == "graph" else early
    return panes, early


def _code(compiled: Stepped) -> Pane:
    text = compiled.emitted.source_with_header
    origins = [tuple(number for number, _ in step.nodes) for step in compiled.steps]
    return c_pane(text, zip(line_numbers(text, compiled.steps), origins, strict=True))


def _loops(compiled: Stepped, extents: dict[str, int], rounds: int) -> Loops:
    interface, options = compiled.emitted.interface, compiled.options
    values = random_values(interface, extents)
    known = symbols_of(interface, values)
    if rounds:
        rows, times, _ = report.profiled(compiled, values, rounds)
        plural = "s" if options.threads > 1 else ""
        note = (
            f"{seconds(times.total)} a call on {options.threads} thread{plural}, with clock reads"
        )
    else:
        rows = report.loops_of(compiled, known)
        note = "times were not measured: opc explain --time does"
    if known:
        note += "; " + ", ".join(f"{name} = {n}" for name, n in known.items())
    return Loops(rows, [outline(step) for step in compiled.steps], note, bool(rounds))


def _summary(parts: list[Part], loops: Loops) -> str:
    nodes = sum(len(part.nodes) for part in parts)
    return f"{nodes} nodes, {len(loops.rows)} loops"
