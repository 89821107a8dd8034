"""Calls in a process of their own, which may crash or hang."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from opc.errors import OpcError


class CrashError(OpcError):
    """A call ended its process, or did not end in time."""


def in_child(call: Callable[[], Any], seconds: float) -> Any:
    """What ``call`` returns, computed in a forked process.

    Raises what it raises if that is an OpcError, CrashError where the process dies or takes longer.
    """
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(send, call))
    process.start()
    send.close()
    try:
        if not receive.poll(seconds):
            raise CrashError(f"did not end within {seconds:g} seconds")
        kind, value = receive.recv()
    except EOFError:
        process.join()
        raise CrashError(_death(process.exitcode or 0)) from None
    finally:
        process.kill()
        process.join()
        receive.close()
    if kind == "error":
        raise value
    return value


def _answer(send: Connection, call: Callable[[], Any]) -> None:
    try:
        send.send(("value", call()))
    except OpcError as error:
        send.send(("error", error))


def _death(code: int) -> str:
    if code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
        return f"was killed by {name}"
    return f"ended its process with exit code {code}"
