"""Pictures of the workspace's pages, for people to look at: scripts/screenshots runs this.

Every page is taken in four forms: in light and dark, wide and as narrow as a phone. The argument is the folder for the
PNG files. With --guide, the pages of the guide are taken, as small WebP files. With --cluster, the place of a cluster is
taken instead: as it is, with a node that hangs, and while the log is away.
"""

import argparse
import base64
import contextlib
import json
import signal
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import uuid
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import KEY, TOKEN, Workspace, now, start_browser  # noqa: E402
from cluster import Engines, Node  # noqa: E402
from selenium.common.exceptions import StaleElementReferenceException  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

SIZES = {"wide": (1280, 800), "phone": (390, 844)}
# All of a long place.
TALL = {"wide": (1280, 1500), "phone": (390, 2500)}
THEMES = ["light", "dark"]
PLACES = ["catalog", "plan", "explore", "sql", "board", "people", "people?user=u-4711",
          "live-plugins", "filters", "sessions", "destinations", "problems", "sources", "access", "audit"]
# What is there when a place has all that it shows.
COMPLETE = {"destinations": "main .card:nth-child(2)", "problems": "main .rejection", "audit": "main .entry",
            "people?user=u-4711": "main .happening", "people": "main tbody tr", "sources": "main tbody tr",
            "access": "main tbody tr", "catalog": "main tbody tr", "plan": "main tbody tr", "explore": "main tbody tr", "sessions": "main tbody tr",
            "sql": "#tables summary", "board": "#board .tile:last-child tbody tr",
            "filters": "main tbody tr", "live-plugins": "main tbody tr"}


def query(**members):
    """The query of an address; lists and objects are written as JSON."""
    return urllib.parse.urlencode({name: value if isinstance(value, str) else json.dumps(value) for name, value in members.items()})


def track(name):
    return {"type": "track", "name": name}


# Questions of Explore: the query of the address, and an element that is there when the question has its answer.
QUESTIONS = {
    "explore-property": (query(by="property", property="properties.currency"), "#breakdown tbody tr"),
    "explore-sum": (query(by="property", property="event", statistic="sum", numbers="properties.total", time="happened"), "#breakdown tbody tr"),
    "explore-funnel": (query(by="funnel", steps=[track("Signed Up"), track("Opened")]), "#funnel tbody tr"),
    "explore-retention": (query(by="retention", first=track("Signed Up"), returning=track("Opened")), "#retention tbody tr"),
}
# What docs/guides/console.md does not show.
NOT_IN_GUIDE = {"login", "login-refused", "event-unreadable-time", "save-question", "explore-retention", "explore-sum", "people", "sessions"}
# Its apps run live plugins themselves.
LIBRARY = {"name": "tributary", "version": "0.1.0"}
PLUGIN = """class Currency extends LivePlugin {
  constructor() { super(LivePluginType.enrichment, null); }
  track(event) {
    event.properties.currency = "EUR";
    return event.event == "Clock Ahead" ? null : event;
  }
}
analytics.add(new Currency());
"""
RULE = {"name": "large orders only", "destinationName": "Warehouse",
        "matchers": [{"type": "fql", "ir": '["<", "properties.total", {"value": 10}]'}],
        "transformers": [[{"type": "drop"}]]}


def signals():
    """What an app sends of its user while it is developed."""
    session = [("navigation", {"action": "entering", "screen": "Shop"}), ("interaction", {"title": "Add to cart"}),
               ("interaction", {"title": "Pay"})]
    return [{"type": "track", "event": "Segment Signal Generated", "messageId": f"s-{index}", "anonymousId": "phone",
             "timestamp": now(), "properties": {"anonymousId": "phone", "type": kind, "index": index, "data": data,
                                                "timestamp": now(1000 * index)}}
            for index, (kind, data) in enumerate(session)]


def sample(workspace):
    """Events of every kind, with and without a trace, a time that is not read, one from another clock, and a rejection."""
    def consent(analytics, advertising):
        return {"library": LIBRARY, "consent": {"categoryPreferences": {"analytics": analytics, "advertising": advertising}}}

    def event(number, kind, name, **members):
        return {
            "type": kind, "event" if kind == "track" else "name": name, "messageId": f"m-{number}",
            "userId": "u-4711", "anonymousId": "7f3c2d1e-0000-4000-8000-1234567890ab", "timestamp": now(-500 - number),
            "properties": {"total": 42, "currency": "USD", "items": ["a", "b"]}, "context": {"library": LIBRARY},
        } | members

    workspace.trace({
        "messageId": "m-1", "type": "track", "trackedAt": now(-800), "outcome": "sent",
        "stages": [{"stage": "enrichment", "plugin": "Currency", "outcome": "changed"},
                   {"stage": "destination", "plugin": "Segment.io", "outcome": "passed"}],
    }, {
        "messageId": "m-2", "type": "track", "trackedAt": now(90_000), "outcome": "sent",
        "stages": [{"stage": "destination", "plugin": "Segment.io", "outcome": "passed"}],
    })
    # People who signed up on each of the last days. One more of them opens the app with each day that has passed.
    workspace.post(*[
        event(100 + 10 * user + day, "track", "Opened" if day else "Signed Up", userId=f"u-{user}",
              timestamp=now(-86_400_000 * (user % 6 - day)))
        for user in range(18) for day in range(user % 6 + 1) if day * user % 3 < 2])
    workspace.post(
        event(1, "track", "Order Completed", context=consent(True, False)), event(2, "track", "Clock Ahead"),
        event(3, "screen", "A screen with a rather long name that does not fit into one line of a phone"),
        event(4, "identify", None), event(5, "track", "Unreadable Time", timestamp="20/11/2026"),
        event(6, "page", "Start"), *signals(), {"type": "track", "messageId": "bad"})
    workspace.settle()
    source = f"/api/sources/{KEY}"
    workspace.deploy(KEY, PLUGIN.replace("EUR", "USD"))
    workspace.deploy(KEY, PLUGIN)
    workspace.send("PUT", f"{source}/filters", [RULE])
    workspace.send("PUT", f"{source}/plan", {"events": [
        {"type": "track", "name": "Order Completed", "description": "The order is paid.", "properties": [
            {"key": "total", "type": "number", "required": True}, {"key": "currency", "type": "string", "required": True},
            {"key": "coupon", "type": "string"}]},
        {"type": "track", "name": "Cart Viewed"}, {"type": "page", "name": "Start", "properties": []}]})
    workspace.send("PUT", "/api/suppressions?userId=u-0815", {"reason": "asked by letter on 21 November"})
    workspace.send("PUT", f"{source}/destinations/Ads", {
        "kind": "webhook", "settings": {"url": "http://127.0.0.1:9/ads", "deletions": True}, "from": "start",
        "enabled": False, "categories": ["advertising", "tcf.4"]})
    # Nobody listens there.
    workspace.send("PUT", f"{source}/destinations/Warehouse",
                   {"kind": "webhook", "settings": {"url": "http://127.0.0.1:9/events"}, "from": "start"})
    workspace.send("PUT", f"{source}/destinations/Lake", {
        "kind": "s3", "from": "start", "secret": "not-a-secret", "settings": {
            "endpoint": "https://s3.eu-central-1.amazonaws.com", "region": "eu-central-1", "bucket": "shop-events",
            "prefix": "raw", "accessKey": "AKIAIOSFODNN7EXAMPLE"}})
    workspace.send("PUT", f"{source}/destinations/Copy", {
        "kind": "function", "enabled": False,
        "settings": {"template": "segment-compatible", "settings": {"endpoint": "https://events.example.com"}}})
    while workspace.get(f"{source}/destinations/Warehouse")["state"] != "waiting":
        time.sleep(0.1)
    workspace.send("POST", "/api/tokens", {"name": "Ana", "role": "deploy"})
    for name, question in [("Events by name", query(by="name", days="7")), ("Orders by currency", QUESTIONS["explore-property"][0]),
                           ("From sign-up to use", QUESTIONS["explore-funnel"][0]), ("Who comes back", QUESTIONS["explore-retention"][0]),
                           ("By type", query(days="90"))]:
        workspace.send("PUT", f"/api/views/{urllib.parse.quote(name)}", {"place": "explore", "query": question, "board": 9})
    slip = KEY[1] + KEY[0] + KEY[2:]
    for path, body in (("/v1/batch", {"writeKey": slip, "batch": []}), ("/v2/batch", {"batch": []}), ("/v1/batch", b"{")):
        with contextlib.suppress(urllib.error.HTTPError):
            workspace.send("POST", path, body)


def size(browser, width, height):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})


def wait(browser, holds):
    # A page that is just being replaced takes its elements along.
    WebDriverWait(browser, 20, ignored_exceptions=[StaleElementReferenceException]).until(holds)


def pages(browser, workspace):
    """Goes from page to page; yields the name of each."""
    browser.get(workspace.address + "/login")
    yield "login"
    browser.find_element(By.ID, "token").send_keys("not-the-token-of-anything")
    browser.find_element(By.CSS_SELECTOR, "button").click()
    wait(browser, lambda _: browser.find_element(By.ID, "problem").text)
    yield "login-refused"
    browser.get(f"{workspace.address}/login#{TOKEN}")
    wait(browser, lambda _: browser.find_elements(By.CSS_SELECTOR, ".item:not([hidden])"))
    yield "events"
    for name in ["Order Completed", "Unreadable Time"]:
        row, = [row for row in browser.find_elements(By.CSS_SELECTOR, ".item:not([hidden])") if name in row.text]
        row.click()
        wait(browser, lambda _: browser.find_element(By.ID, "panel").is_displayed())
        yield "event-" + name.lower().replace(" ", "-")
        browser.find_element(By.TAG_NAME, "body").send_keys("\ue00c")  # Escape
    for place in PLACES:
        browser.get(f"{workspace.address}/{place}")
        wait(browser, lambda _: browser.find_elements(By.CSS_SELECTOR, "main h2"))
        if place in COMPLETE:
            wait(browser, lambda _: browser.find_elements(By.CSS_SELECTOR, COMPLETE[place]))
        if place.startswith("people?"):
            browser.find_element(By.ID, "show-ways").click()
            wait(browser, lambda _: browser.find_elements(By.CSS_SELECTOR, "main .way"))
        if place == "live-plugins":
            browser.find_element(By.ID, "try").click()
            wait(browser, lambda _: browser.find_elements(By.ID, "trial-figures"))
        if place == "sql":
            browser.find_element(By.ID, "ask").click()
            wait(browser, lambda _: browser.find_elements(By.CSS_SELECTOR, "#sql-result tbody tr"))
        yield {"people?user=u-4711": "person"}.get(place, place)
        if place == "sessions":
            browser.find_element(By.CSS_SELECTOR, "[aria-label=Sessions] a").click()
            wait(browser, lambda _: browser.find_elements(By.CSS_SELECTOR, "#signal-trial .note"))
            yield "session"
        if place == "catalog":
            browser.find_element(By.LINK_TEXT, "Order Completed").click()
            wait(browser, lambda _: browser.find_elements(By.CSS_SELECTOR, "#properties tbody tr"))
            wait(browser, lambda _: "Tried on" in browser.find_element(By.ID, "touches").text)
            yield "catalog-name"
    for name, (question, answer) in QUESTIONS.items():
        browser.get(f"{workspace.address}/explore?{question}")
        wait(browser, lambda _: browser.find_elements(By.CSS_SELECTOR, answer))
        yield name
    browser.find_element(By.ID, "save-question").click()
    wait(browser, lambda _: browser.find_elements(By.ID, "view-name"))
    yield "save-question"
    browser.find_element(By.TAG_NAME, "body").send_keys("\ue00c")  # Escape
    browser.find_element(By.CSS_SELECTOR, "form[action='/logout'] button").click()
    wait(browser, lambda _: "/login" in browser.current_url)


def take(browser, path, is_small):
    """Takes a picture. Its name gets the ending of its format."""
    options = {"format": "webp", "quality": 80} if is_small else {"format": "png"}
    picture = browser.execute_cdp_cmd("Page.captureScreenshot", options)["data"]
    path.with_suffix("." + options["format"]).write_bytes(base64.b64decode(picture))


def forms(browser, sizes=SIZES):
    """Goes through light and dark, wide and as narrow as a phone; yields the name of each."""
    for theme in THEMES:
        browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
        for name, (width, height) in sizes.items():
            size(browser, width, height)
            yield f"{theme}-{name}"


def main(folder, is_guide):
    with tempfile.TemporaryDirectory(prefix="tributary-screenshots-") as data, contextlib.ExitStack() as ends:
        workspace = Workspace(data, keys=(KEY,))
        ends.callback(workspace.stop)
        browser = start_browser()
        ends.callback(browser.quit)
        sample(workspace)
        for form in forms(browser):
            for page in pages(browser, workspace):
                if not is_guide or page not in NOT_IN_GUIDE:
                    take(browser, Path(folder, f"{page}-{form}"), is_guide)


def verdict(browser):
    return browser.find_element(By.ID, "verdict").text


def cluster(folder, is_guide):
    with tempfile.TemporaryDirectory(prefix="tributary-screenshots-") as data, contextlib.ExitStack() as ends:
        engines = Engines()
        ends.callback(engines.stop)
        nodes = []
        for name in ["north", "south"]:
            nodes.append(Node(engines, f"{data}/{name}", name, partitions=8))
            ends.callback(nodes[-1].stop)
        browser = start_browser()
        ends.callback(browser.quit)
        browser.get(f"{nodes[0].address}/login#{TOKEN}")
        wait(browser, lambda _: browser.find_elements(By.CSS_SELECTOR, "#places a[href='/cluster']"))
        browser.get(f"{nodes[0].address}/cluster")
        wait(browser, lambda _: "Nothing needs" in verdict(browser))
        play(nodes[0])
        for form in forms(browser):
            take(browser, Path(folder, f"cluster-{form}"), is_guide)
        if is_guide:
            return
        ends.callback(nodes[1].process.send_signal, signal.SIGCONT)
        for form in forms(browser, TALL):
            # It is in trouble only until the other node takes its partitions over.
            nodes[1].process.send_signal(signal.SIGSTOP)
            wait(browser, lambda _: "The cluster needs" in verdict(browser))
            take(browser, Path(folder, f"cluster-trouble-{form}"), is_guide)
            nodes[1].process.send_signal(signal.SIGCONT)
            wait(browser, lambda _: "Nothing needs" in verdict(browser) and "south" in browser.find_element(
                By.CSS_SELECTOR, "[aria-label=Partitions]").text)
        engines.all_nats("kill")
        wait(browser, lambda _: "cannot be asked" in verdict(browser))
        for form in forms(browser):
            take(browser, Path(folder, f"cluster-away-{form}"), is_guide)


def play(node):
    """Sends events for a while, now more and now less, so that the chart has something to show."""
    for step in range(60):
        for _ in range(step % 15):
            node.post(*[{"type": "track", "event": "Step", "messageId": str(uuid.uuid4()), "anonymousId": f"d-{device}"}
                        for device in range(100)])
        time.sleep(0.5)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("folder")
    arguments.add_argument("--guide", action="store_true")
    arguments.add_argument("--cluster", action="store_true")
    chosen = arguments.parse_args()
    Path(chosen.folder).mkdir(parents=True, exist_ok=True)
    (cluster if chosen.cluster else main)(chosen.folder, chosen.guide)
    print(f"pictures in {chosen.folder}")
