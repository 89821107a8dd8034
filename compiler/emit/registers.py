"""Arrays in vector registers, and the loops over them, each of which is one call for each vector.

The sums of a tile are such an array: C compilers keep it in registers as long as every loop over
it is written out and nothing takes a single element of it.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import body, loop
from opc.dialects.buffer import LocalOp, element_in
from opc.dialects.element import ElementType

from .ctext import PRODUCT, Text, address, computed, number, suffix
from .rolled import ROLLED

UNROLL = "OPC_UNROLL"
UNROLL_TEXT = f"""\
/* All rounds of the next loop are written out: what it goes over is in registers. */
#if defined(__clang__)
#define {UNROLL} _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define {UNROLL} _Pragma("GCC unroll 64")
#else
#define {UNROLL}
#endif
"""


def lanes_of(buffer: SSAValue) -> int:
    """Elements in a register of an array that is in registers, else 0."""
    owner = buffer.owner
    return (owner.register_lanes or 0) if isinstance(owner, LocalOp) else 0


def vector_type(type: ElementType, lanes: int) -> str:
    """Name of a vector register's type."""
    return f"opc_{suffix(type)}v{lanes}"


def type_definition(type: ElementType, lanes: int) -> str:
    """The type of a vector register."""
    c, size = computed(type), type.bytes * lanes
    return f"""\
/* {lanes} numbers in a vector register. */
typedef {c} {vector_type(type, lanes)} __attribute__((vector_size({size})));
"""


def function(name: str, type: ElementType, lanes: int) -> tuple[str, str]:
    """The C name and the text of what is done with a vector register: set, fma, put or add."""
    found = f"opc_{name}_{suffix(type)}v{lanes}"
    return found, _FUNCTIONS[name](found, vector_type(type, lanes), type, lanes)


def _set(name: str, vector: str, type: ElementType, lanes: int) -> str:
    return f"""\
static inline void {name}({vector} *sums, {computed(type)} x) {{
  const {vector} zero = {{0}};
  *sums = x - zero;
}}
"""


def _fma(name: str, vector: str, type: ElementType, lanes: int) -> str:
    c = computed(type)
    return f"""\
/* Sum k takes a times b[k], rounded once. */
static inline void {name}({vector} *sums, {c} a, const {c} *b) {{
#if defined(__clang__) && (defined(__FMA__) || defined(__ARM_FEATURE_FMA))
#pragma clang fp contract(on)
  {vector} v;
  const {vector} zero = {{0}};
  memcpy(&v, b, sizeof v);
  *sums = (a - zero) * v + *sums;
#else
  {ROLLED}
  for (int k = 0; k < {lanes}; ++k) {{
    (*sums)[k] = opc_fma_{suffix(type)}(a, b[k], (*sums)[k]);
  }}
#endif
}}
"""


def _put(name: str, vector: str, type: ElementType, lanes: int) -> str:
    c = computed(type)
    return f"""\
/* total[k] = x + sum k */
static inline void {name}(const {vector} *sums, {c} x, {c} *total) {{
  const {vector} v = x + *sums;
  memcpy(total, &v, sizeof v);
}}
"""


def _add(name: str, vector: str, type: ElementType, lanes: int) -> str:
    c = computed(type)
    return f"""\
/* total[k] = total[k] + sum k */
static inline void {name}(const {vector} *sums, {c} *total) {{
  {vector} v;
  memcpy(&v, total, sizeof v);
  v = v + *sums;
  memcpy(total, &v, sizeof v);
}}
"""


_FUNCTIONS = {"set": _set, "fma": _fma, "put": _put, "add": _add}


def array_in(op: loop.ForOp) -> SSAValue | None:
    """The array in registers that a loop over its vectors goes along."""
    if op.kind.data != "vector":
        return None
    for inner in op.body.block.ops:
        buffer = (
            inner.source
            if isinstance(inner, loop.LoadOp)
            else inner.target
            if isinstance(inner, loop.StoreOp)
            else None
        )
        if buffer is not None and lanes_of(buffer) > 1:
            return buffer
    return None


def touches_registers(op: loop.ForOp) -> bool:
    """Whether a loop goes over an array in registers."""
    return any(isinstance(inner, loop.ForOp) and array_in(inner) for inner in op.walk())


def call(
    op: loop.ForOp,
    array: SSAValue,
    names: dict[SSAValue, Text],
    index: Callable[[loop.LoadOp | loop.StoreOp], Text],
) -> tuple[str, str]:
    """For the vector at the variable of a loop: what is done, and the arguments of the call."""
    (store,) = (o for o in op.body.block.ops if isinstance(o, loop.StoreOp))
    type, lanes, made = element_in(array), lanes_of(array), store.value.owner

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
        return f"&{names[array]}[{index(at).within(PRODUCT)} / {lanes}]"

    if isinstance(made, body.ConstantOp):
        return "set", f"{register(store)}, {scalar(store.value)}"
    assert isinstance(made, body.ApplyOp)
    if made.function.data == "fma":
        a, b, _ = made.args
        return "fma", f"{register(store)}, {scalar(a)}, {memory(b)}"
    before, sums = made.args
    target = address(names[store.target], index(store))
    if isinstance(before.owner, loop.LoadOp):
        return "add", f"{register(sums.owner)}, {target}"
    return "put", f"{register(sums.owner)}, {scalar(before)}, {target}"
