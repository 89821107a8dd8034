"""Classification losses: NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss.

f16 and bf16 are computed in f32 and rounded once.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.opc.binary import AndOp, EqualOp, NotEqualOp, WhereOp
from opc.dialects.opc.extent import IotaOp
from opc.dialects.opc.reduction import ReduceMeanOp, ReduceSumOp
from opc.dialects.opc.unary import NegOp
from opc.dialects.shape import element, tensor_of, type_text
from opc.frontend.models.op_builder import Result
from opc.frontend.models.traced import NodeTrace

from .node import Node
from .normalization import wide
from .schema import onnx

REDUCTIONS = ("none", "sum", "mean")


@dataclass
class Labels:
    """Labels as one-hot booleans along axis 1."""

    node: Node
    hit: SSAValue
    """[N, C, d...]: whether the label is this class; false if ignored."""
    counted: SSAValue | None
    """[N, d...]: whether the label is not ignored; None without ``ignore_index``."""

    @staticmethod
    def of(node: Node) -> Labels:
        """From the second input, [N, d...], and the first, [N, C, d...]."""
        shape, label_shape = node.shape(), node.shape(1)
        if len(shape) < 2 or len(label_shape) != len(shape) - 1:
            raise node.error(
                f"labels {type_text(node[1].type)} do not fit {type_text(node[0].type)}"
            )
        for a, b in zip((shape[0], *shape[2:]), label_shape, strict=True):
            node.require("equal", a, b, "extents of scores and labels differ")
        type = node.element(1)
        numbers = node.cast(node.add(IotaOp.of(shape[1])), type)
        classes = node.reshape(numbers, (shape[1], *[1] * (len(shape) - 2)))
        labels = node.reshape(node[1], (label_shape[0], ex.const(1), *label_shape[1:]))
        hit = node.add(EqualOp(classes, labels))
        if not node.given("ignore_index"):
            return Labels(node, hit, None)
        ignored = node.constant(node.attr("ignore_index"), type)
        counted = node.add(NotEqualOp(labels, ignored))
        hit = node.add(AndOp(hit, counted))
        return Labels(node, hit, node.reshape(counted, label_shape))

    def pick(self, values: SSAValue) -> SSAValue:
        """The value of each label's class, 0 without one: [N, d...]."""
        node = self.node
        kept = node.add(WhereOp(self.hit, values, node.constant(0, element(tensor_of(values)))))
        return node.add(ReduceSumOp(kept, axes=(1,)))


def negative_log_likelihood(node: Node, x: SSAValue) -> SSAValue:
    """-x[n, label, d...] * weight[label] of log-probabilities, with attribute ``reduction``.

    The mean is weighted.  Elements with the ignored label have loss and weight 0.
    """
    reduction = node.attr("reduction")
    if reduction not in REDUCTIONS:
        raise node.error(f'attribute reduction is "{reduction}", expected one of {REDUCTIONS}')
    type = element(tensor_of(x))
    labels = Labels.of(node)
    loss = node.add(NegOp(labels.pick(x)))
    weights: SSAValue | None = None
    if node.has(2):
        classes, shape = node.shape(2), node.shape()
        if len(classes) != 1:
            raise node.error(f"weights {type_text(node[2].type)} are not 1-D")
        node.require("equal", classes[0], shape[1], "there is no weight for each class")
        by_class = node.reshape(node.cast(node[2], type), (classes[0], *[1] * (len(shape) - 2)))
        weights = labels.pick(by_class)
        loss = node.binary("mul", loss, weights)
    elif labels.counted is not None:
        weights = node.cast(labels.counted, type)
    if reduction == "none":
        return loss
    if reduction == "mean" and weights is None:
        return node.add(ReduceMeanOp(loss))
    total = node.add(ReduceSumOp(loss))
    if reduction == "sum" or weights is None:
        return total
    return node.binary("div", total, node.add(ReduceSumOp(weights)))


@onnx("NegativeLogLikelihoodLoss", 12, 13, 22)
def of_probabilities(node: Node) -> Result:
    """NegativeLogLikelihoodLoss(x, labels, weights) --> negative_log_likelihood(x)."""
    x = node.cast(node[0], wide(node.element()))
    return node.cast(negative_log_likelihood(node, x), node.element())


@onnx("SoftmaxCrossEntropyLoss", 12, 13)
def of_scores(node: Node) -> tuple[Result | None, ...]:
    """SoftmaxCrossEntropyLoss(x, labels, weights) --> the loss of y = log_softmax(x), and y."""
    type = node.element()
    if len(node.shape()) < 2:
        raise node.error(f"expected axes for batch and classes, found {type_text(node[0].type)}")
    x = onp.log_softmax(NodeTrace(node).array(node.widened(node[0])), 1).value
    loss = node.cast(negative_log_likelihood(node, x), type)
    return (loss, node.cast(x, type)) if len(node.op.outputs) > 1 else (loss,)
