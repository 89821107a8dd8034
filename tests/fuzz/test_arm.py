"""The examples have the bits of this machine on 64-bit Arm; fuzzed graphs do in test_fuzz."""

from __future__ import annotations

import numpy as np
import pytest
from samples import moderate
from test_examples import EXAMPLES, MEANING
from tolerance import ELEMENT_OF

from . import arm
from .build import Build, Program, link, program
from .compare import same
from .graph import Array


@pytest.mark.skipif(bool(arm.MISSING), reason=f"not installed: {', '.join(arm.MISSING)}")
def test_examples() -> None:
    programs, inputs = list[Program](), list[list[Array]]()
    for k, (name, (shapes, _)) in enumerate(MEANING.items()):
        made = program((EXAMPLES / f"{name}.mlir").read_text(encoding="utf-8"), f"g{k}")
        pairs = zip(shapes, made.interface.inputs, strict=True)
        given = [moderate(ELEMENT_OF[spec.dtype], shape, k) for shape, spec in pairs]
        programs.append(made)
        # A variance is not negative.
        inputs.append([np.abs(x) if x.dtype.kind == "f" else x for x in given])
    library = link(programs, Build())
    wanted = [p.call(library, x) for p, x in zip(programs, inputs, strict=True)]
    results = arm.results(programs, inputs, wanted)
    for name, found, expected in zip(MEANING, results, wanted, strict=True):
        assert found is not None, name
        for x, y in zip(found, expected, strict=True):
            same(x, y, name)
