"""The registry of OpenVINO operators: one schema for each version, with its legalizing function."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from .schema import SCHEMAS, Schema, canonical, find

__all__ = ["SCHEMAS", "Schema", "canonical", "find"]

# Importing a module registers its schemas.
for _module in iter_modules(__path__, f"{__name__}."):
    import_module(_module.name)
