"""A headless Chromium, driven through its DevTools protocol over a pipe: clicks are real ones."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
    *("--disable-extensions", "--disable-background-networking", "--hide-scrollbars"),
    *("--window-size=1400,900", "--remote-debugging-pipe"),
)


class Page:
    """A page that is open; messages are JSON that ends with a zero byte."""

    def __init__(self, given: int, taken: int) -> None:
        self._out, self._in = given, taken
        self._number, self._session, self._rest = 0, "", b""
        self.failures: list[str] = []
        """What the page wrote to its console as an error, or was refused by its own policy."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        self.send("Runtime.enable")
        self.send("Log.enable")
        self.send("Page.enable")

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
                self.failures.append(json.dumps(answer["params"]))
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return answer["result"]

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = os.read(self._in, 1 << 20)
            assert part, "the browser has ended"
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def open(self, page: Path | str, fragment: str = "") -> None:
        """Open a file or an address, and wait until its script has run."""
        self.send("Page.navigate", url="about:blank")
        address = page if isinstance(page, str) else page.as_uri()
        self.send("Page.navigate", url=address + fragment)
        ready = f"complete{address.partition(':')[0]}:"
        while self.value("document.readyState + location.protocol") != ready:
            pass

    def value(self, expression: str) -> Any:
        """What an expression gives in the page."""
        found = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def click(self, selector: str) -> None:
        """Press and release the mouse in the middle of an element, which is scrolled to first."""
        place = self.value(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'center', inline: 'center'});"
            "const r = e.getBoundingClientRect(), c = e.closest('.scroll, .pane, nav, html');"
            "const b = c.getBoundingClientRect();"
            "return [(Math.max(r.left, b.left) + Math.min(r.right, b.right)) / 2,"
            "(Math.max(r.top, b.top) + Math.min(r.bottom, b.bottom)) / 2]; })()"
        )
        for type in ("mousePressed", "mouseReleased"):
            self.send(
                "Input.dispatchMouseEvent",
                **{"type": type, "x": place[0], "y": place[1], "button": "left", "clickCount": 1},
            )

    def texts(self, selector: str) -> list[str]:
        """The texts of the elements that a selector finds."""
        return self.value(
            f"Array.from(document.querySelectorAll({json.dumps(selector)}), e => e.textContent)"
        )


@contextmanager
def browser(folder: Path) -> Generator[Page]:
    """A browser without a profile of its own, and a page in it."""
    assert CHROMIUM is not None
    commands, answers = os.pipe(), os.pipe()
    script = f'exec "$0" "$@" 3<&{commands[0]} 4>&{answers[1]}'
    process = subprocess.Popen(
        ["bash", "-c", script, CHROMIUM, *FLAGS, f"--user-data-dir={folder}"],
        pass_fds=(commands[0], answers[1]),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(commands[0])
    os.close(answers[1])
    try:
        yield Page(commands[1], answers[0])
    finally:
        os.close(commands[1])
        os.close(answers[0])
        process.terminate()
        process.wait(timeout=60)
