"""What opc refuses of StableHLO, and invalid text."""

from __future__ import annotations

import pytest

import opc
from opc.errors import InputError, UnsupportedError


def refused(line: str) -> str:
    head = "func.func @main(%0: tensor<2xf32>) -> tensor<2xf32> {"
    return f"{head}\n  {line}\n  return %0 : tensor<2xf32>\n}}"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("%1 = stablehlo.complex %0, %0 : tensor<2xcomplex<f32>>", "complex numbers are not"),
        (
            "%1 = stablehlo.create_token : !stablehlo.token\n"
            '%2:2 = "stablehlo.infeed"(%1) : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)',
            "stablehlo.infeed: it speaks to a host, in order of tokens",
        ),
        (
            '%1 = "stablehlo.all_reduce"(%0) ({}) : (tensor<2xf32>) -> tensor<2xf32>',
            "stablehlo.all_reduce",
        ),
        (
            "%1 = stablehlo.custom_call @lapack(%0) : (tensor<2xf32>) -> tensor<2xf32>",
            "custom_call @lapack, which only its maker knows",
        ),
        ("%1 = stablehlo.rng_bit_generator %0 : tensor<2xf32>", "stablehlo.rng_bit_generator"),
        ("%1 = mhlo.add %0, %0 : tensor<2xf32>\n%2 = stablehlo.abs %1 : tensor<2xf32>", "mhlo.add"),
    ],
)
def test_refused(line: str, message: str) -> None:
    if "({})" in line:
        line = line.replace(
            "({})", "({\n^bb0(%a: tensor<f32>):\nstablehlo.return %a : tensor<f32>\n})"
        )
    with pytest.raises(UnsupportedError, match=message):
        opc.compile(refused(line))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("%1 = stablehlo.add %0, %9 : tensor<2xf32>", r"2:26: error: %9 is used before"),
        ("%1 = stablehlo.abs %0 tensor<2xf32>", "2:31: error: expected an operand"),
        ("%1 = stablehlo.abs %0 : tensor<3xf32>", r"the result is tensor<2xf32>, the text says"),
        ("%1 = stablehlo.transpose %0, dims = [7] : (tensor<2xf32>) -> tensor<2xf32>", "transpose"),
        (
            "%1 = stablehlo.abs %0 : tensor<2xf32>\n"
            "%2 = func.call @f(%1) : (tensor<2xf32>) -> tensor<2xf32>",
            "there is no function @f",
        ),
        ("%1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<3xf32>", "2 elements, expected 3"),
        ("%1 = stablehlo.add %0 : tensor<2xf32>", "stablehlo.add: .*missing 1 required"),
        (
            "%1 = stablehlo.tuple %0 : tuple<tensor<2xf32>>\n%2 = stablehlo.get_tuple_element "
            "%1[1] : (tuple<tensor<2xf32>>) -> tensor<2xf32>",
            "found 1, expected an element of a tuple",
        ),
        (f"%1 = stablehlo.tuple %0 : {'tuple<' * 99}", "types are nested more than 64 deep"),
    ],
)
def test_invalid(line: str, message: str) -> None:
    with pytest.raises((InputError, UnsupportedError), match=message):
        opc.compile(refused(line))


NESTED = """
func.func @main(%0: tensor<2xf32>) -> tensor<2xf32> {
  %1 = func.call @outer(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func private @outer(%0: tensor<2xf32>) -> tensor<2xf32> {
  %1 = func.call @inner(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func private @inner(%0: tensor<2xf32>) -> tensor<2xf32> {
  %1 = stablehlo.abs %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}
"""


def test_nodes_of_nested_calls_count_once() -> None:
    opc.compile(NESTED, budgets={"nodes": 2})
    with pytest.raises(UnsupportedError, match="written out: found 2 nodes, expected at most 1"):
        opc.compile(NESTED, budgets={"nodes": 1})
