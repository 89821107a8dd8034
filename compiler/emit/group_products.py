"""C functions that add the products of a group of small integers to sums of 32 bits.

Factors of 8 bits beside those of 16 are widened: so weights take a byte.
"""

from __future__ import annotations

from opc.dialects.element import ElementType

from .ctext import computed
from .local_arrays import array
from .texts import c_text

WIDE = {
    **dict.fromkeys((2, 4), ("128", "_mm", "__SSE2__")),
    8: ("256", "_mm256", "__AVX2__"),
    16: ("512", "_mm512", "__AVX512BW__"),
}
"""For 32-bit sums, by lanes: the width of a register, the prefix of its functions, a guard."""

HAS_DOT = "defined(__AVX512VNNI__) && defined(__AVX512VL__)"
"""Whether the processor multiplies groups and adds them to sums in one instruction."""
HAS_DUAL = "defined(OPC_HAS_VECTORS) && defined(__ARM_FEATURE_DSP)"
"""Whether two products of 16 bits are added in one instruction, on Arm."""


def scalar_dot(name: str, left: ElementType, right: ElementType) -> str:
    """The text of a function that adds a[0] b[0] + a[1] b[1] + ... to a number, wrapping."""
    count = 4 // max(left.bytes, right.bytes)
    products = " + ".join(f"(uint32_t)(a[{n}] * b[{n}])" for n in range(count))
    text = c_text("group_products.dot_one_body", products=products)
    if left.bytes == right.bytes:
        values = {"has_dual": HAS_DUAL, "sum": _dual(left, right), "portable": text}
        text = c_text("group_products.dot_dual", **values)
    a, b = (computed(type) for type in (left, right))
    values = {"name": name, "a": a, "b": b, "last": count - 1, "text": text}
    return c_text("group_products.dot_one", has_dual=HAS_DUAL, **values)


def _dual(left: ElementType, right: ElementType) -> str:
    """The sum and the products of the words x and y; four bytes are the even and the odd ones."""
    if left.bytes != 1:
        return "__smlad((int16x2_t)x, (int16x2_t)y, *sum)"
    signs = ["u" if type.kind == "unsigned" else "" for type in (left, right)]
    even, odd = (
        ", ".join(
            f"(int16x2_t)__{sign or 's'}xtb16(({sign}int8x4_t)({word}))"
            for sign, word in zip(signs, words, strict=True)
        )
        for words in (("x", "y"), ("x >> 8 | x << 24", "y >> 8 | y << 24"))
    )
    return f"__smlad({odd}, __smlad({even}, *sum))"


def vector_dot(name: str, vector: str, left: ElementType, right: ElementType, lanes: int) -> str:
    """A function that adds the products of a group: two of 16 bits or four of 8 bits."""
    count = 4 // max(left.bytes, right.bytes)
    products = " + ".join(f"(uint32_t)(a[{n}] * b[{count} * k + {n}])" for n in range(count))
    values = {"vector": vector, "lanes": lanes, "products": products}
    # In a loop that adds sums of two, gcc 12 for Arm ends with an internal error.
    more = array("uint32_t", "more", lanes)
    text = c_text("group_products.dot_body", more=more, **values)
    if left is right and left.bytes == 1 and lanes == 4:
        # The instruction of Arm for 16 bytes of like signs.
        kind, sign = ("u", "u") if left.kind == "unsigned" else ("s", "")
        values = {"vector": vector, "kind": kind, "sign": sign, "portable": text}
        text = c_text("group_products.dot_alike", **values)
    elif lanes in WIDE and not (left is right and left.bytes == 1):
        text = _wide_dot(vector, left, right, lanes, text)
    a, b = (computed(type) for type in (left, right))
    values = {"vector": vector, "a": a, "b": b, "count": count, "last": count - 1, "text": text}
    return c_text("group_products.dot", name=name, **values)


def small_dot(
    name: str, plain: str, vector: str, types: tuple[ElementType, ...], lanes: int
) -> str:
    """A function that makes bytes of numbers of few bits, and calls the ``plain`` one with them."""
    left, right, small = types
    count = 4 // max(left.bytes, right.bytes)
    mask, high = (1 << small.bits) - 1, 1 << (small.bits - 1)
    value = f"(x >> shift) & {mask}"
    if small.small == "signed":
        # The highest bit is that of the sign.
        value = f"({value} ^ {high}) - {high}"
    element = computed(left), computed(right)
    values = {"name": name, "plain": plain, "vector": vector, "a": element[0], "b": element[1]}
    return c_text(
        "group_products.dot_small",
        value=value.replace("x", "v"),
        each=value.replace("x", "b[k]"),
        **{"bits": small.bits, "bytes": lanes * count},
        **values,
    )


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
    load = c_text("group_products.dot_load", type=type, operand=operand) + extend
    if right.bytes < left.bytes:
        load = c_text("group_products.dot_every") + _widened(right, lanes)
    if left.bytes < right.bytes:
        factor, load = _widened_twice(left, prefix), load.replace("int32_t every", "int16_t every")
    # The instruction for bytes takes the unsigned factors first.
    factors = f"{factor}, v" if left.kind == "unsigned" else f"v, {factor}"
    values = {"load": load, "vector": vector, "prefix": prefix, "sums": sums, "part": part}
    values |= {"factor": factor, "factors": factors, "guard": guard, "portable": portable}
    if left.bytes == right.bytes == 1:
        return c_text("group_products.dot_bytes", has_dot=HAS_DOT, **values)
    simd128 = ""
    if lanes == 4:
        simd128 = c_text(
            "group_products.dot_simd128", vector=vector, b=computed(right), bytes=8 * right.bytes
        )
    return c_text("group_products.dot_pairs", has_dot=HAS_DOT, simd128=simd128, **values)


def _widened(type: ElementType, lanes: int) -> str:
    """Statements that load bytes of the second factor, as numbers of 16 bits in ``v``."""
    kind = "epu8" if type.kind == "unsigned" else "epi8"
    if lanes in (8, 16):
        half, wide = ("", "256") if lanes == 8 else ("256", "512")
        bits = half or "128"
        bytes = f"_mm{half}_loadu_si{bits}((const __m{bits}i *)(const void *)b)"
        return f"  const __m{wide}i v = _mm{wide}_cvt{kind}_epi16({bytes});\n"
    load = c_text(f"group_products.{'dot_half' if lanes == 2 else 'dot_eight'}")
    apart = "_mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8)"
    if type.kind == "unsigned":
        apart = "_mm_unpacklo_epi8(bytes, _mm_setzero_si128())"
    return load + c_text("group_products.dot_widen", kind=kind, apart=apart)


def _widened_twice(type: ElementType, prefix: str) -> str:
    """Two bytes of the first factor, for each pair of lanes, as numbers of 16 bits."""
    is_signed = type.kind != "unsigned"
    if prefix == "_mm":
        # Without SSE4.1 signed bytes become the upper halves of numbers first.
        low, high = ("<< 8", "<< 16") if is_signed else ("", "<< 8")
        apart = f"((uint32_t)every & 0xff) {low} | ((uint32_t)every & 0xff00) {high}"
        pair = f"_mm_set1_epi32((int32_t)({apart}))"
        return f"_mm_srai_epi16({pair}, 8)" if is_signed else pair
    half = "_mm" if prefix == "_mm256" else "_mm256"
    return f"{prefix}_cvtep{'i' if is_signed else 'u'}8_epi16({half}_set1_epi16(every))"
