"""StableHLO assembly to a module in the ``stablehlo`` dialect.

An operation is a name and then any of these in any order, up to its types:

====================================  ==========================================================
``%x`` ``(%x, %y)`` ``%x#1``          operands
``dim = 0`` ``dims = [0, 1]``         attributes, also ``contracting_dims = [1] x [0]``
``{a = 1}`` ``<{a = 1}>``             attributes
``LT`` ``@f`` ``"name"``              words, which ``WORDS`` names
``[0:2, 1:9:2]``                      the ranges of a slice
``({...}, {...})``                    bodies
``(%a = %x, %b = %y)``                operands, and the names of the arguments of two bodies
``(%x init: %i), (%y init: %j)``      operands of a reduction: all x, then all i
====================================  ==========================================================

Types follow ``:``, the results behind ``->``; an operation with one type has a result of that
type.  Then come ``cond {...} do {...}`` and ``reducer(...) {...}``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from opc.dialects.opc.movement import ConstantOp
from opc.dialects.shape import Tensor
from opc.dialects.stablehlo import NodeOp, YieldOp
from opc.errors import InputError
from opc.frontend.verify import shown, verify

from .calls import write_calls
from .quantized import STORED, Quantized, expressed, parameters, stored
from .text import MAX_DEPTH, Dense, NestedType, Text, leaves

WORDS = {
    "stablehlo.compare": ("comparison_direction", "compare_type"),
    "stablehlo.custom_call": ("call_target_name",),
    "stablehlo.composite": ("name",),
    "stablehlo.reduce": ("applies", "combiner", "across"),
    "chlo.broadcast_compare": ("comparison_direction", "compare_type"),
    "func.call": ("callee",),
}
"""Operation --> the attributes that its words are."""

NestedValue: TypeAlias = "SSAValue | list[NestedValue]"
"""A tensor, or the values of a tuple."""
Scope: TypeAlias = "dict[str, list[NestedValue]]"
"""Name --> the results that it stands for."""

DIALECTS = ("stablehlo", "chlo", "func", "check")
ENDS = ("stablehlo.return", "func.return")
SHORT = {
    "call": "func.call",
    "return": "func.return",
    # Operands are expressed, and results stored, for every operation.
    "stablehlo.uniform_quantize": "stablehlo.convert",
    "stablehlo.uniform_dequantize": "stablehlo.convert",
    # Where a value lies is nothing to one process.
    "sdy.sharding_constraint": "stablehlo.optimization_barrier",
    "sdy.reshard": "stablehlo.optimization_barrier",
}
UNWRITTEN = tuple(
    f"stablehlo.{name}" for name in ("after_all", "create_token", "tuple", "get_tuple_element")
)
"""Operations on tuples and tokens, which the names of values stand for."""
CONSTANTS = ("stablehlo.constant", "chlo.constant")
WITHOUT_RESULT = re.compile(r"check\.|func\.return|stablehlo\.return")
_NEXT = re.compile(r"%[\w$.-]+(?::\d+)?(?:\s*,\s*%[\w$.-]+(?::\d+)?)*\s*=[^=]")
_BLOCK = re.compile(r"\{\s*\^")
_RANGES = re.compile(r"\[((?:\s*\d+:\d+(?::\d+)?\s*,?)*)\]")
_KEY = re.compile(r"[A-Za-z_][\w.]*\s*=(?!=)")


def parse_stablehlo(text: str, name: str = "<string>") -> ModuleOp:
    """The verified module of a text, with calls written out.

    Raises :class:`InputError` for invalid text, :class:`UnsupportedError` for what opc does not
    compile.
    """
    module = ModuleOp(_Reader(text, name).functions())
    if not any(isinstance(op, FuncOp) for op in module.body.ops):
        raise InputError("there is no function in this module", name)
    write_calls(module)
    verify(module)
    return module


def like(type: NestedType, values: Iterator[SSAValue]) -> NestedValue:
    """The next values in tuples as those of a type."""
    return [like(t, values) for t in type] if isinstance(type, list) else next(values)


class _Reader(Text):
    """Reads the functions of a module."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(text, name)
        self.quantized = Quantized()

    def functions(self) -> list[Operation]:
        """All functions."""
        functions: list[Operation] = []
        open_modules = 0
        while self.pos < len(self.text):
            if self.sees("#") or self.sees("!") or self.sees("sdy.mesh"):
                self.pos = (self.text + "\n").index("\n", self.pos)
                self.skip()
            elif self.sees_word() == "module":
                self.word()
                if self.sees("@"):
                    self.name_behind("@")
                self._skip_attributes()
                self.need("{")
                open_modules += 1
            elif open_modules and self.take("}"):
                open_modules -= 1
            elif self.sees_word() == "func.func":
                functions.append(self._function())
            else:
                raise self.expected("func.func")
        return functions

    def _skip_attributes(self) -> None:
        if self.sees_word() == "attributes":
            self.word()
            self.balanced("{", "}")

    def _function(self) -> FuncOp:
        start = self.pos
        self.word()
        visibility = self.word() if self.sees_word() in ("public", "private") else ""
        name = self.name_behind("@")
        arguments = self.listed("(", ")", self.named_type)
        if self.take("->"):
            self.types()
        self._skip_attributes()
        body = self.region({}, arguments)
        block, end = body.block, body.block.last_op
        if not isinstance(end, ReturnOp):
            raise self.error(f"function @{shown(name)} does not end in func.return")
        types = ([a.type for a in block.args], [v.type for v in end.operands])
        hidden = "private" if visibility == "private" else None
        function = FuncOp(name, types, body, visibility=hidden)
        function.location = self.location(start)
        return function

    def region(self, scope: Scope, arguments: Iterable[tuple[str, NestedType]] = ()) -> Region:
        """``{ operations }``, which see the values of ``scope``: a region of one block.

        Its arguments are given, or behind ``^bb0``.
        """
        if self.depth >= MAX_DEPTH:
            raise self.error(f"operations are nested more than {MAX_DEPTH} deep")
        self.depth += 1
        self.need("{")
        if self.sees("^"):
            self.name_behind("^")
            arguments = self.listed("(", ")", self.named_type) if self.sees("(") else []
            self.need(":")
        block, inner = Block(), dict(scope)
        for name, type in arguments:
            types: list[Tensor] = leaves(type)
            values = [block.insert_arg(stored(t), len(block.args)) for t in types]
            self.quantized.enter(values, types)
            for value in values if not name[0].isdigit() else ():
                value.name_hint = SSAValue.extract_valid_name(name)
            inner[name] = [like(type, iter(values))]
        while not self.take("}"):
            _Operation(self, inner).read(block)
        self.depth -= 1
        return Region(block)

    def operand(self, scope: Scope) -> NestedValue:
        """``%x`` or ``%x#1``."""
        start = self.pos
        name = self.name_behind("%")
        number = self.match(re.compile(r"#(\d{1,9})"))
        values, k = scope.get(name, []), int(number[1]) if number else 0
        if k >= len(values):
            self.pos = start
            raise self.error(f"%{name} is used before its definition")
        return values[k]


class _Operation:
    """One operation while it is read."""

    def __init__(self, reader: _Reader, scope: Scope) -> None:
        self.reader = reader
        self.scope = scope
        self.operands: list[NestedValue] = []
        self.inits: list[NestedValue] = []
        self.words: list[str] = []
        self.attributes: dict[str, Any] = {}
        self.regions: list[Region] = []
        self.argument_names: list[str] = []
        self.constants: list[ConstantOp] = []

    def read(self, block: Block) -> None:
        """Read it, and add it to a block."""
        reader, start = self.reader, self.reader.pos
        results: list[tuple[str, int]] = []
        if reader.match(re.compile("(?=%)")):
            while not results or reader.take(","):
                name = reader.name_behind("%")
                count = reader.match(re.compile(r":(\d{1,4})"))
                results.append((name, int(count[1]) if count else 1))
            reader.need("=")
        name = reader.string() if reader.sees('"') else reader.word("an operation")
        name = SHORT.get(name, name)
        if name.partition(".")[0] not in DIALECTS:
            reader.pos = start
            raise reader.unsupported(f"{shown(name)} is not of {', '.join(DIALECTS)}")
        self._items(name)
        types = self._types(name)
        self._bodies(types)
        location = reader.location(start)
        words = WORDS.get(name, ())
        self.attributes.update(zip(words, self.words, strict=False))
        elements = self.attributes.get("value")
        if isinstance(elements, Dense) and (name in CONSTANTS or name.startswith("check.")):
            self._constant(elements)
            del self.attributes["value"]

        def insert(op: Operation) -> None:
            op.location = location
            block.add_op(op)

        for constant in self.constants:
            insert(constant)
        values = self._values(name, leaves(types), insert)
        if sum(count for _, count in results) != len(types) and results:
            raise reader.error(f"{shown(name)} has {len(types)} results")
        remaining = iter(values)
        nested = self._moved(name) or [like(type, remaining) for type in types]
        for result, count in results:
            self.scope[result] = nested[:count]
            del nested[:count]

    def _moved(self, name: str) -> list[NestedValue]:
        """The result of an operation that makes or takes apart a tuple; none for others."""
        if name == "stablehlo.tuple":
            return [self.operands]
        if name != "stablehlo.get_tuple_element":
            return []
        parts, index = self.operands[0] if self.operands else [], self.attributes.get("index")
        if not isinstance(parts, list) or index is None or index not in range(len(parts)):
            raise self.reader.error(f"{name}: found {index}, expected an element of a tuple")
        return [parts[index]]

    def _values(
        self, name: str, types: list[Tensor], insert: Callable[[Operation], None]
    ) -> list[SSAValue]:
        """The tensors that the operation gives, inserted unless it only moves values."""
        reader = self.reader
        if name in UNWRITTEN:
            return []
        moves = self.regions or name.partition(".")[2].removeprefix("dynamic_") in STORED
        operands = leaves([*self.operands, *self.inits])
        if not moves:
            operands = [reader.quantized.expressed(v, insert) for v in operands]
        values: list[SSAValue] = []
        if name in CONSTANTS:
            if not self.constants:
                raise reader.error(f"{name} has no elements in the text")
            values = [self.constants[0].result]
        else:
            op: Operation
            if name == "func.return":
                op = ReturnOp(*operands)
            elif name == "stablehlo.return":
                op = YieldOp(operands=[operands])
            else:
                own = [stored(t) if moves else expressed(t) for t in types]
                op = NodeOp.of(name, operands, self._plain(), own, self.regions)
                values = list(op.outputs)
            insert(op)
            for k, (value, type) in enumerate(zip(values, types, strict=True)):
                if parameters(type) and not moves:
                    how = parameters(type)
                    op = NodeOp.of("stablehlo.uniform_quantize", [value], how, [stored(type)])
                    insert(op)
                    values[k] = op.outputs[0]
        reader.quantized.enter(values, types)
        return values

    def _plain(self) -> dict[str, Any]:
        """The attributes, arrays as lists."""
        return {
            name: value.array.tolist() if isinstance(value, Dense) else value
            for name, value in self.attributes.items()
        }

    def _items(self, name: str) -> None:
        """Operands, attributes, bodies and words, up to the types."""
        reader, is_inside = self.reader, False
        while is_inside or not (reader.sees(":") or reader.sees("}")):
            if reader.sees("%"):
                if _NEXT.match(reader.text, reader.pos):
                    if not is_inside:
                        return
                    self.argument_names.append(reader.name_behind("%"))
                    reader.need("=")
                self.operands.append(reader.operand(self.scope))
                if reader.take("init:"):
                    self.inits.append(reader.operand(self.scope))
            elif reader.take("<{"):
                reader.pos = reader.text.rindex("{", 0, reader.pos)
                self.attributes |= reader.dictionary("{", "}")
                reader.need(">")
            elif reader.sees("{") and (is_inside or _BLOCK.match(reader.text, reader.pos)):
                self.regions.append(reader.region(self.scope))
            elif reader.sees("{"):
                self.attributes |= reader.dictionary("{", "}")
            elif reader.take(")" if is_inside else "("):
                is_inside = not is_inside
            elif _KEY.match(reader.text, reader.pos):
                key = reader.word()
                reader.need("=")
                self.attributes[key] = reader.value(typed=False)
            elif reader.take(","):
                continue
            elif is_inside:
                raise reader.expected("an operand or ')'")
            elif reader.sees("["):
                self._ranges()
            elif reader.sees("<@"):
                reader.balanced("<", ">")
            elif reader.sees("@"):
                self.words.append(reader.name_behind("@"))
            elif reader.sees('"'):
                self.words.append(reader.string())
            elif (word := reader.sees_word()) and not (name in ENDS and "." in word):
                self._word(reader.word())
            elif word:
                return
            else:
                raise reader.expected("an operand, an attribute or a type")

    def _word(self, word: str) -> None:
        if word == "inits":
            self.attributes["input_count"] = len(self.operands)
        if word != "dense":
            self.words.append(word)
            return
        self._constant(self.reader.dense())
        # Its type is also the type of the operation.
        self.reader.pos = self.reader.type_of_dense

    def _constant(self, dense: Dense) -> None:
        """Add elements as an operand."""
        self.constants.append(ConstantOp.of(dense.array, dense.element))
        self.operands.append(self.constants[-1].result)

    def _ranges(self) -> None:
        matched = self.reader.match(_RANGES)
        if matched is None:
            self.attributes["index"] = self.reader.value()[0]
            return
        ranges = [list(map(int, r.split(":"))) for r in matched[1].replace(" ", "").split(",") if r]
        self.attributes["start_indices"] = [r[0] for r in ranges]
        self.attributes["limit_indices"] = [r[1] for r in ranges]
        self.attributes["strides"] = [r[2] if len(r) > 2 else 1 for r in ranges]

    def _types(self, name: str) -> list[NestedType]:
        """The types of the results."""
        reader = self.reader
        if not reader.take(":"):
            return []
        types = reader.types()
        if reader.take("->"):
            return reader.types()
        if WITHOUT_RESULT.match(name):
            return []
        several = ("stablehlo.while", "stablehlo.optimization_barrier")
        return types if name in several else types[-1:]

    def _bodies(self, types: list[NestedType]) -> None:
        """What follows the types of a loop or a reduction."""
        reader = self.reader
        if reader.sees_word() == "attributes" or reader.sees("{"):
            _ = reader.sees("{") or reader.word()
            self.attributes |= reader.dictionary("{", "}")
        while reader.sees_word() in ("cond", "do"):
            reader.word()
            arguments = zip(self.argument_names, types, strict=True)
            self.regions.append(reader.region(self.scope, arguments))
        if reader.sees_word() == "reducer":
            reader.word()
            pairs: list[tuple[str, NestedType]] = []
            while reader.sees("("):
                pairs += reader.listed("(", ")", reader.named_type)
            self.regions.append(reader.region(self.scope, (*pairs[::2], *pairs[1::2])))
