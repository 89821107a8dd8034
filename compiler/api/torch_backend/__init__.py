"""The backend of ``torch.compile``: ``torch.compile(module, backend="opc")``.

PyTorch captures a graph, AotAutograd gives it without mutation in the core operators of ATen, opc
compiles what it has of these, and PyTorch runs the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from opc.frontend.torch.decompositions import decompositions

from .part import Part
from .partition import divided
from .settings import Settings, settings_of


def backend(
    graph_module: Any,
    example_inputs: Sequence[Any],
    *,
    mode: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Callable[..., Any]:
    """The backend ``opc`` of ``torch.compile``, which PyTorch finds by an entry point.

    ``mode`` and ``options`` are those of :mod:`opc.api.torch_backend.settings`.  Where gradients
    are asked for, the graphs of both directions are compiled.

    Raises UsageError for modes and options that are not known, and ToolchainError.
    """
    torch: Any = import_module("torch")
    common: Any = import_module("torch._dynamo.backends.common")
    partitioners: Any = import_module("torch._functorch.partitioners")
    settings = settings_of(mode, options, torch.get_num_threads())

    def with_gradients(graph: Any, inputs: Sequence[Any]) -> Callable[..., Any]:
        return _compiled(graph, (), settings)

    def for_inference(graph: Any, inputs: Sequence[Any]) -> Callable[..., Any]:
        return _compiled(graph, _weights(settings), settings)

    aot = common.aot_autograd(
        fw_compiler=with_gradients,
        inference_compiler=for_inference,
        decompositions=decompositions(),
        partition_fn=partitioners.min_cut_rematerialization_partition,
    )
    return aot(graph_module, example_inputs)


def _weights(settings: Settings) -> Sequence[int]:
    """The places of parameters and buffers among the arguments of the graph at hand."""
    guards: Any = import_module("torch._guards")
    if settings.freeze is False:
        return ()
    return guards.TracingContext.get().fw_metadata.static_input_indices


def _compiled(graph_module: Any, weights: Sequence[int], settings: Settings) -> Callable[..., Any]:
    """What runs a graph: AotAutograd gives it a list of arguments, which it empties."""
    run = divided(
        graph_module, weights, lambda part, places: Part(part, places, settings), {}
    ).forward

    def call(args: list[Any]) -> Any:
        results = run(*args)
        args.clear()
        return results

    call._boxed_call = True  # pyright: ignore[reportFunctionMemberAccess]
    return call
