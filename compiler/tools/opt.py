"""``opc-opt``: runs single passes over IR text, for tests and for looking at what they do."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass, PassPipeline
from xdsl.printer import Printer
from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException
from xdsl.xdsl_opt_main import xDSLOptMain

import opc
from opc.api.budgets import within
from opc.dialects.registry import DIALECTS, resolve
from opc.errors import InputError, OpcError, OutputError, UsageError
from opc.frontend.formats import READERS
from opc.frontend.mlir.parser import LocatingParser
from opc.frontend.mlir.reader import decode, read_bytes, stablehlo_module
from opc.frontend.verify import verify
from opc.passes.registry import GENERIC_PASSES, PASSES
from opc.passes.stages import check_before
from opc.support.locations import location_of

from .cli import add_budget_argument
from .report import guarded, report

TARGETS = {
    "mlir": "xdsl.targets.mlir:MLIRTarget",
    "c": "opc.emit.opt_target:CTarget",
}

_SEPARATOR = b"// -----"


def _lazy(reference: str) -> Callable[[], Any]:
    return lambda: resolve(reference)


class OptMain(xDSLOptMain):
    """``xdsl-opt`` over our dialects, passes and targets, with our diagnostics.

    With ``--split-input-file`` every piece is processed, whatever happens to those before it, and
    the exit code is that of the first that failed.
    """

    version_format: ClassVar[str] = f"opc-opt {opc.__version__}, built on xdsl {{xdsl_version}}"

    def __init__(self, args: Sequence[str] | None = None) -> None:
        self._failed_pass = ""
        super().__init__("Runs passes of opc over IR text.", args)

    def register_all_dialects(self) -> None:
        """Ours, each loaded when its first name is parsed."""
        for name, reference in DIALECTS.items():
            self.ctx.register_dialect(name, _lazy(reference))

    def register_all_passes(self) -> None:
        """Ours and generic ones, each imported when it is asked for."""
        for name, reference in (PASSES | GENERIC_PASSES).items():
            self.register_pass(name, _lazy(reference))

    def register_all_targets(self) -> None:
        """IR text, and C for modules that are loops."""
        for name, reference in TARGETS.items():
            self.available_targets[name] = _lazy(reference)

    def register_all_arguments(self, arg_parser: ArgumentParser) -> None:
        """Those of xdsl-opt, and those that ``opc compile`` has too."""
        super().register_all_arguments(arg_parser)
        arg_parser.add_argument(
            "--print-ir-after-all",
            action="store_true",
            help="print the IR after every pass to standard error",
        )
        add_budget_argument(arg_parser)
        arg_parser.add_argument(
            "--verify-each",
            action="store_true",
            help="check operations and value definitions after every pass, not only at the end",
        )

    def setup_pipeline(self) -> None:
        """The passes that were asked for, with timing, printing and checks between them."""
        start = time.perf_counter()

        def between(before: ModulePass | None, module: ModuleOp, after: ModulePass | None) -> None:
            nonlocal start
            if before is not None:
                if self.args.time_passes:
                    elapsed = (time.perf_counter() - start) * 1e3
                    print(f"{before.name}: {elapsed:.3f} ms", file=sys.stderr)
                if self.args.print_ir_after_all:
                    self._print_ir(before, module, sys.stderr)
                elif self.args.print_between_passes and after is not None:
                    self._print_ir(before, module, sys.stdout)
                if (self.args.verify_each or after is None) and not self.args.disable_verify:
                    verify(module)
            # A pass that raises is the one that was about to run.
            self._failed_pass = after.name if after is not None else ""
            if after is not None and not self.args.disable_verify:
                check_before(module, after.name)
            start = time.perf_counter()

        try:
            self.pipeline = PassPipeline.parse_spec(
                self.available_passes, self.args.passes, between
            )
        except ArgSpecParseError as error:
            raise UsageError(f"--passes: {' '.join(str(error).split())}") from None
        except ImportError:
            raise
        except Exception as error:
            # xDSL has no type of its own for a pass that it does not know.
            raise UsageError(f"--passes: {_one_line(error)}") from error

    @staticmethod
    def _print_ir(before: ModulePass, module: ModuleOp, stream: IO[str]) -> None:
        print(f"// ----- after {before.name}", file=stream)
        Printer(stream=stream).print_op(module)
        print(file=stream)

    def execute(self) -> int:
        """Process every piece of the input; the exit code."""
        name = self.args.input_file or "-"
        shown = "<stdin>" if name == "-" else name
        reader = READERS.get(Path(name).suffix.lower())
        if reader is not None and self.args.split_input_file:
            raise UsageError(f"--split-input-file: {name} is no text")
        content = b"" if reader is not None else read_bytes(name)
        pieces = content.split(_SEPARATOR) if self.args.split_input_file else [content]
        result = line = 0
        written: list[str] = []
        for piece in pieces:
            try:
                with within(self.args.budget):
                    if reader is not None:
                        module: ModuleOp = resolve(reader)(name)
                    else:
                        text = decode(piece, shown, line)
                        known = stablehlo_module(text, shown)
                        module = known or LocatingParser(self.ctx, text, shown, line).parse()
                    written.append(self._passed(module))
            except (OpcError, DiagnosticException) as raised:
                error = self._as_error(raised)
                if self.args.verify_diagnostics or self.args.parsing_diagnostics:
                    written.append(f"{error}\n")
                else:
                    code = report("opc-opt", error)
                    result = result or code
            line += piece.count(b"\n")
        self._write("// -----\n".join(written))
        return result

    def _passed(self, module: ModuleOp) -> str:
        """The module after the passes."""
        self._failed_pass = ""
        if not self.args.disable_verify:
            verify(module)
        self.apply_passes(module)
        self._failed_pass = ""
        return self.output_resulting_program(module)

    def _as_error(self, error: Exception) -> OpcError:
        """The error of a pass as one of ours, naming the pass."""
        prefix = f"{self._failed_pass}: " if self._failed_pass else ""
        if isinstance(error, OpcError):
            return error
        return InputError(prefix + _one_line(error), _location(error))

    def _write(self, text: str) -> None:
        if self.args.output_file is None:
            sys.stdout.write(text)
            return
        try:
            Path(self.args.output_file).write_text(text, encoding="utf-8")
        except OSError as error:
            name = self.args.output_file
            raise OutputError(f"cannot be written: {error.strerror}", name) from error


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _location(error: Exception) -> str:
    """Where the operation is that an exception carries as an argument, if it does."""
    op = next((a for a in error.args if isinstance(a, Operation)), None)
    return "" if op is None else location_of(op)


def main(args: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit code."""
    return guarded("opc-opt", lambda: OptMain(args).execute())
