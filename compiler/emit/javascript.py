"""JavaScript that calls a WebAssembly module of emitted C, and its types for TypeScript."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable

from opc.errors import UnsupportedError
from opc.support.interface import Interface, TensorSpec

from .texts import c_text

_ARRAYS = {
    **{"float32": "Float32Array", "float64": "Float64Array", "bool": "Uint8Array"},
    **{name: f"{name.title()}Array" for name in ("int8", "int16", "int32")},
    **{f"u{name}": f"U{name}Array" for name in ("int8", "int16", "int32")},
    **{"int64": "BigInt64Array", "uint64": "BigUint64Array"},
    **dict.fromkeys(("float16", "bfloat16"), "Uint16Array"),
}
"""The typed array of each type of elements; small floats are their bits."""


def exported(interface: Interface) -> list[str]:
    """The C functions that the script calls.

    Raises :class:`UnsupportedError` where extents are unknown or inputs hold outputs.
    """
    if interface.needs_plan or interface.dims or interface.workspace is None:
        names = ", ".join(interface.dims) or "those of outputs"
        raise UnsupportedError(f"--emit wasm: extents are unknown: {names}; fix them with --dim")
    if interface.donated:
        raise UnsupportedError("--emit wasm: found inputs that hold outputs")
    weights = [f"{interface.prefix}_weights"] if interface.has_weights else []
    return [f"{interface.prefix}_run", *weights]


def script(interface: Interface, has_relaxed: bool = False) -> str:
    """The module in JavaScript, which probes the host if there is a WebAssembly module for that."""
    inputs, outputs = interface.inputs, interface.outputs
    return c_text(
        "javascript.script",
        prefix=interface.prefix,
        first=", ".join(f"{json.dumps(s.name)}: y{k}" for k, s in enumerate(outputs)),
        given=", ".join(f"{json.dumps(s.name)}: x{k}" for k, s in enumerate(inputs)),
        inputs=_specs(inputs),
        outputs=_specs(outputs),
        workspace=interface.workspace,
        file=c_text(f"javascript.{'probed' if has_relaxed else 'file'}", prefix=interface.prefix),
        weights=f"exports.{interface.prefix}_weights(), " if interface.has_weights else "",
    )


def types(interface: Interface) -> str:
    """The declarations for TypeScript."""
    inputs = "".join(_field(s, takes_list=True) for s in interface.inputs)
    outputs = "".join(_field(s, takes_list=False) for s in interface.outputs)
    return c_text("javascript.types", prefix=interface.prefix, inputs=inputs, outputs=outputs)


def _field(spec: TensorSpec, *, takes_list: bool) -> str:
    """The declaration of an array."""
    kind, element = _ARRAYS[spec.dtype.name], _element(spec)
    is_bits = element.endswith("bits")
    about = f"  /** The {element} of each element. */\n" if is_bits else ""
    other = f" | {element}[]" if takes_list and not is_bits else ""
    return f"{about}  {json.dumps(spec.name)}: {kind}{other};\n"


def _element(spec: TensorSpec) -> str:
    """What a typed array of these elements holds."""
    if spec.dtype.name in ("float16", "bfloat16"):
        return f"{spec.dtype.name} bits"
    return "bigint" if "Big" in _ARRAYS[spec.dtype.name] else "number"


def _specs(specs: Iterable[TensorSpec]) -> str:
    """The name, the kind of array, the number of elements and what they are, of each."""
    rows = [
        f"[{json.dumps(s.name)}, {_ARRAYS[s.dtype.name]}, "
        f'{math.prod(n for n in s.shape if isinstance(n, int))}, "{_element(s)}"]'
        for s in specs
    ]
    return f"[{', '.join(rows)}]"
