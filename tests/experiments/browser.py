"""A headless Chromium, spoken to over a pipe in the DevTools protocol: no driver is needed."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
SECONDS = 60


def find_chromium() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page of a headless Chromium, and all that it logged and asked for."""

    def __init__(self, profile: Path) -> None:
        command = find_chromium()
        if command is None:
            pytest.skip("there is no Chromium here")
        to_read, self._out = os.pipe()
        self._in, to_write = os.pipe()
        options = (
            "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run "
            f"--remote-debugging-pipe --user-data-dir='{profile}'"
        )
        shell = f"exec {command} {options} about:blank 3<&{to_read} 4>&{to_write} 2>/dev/null"
        self._process = subprocess.Popen(
            ["bash", "-c", shell], pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL
        )
        os.close(to_read)
        os.close(to_write)
        self._data = b""
        self._number = 0
        self._session: str | None = None
        self.errors: list[str] = []
        self.requests: list[str] = []
        self._loaded = False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        os.close(self._out)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._in)

    def _read(self) -> dict:
        end = time.monotonic() + SECONDS
        while b"\0" not in self._data:
            ready, _, _ = select.select([self._in], [], [], max(0, end - time.monotonic()))
            piece = os.read(self._in, 1 << 20) if ready else b""
            if not piece:
                raise RuntimeError("Chromium says nothing")
            self._data += piece
        message, self._data = self._data.split(b"\0", 1)
        return json.loads(message)

    def _note(self, event: dict) -> None:
        kind, told = event.get("method"), event.get("params", {})
        if kind == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(told["exceptionDetails"])[:500])
        elif kind == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
            self.errors.append(json.dumps(told["args"])[:500])
        elif kind == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            self.errors.append(told["entry"]["text"])
        elif kind == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif kind == "Page.loadEventFired":
            self._loaded = True

    def call(self, method: str, **parameters: object) -> dict:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while (answer := self._read()).get("id") != self._number:
            self._note(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def open(self, url: str, width: int = 1280, height: int = 900) -> None:
        self.size(width, height)
        self.errors.clear()
        self.requests.clear()
        self._loaded = False
        self.call("Page.navigate", url=url)
        while not self._loaded:
            self._note(self._read())

    def size(self, width: int, height: int) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )

    def dark(self, wanted: bool) -> None:
        feature = {"name": "prefers-color-scheme", "value": "dark" if wanted else "light"}
        self.call("Emulation.setEmulatedMedia", features=[feature])

    def run(self, script: str) -> object:
        result = self.call(
            "Runtime.evaluate",
            expression=script,
            returnByValue=True,
            awaitPromise=True,
            userGesture=True,
        )
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:500])
        return result["result"].get("value")

    def wait(self, script: str, seconds: float = 20) -> None:
        end = time.monotonic() + seconds
        while not self.run(script):
            if time.monotonic() > end:
                raise RuntimeError(f"never true: {script}")
            time.sleep(0.1)

    def press(self, key: str, code: int = 0) -> None:
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=code,
                text="\r" if key == "Enter" and kind == "keyDown" else "",
            )

    def picture(self, path: Path) -> None:
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(data))
