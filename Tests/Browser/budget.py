"""What the console costs on a bad line: requests, bytes and seconds of each place.

Run it to see the figures of each place, at 120 ms and 1.6 Mbit/s:

    /usr/bin/python3 Tests/Browser/budget.py

A place is opened three times. *Cold*: the browser has nothing of the page. *Warm*: it has been there before, and the
address is opened again. *Change*: a link of another place leads to it. A place is there when it shows its own content.
"""

import argparse
import contextlib
import json
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import KEY, TOKEN, Workspace, now, start_browser  # noqa: E402
from screenshots import PLUGIN, RULE  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402

BUDGET = Path(__file__).resolve().with_name("budget.json")
# The bad line: a phone in a train. Bytes a second.
LINE = {"offline": False, "latency": 120, "downloadThroughput": 200_000, "uploadThroughput": 90_000}
FREE = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
# What is there when a place shows its content.
CONTENT = {
    "": ".item:not([hidden])", "catalog": "#names tbody tr", "explore": "#series tbody tr",
    "people": "[aria-label='People seen lately'] tbody tr", "live-plugins": "[aria-label='Versions'] tbody tr",
    "filters": "#rules-forms .card", "sessions": "main tbody tr", "destinations": ".cards .card",
    "problems": "#server", "sources": "main tbody tr", "access": "main tbody tr", "audit": ".entry",
}
# Requests of the page itself, which no place waits for.
STREAM = "/api/stream"
PATIENCE = 30


def seed(workspace):
    """A source as an app leaves it: 600 events with their context, signals, a plugin, a rule, a destination, a token."""
    context = {"library": {"name": "analytics-swift", "version": "1.0.0"}, "locale": "en-GB", "timezone": "Europe/London",
               "device": {"id": "1234567890abcdef", "manufacturer": "Apple", "model": "iPhone15,2", "type": "ios"},
               "os": {"name": "iOS", "version": "19.1"}, "screen": {"width": 393, "height": 852},
               "network": {"wifi": True, "cellular": False}, "app": {"name": "Shop", "version": "4.2.0", "build": "812"}}
    names = ["Order Completed", "Product Viewed", "Cart Viewed", "Search", "Coupon Applied", "Checkout Started"]
    for start in range(0, 600, 100):
        workspace.post(*[{
            "type": "track", "event": names[number % len(names)], "messageId": f"m-{number}", "userId": f"u-{number % 40}",
            "anonymousId": f"7f3c2d1e-0000-4000-8000-{number % 40:012d}", "timestamp": now(-number), "context": context,
            "properties": {"total": number, "currency": "EUR", "sku": f"sku-{number % 90}"},
        } for number in range(start, start + 100)])
    workspace.post({"type": "track", "event": "Segment Signal Generated", "messageId": "s-1", "anonymousId": "phone",
                    "timestamp": now(), "properties": {"anonymousId": "phone", "type": "interaction", "index": 1,
                                                       "data": {"title": "Pay"}, "timestamp": now()}})
    workspace.settle()
    source = f"/api/sources/{KEY}"
    workspace.deploy(KEY, PLUGIN)
    workspace.send("PUT", f"{source}/filters", [RULE])
    workspace.send("PUT", f"{source}/destinations/Ads", {
        "kind": "webhook", "settings": {"url": "http://127.0.0.1:9/ads"}, "from": "now", "enabled": False})
    workspace.send("POST", "/api/tokens", {"name": "Ana", "role": "deploy"})


class Meter:
    """A browser that counts what it loads."""

    def __init__(self):
        self.browser = start_browser({"performance": "ALL"})
        self.browser.set_page_load_timeout(120)
        self.command("Network.enable")

    def command(self, name, **values):
        return self.browser.execute_cdp_cmd(name, values)

    def line(self, conditions):
        self.command("Network.emulateNetworkConditions", **conditions)

    def clear(self):
        self.command("Network.clearBrowserCache")

    def events(self):
        return [json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")]

    def open(self, act, place):
        """Does what leads to a place, and waits for it. Returns its figures."""
        self.quiet()
        self.events()
        began = time.monotonic()
        act()
        while not self.is_there(place):
            if time.monotonic() - began > PATIENCE:
                raise AssertionError(f"/{place} did not show {CONTENT[place]}")
            time.sleep(0.01)
        seconds = time.monotonic() - began
        self.quiet()
        return self.figures() | {"seconds": round(seconds, 2)}

    def is_there(self, place):
        script = "return location.pathname === arguments[0] && Boolean(document.querySelector(arguments[1]))"
        try:
            return self.browser.execute_script(script, f"/{place}", CONTENT[place])
        except Exception:  # The document is just being replaced.
            return False

    def quiet(self):
        """Waits until nothing is loaded any more."""
        before = -1
        while True:
            number = self.browser.execute_script("return performance.getEntriesByType('resource').length")
            if number == before:
                return
            before = number
            time.sleep(0.7)

    def figures(self):
        """Requests that went to the server, and the bytes of their answers."""
        sent, answered, size = {}, set(), {}
        for event in self.events():
            values = event["params"]
            match event["method"]:
                case "Network.requestWillBeSent":
                    sent[values["requestId"]] = urlsplit(values["request"]["url"]).path
                case "Network.requestServedFromCache":
                    sent.pop(values["requestId"], None)
                case "Network.responseReceived":
                    if values["response"].get("fromDiskCache"):
                        sent.pop(values["requestId"], None)
                case "Network.loadingFinished":
                    size[values["requestId"]] = values["encodedDataLength"]
        counted = [one for one, path in sent.items() if path != STREAM and path.startswith("/")]
        self.paths = [sent[one] for one in counted]
        return {"requests": len(counted), "bytes": int(sum(size.get(one, 0) for one in counted))}


def measure(workspace, places, repeats=1):
    """The figures of each place: cold, warm and after a change of places."""
    meter = Meter()
    with contextlib.closing(meter.browser) as browser:
        browser.get(f"{workspace.address}/login#{TOKEN}")
        while not meter.is_there(""):
            time.sleep(0.1)
        # The emulated line counts from the next document on.
        meter.line(LINE)
        found = {}
        for place in places:
            address = f"{workspace.address}/{place}"
            meter.clear()
            cold = meter.open(lambda: browser.get(address), place)
            warm = middle([meter.open(lambda: reopen(browser, address), place) for _ in range(repeats)])
            other = "explore" if place == "catalog" else "catalog"
            changes = []
            for _ in range(repeats):
                meter.open(lambda: browser.get(f"{workspace.address}/{other}"), other)
                changes.append(meter.open(lambda: follow(browser, place), place))
            found[place] = {"cold": cold, "warm": warm, "change": middle(changes)}
            print(f"{'/' + place:14}" + "".join(f"  {name} {one['requests']:3} req {one['bytes'] / 1000:6.1f} kB {one['seconds']:5.2f} s"
                                               for name, one in found[place].items()), flush=True)
        browser.quit()
    return found


def middle(found):
    return sorted(found, key=lambda one: one["seconds"])[len(found) // 2]


def reopen(browser, address):
    browser.execute_script("location.href = 'about:blank'")
    browser.get(address)


def follow(browser, place):
    browser.find_element(By.CSS_SELECTOR, f"#places a[href^='/{place}{'' if place else '?'}'], #places a[href='/{place}']").click()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--place", action="append", choices=list(CONTENT))
    arguments.add_argument("--repeats", type=int, default=1)
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="tributary-budget-") as data, contextlib.ExitStack() as ends:
        workspace = Workspace(data, keys=(KEY,))
        ends.callback(workspace.stop)
        seed(workspace)
        measure(workspace, chosen.place or list(CONTENT), chosen.repeats)


if __name__ == "__main__":
    main()
