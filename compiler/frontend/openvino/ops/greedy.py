"""Greedy CTC decoding: the best class of each step, without repeats and blanks."""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.opc import binary as b
from opc.dialects.opc.parts import ConcatOp
from opc.dialects.opc.reduction import ArgMaxOp
from opc.dialects.shape import shape_of, shape_text, tensor_of
from opc.frontend.models.compaction import counted
from opc.frontend.models.indexed import Numbers
from opc.frontend.models.moving import positions
from opc.frontend.models.parts import sliced
from opc.frontend.models.prefix import prefixes

from .ctc_loss import in_front
from .layer import Layer
from .schema import openvino


def _decoded(
    layer: Layer, classes: SSAValue, marks: SSAValue, blank: SSAValue
) -> tuple[SSAValue, SSAValue]:
    """The marked classes of [T, N] without blanks and repeats, padded with -1; their counts [N]."""
    n = Numbers(layer)
    times, count = shape_of(tensor_of(classes))
    marks = n.apply(b.AndOp, marks, n.apply(b.NotEqualOp, classes, blank))
    merges = "merge_repeated" if layer.schema.since >= 6 else "ctc_merge_repeated"
    if layer.attr(merges):
        first = layer.broadcast(n.of(-1), (1, count))
        shifted = layer.add(ConcatOp(first, classes, axis=0))
        earlier = layer.reshape(sliced(layer, shifted, [0], [(0, times, 1)]), (times, count))
        marks = n.apply(b.AndOp, marks, n.apply(b.NotEqualOp, classes, earlier))
    compacted = in_front(layer, classes, marks, -1)
    return compacted, counted(layer, marks)


def _classes(layer: Layer) -> SSAValue:
    if layer.rank() != 3:
        raise layer.error(f"scores {shape_text(layer.shape())}, expected rank 3")
    return layer.add(ArgMaxOp(layer[0], axis=2))


@openvino("CTCGreedyDecoder", 1)
def decode(layer: Layer) -> SSAValue:
    """CTCGreedyDecoder-1: scores [T, N, C] --> [N, T, 1, 1]; the mask is 0 after a sequence."""
    times, count, classes = layer.shape()
    n = Numbers(layer)
    zero = layer.constant(0, layer.element(1))
    some = layer.cast(layer.add(b.NotEqualOp(layer[1], zero)), el.I64)
    marks = n.apply(b.EqualOp, prefixes(layer, some, "mul"), 1)
    decoded, _ = _decoded(layer, _classes(layer), marks, n.of(classes - 1))
    transposed = layer.transpose(decoded, (1, 0))
    return layer.cast(layer.reshape(transposed, (count, times, 1, 1)), layer.element())


@openvino("CTCGreedyDecoderSeqLen", 6)
def decode_lengths(layer: Layer) -> tuple[SSAValue, SSAValue]:
    """CTCGreedyDecoderSeqLen-6: scores [N, T, C] --> classes [N, T], and their counts [N]."""
    count, times, classes = layer.shape()
    n = Numbers(layer)
    lengths = layer.reshape(layer.cast(layer[1], el.I64), (1, count))
    marks = n.less(positions(layer, times, 0, 2), lengths)
    blank = layer.cast(layer.scalar(2), el.I64) if layer.has(2) else n.of(classes - 1)
    best = layer.transpose(_classes(layer), (1, 0))
    decoded, total = _decoded(layer, best, marks, blank)
    transposed = layer.transpose(decoded, (1, 0))
    types = layer.attr("classes_index_type"), layer.attr("sequence_length_type")
    return layer.cast(transposed, types[0]), layer.cast(total, types[1])
