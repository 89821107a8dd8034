"""The C of arrays in vector registers, and of the loops over them: one call for each vector."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import body, loop
from opc.dialects.buffer import element_in
from opc.dialects.element import ElementType
from opc.dialects.registers import is_of_sums, lanes_of

from .ctext import PRODUCT, UNARY, Text, address, computed, number, suffix
from .group_products import scalar_dot, small_dot, vector_dot
from .texts import Helper, c_text
from .workarounds.kept_vectors import KEPT, is_read_again

Index = Callable[[loop.LoadOp | loop.StoreOp | body.IndexOp], Text]
Types: TypeAlias = tuple[ElementType, ...]
UNROLL = "OPC_UNROLL"
FOUR = "OPC_FOUR"
"""Fused multiply-adds of f32 for processors that have vectors and no such instruction.

Numbers go by way of f64, which holds each product.  A sum that is rounded to f64 and then to f32
may be wrong only if it lies between two floats, or is subnormal as a float: if one of four is so,
all are computed one by one, which is rare.
"""


def vector_type(type: ElementType, lanes: int) -> str:
    """Name of the type of a vector register."""
    return f"opc_{suffix(type)}v{lanes}"


def _lane(type: ElementType) -> str:
    """The C type of a lane: integers wrap if they are unsigned."""
    return f"uint{type.bits}_t" if type.is_integer else computed(type)


def type_definition(type: ElementType, lanes: int) -> str:
    """The type of a vector register."""
    vector, size = vector_type(type, lanes), type.bytes * lanes
    return c_text("registers.type", lane=_lane(type), vector=vector, lanes=lanes, size=size)


def function(action: str, factors: Types, type: ElementType, lanes: int) -> Helper:
    """A function on a vector register: set, move, fma, mul_add, put, add, write or dot.

    ``factors`` of ``dot`` are the types of both of a group, and of what shares bytes.  ``kept_fma``
    is an ``fma`` whose vector the next ones read, too (see ``kept_vectors``).
    """
    name = "_".join(["opc", action, *map(suffix, factors), f"{suffix(type)}v{lanes}"])
    if action != "dot":
        is_fused, is_kept = action.endswith("fma"), action == "kept_fma"
        text = partial(fused_text, is_kept=is_kept) if is_fused else partial(_text, action)
        return name, {name: text(name, type, lanes)}
    left, right, *small = factors
    if lanes == 1:
        return name, {name: scalar_dot(name, left, right)}
    vector = vector_type(type, lanes)
    if not small:
        return name, {name: vector_dot(name, vector, left, right, lanes)}
    plain, texts = function(action, (left, right), type, lanes)
    return name, texts | {name: small_dot(name, plain, vector, factors, lanes)}


def _text(place: str, name: str, type: ElementType, lanes: int, **values: object) -> str:
    """A text of ``registers.c``."""
    cast = f"({_lane(type)})" if type.is_integer else ""
    common = {"vector": vector_type(type, lanes), "c": computed(type), "cast": cast}
    kind = suffix(type)
    return c_text(f"registers.{place}", name=name, lanes=lanes, kind=kind, **common, **values)


def fused_text(
    name: str, type: ElementType, lanes: int, from_memory: bool = True, is_kept: bool = False
) -> str:
    """A multiply-add of a scalar and a vector, which lies in memory or in a register.

    ``is_kept``: it comes from memory, and stays in a register for the next multiply-adds.
    """
    c, vector = computed(type), vector_type(type, lanes)
    if type.is_integer:
        return _text("wrapping_fma", name, type, lanes)
    load = f"  {vector} v;\n  const {vector} zero = {{0}};\n  memcpy(&v, b, sizeof v);\n"
    operand, element = f"const {c} *b", "b[k]"
    if not from_memory:
        load = f"  const {vector} v = *b, zero = {{0}};\n"
        operand, element = f"{vector} *b", "(*b)[k]"
    exact = ""
    for condition, statement in _FMA.get((suffix(type), lanes), ()):
        kept = KEPT if is_kept and "ia32" in statement else ""
        exact += f"#elif defined(OPC_HAS_VECTORS) && {condition}\n{load}{kept}  {statement};\n"
    if suffix(type) == "f32" and lanes % 4 == 0 and from_memory:
        exact += c_text("registers.one_four" if lanes == 4 else "registers.fours", n=lanes // 4)
    taken = "b" if from_memory else "*b"
    values = {"exact": exact, "load": load, "operand": operand, "element": element, "taken": taken}
    return _text("fma", name, type, lanes, **values)


def _x86(macro: str, operation: str, more: str = "") -> tuple[str, str]:
    """``more`` operands are a mask, and 4: the usual rounding."""
    return f"defined({macro})", f"*sums = __builtin_ia32_{operation}(a - zero, v, *sums{more})"


def _wasm(lanes: str) -> tuple[str, str]:
    return (
        "defined(OPC_RELAXED)",
        f"*sums = __builtin_wasm_relaxed_madd_{lanes}(a - zero, v, *sums)",
    )


_POWER = (
    "!defined(__clang__) && defined(__VSX__)",
    '__asm__("xvmaddasp %x0, %x1, %x2" : "+wa"(*sums) : "wa"(a - zero), "wa"(v))',
)
_FMA = {
    ("f32", 4): (_x86("__FMA__", "vfmaddps"), _POWER, _wasm("f32x4")),
    ("f32", 8): (_x86("__FMA__", "vfmaddps256"),),
    ("f32", 16): (_x86("__AVX512F__", "vfmaddps512_mask", ", -1, 4"),),
    ("f64", 2): (_x86("__FMA__", "vfmaddpd"), _wasm("f64x2")),
    ("f64", 4): (_x86("__FMA__", "vfmaddpd256"),),
    ("f64", 8): (_x86("__AVX512F__", "vfmaddpd512_mask", ", -1, 4"),),
}
"""Fused instructions by type and lanes, each after its condition.

gcc vectorizes the plain loop only where it expects many iterations of the loop around it, never in
``OPC_AS_IT_STANDS`` functions, and never on POWER (see ``OPC_FUSE_F32``).
"""


def group_step(op: loop.ForOp) -> loop.StoreOp | None:
    """The store of a loop that adds a group of products to each of such sums; None for others."""
    store = next((o for o in op.body.block.ops if isinstance(o, loop.StoreOp)), None)
    if store is None or lanes_of(store.target) != 1 or not is_of_sums(op):
        return None
    last = store.value.owner
    if not isinstance(last, body.ApplyOp) or last.function.data != "fma":
        return None
    return store if isinstance(last.args[2].owner, body.ApplyOp) else None


def call(
    op: loop.ForOp,
    array: SSAValue,
    names: dict[SSAValue, Text],
    index: Index,
) -> tuple[str, Types, str]:
    """The action and factors, for :func:`function`, of a loop for a vector, and the arguments."""
    (store,) = (o for o in op.body.block.ops if isinstance(o, loop.StoreOp))
    type, lanes, source = element_in(array), lanes_of(array), store.value.owner

    def scalar(value: SSAValue) -> str:
        at = value.owner
        if isinstance(at, body.ConstantOp):
            return number(at.number, type).text
        assert isinstance(at, loop.LoadOp)
        return f"{names[at.source]}[{index(at)}]"

    def memory(value: SSAValue) -> str:
        at = value.owner
        assert isinstance(at, loop.LoadOp)
        return address(names[at.source], index(at)).text

    def register(at: Operation | Block) -> str:
        assert isinstance(at, loop.LoadOp | loop.StoreOp)
        if lanes == 1:
            return f"&{names[array]}[{index(at)}]"
        return f"&{names[array]}[{index(at).within(PRODUCT)} / {lanes}]"

    if isinstance(source, loop.LoadOp) and store.target is not array:
        return "write", (), f"{address(names[store.target], index(store))}, {register(source)}"
    if isinstance(source, loop.LoadOp):
        return "move", (), f"{register(store)}, {register(source)}"
    if isinstance(source, body.ConstantOp):
        return "set", (), f"{register(store)}, {scalar(store.value)}"
    assert isinstance(source, body.ApplyOp)
    if source.function.data in ("fma", "mul_add"):
        a, b, before = source.args
        if isinstance(before.owner, body.ApplyOp):
            return _group(store, source, (memory, register, index))
        is_float = source.function.data == "fma" and not type.is_integer
        is_kept = is_float and is_read_again(op, b.owner)
        action = "kept_fma" if is_kept else source.function.data
        return action, (), f"{register(store)}, {scalar(a)}, {memory(b)}"
    before, sums = source.args
    target = address(names[store.target], index(store))
    if isinstance(before.owner, loop.LoadOp):
        return "add", (), f"{register(sums.owner)}, {target}"
    return "put", (), f"{register(sums.owner)}, {scalar(before)}, {target}"


def _group(
    store: loop.StoreOp,
    last: body.ApplyOp,
    texts: tuple[Callable[[SSAValue], str], Callable[[Operation], str], Index],
) -> tuple[str, Types, str]:
    """The call that adds a group of products, whose factors are widened, by its first factors."""
    memory, register, index = texts
    first = last
    while isinstance(before := first.args[2].owner, body.ApplyOp):
        first = before
    casts = [value.owner for value in first.args[:2]]
    factors = [op.args[0] for op in casts if isinstance(op, body.ApplyOp)]
    types = [body.scalar_type(factor) for factor in factors]
    shift = ""
    if isinstance(small := factors[1].owner, body.ApplyOp):
        # Numbers of few bits, made bytes: a byte is shifted and cut.
        factors[1], amount = shifted(small)
        types.append(body.scalar_type(small.args[0]))
        shift = f", (int){index(amount).within(UNARY)}"
    return "dot", tuple(types), f"{register(store)}, {', '.join(map(memory, factors))}{shift}"


def shifted(op: body.ApplyOp) -> tuple[SSAValue, body.IndexOp]:
    """The byte that a cast of a number of few bits takes it from, and the bits it is shifted by."""
    cut = op.args[0].owner
    assert isinstance(cut, body.ApplyOp) and cut.function.data == "cast"
    moved = cut.args[0].owner
    assert isinstance(moved, body.ApplyOp) and moved.function.data == "shr"
    byte, amount = moved.args[0], moved.args[1].owner
    if isinstance(amount, body.ApplyOp):
        amount = amount.args[0].owner
    assert isinstance(amount, body.IndexOp)
    return byte, amount
