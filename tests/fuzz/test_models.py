"""Models whose extents have drawn names, read and interpreted."""

from __future__ import annotations

import pytest

from .models import NAMED, NOTHING, check, draw

SEED = 31
MODELS = 120


def test_models_are_read_as_they_are_meant() -> None:
    assert not [what for number in range(MODELS) if (what := check(SEED, number))]


@pytest.mark.long
def test_many_models_are_read_as_they_are_meant() -> None:
    assert not [what for number in range(5000) if (what := check(SEED + 1, number))]


def test_every_name_is_drawn() -> None:
    """On two axes of one input that differ, which a name can be of that says nothing."""
    names, apart = set[str](), set[str]()
    for number in range(MODELS):
        drawn = draw(SEED, number)
        for type, array in zip(drawn.types, drawn.inputs.values(), strict=True):
            dims = [d.dim_param for d in type.type.tensor_type.shape.dim if not d.dim_value]
            names |= set(dims)
            extents = zip(type.type.tensor_type.shape.dim, array.shape, strict=True)
            unnamed = [(d.dim_param, n) for d, n in extents if not d.dim_value]
            apart |= {a for a, n in unnamed for b, m in unnamed if a == b and n != m}
    assert set(NOTHING) | set(NAMED) <= names
    assert apart == set(NOTHING)
