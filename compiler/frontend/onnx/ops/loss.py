"""Classification losses: NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss.

f16 and bf16 are computed in f32 and rounded once.
"""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects.shape import type_text
from opc.frontend.models.norms import on_axis
from opc.frontend.models.op_builder import Result
from opc.frontend.models.traced import NodeTrace, traced, value

from .node import Node
from .schema import onnx

REDUCTIONS = ("none", "sum", "mean")


def _labels(node: Node, trace: NodeTrace) -> tuple[Any, Any]:
    """Whether the label is each class, [N, C, d...], and whether it counts, [N, 1, d...].

    The latter is None without ``ignore_index``.
    """
    shape, label_shape = node.shape(), node.shape(1)
    if len(shape) < 2 or len(label_shape) != len(shape) - 1:
        raise node.error(f"labels {type_text(node[1].type)} do not fit {type_text(node[0].type)}")
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
    reduction = node.attr("reduction")
    if reduction not in REDUCTIONS:
        raise node.error(f'attribute reduction is "{reduction}", expected one of {REDUCTIONS}')
    is_label, counted = _labels(node, x.trace)

    def pick(values: Any) -> Any:
        """The value of each label's class, 0 without one: [N, d...]."""
        return onp.sum(onp.where(is_label, values, 0), axis=1)

    loss, weights = -pick(x), None
    if node.has(2):
        classes = node.shape(2)
        if len(classes) != 1:
            raise node.error(f"weights {type_text(node[2].type)} are not 1-D")
        node.require("equal", classes[0], node.shape()[1], "there is no weight for each class")
        weights = x.trace.array(node[2]).astype(x.element)
        weights = pick(on_axis(weights, 1, x.ndim))
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
    if node.rank() < 2:
        raise node.error(f"expected axes for batch and classes, found {type_text(node[0].type)}")
    x = onp.log_softmax(traced(node)[0], 1)
    loss = value(node, negative_log_likelihood(node, x))
    return (loss, value(node, x)) if len(node.op.outputs) > 1 else (loss,)
