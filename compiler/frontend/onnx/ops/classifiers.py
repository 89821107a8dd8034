"""Classifiers of ai.onnx.ml: tree ensembles and support vector machines.

Where the specification is silent, as on two classes with scores for one, results match onnxruntime,
against which converters test their models.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.models.bodies import repeated
from opc.frontend.models.traced import gathered, value

from .ml_linear import ML, TRANSFORMS, kernel, no_transform, numbers_of, rows_of, transformed
from .node import Node
from .schema import Result, onnx
from .strings import Table, labels_at, labels_of
from .trees import Ensemble, ensemble_of, matrix, numbers, scores

ITERATIONS = 100
"""The maximum number of iterations for probabilities of several classes."""


def _labels(node: Node, name: str) -> Table:
    """Class labels: integers or strings."""
    labels = labels_of(node, name)
    if len(labels) < 2:
        raise node.unsupported(
            f"a classifier of {len(labels)} {'class' if len(labels) == 1 else 'classes'} is not "
            f"supported: {name} or classlabels_strings must have two labels or more"
        )
    return labels


def _both(node: Node, labels: Table, indices: Any, scores: Any) -> tuple[Result, ...]:
    """The labels at some indices, and the scores."""
    return labels_at(node, labels, indices), value(node, scores, el.F32)


@onnx(f"{ML}TreeEnsembleClassifier", 1, 3, 5)
def trees(node: Node) -> tuple[Result, ...]:
    """TreeEnsembleClassifier(x) --> the label of the greatest score, and all scores."""
    labels, base = _labels(node, "classlabels_int64s"), numbers(node, "base_values").tolist()
    ensemble = ensemble_of(node, "class").checked(node, len(labels))
    x, (_, there) = (
        matrix(node, ensemble.forest),
        ensemble.dense(2) if len(labels) == 2 else ((), ()),
    )
    if len(labels) == 2 and np.any(there, axis=0).sum() == 1:
        return _one_of_two(node, x, ensemble, labels, base)
    if len(base) not in (0, len(labels)):
        raise node.error(f"{len(base)} base values for {len(labels)} classes")
    totals, seen = scores(x, ensemble, len(labels), asks=not base)
    # A class without leaves has the score 0, but is never the label.
    best = totals if seen is None else onp.where(seen, totals, -np.inf)
    if base:
        best = totals = totals + x.trace.constant(base, x.element)
    return _both(node, labels, onp.argmax(best, axis=1), transformed(node, totals))


def _one_of_two(
    node: Node, x: Any, ensemble: Ensemble, labels: Table, base: list[float]
) -> tuple[Result, ...]:
    """Two classes, of which the leaves score only one.

    A score of class 0 is taken for class 1; class 0 then has 1 - score, or -score if weights may be
    negative.
    """
    which = int(ensemble.target[0])
    most = int(which == 0)
    if len(base) > most:
        raise node.unsupported(
            f"base_values has {len(base)} numbers where leaves give scores to one of two classes, "
            f"place {which}, of which opc takes {most or 'none'}: add them to the weights of all "
            "leaves of one tree"
        )
    ensemble = replace(ensemble, target=np.zeros_like(ensemble.target))
    score = scores(x, ensemble, 1)[0].reshape(-1)
    score = score + base[0] if base else score
    is_positive = bool((ensemble.weight >= 0).all())
    kind = node.attr("post_transform")
    if is_positive and (which == 1 or kind == "LOGISTIC"):
        node.note(
            "no weight is negative, so the label is the second one where the score is above 0.5, "
            "not 0, as in onnxruntime: it may contradict the scores"
        )
    label = (score > (0.5 if is_positive else 0.0)).astype("i64")
    score = score.reshape(-1, 1)
    if which == 1:
        both = onp.concatenate([onp.zeros_like(score), score], axis=1)
        return _both(node, labels, label, transformed(node, both))
    if kind == "LOGISTIC":
        parts = [onp.sigmoid(-score), onp.sigmoid(score)]
    elif kind == "PROBIT":
        raise no_transform(node, kind)
    else:
        parts = [1.0 - score if is_positive else -score, score]
    return _both(node, labels, label, onp.concatenate(parts, axis=1))


@onnx(f"{ML}SVMClassifier", 1)
def support_vectors(node: Node) -> tuple[Result, ...]:
    """SVMClassifier(x) --> the label with most votes over pairs of classes, and scores.

    Scores are one per pair, or class probabilities with ``prob_a`` and ``prob_b``.
    Without support vectors the classifier is linear, with one score per class.
    """
    x, labels = rows_of(node), _labels(node, "classlabels_ints")
    sizes, count = node.attr("vectors_per_class") or (), len(labels)
    rho, numbers = node.attr("rho") or (), numbers_of(node, x, "coefficients")
    if not sum(sizes):
        if not rho:
            raise node.error("attribute rho is missing")
        return _linear(node, x, labels, numbers, rho[0])
    pairs = [(i, j) for i in range(count) for j in range(i + 1, count)]
    weights = node.attr("coefficients") or ()
    if len(sizes) != count or len(rho) < len(pairs) or len(weights) != (count - 1) * sum(sizes):
        raise node.error(
            f"{len(sizes)} numbers of vectors, {len(rho)} of rho, {len(weights)} coefficients, "
            f"for {count} classes of {sum(sizes)} vectors"
        )
    total = sum(sizes)
    products = kernel(node, x, numbers_of(node, x, "support_vectors"), total)
    # A pair uses the coefficients of each of its classes against the other.
    table = np.zeros((total, len(pairs)))
    for k, (i, j) in enumerate(pairs):
        for mine, row in ((i, j - 1), (j, i)):
            end = sum(sizes[: mine + 1])
            part = slice(end - sizes[mine], end)
            table[part, k] = weights[row * total : (row + 1) * total][part]
    scores = products @ x.trace.constant(table, x.element)
    scores = scores + x.trace.constant(rho[: len(pairs)], x.element)
    votes = np.zeros((2, len(pairs), count), np.int64)
    for k, pair in enumerate(pairs):
        votes[[0, 1], k, pair] = 1
    is_first = (scores > 0).reshape(-1, len(pairs), 1)
    won = onp.sum(onp.where(is_first, *(x.trace.constant(side, el.I64) for side in votes)), axis=1)
    best = onp.argmax(won, axis=1)
    if node.attr("prob_a"):
        scores = _probabilities(node, scores, pairs, count)
        return _both(node, labels, best, transformed(node, scores))
    if count > 2:
        return _both(node, labels, best, transformed(node, scores))
    if node.attr("post_transform") != "NONE":
        raise no_transform(node, node.attr("post_transform"), TRANSFORMS[:1])
    return _both(node, labels, best, onp.concatenate([-scores, scores], axis=1))


def _linear(node: Node, x: Any, labels: Table, numbers: Any, rho: float) -> tuple[Result, ...]:
    """Linear scores; of two classes the second wins if the maximum exceeds a half, or 0."""
    columns = x.extents[1].constant
    if not columns or numbers.size != len(labels) * columns:
        raise node.error(f"{numbers.size} coefficients for {len(labels)} classes of {columns}")
    scores = x @ numbers.reshape(len(labels), columns).transpose([1, 0]) + rho
    index = onp.argmax(scores, axis=1)
    if len(labels) == 2:
        most = onp.max(scores, axis=1)
        is_positive = all(c >= 0 for c in node.attr("coefficients"))
        index = onp.where(most >= 0.5 if is_positive else most > 0, 1, index)
    return _both(node, labels, index, transformed(node, scores))


def _probabilities(node: Node, scores: Any, pairs: list[tuple[int, int]], count: int) -> Any:
    """Class probabilities from those of pairs, [N, count].

    They minimize a quadratic form (Wu, Lin and Weng, 2004, second approach), iterated as in libsvm
    until no error reaches 0.005 / count.
    """
    trace, lists = scores.trace, [node.attr(name) or () for name in ("prob_a", "prob_b")]
    if any(len(values) < len(pairs) for values in lists):
        raise node.error(f"{len(lists[0])} and {len(lists[1])} numbers for {len(pairs)} pairs")
    a, b = (trace.constant(values[: len(pairs)], scores.element) for values in lists)
    first = onp.clip(1.0 - onp.sigmoid(scores * a + b), 1e-7, 1.0 - 1e-7)
    # r[:, i, j] is the probability of class i among i and j, 0 on the diagonal.
    pair_of = np.zeros((count, count), np.int64)
    sign, offset = np.zeros((2, count, count))
    for k, (i, j) in enumerate(pairs):
        pair_of[i, j] = pair_of[j, i] = k
        sign[i, j], sign[j, i], offset[j, i] = 1, -1, 1
    indices = trace.constant(pair_of, el.I64)
    r = gathered(first, (1,), indices)
    r = r * trace.constant(sign, scores.element) + trace.constant(offset, scores.element)
    transposed = r.transpose([0, 2, 1])
    own = onp.sum(onp.square(r), axis=1).reshape(-1, count, 1)
    eye = trace.constant(np.eye(count), scores.element)
    form = own * eye - transposed * r
    start = onp.broadcast_to(trace.constant(1.0 / count, scores.element), (scores.shape[0], count))
    return _minimized(form, start, count)


def _minimized(form: Any, start: Any, count: int) -> Any:
    """The vectors of sum 1 that minimize quadratic forms, iterated from ``start``."""
    going = onp.ones_like(start[:, :1]) > 0

    def step(index: Any, going: Any, p: Any, left: Any, q: Any) -> list[Any]:
        products = onp.sum(q * p.reshape(-1, 1, count), axis=2)
        total = onp.sum(p * products, axis=1, keepdims=True)
        error = onp.max(onp.abs(products - total), axis=1, keepdims=True)
        left = left & ~(error < 0.005 / count)
        new = p
        for t in range(count):
            own, mine = q[:, t, t].reshape(-1, 1), products[:, t : t + 1]
            move = (total - mine) / own
            rest = 1.0 + move
            total = (total + move * (move * own + 2.0 * mine)) / rest / rest
            products = (products + move * q[:, t]) / rest
            only = p.trace.constant(np.eye(count)[t], p.element)
            new = (new + move * only) / rest
        new = onp.where(left, new, p)
        return [onp.any(left), new, left]

    trace = form.trace
    carried, iterations = [trace.constant(True, el.I1), start, going], trace.number(ITERATIONS)
    return repeated(iterations, carried, [form], step, has_condition=True)[1]
