"""Translation units of a large C file: the same bits, and texts that depend on the nest alone."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx")

from benchmarks.networks import NETWORKS, language
from benchmarks.networks.net import Net
from opc.api.driver import Lowered, lower
from opc.emit.texts import INTRINSICS
from opc.emit.units import Apart, Needs, Nest, apart, grouped
from opc.runtime import cache as caching
from opc.runtime.callable import CompiledFunction

pytestmark = pytest.mark.level("-O0")


def net(name: str, **own: object) -> Net:
    result = Net()
    NETWORKS[name].build(result, **{**NETWORKS[name].small, **own})
    return result


def lowered(network: Net, threads: int = 1, prefix: str | None = None) -> Lowered:
    low = lower(network.model(), cache=None, target="baseline", threads=threads, prefix=prefix)
    assert len(low.emitted.units) > 1
    return low


def texts(low: Lowered) -> set[str]:
    """The texts of nests: without the unit of the public functions."""
    return set(low.emitted.units[1:])


@pytest.mark.sample(4)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["bert", "resnet18"])
def test_the_same_bits(name: str, threads: int, tmp_path: Path) -> None:
    """``-Wall -Wextra`` finds nothing in any of them."""
    network = net(name)
    low = lowered(network, threads)
    results = []
    for units in (low.emitted.units, ()):
        library = caching.build(
            low.c_source,
            cc="cc -O0 -Wall -Wextra -Werror -Wno-unused-function",
            target="baseline",
            threads=threads,
            cache=tmp_path,
            units=units,
        )
        function = CompiledFunction(low.interface, library, low.weights, threads)
        found = function(*network.arrays({}).values())
        results.append(
            [np.asarray(x).tobytes() for x in (found if isinstance(found, tuple) else (found,))]
        )
    assert results[0] == results[1]
    assert len(list(tmp_path.glob("*.o"))) == len(low.emitted.units)


def test_each_function_is_in_one_unit() -> None:
    low = lowered(net("bert"))
    defined = [re.findall(r"\bvoid (nest_\w+)\([^;{]*\{", text) for text in low.emitted.units]
    names = [name for unit in defined for name in unit]
    assert not defined[0] and all(defined[1:]) and len(names) == len(set(names))
    called = set(re.findall(r"^#define \w+ (nest_\w+)$", low.emitted.units[0], re.M))
    assert called == set(names)


def test_the_prefix_and_the_number_of_layers_do_not_matter() -> None:
    """The second one has the nests of the first; what lies where in memory is an argument."""
    short, long = (lowered(net("bert", layers=n), prefix=f"net{n}") for n in (2, 3))
    assert short.c_source != long.c_source
    assert texts(short) == texts(long)


@pytest.mark.long
def test_other_layers_leave_a_nest_as_it_is() -> None:
    """Only what reads or is read by the layer that is changed has other nests."""
    before, after = Net(), Net()
    own = {**NETWORKS["bert"].small, "layers": 2}
    language.bert(before, **own)
    language.bert(after, **{**own, "vocabulary": own.get("vocabulary", 100) + 7})
    kept = texts(lowered(before)) & texts(lowered(after))
    assert len(kept) >= len(texts(lowered(before))) - 2


def test_a_unit_has_the_header_of_the_instructions_it_uses() -> None:
    preamble = {
        "intrinsics": INTRINSICS,
        "opc_masked": "static float opc_masked(void) { return _mm512_reduce_add_ps(x); }",
        "opc_plain": "static float opc_plain(void) { return 1; }",
    }
    needs = Needs(preamble, ())
    assert needs.of(["y = opc_masked();"]) == ["intrinsics", "opc_masked"]
    assert needs.of(["y = opc_plain();"]) == ["opc_plain"]
    nests = [
        Apart(Nest(name, (), text, text), name, text, {})
        for name, text in (
            ("nest_00a1", "opc_plain();"),
            ("nest_00b1", "opc_masked();"),
            ("nest_00c1", "opc_plain(); opc_plain();"),
            ("nest_00d1", "opc_masked(); opc_plain();"),
        )
    ]
    groups = [[nest.name for nest in group] for group in grouped(nests, needs)]
    assert groups == [["nest_00a1", "nest_00c1"], ["nest_00b1", "nest_00d1"]]


def test_comments_do_not_tell_nests_apart() -> None:
    """Equal layers are compiled once, whatever nodes the functions inside of a nest are from."""
    names = set()
    for node in (3, 7):
        inner = f"/* MatMul #{node} */\nstatic void net_loop0(float *out0) {{\n}}\n"
        code = "static void net_loop1(float *out0) {\n  net_loop0(out0);\n}\n"
        new = apart(Nest("net_loop1", (inner,), f"/* MatMul #{node} */\n{code}", code), {})
        assert "MatMul" not in new.text
        names.add(new.name)
    assert len(names) == 1
