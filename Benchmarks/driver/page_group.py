"""The page of the workspace in a real browser: how soon each place is there, and whether the live list stays smooth."""

import http.client
import sys
import threading
import time

import people
from bench import PACKAGE, Failed
from promise import AtLeast, AtMost, Benchmark, Measurement, Promise, Unavailable
from workspace_group import Server, program

TOKEN = "the-token-of-this-benchmark"
PATIENCE = 60
PLACES = ["", "catalog", "catalog?type=track&name=Event+7", "explore?by=name",
          "explore?by=property", "people", "people?user=USER", "live-plugins",
          "filters", "sessions", "destinations", "problems", "sources", "access", "audit"]
# What shows that a place is there: a row of the list, or the title of a first part.
THERE = ".item:not([hidden]), main h2"
SOURCE = """class Price extends LivePlugin {
  constructor() { super(LivePluginType.enrichment, null); }
  track(event) { event.properties.checked = true; return event; }
}
analytics.add(new Price());
"""


def browser_tools():
    """The module of the browser's tests, and the exceptions of the library."""
    sys.path.insert(0, str(PACKAGE.parent / "Tests/Browser"))
    try:
        import browser
    except ImportError as error:
        raise Unavailable(f"the browser is missing (scripts/bootstrap test): {error}") from error
    return browser


class Pages:
    """A browser before a workspace with many events."""

    def __init__(self, bench, server, browser):
        self.bench, self.server, self.browser = bench, server, browser
        self.crowd = people.People(max(20, bench.size["page_events"] // 50), seed=7)

    @property
    def address(self):
        return self.server.url.removeprefix("http://")

    def fill(self):
        people.Sending(self.address, self.crowd, self.bench.size["page_events"]).run()
        while self.server.get("/v1/ready")["waitingRequests"] > 0:
            time.sleep(0.1)

    def wait(self, script):
        """Waits until a script returns something."""
        end = time.monotonic() + PATIENCE
        while not (found := self.browser.execute_script(script)):
            if time.monotonic() > end:
                raise Failed(f"the page did not come so far: {script}")
            time.sleep(0.02)
        return found

    def log_in(self):
        """Logs in, and lets each later page note when it shows something."""
        self.browser.get(f"{self.server.url}/login#{TOKEN}")
        self.wait(f"return document.querySelector('{THERE}') !== null")
        self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": f"""
            new MutationObserver((_, observer) => {{
              if (!document.querySelector('{THERE}')) return;
              observer.disconnect();
              requestAnimationFrame(() => setTimeout(() => {{ window.thereAfter = performance.now(); }}));
            }}).observe(document, {{childList: true, subtree: true, attributes: true}});"""})

    def open(self, place):
        """Milliseconds from the begin of the navigation until the place shows something, by the browser's clock."""
        self.browser.get(f"{self.server.url}/{place}")
        return self.wait("return window.thereAfter")

    def places(self):
        """The median of the openings of each place, without the first one, which fills the browser's cache."""
        found = {}
        for place in PLACES:
            path = place.replace("USER", self.crowd.users[len(self.crowd.users) // 2])
            runs = [self.open(path) for _ in range(1 + self.bench.size["page_rounds"])][1:]
            found["/" + place] = sorted(runs)[len(runs) // 2]
            self.bench.log(f"/{place}: {found['/' + place]:.0f} ms")
        return found

    def live(self):
        """Long tasks and late frames while events arrive, by the browser's own count."""
        self.browser.get(f"{self.server.url}/")
        self.wait(f"return document.querySelector('{THERE}') !== null")
        self.browser.execute_script("""
            window.longTasks = [];
            window.frames = [];
            new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map((one) => one.duration)))
              .observe({type: 'longtask'});
            const frame = (time) => { window.frames.push(time); requestAnimationFrame(frame); };
            requestAnimationFrame(frame);""")
        seconds, rate = self.bench.size["page_seconds"], self.bench.size["page_rate"]
        for _ in range(seconds):
            began = time.monotonic()
            sending = threading.Thread(target=people.Sending(self.address, self.crowd, rate).run)
            sending.start()
            sending.join()
            time.sleep(max(0, 1 - (time.monotonic() - began)))
        tasks, times = self.browser.execute_script("return [window.longTasks, window.frames]")
        gaps = sorted(later - earlier for earlier, later in zip(times, times[1:]))
        if not gaps:
            raise Failed("the browser drew no frame")
        return {
            "long tasks": len(tasks), "longest": max(tasks, default=0), "frames a second": len(gaps) / seconds,
            "99 of 100 frames within": gaps[int(len(gaps) * 0.99)],
        }

    # Counting by a property

    def breakdown(self, ended=None):
        """Seconds until the events of 90 days were counted by a property; or less, when somebody says so meanwhile."""
        connection = http.client.HTTPConnection(self.address, timeout=PATIENCE * 10)
        began = time.monotonic()
        try:
            since = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 89 * 86_400))
            connection.request("GET", f"/api/breakdown?writeKey={people.KEY}&property=properties.total&since={since}",
                               headers={"Authorization": f"Bearer {TOKEN}"})
            answer = connection.getresponse()
            for line in answer:
                if ended and ended.is_set():
                    return None
                if b'"result"' in line[:12]:
                    return time.monotonic() - began
            raise Failed(f"the breakdown has no result: status {answer.status}")
        finally:
            connection.close()

    def storing(self):
        """Events a second, from the first request until all are stored."""
        count = self.bench.size["page_ingest"][1]
        began = time.monotonic()
        people.Sending(self.address, self.crowd, count).run()
        while self.server.get("/v1/ready")["waitingRequests"] > 0:
            time.sleep(0.005)
        return count / (time.monotonic() - began)

    def storing_while_counting(self):
        ended = threading.Event()

        def count():
            while not ended.is_set():
                self.breakdown(ended)

        counting = threading.Thread(target=count)
        counting.start()
        try:
            return self.storing()
        finally:
            ended.set()
            counting.join()

    def ingest(self):
        """The rate of storing while somebody counts by a property, as a share of that without. Rounds take turns, because
        other work of the machine changes with time."""
        alone, beside = [], []
        for _ in range(self.bench.size["page_ingest"][0]):
            alone.append(self.storing())
            beside.append(self.storing_while_counting())
        middle = [sorted(rates)[len(rates) // 2] for rates in (alone, beside)]
        return {"share": middle[1] / middle[0], "alone": middle[0], "beside": middle[1]}


def run(bench):
    tools = browser_tools()
    folder = bench.new_folder("page")
    command = [program(bench, "tributary"), "serve", "--port", 0, "--data", folder, "--write-key", people.KEY]
    with Server(command, {"TRIBUTARY_ADMIN_TOKEN": TOKEN}) as server:
        try:
            browser = tools.start_browser()
        except Exception as error:  # Whatever the library raises: the browser or its driver is missing or does not start.
            raise Unavailable(f"the browser does not start: {error}") from error
        try:
            pages = Pages(bench, server, browser)
            pages.fill()
            pages.log_in()
            places = pages.places()
            live = pages.live()
        finally:
            browser.quit()
        # An open page shows what arrives, and takes a processor for that.
        seconds = pages.breakdown()
        ingest = pages.ingest()
    details = {"milliseconds": {place: round(value) for place, value in places.items()}}
    return {
        "page-places": Measurement(max(places.values()) / 1000, details=details),
        "page-long-tasks": Measurement(live["long tasks"], details=live),
        "page-breakdown": Measurement(seconds / bench.size["page_events"] * 1e6, details={"seconds": seconds}),
        "page-breakdown-ingest": Measurement(ingest["share"] * 100, details=ingest),
    }


BENCHMARKS = [
    Benchmark([
        Promise("page-places", "s", AtMost(1), "the slowest place of the page with 600,000 stored events"),
        Promise("page-breakdown", "us/event", AtMost(25), "counting all events and users by the values of a property"),
        Promise("page-breakdown-ingest", "%", AtLeast(90), "rate of storing events while somebody counts so, of that without"),
        Promise("page-long-tasks", "tasks", AtMost(0), "tasks over 50 ms in the live list at 500 events a second, in 20 s"),
    ], run),
]
