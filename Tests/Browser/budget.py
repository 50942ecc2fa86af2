"""The budget of the console: requests, bytes and seconds of each place, on a bad line. scripts/page-budget runs this.

A place is opened in three ways. *Cold*: the browser has nothing of the page. *Warm*: it has been there before, and the
address is opened again. *Change*: a link of another place leads to it. A place is there when it shows its own content.

budget.json has what each place may cost. frame_test.py compares requests and bytes with it. Seconds depend on the machine, so
only scripts/page-budget compares them. --update writes what was measured, rounded up.
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
    "": ".item:not([hidden])", "catalog": "#names tbody tr", "plan": "[aria-label='Planned events'] tbody tr", "explore": "#series tbody tr", "board": "#board .tile tbody tr",
    "people": "[aria-label='People seen lately'] tbody tr", "live-plugins": "[aria-label='Versions'] tbody tr",
    "filters": "#rules-forms .card", "sessions": "main tbody tr", "destinations": ".cards .card",
    "problems": "#server", "sources": "main tbody tr", "access": "main tbody tr", "audit": ".entry",
    "sql": "#tables summary",
}
# Stays open, so it has no end to measure.
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
    workspace.send("PUT", f"{source}/plan", {"events": [{"type": "track", "name": "Search", "properties": [{"key": "sku", "required": True}]}]})
    workspace.deploy(KEY, PLUGIN)
    workspace.send("PUT", f"{source}/filters", [RULE])
    workspace.send("PUT", f"{source}/destinations/Ads", {
        "kind": "webhook", "settings": {"url": "http://127.0.0.1:9/ads"}, "from": "now", "enabled": False})
    workspace.send("POST", "/api/tokens", {"name": "Ana", "role": "deploy"})
    for by in ["name", "type"]:
        workspace.send("PUT", f"/api/views/{by}", {"place": "explore", "query": f"by={by}&source={KEY}", "board": 9})


class Meter:
    """A browser that counts what it loads."""

    def __init__(self):
        self.browser = start_browser(logs={"performance": "ALL"})
        self.browser.set_page_load_timeout(120)
        self.command("Network.enable")
        self.command("Emulation.setDeviceMetricsOverride", width=1280, height=800, deviceScaleFactor=1, mobile=False)

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
        """Requests that went to the server, and the bytes of their answers. What the page asks again and again counts once."""
        sent, size = {}, {}
        for event in self.events():
            values = event["params"]
            match event["method"]:
                case "Network.requestWillBeSent":
                    address = urlsplit(values["request"]["url"])
                    if address.scheme.startswith("http"):
                        sent[values["requestId"]] = f"{address.path}?{address.query}"
                case "Network.requestServedFromCache":
                    sent.pop(values["requestId"], None)
                case "Network.responseReceived":
                    if values["response"].get("fromDiskCache"):
                        sent.pop(values["requestId"], None)
                case "Network.loadingFinished":
                    size[values["requestId"]] = values["encodedDataLength"]
        counted = {address: one for one, address in sent.items() if not address.startswith(STREAM)}
        return {"requests": len(counted), "bytes": int(sum(size.get(one, 0) for one in counted.values()))}


def measure(workspace, places, line, repeats=1):
    """The figures of each place: cold, warm and after a change of places. Yields the place and the figures."""
    meter = Meter()
    browser = meter.browser
    try:
        browser.get(f"{workspace.address}/login#{TOKEN}")
        while not meter.is_there(""):
            time.sleep(0.1)
        # The emulated line counts from the next document on.
        meter.line(line)
        for place in places:
            address = f"{workspace.address}/{place}"
            meter.clear()
            cold = meter.open(lambda: browser.get(address), place)
            warm = best([meter.open(lambda: reopen(browser, address), place) for _ in range(repeats)])
            other = "explore" if place == "catalog" else "catalog"
            changes = []
            for _ in range(repeats):
                meter.open(lambda: browser.get(f"{workspace.address}/{other}"), other)
                changes.append(meter.open(lambda: follow(browser, place), place))
            yield f"/{place}", {"cold": cold, "warm": warm, "change": best(changes)}
    finally:
        browser.quit()


def best(found):
    """The fastest of some openings: other programs of the machine only make it slower."""
    return min(found, key=lambda one: one["seconds"])


def reopen(browser, address):
    browser.execute_script("location.href = 'about:blank'")
    browser.get(address)


def follow(browser, place):
    browser.find_element(By.CSS_SELECTOR, f"#places a[href^='/{place}{'' if place else '?'}'], #places a[href='/{place}']").click()


def exceeded(place, figures, budget, names):
    """What a place costs beyond the budget, in sentences."""
    allowed = budget["places"].get(place)
    if allowed is None:
        return [f"{place} has no budget"]
    found = [f"{place}, {way}: {figures[way][name]} {name}, {allowed[way][name]} are in the budget"
             for way in figures for name in names if name in allowed[way] and figures[way][name] > allowed[way][name]]
    if "seconds" in names:
        found += [f"{place}, {way}: {figures[way]['seconds']} s, {most} s are in the budget"
                  for way, most in budget["seconds"].items() if figures[way]["seconds"] > most]
    return found


def rounded(figures):
    """A budget for such figures: bytes have room for other numbers and times in the answers."""
    return {way: {"requests": one["requests"], "bytes": -(-one["bytes"] * 11 // 10 // 1000) * 1000}
            for way, one in figures.items()}


def read():
    return json.loads(BUDGET.read_text())


def line_of(place, figures):
    return f"{place:14}" + "".join(
        f"  {way} {one['requests']:3} requests {one['bytes'] / 1000:6.1f} kB {one['seconds']:5.2f} s" for way, one in figures.items())


def main():
    arguments = argparse.ArgumentParser(description="Measures what each place of the console costs on a bad line.")
    arguments.add_argument("--place", action="append", choices=list(CONTENT), help="only this place, without its slash")
    arguments.add_argument("--repeats", type=int, default=3, help="how often to open a place; the fastest counts")
    arguments.add_argument("--update", action="store_true", help="write requests and bytes into the budget")
    chosen = arguments.parse_args()
    budget = read()
    problems = []
    with tempfile.TemporaryDirectory(prefix="tributary-budget-") as data, contextlib.ExitStack() as ends:
        workspace = Workspace(data, keys=(KEY,))
        ends.callback(workspace.stop)
        seed(workspace)
        for place, figures in measure(workspace, chosen.place or list(CONTENT), LINE, chosen.repeats):
            print(line_of(place, figures), flush=True)
            if chosen.update:
                budget["places"][place] = rounded(figures)
            problems += exceeded(place, figures, budget, ["requests", "bytes", "seconds"])
    if chosen.update:
        BUDGET.write_text(json.dumps(budget, indent=2) + "\n")
    for problem in problems:
        print(f"page-budget: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
