"""The command ``opc``: what its sub-commands share.

Every sub-command is a module of this package with ``add_arguments`` and ``run``; it is imported
when it is asked for, and what it needs is imported when it runs.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import sys
from collections.abc import Callable, Container, Generator, Iterable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import opc
from opc.errors import UsageError
from opc.support.forms import FORMS, MEANINGS

from .report import EXIT_CODES, guarded

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from opc.api.driver import Function, Lowered, Options

    from .progress import Progress

COMMANDS = {
    "compile": "write a graph as C, a header and a shared library",
    "run": "compile a graph and run it over arrays",
    "verify": "compare what a compiled graph computes with what it should compute",
    "reduce": "make a graph that fails as small as possible",
    "bench": "time a graph beside other libraries",
    "tune": "measure schedules, and write the fastest into a tuning file",
    "explain": "write a page that shows what a graph becomes, node by node",
    "pack": "write a graph as a Python package that needs NumPy alone",
    "convert": "write a model as text, with its weights beside it",
    "ops": "list the operators",
    "completion": "print what makes a shell complete commands and options",
}

_EPILOG = """
'opc COMMAND --help' explains a command.  To have commands, options and their values completed:
  bash, zsh   source <(opc completion bash)      in ~/.bashrc, or zsh in ~/.zshrc after compinit
  fish        opc completion fish | source       in ~/.config/fish/config.fish
"""


def main(args: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit code, which ``opc --help`` explains."""
    return guarded("opc", lambda: _run(list(sys.argv[1:] if args is None else args)))


class Words(argparse.Action):
    """Stores text that is to be one of some words, or a list of them with commas.

    The command itself says what is wrong with it; shells offer the words.
    """

    def __init__(
        self, *names: Any, words: Callable[[], Iterable[str]], is_list: bool = False, **options: Any
    ) -> None:
        super().__init__(*names, **options)
        self.words = words
        self.is_list = is_list

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Store the text."""
        setattr(namespace, self.dest, values)


def parser_of(named: Container[str]) -> argparse.ArgumentParser:
    """The parser of ``opc``; only the commands that are named have their arguments."""
    parser = argparse.ArgumentParser(
        prog="opc",
        description="Compiles tensor-operator graphs to C.",
        epilog=EXIT_CODES + _EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, summary in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=summary,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        if name in named:
            import_module(f"opc.tools.{name}").add_arguments(command)
    return parser


def _run(args: list[str]) -> int:
    parser = parser_of(args)
    # Names from a graph may hold what the terminal's encoding does not.
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    options = parser.parse_args(args)
    if options.version:
        print(f"opc {opc.__version__}")
        return 0
    if options.command is None:
        parser.print_help()
        return 0
    return import_module(f"opc.tools.{options.command}").run(options)


def add_graph_arguments(
    parser: argparse.ArgumentParser, prints: bool = True, has_budget: bool = True
) -> None:
    """The graph, and how it is compiled; ``prints`` for commands that run the passes once.

    Without ``has_budget``, the command has its own ``--budget``.
    """
    parser.add_argument(
        "graph", help="MLIR text, a model (.onnx, .onnxtxt, .xml), or - for MLIR on standard input"
    )
    parser.add_argument("--function", metavar="NAME", help="default: main, or the only one")
    parser.add_argument(
        "--prefix",
        metavar="P",
        help="what the names in C and of the files start with; default: the function's name, "
        "or for main the file's, with _ for what C has not in names",
    )
    parser.add_argument("--cc", metavar="CC", help="the C compiler; default: $CC, or cc")
    parser.add_argument(
        "--target",
        action=Words,
        words=_targets,
        metavar="T",
        default="native",
        help="native (default), baseline (any machine of this architecture), avx2, avx512, "
        "avx512-vnni, amx, aarch64 or neon, neon-dotprod, cortex-m0, cortex-m4, cortex-m7, "
        "riscv64, wasm32, wasm32-simd",
    )
    parser.add_argument(
        "--threads",
        metavar="N",
        type=count,
        default=1,
        help="above 1: loops run on several threads",
    )
    for name, words in FORMS.items():
        parser.add_argument(
            f"--{name}",
            action=Words,
            words=partial(tuple, words),
            metavar=name[0].upper(),
            help=f"{words[0]} (default), or {words[1]}: {MEANINGS[name]}",
        )
    add_outputs_argument(parser)
    if has_budget:
        add_budget_argument(parser)
    add_dim_argument(parser)
    parser.add_argument("--tuned", metavar="FILE", help="use the schedules of 'opc tune -o FILE'")
    parser.add_argument("--verify-each", action="store_true", help="check the IR after every pass")
    if prints:
        parser.add_argument(
            "--print-ir-after-all",
            action="store_true",
            help="print the IR after every pass to standard error",
        )
        parser.add_argument(
            "--time-passes",
            action="store_true",
            help="print what every pass took to standard error",
        )
    else:
        parser.set_defaults(print_ir_after_all=False, time_passes=False)


def _targets() -> Iterable[str]:
    from opc.support.targets import NAMED

    return NAMED


def add_outputs_argument(parser: argparse.ArgumentParser) -> None:
    """Some of the outputs: for every command that reads a graph."""
    parser.add_argument(
        "--outputs",
        metavar="NAMES",
        type=lambda text: tuple(text.split(",")),
        help="the outputs to compute, with commas; default: all of them",
    )


def add_budget_argument(parser: argparse.ArgumentParser) -> None:
    """What a small graph may ask for: for every command that reads one."""
    parser.add_argument(
        "--budget",
        metavar="NAME=N,...",
        type=budgets,
        default={},
        help="how much a small graph may ask for: nodes (of local functions that are called), "
        "elements (of values computed while compiling), table (of weights that a model implies), "
        "terms and degree (of an extent), parts (of a sequence of known length)",
    )


def budgets(text: str) -> dict[str, int]:
    """The limits in ``NAME=N,...``; argparse says what is wrong with them."""
    from opc.api.budgets import MOST, NAMES

    limits: dict[str, int] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        if name not in NAMES or not (value.isascii() and value.isdigit() and len(value) <= 13):
            names = ", ".join(NAMES)
            raise argparse.ArgumentTypeError(
                f"found {part[:60]!r}, expected NAME=N with one of {names} and N up to {MOST}"
            )
        limits[name] = int(value)
        if not 0 < limits[name] <= MOST:
            raise argparse.ArgumentTypeError(f"{name}: expected a number from 1 to {MOST}")
    return limits


def count(text: str) -> int:
    """The number from 1 to 999999 that an argument gives; argparse says what is wrong with it."""
    # Longer text may not be a number that can be converted at all.
    if not (text.isascii() and text.isdigit() and len(text) <= 6 and int(text) > 0):
        raise argparse.ArgumentTypeError(f"found {text[:40]!r}, expected a number from 1 to 999999")
    return int(text)


def add_dim_argument(parser: argparse.ArgumentParser) -> None:
    """The extents that are fixed: for every command that reads a graph."""
    parser.add_argument(
        "--dim",
        metavar="NAME=EXTENT,...",
        type=extent,
        action="append",
        default=[],
        help="fix extents of the graph, named as there, or as INPUT:AXIS: N=8,x:2=224",
    )


def add_extents(parser: argparse.ArgumentParser, of: str = "arrays that are made") -> None:
    """``--extent``: extents of what the command generates; ``of`` says what that is."""
    parser.add_argument(
        "--extent",
        metavar="NAME=EXTENT,...",
        type=extent,
        action="append",
        default=[],
        help=f"symbolic extents of {of}, named as for --dim; the C stays for every extent",
    )


def extent(text: str) -> tuple[str, int]:
    """The name and the extent in ``NAME=EXTENT``; argparse says what is wrong with it.

    Of ``N=8,M=4`` the name is ``N=8,M``: only the graph says that there is no such name.
    """
    # A name may have the sign in it, an extent has not.
    name, _, value = text.rpartition("=")
    digits = value.removeprefix("-")
    if not (name and digits.isascii() and digits.isdigit() and len(digits) <= 15):
        raise argparse.ArgumentTypeError(
            f"found {text[:60]!r}, expected NAME=EXTENT of up to 15 digits"
        )
    return name, int(value)


def dims_of(args: argparse.Namespace) -> dict[str, int]:
    """The extents that ``--dim`` fixes.  UsageError for one that is given twice."""
    dims: dict[str, int] = {}
    for name, value in args.dim:
        if dims.setdefault(name, value) != value:
            raise UsageError(f"--dim: {name} is {dims[name]} and {value}")
    return dims


def read_graph(args: argparse.Namespace, report: Progress | None = None) -> ModuleOp:
    """The module that the arguments name."""
    if report is not None and args.graph != "-":
        report("reading")
    from opc.api.budgets import within
    from opc.dialects.registry import resolve
    from opc.frontend.formats import READERS
    from opc.frontend.mlir.reader import read_module
    from opc.frontend.requested_outputs import wanting

    reader = READERS.get(Path(args.graph).suffix.lower())
    with within(args.budget), wanting(args.outputs):
        return resolve(reader)(args.graph) if reader else read_module(args.graph)


def compiled_graph(args: argparse.Namespace) -> Function:
    """The compiled function that the arguments name; a terminal shows how far it is."""
    from .progress import shown

    with shown(args) as report:
        if args.graph != "-":
            report("reading")
        from opc.api.driver import compile
        from opc.api.inputs import in_file

        with one_function(args):
            # Nobody sees the names in C, so what Python keeps in the cache is used here too.
            options = dataclasses.replace(options_of(args, report), stem="main")
            return compile(in_file(args.graph), function=args.function, options=options)


def chosen_extents(args: argparse.Namespace, lowered: Lowered) -> dict[str, int]:
    """What ``--extent`` says of the symbols of a lowered function.  Raises UsageError."""
    if not args.extent:
        return {}
    from xdsl.dialects.func import FuncOp

    from .extents import by_symbol

    source = lowered.read().body.block.first_op
    assert isinstance(source, FuncOp)
    return by_symbol(args.extent, source, lowered.interface.inputs)


@contextlib.contextmanager
def one_function(args: argparse.Namespace) -> Generator[None]:
    """UsageError for a list of functions, which names the command that takes one."""
    try:
        yield
    except UsageError as error:
        if args.function is None or "," not in args.function:
            raise
        raise UsageError(
            f"{error.message}; opc {args.command} takes one function a call, opc compile several"
        ) from None


def options_of(args: argparse.Namespace, report: Progress | None = None) -> Options:
    """The options of the compiler that the arguments give."""
    from opc.api.options import Options

    if args.prefix == "":
        raise UsageError("--prefix: it is empty")
    if args.tuned == "":
        raise UsageError("--tuned: it is empty")
    return Options(
        prefix=args.prefix,
        stem="main" if args.graph == "-" else Path(args.graph).stem,
        target=args.target,
        cc=args.cc,
        threads=args.threads,
        verify_each=args.verify_each,
        print_ir_after_all=args.print_ir_after_all,
        time_passes=args.time_passes,
        outputs=args.outputs,
        **{name: getattr(args, name) for name in FORMS},
        budgets=args.budget,
        dims=dims_of(args),
        tuned=args.tuned,
        report=report,
    )
