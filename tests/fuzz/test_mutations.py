"""Each planted fault is found by graphs of the short form."""

from __future__ import annotations

import faulthandler
import multiprocessing as mp
from importlib import import_module
from multiprocessing.connection import Connection

import pytest

from . import scalars
from .mutations import MUTATIONS, Mutation
from .run import CHUNK, Chunk
from .test_fuzz import GRAPHS, SEED
from .test_models import MODELS

pytestmark = pytest.mark.fuzz


def hunt(sender: Connection, mutation: Mutation) -> None:
    """Send what finds a fault, and nothing for each chunk before that does not.

    Where the graph that is known to find it no longer does, another one may.
    """
    # A crash is one way to be found, and no reason to print where it was.
    faulthandler.disable()
    mutation.plant()
    if mutation.models:
        check = import_module(f".{mutation.models}", __package__).check
        found = (check(SEED, number) for number in range(MODELS))
        sender.send(next((what for what in found if what), ""))
        return
    chunks = (range(first, first + CHUNK) for first in range(0, GRAPHS, CHUNK))
    for numbers in (range(mutation.graph, mutation.graph + 1), *chunks):
        sender.send("")
        report = Chunk(SEED, numbers).run(compared=False)
        if report.failures:
            sender.send(str(report.failures[0]))
            return


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name.replace(" ", "-"))
def test_a_planted_fault_is_found(mutation: Mutation) -> None:
    # A process that ends because there is nothing to change would count as a fault that is found.
    mutation.texts()
    # What the oracle is made of must be there before the fault is.
    scalars.library()
    context = mp.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=hunt, args=(sender, mutation))
    process.start()
    sender.close()
    found, tries = "", 0
    try:
        while not found:
            found = receiver.recv()
            tries += not found
    except EOFError:
        process.join()
        # A fault may crash, which the fuzzer reports like any other.
        found = f"the process ended with {process.exitcode}" if process.exitcode else ""
    process.join()
    print(f"{mutation.name}: try {tries}: {found[:300]}")
    assert found, f"{mutation.name}: not found by {GRAPHS} graphs"
