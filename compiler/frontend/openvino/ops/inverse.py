"""Inverses of matrices."""

from __future__ import annotations

from typing import Any

from opc.frontend.models.inverse import inverted

from .layer import Layer
from .schema import openvino


@openvino("Inverse", 14)
def inverse(layer: Layer) -> Any:
    """Inverse-14 --> opc.scan over the columns; ``adjoint`` transposes the result."""
    return inverted(layer, layer.attr("adjoint"))
