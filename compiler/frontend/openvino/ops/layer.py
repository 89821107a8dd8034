"""A layer with its inputs and attributes, as the functions of operators take them.

A parameter has the name of an input and takes it in the form of its annotation; a keyword has the
name of an attribute; ``**attributes`` are all.  Of a version without one of these an input is None
and a keyword its default.  Parameters of the types ``Layer`` and ``Attributes`` are the layer, for
requirements and errors, and its attributes by name::

    @openvino("GRN", 1)
    def grn(data: Wide, *, bias: float) -> Any: ...

Results get the element types that the schema states.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cache, partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, get_args, get_type_hints

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.openvino import NAME, LayerOp
from opc.dialects.shape import Shape, shape_of, shape_text, tensor_of
from opc.frontend.models.call import Call
from opc.frontend.models.containers import Held
from opc.frontend.models.known import Known
from opc.frontend.models.op_builder import Insert, Result, Value
from opc.frontend.python.elementwise import widened
from opc.frontend.verify import shown
from opc.support.locations import location_of

from .schema import Schema, canonical

if TYPE_CHECKING:
    from opc.frontend.legalizer import Legalizer


class Attributes(SimpleNamespace):
    """The attributes of a layer by name, for functions that take many."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


class Layer(Call):
    """One layer of a model, with its inputs already legalized."""

    schema: Schema

    def __init__(
        self,
        op: LayerOp,
        schema: Schema,
        inputs: Sequence[Result],
        insert: Insert,
        into: Legalizer[Any, Any],
    ) -> None:
        super().__init__(inputs, insert, into, op)
        self.op = op
        self.schema = schema
        self._check_inputs()
        self._attributes = self._decoded()

    def _check_inputs(self) -> None:
        least, most = self.schema.least, self.schema.most
        if len(self.inputs) < least or (most is not None and len(self.inputs) > most):
            several = f"{least} to {most}" if most is not None else f"at least {least}"
            wanted = str(least) if least == most else several
            raise self.error(f"{len(self.inputs)} inputs, expected {wanted}")
        self.bound: dict[str, el.ElementType] = {}
        """The element types of the schema's type variables."""
        for k in range(len(self.inputs)):
            spec = self.schema.input(k)
            type, allowed = self.element(k), self.schema.types[spec.type]
            if type not in allowed:
                raise self.error(
                    f"input {spec.name} is {type}, expected one of {el.names(allowed)}"
                )
            first = self.bound.setdefault(spec.type, type)
            if first is not type and spec.type == "T":
                raise self.error(f"inputs are {first} and {type}, expected one type")

    def _decoded(self) -> dict[str, Any]:
        known = {a.name: a for a in self.schema.attributes}
        texts = {a.name: a.default for a in self.schema.attributes}
        seen = set[str]()
        for key, text in self.op.text.items():
            name = canonical(key)
            if name not in known:
                raise self.error(
                    f"unknown attribute {shown(key)}; it has {', '.join(known) or 'none'}"
                )
            if name in seen:
                raise self.error(f"attribute {name} is given twice")
            seen.add(name)
            texts[name] = text
        values: dict[str, Any] = {}
        for name, text in texts.items():
            if text is None:
                raise self.error(f"attribute {name} is missing")
            try:
                values[name] = known[name].decode(text)
            except ValueError as error:
                raise self.error(f"attribute {name}: {error}") from None
        return values

    def results(self) -> tuple[Value | None, ...]:
        """What the function of the operator gives, in the element types of the schema."""
        rule = self._attributes.pop("auto_broadcast", None)
        if rule is not None:
            broadcast_inputs(self, rule, self._attributes.pop("axis"))
        places = {i.name: k for k, i in enumerate(self.schema.inputs)}
        arguments: list[Any] = []
        keywords: dict[str, Any] = {}
        for name, kind, form in _parameters(self.schema.function):
            place = places.get(name.rstrip("_"))
            if form is Layer:
                arguments.append(self)
            elif form is Attributes:
                arguments.append(Attributes(**self._attributes))
            elif kind is inspect.Parameter.KEYWORD_ONLY:
                keywords |= {name: self._attributes[name]} if name in self._attributes else {}
            elif kind is inspect.Parameter.VAR_KEYWORD:
                keywords |= self._attributes
            elif kind is inspect.Parameter.VAR_POSITIONAL:
                arguments += [form(self, k) for k in range(place or 0, len(self.inputs))]
            else:
                is_given = place is not None and self.has(place)
                arguments.append(form(self, place) if is_given else None)
        outcome: Any = self.schema.function(*arguments, **keywords)
        results: list[Any] = [*outcome] if isinstance(outcome, tuple) else [outcome]
        return tuple(self._typed(k, r) for k, r in enumerate(results))

    def _typed(self, number: int, result: Value | None) -> Value | None:
        """A result in the element type that the schema states for it."""
        stated = self.schema.results
        if not stated or result is None or isinstance(result, Held | Known):
            return result
        name = stated[min(number, len(stated) - 1)].rstrip("*")
        type = self.bound.get(name) or self._attributes.get(name) or name
        return self.cast(self.tensor(result), el.BY_NAME[type] if isinstance(type, str) else type)

    @property
    def operator(self) -> str:
        """The name of its operator."""
        return self.schema.type

    @property
    def place(self) -> str:
        """The source location of the layer."""
        return location_of(self.op)

    @property
    def input_count(self) -> int:
        """The number of inputs that its operator names."""
        return len(self.schema.inputs)

    def input_name(self, position: int) -> str:
        """The name of an input."""
        return self.schema.input(position).name

    def known_numbers(self, position: int) -> list[int] | None:
        """The elements of a list if they are numbers when compiling."""
        return [] if self.known_list(position) == () else super().known_numbers(position)

    def stated(self, position: int, count: int) -> Shape:
        """The extents in a list of ``count``.  UnsupportedError unless known at compile time."""
        known, name = self.known_list(position), self.input_name(position)
        if known is None:
            raise self.unsupported(f"input {name} is not known when compiling")
        if len(known) != count:
            raise self.error(f"input {name} has {len(known)} elements, expected {count}")
        return known

    def one_number(self, position: int) -> int:
        """The only number in a list, which must be known when compiling."""
        numbers, _ = self.numbers(position), self.stated(position, 1)
        return numbers[0]

    def number(self, position: int) -> float | None:
        """The value of an input of one element, if it is a constant."""
        op = self[position].owner
        if not isinstance(op, ConstantOp):
            return None
        array = op.array()
        return float(array.reshape(-1)[0]) if array.size == 1 else None

    def scalar(self, position: int, type: el.ElementType | None = None) -> Any:
        """An input of one element as an array of rank 0, in its own element type or another one."""
        shape = self.shape(position)
        if any(e.constant not in (None, 1) for e in shape):
            name = self.input_name(position)
            raise self.error(f"input {name} has shape {shape_text(shape)}, expected one element")
        return self.traced(position, type).reshape(())

    def wide(self, position: int) -> Any:
        """An input as an array, f16 and bf16 in f32."""
        return widened(self.traced(position))

    def attr(self, name: str) -> Any:
        """An attribute as a Python value."""
        return self._attributes[name]

    @property
    def label(self) -> str:
        """``layer "name" (ReduceSum opset1)``."""
        return label(self.op)


Data: TypeAlias = Annotated[Any, Layer.traced]
"""An input as an array, in its own element type."""
Wide: TypeAlias = Annotated[Any, Layer.wide]
"""As an array; f16 and bf16 in f32, so that a result of several operations is rounded once."""
Single: TypeAlias = Annotated[Any, partial(Layer.traced, type=el.F32)]
"""As an array of f32."""
Long: TypeAlias = Annotated[Any, partial(Layer.traced, type=el.I64)]
"""As an array of i64."""
Scalar: TypeAlias = Annotated[Any, Layer.scalar]
"""Its one element as an array of rank 0."""
LongScalar: TypeAlias = Annotated[Any, partial(Layer.scalar, type=el.I64)]
"""Its one element as an array of rank 0 of i64."""
Number: TypeAlias = Annotated[int, Layer.one_number]
"""Its one element, which must be known when compiling."""
Numbers: TypeAlias = Annotated[list[int], Layer.numbers]
"""Its elements, which must be known when compiling."""
Extents: TypeAlias = Annotated[tuple[ex.Expr, ...], Layer.extents]
"""The extents that it lists."""


@cache
def _parameters(function: Any) -> list[tuple[str, Any, Callable[..., Any]]]:
    """The name, kind and form of each parameter of an operator."""
    hints = get_type_hints(getattr(function, "func", function), include_extras=True)
    parameters: list[tuple[str, Any, Any]] = []
    for name, parameter in inspect.signature(function).parameters.items():
        hint = hints[name]
        # ``Number | None`` holds the form of ``Number``.
        forms = [getattr(h, "__metadata__", None) for h in (hint, *get_args(hint))]
        form = next((f[0] for f in forms if f is not None), hint)
        parameters.append((name, parameter.kind, form))
    return parameters


def broadcast_inputs(layer: Layer, rule: str, axis: int) -> None:
    """Reshape and broadcast the inputs of a layer so that NumPy's rule does the rest.

    ``numpy`` leaves them as they are, ``none`` demands equal shapes, and ``pdpd`` broadcasts the
    others to the shape of the first (of Select: of ``then``), whose axes they match from ``axis``
    on.
    """
    first = 1 if layer.operator == "Select" else 0
    target = layer.shape(first)
    for k in range(len(layer.inputs) if rule != "numpy" else 0):
        if k == first:
            continue
        if rule == "pdpd":
            layer.inputs[k] = run_of(layer, layer[k], target, axis)
            continue
        shape = layer.shape(k)
        shapes = f"shapes {shape_text(target)} and {shape_text(shape)}"
        what = f"{shapes} differ, and auto_broadcast is none"
        if len(shape) != len(target):
            raise layer.error(what)
        for x, y in zip(target, shape, strict=True):
            layer.require("equal", x, y, what)


def run_of(layer: Layer, x: SSAValue, target: Shape, axis: int) -> SSAValue:
    """x broadcast to ``target``, whose axes it matches from ``axis`` on; -1 aligns the last axes.

    ``x of shape [3, 1], target [2, 3, 4, 5], axis 1 --> broadcast (reshape x to [3, 1, 1])``
    """
    shape = shape_of(tensor_of(x))
    start = len(target) - len(shape) if axis == -1 else axis
    what = f"{shape_text(shape)} is no run of the axes of {shape_text(target)} from axis "
    if start < 0:
        raise layer.error(f"{what}{axis}")
    while shape and shape[-1] == 1:
        shape = shape[:-1]
    # Trailing axes of extent 1 do not count, and an empty run fits anywhere.
    missing = len(target) - start - len(shape)
    if missing < 0 and shape:
        raise layer.error(f"{what}{start}")
    column = (*shape, *(ex.const(1) for _ in range(missing if shape else 0)))
    return layer.broadcast(layer.reshape(x, column), target)


def label(op: LayerOp) -> str:
    """``layer "name" (ReduceSum opset1)``."""
    return f"{named(op)} ({op.operator.data} opset{op.opset.data})"


def named(op: LayerOp) -> str:
    """``layer "name"``."""
    name = op.attributes.get(NAME)
    return f'layer "{shown(name.data)}"' if isinstance(name, StringAttr) else "layer"
