"""Attention of one new position with a preallocated cache."""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects.shape import shape_of, tensor_of
from opc.frontend.models.op_builder import Result
from opc.frontend.models.parts import sliced

from ..node import Node
from ..schema import SCHEMAS, add
from .attention import attention, multi_head
from .fused import MS
from .quantized import FLOATS, INT32


def _refuse_beams(node: Node, position: int) -> None:
    if node.has(position):
        raise node.unsupported("a cache with beam search indirection")


def _thirds(node: Node, x: SSAValue) -> list[SSAValue]:
    """Three equal parts of the last axis."""
    hidden = shape_of(tensor_of(x))[2]
    node.require("divides", hidden, ex.const(3), "there are no three equal parts")
    part = ex.floordiv(hidden, ex.const(3))
    return [sliced(node, x, [2], [(part * k, part * (k + 1), 1)]) for k in range(3)]


def decoder(node: Node) -> tuple[Result | None, ...]:
    """DecoderMaskedMultiHeadAttention(q, k, v, ...) --> MultiHeadAttention.

    Queries, keys and values may be in one input.  An attribute selects a shared cache.
    """
    _refuse_beams(node, 9)
    every = [*node.inputs, *[None] * len(node.schema.inputs)][: len(node.schema.inputs)]
    q, k, v, mask, added, old_k, old_v, length, _, _, bias = every
    if q is not None and k is None and len(node.shape()) == 3:
        q, k, v = _thirds(node, node[0])
    is_shared = node.attr("past_present_share_buffer") and old_k is not None
    if is_shared and length is None:
        raise node.error("a shared buffer needs past_sequence_length")
    schema = SCHEMAS[f"{MS}MultiHeadAttention"][1]
    length = length if is_shared else None
    return multi_head(
        node.with_inputs(q, k, v, bias, mask, added, old_k, old_v, length, schema=schema)
    )


add(
    f"{MS}DecoderMaskedMultiHeadAttention",
    1,
    "query:T key?:T value?:T mask_index?:M attention_bias?:T past_key?:T past_value?:T "
    "past_sequence_length?:M beam_width?:M cache_indirection?:M bias?:T -> output:T "
    "present_key?:T present_value?:T qk?:QK",
    {"T": FLOATS, "QK": FLOATS, "M": INT32},
    decoder,
    "mask_filter_value:float num_heads:int! output_qk:int past_present_share_buffer:int "
    "scale:float",
)


def decoder_of_one(node: Node) -> tuple[Result, ...]:
    """DecoderMaskedSelfAttention(x, w, bias, ...) --> Attention."""
    _refuse_beams(node, 8)
    every = [*node.inputs, None][:7]
    return attention(node.with_inputs(*every, schema=SCHEMAS[f"{MS}Attention"][1]))


add(
    f"{MS}DecoderMaskedSelfAttention",
    1,
    "input:T weights:T bias:T mask_index?:M past:T attention_bias?:T past_sequence_length:M "
    "beam_width?:M cache_indirection?:M -> output:T present:T",
    {"T": FLOATS, "M": INT32},
    decoder_of_one,
    "do_rotary:int mask_filter_value:float num_heads:int! past_present_share_buffer:int "
    "scale:float",
)
