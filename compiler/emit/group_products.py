"""C functions that add the products of a group of small integers to sums of 32 bits.

Factors of 8 bits beside those of 16 are widened: so weights take a byte.
"""

from __future__ import annotations

from opc.dialects.element import ElementType
from opc.emit.workarounds.unrolling import ROLLED

from .ctext import computed
from .local_arrays import array

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


def either(vectors: str, number: str, lanes: int) -> str:
    """Statements on vectors, and what they do with number k where there are none."""
    return f"""\
#ifdef OPC_HAS_VECTORS
{vectors}#else
  for (int k = 0; k < {lanes}; ++k) {{
    {number};
  }}
#endif
"""


WIDE = {
    **dict.fromkeys((2, 4), ("128", "_mm", "__SSE2__")),
    8: ("256", "_mm256", "__AVX2__"),
    16: ("512", "_mm512", "__AVX512BW__"),
}
"""For 32-bit sums, by lanes: the width of a register, the prefix of its functions, a guard."""

HAS_DOT = "defined(__AVX512VNNI__) && defined(__AVX512VL__)"
"""Whether the processor multiplies groups and adds them to sums in one instruction."""


def vector_dot(name: str, vector: str, left: ElementType, right: ElementType, lanes: int) -> str:
    """A function that adds the products of a group: two of 16 bits or four of 8 bits."""
    count = 4 // max(left.bytes, right.bytes)
    products = " + ".join(f"(uint32_t)(a[{n}] * b[{count} * k + {n}])" for n in range(count))
    # Where the loop adds sums of two, gcc 12 for Arm ends with an internal error.
    vectors = f"""\
  {array("uint32_t", "more", lanes)}
  {vector} v;
  {ROLLED}
  for (int k = 0; k < {lanes}; ++k) {{
    more[k] = {products};
  }}
  memcpy(&v, more, sizeof v);
  *sums += v;
"""
    portable = either(vectors, f"(*sums)[k] += {products}", lanes)
    text = _wide_dot(vector, left, right, lanes, portable) if lanes in WIDE else portable
    a, b = (computed(type) for type in (left, right))
    return f"""\
#if defined(OPC_HAS_VECTORS) && defined(__SSE2__)
#include <immintrin.h>
#endif

/* Sum k takes a[0] b[{count} k] to a[{count - 1}] b[{count} k + {count - 1}], wrapping. */
static inline void {name}({vector} *sums, const {a} *a, const {b} *b) {{
{text}}}
"""


def _widened(lanes: int) -> str:
    """Statements that load bytes of the second factor, as numbers of 16 bits in ``v``."""
    if lanes in (8, 16):
        half, wide = ("", "256") if lanes == 8 else ("256", "512")
        bytes = f"_mm{half}_loadu_si{half or '128'}((const void *)b)"
        return f"  const __m{wide}i v = _mm{wide}_cvtepi8_epi16({bytes});\n"
    load = "  const __m128i bytes = _mm_loadl_epi64((const __m128i *)(const void *)b);\n"
    if lanes == 2:
        load = """\
  int32_t some;
  memcpy(&some, b, sizeof some);
  const __m128i bytes = _mm_cvtsi32_si128(some);
"""
    return f"""\
{load}#ifdef __SSE4_1__
  const __m128i v = _mm_cvtepi8_epi16(bytes);
#else
  const __m128i v = _mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8);
#endif
"""


def _widened_twice(prefix: str) -> str:
    """Two bytes of the first factor, for each pair of lanes, as numbers of 16 bits."""
    if prefix == "_mm":
        # Without SSE4.1 bytes become the upper halves of numbers first.
        apart = "((uint32_t)every & 0xff) << 8 | ((uint32_t)every & 0xff00) << 16"
        return f"_mm_srai_epi16(_mm_set1_epi32((int32_t)({apart})), 8)"
    half = "_mm" if prefix == "_mm256" else "_mm256"
    return f"{prefix}_cvtepi8_epi16({half}_set1_epi16(every))"


def _wide_dot(vector: str, left: ElementType, right: ElementType, lanes: int, portable: str) -> str:
    """The body with instructions of processors that have them, and the portable one for others."""
    bits, prefix, guard = WIDE[lanes]
    register = "__m128i" if bits == "128" else f"__m{bits}i"
    sums, factor, part = f"({register})*sums", f"{prefix}_set1_epi32(every)", ""
    type, operand, extend = register, "v", ""
    if lanes == 2:
        # Half a register: 3000 x 300 by 300 x 2 takes half the time.
        sums, part = "_mm_set_epi64x(0, (int64_t)*sums)", "[0]"
        type, operand, extend = "int64_t", "half", "  const __m128i v = _mm_set_epi64x(0, half);\n"
    load = f"""\
  int32_t every;
  {type} {operand};
  memcpy(&every, a, sizeof every);
  memcpy(&{operand}, b, sizeof {operand});
{extend}"""
    if right.bytes < left.bytes:
        every = "  int32_t every;\n  memcpy(&every, a, sizeof every);\n"
        load = every + _widened(lanes)
    if left.bytes < right.bytes:
        factor = _widened_twice(prefix)
        load = load.replace("int32_t every", "int16_t every")
    if left.bytes == right.bytes == 1:
        # The instruction takes the unsigned factors first.
        factors = f"{factor}, v" if left.kind == "unsigned" else f"v, {factor}"
        return f"""\
#if defined(OPC_HAS_VECTORS) && {HAS_DOT}
{load}  *sums = ({vector}){prefix}_dpbusd_epi32({sums}, {factors}){part};
#else
{portable}#endif
"""
    return f"""\
#if defined(OPC_HAS_VECTORS) && defined({guard})
{load}#if {HAS_DOT}
  *sums = ({vector}){prefix}_dpwssd_epi32({sums}, {factor}, v){part};
#else
  *sums = *sums + ({vector}){prefix}_madd_epi16({factor}, v){part};
#endif
#else
{portable}#endif
"""
