"""Counts of sequences of numbers, against the reference of ONNX."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx.reference import ReferenceEvaluator  # noqa: E402

from opc.errors import InputError, UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import function, info, interpreted, model, node  # noqa: E402

POOL = {
    "ngram_counts": [0, 3, 9],
    "ngram_indexes": [1, 0, 4, 6, 2, 5, 3],
    "pool_int64s": [2, 3, 5, 2, 3, 3, 2, 5, 5, 2, 3, 5],
}
"""Three numbers, three pairs, and one gram of three."""


def made(*shape: Any, **attributes: Any) -> Any:
    given = {"min_gram_length": 1, "max_gram_length": 3, "max_skip_count": 2, "mode": "TF"}
    operator = node("TfIdfVectorizer", "x", **{**given, **POOL, **attributes})
    return model(operator, [info("x", "i64", shape)], outputs=[info("y")])


@pytest.mark.parametrize("mode", ["TF", "IDF", "TFIDF"])
@pytest.mark.parametrize("attributes", [{}, {"min_gram_length": 2}, {"max_gram_length": 2},
                                        {"max_skip_count": 0}], ids=str)  # fmt: skip
def test_counts(attributes: dict[str, Any], mode: str) -> None:
    x = np.random.default_rng(3).choice([2, 3, 5, 7], (4, 12))
    weights = [0.5, 2.0, 3.0, 0.25, 1.5, 4.0, 0.125]
    proto = made("N", "M", mode=mode, weights=weights, **attributes)
    (expected,) = ReferenceEvaluator(proto).run(None, {"x": x})
    np.testing.assert_array_equal(interpreted(proto, x)[0], expected, strict=True)
    compiled = function(proto)
    for given in (x, x[:, :4], x[:1]):
        (expected,) = ReferenceEvaluator(proto).run(None, {"x": given})
        np.testing.assert_array_equal(compiled(given), expected, strict=True)


def test_one_row() -> None:
    x = np.array([2, 3, 5, 2, 3, 3, 2])
    proto = made(7)
    (expected,) = ReferenceEvaluator(proto).run(None, {"x": x})
    np.testing.assert_array_equal(interpreted(proto, x)[0], expected, strict=True)


def test_what_is_wrong() -> None:
    with pytest.raises(InputError, match="2 indices for 7 grams"):
        function(made(7, ngram_indexes=[0, 1]))
    with pytest.raises(InputError, match="do not form grams of 2"):
        function(made(7, ngram_counts=[0, 3, 8]))
    with pytest.raises(UnsupportedError, match="grams of text"):
        function(made(7, pool_strings=["a"]))
