"""Loop IR to a C file and its header.

``emit`` does all of it: signature, prologue, statements, then the helpers that these mention.
Identifiers are ordinals; a name of the source appears in comments only, and only if it is a plain
identifier.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, SSAValue

from opc.dialects.bounds import at_most
from opc.dialects.buffer import (
    MACHINE,
    SCALARS,
    WORKSPACE,
    ViewOp,
    bytes_of,
    element_in,
    results_of,
)
from opc.dialects.expr import Expr
from opc.dialects.named import INPUT_NAMES, RESULT_NAMES, donations, forms_of
from opc.dialects.opc.data_extent import DataExtentOp, RequireRangeOp, data_bounds, data_extents
from opc.dialects.opc.movement import Array
from opc.dialects.opc.symbols import RequireOp, SymbolSource, given_extents
from opc.dialects.shape import IndexAttr, shape_of
from opc.emit.workarounds.contraction import to_be_rounded
from opc.errors import UnsupportedError, UsageError
from opc.support.interface import Interface

from . import specs
from .control import Bodies
from .ctext import Text, stored
from .file_texts import FileTexts
from .guards import OPENING
from .header import header
from .indices import Indices
from .messages import Extents
from .outlining import StackSlots
from .prologue import Prologue, sizes_check
from .shared import Shared
from .statements import Statements
from .steps import BEGIN, STEP, Step, Steps
from .texts import c_text, mark_macro
from .weights import Weights, weights_declared, weights_written

_EXTENT = re.compile(r" *(?:const )?int64_t (m\d+|e\d+|axes\d+_kept)\b")
C_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}\Z")
KEYWORDS = frozenset((
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
    "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
    "union", "unsigned", "void", "volatile", "while", "bool", "class", "namespace", "template",
    "this", "new", "delete",
))  # fmt: skip


@dataclass(frozen=True)
class Emitted:
    """C text, header text, the interface for callers, and the weights beside the text."""

    source: str
    header: str
    interface: Interface
    block: Weights | None
    units: tuple[str, ...] = ()
    """The translation units of a large file (:mod:`opc.emit.units`)."""

    @property
    def weights(self) -> Array | None:
        """The bytes of the weights.  Raises InputError if their file has changed."""
        return None if self.block is None else self.block.array

    @property
    def header_with_weights(self) -> str:
        """The text of the header where the weights are in C, too."""
        prefix = self.interface.prefix
        size = f"#define {prefix.upper()}_WEIGHT_BYTES"
        return self.header.replace(size, f"{weights_declared(prefix)}\n{size}", 1)

    @property
    def weights_source(self) -> str:
        """The weights as C text, which includes that header; only that if all are in the C text."""
        if self.weights is None:
            return c_text("weights.none", prefix=self.interface.prefix)
        return weights_written(self.interface, self.weights)

    @property
    def source_with_header(self) -> str:
        """The C text that includes the header, for a folder with both."""
        include = f'#include "{self.interface.prefix}.h"\n\n'
        return self.source.replace(OPENING, include + OPENING, 1)


def check_prefix(prefix: str) -> str:
    """The prefix, if a C function may be named so; UsageError otherwise."""
    if prefix in KEYWORDS:
        raise UsageError(f"prefix {prefix!r} is a keyword of C or C++")
    if not C_NAME.match(prefix):
        raise UsageError(f"prefix {prefix!r} is not a C identifier of at most 63 characters")
    return prefix


def _names(
    function: FuncOp, key: str, count: int, values: Sequence[SSAValue], stem: str
) -> list[str]:
    attr = function.attributes.get(key)
    named = cast("ArrayAttr[Attribute]", attr).data if isinstance(attr, ArrayAttr) else ()
    if len(named) == count:
        return [a.data for a in named if isinstance(a, StringAttr)]
    return [v.name_hint or f"{stem}{k}" for k, v in enumerate(values)]


class FunctionEmitter:
    """Writes one function."""

    def __init__(
        self, function: FuncOp, prefix: str, threads: int, shared: Shared | None = None
    ) -> None:
        self.function = function
        self.prefix = prefix
        self.block: Block = function.body.block
        self.outputs = results_of(function)
        self.inputs = self.block.args[: len(self.block.args) - 1 - len(self.outputs)]
        attr = function.attributes.get(WORKSPACE)
        if not isinstance(attr, IndexAttr):
            raise UnsupportedError(
                f"function {function.sym_name.data} is not in loop form; run "
                "the passes up to simplify-loops first"
            )
        self.slots = StackSlots(function, threads)
        from_data = data_extents(self.block)
        self.bounds = data_bounds(from_data)
        self.symbols = self._name_symbols()
        filled = self.dims if shared is None else None
        self.shared = shared if shared is not None else Shared()
        self.shared.is_scalar |= SCALARS in function.attributes
        self.extents = Extents(self.block, self.inputs, filled, self.shared.symbol_texts)
        self.indices = Indices(self.symbols, self.extents, [op.defined for op in from_data])
        self.threads = threads
        self.name = ""
        self.needs_weights = self.is_branch = False
        own = attr.data[0] + self.slots.total_bytes
        self.bodies = Bodies(self.block, self._body, own, self.extents)
        self.workspace = self.bodies.workspace

    def _name_symbols(self) -> dict[str, str]:
        """C names: n0, n1, ... for extents that callers pass, m0, m1, ... for those from data."""
        names: dict[str, str] = {}
        for value in self.inputs:
            for e in shape_of(value.type):
                name = e.symbol()
                if name is not None:
                    names.setdefault(name, f"n{len(names)}")
        for name in given_extents(self.function):
            names[name] = f"n{len(names)}"
        self.dims = list(names)
        defined = (n for op in self.block.ops if isinstance(op, SymbolSource) for n in op.defined)
        derived = [name for name in defined if name not in names]
        derived += self.bounds
        return names | {name: f"m{k}" for k, name in enumerate(derived)}

    @property
    def can_fail(self) -> bool:
        """Whether it or a body that it calls has checks."""
        own = any(
            isinstance(op, RequireRangeOp | DataExtentOp)
            or (self.is_branch and isinstance(op, RequireOp) and not op.is_of_sizes)
            for op in self.block.ops
        )
        return own or any(body.can_fail for body in self.bodies.emitters.values())

    def _body(self, function: FuncOp) -> FunctionEmitter:
        """The emitter of a body of control flow; each is written once."""
        name = function.sym_name.data
        bodies = self.shared.bodies
        if name not in bodies:
            bodies[name] = FunctionEmitter(function, self.prefix, self.threads, self.shared)
        emitter = bodies[name]
        assert isinstance(emitter, FunctionEmitter)
        return emitter

    def static(self) -> str:
        """Write the function as a static one; its name."""
        if not self.name:
            self.name = f"{self.prefix}_body{self.shared.written}"
            self.shared.written += 1
            body = self._statements(self.name, is_body=True)
            lines = [*self.indices.definitions(), *self.indices.with_data_extents(body.lines)]
            words = set(re.findall(r"\w+", " ".join(lines)))
            self.needs_weights = "weights" in words
            parameters = self._parameters(True, self.needs_weights)
            kind, end = ("int", "  return 0;\n") if self.can_fail else ("void", "")
            head = f"{self.shared.macro(mark_macro('own_frame'))} static {kind} {self.name}"
            text = self._function(head, parameters, lines, end)
            self.shared.functions += [*body.parts, text]
        return self.name

    def _statements(self, name: str, is_body: bool = False) -> Statements:
        """The statements of the function."""
        body = Statements(self.shared, self.indices, name, self.slots, self.bodies)
        body.products = to_be_rounded(self.block)
        body.is_body, body.is_branch = is_body, self.is_branch
        for k, value in enumerate(self.inputs):
            body.names[value] = Text(f"in{k}")
            body.declare(f"in{k}", f"const {stored(element_in(value))}", pointer=True)
            body.constant_buffers.add(value)
        for k, value in enumerate(self.outputs):
            body.names[value] = Text(f"out{k}")
            body.declare(f"out{k}", stored(element_in(value)), pointer=True)
        body.names[self.block.args[-1]] = Text("workspace")
        body.outlining.find_equal(self.block)
        body.block(self.block)
        return body

    def emit(self) -> Emitted:
        """The texts, the interface and the weights."""
        functions, interface = self.write()
        has_threads = "opc_share" in self.shared.preamble
        weights = self.shared.block()
        run, plan = self._parameters(False), self._plan_parameters()
        weight_bytes, depth = self.shared.weight_bytes, self.bodies.depth
        stated = header(interface, run, plan, weight_bytes, has_threads, depth)
        texts = self.texts
        return Emitted(
            texts.file(functions), stated, interface, weights, texts.translation_units(functions)
        )

    @property
    def texts(self) -> FileTexts:
        """Writes C files of functions."""
        machine = self.function.attributes.get(MACHINE)
        described = machine.data if isinstance(machine, StringAttr) else ""
        return FileTexts(self.shared, self.prefix, described)

    def write(self) -> tuple[list[str], Interface]:
        """The C functions, after those of the file before, and the interface."""
        self.shared.capacities = given_extents(self.function)
        arguments: dict[object, str] = {v: f"in{k}" for k, v in enumerate(self.inputs)}
        prologue = Prologue(self.shared, self.indices, arguments, self._body)
        opening = self._prologue(prologue)
        self.shared.checks += prologue.checks
        body = self._statements(self.prefix)
        steps = self.shared.steps
        if steps.is_timed:
            body.lines.insert(0, f"  {self.shared.macro(STEP)}({BEGIN});")
        interface = self._interface()
        statements = list(body.lines)
        if interface.finds_shapes:
            statements += self._shapes(self.indices, self._extents)
        statements = self.indices.with_data_extents(statements)
        opening += self.indices.definitions()
        lines = [*self._used(opening, statements), *statements]
        run = f"int {self.prefix}_run"
        functions = [*self.shared.functions, *body.parts]
        functions.append(self._function(run, self._parameters(True), lines))
        if interface.needs_plan:
            functions.append(self._plan(arguments))
        if interface.donated and interface.capacities:
            raise UnsupportedError(
                f"donate: function {self.function.sym_name.data} has extents without an upper "
                "bound, for which a call is repeated; expected none"
            )
        if "opc_share" in self.shared.preamble:
            functions.append(c_text("macros.limit", name=f"{self.prefix}_threads"))
        if steps.is_timed:
            functions.append(c_text("macros.log", name=f"{self.prefix}_log"))
        return functions, interface

    def _prologue(self, prologue: Prologue) -> list[str]:
        """The prologue, between checks of the sizes that are known before it and after it."""
        first = [bytes_of(v) for v in self.inputs]
        last = [*(at_most(bytes_of(v), self.bounds) for v in self.outputs), self.workspace]
        for op in self.block.ops:
            sides = op.sides.data if isinstance(op, RequireOp) else ()
            for e in (e for e in sides if e.symbol() is None):
                # Neither side of a comparison may overflow.
                most = Expr({factors: abs(c) for factors, c in e.terms})
                known = most.symbols() <= set(self.dims)
                (first if known else last).append(at_most(most, self.bounds))
        if not any(isinstance(op, SymbolSource) for op in self.block.ops):
            first, last = [*first, *last], []
        names = self.symbols
        before, after = sizes_check(first, names), sizes_check(last, names)
        return [*before, *prologue.write(self.block), *after]

    def _interface(self) -> Interface:
        ins = _names(self.function, INPUT_NAMES, len(self.inputs), self.inputs, "arg")
        outs = _names(self.function, RESULT_NAMES, len(self.outputs), self.outputs, "out")
        forms: dict[str, Any] = {**forms_of(self.function)}
        return Interface(
            prefix=self.prefix,
            function=self.function.sym_name.data,
            inputs=tuple(specs.spec(n, v, below(v)) for n, v in zip(ins, self.inputs, strict=True)),
            outputs=tuple(
                specs.with_tables(specs.spec(n, v), self.function, k)
                for k, (n, v) in enumerate(zip(outs, self.outputs, strict=True))
            ),
            dims=tuple(self.dims),
            workspace=self.workspace.constant,
            has_weights=bool(self.shared.weights),
            checks=tuple(self.shared.checks),
            reads_sizes=any(isinstance(op, SymbolSource) for op in self.block.ops),
            finds_shapes=self.finds_shapes,
            capacities=tuple(self.shared.capacities),
            notes=specs.notes(self.function),
            constants=tuple(self.shared.kinds),
            **forms,
            donated=tuple(donations(self.function).items()),
            names=specs.extent_names(self.function, self.dims) | self.shared.symbol_texts.names,
        )

    @property
    def finds_shapes(self) -> bool:
        """Whether extents of outputs depend on data."""
        return any(not e.symbols().isdisjoint(self.bounds) for e in self._extents)

    @property
    def _extents(self) -> list[Expr]:
        return [e for v in self.outputs for e in shape_of(v.type)]

    @staticmethod
    def _shapes(indices: Indices, extents: Sequence[Expr]) -> list[str]:
        """The statements that write the extents of all outputs."""
        return [f"  shapes[{k}] = {indices.text(e, [])};" for k, e in enumerate(extents)]

    def _used(self, opening: list[str], *texts: list[str]) -> list[str]:
        """The prologue without extents that nothing mentions."""
        mentioned = set(re.findall(r"\w+", " ".join(line for text in texts for line in text)))
        kept: list[str] = []
        for line in reversed(opening):
            defined = _EXTENT.match(line)
            if defined is None or defined[1] in mentioned:
                kept.append(line)
                mentioned.update(re.findall(r"\w+", line))
        return kept[::-1]

    def _parameters(self, restrict: bool, weighted: bool | None = None) -> list[str]:
        weighted = bool(self.shared.weights) if weighted is None else weighted
        mark = "OPC_RESTRICT " if restrict else ""
        dims = [f"int64_t n{k}" for k in range(len(self.dims))]
        ins = [f"const {stored(element_in(v))} *{mark}in{k}" for k, v in enumerate(self.inputs)]
        weights = [f"const void *{mark}weights"] if weighted else []
        outs = [f"{stored(element_in(v))} *{mark}out{k}" for k, v in enumerate(self.outputs)]
        shapes = [f"int64_t *{mark}shapes"] if self.finds_shapes else []
        return [*dims, *ins, *weights, *outs, f"void *{mark}workspace", *shapes]

    def _plan_parameters(self) -> list[str]:
        dims = [f"int64_t n{k}" for k in range(len(self.dims))]
        ins = [f"const {stored(element_in(v))} *in{k}" for k, v in enumerate(self.inputs)]
        return [*dims, *ins, "int64_t *shapes", "size_t *workspace_bytes"]

    def _function(
        self, name: str, parameters: list[str], lines: list[str], end: str = "  return 0;\n"
    ) -> str:
        words = set(re.findall(r"\w+", " ".join(lines)))
        names = [p.split()[-1].lstrip("*") for p in parameters]
        unused = [f"  (void){n};" for n in names if n not in words]
        text = ",\n    ".join(parameters)
        body = "\n".join([*unused, *lines])
        return f"{name}(\n    {text}) {{\n{body}\n{end}}}\n"

    def _plan(self, arguments: dict[object, str]) -> str:
        indices = Indices(self.symbols, self.extents)
        opening = self._prologue(Prologue(self.shared, indices, arguments, self._body))
        lines = self._shapes(indices, [at_most(e, self.bounds) for e in self._extents])
        size = indices.text(self.workspace, []).within(15)
        lines.append(f"  *workspace_bytes = (size_t){size};")
        opening += indices.definitions()
        return self._function(
            f"int {self.prefix}_plan",
            self._plan_parameters(),
            [*self._used(opening, lines), *lines],
        )


def below(value: SSAValue) -> int | str | None:
    """The extent, a number or a symbol, of the axis that the values of an input index."""
    bounds: list[Expr] = []
    views = [value]
    while views:
        for use in views.pop().uses:
            op = use.operation
            if isinstance(op, RequireRangeOp):
                bounds.append(op.bounds[1] + 1)
            elif isinstance(op, ViewOp):
                views.append(op.result)
    known = [e.constant for e in bounds if e.constant is not None]
    return min(known) if known else next((e.symbol() for e in bounds if e.symbol()), None)


def emit(function: FuncOp, prefix: str, threads: int = 1) -> Emitted:
    """C for a function of loop IR; public names start with the prefix.

    The workspace has parts for so many ``threads``; no more share a loop that needs a part.
    Raises UsageError for a prefix that C does not allow.
    """
    return FunctionEmitter(function, check_prefix(prefix), threads).emit()


def emit_several(
    functions: Sequence[FuncOp], prefixes: Sequence[str], threads: int = 1
) -> tuple[str, list[Interface], Weights | None]:
    """One C text for several functions of loop IR without control flow, and their interfaces."""
    shared = Shared()
    named = zip(functions, map(check_prefix, prefixes), strict=True)
    emitters = [FunctionEmitter(f, prefix, threads, shared) for f, prefix in named]
    written = [emitter.write() for emitter in emitters]
    texts = [text for own, _ in written for text in own]
    source = emitters[0].texts.file(texts)
    return source, [interface for _, interface in written], shared.block()


def emit_steps(
    function: FuncOp, prefix: str, threads: int = 1, is_timed: bool = False
) -> tuple[Emitted, list[Step]]:
    """The result of :func:`emit` and its steps; if ``is_timed``, the C logs when each ends."""
    shared = Shared(steps=Steps(is_timed))
    emitted = FunctionEmitter(function, check_prefix(prefix), threads, shared).emit()
    return emitted, shared.steps.done
