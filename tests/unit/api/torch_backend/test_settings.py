"""What ``mode`` and ``options`` of ``torch.compile`` mean."""

from __future__ import annotations

from typing import Any

import pytest

from opc.errors import UsageError

torch = pytest.importorskip("torch")

from opc.api.torch_backend.settings import OF_COMPILE, settings_of  # noqa: E402

pytestmark = pytest.mark.level("-O0")


def test_defaults() -> None:
    settings = settings_of(None, None, 3)
    assert (settings.options.threads, settings.freeze, settings.tune) == (3, None, None)


def test_options() -> None:
    options = {"threads": 2, "target": "baseline", "products": "rounded", "freeze": False}
    settings = settings_of(None, options, 3)
    assert (settings.options.threads, settings.freeze) == (2, False)
    assert (settings.options.target, settings.options.products) == ("baseline", "rounded")
    assert settings_of("max-autotune", {"tune": 5}, 1).tune == 5


@pytest.mark.parametrize(
    "mode, options, message",
    [
        ("fastest", None, "mode: found 'fastest', expected one of default, "),
        (
            None,
            {"max_autotune": True},
            "options: found 'max_autotune', expected some of activations, ",
        ),
        (None, {"freeze": 1}, "freeze: found 1, expected True, False or None"),
        (None, {"threads": 0}, "threads"),
        (None, {"products": "exact"}, "products: found 'exact'"),
    ],
)
def test_refused(mode: str | None, options: dict[str, Any] | None, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        settings_of(mode, options, 1)


def test_all_known_options_are_named() -> None:
    with pytest.raises(UsageError) as error:
        settings_of(None, {"nothing": 1}, 1)
    assert all(name in error.value.message for name in (*OF_COMPILE, "freeze", "tune"))


def test_in_a_call(functions: list[Any]) -> None:
    options = {"threads": 2, "target": "baseline"}
    compiled = torch.compile(lambda x: x * 2 + 1, backend="opc", options=options)
    compiled(torch.ones(3))
    (function,) = functions
    assert function.threads == 2 and function.lowered.options.target == "baseline"
    with pytest.raises(Exception, match="expected some of"):
        torch.compile(lambda x: x * 2, backend="opc", options={"unroll": 2})(torch.ones(3))


def test_tuning(functions: list[Any]) -> None:
    """A graph without products is compiled as usual."""
    for compiled in (lambda x: x * 2 + 1, lambda x: x @ x.t()):
        call = torch.compile(compiled, backend="opc", options={"tune": 0.5})
        x = torch.ones(3, 4)
        torch.testing.assert_close(call(x), compiled(x))
    assert len(functions) == 2
