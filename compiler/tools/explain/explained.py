"""From a graph to its page: every stage is lowered once, and what is shown is taken on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from opc.api.budgets import within
from opc.api.inputs import Graph
from opc.api.options import Options
from opc.api.sources import source_of
from opc.api.tuning import scheduled_by
from opc.dialects import kernel
from opc.dialects.registry import context
from opc.dialects.schedule import TreeOp
from opc.emit.steps import line_numbers
from opc.frontend.requested_outputs import wanting
from opc.passes import pipeline
from opc.passes.stages import check_graph
from opc.schedule.nest_form import form_of
from opc.schedule.tuning import Row, Source, in_force, rows_of
from opc.support.target import Target
from opc.tools.extents import by_symbol
from opc.tools.profile import report
from opc.tools.profile.timing import Stepped, random_values, stepped, symbols_of
from opc.tools.profile.work import outline
from opc.tools.run import seconds

from .model import number_apart, parts_of
from .page import Loops, page
from .panes import Block, Pane, c_pane, ir_pane, origin


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
        module = graph.parse()
        check_graph(module)
        source = source_of(module, function, options)
        number_apart(source)
        panes, early = _stages(source, options)
        with scheduled_by(options):
            compiled = stepped(source, options)
        interface = compiled.emitted.interface
        names = [s.name for s in interface.inputs], [s.name for s in interface.outputs]
        parts = parts_of(source, early, names)
        panes.append(_code(compiled))
        first = source.body.block.first_op
        assert isinstance(first, FuncOp)
        known = by_symbol(extents, first, interface.inputs)
        loops = _loops(compiled, known, rounds)
        nodes = sum(len(part.nodes) for part in parts)
        return page(title, f"{nodes} nodes, {len(loops.rows)} loops", parts, panes, loops)


def _stages(source: ModuleOp, options: Options) -> tuple[list[Pane], ModuleOp]:
    """A pane for every stage, and the module at the stage ``graph``."""
    module, ctx = source.clone(), context()
    early = module
    panes: list[Pane] = []
    measured: list[Block] = []
    since = "source"
    for stage in pipeline.STAGES:
        passes = pipeline.passes(stage, since, fuse=options.fuse)
        with in_force(_noting(options, measured)):
            pipeline.run(module, ctx, passes, target=options.target, report=options.report)
        panes.append(ir_pane(stage, module))
        since = stage
        early = module.clone() if stage == "graph" else early
    if measured:
        panes.append(Pane("tuning", tuple(measured)))
    return panes, early


def _noting(options: Options, measured: list[Block]) -> Source | None:
    """The source of tuned schedules that adds a block of text for each that is used."""
    tuning, threads = options.tuning, options.threads
    if tuning is None:
        return None
    known = rows_of(tuning, threads)

    def source(nest: kernel.NestOp, target: Target, chunks: int) -> TreeOp | None:
        tree = known(nest, target, chunks)
        if tree is not None and (row := tuning.row(form_of(nest), target, threads)) is not None:
            first = measured[-1].first + len(measured[-1].lines) if measured else 1
            measured.append(Block(tuple(_measured(row, tree)), *origin(nest), first))
        return tree

    return source


def _measured(row: Row, tree: TreeOp) -> Iterator[str]:
    """The times of a row's schedules, and each schedule, that in use in lines."""
    yield f"{row.about}: {seconds(row.seconds)}, as planned {seconds(row.planned)}"
    yield from (f"  {line}" for line in str(tree).splitlines())
    for time, other in row.others:
        yield f"  {seconds(time)}  {other}"


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
