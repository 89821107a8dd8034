"""Formulas of f16 and bf16 use their attributes as the doubles that they are."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import opc
from opc.api.driver import lower
from opc.oracle.subject import Subject
from tests.unit.common.graphs import parse

DTYPES: dict[str, Any] = {"f16": np.float16, "bf16": ml_dtypes.bfloat16}
ATTRIBUTES = [
    ("hard_sigmoid", "alpha = 0.1, beta = 0.3"),
    ("hard_sigmoid", "alpha = 0.1, beta = -0.3"),
    ("hard_sigmoid", "alpha = 1000.1, beta = 1000.1"),
    ("thresholded_relu", "alpha = 0.49999999999"),
    ("thresholded_relu", "alpha = 0.50000000001"),
    ("shrink", "lambd = 0.49999999999, bias = 0.49999999999"),
    ("shrink", "lambd = 0.50000000001, bias = 0.1"),
    ("leaky_relu", "alpha = 0.1"),
    ("celu", "alpha = 1000.1"),
    ("silu", "alpha = 300.1"),
]
"""Numbers that f32 does not hold, next to those where a result is zero or a comparison turns."""


@pytest.mark.parametrize("type", DTYPES)
@pytest.mark.parametrize(("operator", "attributes"), ATTRIBUTES)
def test_every_number_is_within_the_tolerance(type: str, operator: str, attributes: str) -> None:
    every = np.arange(2**16, dtype=np.uint16).view(DTYPES[type])
    graph = f"""
func.func @every(%x: tensor<65536x{type}>) -> tensor<65536x{type}> {{
  %y = opc.{operator} %x {{{attributes}}}
  func.return %y : tensor<65536x{type}>
}}"""
    outcome = Subject.of(parse(graph), None, opc.Options()).try_on([every])
    assert outcome.agrees, outcome.results


def test_what_f32_holds_stays_in_f32() -> None:
    graph = """
func.func @held(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %y = opc.hard_sigmoid %x {alpha = 0.25, beta = 0.5}
  func.return %y : tensor<8xbf16>
}"""
    assert "f64" not in lower(graph).ir("normal")
    assert "f64" in lower(graph.replace("0.25", "0.2")).ir("normal")
