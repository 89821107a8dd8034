"""The nests of a graph that a search can tune: those that planners are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.buffer import bytes_of
from opc.dialects.registry import context
from opc.dialects.walking import walk
from opc.passes import pipeline
from opc.schedule.candidates import Candidate, candidates, is_known, sweep_candidates
from opc.schedule.contraction import analyse, constant_of
from opc.schedule.nest_form import Form, alone, form_of
from opc.schedule.tuning import in_force
from opc.support.target import Target


@dataclass
class Nest:
    """A nest of a form, and how often it occurs."""

    form: Form
    function: FuncOp
    """It alone, without a schedule."""
    target: Target
    chunks: int
    sizes: Mapping[str, int]
    """What its symbols are where it is measured."""
    touched: int
    """The bytes of its buffers."""
    count: int = 1

    @property
    def nest(self) -> kernel.NestOp:
        """The nest in its function."""
        return next(op for op in self.function.body.block.ops if isinstance(op, kernel.NestOp))

    @property
    def is_known(self) -> bool:
        """Whether all its symbols are known."""
        return set(self.form.symbols) <= self.sizes.keys()

    @property
    def work(self) -> int:
        """The products that it computes, or the values of its sweeps."""
        nest = self.nest
        extents = ex.product(nest.extents.data)
        length = ex.total_of(ex.product(sweep.extents.data) for sweep in nest.sweeps)
        return (extents * length).evaluate({}, self.sizes)

    @property
    def weights(self) -> int:
        """The bytes of its constants."""
        loads = (op.source for op in walk(self.nest) if isinstance(op, kernel.LoadOp))
        constants = {v for v in loads if constant_of(v) is not None}
        return sum(bytes_of(v).constant or 0 for v in constants)

    def candidates(self) -> list[Candidate]:
        """The schedules to measure; that of the planner is the first."""
        contraction = analyse(self.nest)
        if contraction is None:
            return sweep_candidates(self.nest, self.target)
        return candidates(contraction, self.target, self.chunks)


@dataclass
class Found:
    """The nests of a graph, by the digest of their forms, and the bytes that a call touches."""

    nests: dict[str, Nest]
    touched: int = 0


def nests_of(module: ModuleOp, target: str, sizes: Mapping[str, int], fuse: bool) -> Found:
    """The nests that can be tuned in a module of one function; ``sizes`` are symbols."""
    graph = Found({})

    def seen(nest: kernel.NestOp, machine: Target, chunks: int) -> None:
        loads = [op.source for op in walk(nest) if isinstance(op, kernel.LoadOp)]
        buffers = {v for v in (*loads, *nest.targets) if not isinstance(v.owner, kernel.SweepOp)}
        touched = sum(bytes_of(v).constant or 0 for v in buffers)
        graph.touched += touched
        is_sweep = bool(nest.sweeps) and is_known(nest)
        # Inputs are random: an index that is read would be outside.
        if (analyse(nest) is None and not is_sweep) or kernel.picks_of(nest):
            return
        form = form_of(nest)
        if form.digest in graph.nests:
            graph.nests[form.digest].count += 1
            return
        known = {name: n for name, n in sizes.items() if name in form.symbols}
        graph.nests[form.digest] = Nest(form, alone(nest), machine, chunks, known, touched)

    passes = pipeline.passes("loops", fuse=fuse)
    passes = passes[: passes.index("schedule-partial-tiles") + 1]
    with in_force(seen):
        pipeline.run(module.clone(), context(), passes, target=target)
    return graph
