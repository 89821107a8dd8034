"""A part of a graph of PyTorch that opc compiles when it is first called."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from opc.api import driver
from opc.api.inputs import Graph
from opc.api.tuning import NothingToTuneError
from opc.errors import InputError, UnsupportedError
from opc.frontend.torch.node import overload
from opc.frontend.torch.reader import from_graph

from .call import over_tensors
from .content import content_of
from .layout import in_memory_order, inverse
from .partition import divided, is_number, warn
from .probe import refusals
from .settings import Settings

Version = Callable[[Sequence[Any]], Sequence[Any]]
"""Takes the arguments of a part, and gives its results."""


class Part:
    """A part of a graph as a function of tensors and numbers.

    There are up to two versions of it: one in which weights are constants, for the tensors of the
    first call, and one that takes any.
    """

    def __init__(self, graph_module: Any, weights: Sequence[int], settings: Settings) -> None:
        """``weights`` are the places of the arguments that may become constants."""
        self._graph_module = graph_module
        self._weights = weights
        self._inputs, orders = in_memory_order(graph_module, weights)
        self._results = [order and inverse(order) for order in orders]
        self._settings = settings
        self._constants: list[tuple[int, Callable[[], Any], int, int]] = []
        self._constant: Version | None = None
        self._general: Version | None = None
        self._compiling = threading.RLock()

    def __call__(self, *args: Any) -> Sequence[Any]:
        """The results."""
        if self._is_constant(args):
            version = self._constant or self._with_constants(args)
        else:
            version = self._general or self._with_arguments()
        if self._inputs:
            moved = list(args)
            for k, order in self._inputs.items():
                moved[k] = args[k].permute(order)
            args = tuple(moved)
        results = version(args)
        if any(self._results):
            pairs = zip(results, self._results, strict=True)
            return [y if order is None else y.permute(order) for y, order in pairs]
        return results

    def _is_constant(self, args: Sequence[Any]) -> bool:
        """Whether the weights are the tensors that are constants, and unchanged."""
        for place, constant, address, version in self._constants:
            weight = args[place]
            if (
                constant() is not weight
                or weight._version != version
                or weight.data_ptr() != address
            ):
                return False
        return True

    def _with_constants(self, args: Sequence[Any]) -> Version:
        """The version in which the weights among these arguments are constants."""
        with self._compiling:
            if self._constant is None:
                # Nobody counts the changes of a tensor that was made in inference mode.
                is_watched = self._settings.freeze is None
                places = [k for k in self._weights if not (is_watched and args[k].is_inference())]
                versions = [args[k]._version for k in places] if is_watched else []
                # Other threads may call with other weights meanwhile.
                self._constants = [
                    (k, weakref.ref(args[k]), args[k].data_ptr(), version)
                    for k, version in zip(places, versions, strict=False)
                ]
                self._constant = self._compiled({k: args[k].detach() for k in places})
            return self._constant

    def _with_arguments(self) -> Version:
        """The version that takes weights as arguments."""
        with self._compiling:
            if self._general is None:
                self._general = self._compiled({})
            return self._general

    def _compiled(self, constants: Mapping[int, Any]) -> Version:
        """A version with the weights at some places as constants, or the part in PyTorch."""
        nodes = list(self._graph_module.graph.nodes)
        placeholders = [node for node in nodes if node.op == "placeholder"]
        weights = {placeholders[k].name: tensor for k, tensor in constants.items()}
        graph = Graph(
            lambda: from_graph(self._graph_module, weights),
            ".fx",
            content_of(self._graph_module, weights),
        )
        options, tune = self._settings.options, self._settings.tune
        try:
            try:
                function = driver.compile(graph, options=options, tune=tune)
            except NothingToTuneError:
                function = driver.compile(graph, options=options)
        except (UnsupportedError, InputError) as error:
            return self._in_pytorch(error.message, weights, tuple(constants))
        call = over_tensors(function, [node.meta["val"].dtype for node in nodes[-1].args[0]])
        places = [
            k for k, node in enumerate(placeholders) if k not in constants and not is_number(node)
        ]
        return lambda args: call([args[k] for k in places])

    def _in_pytorch(
        self, reason: str, weights: Mapping[str, Any], places: tuple[int, ...]
    ) -> Version:
        """The part without the nodes that opc refuses one by one, or all of it in PyTorch."""
        refused = refusals(self._graph_module, weights)
        if not refused:
            for node in self._graph_module.graph.nodes:
                if node.op == "call_function":
                    warn(f"{overload(node.target)}: {reason}")
            return lambda args: self._graph_module.forward(*args)
        smaller = divided(
            self._graph_module,
            places,
            lambda part, weights: Part(part, weights, self._settings),
            refused,
        )
        return lambda args: smaller.forward(*args)
