"""A headless Chromium that is told what to do through a pipe, in the DevTools protocol: no library is needed."""

import base64
import fcntl
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome")
# What keys are called, and the number that Windows gave them.
KEYS = {
    "Enter": 13, "Escape": 27, "Tab": 9, "Backspace": 8, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
    "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
}


def program():
    """The browser: $APUS_BROWSER, else one on the PATH; None where there is none."""
    return os.environ.get("APUS_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)


class Failure(Exception):
    """What the browser refused, or what did not come."""


class Chromium:
    """The program. It reads commands from descriptor 3 and writes to 4, each ended by a zero."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.commands = os.pipe()
        self.answers, from_browser = os.pipe()
        arguments = [
            program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
            "--disable-background-networking", "--disable-component-update", "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
            f"--user-data-dir={self.profile.name}", "about:blank",
        ]
        # Away from 3 and 4, on which they are to lie.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (to_browser, from_browser)]
        script = f"exec 3<&{ends[0]} 4>&{ends[1]} {ends[0]}<&- {ends[1]}>&-; exec \"$@\""
        self.log = open(Path(self.profile.name) / "log", "w+b")
        self.process = subprocess.Popen(
            ["bash", "-c", script, "chromium", *arguments], pass_fds=ends,
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        for end in (*ends, to_browser, from_browser):
            os.close(end)
        self.next_id, self.waiting, self.tabs = 0, {}, {}
        self.lock = threading.Lock()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        rest = b""
        while block := os.read(self.answers, 1 << 20):
            *messages, rest = (rest + block).split(b"\0")
            for message in map(json.loads, messages):
                if "id" in message:
                    self.waiting.pop(message["id"]).put(message)
                elif tab := self.tabs.get(message.get("sessionId")):
                    tab.heard(message["method"], message["params"])

    def send(self, method, session=None, **parameters):
        answer = queue.Queue()
        with self.lock:
            self.next_id += 1
            self.waiting[self.next_id] = answer
            message = {"id": self.next_id, "method": method, "params": parameters}
            if session:
                message["sessionId"] = session
            os.write(self.commands, json.dumps(message).encode() + b"\0")
        try:
            result = answer.get(timeout=30)
        except queue.Empty:
            raise Failure(f"{method}: the browser does not answer") from None
        if "error" in result:
            raise Failure(f"{method}: {result['error']['message']}")
        return result["result"]

    def tab(self):
        # Each with cookies and storage of its own.
        context = self.send("Target.createBrowserContext")["browserContextId"]
        target = self.send("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = self.tabs[session] = Tab(self, session, context)
        tab.begin()
        return tab

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close")
            self.process.wait(10)
        except (Failure, subprocess.TimeoutExpired, OSError):
            self.process.kill()
            self.process.wait()
        self.log.close()
        self.profile.cleanup()


class Tab:
    """One page, used as a person would: by clicking, typing and looking."""

    def __init__(self, browser, session, context):
        self.browser, self.session, self.context = browser, session, context
        self.complaints, self.requests, self.statuses = [], [], []
        self.chooser, self.paused = queue.Queue(), queue.Queue()
        self.is_phone = False

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def begin(self):
        for domain in ("Page", "Runtime", "Network", "Log", "DOM"):
            self.send(f"{domain}.enable")

    def heard(self, method, parameters):
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.complaints.append(parameters["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.complaints.append(str([item.get("value") for item in parameters["args"]]))
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Network.responseReceived":
            self.statuses.append((parameters["response"]["url"], parameters["response"]["status"]))
        elif method == "Page.fileChooserOpened":
            self.chooser.put(parameters["backendNodeId"])
        elif method == "Fetch.requestPaused":
            self.paused.put(parameters["requestId"])

    def close(self):
        self.browser.send("Target.disposeBrowserContext", browserContextId=self.context)

    # What stands between the page and its server

    def hold(self, *patterns):
        """Has requests to addresses wait for `answer` or `pass_on`; without any, no more."""
        self.send("Fetch.enable", patterns=[{"urlPattern": pattern} for pattern in patterns])

    def held(self):
        try:
            return self.paused.get(timeout=20)
        except queue.Empty:
            raise Failure("the page did not ask") from None

    def answer(self, status, body, **headers):
        self.send(
            "Fetch.fulfillRequest", requestId=self.held(), responseCode=status,
            responseHeaders=[{"name": name.replace("_", "-"), "value": value} for name, value in headers.items()],
            body=base64.b64encode(json.dumps(body).encode()).decode())

    def pass_on(self):
        self.send("Fetch.continueRequest", requestId=self.held())

    # What is shown

    def evaluate(self, expression, awaits=True):
        answer = self.send(
            "Runtime.evaluate", expression=expression, awaitPromise=awaits, returnByValue=True, userGesture=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Failure(f"{expression[:120]}: {details.get('exception', {}).get('description') or details['text']}")
        return answer["result"].get("value")

    def wait(self, expression, seconds=20):
        """Waits until an expression is true; what it is."""
        end = time.monotonic() + seconds
        while True:
            # An element by value is an empty object.
            value = self.evaluate(f"(async () => {{ const value = await ({expression}); return value instanceof Node || value; }})()")
            if value:
                return value
            if time.monotonic() > end:
                raise Failure(f"never true: {expression}\n{self.evaluate('document.body.innerText')[:2000]}")
            time.sleep(0.05)

    def text(self, selector):
        """What stands in an element, once it is shown."""
        element = f"document.querySelector({json.dumps(selector)})"
        self.wait(f"{element}?.checkVisibility()")
        return self.evaluate(f"{element}.innerText").strip()

    def picture(self, path, whole=False):
        options = {"captureBeyondViewport": True} if whole else {}
        data = self.send("Page.captureScreenshot", format="png", **options)["data"]
        Path(path).write_bytes(base64.b64decode(data))

    # What the person has

    def laptop(self, width=1280, height=800):
        self.is_phone, self.width = False, width
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def phone(self, width=390, height=844):
        self.is_phone, self.width = True, width
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2, mobile=True)
        self.send("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)

    def scheme(self, name):
        self.send("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": name}, {"name": "prefers-reduced-motion", "value": "reduce"}])

    # What the person does

    def open(self, address):
        self.send("Page.navigate", url=address)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def middle(self, selector):
        """The middle of an element that can be clicked: in sight, at rest, and with nothing above it."""
        place = self.wait(f"""(async () => {{
          const element = document.querySelector({json.dumps(selector)});
          if (!element) return null;
          element.scrollIntoView({{block: "nearest", inline: "nearest", behavior: "instant"}});
          const box = element.getBoundingClientRect();
          if (!box.width || !box.height || element.disabled) return null;
          await new Promise((done) => setTimeout(done, 50));
          const later = element.getBoundingClientRect();
          if (later.x !== box.x || later.y !== box.y) return null;
          const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
          const top = document.elementFromPoint(x, y);
          return top && (element.contains(top) || top.contains(element)) ? [x, y] : null;
        }})()""")
        return {"x": place[0], "y": place[1]}

    def mouse(self, kind, x, y, **options):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **options)

    def click(self, selector, times=1):
        place = self.middle(selector)
        if self.is_phone and times == 1:
            self.touch("touchStart", [place])
            self.touch("touchEnd", [])
            return
        self.mouse("mouseMoved", **place)
        for count in range(1, times + 1):
            for kind in ("mousePressed", "mouseReleased"):
                self.mouse(kind, **place, button="left", buttons=1, clickCount=count)

    def touch(self, kind, points):
        self.send("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def type(self, text):
        self.send("Input.insertText", text=text)

    def press(self, key, control=False, commands=()):
        options = {"key": key, "code": key if len(key) > 1 else f"Key{key.upper()}", "modifiers": 2 if control else 0}
        options["windowsVirtualKeyCode"] = KEYS.get(key) or ord(key.upper())
        letter = {} if control or len(key) > 1 else {"text": key}
        if key == "Enter":
            letter = {"text": "\r"}
        self.send("Input.dispatchKeyEvent", type="keyDown", commands=list(commands), **options, **letter)
        self.send("Input.dispatchKeyEvent", type="keyUp", **options)

    def choose(self, selector, path):
        """Clicks on what opens a chooser of files, and chooses one."""
        self.send("Page.setInterceptFileChooserDialog", enabled=True)
        self.click(selector)
        try:
            node = self.chooser.get(timeout=10)
        except queue.Empty:
            raise Failure(f"{selector} opened no chooser of files") from None
        self.send("DOM.setFileInputFiles", files=[str(path)], backendNodeId=node)

    def drop(self, path, x, y):
        data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.send("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)

    def allow(self, *permissions):
        self.browser.send("Browser.grantPermissions", browserContextId=self.context, permissions=list(permissions))
