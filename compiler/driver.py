"""From a graph to C, and on to a callable: what ``opc.compile`` and the command line call."""

from __future__ import annotations

import functools
import os
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp

from opc import pipeline
from opc.budgets import checked, reported, within
from opc.emit.source import C_NAME, INPUT_NAMES, KEYWORDS, RESULT_NAMES, Emitted, emit
from opc.errors import UsageError
from opc.frontend.check import check_source
from opc.frontend.mlir import parse_module, read_bytes, read_text, select_function
from opc.frontend.verify import verify
from opc.garbage import no_collection
from opc.interface import Interface
from opc.opener import recorded
from opc.passes.provenance import number_nodes
from opc.recall import entry_name, keep, model_key, recall
from opc.registry import MODEL_BYTES, READERS, context, resolve
from opc.runtime import artifact
from opc.runtime import cache as caching
from opc.runtime.arguments import check_count
from opc.runtime.callable import CompiledFunction
from opc.target import target
from opc.tools.files import write_all


@dataclass(frozen=True)
class Options:
    """How to compile; the defaults are those of ``opc.compile``."""

    prefix: str | None = None
    stem: str = "main"
    """The prefix where none is given and the function is ``main``."""
    target: str = "native"
    cc: str | None = None
    threads: int = 1
    cache: Any = caching.DEFAULT
    verify_each: bool = False
    print_ir_after_all: bool = False
    time_passes: bool = False
    fuse: bool = True
    budgets: Mapping[str, int] = field(default_factory=dict[str, int])
    """Limits other than the usual ones, which ``opc.dialects.budgets`` has."""
    report: Callable[[str, int, int], None] | None = field(default=None, compare=False)
    """Called with what is done next: a pass, its number and how many there are, or other work
    with 0 and 0."""

    def __post_init__(self) -> None:
        """Raises UsageError for values that make no sense."""
        caching.check_threads(self.threads)
        checked(self.budgets)
        for name in ("cc", "prefix", "target"):
            value = getattr(self, name)
            if not isinstance(value, str | None):
                raise UsageError(f"{name}: found {value!r}, expected text")
        cache: object = self.cache
        is_path = cache != "" and (isinstance(cache, str) or hasattr(cache, "__fspath__"))
        if not is_path and not isinstance(cache, caching.Default | None):
            raise UsageError(f"cache: found {cache!r}, expected the path of a folder or None")


@dataclass(frozen=True)
class Lowered:
    """A function as C text, and on demand its IR at every stage."""

    read: Callable[[], ModuleOp]
    """Gives the function as it was read."""
    options: Options
    emitted: Emitted

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
        """The IR at a stage: source, graph, normal, kernels or loops."""
        if stage not in pipeline.STAGES:
            raise UsageError(f"no stage {stage!r}; there are {', '.join(pipeline.STAGES)}")
        with within(self.options.budgets):
            module = self.read().clone()
            passes = pipeline.passes(stage, fuse=self.options.fuse)
            pipeline.run(
                module,
                context(),
                passes,
                target=self.options.target,
                report=self.options.report,
            )
            return str(module)

    @property
    def metadata(self) -> dict[str, Any]:
        """Names, element types and shapes, for the JSON file beside the C."""
        return artifact.metadata(self.interface, 0 if self.weights is None else self.weights.nbytes)


class Function(CompiledFunction):
    """A compiled function with everything it came from."""

    def __init__(self, lowered: Lowered, library: Path) -> None:
        super().__init__(lowered.interface, library, lowered.weights, lowered.options.threads)
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
        """The IR at a stage: source, graph, normal, kernels or loops."""
        return self.lowered.ir(stage)

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Write the function to ``folder``, made if need be, for :func:`opc.load`.

        The path of ``PREFIX.json``; beside it are ``PREFIX.so`` and, if there are weights,
        ``PREFIX.bin``.  Raises OutputError, and nothing is written then.
        """
        lowered, prefix = self.lowered, self.interface.prefix
        content = caching.library_content(self.library)
        library = artifact.Library(
            f"{prefix}.so", content, platform.machine(), lowered.options.target, self.threads
        )
        weights = None
        if lowered.weights is not None:
            weights = (artifact.weights_name(folder, prefix), lowered.weights.tobytes())
        described = artifact.described(lowered.metadata, library, weights)
        files = {f"{prefix}.json": described, library.name: content}
        write_all(Path(folder), files if weights is None else {**files, weights[0]: weights[1]})
        return Path(folder) / f"{prefix}.json"


def lower(
    graph: Any, options: Options | None = None, function: str | None = None, **keywords: Any
) -> Lowered:
    """Lower one function of a graph to C, without a C compiler.

    The arguments are those of :func:`compile`; a module is taken as verified.

    Raises InputError, UnsupportedError and UsageError.
    """
    options = _options(options, keywords)
    with within(options.budgets):
        text = None if isinstance(graph, ModuleOp) else _text(graph)
        if text is not None:
            return _lower_kept(*text, lambda: parse_module(*text), options, function)
        path = None if isinstance(graph, ModuleOp) else _model_path(graph)
        if path is not None:
            suffix = Path(path).suffix.lower()
            content, reader = read_bytes(path, MODEL_BYTES[suffix]), READERS[suffix]
            return _lower_kept(
                content, path, lambda: resolve(reader)(path, content), options, function
            )
        source = source_of(graph if isinstance(graph, ModuleOp) else load(graph), function)
        return Lowered(lambda: source, options, _emit(source, options))


def _emit(source: ModuleOp, options: Options) -> Emitted:
    """The C of a module of one function."""
    with no_collection():
        work = source.clone()
        _run(work, context(), options)
        target = work.body.block.first_op
        assert isinstance(target, FuncOp)
        prefix = options.prefix
        if prefix is None:
            prefix = _prefix(target.sym_name.data, options.stem)
        return emit(target, prefix, options.threads)


def source_of(module: ModuleOp, function: str | None) -> ModuleOp:
    """A module of one function alone, with the names of its values and numbers of its nodes."""
    source = ModuleOp([select_function(module, function).clone()])
    copy = source.body.block.first_op
    assert isinstance(copy, FuncOp)
    _keep_names(copy)
    number_nodes(copy)
    return source


def _run(module: ModuleOp, ctx: Context, options: Options) -> None:
    pipeline.run(
        module,
        ctx,
        pipeline.passes("loops", fuse=options.fuse),
        verify_each=options.verify_each,
        print_ir_after_all=options.print_ir_after_all,
        time_passes=options.time_passes,
        target=options.target,
        report=options.report,
    )


def _prefix(name: str, stem: str) -> str:
    """The function's name where C can use it; a function ``main`` is called as its file."""
    name = stem if name == "main" else name
    return name if C_NAME.match(name) and name not in KEYWORDS else "graph"


def _keep_names(function: FuncOp) -> None:
    """Write down the names of inputs and results; passes may lose the hints."""
    end = function.body.block.last_op
    assert end is not None
    for key, values, given, stem in (
        (INPUT_NAMES, function.args, function.arg_attrs, "arg"),
        (RESULT_NAMES, end.operands, function.res_attrs, "out"),
    ):
        if key in function.attributes:
            continue
        names: dict[str, None] = {}
        for k, value in enumerate(values):
            # A name that is no identifier cannot be a hint, so it may be given as an attribute.
            attr = given.data[k].data.get("opc.name") if given is not None else None
            name = attr.data if isinstance(attr, StringAttr) else value.name_hint or f"{stem}{k}"
            names[name if name not in names else f"{name}_{k}"] = None
        function.attributes[key] = ArrayAttr([StringAttr(n) for n in names])


def load(graph: Any) -> ModuleOp:
    """A verified module from a path, MLIR text, a module or an ONNX ``ModelProto``.

    Raises InputError.
    """
    is_proto = type(graph).__name__ == "ModelProto"
    if not is_proto and not isinstance(graph, str | os.PathLike | ModuleOp):
        raise UsageError(
            f"a graph is a path, MLIR text, a module or an ONNX model, not {type(graph).__name__}"
        )
    with reported():
        if isinstance(graph, ModuleOp):
            check_source(graph)
            verify(graph)
            return graph
        text = _text(graph)
        return _read(graph) if text is None else parse_module(*text)


def _read(graph: Any) -> ModuleOp:
    """The module of a model."""
    path = _model_path(graph)
    if path is None:
        return resolve("opc.frontend.onnx_reader:from_proto")(graph)
    return resolve(READERS[Path(path).suffix.lower()])(path)


def _model_path(graph: Any) -> str | None:
    """The path of a graph in a file that is no MLIR text; None for other graphs."""
    if not isinstance(graph, str | os.PathLike):
        return None
    path = os.fspath(cast("str | os.PathLike[str]", graph))
    return path if Path(path).suffix.lower() in READERS else None


def _text(graph: Any) -> tuple[str, str] | None:
    """The MLIR text that a graph is given as, and the name of its file; None for other graphs."""
    if isinstance(graph, str) and ("\n" in graph or "func.func" in graph):
        return graph, "<string>"
    if not isinstance(graph, str | os.PathLike) or _model_path(graph) is not None:
        return None
    return read_text(cast("str | os.PathLike[str]", graph))


def compile(
    graph: Any,
    *,
    function: str | None = None,
    options: Options | None = None,
    **keywords: Any,
) -> Function:
    """Compile a graph to a callable over NumPy arrays.

    ``graph`` is a path, MLIR text, an xDSL module or an ONNX ``ModelProto``; ``function`` names one
    of several functions (default: ``main``, or the only one).  Further keywords are those of
    :class:`Options`: ``threads``, ``target``, ``cc``, ``prefix``, ``cache`` (a folder, or None for
    none), ``budgets`` (how much a small graph may ask for, as ``{"nodes": 50000}``).

    Raises InputError, UnsupportedError, ToolchainError and UsageError.
    """
    options = _options(options, keywords)
    with within(options.budgets):
        lowered = lower(load(graph) if isinstance(graph, ModuleOp) else graph, options, function)
    check_count(lowered.interface)
    if options.report is not None:
        options.report("C compiler", 0, 0)
    library = caching.build(
        lowered.c_source,
        cc=options.cc,
        target=options.target,
        threads=options.threads,
        cache=options.cache,
    )
    return Function(lowered, library)


def _lower_kept(
    content: str | bytes,
    filename: str,
    parse: Callable[[], ModuleOp],
    options: Options,
    function: str | None,
) -> Lowered:
    """Lower a function of what is in a file, unless the cache knows what comes out."""

    @functools.cache
    def read() -> ModuleOp:
        return source_of(parse(), function)

    is_shown = options.verify_each or options.print_ir_after_all or options.time_passes
    passes = pipeline.passes("loops", fuse=options.fuse)
    known = content if isinstance(content, str) else model_key(content, filename)
    others = (target(options.target).describe(), str(sorted(options.budgets.items())))
    others += (str(options.threads),)
    name = entry_name(known, filename, function, options.prefix, options.stem, *others, *passes)
    found = None if is_shown else recall(options.cache, name)
    if found is None:
        with recorded() as files:
            found = _emit(read(), options)
        keep(options.cache, name, found, files)
    return Lowered(read, options, found)


def _options(options: object, keywords: Mapping[str, Any]) -> Options:
    known = Options.__dataclass_fields__
    for name in keywords:
        if name not in known:
            raise UsageError(f"unknown option {name}; there are {', '.join(known)}")
    if not isinstance(options, Options | None):
        raise UsageError(f"options: found {options!r}, expected opc.Options")
    return replace(options or Options(), **keywords)
