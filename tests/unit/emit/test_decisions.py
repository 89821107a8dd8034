"""The emitter prints: what C does with loops is in their IR, and in it alone."""

from __future__ import annotations

import re

import pytest
from xdsl.dialects.func import FuncOp

from opc.api.driver import source_of
from opc.dialects.registry import context
from opc.emit.source import emit
from opc.frontend.mlir.reader import parse_module
from opc.passes import pipeline
from tests.unit.common.emission_corpus import GRAPHS
from tests.unit.emit.test_frames import TEXTS

pytestmark = pytest.mark.sample(24)

DECIDING = ("place-constants", "share-loops", "outline-loops", "place-arrays", "mark-loops")
WORDS = {
    "place-constants": r"\bweights\b",
    "share-loops": r"\bopc_share\(",
    "outline-loops": r"\bgraph\w*_loop\d",
    "place-arrays": r"\(char \*\)workspace\b.*_loop\d+\(|\w+ \*const (row|levels|column|part)\d",
    "mark-loops": r"\b(OPC_FEW|OPC_IN_ORDER|OPC_NO_VECTORS|OPC_AS_IT_STANDS)\b",
}
"""What is in the C only because a pass has decided it."""
ALL = TEXTS | GRAPHS


def loops(name: str, without: str = "") -> FuncOp:
    module = source_of(parse_module(ALL[name]), None)
    passes = pipeline.passes("loops")
    assert set(DECIDING) <= set(passes)
    pipeline.run(module, context(), [p for p in passes if p != without], target="avx512")
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    return function


@pytest.mark.parametrize("name", ALL)
def test_loops_stay_as_they_are(name: str) -> None:
    function = loops(name)
    module = function.parent_op()
    before = str(module)
    source = emit(function, "graph", threads=2).source
    assert str(module) == before
    assert emit(function, "graph", threads=2).source == source


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("without", DECIDING)
def test_what_no_pass_decides_is_not_in_the_c(name: str, without: str) -> None:
    source = emit(loops(name, without), "graph", threads=2).source
    lines = [line for line in source.splitlines() if not line.startswith("#")]
    assert [line for line in lines if re.search(WORDS[without], line)] == []


def test_these_words_are_in_some_c() -> None:
    """So the test above can fail."""
    names = ("middle", "softmax down columns", "column sums", "weights")
    text = "\n".join(emit(loops(name), "graph", threads=2).source for name in names)
    assert [name for name, words in WORDS.items() if not re.search(words, text)] == []
