"""The tiers of the suite, and the sample of the day.

=====================  =========================================================================
command                what it runs
=====================  =========================================================================
``pytest``             the default: no tier below, and of a test with ``sample(n)`` the share of
                       the day, one of n of its cases
``pytest -m smoke``    registries, lit and interpreters: what the default has of them, in a minute
``pytest -m fuzz``     random graphs, planted faults, attacks and mutants, in their short form;
                       ``python -m tests.fuzz`` draws as many graphs as one likes
``pytest -m sanitize`` compiled code under the sanitizers of C compilers
``pytest -m network``  whole networks, and the official suite of ONNX as a whole
``pytest -m bench``    the benchmarks' own tests and limits of time
``pytest -m long``     cases that are like others, and what installs, type-checks or waits long
``pytest --full``      every case of every test, of all tiers, with the flags that users get
``--seed N``           the share of day N instead of today's (also ``OPC_TEST_SEED=N``)
=====================  =========================================================================

A tier is a marker: ``pytest.mark.fuzz`` leaves a test out of all others.  What is left out is
deselected and counted as such, not as passed.  A test named with ``::`` runs whatever its tier, and
a file named alone runs but for what is ``long``, and but for the shares of other days.

``sample(n)`` is for products of shapes and types, compiled one by one.  The cases of a test are
dealt out over n days, so that each runs within n of them.  The day is printed at the end; with the
same ``--seed`` the same cases run, on any machine and in any number of processes.

Compilers take most of the time, so of eight files graphs are compiled at -O3 like those of users in
one, at -O1 in two and at -O0 in five, other ones each day; with ``--full`` at -O3 in all.  A file
about what compilers make of C has ``level("-O3")``; those that ask what operators mean have
``level("-O0")``.  So have files of frontends, ``test_onnx_*`` and ``test_openvino_*``, unless they
say otherwise: of their tests one of eight is compiled, other ones each day, and the rest is
interpreted; and their cases are dealt out over three days, but for those of registries.
"""

from __future__ import annotations

import datetime
import gc
import os
import re
import sys
import zlib
from collections import defaultdict
from collections.abc import Generator, Iterator
from unittest.mock import patch

import pytest

TIERS = frozenset({"long", "fuzz", "sanitize", "bench", "network"})
FRONTENDS = ("test_onnx_", "test_openvino_", "test_stablehlo_", "test_torch_")
LEVELS = ("-O3", "-O0", "-O0", "-O1", "-O0", "-O0", "-O1", "-O0")
"""That graphs of a file are compiled at, by turns, unless the file has one."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run every case of every test")
    parser.addoption(
        "--seed",
        type=int,
        default=int(os.environ.get("OPC_TEST_SEED", datetime.date.today().toordinal())),
        metavar="N",
        help="run the cases of day N where a test has too many for one day",
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    option = terminalreporter.config.option
    if not option.full:
        terminalreporter.write_line(f"the sample of the day: --seed {option.seed}")


@pytest.fixture(scope="module", autouse=True)
def _level(request: pytest.FixtureRequest) -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    marker = request.node.get_closest_marker("level")
    level = marker.args[0] if marker else _usual_level(request.node)
    if request.config.getoption("--full") or level == "-O3":
        yield
        return
    from opc.runtime import toolchain

    assert "-O3" in toolchain.COMMON_FLAGS
    common = tuple(level if flag == "-O3" else flag for flag in toolchain.COMMON_FLAGS)
    with patch.multiple(toolchain, COMMON_FLAGS=common, GCC_FLAGS=()):
        yield


@pytest.fixture(scope="session", autouse=True)
def _modules_of_processes(  # pyright: ignore[reportUnusedFunction]
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[None]:
    """Processes that tests start find modules compiled, where Python may not put them at sources.

    Compiling opc takes half a second, in each of hundreds of processes.
    """
    if not sys.dont_write_bytecode:
        yield
        return
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with patch.dict(os.environ, PYTHONPYCACHEPREFIX=str(folder / "pycache")):
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        yield


@pytest.fixture(autouse=True)
def _same_draws(request: pytest.FixtureRequest) -> None:  # pyright: ignore[reportUnusedFunction]
    """Each test draws the same numbers, whichever tests ran before it in its process."""
    module = getattr(request.node, "module", None)
    generator = getattr(module, "RNG", getattr(module, "rng", None))
    if hasattr(generator, "bit_generator"):
        first = _STATES.setdefault(module.__name__, generator.bit_generator.state)
        generator.bit_generator.state = first


_STATES: dict[str, object] = {}
"""Where the generator of each module stands after the module is loaded."""


def _usual_level(module: pytest.Module) -> str:
    if module.path.name.startswith(FRONTENDS):
        return "-O0"
    return LEVELS[(_number(module) + module.config.option.seed) % len(LEVELS)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    if not _is_interpreted(item):
        return (yield)
    from tests import interpreted

    with patch("opc.compile", interpreted.compile):
        return (yield)


def _is_interpreted(item: pytest.Item) -> bool:
    is_frontend = item.path.name.startswith(FRONTENDS) and not item.get_closest_marker("level")
    return is_frontend and not item.config.option.full and _is_left_out(item, 8)


def _number(node: pytest.Item | pytest.Module) -> int:
    return zlib.crc32(node.nodeid.encode())


def _is_left_out(node: pytest.Item | pytest.Module, days: int) -> bool:
    """Whether it is the turn of others today."""
    return (_number(node) + node.config.option.seed) % days > 0


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays, so no garbage is looked for in it: a quarter of the time it takes.

    Nor later: each look through everything would go through all tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _left_out(items: list[pytest.Item], tiers: frozenset[str], seed: int) -> Iterator[pytest.Item]:
    """Tests of these tiers, and of each test with a sample what is not of the day."""
    tests = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        if any(item.get_closest_marker(tier) for tier in tiers):
            yield item
        else:
            tests[item.nodeid.split("[")[0]].append(item)
    for name, cases in tests.items():
        # By number would keep one value of a parameter with n values.
        cases.sort(key=_number)
        for number, item in enumerate(cases, seed + zlib.crc32(name.encode())):
            if len(cases) > 1 and number % _days(item):
                yield item


def _days(item: pytest.Item) -> int:
    """Over how many days the cases of its test are dealt out."""
    marker = item.get_closest_marker("sample")
    if marker is not None:
        return marker.args[0]
    is_frontend = item.nodeid.partition("::")[0].rpartition("/")[2].startswith(FRONTENDS)
    is_whole = any(item.get_closest_marker(name) for name in ("smoke", "level"))
    return 3 if is_frontend and not is_whole else 1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    named_by_hand = any("::" in argument for argument in config.args)
    if config.getoption("--full") or named_by_hand:
        return
    tiers = TIERS.difference(re.findall(r"\w+", config.option.markexpr))
    if all(argument.endswith(".py") for argument in config.args):
        tiers &= {"long"}
    left_out = list(_left_out(items, tiers, config.option.seed))
    config.hook.pytest_deselected(items=left_out)
    ids = {id(item) for item in left_out}
    items[:] = [item for item in items if id(item) not in ids]
