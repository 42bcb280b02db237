# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Debian's Chromium without a screen, for tests of pages and for their pictures.

It is driven over a pair of pipes in its own protocol (Chrome DevTools Protocol: JSON messages that
end with a zero byte), which takes these few lines and no package beside the browser.
"""
import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser")


class BrowserMissing(RuntimeError):
    pass


def find_browser():
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    raise BrowserMissing("there is no chromium (Debian package chromium): run ./dev setup, which "
                         "installs the packages of testbench/setup/packages.txt")


def pipe_beyond(least):
    """A pipe whose descriptors are not below `least`: reading end, writing end."""
    ends = os.pipe()
    moved = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, least) for end in ends]
    for end in ends:
        os.close(end)
    return moved


class Browser:
    """One page at a time: what it asked for, what went wrong, what it holds."""

    def __init__(self, width=1400, height=1000, timeout_s=60):
        program = find_browser()
        self.timeout_s = timeout_s
        self.home = tempfile.TemporaryDirectory(prefix="flitscope_browser_")
        # The browser reads from descriptor 3 and writes to 4; ours are out of the way of those.
        their_read, self.write_to = pipe_beyond(20)
        self.read_from, their_write = pipe_beyond(20)
        theirs = (their_read, their_write)
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{theirs[0]} 4>&{theirs[1]}', "bash", program,
             "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--hide-scrollbars", "--force-color-profile=srgb",
             f"--user-data-dir={self.home.name}", f"--window-size={width},{height}", "about:blank"],
            pass_fds=theirs, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "HOME": self.home.name})
        for end in theirs:
            os.close(end)
        self.number = 0
        self.rest = b""
        self.requests, self.errors = [], []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.resize(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.write_to)
        os.close(self.read_from)
        for _ in range(50):  # its helpers still write for a moment
            try:
                self.home.cleanup()
                return
            except OSError:
                time.sleep(0.1)

    # ---- Protocol --------------------------------------------------------------------------------

    def receive(self, until):
        """The next message."""
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.read_from], [], [], max(until - time.monotonic(), 0))
            piece = os.read(self.read_from, 1 << 20) if ready else b""
            if not piece:
                raise RuntimeError("the browser does not answer")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write_to, data):]
        until = time.monotonic() + self.timeout_s
        while True:
            answer = self.receive(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer.get("method"), answer.get("params", {}))

    def note(self, event, said):
        if event == "Network.requestWillBeSent":
            self.requests.append(said["request"]["url"])
        elif event == "Runtime.exceptionThrown":
            details = said["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif event == "Runtime.consoleAPICalled" and said["type"] in ("error", "assert"):
            self.errors.append(str([a.get("value") for a in said["args"]]))
        elif event == "Log.entryAdded" and said["entry"]["level"] == "error":
            self.errors.append(said["entry"]["text"])

    # ---- Pages -----------------------------------------------------------------------------------

    def open(self, path):
        """Opens a page of ours and waits until it is complete."""
        self.requests, self.errors = [], []
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        until = time.monotonic() + self.timeout_s
        while not self.evaluate("document.documentElement?.dataset.ready === 'true'"):
            if self.errors or time.monotonic() > until:
                raise RuntimeError(f"the page is not ready: {self.errors}")
            time.sleep(0.02)
        self.settle()

    def settle(self):
        """Until what was asked for is drawn."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame("
                      "() => done(true))))")

    def evaluate(self, expression):
        """The value of an expression in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode={"Tab": 9, "Enter": 13, "ArrowRight": 39,
                                             "ArrowLeft": 37, "Home": 36, "End": 35, " ": 32}[key],
                      **({"text": "\r"} if key == "Enter" and kind == "keyDown" else {}))
        self.settle()

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def drag(self, x0, y0, x1, y1):
        for kind, x, y in (("mousePressed", x0, y0), ("mouseMoved", (x0 + x1) / 2, (y0 + y1) / 2),
                           ("mouseMoved", x1, y1), ("mouseReleased", x1, y1)):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1,
                      clickCount=1)
        self.settle()

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.settle()

    def prefer(self, scheme):
        """The page's colours: light or dark."""
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.settle()

    def screenshot(self, path, whole=False, height=None):
        parameters = {"format": "png"}
        if whole or height:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            parameters["clip"] = {"x": 0, "y": 0, "width": size["width"],
                                  "height": height or size["height"], "scale": 1}
            parameters["captureBeyondViewport"] = True
        data = self.call("Page.captureScreenshot", **parameters)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
