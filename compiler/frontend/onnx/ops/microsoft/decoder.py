"""Attention of one new position with a preallocated cache."""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects.shape import shape_of, tensor_of
from opc.frontend.models.op_builder import Result
from opc.frontend.models.parts import sliced

from ..node import Node
from ..schema import SCHEMAS, onnx
from .attention import attention, multi_head
from .fused import MS


def _refuse_beams(node: Node, position: int) -> None:
    if node.has(position):
        raise node.unsupported("a cache with beam search indirection")


def _thirds(node: Node, x: SSAValue) -> list[SSAValue]:
    """Three equal parts of the last axis."""
    hidden = shape_of(tensor_of(x))[2]
    node.require("divides", hidden, ex.const(3), "there are no three equal parts")
    part = ex.floordiv(hidden, ex.const(3))
    return [sliced(node, x, [2], [(part * k, part * (k + 1), 1)]) for k in range(3)]


@onnx(f"{MS}DecoderMaskedMultiHeadAttention", 1)
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


@onnx(f"{MS}DecoderMaskedSelfAttention", 1)
def decoder_of_one(node: Node) -> tuple[Result, ...]:
    """DecoderMaskedSelfAttention(x, w, bias, ...) --> Attention."""
    _refuse_beams(node, 8)
    every = [*node.inputs, None][:7]
    return attention(node.with_inputs(*every, schema=SCHEMAS[f"{MS}Attention"][1]))
