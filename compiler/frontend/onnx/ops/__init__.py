"""The registry of ONNX operators: a schema and a legalization for each version."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from .schema import SCHEMAS, Schema, element_named, find, qualified

NEWEST = 28
"""The newest opset that the schemas were compared with."""

NEWEST_OF = {
    "ai.onnx.ml": 5,
    "ai.onnx.preview": 1,
    "ai.onnx.preview.training": 1,
    "com.microsoft": 1,
}
"""The newest opset of each other domain."""

__all__ = ["NEWEST", "NEWEST_OF", "SCHEMAS", "Schema", "element_named", "find", "qualified"]

# Importing a module registers its schemas.
for _module in iter_modules(__path__, f"{__name__}."):
    import_module(_module.name)
