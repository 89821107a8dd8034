"""What the functions of one C file have in common."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field

from opc.dialects.opc.movement import Array

from .messages import SymbolTexts
from .steps import Steps
from .texts import Helper, macro
from .units import Nest
from .weights import Weights


@dataclass
class Shared:
    """What the functions of one file have in common."""

    preamble: dict[str, str] = field(default_factory=dict[str, str])
    """What stands in front of the functions, by name: types, macros, helpers, threads."""
    constants: dict[str, str] = field(default_factory=dict[str, str])
    """The constants in the text, by name."""
    nests: list[Nest] = field(default_factory=list["Nest"])
    weights: list[Callable[[], Array]] = field(default_factory=list["Callable[[], Array]"])
    """What loads each constant that is not in the text."""
    kinds: list[tuple[str, int]] = field(default_factory=list["tuple[str, int]"])
    """The C type and the count of the elements of each."""
    weight_bytes: int = 0
    offsets: dict[Hashable, int] = field(default_factory=dict[Hashable, int])
    """Where each of them lies, by what loads it."""
    named: dict[Hashable, str] = field(default_factory=dict[Hashable, str])
    """The names of the constants in the text, by value and type."""
    functions: list[str] = field(default_factory=list[str])
    """The bodies of control flow, each after those that it calls."""
    bodies: dict[str, object] = field(default_factory=dict[str, object])
    """The emitter of each of them, by name."""
    written: int = 0
    """How many of them have a name in C."""
    checks: list[str] = field(default_factory=list[str])
    """The messages of the checks: a call returns the number of the one that fails."""
    symbol_texts: SymbolTexts = field(default_factory=SymbolTexts)
    """The symbols in these messages."""
    capacities: list[str] = field(default_factory=list[str])
    """The capacities of the public function."""
    steps: Steps = field(default_factory=Steps)
    is_scalar: bool = False
    """Whether the machine has no vectors: small loops over sums in registers are unrolled."""

    def macro(self, name: str) -> str:
        """The name of a macro, which is defined before the functions from now on."""
        self.preamble.setdefault(name, macro(name))
        return name

    def helper(self, helper: Helper) -> str:
        """The name of a helper, which is defined before the functions from now on."""
        name, texts = helper
        self.define(texts)
        return name

    def define(self, texts: Mapping[str, str]) -> None:
        """Put texts before the functions, by name; one name has one text."""
        for name, text in texts.items():
            if self.preamble.setdefault(name, text) != text:
                raise AssertionError(f"two texts of {name}")

    def block(self) -> Weights | None:
        """All weights, one after the other, each from the start of a cache line."""
        return Weights(self.weight_bytes, self.weights) if self.weights else None
