"""opc: compiles tensor-operator graphs to C.

``opc.compile`` turns a graph into a callable, ``opc.function`` a Python function.  Nothing heavy is
imported until it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from opc.support.collection import no_collection

if TYPE_CHECKING:
    from opc.api.driver import Function, Options, compile, lower
    from opc.api.traced import function
    from opc.frontend.python.builder import trace
    from opc.frontend.python.spec import spec
    from opc.runtime.artifact import load

    from . import numpy as numpy
    from .errors import OpcError

__version__ = "0.1.0"

_HOMES = {
    "compile": "opc.api.driver",
    "lower": "opc.api.driver",
    "Options": "opc.api.driver",
    "Function": "opc.api.driver",
    "OpcError": "opc.errors",
    "function": "opc.api.traced",
    "load": "opc.runtime.artifact",
    "spec": "opc.frontend.python.spec",
    "trace": "opc.frontend.python.builder",
}

__all__ = [
    "Function",
    "OpcError",
    "Options",
    "compile",
    "function",
    "load",
    "lower",
    "spec",
    "trace",
]


def _imported(name: str) -> Any:
    """Import a public name when it is first used."""
    if name in _HOMES:
        with no_collection():
            return getattr(import_module(_HOMES[name]), name)
    if name == "numpy":
        with no_collection():
            return import_module("opc.numpy")
    raise AttributeError(f"module 'opc' has no attribute {name!r}")


if not TYPE_CHECKING:  # type checkers would take any name for one of opc
    __getattr__ = _imported
