"""``opc compile``: a graph to files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from opc.errors import UsageError

from .cli import Words, add_graph_arguments, options_of
from .convert import text_and_weights
from .files import say_written, write_all
from .progress import shown

if TYPE_CHECKING:
    from opc.api.driver import Lowered, Options
    from opc.api.inputs import Graph
    from opc.emit.source import Emitted
    from opc.runtime.toolchain import Kind

STAGES = ("source", "graph", "normal", "kernels", "schedule", "loops")

SUFFIXES = {
    "c": ".c",
    "h": ".h",
    "so": ".so",
    "obj": ".o",
    "a": ".a",
    "asm": ".s",
    "main": ".main.c",
    "weights-c": ".weights.c",
    "cmake": ".cmake",
    "wasm": ".wasm",
}
"""The suffix of each kind of file that C text becomes."""

_BUILT: dict[str, Kind] = {"so": "so", "obj": "obj", "a": "a", "asm": "asm", "wasm": "obj"}

_EPILOG = """\
--emit takes a list with commas:
  c       the C text              h       its header
  so      a shared library        obj     an object file       asm   assembly
  a       a static library, with the weights if weights-c is written, too
  weights-c                               the weights as C text, in place of PREFIX.bin
  cmake   a CMake file with the target PREFIX, of the C files that are written
  wasm    a WebAssembly module with the weights, PREFIX.mjs, which calls it, and PREFIX.d.mts;
          for wasm32-simd and clang 16 on PREFIX.relaxed.wasm, too, for hosts that fuse products
  main    a program that calls the C on arrays in files
  source, graph, normal, kernels, schedule, loops
                                         the IR at that stage

C, headers and binaries come with PREFIX.json (names, shapes and types) and, if the graph has
large constants, PREFIX.bin (their bytes; PREFIX.weights.bin where PREFIX.bin is a file of somebody
else, such as the weights of an OpenVINO model).  Files of those names are replaced.
The IR goes to standard output unless -o is given.
Nothing is written unless everything succeeds.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.description = "Writes a graph as C, a header and a shared library."
    parser.epilog = _EPILOG
    add_graph_arguments(parser)
    parser.add_argument(
        "--all-functions",
        action="store_true",
        help="compile every function; --function takes a list with commas",
    )
    parser.add_argument(
        "--donate",
        metavar="INPUT=OUTPUT",
        action="append",
        default=[],
        help="an input whose array holds an output afterwards; may be repeated",
    )
    parser.add_argument(
        "-o", dest="output", metavar="DIR", help="where to write; default: the working directory"
    )
    parser.add_argument(
        "--emit",
        action=Words,
        words=lambda: (*SUFFIXES, *STAGES),
        is_list=True,
        metavar="KINDS",
        default=None,
        help="what to write; default: c,h,so, and c,h for targets without shared libraries",
    )


def run(args: argparse.Namespace) -> int:
    """Compile and write; returns the exit code."""
    kinds = _kinds(
        ("c,h,so" if _has_libraries(args.target) else "c,h") if args.emit is None else args.emit
    )
    stages = [kind for kind in kinds if kind in STAGES]
    with shown(args) as report:
        pairs = [text.partition("=")[::2] for text in args.donate]
        if pairs and "main" in kinds:
            raise UsageError("--donate: found --emit main, a program whose arrays are all apart")
        options = replace(options_of(args, report), donate=dict(pairs))
        # Before lowering takes its time, and before anything is written.
        build = _builder(kinds, options)
        from opc.api.driver import lower
        from opc.api.inputs import in_file

        if args.graph != "-":
            report("reading")
        graph = in_file(args.graph)
        functions = [lower(graph, options, name) for name in _functions(graph, args)]
        prefixes = [lowered.interface.prefix for lowered in functions]
        for prefix in prefixes:
            if prefixes.count(prefix) > 1:
                raise UsageError(f"two functions would be written as {prefix}; compile them apart")
        contents: dict[str, bytes | memoryview] = {}
        for lowered in functions:
            contents |= _files(lowered, kinds, args.output, build)
        texts: list[str] = []
        if not args.output:
            texts = [f"{f.ir(stage).rstrip(chr(10))}\n" for f in functions for stage in stages]
    for lowered in functions:
        for note in lowered.interface.notes:
            print(f"note: {note}", file=sys.stderr)
    written = write_all(Path(args.output or "."), contents)
    stream = sys.stdout
    if texts:
        sys.stdout.write("// -----\n".join(texts))
        # What is redirected into a file must be IR alone.
        stream = sys.stderr
    say_written(written, stream)
    return 0


def _functions(graph: Graph, args: argparse.Namespace) -> list[str | None]:
    """The functions to compile: those that --function lists, all of them, or the usual one."""
    if not args.all_functions and "," not in (args.function or ""):
        return [args.function]
    from xdsl.dialects.func import FuncOp

    from opc.api.budgets import within

    with within(args.budget):
        functions = (op for op in graph.parse().ops if isinstance(op, FuncOp))
        known = [f.sym_name.data for f in functions if f.sym_visibility is None]
    if args.all_functions:
        names = known
    elif args.function in known:
        return [args.function]
    else:
        names = list(dict.fromkeys(args.function.split(",")))
    if args.prefix is not None and len(names) > 1:
        raise UsageError(f"--prefix: there are {len(names)} functions, which need one each")
    return [*names]


def _files(
    lowered: Lowered,
    kinds: list[str],
    output: str | None,
    build: Callable[[Emitted, list[str], Kind], bytes],
) -> dict[str, bytes | memoryview]:
    """The content of each file that is written for a function."""
    prefix = lowered.interface.prefix
    contents: dict[str, bytes | memoryview] = {}
    for kind in kinds:
        if kind == "wasm":
            from opc.emit import javascript

            exports, texts = javascript.exported(lowered.interface), _with_weights(lowered)
            modules = build_modules(texts, exports, lowered.options)
            contents |= {prefix + suffix: module for suffix, module in modules.items()}
            script = javascript.script(lowered.interface, RELAXED in modules)
            contents[f"{prefix}.mjs"] = script.encode()
            contents[f"{prefix}.d.mts"] = javascript.types(lowered.interface).encode()
        elif kind in _BUILT:
            texts = _texts(lowered, kind, kinds)
            contents[prefix + SUFFIXES[kind]] = build(lowered.emitted, texts, _BUILT[kind])
        elif kind in SUFFIXES:
            contents[prefix + SUFFIXES[kind]] = _source(lowered, kind, kinds).encode()
        elif output:
            # With the elements of constants beside it, wherever those of the source lie.
            contents |= text_and_weights(lowered.module(kind), f"{prefix}.{kind}")
    if any(kind in SUFFIXES for kind in kinds):
        contents |= _described(lowered, kinds, contents.get(f"{prefix}.so"), output or ".")
    return contents


def _texts(lowered: Lowered, kind: str, kinds: list[str]) -> list[str]:
    """The C texts, each complete, that a binary is made of."""
    return _with_weights(lowered) if kind == "a" and "weights-c" in kinds else [lowered.c_source]


def _with_weights(lowered: Lowered) -> list[str]:
    """The C text, and that of the weights if there are any."""
    if lowered.weights is None:
        return [lowered.c_source]
    emitted, prefix = lowered.emitted, lowered.interface.prefix
    include = f'#include "{prefix}.h"'
    texts = emitted.source_with_header, emitted.weights_source
    return [text.replace(include, emitted.header_with_weights, 1) for text in texts]


def _source(lowered: Lowered, kind: str, kinds: list[str]) -> str:
    """The text of a file in C, which includes its header if that is written, too."""
    if kind == "main":
        from opc.emit.standalone import program

        weight_bytes = 0 if lowered.weights is None else lowered.weights.nbytes
        return program(lowered.interface, weight_bytes, "weights-c" in kinds)
    if kind == "h":
        has_weights = "weights-c" in kinds and lowered.weights is not None
        return lowered.emitted.header_with_weights if has_weights else lowered.header
    if kind == "weights-c":
        return lowered.emitted.weights_source
    if kind == "cmake":
        from opc.emit.cmake import written

        return written(lowered.interface.prefix, lowered.options.threads, "weights-c" in kinds)
    return lowered.emitted.source_with_header if "h" in kinds else lowered.c_source


def _described(
    lowered: Lowered, kinds: list[str], built: bytes | memoryview | None, folder: str
) -> dict[str, bytes | memoryview]:
    """The JSON, which says what is in the shared library, and the weights."""
    from opc.runtime import artifact, toolchain

    prefix, options, library, weights = lowered.interface.prefix, lowered.options, None, None
    if built is not None:
        command = toolchain.command_of(options.target, options.cc)
        machine = toolchain.find_compiler(command).machine
        library = artifact.Library(f"{prefix}.so", built, machine, options.target, options.threads)
    # A library that Python loads reads them from the file.
    is_needed = built is not None or not ("weights-c" in kinds or kinds == ["wasm"])
    if lowered.weights is not None and is_needed:
        weights = (artifact.weights_name(folder, prefix), lowered.weights.data)
    described = artifact.described(lowered.metadata, library, weights)
    return {f"{prefix}.json": described, **({} if weights is None else dict([weights]))}


RELAXED = ".relaxed.wasm"


def build_modules(texts: list[str], exports: list[str], options: Options) -> dict[str, bytes]:
    """The WebAssembly modules of C texts by the ends of their names.

    The second is for hosts whose relaxed multiply-add rounds once, if anything is to be fused.
    """
    from opc.runtime import objects, toolchain

    compiler = toolchain.find_compiler(toolchain.command_of(options.target, options.cc))
    modules = {".wasm": objects.module(compiler, texts, exports, target=options.target)}
    other = objects.relaxed(compiler, options.target)
    if other is not None and any("opc_fma_f" in text for text in texts):
        modules[RELAXED] = objects.module(other, texts, exports, target=options.target)
    return modules


def _has_libraries(target: str) -> bool:
    """Whether a target has shared libraries; one that there is not, is refused later."""
    from opc.support.targets import NAMED

    return target not in NAMED or NAMED[target].has_libraries


def _kinds(text: str) -> list[str]:
    kinds = list(dict.fromkeys(word.strip() for word in text.split(",")))
    known = (*SUFFIXES, *STAGES)
    for kind in kinds:
        if kind not in known:
            problem = f"unknown kind {kind!r}" if kind else f"found an empty kind in {text[:80]!r}"
            raise UsageError(f"--emit: {problem}; there are: {', '.join(known)}")
    return kinds


def _builder(kinds: list[str], options: Options) -> Callable[[Emitted, list[str], Kind], bytes]:
    """A function from C to a binary; an unusable compiler or target is an error here."""
    from opc.runtime import cache, objects, toolchain
    from opc.support.targets import NAMED

    if options.target not in NAMED:
        known = ", ".join(NAMED)
        raise UsageError(f"--target: unknown target {options.target!r}; there are: {known}")
    if "so" in kinds and not _has_libraries(options.target):
        raise UsageError(
            f"--emit so: target {options.target} has no shared libraries; there are: c, h, a, obj"
        )
    if not any(kind in _BUILT for kind in kinds):
        return lambda emitted, texts, kind: b""
    compiler = toolchain.find_compiler(toolchain.command_of(options.target, options.cc))
    toolchain.target_flags(compiler, options.target)
    threaded = options.threads > 1

    def build(emitted: Emitted, texts: list[str], kind: Kind) -> bytes:
        if options.report is not None:
            options.report("C compiler", 0, 0)
        if kind == "so":
            units = emitted.units
            return cache.built(texts[0], compiler, options.target, threaded=threaded, units=units)
        if kind == "a":
            return objects.archive(compiler, texts, target=options.target, threaded=threaded)
        return toolchain.translate(
            compiler, texts[0], kind, target=options.target, threaded=threaded
        )

    return build
