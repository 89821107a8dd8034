"""Declarations of a C function: local arrays, the workspace, constants and weights."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Generator, Hashable, Iterator
from functools import partial

import numpy as np
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.blob import BlobAttr, array_of
from opc.dialects.buffer import bytes_of, element_in
from opc.dialects.element import BY_NAME, ElementType
from opc.dialects.registers import lanes_of
from opc.dialects.shape import IndexAttr, shape_of
from opc.dialects.walking import walk
from opc.errors import UnsupportedError
from opc.support.locations import location_of

from . import registers
from .control import Bodies
from .ctext import SUM, Text, number, stored
from .indices import Indices, Use
from .local_arrays import ALIGNED, array, role, starts_with_store
from .outlining import Outlining, StackSlot, StackSlots
from .shared import Shared
from .weights import ALIGNMENT
from .writer import Writer


class Storage(Writer):
    """A writer that declares local arrays, buffers and constants."""

    def __init__(
        self, shared: Shared, indices: Indices, name: str, slots: StackSlots, bodies: Bodies
    ) -> None:
        super().__init__(shared, indices, name)
        self.slots = slots
        self.bodies = bodies
        self.outlining = Outlining(slots)
        self.loops = 0
        """How many loops of the C function are open."""
        self.reads: set[SSAValue] = set()
        """Values whose expressions read memory."""
        self.products: set[SSAValue] = set()
        """Products that are rounded before they are added."""
        self.constant_buffers: set[SSAValue] = set()
        self.undeclared: dict[SSAValue, str] = {}
        self._known: dict[Hashable, str] = {}
        """The names of parts of the workspace and of the weights, by offset and type."""
        self.placed: dict[str, tuple[str, StackSlot]] = {}
        """The arrays in the workspace that the C function has, with their types and slots."""
        self.function: loop.ForOp | None = None
        self.origin = ""
        self.is_branch = False

    @contextlib.contextmanager
    def inside(self) -> Generator[None]:
        """Write a block of C, with whose end its names are gone."""
        outside = len(self.scope)
        self.depth += 1
        yield
        self.depth -= 1
        while len(self.scope) > outside:
            self.indices.forget(self.scope.popitem()[0])

    def name_repeated(self, op: loop.ForOp, variable: str) -> range:
        """Name the subexpressions that indices of a loop share; the range of these lines."""
        first = len(self.lines)
        for name, value in self.indices.name_repeated(self._uses(op), variable, self.fresh):
            self.define("int64_t", name, value)
        return range(first, len(self.lines))

    def _uses(self, op: loop.ForOp) -> Iterator[Use]:
        for inner in walk(op.body):
            for key, attr in inner.properties.items():
                if isinstance(attr, IndexAttr) and any(e.depth for e in attr.data):
                    dims: list[SSAValue] = list(getattr(inner, "dims", ()))
                    names = [self.names[v].text if v in self.names else None for v in dims]
                    for e in attr.data:
                        yield e, names, key == "upper"

    def drop_unused(self, lines: range) -> None:
        """Remove those of some definitions that nothing after them mentions."""
        after = self.lines[lines.stop :] if lines else []
        mentioned = set(re.findall(r"\w+", " ".join(after)))
        for k in reversed(lines):
            words = re.findall(r"\w+", self.lines[k])
            if words[2] in mentioned:
                mentioned.update(words)
            else:
                del self.lines[k]

    def arguments(self, arrays: dict[str, tuple[str, StackSlot]], parts: str = "") -> list[str]:
        """The addresses of arrays in the workspace; ``parts`` is where those of a thread begin."""
        addresses: list[str] = []
        for type, slot in arrays.values():
            offset = slot.offset
            if slot.is_of_thread and parts:
                start = parts
            else:
                start = self._whole()
                offset += self.slots.shared_bytes if slot.is_of_thread else ex.const(0)
            if start in ("parts", "whole"):
                offset -= self._inside(slot.is_of_thread)
            at = self.after(start, offset)
            addresses.append(f"({type} *)(void *){at if at.isidentifier() else f'({at})'}")
        return addresses

    def after(self, start: str, offset: ex.Expr) -> str:
        """The address so many bytes after another one."""
        return start if offset == 0 else f"{start} + {self.indices.text(offset, []).within(SUM)}"

    def _whole(self) -> str:
        """Where the workspace begins; in the function of a loop, the part for inner functions."""
        if self.function is None:
            return "(char *)workspace"
        self.placed["whole"] = "char", StackSlot(self._inside(False), False)
        return "whole"

    def _inside(self, is_of_thread: bool) -> ex.Expr:
        """Where the arrays of the functions begin that the C function calls."""
        assert self.function is not None
        return self.slots.inside[self.function, is_of_thread]

    def parts_of_threads(self) -> str:
        """Where the parts of threads begin; empty in the outermost function, which has them all."""
        if self.function is None:
            return ""
        self.placed["parts"] = "char", StackSlot(self._inside(True), True)
        return "parts"

    def local(self, op: loop.LocalOp) -> None:
        """Declare a local variable or array."""
        if op.within is not None:
            self.names[op.result] = self.names[op.within]
            return
        assert isinstance(op.result.type, MemRefType)
        shape = shape_of(op.result.type)
        name, type = self.fresh(role(op)), stored(element_in(op.result))
        self.names[op.result] = Text(name)
        slot = self.slots.in_workspace.get(op.result)
        if slot is not None:
            self._in_workspace(name, type, slot)
            return
        count = shape[0].constant if shape else 0
        if count is None:
            text = f"loop.local: found {op.result.type} on the stack; run place-arrays first"
            raise UnsupportedError(text, location_of(op))
        if (vector_lanes := lanes_of(op.result)) > 1:
            element = element_in(op.result)
            type, count = registers.vector_type(element, vector_lanes), count // vector_lanes
            self.shared.preamble.setdefault(type, registers.type_definition(element, vector_lanes))
        self.declare(name, type, pointer=bool(shape))
        if not shape and starts_with_store(op):
            self.undeclared[op.result] = f"{type} "
        elif vector_lanes > 1 or not count:
            self.line(f"{type} {name}" + (f"[{count}];" if count else ";"))
        else:
            self.shared.macro(ALIGNED)
            self.line(array(type, name, count))

    def _in_workspace(self, name: str, type: str, slot: StackSlot) -> None:
        """Declare an array of the workspace: a parameter in the function of a loop."""
        if self.function is None:
            self.line(f"{type} *const {name} = {self.arguments({name: (type, slot)})[0]};")
        else:
            self.placed[name] = type, slot
        self.declare(name, type, pointer=True)

    def slice(self, op: loop.SliceOp) -> None:
        """Name a buffer of the workspace, which lies after the arrays; one name for each offset."""
        type = stored(element_in(op.result))
        offset = op.offset.data[0] + self.slots.total_bytes
        at = self.indices.text(offset, []).within(14)
        if (type, at) not in self._known:
            name = self._known[type, at] = self.fresh("buffer")
            self.line(f"{type} *const {name} = ({type} *)(void *)((char *)workspace + {at});")
            self.declare(name, type, pointer=True)
        self.names[op.result] = Text(self._known[type, at])

    def view(self, op: loop.ViewOp) -> None:
        """Name a view: by its buffer, or by a pointer to its first element."""
        is_constant = op.source in self.constant_buffers
        if is_constant:
            self.constant_buffers.add(op.result)
        self.names[op.result] = self.names[op.source]
        if op.start != 0:
            name, type = self.fresh("view"), stored(element_in(op.result))
            declared = self.scope.get(self.names[op.source].text, "")
            is_read = is_constant or declared.startswith("const ")
            type = f"const {type}" if is_read else type
            at = self.indices.text(op.start, [self.names[v].text for v in op.dims]).within(SUM)
            self.line(f"{type} *const {name} = {self.names[op.source]} + {at};")
            self.declare(name, type, pointer=True)
            self.names[op.result] = Text(name)

    def constant(self, op: loop.ConstantOp) -> None:
        """Write a constant into the text or name a part of the weights; equal constants once."""
        self.constant_buffers.add(op.result)
        value, type = op.value, element_in(op.result)
        key = value, type.name
        is_weight = op.weight is not None
        known = self._known if is_weight else self.shared.named
        if key not in known:
            known[key] = self._weight(op, key, type) if is_weight else self._listed(op, type)
        self.names[op.result] = Text(known[key])

    def _listed(self, op: loop.ConstantOp, type: ElementType) -> str:
        """Write a constant into the text; its name."""
        array = array_of(op.value).reshape(-1)
        name = f"constant{len(self.shared.constants)}"
        # As numbers, two NaNs of a small type are one.
        codes, shown = (array.view(np.uint8), BY_NAME["ui8"]) if type.is_small else (array, type)
        values = [number(v, shown).text for v in codes.tolist()] or ["0"]
        if type.kind == "bool":
            values = [str(int(v == "true")) for v in values]
        rows = [", ".join(values[k : k + 8]) for k in range(0, len(values), 8)]
        text = rows[0] if len(rows) == 1 else "\n  " + ",\n  ".join(rows) + "\n"
        self.shared.constants[name] = (
            f"static const {stored(type)} {name}[{len(values)}] = {{{text}}};\n"
        )
        return name

    def _weight(self, op: loop.ConstantOp, key: Hashable, type: ElementType) -> str:
        """Name a part of the weights."""
        if key not in self.shared.offsets:
            value = op.value
            load = value.data.load if isinstance(value, BlobAttr) else partial(array_of, value)
            self.shared.offsets[key] = self.shared.weight_bytes
            self.shared.weights.append(load)
            size = bytes_of(op.result).constant or 0
            self.shared.kinds.append((stored(type), size // type.bytes))
            self.shared.weight_bytes += size + -size % ALIGNMENT
        offset, name, c = self.shared.offsets[key], self.fresh("weight"), stored(type)
        self.line(
            f"const {c} *const {name} = "
            f"(const {c} *)(const void *)((const char *)weights + {offset});"
        )
        self.declare(name, f"const {c}", pointer=True)
        return name
