"""The registry of ONNX operators: a schema and a function that legalizes it for each version."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from .schema import SCHEMAS, Schema, element_named, find, qualified
from .signatures import newest

__all__ = ["SCHEMAS", "Schema", "element_named", "find", "newest", "qualified"]

# Importing a module registers its schemas.
for _module in iter_modules(__path__, f"{__name__}."):
    import_module(_module.name)
