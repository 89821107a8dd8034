"""Loops over vectors of computed values: loads that widen, and arithmetic of C on whole vectors.

``sums[j] += x * ((float)q[j] - zero[j]) * scale[j]`` becomes, for each vector of an array in
registers, a statement for each load, and one for what is computed of these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np
from xdsl.ir import Operation, SSAValue

from opc.dialects import body, loop
from opc.dialects.body import scalar_type
from opc.dialects.buffer import element_in
from opc.dialects.element import BY_NAME, F32, ElementType

from .ctext import PRODUCT, SUM, UNARY, Text, address, cast, computed, number, stored, suffix
from .group_products import WIDE
from .registers import Index, fused_text, shifted, vector_type
from .texts import c_text

EACH, AT = "OPC_EACH", "OPC_AT"
_AT = re.compile(rf"{AT}\(([a-z]+[0-9]+)\)")


def _at(vector: str) -> Text:
    return Text(f"{AT}({vector})")


def is_computed(op: loop.ForOp) -> bool:
    """Whether a loop over an array in registers computes values from memory in vectors."""
    (store,) = (o for o in op.body.block.ops if isinstance(o, loop.StoreOp))
    value = store.value.owner
    if not isinstance(value, body.ApplyOp):
        return False
    if value.function.data == "mul_add":
        return False
    if value.function.data != "fma":
        target = store.target.owner
        return isinstance(target, loop.LocalOp) and target.lanes is not None
    _, factor, before = value.args
    return isinstance(before.owner, loop.LoadOp) and not isinstance(factor.owner, loop.LoadOp)


@dataclass
class VectorValues:
    """Writes the statements for one vector of a loop."""

    loop: loop.ForOp
    lanes: int
    names: dict[SSAValue, Text]
    index: Index
    fresh: Callable[[str], str]
    lines: list[str] = field(default_factory=list[str])
    helpers: dict[str, str] = field(default_factory=dict[str, str])

    def statements(self, array: SSAValue) -> list[str]:
        """The statements; those of a sum take the factor of the columns last."""
        (store,) = (o for o in self.loop.body.block.ops if isinstance(o, loop.StoreOp))
        value, type = store.value.owner, element_in(array)
        at = self.index(store).within(PRODUCT)
        register = f"{self.names[array]}[{at} / {self.lanes}]"
        assert isinstance(value, body.ApplyOp)
        if value.function.data != "fma":
            self._assign(register, self._vector(store.value))
            return self.lines
        factor, vector, _ = value.args
        name = f"opc_fuse_{suffix(type)}v{self.lanes}"
        self.helpers[name] = fused_text(name, type, self.lanes, from_memory=False)
        taken = self._named(vector)
        self.lines.append(f"{name}(&{register}, {self._scalar(factor)}, &{taken});")
        return self.lines

    def _named(self, value: SSAValue) -> str:
        """The name of a vector with a value."""
        text = self._vector(value)
        known = _AT.fullmatch(text.text)
        return known[1] if known else self._defined(scalar_type(value), text)

    def _defined(self, type: ElementType, value: Text) -> str:
        """The name of a new vector with a value."""
        name = self.fresh("v")
        self.lines.append(f"{vector_type(type, self.lanes)} {name};")
        self._assign(name, value)
        return name

    def _assign(self, vector: str, value: Text) -> None:
        self.lines.append(f"{EACH}({self.lanes}) {AT}({vector}) = {value};")

    def _varies(self, value: SSAValue) -> bool:
        """Whether a value differs between lanes: a load along the loop, or what is made of one."""
        at = value.owner
        if isinstance(at, loop.LoadOp):
            return self.loop.variable in at.dims
        return isinstance(at, body.ApplyOp) and any(map(self._varies, at.args))

    def _vector(self, value: SSAValue) -> Text:
        """A value in each lane; what is the same in all of them is a scalar."""
        at = value.owner
        if not self._varies(value):
            return Text(self._scalar(value))
        if isinstance(at, loop.LoadOp):
            type = scalar_type(value)
            return _at(self._loaded(read(type, type, self.lanes), type, at, ""))
        assert isinstance(at, body.ApplyOp)
        if at.function.data.startswith("round_"):
            return _at(self._rounded(at))
        if at.function.data in ("cast", "choose"):
            return _at(self._widened(at))
        if at.function.data == "sub" and (difference := self._difference(at)) is not None:
            return difference
        operator, level = {"add": ("+", SUM), "sub": ("-", SUM), "mul": ("*", PRODUCT)}[
            at.function.data
        ]
        left, right = (self._vector(v) for v in at.args)
        return Text(f"{left.within(level)} {operator} {right.within(level + 1)}", level)

    def _difference(self, op: body.ApplyOp) -> Text | None:
        """A code without its zero point, in fewer steps; None for other differences.

        The code has four bits, or eight of a word, which only those with zero points share.

        The code is put in the last places of a power of two, which is added to the zero point, a
        small integer: the difference is the same.
        """
        code, zero = op.args[0].owner, op.args[1]
        if not isinstance(code, body.ApplyOp) or code.function.data != "cast":
            return None
        source = scalar_type(code.args[0])
        is_word = source.bits == 8 and not isinstance(code.args[0].owner, loop.LoadOp)
        if not is_word and (self.lanes != 16 or source.name != "ui4" or not _is_small(zero)):
            return None
        load, shift = self._code(code)
        self.helpers["opc_lift"] = c_text("vector_values.lift")
        lifted = self._loaded(_lifted(source, self.lanes), F32, load, f", {shift}")
        base = self._vector(zero).within(SUM)
        lift = f"opc_lift({shift} & 8)" if is_word else f"opc_lift({shift})"
        # The highest bit of signed codes is flipped.
        lift += " + 128.0f" if source.kind == "signed" else ""
        return Text(f"{_at(lifted)} - ({base} + {lift})", SUM)

    def _code(self, op: body.ApplyOp) -> tuple[loop.LoadOp, str]:
        """The load of what a function takes, and the bit of a byte from which it has the value."""
        if isinstance(at := op.args[0].owner, loop.LoadOp):
            return at, "0"
        byte, amount = shifted(op)
        assert isinstance(byte.owner, loop.LoadOp)
        return byte.owner, f"(int){self.index(amount).within(UNARY)}"

    def _widened(self, op: body.ApplyOp) -> str:
        """A load in a wider type, or the number that it chooses; of a part of a byte, shifted."""
        source, target = scalar_type(op.args[0]), scalar_type(op.result)
        constants = (v.owner for v in op.args[1:])
        numbers = tuple(float(o.number) for o in constants if isinstance(o, body.ConstantOp))
        load, shift = self._code(op)
        more = f", {shift}" if shares_bytes(source) else ""
        return self._loaded(read(source, target, self.lanes, numbers), target, load, more)

    def _rounded(self, op: body.ApplyOp) -> str:
        """A vector of f32 rounded to numbers of f16 or bf16."""
        type = scalar_type(op.result)
        name, text = rounding(op.function.data, type, self.lanes)
        self.helpers[name] = text
        vector = self._defined(type, self._vector(op.args[0]))
        self.lines.append(f"{name}(&{vector});")
        return vector

    def _loaded(
        self, helper: tuple[str, str], type: ElementType, op: loop.LoadOp, more: str
    ) -> str:
        """The name of a vector that a function reads; ``more`` are its last arguments."""
        name, self.helpers[helper[0]] = helper
        vector = self.fresh("v")
        self.lines.append(f"{vector_type(type, self.lanes)} {vector};")
        place = address(self.names[op.source], self.index(op))
        self.lines.append(f"{name}(&{vector}, {place}{more});")
        return vector

    def _scalar(self, value: SSAValue) -> str:
        at = value.owner
        match at:
            case body.ConstantOp():
                return number(at.number, scalar_type(value)).text
            case loop.LoadOp():
                return f"{self.names[at.source]}[{self.index(at)}]"
            case body.ApplyOp() if at.function.data == "cast":
                inner = Text(self._scalar(at.args[0]), UNARY)
                return cast(inner, scalar_type(at.args[0]), scalar_type(value)).text
            case body.ApplyOp():
                operator = {"add": "+", "sub": "-", "mul": "*"}[at.function.data]
                left, right = (self._scalar(v) for v in at.args)
                return f"({left} {operator} {right})"
            case _:
                assert isinstance(at, Operation)
                return self.names[value].text


_INCLUDE = "#ifdef __SSE2__\n#include <immintrin.h>\n#endif\n\n"


def rounding(function: str, type: ElementType, lanes: int) -> tuple[str, str]:
    """The name and the text of a function that rounds a vector to a narrower type."""
    name, vector = f"opc_{function}_{suffix(type)}v{lanes}", vector_type(type, lanes)
    values = {"name": name, "vector": vector, "lanes": lanes}
    portable = c_text(
        "vector_values.round_each", function=f"opc_{function}_{suffix(type)}", **values
    )
    if function != "round_f16" or not _fills(lanes):
        return name, c_text("vector_values.round", body=portable, **values)
    prefix, nearest = WIDE[lanes][1], "_MM_FROUND_TO_NEAREST_INT"
    guard = "__AVX512F__" if lanes == 16 else "__F16C__"
    register = {4: "__m128", 8: "__m256", 16: "__m512"}[lanes]
    narrow = f"{prefix}_cvtps_ph(({register})*x, {nearest})"
    more = {"guard": guard, "prefix": prefix, "narrow": narrow, "portable": portable}
    body = c_text("vector_values.round_f16", vector=vector, **more)
    return name, _INCLUDE + c_text("vector_values.round", body=body, **values)


def shares_bytes(type: ElementType) -> bool:
    """Whether values of a type may share a byte."""
    return type.is_small and type.bits < 8


def _is_small(value: SSAValue) -> bool:
    """Whether a value is one of the integers of eight bits or fewer, as a float."""
    at = value.owner
    if isinstance(at, body.ConstantOp):
        return at.number in range(int(BY_NAME["ui8"].highest) + 1)
    if isinstance(at, loop.LoadOp):
        ops = [use.operation for use in at.source.uses]
        values = [op.value for op in ops if isinstance(op, loop.StoreOp)]
        is_plain = all(isinstance(op, loop.LoadOp | loop.StoreOp) for op in ops)
        is_local = isinstance(at.source.owner, loop.LocalOp)
        return is_local and is_plain and all(map(_is_small, values))
    if not isinstance(at, body.ApplyOp) or at.function.data != "cast":
        return False
    source = scalar_type(at.args[0])
    return source.bits <= 8 and (source.is_integer or source.small in ("signed", "unsigned"))


def read(
    source: ElementType, target: ElementType, lanes: int, numbers: tuple[float, ...] = ()
) -> tuple[str, str]:
    """The name and the text of a load of a vector, which widens narrower elements.

    If there are ``numbers``, codes of four bits choose one of these.
    """
    vector = vector_type(target, lanes)
    if source.small == "float" and source.bits == 4 and not numbers:
        numbers = tuple(float(v) for v in np.arange(16, dtype=np.uint8).view(source.dtype))
    if numbers:
        return _choosing(numbers, target, lanes)
    if source is target:
        name = f"opc_read_{suffix(target)}v{lanes}"
        return name, c_text("vector_values.read", name=name, vector=vector, c=computed(target))
    name = f"opc_read_{suffix(source)}_{suffix(target)}v{lanes}"
    shift = ", int shift" if shares_bytes(source) else ""
    head = f"static inline void {name}({vector} *to, const {stored(source)} *from{shift}) {{"
    element = Text("from[k] >> shift", PRODUCT) if shares_bytes(source) else Text("from[k]")
    value = cast(element, source, target)
    portable = c_text("vector_values.widen_each", lanes=lanes, value=value)
    inside = _wide(source, vector, lanes, portable)
    include = _INCLUDE if inside != portable else ""
    what = f" of {source.bits} bits from bit `shift` on" if shares_bytes(source) else ""
    comment = f"/* {lanes} elements{what}, widened. */\n"
    return name, f"{include}{comment}{head}\n{inside}}}\n"


def _choosing(numbers: Sequence[float], type: ElementType, lanes: int) -> tuple[str, str]:
    """The name and the text of a load of codes that choose numbers.

    A vector of 16 numbers is permuted by the codes; of two vectors of 8, the fourth bit chooses.
    """
    texts = [number(value, type).text for value in numbers]
    name = f"opc_choose_{crc32(' '.join(texts).encode()):08x}_{suffix(type)}v{lanes}"
    body = c_text("vector_values.choose_each", lanes=lanes)
    if _fills(lanes) and lanes > 4:
        vector = vector_type(type, lanes)
        body = c_text(f"vector_values.choose_{lanes}", vector=vector, portable=body)
    values = {"vector": vector_type(type, lanes), "lanes": lanes, "body": body}
    rows = ",\n      ".join(", ".join(texts[k : k + 4]) for k in range(0, 16, 4))
    return name, _INCLUDE + c_text("vector_values.choose", name=name, numbers=rows, **values)


def _lifted(source: ElementType, lanes: int) -> tuple[str, str]:
    """The name and the text of a load of codes, each added to a power of two."""
    name, vector = f"opc_lift_{suffix(source)}_f32v{lanes}", vector_type(F32, lanes)
    if source.bits < 8:
        return name, _INCLUDE + c_text("vector_values.lift_16", name=name, vector=vector)
    lift, code, table = "opc_lift(shift & 8)", "(from[k] >> shift & 255)", "0xea"
    if source.kind == "signed":
        lift, code, table = f"{lift} + 128.0f", f"({code} ^ 128)", "0x6a"
    values = {"name": name, "vector": vector, "lift": lift, "code": code, "table": table}
    return name, _INCLUDE + c_text("vector_values.lift_word", **values)


_GUARDS = {"_mm": "__SSE4_1__", "_mm256": "__AVX2__", "_mm512": "__AVX512F__"}
"""Whether a processor widens bytes in vectors, by the prefix of its functions."""


def _number(bits: int, type: ElementType) -> int:
    """The number of few bits that the lowest bits are."""
    number = bits % (1 << type.bits)
    is_negative = type.small == "signed" and number >> (type.bits - 1)
    return number - (1 << type.bits) if is_negative else number


def _fills(lanes: int) -> bool:
    """Whether so many numbers of f32 are a register of x86."""
    return lanes in WIDE and int(WIDE[lanes][0]) == lanes * F32.bits


_FLOATS8 = ("f8E5M2", "f8E4M3FN", "f8E4M3FNUZ")
"""Floats of eight bits whose values floats of 16 bits have, some of them scaled."""


def _float8(source: ElementType, vector: str, lanes: int, portable: str) -> str:
    """The body for floats of eight bits, by way of those of 16 bits where there are such."""
    if source.name not in _FLOATS8 or lanes == 4 or not _fills(lanes):
        return portable
    bytes, load = ("int64_t", "_mm_cvtsi64_si128(bytes)") if lanes == 8 else ("__m128i", "bytes")
    names = ("narrow", "wide", "half", "si", "guard")
    of_lanes = {
        8: ("_mm", "_mm256", "__m128i", "si128", "__AVX2__) && defined(__F16C__"),
        16: ("_mm256", "_mm512", "__m256i", "si256", "__AVX512F__"),
    }
    values = dict(zip(names, of_lanes[lanes], strict=True)) | {"bytes": bytes, "load": load}
    steps = c_text(f"vector_values.{source.name}", vector=vector, **values)
    return c_text("vector_values.float8", steps=steps, vector=vector, portable=portable, **values)


def _wide(source: ElementType, vector: str, lanes: int, portable: str) -> str:
    """The body with instructions of processors that have them, and the portable one for others."""
    if source.small == "float":
        return _float8(source, vector, lanes, portable)
    if not _fills(lanes):
        return portable
    bits, prefix, _ = WIDE[lanes]
    guard, size = _GUARDS[prefix], lanes * source.bytes * 8
    type, narrow = f"__m{size}i", "bytes"
    if str(size) not in {register for register, _, _ in WIDE.values()}:
        # Fewer bytes than a register has.
        type, narrow = f"int{size}_t", f"_mm_cvtsi{size}_si128(bytes)"
    sign = "epi" if source.kind == "signed" else "epu"
    wide = f"{prefix}_cvt{sign}{8 * source.bytes}_epi32({narrow})"
    steps, result = list[str](), f"{prefix}_cvtepi32_ps(wide)"
    if source.name == "f16":
        guard, result = "__AVX512F__" if lanes == 16 else "__F16C__", f"{prefix}_cvtph_ps({narrow})"
    elif source.name == "bf16":
        result = f"{prefix}_slli_epi32({wide}, 16)"
    else:
        steps.append(f"__m{bits}i wide = {wide};")
    if source.is_small and lanes == 16:
        # The lowest four bits choose one of 16 numbers, in one instruction and not in three.
        numbers = ", ".join(str(_number(k, source)) for k in range(16))
        table = f"_mm512_setr_ps({numbers})"
        result = f"_mm512_permutexvar_ps(_mm512_srli_epi32(wide, (unsigned)shift), {table})"
    elif source.is_small:
        register, mask = f"si{bits}", f"{prefix}_set1_epi32({(1 << source.bits) - 1})"
        steps.append(f"wide = {prefix}_and_{register}({prefix}_srli_epi32(wide, shift), {mask});")
    if source.small == "signed" and lanes != 16:
        # The highest bit is that of the sign.
        high = f"{prefix}_set1_epi32({1 << (source.bits - 1)})"
        flipped = f"{prefix}_xor_si{bits}(wide, {high})"
        steps.append(f"wide = {prefix}_sub_epi32({flipped}, {high});")
    lines = "".join(f"  {step}\n" for step in steps)
    values = {"type": type, "vector": vector, "steps": lines, "result": result}
    return c_text("vector_values.widen", guard=guard, portable=portable, **values)
