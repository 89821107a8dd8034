"""Products of a group of small integers, added to one number: for processors without vectors."""

from __future__ import annotations

from opc.dialects.element import ElementType

from .ctext import computed

_DSP = "defined(OPC_HAS_VECTORS) && defined(__ARM_FEATURE_DSP)"
"""Whether two products of 16 bits are added in one instruction, on Arm."""


def scalar_dot(name: str, left: ElementType, right: ElementType) -> str:
    """The text of a function that adds a[0] b[0] + a[1] b[1] + ... to a number, wrapping."""
    count = 4 // max(left.bytes, right.bytes)
    a, b = (computed(type) for type in (left, right))
    products = " + ".join(f"(uint32_t)(a[{n}] * b[{n}])" for n in range(count))
    plain = f"  *sum = (int32_t)((uint32_t)*sum + {products});\n"
    both = f"#if {_DSP}\n{_dual(left, right)}#else\n{plain}#endif\n"
    return f"""\
#if {_DSP}
#include <arm_acle.h>
#endif

/* A sum takes a[0] b[0] to a[{count - 1}] b[{count - 1}], wrapping. */
static inline void {name}(int32_t *sum, const {a} *a, const {b} *b) {{
{both if left.bytes == right.bytes else plain}}}
"""


def _dual(left: ElementType, right: ElementType) -> str:
    """Two products at once; four bytes are the even ones and the odd ones."""
    loads = """\
  uint32_t x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
"""
    if left.bytes == right.bytes != 1:
        return f"{loads}  *sum = __smlad((int16x2_t)x, (int16x2_t)y, *sum);\n"
    even, odd = (
        ", ".join(
            f"(int16x2_t)__{'u' if type.kind == 'unsigned' else 's'}xtb16({word})"
            for type, word in ((left, f"{x[0]}"), (right, f"{x[1]}"))
        )
        for x in (("x", "y"), ("x >> 8 | x << 24", "y >> 8 | y << 24"))
    )
    return f"{loads}  *sum = __smlad({odd}, __smlad({even}, *sum));\n"
