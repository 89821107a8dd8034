"""Numeric operators of ai.onnx.ml, but for trees: scaling, linear models, kernels, lookups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.shape import type_text
from opc.errors import InputError, UnsupportedError
from opc.frontend.models.labels import Labels
from opc.frontend.models.op_builder import Result
from opc.frontend.models.traced import NodeTrace

from .node import Node
from .schema import ELEMENTS, INT64, SINGLE, add, element_named
from .strings import encoded, labels_at, labels_of, matches
from .traced import value

ML = "ai.onnx.ml::"
NUMBERS = frozenset({"float", "double", "int32", "int64"})


def computed(node: Node, position: int = 0) -> Any:
    """An input as it is computed with: f32, or in f64 what f32 does not hold."""
    type = el.F32 if node.element(position) is el.F32 else el.F64
    return NodeTrace(node).array(node.cast(node[position], type))


TRANSFORMS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")
"""What ``post_transform`` can be; TreeEnsemble has the numbers of them."""


def no_transform(
    node: Node, kind: str, known: Sequence[str] = TRANSFORMS[:-1]
) -> InputError | UnsupportedError:
    """An error for a ``post_transform`` that is none, or that opc does not compute."""
    if kind not in TRANSFORMS:
        return node.error(f'post_transform is "{kind}", expected one of {", ".join(TRANSFORMS)}')
    return node.unsupported(
        f"post_transform {kind} is not supported here, only {', '.join(known)}; with NONE "
        "the model gives raw scores, to transform outside"
    )


def transformed(node: Node, scores: Any, kind: str = "") -> Any:
    """Scores [N, E] after ``post_transform``, or after the kind of one."""
    kind = kind or node.attr("post_transform")
    if kind == "NONE":
        return scores
    if kind == "LOGISTIC":
        return onp.sigmoid(scores)
    if kind == "SOFTMAX":
        return onp.softmax(scores, axis=1)
    if kind == "SOFTMAX_ZERO":
        # As a softmax, but what is zero stays so.
        most = onp.max(scores, axis=1, keepdims=True)
        there = onp.abs(scores) > 1e-7
        powers = onp.exp(scores - most)
        total = onp.sum(onp.where(there, powers, 0.0), axis=1, keepdims=True)
        return onp.where(there, powers, scores * onp.exp(-most)) / total
    raise no_transform(node, kind)


def rows_of(node: Node) -> Any:
    """The input as a matrix; a vector is one row."""
    x = computed(node)
    if x.ndim not in (1, 2):
        raise node.error(f"{type_text(node[0].type)} is no matrix")
    return x.reshape(1, *x.shape) if x.ndim == 1 else x


def numbers_of(node: Node, x: Any, name: str) -> Any:
    """A list among the attributes, in the type of an array."""
    return x.trace.constant(node.attr(name) or (), x.element)


def _each(node: Node, x: Any, name: str) -> Any:
    """A list with a number for each of the last axis, or one for all; 0 if there is none."""
    listed = node.attr(name) or (0.0,)
    if len(listed) != 1:
        extent = x.extents[-1] if x.ndim else ex.const(1)
        what = f"the elements of attribute {name} and the last axis of {type_text(node[0].type)}"
        node.require("equal", ex.const(len(listed)), extent, f"{what} differ in number")
    return x.trace.constant(listed, x.element)


def binarizer(node: Node) -> Result:
    """Binarizer(x) {threshold} --> 1 where x is above it, else 0."""
    x = computed(node)
    return value(node, (x > node.attr("threshold")).astype(x.dtype))


add(f"{ML}Binarizer", 1, "X:T -> Y:T", NUMBERS, binarizer, "threshold:float=0")


def scaler(node: Node) -> Result:
    """Scaler(x) --> (x - offset) * scale."""
    x = computed(node)
    scale = _each(node, x, "scale") if node.attr("scale") else 1.0
    return value(node, (x - _each(node, x, "offset")) * scale, el.F32)


add(f"{ML}Scaler", 1, "X:T -> Y:float", NUMBERS, scaler, "offset:floats scale:floats")


def normalizer(node: Node) -> Result:
    """Normalizer(x) --> x divided by the norm of each row, and x where that is 0."""
    x = rows_of(node)
    norms: dict[str, Any] = {
        "MAX": lambda: onp.max(onp.abs(x), axis=1, keepdims=True),
        "L1": lambda: onp.sum(onp.abs(x), axis=1, keepdims=True),
        "L2": lambda: onp.sqrt(onp.sum(x * x, axis=1, keepdims=True)),
    }
    kind = node.attr("norm")
    if kind not in norms:
        raise node.error(f'attribute norm is "{kind}", expected one of {", ".join(norms)}')
    norm = norms[kind]()
    return value(node, (x / onp.where(norm == 0, 1.0, norm)).reshape(x.shape), el.F32)


add(f"{ML}Normalizer", 1, "X:T -> Y:float", NUMBERS, normalizer, "norm:string=MAX")


def imputer(node: Node) -> Result:
    """Imputer(x) --> other values where x is the one to replace, which may be NaN."""
    type, trace = node.element(), NodeTrace(node)
    x = trace.array(node[0])
    kind = ("imputed_value_floats", "replaced_value_float")
    if type.is_integer:
        kind = ("imputed_value_int64s", "replaced_value_int64")
    if not node.attr(kind[0]):
        raise node.error(f"attribute {kind[0]} is missing")
    replaced = node.attr(kind[1])
    gone = onp.isnan(x) if replaced != replaced else x == replaced
    return value(node, onp.where(gone, _each(node, x, kind[0]), x))


add(
    f"{ML}Imputer",
    1,
    "X:T -> Y:T",
    NUMBERS,
    imputer,
    "imputed_value_floats:floats imputed_value_int64s:ints replaced_value_float:float=0 "
    "replaced_value_int64:int=0",
)


def feature_vectorizer(node: Node) -> Result:
    """FeatureVectorizer(x, ...) --> their columns side by side, cut or filled to a number."""
    widths = node.attr("inputdimensions")
    if widths is None or len(widths) != len(node.inputs):
        raise node.error(f"inputdimensions is {widths}, for {len(node.inputs)} inputs")
    parts: list[Any] = []
    trace = NodeTrace(node)
    for k, width in enumerate(widths):
        x = trace.array(node.cast(node[k], el.F32))
        x = x.reshape(-1, 1) if x.ndim == 1 else x
        found = x.extents[1].constant
        if x.ndim != 2 or found is None:
            raise node.unsupported(f"{type_text(node[k].type)} is no matrix of known width")
        x = x[:, :width]
        if found < width:
            x = onp.concatenate([x, onp.zeros_like(x[:, :1]).repeat(width - found, 1)], axis=1)
        parts.append(x)
    return value(node, onp.concatenate(parts, axis=1), el.F32)


add(
    f"{ML}FeatureVectorizer",
    1,
    "X*:T1 -> Y:float",
    {"T1": NUMBERS},
    feature_vectorizer,
    "inputdimensions:ints",
)


def feature_extractor(node: Node) -> Result:
    """ArrayFeatureExtractor(x, y) --> opc.gather of x along its last axis."""
    trace = NodeTrace(node)
    x, y = trace.array(node[0]), trace.array(node[1]).reshape(-1)
    if not x.ndim:
        raise node.error("x has no axes")
    found = trace.emit(GatherOp, x, y, axes=(x.ndim - 1,), from_end=False)
    return value(node, found.reshape(1, -1) if x.ndim == 1 else found)


add(f"{ML}ArrayFeatureExtractor", 1, "X:T Y:int64 -> Z:T", {"T": NUMBERS}, feature_extractor)


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
    return scores + _each(node, scores, "intercepts")


def regressor(node: Node) -> Result:
    """LinearRegressor(x) --> x times coefficients, plus intercepts."""
    x = rows_of(node)
    return value(node, transformed(node, _linear(node, x, node.attr("targets"))), el.F32)


add(
    f"{ML}LinearRegressor",
    1,
    "X:T -> Y:float",
    NUMBERS,
    regressor,
    "coefficients:floats intercepts:floats post_transform:string=NONE targets:int=1",
)


def classifier(node: Node) -> tuple[Result, ...]:
    """LinearClassifier(x) --> the label of the greatest score, and all scores."""
    labels, x = labels_of(node, "classlabels_ints"), rows_of(node)
    columns = x.extents[1].constant
    if not columns:
        raise node.unsupported(f"{type_text(node[0].type)} is no matrix of known width")
    scores = _linear(node, x, len(node.attr("coefficients")) // columns)
    kind = node.attr("post_transform")
    if scores.shape[1] == 1 and len(labels) == 2:
        scores = onp.concatenate([-scores, scores], axis=1)
    scores = transformed(node, scores)
    if scores.shape[1] == 1:
        found = (scores.reshape(-1) >= (0.0 if kind == "NONE" else 0.5)).astype("i64")
        label = labels[0] if labels else 1
        if isinstance(label, str):
            raise node.unsupported("one label that is a string, of one class")
        labels = (0, label)
    else:
        found = onp.argmax(scores, axis=1)
    return labels_at(node, labels, found), value(node, scores, el.F32)


add(
    f"{ML}LinearClassifier",
    1,
    "X:T1 -> Y:T2 Z:float",
    {"T1": NUMBERS, "T2": INT64},
    classifier,
    "classlabels_ints:ints classlabels_strings:strings coefficients:floats! intercepts:floats "
    "multi_class:int=0 post_transform:string=NONE",
)


def kernel(node: Node, x: Any, vectors: Any, count: int) -> Any:
    """``kernel_type`` of each row of x [N, F] and each of some vectors, in one list: [N, count]."""
    gamma, constant, degree = (*(node.attr("kernel_params") or ()), 0.0, 0.0, 0.0)[:3]
    columns = x.extents[1].constant
    if not columns or vectors.size != count * columns:
        raise node.error(f"{vectors.size} numbers make no {count} vectors of {columns}")
    vectors = vectors.reshape(count, columns)
    products = x @ vectors.transpose([1, 0])
    kinds: dict[str, Any] = {
        "LINEAR": lambda: products,
        "POLY": lambda: onp.power(gamma * products + constant, degree),
        "SIGMOID": lambda: onp.tanh(gamma * products + constant),
        "RBF": lambda: onp.exp(
            -gamma * onp.sum(onp.square(x.reshape(-1, 1, columns) - vectors), axis=2)
        ),
    }
    kind = node.attr("kernel_type")
    if kind not in kinds:
        raise node.error(f'kernel_type is "{kind}", expected one of {", ".join(kinds)}')
    return kinds[kind]()


def support_vectors(node: Node) -> Result:
    """SVMRegressor(x) --> the kernel of x and each support vector times coefficients, plus rho."""
    x, count = rows_of(node), node.attr("n_supports")
    vectors, numbers = numbers_of(node, x, "support_vectors"), numbers_of(node, x, "coefficients")
    if node.attr("post_transform") != "NONE":
        raise no_transform(node, node.attr("post_transform"), TRANSFORMS[:1])
    found = kernel(node, x, vectors if count else numbers, count or 1)
    found = found @ numbers.reshape(count, 1) if count else found
    found = found + (node.attr("rho") or (0.0,))[0]
    if node.attr("one_class"):
        found = onp.where(found > 0, onp.ones_like(found), -onp.ones_like(found))
    return value(node, found, el.F32)


add(
    f"{ML}SVMRegressor",
    1,
    "X:T -> Y:float",
    NUMBERS,
    support_vectors,
    "coefficients:floats kernel_params:floats kernel_type:string=LINEAR n_supports:int=0 "
    "one_class:int=0 post_transform:string=NONE rho:floats support_vectors:floats",
)


def _listed(node: Node, what: str) -> Any:
    """Keys or values as an array, of whichever attribute has them; strings as a tuple."""
    for kind in ("tensor", "floats", "int64s", "strings"):
        name = f"{what}_{kind}"
        if node.schema.has(name) and node.given(name):
            found = node.attr(name)
            if kind == "strings":
                return found
            dtype = {"floats": np.float32, "int64s": np.int64}.get(kind)
            return np.asarray(found, dtype).reshape(-1)
    raise node.error(f"there are no {what}")


def encoder(node: Node) -> Result:
    """LabelEncoder(x) --> the value for the key that x is, or the default, by comparison."""
    if node.since == 1:
        names = list(node.attr("classes_strings") or ())
        if isinstance(node.inputs[0], Labels):
            return encoded(node, names, [*range(len(names))], node.attr("default_int64"))
        return encoded(node, [*range(len(names))], names, node.attr("default_string"))
    keys, values = _listed(node, "keys"), _listed(node, "values")
    if len(keys) != len(values) or not len(keys):
        raise node.error(f"{len(keys)} keys for {len(values)} values")
    if isinstance(node.inputs[0], Labels) != isinstance(keys[0], str):
        raise node.error("x and the keys are strings and numbers")
    if isinstance(values[0], str):
        if node.since >= 4 and node.given("default_tensor"):
            raise node.unsupported("default_tensor beside values that are strings")
        return encoded(node, list(keys), list(values), node.attr("default_string"))
    types = [t for t in map(element_named, ELEMENTS) if t is not None]
    type = next(t for t in types if t.dtype == values.dtype)
    default: Any = node.attr("default_float" if type.is_float else "default_int64")
    if node.since >= 4 and node.given("default_tensor"):
        default = node.attr("default_tensor").reshape(-1)[0]
    if isinstance(keys[0], str):
        return encoded(node, list(keys), list(values), default, type)
    trace = NodeTrace(node)
    x = trace.array(node[0])
    same = matches(x, keys)
    place = onp.argmax(same.astype("i32"), axis=-1)
    found = trace.emit(GatherOp, trace.constant(values, type), place, axes=(0,), from_end=False)
    is_there = onp.any(same, axis=-1)
    return value(node, onp.where(is_there, found, trace.constant([default], type)), type)


_CLASSES = "classes_strings:strings default_int64:int=-1 default_string:string=_Unused"
_LISTS = (
    "keys_floats:floats keys_int64s:ints keys_strings:strings "
    "values_floats:floats values_int64s:ints values_strings:strings "
    "default_float:float=-0.0 default_int64:int=-1 default_string:string=_Unused"
)
_TENSORS = "keys_tensor:tensor values_tensor:tensor default_tensor:tensor"
for _since, _types, _attributes in (
    (1, INT64, _CLASSES),
    (2, SINGLE | INT64, _LISTS),
    (4, SINGLE | INT64 | {"double", "int32", "int16"}, f"{_LISTS} {_TENSORS}"),
):
    _both = {"T1": _types, "T2": _types}
    add(f"{ML}LabelEncoder", _since, "X:T1 -> Y:T2", _both, encoder, _attributes, held="T1")


def one_hot(node: Node) -> Result:
    """OneHotEncoder(x) --> 1 at the place of the category that x is, by a row of a table.

    With ``zeros`` what is no category has a row of zeros; without, its index is out of range.
    """
    if node.attr("cats_strings"):
        raise node.unsupported("categories that are strings")
    categories = node.attr("cats_int64s") or ()
    if not categories or len(set(categories)) < len(categories):
        raise node.error(f"{len(categories)} categories, {len(set(categories))} of them different")
    count, x = len(categories), NodeTrace(node).array(node.cast(node[0], el.I64))
    same = onp.equal(x.reshape(*x.shape, 1), x.trace.constant(categories, el.I64))
    place = onp.where(onp.any(same, axis=-1), onp.argmax(same.astype("i32"), axis=-1), count)
    table = x.trace.constant(np.eye(count + bool(node.attr("zeros")), count), el.F32)
    found = x.trace.emit(GatherOp, table, place, axes=(0,), from_end=False)
    return value(node, found, el.F32)


add(
    f"{ML}OneHotEncoder",
    1,
    "X:T -> Y:float",
    NUMBERS,
    one_hot,
    "cats_int64s:ints cats_strings:strings zeros:int=1",
)
