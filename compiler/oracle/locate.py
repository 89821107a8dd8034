"""Where a graph goes wrong: the first operator, and the first pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import FunctionType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from opc.dialects.named import RESULT_NAMES
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.control import ControlOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.registry import context
from opc.interpret import function as interpreter
from opc.interpret.bounds import Bounded
from opc.interpret.precision import Array
from opc.passes import pipeline
from opc.support.locations import location_of
from opc.support.provenance import nodes

from .compare import Mismatch, compare
from .subject import Outcome, Subject, function_in


@dataclass(frozen=True)
class FirstDifference:
    """An operator whose value differs, and in which graph it was seen."""

    operator: str
    how: str
    what: Mismatch


def described(op: Operation) -> str:
    """``exp #3 (model.mlir:5:3)``: kind, number among the nodes, and place."""
    origins = nodes(op.location)
    name = ", ".join(f"{kind} #{ordinal}" for ordinal, kind in origins) or op.name
    place = location_of(op)
    return f"{name} ({place})" if place else name


def operators(function: FuncOp) -> list[OpcOp | ControlOp]:
    """The operators that compute something and control flow, in order."""
    ops = (op for op in function.body.block.ops if isinstance(op, OpcOp | ControlOp))
    return [op for op in ops if not isinstance(op, ConstantOp)]


def return_values(function: FuncOp, values: Sequence[SSAValue]) -> None:
    """Let a function return other values."""
    end = function.body.block.last_op
    assert isinstance(end, ReturnOp)
    end.operands = list(values)
    function.function_type = FunctionType.from_lists(
        [arg.type for arg in function.body.block.args], [v.type for v in values]
    )
    function.attributes.pop(RESULT_NAMES, None)
    function.properties.pop("res_attrs", None)


def _copied(subject: Subject, change: Callable[[FuncOp], None]) -> Subject:
    module = subject.module.clone()
    change(function_in(module))
    return Subject(module, subject.options)


def prefix(subject: Subject, count: int) -> Subject:
    """The first operators, with every value of theirs that is used behind them as a result."""

    def cut(function: FuncOp) -> None:
        kept = operators(function)[:count]
        last = kept[-1] if kept else None
        ops = list(function.body.block.ops)
        behind = ops[ops.index(last) + 1 :] if last else []
        needed = [
            v
            for op in kept
            for v in op.results
            if any(use.operation in behind for use in v.uses) or not v.uses
        ]
        return_values(function, needed)
        for op in reversed(behind):
            if not isinstance(op, ReturnOp):
                op.detach()
                op.erase()

    return _copied(subject, cut)


def tried(subject: Subject, inputs: Sequence[Array]) -> Outcome:
    """The outcome of a graph; one that cannot be compiled does not agree."""
    try:
        return subject.try_on(inputs, interpret_loops=True)
    except Exception as error:
        # A wrong pass may cause any exception.
        return Outcome((), Mismatch(f"it cannot be compiled: {type(error).__name__}: {error}"))


def first_operator(subject: Subject, inputs: Sequence[Array]) -> FirstDifference | None:
    """The first operator whose value differs.

    First every value is a result.  This prevents fusion, so if nothing differs, a search for the
    shortest prefix that differs follows; its results are the values that are used behind it.
    """
    tapped = _copied(
        subject, lambda f: return_values(f, [v for op in operators(f) for v in op.results])
    )
    place = _first(tapped, inputs, "with the value of every operator as a result")
    if place is not None:
        return place
    right, wrong = 0, len(operators(subject.function))
    while wrong - right > 1:
        middle = (right + wrong) // 2
        if tried(prefix(subject, middle), inputs).agrees:
            right = middle
        else:
            wrong = middle
    if not wrong:
        return None
    text = f"found by compiling the first {wrong} operators alone"
    shortest = prefix(subject, wrong)
    place = _first(shortest, inputs, text)
    if place is not None:
        return place
    what = tried(shortest, inputs).mismatch or Mismatch("differs in the whole graph only")
    return FirstDifference(described(operators(subject.function)[wrong - 1]), text, what)


def _first(subject: Subject, inputs: Sequence[Array], how: str) -> FirstDifference | None:
    outcome = tried(subject, inputs)
    end = subject.function.body.block.last_op
    assert end is not None
    pairs = dict(zip(end.operands, outcome.results, strict=False))
    for op in operators(subject.function):
        for what in (pairs[v].mismatch for v in op.results if v in pairs):
            if what is not None:
                return FirstDifference(described(op), how, what)
    return None


def runs_after_passes(subject: Subject, inputs: Sequence[Array]) -> Iterator[tuple[str, Outcome]]:
    """The results of the IR after each pass, interpreted; raises what a pass raises."""
    expected = subject.expected(inputs)
    module = subject.module.clone()
    for name in subject.passes:
        pipeline.run(module, context(), [name], target=subject.options.target)
        results = interpreter.run(function_in(module), inputs)
        yield name, Outcome([compare(a, b) for a, b in zip(results, expected, strict=True)])


def last_run(subject: Subject, inputs: Sequence[Array], expected: Sequence[Bounded]) -> Outcome:
    """The results of the loops, interpreted; raises what a pass or the interpreter raises."""
    results = interpreter.run(subject.loops, inputs)
    return Outcome([compare(a, b) for a, b in zip(results, expected, strict=True)])


def first_pass(subject: Subject, inputs: Sequence[Array]) -> tuple[str, str] | None:
    """The first pass after which the IR gives another result, and what is wrong then."""
    names = iter(subject.passes)
    runs = runs_after_passes(subject, inputs)
    for name in names:
        try:
            _, outcome = next(runs)
        except StopIteration:
            break
        except Exception as error:
            # A wrong pass, or what runs its IR, may raise any exception.
            return name, f"{type(error).__name__}: {error}"
        for k, result in enumerate(outcome.results):
            if result.mismatch is not None:
                return name, f"result {k} {result.mismatch}"
    return None
