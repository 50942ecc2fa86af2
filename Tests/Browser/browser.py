"""What the browser's tests share: the real server, the browser, and the steps of a reader.

The executable is taken from TRIBUTARY_BIN, else from the build folder of the Workspace package. Every test has a
server of its own with an empty data folder; the browser is shared. All waiting is for conditions.
"""

import json
import os
import queue
import shutil
import signal
import subprocess
import tempfile
import threading
import unittest
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

REPOSITORY = Path(__file__).resolve().parents[2]
EXECUTABLE = Path(os.environ.get("TRIBUTARY_BIN", REPOSITORY / "Workspace/.build/debug/tributary"))
KEY = "browser-test"
TOKEN = "the-token-of-the-browser-tests"
WIDE, PHONE = (1280, 900), (390, 844)
PATIENCE = 60  # seconds until a condition that does not come is a failure


class Workspace:
    """A running server and the calls that an app would make."""

    # Seconds until a server that does not start is a failure, and what it gets in its environment.
    patience = PATIENCE
    environment = {}
    tokens = {"TRIBUTARY_ADMIN_TOKEN": TOKEN}

    def __init__(self, folder, port=0, keys=(KEY,), options=()):
        self.folder = folder
        self.keys = keys
        self.options = options
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self.start(port)

    def start(self, port):
        command = [str(EXECUTABLE), "serve", "--port", str(port), "--data", self.folder, *self.options]
        for key in self.keys:
            command += ["--write-key", key]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=os.environ | self.tokens | self.environment)
        self.output = []
        ready = queue.Queue()
        self.reader = threading.Thread(target=self.read, args=(self.process.stdout, ready), daemon=True)
        self.reader.start()
        try:
            self.address = ready.get(timeout=self.patience)
        except queue.Empty:
            self.address = None
        if self.address is None:
            self.stop()
            raise AssertionError("the server did not start:\n" + "".join(self.output))

    def read(self, stream, ready):
        for line in stream:
            self.output.append(line)
            if "listening on http" in line:
                ready.put(line[line.index("http"):].strip())
        ready.put(None)

    @property
    def port(self):
        return int(self.address.rsplit(":", 1)[1])

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join(PATIENCE)
        self.process.stdout.close()

    def restart(self):
        port = self.port
        self.stop()
        self.start(port)

    def send(self, method, path, body):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(
            self.address + path, data, {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"},
            method=method)
        with self.opener.open(request, timeout=PATIENCE) as response:
            return json.load(response)

    def get(self, path):
        request = urllib.request.Request(self.address + path, headers={"Authorization": f"Bearer {TOKEN}"})
        with self.opener.open(request, timeout=PATIENCE) as response:
            return json.load(response)

    def deploy(self, key, text, token=TOKEN, query=""):
        """Deploys live plugins; `query` has the plan of a roll-out."""
        request = urllib.request.Request(
            f"{self.address}/api/sources/{key}/live-plugins?{query}", text.encode(),
            {"Content-Type": "text/javascript", "Authorization": f"Bearer {token}"}, method="PUT")
        with self.opener.open(request, timeout=PATIENCE) as response:
            return json.load(response)

    def post(self, *events, key=KEY):
        answer = self.send("POST", "/v1/b", {"batch": events, "sentAt": now(), "writeKey": key})
        assert answer["success"], answer

    def settle(self):
        """Waits until what was sent is stored, which a question about events does by itself."""
        self.get("/api/events?limit=1")

    def trace(self, *traces, key=KEY):
        answer = self.send("POST", "/v1/traces", {"writeKey": key, "traces": traces})
        assert answer["success"], answer


def now(offset=0):
    moment = datetime.now(timezone.utc) + timedelta(milliseconds=offset)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def track(name, number=None, **properties):
    identifier = f"{name}-{number}" if number is not None else name
    return {"type": "track", "event": name, "userId": "u-1", "messageId": f"m-{identifier}"[:99],
            "timestamp": now(), "properties": properties}


def stage(stage, plugin, outcome="unchanged", **more):
    return {"stage": stage, "plugin": plugin, "outcome": outcome, **more}


def sent(event, *stages):
    return {"messageId": event["messageId"], "type": event["type"], "event": event.get("event"),
            "userId": event.get("userId"), "trackedAt": now(-40), "outcome": "sent", "stages": list(stages)}


def dropped(name, plugin, *stages):
    last = stages[-1]
    return {"messageId": f"d-{name}"[:99], "type": "track", "event": name, "userId": "u-1", "trackedAt": now(-40),
            "outcome": "dropped", "droppedBy": {"stage": last["stage"], "plugin": plugin}, "stages": list(stages)}


def start_browser(*more, logs=None):
    """A browser with a log of its console. `more` are arguments of it, and `logs` names further logs."""
    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    arguments = ["--headless=new", "--disable-gpu", "--disable-background-networking", "--no-first-run",
                 "--no-proxy-server", "--lang=en", *more]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")
    for argument in arguments:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"} | (logs or {}))
    return webdriver.Chrome(service=Service(shutil.which("chromedriver"), port=0), options=options)


class BrowserTest(unittest.TestCase):
    """A test with a browser. An error on the browser's console fails it."""

    # More arguments for the browser.
    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.browser = start_browser(*cls.arguments)
        cls.addClassCleanup(cls.browser.quit)
        cls.browser.set_script_timeout(PATIENCE)

    def setUp(self):
        self.size(1400, 900)
        self.allowed_errors = []

    def tearDown(self):
        errors = [entry["message"] for entry in self.browser.get_log("browser")
                  if entry["level"] == "SEVERE"
                  and not any(allowed in entry["message"] for allowed in self.allowed_errors)]
        self.browser.get("about:blank")
        self.browser.get_log("browser")
        self.assertEqual(errors, [], "the browser's console has errors")

    # Steps

    def workspace(self, keys=(KEY,), options=()):
        folder = tempfile.TemporaryDirectory(prefix="tributary-page-")
        self.addCleanup(folder.cleanup)
        workspace = Workspace(folder.name, keys=keys, options=options)
        self.addCleanup(workspace.stop)
        return workspace

    def open(self, workspace):
        """Logs in with the address that the workspace shows at its start, and marks the page, so that a reload would
        not go unseen."""
        self.browser.get(f"{workspace.address}/login#{TOKEN}")
        self.wait(lambda: self.state() == "live", "the page is live")
        self.browser.execute_script("window.notReloaded = true")
        # The test before may have left the pointer over the list.
        self.away()

    def size(self, width, height):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def wait(self, condition, what):
        return WebDriverWait(
            self.browser, PATIENCE, poll_frequency=0.05, ignored_exceptions=[StaleElementReferenceException]
        ).until(
            lambda _: condition(), f"expected that {what}; the list shows {self.rows()[:5]}")

    def state(self):
        return self.element("#status").get_attribute("data-state")

    def element(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def click(self, selector):
        """Clicks an element. A place that is drawn again meanwhile has another one, which is clicked then."""
        self.wait(lambda: self.element(selector).click() or True, f"{selector} can be clicked")

    def follow(self, text):
        """Clicks the link with this text, as `click` does."""
        self.wait(lambda: self.browser.find_element(By.LINK_TEXT, text).click() or True, f"the link {text} can be clicked")

    def texts(self, selector):
        """The texts of all visible elements, read at one moment."""
        return self.browser.execute_script(
            "return [...document.querySelectorAll(arguments[0])].filter((one) => one.getClientRects().length)"
            ".map((one) => one.textContent)", selector)

    def rows(self):
        """The texts of the rows in the document, in the order of the list."""
        return self.browser.execute_script(
            "return [...document.querySelectorAll('.item:not([hidden])')]"
            ".sort((one, other) => one.ariaRowIndex - other.ariaRowIndex)"
            ".map((row) => [...row.children].map((cell) => cell.textContent).join(' | '))")

    def names(self):
        return self.browser.execute_script(
            "return [...document.querySelectorAll('.item:not([hidden])')]"
            ".sort((one, other) => one.ariaRowIndex - other.ariaRowIndex)"
            ".map((row) => row.querySelector('.name').textContent)")

    def length(self):
        """How many events the list has, in the document or not."""
        return int(self.element("#events").get_attribute("aria-rowcount")) - 1

    def wait_for_row(self, *words):
        self.wait(lambda: any(all(word in row for word in words) for row in self.rows()), f"a row has {words}")

    def open_row(self, name):
        self.wait_for_row(name)
        row = next(row for row in self.browser.find_elements(By.CSS_SELECTOR, ".item:not([hidden])")
                   if row.find_element(By.CSS_SELECTOR, ".name").text == name)
        row.click()
        self.wait(lambda: self.element("#panel").is_displayed(), "the panel is open")
        self.away()

    def away(self):
        """Moves the pointer away from the list, which stands still below it."""
        ActionChains(self.browser).move_to_element(self.element(".brand")).perform()

    def press(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def assertNotReloaded(self):
        self.assertTrue(self.browser.execute_script("return window.notReloaded"), "the page was loaded again")

    # Accessibility

    def axe(self):
        """The script of axe. Without it the test is skipped."""
        script = next((REPOSITORY / ".build-tools/axe").glob("**/axe.min.js"), None)
        if script is None:
            self.skipTest("axe is not installed: scripts/bootstrap axe")
        return script.read_text()

    def assertAccessible(self, axe):
        """Axe finds nothing serious in what the page shows."""
        # As a debugger does it, because the policy of the page allows no scripts of others.
        self.browser.execute_cdp_cmd("Runtime.evaluate", {"expression": axe})
        result = self.browser.execute_async_script(
            "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(done)")
        serious = [f"{one['id']}: {one['help']}: {[node['html'][:120] for node in one['nodes'][:3]]}"
                   for one in result["violations"] if one["impact"] in ("serious", "critical")]
        self.assertEqual(serious, [])

    def in_each_form(self):
        """Goes through light and dark, wide and as narrow as a phone; yields the name of each."""
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.setEmulatedMedia", {"features": []})
        for theme in ["light", "dark"]:
            self.browser.execute_cdp_cmd(
                "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
            for size in [WIDE, PHONE]:
                self.size(*size)
                yield f"{theme}, {size[0]} wide"


class PlaceTest(BrowserTest):
    """A test of places, which have other rows than the list of events."""

    # Steps

    def rows(self):
        return self.texts("main tr, main h2, .message, dialog h2")

    def go(self, workspace, place, token=TOKEN):
        """Logs in if nobody is logged in, and goes to a place as a shared address does."""
        self.browser.get(f"{workspace.address}/{place}")
        if "/login" in self.browser.current_url:
            self.browser.find_element(By.ID, "token").send_keys(token)
            self.click(".login button")
        self.wait(lambda: self.texts("main h2"), f"{place} is shown")
        self.assertIn(f"/{place.split('?')[0]}", self.browser.current_url)

    def button(self, label, within="main"):
        """The first visible button with this label."""
        def find():
            return [one for one in self.browser.find_elements(By.CSS_SELECTOR, f"{within} button")
                    if one.text == label and one.is_displayed() and one.is_enabled()]
        return self.wait(find, f"there is a button {label}")[0]

    def press_button(self, label, within="main"):
        def press():
            button = self.button(label, within)
            self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
            button.click()
            return True
        self.wait(press, f"the button {label} can be pressed")

    def agree(self, label, word=None):
        """Answers the question that is open."""
        self.wait(lambda: self.browser.find_elements(By.CSS_SELECTOR, "dialog[open]"), "a question is open")
        if word:
            self.wait(lambda: self.browser.find_elements(By.CSS_SELECTOR, f"dialog input[aria-label='Type {word}']"),
                      f"the question wants {word}")
            self.assertFalse(self.browser.find_element(By.CSS_SELECTOR, "dialog button[type=submit]").is_enabled())
            self.element(f"dialog input[aria-label='Type {word}']").send_keys(word)
        self.press_button(label, "dialog")
        self.wait(lambda: not self.browser.find_elements(By.CSS_SELECTOR, "dialog[open]"), "the question is closed")

    def asks_about(self, *losses):
        """Waits for a question that names what is lost, in these sentences and no others."""
        self.wait(lambda: self.texts("dialog[open] h2"), "a question is open")
        self.assertEqual(self.texts("dialog[open] li"), list(losses))

    def message(self, words):
        self.wait(lambda: any(words in text for text in self.texts(".message")), f"the page says {words}")

    def fill(self, identifier, text):
        field = self.browser.find_element(By.ID, identifier)
        field.clear()
        field.send_keys(text)
