"""Activation functions of models, by name, with the defaults of their parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import opc.numpy as onp

Function: TypeAlias = "Callable[..., Any]"


def _affine(x: Any, alpha: float, beta: float) -> Any:
    return x * alpha + beta


def _scaled_tanh(x: Any, alpha: float, beta: float) -> Any:
    return onp.tanh(x * beta) * alpha


def _parametric_softplus(x: Any, alpha: float, beta: float) -> Any:
    return onp.softplus(x * beta) * alpha


ACTIVATIONS: dict[str, tuple[tuple[float, ...], Function]] = {
    "Relu": ((), onp.relu),
    "Tanh": ((), onp.tanh),
    "Sigmoid": ((), onp.sigmoid),
    "Softsign": ((), onp.softsign),
    "Softplus": ((), onp.softplus),
    "Affine": ((1.0, 0.0), _affine),
    "LeakyRelu": ((0.01,), onp.leaky_relu),
    "ThresholdedRelu": ((1.0,), onp.thresholded_relu),
    "ScaledTanh": ((1.0, 1.0), _scaled_tanh),
    "HardSigmoid": ((0.2, 0.5), onp.hard_sigmoid),
    "Elu": ((1.0,), onp.elu),
    "HardSwish": ((), onp.hard_swish),
    "Gelu": ((), onp.gelu),
    "Clip": ((float("-inf"), float("inf")), onp.clip),
    "Selu": ((1.6732632, 1.050701), onp.selu),
    "ParametricSoftplus": ((1.0, 1.0), _parametric_softplus),
}
