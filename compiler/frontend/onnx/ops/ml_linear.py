"""Numeric operators of ai.onnx.ml except trees: scaling, linear models, kernels, lookups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import type_text
from opc.errors import InputError, UnsupportedError
from opc.frontend.models.containers import Labels
from opc.frontend.models.traced import gathered, traced, value

from .node import Node
from .schema import ELEMENTS, Result, element_named, onnx
from .strings import encoded, labels_at, labels_of, matches

ML = "ai.onnx.ml::"


def computed(node: Node, position: int = 0) -> Any:
    """An input in the accumulation type: f32 stays, other types become f64."""
    type = el.F32 if node.element(position) is el.F32 else el.F64
    return node.traced(position, type)


TRANSFORMS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")
"""Values of ``post_transform``; TreeEnsemble refers to them by index."""


def no_transform(
    node: Node, kind: str, known: Sequence[str] = TRANSFORMS[:-1]
) -> InputError | UnsupportedError:
    """The error for an unknown or unsupported ``post_transform``."""
    if kind not in TRANSFORMS:
        return node.error(f'post_transform is "{kind}", expected one of {", ".join(TRANSFORMS)}')
    return node.unsupported(
        f"post_transform {kind} is not supported here, only {', '.join(known)}; with NONE "
        "the model gives raw scores, to transform outside"
    )


def transformed(node: Node, scores: Any, kind: str = "") -> Any:
    """Scores [N, E] after ``post_transform``, or after this kind of it."""
    kind = kind or node.attr("post_transform")
    if kind == "NONE":
        return scores
    if kind == "LOGISTIC":
        return onp.sigmoid(scores)
    if kind == "SOFTMAX":
        return onp.softmax(scores, axis=1)
    if kind == "SOFTMAX_ZERO":
        # A softmax that keeps zeros.
        most = onp.max(scores, axis=1, keepdims=True)
        there = onp.abs(scores) > 1e-7
        powers = onp.exp(scores - most)
        total = onp.sum(onp.where(there, powers, 0.0), axis=1, keepdims=True)
        return onp.where(there, powers, scores * onp.exp(-most)) / total
    raise no_transform(node, kind)


def rows_of(node: Node) -> Any:
    """The input as a matrix; a vector is one row."""
    node.ranked(0, 1, 2)
    x = computed(node)
    return x.reshape(1, *x.shape) if x.ndim == 1 else x


def numbers_of(node: Node, x: Any, name: str) -> Any:
    """A list attribute as a constant in the type of x."""
    return x.trace.constant(node.attr(name) or (), x.element)


def _along_last(node: Node, x: Any, name: str) -> Any:
    """A list attribute with one number per index of the last axis or for all; default 0."""
    numbers = node.attr(name) or (0.0,)
    if len(numbers) != 1:
        extent = x.extents[-1] if x.ndim else ex.const(1)
        what = f"the elements of attribute {name} and the last axis of {type_text(node[0].type)}"
        node.require("equal", ex.const(len(numbers)), extent, f"{what} differ in number")
    return x.trace.constant(numbers, x.element)


@onnx(f"{ML}Binarizer", 1)
def binarizer(node: Node) -> Result:
    """Binarizer(x) {threshold} --> 1 where x > threshold, else 0."""
    x = computed(node)
    return value(node, (x > node.attr("threshold")).astype(x.dtype))


@onnx(f"{ML}Scaler", 1)
def scaler(node: Node) -> Result:
    """Scaler(x) --> (x - offset) * scale."""
    x = computed(node)
    scale = _along_last(node, x, "scale") if node.attr("scale") else 1.0
    return value(node, (x - _along_last(node, x, "offset")) * scale, el.F32)


@onnx(f"{ML}Normalizer", 1)
def normalizer(node: Node) -> Result:
    """Normalizer(x) --> x divided by the norm of each row, or x where it is 0."""
    x = rows_of(node)
    kind = node.choice("norm", "MAX", "L1", "L2")
    fold, y = onp.max if kind == "MAX" else onp.sum, x * x if kind == "L2" else onp.abs(x)
    norm = fold(y, axis=1, keepdims=True)
    norm = onp.sqrt(norm) if kind == "L2" else norm
    return value(node, (x / onp.where(norm == 0, 1.0, norm)).reshape(x.shape), el.F32)


@onnx(f"{ML}Imputer", 1)
def imputer(node: Node) -> Result:
    """Imputer(x) --> x with a value, which may be NaN, replaced."""
    x, kind = node.traced(0), "int64" if node.element().is_integer else "float"
    imputed, replaced = f"imputed_value_{kind}s", node.attr(f"replaced_value_{kind}")
    if not node.attr(imputed):
        raise node.error(f"attribute {imputed} is missing")
    gone = onp.isnan(x) if replaced != replaced else x == replaced
    return value(node, onp.where(gone, _along_last(node, x, imputed), x))


@onnx(f"{ML}FeatureVectorizer", 1)
def feature_vectorizer(node: Node) -> Result:
    """FeatureVectorizer(x, ...) --> the columns of all, sliced or padded to their widths."""
    widths = node.attr("inputdimensions")
    if widths is None or len(widths) != len(node.inputs):
        raise node.error(f"inputdimensions is {widths}, for {len(node.inputs)} inputs")
    parts: list[Any] = []
    for k, (x, width) in enumerate(zip(traced(node, el.F32), widths, strict=True)):
        x = x.reshape(-1, 1) if x.ndim == 1 else x
        columns = x.extents[1].constant
        if x.ndim != 2 or columns is None:
            raise node.unsupported(f"{type_text(node[k].type)} is not a matrix of known width")
        x = x[:, :width]
        if columns < width:
            x = onp.concatenate([x, onp.zeros_like(x[:, :1]).repeat(width - columns, 1)], axis=1)
        parts.append(x)
    return value(node, onp.concatenate(parts, axis=1), el.F32)


@onnx(f"{ML}ArrayFeatureExtractor", 1)
def feature_extractor(node: Node) -> Result:
    """ArrayFeatureExtractor(x, y) --> opc.gather of x along its last axis."""
    node.ranked(0, least=1)
    x, y = (node.trace.array(v) for v in node.tensors())
    columns = gathered(x, (x.ndim - 1,), y.reshape(-1))
    return value(node, columns.reshape(1, -1) if x.ndim == 1 else columns)


def _linear(node: Node, x: Any, rows: int) -> Any:
    """x times coefficients [rows, F], plus intercepts."""
    numbers = numbers_of(node, x, "coefficients")
    if not rows or numbers.size % rows:
        raise node.error(f"{numbers.size} coefficients for {rows} rows")
    count = numbers.extents[0].constant // rows
    x.trace.require_equal(x.extents[1], x.extents[1] * 0 + count, "coefficients do not fit x")
    scores = x @ numbers.reshape(rows, count).transpose([1, 0])
    if not node.attr("intercepts"):
        return scores
    return scores + _along_last(node, scores, "intercepts")


@onnx(f"{ML}LinearRegressor", 1)
def regressor(node: Node) -> Result:
    """LinearRegressor(x) --> x times coefficients, plus intercepts."""
    x = rows_of(node)
    return value(node, transformed(node, _linear(node, x, node.attr("targets"))), el.F32)


@onnx(f"{ML}LinearClassifier", 1)
def classifier(node: Node) -> tuple[Result, ...]:
    """LinearClassifier(x) --> the label of the greatest score, and all scores."""
    labels, x = labels_of(node, "classlabels_ints"), rows_of(node)
    columns = x.extents[1].constant
    if not columns:
        raise node.unsupported(f"{type_text(node[0].type)} is not a matrix of known width")
    scores = _linear(node, x, len(node.attr("coefficients")) // columns)
    kind = node.attr("post_transform")
    if scores.shape[1] == 1 and len(labels) == 2:
        scores = onp.concatenate([-scores, scores], axis=1)
    scores = transformed(node, scores)
    if scores.shape[1] == 1:
        index = (scores.reshape(-1) >= (0.0 if kind == "NONE" else 0.5)).astype("i64")
        label = labels[0] if labels else 1
        if isinstance(label, str):
            raise node.unsupported("one label that is a string, of one class")
        labels = (0, label)
    else:
        index = onp.argmax(scores, axis=1)
    return labels_at(node, labels, index), value(node, scores, el.F32)


def kernel(node: Node, x: Any, vectors: Any, count: int) -> Any:
    """``kernel_type`` of rows of x [N, F] and vectors in a flat list: [N, count]."""
    gamma, constant, degree = (*(node.attr("kernel_params") or ()), 0.0, 0.0, 0.0)[:3]
    columns = x.extents[1].constant
    if not columns or vectors.size != count * columns:
        raise node.error(f"{vectors.size} numbers are not {count} vectors of {columns}")
    vectors = vectors.reshape(count, columns)
    products = x @ vectors.transpose([1, 0])
    kind = node.choice("kernel_type", "LINEAR", "POLY", "SIGMOID", "RBF")
    if kind == "RBF":
        distances = onp.sum(onp.square(x.reshape(-1, 1, columns) - vectors), axis=2)
        return onp.exp(-gamma * distances)
    if kind == "LINEAR":
        return products
    y = gamma * products + constant
    return onp.power(y, degree) if kind == "POLY" else onp.tanh(y)


@onnx(f"{ML}SVMRegressor", 1)
def support_vectors(node: Node) -> Result:
    """SVMRegressor(x) --> kernel(x, support vectors) times coefficients, plus rho."""
    x, count = rows_of(node), node.attr("n_supports")
    vectors, numbers = numbers_of(node, x, "support_vectors"), numbers_of(node, x, "coefficients")
    if node.attr("post_transform") != "NONE":
        raise no_transform(node, node.attr("post_transform"), TRANSFORMS[:1])
    result = kernel(node, x, vectors if count else numbers, count or 1)
    result = result @ numbers.reshape(count, 1) if count else result
    result = result + (node.attr("rho") or (0.0,))[0]
    if node.attr("one_class"):
        result = onp.where(result > 0, onp.ones_like(result), -onp.ones_like(result))
    return value(node, result, el.F32)


def _entries(node: Node, what: str) -> Any:
    """Keys or values from the attribute that has them: an array, or a tuple of strings."""
    for kind in ("tensor", "floats", "int64s", "strings"):
        name = f"{what}_{kind}"
        if node.given(name):
            entries = node.attr(name)
            if kind == "strings":
                return entries
            dtype = {"floats": np.float32, "int64s": np.int64}.get(kind)
            return np.asarray(entries, dtype).reshape(-1)
    raise node.error(f"there are no {what}")


@onnx(f"{ML}LabelEncoder", 1, 2, 4, held="T1")
def encoder(node: Node) -> Result:
    """LabelEncoder(x) --> the value for key x, by comparison, or the default."""
    if node.since == 1:
        names = list(node.attr("classes_strings") or ())
        if isinstance(node.inputs[0], Labels):
            return encoded(node, names, [*range(len(names))], node.attr("default_int64"))
        return encoded(node, [*range(len(names))], names, node.attr("default_string"))
    keys, values = _entries(node, "keys"), _entries(node, "values")
    if len(keys) != len(values) or not len(keys):
        raise node.error(f"{len(keys)} keys for {len(values)} values")
    if isinstance(node.inputs[0], Labels) != isinstance(keys[0], str):
        raise node.error("x and the keys are strings and numbers")
    if isinstance(values[0], str):
        if node.given("default_tensor"):
            raise node.unsupported("default_tensor beside values that are strings")
        return encoded(node, list(keys), list(values), node.attr("default_string"))
    types = [t for t in map(element_named, ELEMENTS) if t is not None]
    type = next(t for t in types if t.dtype == values.dtype)
    default: Any = node.attr("default_float" if type.is_float else "default_int64")
    if node.given("default_tensor"):
        default = node.attr("default_tensor").reshape(-1)[0]
    if isinstance(keys[0], str):
        return encoded(node, list(keys), list(values), default, type)
    trace = node.trace
    same = matches(node.traced(0), keys)
    chosen = gathered(trace.constant(values, type), (0,), onp.argmax(same.astype("i32"), axis=-1))
    chosen = onp.where(onp.any(same, axis=-1), chosen, trace.constant([default], type))
    return value(node, chosen, type)


@onnx(f"{ML}OneHotEncoder", 1)
def one_hot(node: Node) -> Result:
    """OneHotEncoder(x) --> the table row of category x, with 1 at its index.

    With ``zeros``, other values have a row of zeros; without, their index is out of range.
    """
    if node.attr("cats_strings"):
        raise node.unsupported("categories that are strings")
    categories = node.attr("cats_int64s") or ()
    if not categories or len(set(categories)) < len(categories):
        raise node.error(f"{len(categories)} categories, {len(set(categories))} of them different")
    count, x = len(categories), node.traced(0, el.I64)
    same = onp.equal(x.reshape(*x.shape, 1), x.trace.constant(categories, el.I64))
    index = onp.where(onp.any(same, axis=-1), onp.argmax(same.astype("i32"), axis=-1), count)
    table = x.trace.constant(np.eye(count + bool(node.attr("zeros")), count), el.F32)
    return value(node, gathered(table, (0,), index), el.F32)
