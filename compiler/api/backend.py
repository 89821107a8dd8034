"""The ONNX backend interface: ``opc.api.backend`` in place of any other backend.

::

    import opc.api.backend as backend
    outputs = backend.run_model(model, inputs)

What opc cannot compile raises ``BackendIsNotSupposedToImplementIt`` from ``prepare``.  Keywords of
``prepare`` are options of ``opc.compile``; the environment variable ``OPC_BACKEND_TARGET`` gives
the target where no keyword does, for runners that pass none.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from onnx.backend.base import Backend, BackendRep, Device, DeviceType, namedtupledict
from onnx.backend.test.runner import BackendIsNotSupposedToImplementIt

import opc
from opc.errors import UnsupportedError

TARGET = "OPC_BACKEND_TARGET"
"""The environment variable with the target to compile for."""


class OpcBackendRep(BackendRep):
    """A compiled model."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """The outputs, in a tuple that also has their names, for inputs by order or by name."""
        arguments: list[Any] = [inputs]
        if isinstance(inputs, dict):
            names = [spec.name for spec in self.function.inputs]
            named = cast("dict[str, Any]", inputs)
            if self.function.interface.has_seed and names[-1] not in named:
                names.pop()
            arguments = [named[name] for name in names]
        elif isinstance(inputs, Sequence):
            arguments = list(cast("Sequence[Any]", inputs))
        returned = self.function(*arguments)
        results = returned if len(self.function.outputs) != 1 else (returned,)
        return namedtupledict("Outputs", [s.name for s in self.function.outputs])(*results)


class OpcBackend(Backend):
    """opc as an ONNX backend."""

    @classmethod
    def is_compatible(cls, model: Any, device: str = "CPU", **kwargs: Any) -> bool:
        """Whether opc can compile a model."""
        from .driver import load, lower

        try:
            lower(load(model))
        except opc.OpcError:
            return False
        return cls.supports_device(device)

    @classmethod
    def prepare(cls, model: Any, device: str = "CPU", **kwargs: Any) -> OpcBackendRep:
        """The compiled model.

        Raises ``BackendIsNotSupposedToImplementIt`` for what opc does not support, InputError for
        a model that is wrong.
        """
        if not cls.supports_device(device):
            raise BackendIsNotSupposedToImplementIt(f"device {device} is not supported")
        options = dict(kwargs)
        if os.environ.get(TARGET):
            options.setdefault("target", os.environ[TARGET])
        try:
            return OpcBackendRep(opc.compile(model, **options))
        except UnsupportedError as error:
            raise BackendIsNotSupposedToImplementIt(str(error)) from error

    @classmethod
    def run_model(
        cls, model: Any, inputs: Any, device: str = "CPU", **kwargs: Any
    ) -> tuple[Any, ...]:
        """The outputs of a model."""
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def run_node(
        cls,
        node: Any,
        inputs: Any,
        device: str = "CPU",
        outputs_info: Sequence[tuple[Any, tuple[int, ...]]] | None = None,
        **kwargs: Any,
    ) -> tuple[Any, ...]:
        """The outputs of one node, whose inputs have the types of the arrays."""
        import onnx
        from onnx import helper

        opset = kwargs.pop("opset_version", onnx.defs.onnx_opset_version())
        names = [name for name in node.input if name]
        arrays: list[Any] = [inputs[n] for n in names] if isinstance(inputs, dict) else list(inputs)
        infos = [
            helper.make_tensor_value_info(
                name, helper.np_dtype_to_tensor_dtype(np.asarray(a).dtype), np.asarray(a).shape
            )
            for name, a in zip(names, arrays, strict=True)
        ]
        outputs = [onnx.ValueInfoProto(name=name) for name in node.output if name]
        graph = helper.make_graph([node], "node", infos, outputs)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
        return cls.run_model(model, arrays, device, **kwargs)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Whether a device is the processor."""
        try:
            return Device(device).type == DeviceType.CPU
        except (AttributeError, ValueError):
            return False


is_compatible = OpcBackend.is_compatible
prepare = OpcBackend.prepare
run_model = OpcBackend.run_model
run_node = OpcBackend.run_node
supports_device = OpcBackend.supports_device
