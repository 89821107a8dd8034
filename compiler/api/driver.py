"""From a graph to C, and on to a callable: what ``opc.compile`` and the command line call."""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from opc.dialects.registry import context
from opc.dialects.stages import printed_stage
from opc.emit.source import C_NAME, KEYWORDS, Emitted, emit
from opc.errors import UsageError
from opc.frontend import fixed_dims
from opc.frontend.requested_outputs import wanting
from opc.passes import pipeline
from opc.passes.stages import check_before
from opc.runtime import artifact
from opc.runtime import cache as caching
from opc.runtime.arguments import check_count
from opc.runtime.callable import CompiledFunction
from opc.support.collection import no_collection
from opc.support.forms import FORMS
from opc.support.interface import Interface
from opc.support.safe_open import recorded
from opc.support.targets import target
from opc.tools.files import write_all

from . import tuning
from .budgets import within
from .building import Building
from .compile_cache import content_key, entry_name, keep, recall
from .donated import checked_pairs, donate_named
from .inputs import Graph, given
from .inputs import load as load
from .options import Options as Options
from .options import merged
from .sources import source_of as source_of

if TYPE_CHECKING:
    pass


@dataclass(frozen=True)
class Lowered:
    """A function as C text, and on demand its IR at every stage."""

    read: Callable[[], ModuleOp]
    """Gives the function as it was read."""
    options: Options
    emitted: Emitted
    graph: Graph
    """The graph that the function is from."""

    @property
    def c_source(self) -> str:
        """The C text."""
        return self.emitted.source

    @property
    def header(self) -> str:
        """The text of the header."""
        return self.emitted.header

    @property
    def interface(self) -> Interface:
        """What a caller must know."""
        return self.emitted.interface

    @property
    def weights(self) -> np.ndarray[Any, np.dtype[np.uint8]] | None:
        """The bytes of the constants that are not in the text."""
        return self.emitted.weights

    def ir(self, stage: str) -> str:
        """The IR at a stage: source, graph, normal, kernels, schedule or loops."""
        return str(self.module(stage))

    def module(self, stage: str) -> ModuleOp:
        """The same as a module."""
        if stage not in pipeline.STAGES:
            raise UsageError(f"no stage {stage!r}; there are {', '.join(pipeline.STAGES)}")
        with within(self.options.budgets), tuning.scheduled_by(self.options):
            module = self.read().clone()
            passes = _passes(module, stage, self.options)
            pipeline.run(
                module,
                context(),
                passes,
                target=self.options.target,
                report=self.options.report,
            )
            return module

    @property
    def metadata(self) -> dict[str, Any]:
        """Names, element types and shapes, for the JSON file beside the C."""
        size = 0 if self.weights is None else self.weights.nbytes
        digest = self.graph.digest
        if self.options.dims:
            known = f"{digest} {fixed_dims.checked(self.options.dims)}"
            digest = hashlib.sha256(known.encode()).hexdigest()
        return artifact.metadata(self.interface, size, digest)


class Function(CompiledFunction):
    """A compiled function with everything it came from."""

    def __init__(self, lowered: Lowered, library: Path) -> None:
        options = lowered.options
        super().__init__(
            lowered.interface, library, lowered.weights, options.threads, options.target
        )
        self.lowered = lowered

    @property
    def c_source(self) -> str:
        """The C text."""
        return self.lowered.c_source

    @property
    def header(self) -> str:
        """The text of the header."""
        return self.lowered.header

    def ir(self, stage: str) -> str:
        """The IR at a stage: source, graph, normal, kernels, schedule or loops."""
        return self.lowered.ir(stage)

    def save(
        self, folder: str | os.PathLike[str], *, name: str | None = None, overwrite: bool = False
    ) -> Path:
        """Write the function to ``folder``, made if need be, for :func:`opc.load`.

        The path of ``NAME.json``; beside it are ``NAME.so`` and, if there are weights,
        ``NAME.bin``.  Unless given, the name is the prefix, and that of the file for a function
        ``main`` that is in one.  Files of another graph are only replaced with ``overwrite``.
        Raises UsageError and OutputError, and nothing is written then.
        """
        lowered = self.lowered
        name = artifact.file_name(self._stem() if name is None else name)
        if not isinstance(cast(object, folder), str | os.PathLike):
            raise UsageError(f"save takes the path of a folder, not {type(folder).__name__}")
        content = caching.library_content(self.library)
        library = artifact.Library(
            f"{name}.so", content, platform.machine(), lowered.options.target, self.threads
        )
        weights = None
        if lowered.weights is not None:
            weights = (artifact.weights_name(folder, name), lowered.weights.data)
        described = artifact.described(lowered.metadata, library, weights)
        if not overwrite:
            artifact.check_free(Path(folder), name, described)
        files: dict[str, bytes | memoryview] = {f"{name}.json": described, library.name: content}
        write_all(Path(folder), files if weights is None else {**files, weights[0]: weights[1]})
        return Path(folder) / f"{name}.json"

    def _stem(self) -> str:
        """The default name of the files."""
        interface, stem = self.interface, self.lowered.graph.stem
        is_plain = interface.function == "main" and self.lowered.options.prefix is None
        return stem if is_plain and stem else interface.prefix


def lower(
    graph: Any, options: Options | None = None, function: str | None = None, **keywords: Any
) -> Lowered:
    """Lower one function of a graph to C, without a C compiler.

    The arguments are those of :func:`compile`; a module is taken as verified.  Raises what it does.
    """
    options = merged(options, keywords)
    with within(options.budgets):
        return _lower(given(graph), options, function, lambda emitted: None)


def _lower(
    graph: Graph, options: Options, function: str | None, begin: Callable[[Emitted], None]
) -> Lowered:
    """Lower one function of a graph; ``begin`` is called as soon as new C is there."""
    if graph.content is not None:
        return _lower_kept(graph, options, function, begin)
    with wanting(options.outputs):
        source = _source(graph, function, options)
    emitted = _emit(source, options)
    begin(emitted)
    return _with_weights(Lowered(lambda: source, options, emitted, graph))


def _emit(source: ModuleOp, options: Options) -> Emitted:
    """The C of a module of one function."""
    with no_collection(), tuning.scheduled_by(options):
        work = source.clone()
        _run(work, context(), options)
        target = work.body.block.first_op
        assert isinstance(target, FuncOp)
        prefix = options.prefix
        if prefix is None:
            prefix = prefix_of(target.sym_name.data, options.stem)
        return emit(target, prefix, options.threads)


def _source(graph: Graph, function: str | None, options: Options) -> ModuleOp:
    """The module to lower: one function, as the options say."""
    source = source_of(graph.parse(), function, options)
    first = source.body.block.first_op
    assert isinstance(first, FuncOp)
    donate_named(first, checked_pairs(options.donate))
    return source


def _run(module: ModuleOp, ctx: Context, options: Options) -> None:
    pipeline.run(
        module,
        ctx,
        _passes(module, "loops", options),
        verify_each=options.verify_each,
        print_ir_after_all=options.print_ir_after_all,
        time_passes=options.time_passes,
        target=options.target,
        report=options.report,
    )


def _passes(module: ModuleOp, stage: str, options: Options) -> list[str]:
    """The passes that lead to a stage from the stage of the module.

    Raises UsageError for a stage before that of such a module.
    """
    current = printed_stage(module)
    if current is None:
        return pipeline.passes(stage, fuse=options.fuse)
    stages = list(pipeline.STAGES)
    if stages.index(stage) < stages.index(current):
        raise UsageError(f"no stage {stage} of a module that is at the stage {current} already")
    names = pipeline.passes(stage, since=current, fuse=options.fuse)
    if names:
        check_before(module, names[0])
    return names


def prefix_of(name: str, stem: str) -> str:
    """The function's name where C can use it; a function ``main`` is called as its file.

    Whatever C has not in names is ``_`` in that: ``my-net.v2`` gives ``my_net_v2``.
    """
    name = re.sub("[^A-Za-z0-9_]+", "_", stem) if name == "main" else name
    return name if C_NAME.match(name) and name not in KEYWORDS else "graph"


def compile(
    graph: Any,
    *,
    function: str | None = None,
    options: Options | None = None,
    tune: float | None = None,
    **keywords: Any,
) -> Function:
    """Compile a graph to a callable over NumPy arrays.

    ``graph`` is a path, MLIR text, an xDSL module, an ONNX ``ModelProto``, jax's ``Exported`` or an
    ``ExportedProgram`` of PyTorch; ``function`` is one of several (default: ``main``, or the only
    one).  Keywords are those of :class:`Options`: ``threads``, ``target``, ``cc``, ``prefix``,
    ``cache`` (a folder, or None for none), ``budgets`` (how much a small graph may ask for, as
    ``{"nodes": 50000}``), ``dims`` (extents that are fixed, as ``{"batch": 1, "x": {2: 224}}``),
    ``outputs`` (names of those to compute: what only others need may be unsupported), ``products``
    ("rounded": each product of a contraction is rounded before it is added, for processors without
    fused multiply-adds), ``activations`` ("int8": products with weights of few bits round
    activations to 8 bits, see docs/numerics.md), ``subnormals`` ("kept": subnormal weights do not
    count as zeros), ``donate`` (inputs whose arrays hold an output afterwards, as ``{"past":
    "present"}``), ``tuned`` (a tuning file).  In ``tune`` seconds schedules are measured first, and
    used.

    Raises InputError, UnsupportedError, ToolchainError and UsageError.
    """
    options = merged(options, keywords)
    if tune is not None:
        graph = given(graph)
        options = replace(options, tuned=tuning.tune(graph, tune, function, options)[0])
    with Building(options) as building:
        with within(options.budgets):
            read = given(load(graph) if isinstance(graph, ModuleOp) else graph)
            lowered = _lower(read, options, function, building.begin)
        check_count(lowered.interface)
        if options.report is not None:
            options.report("C compiler", 0, 0)
        return Function(lowered, building.path(lowered.emitted))


def _lower_kept(
    graph: Graph, options: Options, function: str | None, begin: Callable[[Emitted], None]
) -> Lowered:
    """Lower a function of a file, or take its C from the cache."""

    @functools.cache
    def read() -> ModuleOp:
        with wanting(options.outputs):
            return _source(graph, function, options)

    assert graph.content is not None
    is_shown = options.verify_each or options.print_ir_after_all or options.time_passes
    passes = pipeline.passes("loops", fuse=options.fuse)
    others = (
        target(options.target).describe(),
        str(sorted(options.budgets.items())),
        str(options.threads),
        str(fixed_dims.checked(options.dims)),
        repr(options.outputs),
        repr([getattr(options, name) for name in FORMS]),
        "" if options.tuning is None else options.tuning.digest,
        repr(sorted(checked_pairs(options.donate).items())),
    )
    key = None if options.cache is None else content_key(options.cache, graph.content)
    known = (graph.kind, key, function, options.prefix, options.stem)
    # Where no file is opened, the content alone decides, wherever it is.
    anywhere, here = (entry_name(place, *known, *others, *passes) for place in ("", graph.folder))
    emitted = None
    if not is_shown:
        emitted = recall(options.cache, anywhere) or recall(options.cache, here)
    if emitted is None:
        with recorded() as files:
            emitted = _emit(read(), options)
        begin(emitted)
        emitted = keep(options.cache, here if files else anywhere, emitted, files)
    return _with_weights(Lowered(read, options, emitted, graph))


def _with_weights(lowered: Lowered) -> Lowered:
    """The same with its weights in memory or mapped: their files may change from now on."""
    if lowered.emitted.block is not None and lowered.options.report is not None:
        lowered.options.report("weights", 0, 0)
    _ = lowered.weights
    return lowered
