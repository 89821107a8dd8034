"""Classification losses, and optimizer steps of ai.onnx.preview.training.

Losses of f16 and bf16 are computed in f32 and rounded once.  Rate and count of a step are f64
scalars until they combine with tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import opc.numpy as onp
from opc.dialects.shape import tensor_of, type_text
from opc.frontend.models.norms import on_axis
from opc.frontend.models.traced import NodeTrace, traced, value

from .node import Node
from .schema import Legalize, Result, onnx


def _labels(node: Node, trace: NodeTrace) -> tuple[Any, Any]:
    """Whether the label is each class, [N, C, d...], and whether it counts, [N, 1, d...].

    The latter is None without ``ignore_index``.
    """
    shape = node.ranked(0, least=2)
    node.expect(1, (shape[0], *shape[2:]))
    classes = on_axis(trace.positions(shape[1]).astype(node.element(1)), 1, len(shape))
    labels = node.traced(1)[:, None]
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
        node.expect(2, node.shape()[1:2])
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
    return loss, value(node, x)


Step: TypeAlias = Callable[[Node, Any, Any, Sequence[Any]], list[Any]]
"""Maps rate, count, and [tensor, gradient, *state] to [new tensor, *new state]."""


def _regularized(node: Node, x: Any, gradient: Any) -> Any:
    return node.attr("norm_coefficient") * x + gradient


def adagrad(node: Node, rate: Any, count: Any, values: Sequence[Any]) -> list[Any]:
    """H' = H + G * G; X' = X - R / (1 + T * decay) * G / (sqrt(H') + epsilon)."""
    x, gradient, squares = values
    rate = (rate / (1 + count * node.attr("decay_factor"))).astype(x.dtype)
    gradient = _regularized(node, x, gradient)
    squares = squares + gradient * gradient
    return [x - rate * gradient / (onp.sqrt(squares) + node.attr("epsilon")), squares]


def adam(node: Node, rate: Any, count: Any, values: Sequence[Any]) -> list[Any]:
    """V' = a V + (1 - a) G; H' = b H + (1 - b) G G; X' = X - R' V' / (sqrt(H') + epsilon).

    R' = R sqrt(1 - b**T) / (1 - a**T) where T > 0, else R; X' is regularized again at the end.
    """
    x, gradient, mean, square = values
    alpha, beta = node.attr("alpha"), node.attr("beta")
    gradient = _regularized(node, x, gradient)
    mean = alpha * mean + (1 - alpha) * gradient
    square = beta * square + (1 - beta) * (gradient * gradient)
    started = rate * onp.sqrt(1 - beta**count) / (1 - alpha**count)
    rate = onp.where(count > 0, started, rate).astype(x.dtype)
    x = x - rate * (mean / (onp.sqrt(square) + node.attr("epsilon")))
    return [(1 - node.attr("norm_coefficient_post")) * x, mean, square]


def momentum(node: Node, rate: Any, count: Any, values: Sequence[Any]) -> list[Any]:
    """V' = alpha * V + (T > 0 ? beta : 1) * G; X' = X - R * V', or R * (G + alpha * V')."""
    mode = node.choice("mode", "standard", "nesterov")
    x, gradient, velocity = values
    alpha = node.attr("alpha")
    gradient = _regularized(node, x, gradient)
    scale = onp.where(count > 0, node.attr("beta"), onp.full_like(count, 1.0)).astype(x.dtype)
    velocity = alpha * velocity + scale * gradient
    ahead = gradient + alpha * velocity if mode == "nesterov" else velocity
    return [x - rate.astype(x.dtype) * ahead, velocity]


def optimizer(step: Step, count: int) -> Legalize:
    """Optimizer(R, T, all X, all G, ...) --> all new X, ..., from ``count`` lists of tensors."""

    def legalize(node: Node) -> tuple[Result | None, ...]:
        trace = node.trace
        rate, times, *values = map(trace.array, node.tensors())
        if len(values) % count:
            raise node.error(f"{len(values)} tensors do not make {count} lists")
        tensors = len(values) // count
        steps: list[list[Any]] = []
        for k in range(tensors):
            group = values[k::tensors]
            types = [tensor_of(v.value) for v in group]
            if any(type != types[0] for type in types):
                raise node.error(f"{type_text(types[0])} is combined with values of other types")
            scalars = [v.astype("f64").reshape(()) for v in (rate, times)]
            steps.append(step(node, scalars[0], scalars[1], group))
        return tuple(
            value(node, results[k], results[k].element)
            for k in range(count - 1)
            for results in steps
        )

    return legalize


onnx("ai.onnx.preview.training::Adagrad", 1)(optimizer(adagrad, 3))
onnx("ai.onnx.preview.training::Adam", 1)(optimizer(adam, 4))
onnx("ai.onnx.preview.training::Momentum", 1)(optimizer(momentum, 3))
