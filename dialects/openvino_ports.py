"""Bindings of a layer's body to the inputs and outputs of the layer.

As text, ``2 back 0, iteration, 3 axis 0 start 0 end -1 stride 1 size 1 -> 0, 1 axis 0 start 0
end -1 stride 1 size 1 while 2``.  The arguments of the body are input 2 of the layer at first and
then result 0 of the body; the number of the iteration; and a slice of input 3.  Output 0 of the
layer is the last result 0 of the body, output 1 the results 1 of all iterations, concatenated along
an axis.  Result 2 is true if there is another iteration.
"""

from __future__ import annotations

from dataclasses import dataclass

ITERATION = "iteration"
_KEYS = ("axis", "start", "end", "stride", "size")


@dataclass(frozen=True)
class Parts:
    """The slice of an axis for each iteration: ``size`` positions, from ``start`` to ``end``.

    As in the model, the bound -1 is behind the last position, and iterations go backwards with a
    negative stride.
    """

    axis: int
    start: int
    end: int
    stride: int
    size: int

    def __str__(self) -> str:
        values = (self.axis, self.start, self.end, self.stride, self.size)
        return " ".join(f"{key} {value}" for key, value in zip(_KEYS, values, strict=True))


@dataclass(frozen=True)
class Argument:
    """An argument of a body: ``source`` is an input of the layer, None the iteration's number.

    ``back`` is the result of the body that replaces it from the second iteration on.
    """

    source: int | None
    back: int | None = None
    parts: Parts | None = None

    def __str__(self) -> str:
        words = [ITERATION if self.source is None else str(self.source)]
        words += [] if self.back is None else [f"back {self.back}"]
        words += [] if self.parts is None else [str(self.parts)]
        return " ".join(words)


@dataclass(frozen=True)
class Output:
    """An output of the layer: a result of the last iteration, or the slices of all iterations."""

    result: int
    parts: Parts | None = None

    def __str__(self) -> str:
        return str(self.result) if self.parts is None else f"{self.result} {self.parts}"


@dataclass(frozen=True)
class Ports:
    """The binding of a body: its arguments, and the outputs and condition made of its results."""

    arguments: tuple[Argument, ...]
    outputs: tuple[Output, ...]
    condition: int | None = None

    def __str__(self) -> str:
        arguments, outputs = (", ".join(map(str, v)) for v in (self.arguments, self.outputs))
        ending = "" if self.condition is None else f" while {self.condition}"
        return f"{arguments} -> {outputs}{ending}".strip()

    @staticmethod
    def parse(text: str) -> Ports:
        """Parse the form shown above.  ValueError for other text."""
        arguments, arrow, outputs = text.partition("->")
        outputs, has_while, condition = outputs.partition("while")
        if not arrow:
            raise ValueError(f"{text[:40]!r} has no ->")
        return Ports(
            tuple(_argument(item.split()) for item in arguments.split(",") if item.strip()),
            tuple(
                Output(int(number), _parts(words))
                for number, *words in map(str.split, filter(str.strip, outputs.split(",")))
            ),
            int(condition) if has_while else None,
        )

    def check(self, inputs: int, arguments: int, results: int, outputs: int) -> str | None:
        """What does not fit a layer and a body with these numbers of each; None if all does."""
        if len(self.arguments) != arguments or len(self.outputs) != outputs:
            return (
                f"{len(self.arguments)} arguments and {len(self.outputs)} outputs are bound, "
                f"expected {arguments} and {outputs}"
            )
        sources = [a.source for a in self.arguments if a.source is not None]
        if any(not 0 <= k < inputs for k in sources):
            return f"an argument is an input of {sources}, the layer has {inputs}"
        named = [a.back for a in self.arguments] + [o.result for o in self.outputs]
        if any(k is not None and not 0 <= k < results for k in (*named, self.condition)):
            return f"a result is named that the body, which has {results}, does not give"
        if any(a.back is not None and a.parts is not None for a in self.arguments):
            return "an argument is both a slice of an input and a result of the body"
        return None


def _parts(words: list[str]) -> Parts | None:
    if not words:
        return None
    if tuple(words[::2]) != _KEYS or len(words) != 2 * len(_KEYS):
        raise ValueError(f"expected {', '.join(_KEYS)}, found {' '.join(words)[:40]!r}")
    return Parts(*map(int, words[1::2]))


def _argument(words: list[str]) -> Argument:
    source = None if words[0] == ITERATION else int(words[0])
    rest, back = words[1:], None
    if rest[:1] == ["back"]:
        back, rest = int(rest[1]), rest[2:]
    return Argument(source, back, _parts(rest))
