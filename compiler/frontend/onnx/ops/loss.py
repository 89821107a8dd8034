"""Classification losses: NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss.

f16 and bf16 are computed in f32 and rounded once.
"""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.frontend.models.norms import on_axis
from opc.frontend.models.op_builder import Result
from opc.frontend.models.traced import NodeTrace, traced, value

from .node import Node
from .schema import onnx


def _labels(node: Node, trace: NodeTrace) -> tuple[Any, Any]:
    """Whether the label is each class, [N, C, d...], and whether it counts, [N, 1, d...].

    The latter is None without ``ignore_index``.
    """
    shape = node.ranked(0, least=2)
    label_shape = node.ranked(1, len(shape) - 1)
    for a, b in zip((shape[0], *shape[2:]), label_shape, strict=True):
        node.require("equal", a, b, "extents of scores and labels differ")
    classes = on_axis(trace.positions(shape[1]).astype(node.element(1)), 1, len(shape))
    labels = trace.array(node[1])[:, None]
    if not node.given("ignore_index"):
        return classes == labels, None
    counted = labels != node.attr("ignore_index")
    return (classes == labels) & counted, counted


def negative_log_likelihood(node: Node, x: Any) -> Any:
    """-x[n, label, d...] * weight[label] of log-probabilities, with attribute ``reduction``.

    The mean is weighted.  Elements with the ignored label have loss and weight 0.
    """
    reduction = node.choice("reduction", "none", "sum", "mean")
    is_label, counted = _labels(node, x.trace)

    def pick(values: Any) -> Any:
        """The value of each label's class, 0 without one: [N, d...]."""
        return onp.sum(onp.where(is_label, values, 0), axis=1)

    loss, weights = -pick(x), None
    if node.has(2):
        (classes,) = node.ranked(2, 1)
        node.require("equal", classes, node.shape()[1], "there is no weight for each class")
        weights = pick(on_axis(x.trace.array(node[2]).astype(x.element), 1, x.ndim))
        loss = loss * weights
    elif counted is not None:
        weights = counted.reshape(loss.shape).astype(x.element)
    if reduction == "none":
        return loss
    if reduction == "sum" or weights is None:
        return onp.sum(loss) if reduction == "sum" else onp.mean(loss)
    return onp.sum(loss) / onp.sum(weights)


@onnx("NegativeLogLikelihoodLoss", 12, 13, 22)
def of_probabilities(node: Node) -> Result:
    """NegativeLogLikelihoodLoss(x, labels, weights) --> negative_log_likelihood(x)."""
    x, *_ = traced(node)
    return value(node, negative_log_likelihood(node, x))


@onnx("SoftmaxCrossEntropyLoss", 12, 13)
def of_scores(node: Node) -> tuple[Result | None, ...]:
    """SoftmaxCrossEntropyLoss(x, labels, weights) --> the loss of y = log_softmax(x), and y."""
    node.ranked(0, least=2)
    x = onp.log_softmax(traced(node)[0], 1)
    loss = value(node, negative_log_likelihood(node, x))
    return (loss, value(node, x)) if len(node.op.outputs) > 1 else (loss,)
