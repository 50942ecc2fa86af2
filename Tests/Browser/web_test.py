"""Websites that send to a workspace, in a real browser: without a library, below a path of a site, and with analytics-next.

    /usr/bin/python3 -m unittest -v Tests/Browser/web_test.py

The code of the pages and the configuration of nginx are those of docs/guides/web.md. TRIBUTARY_ANALYTICS_NEXT is a script with the
public client analytics-next, as a bundler makes it of the package @segment/analytics-next with the global name AnalyticsNext.
"""

import json
import os
import re
import sys
import tempfile
import unittest
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import BrowserTest, KEY, PATIENCE, REPOSITORY, TOKEN  # noqa: E402
from sites import blocks, free_port, Front, Nginx, NGINX, PAGE, Site  # noqa: E402

GUIDE = REPOSITORY / "docs/guides/web.md"
OPERATING = REPOSITORY / "docs/OPERATING.md"
ANALYTICS_NEXT = os.environ.get("TRIBUTARY_ANALYTICS_NEXT")
# What the browser writes to its console when a server answers with an error or not at all.
NETWORK_ERRORS = ["Failed to load resource", "net::ERR_"]
SITE = "https://example.com"


# Makes `script(address)`, and `load(address, settings, options)`, which answers with the client when it has its settings.
LOADING = """
    const script = (address) => new Promise((resolve, reject) => {
        const element = document.createElement("script")
        Object.assign(element, {src: address, onload: resolve, onerror: reject})
        document.head.append(element)
    })
    const load = async (address, settings, options) => {
        await script(address)
        window.analytics = AnalyticsNext.AnalyticsBrowser.load(settings, options)
        await window.analytics.ready()
        return window.analytics
    };
"""


class WebTest(BrowserTest):
    """A test with a site and a workspace of another origin."""

    def rows(self):
        return []

    def site(self, files):
        site = Site(files)
        self.addCleanup(site.stop)
        return site

    def front(self, workspace):
        front = Front(workspace)
        self.addCleanup(front.stop)
        return front

    def run_script(self, text, *arguments):
        """The value of an asynchronous function's body. Its failure is one of the test."""
        kind, value = self.browser.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            f"(async (...given) => {{ {text} }})(...[...arguments].slice(0, -1))"
            ".then((value) => done(['value', value]), (error) => done(['error', String(error?.stack ?? error)]))",
            *arguments)
        self.assertEqual(kind, "value", value)
        return value

    def stored(self, workspace, *names):
        """The stored events, when as many are stored as names are given. These are their names, in any order."""
        def rows():
            return workspace.get("/api/events?order=asc&limit=1000")["events"]
        self.wait(lambda: len(rows()) >= len(names), f"the workspace has {names}, not {[row['name'] for row in rows()]}")
        self.assertEqual(sorted(row["name"] or row["type"] for row in rows()), sorted(names))
        return {row["name"] or row["type"]: row["event"] for row in rows()}

    def forget(self):
        """Removes what the test before has left in the browser."""
        self.browser.delete_all_cookies()
        self.browser.execute_script("localStorage.clear()")

    def leave(self, site):
        self.browser.get(site.address + "/other")


class PlainPageTest(WebTest):
    """Pages without a library, with the code of the guide."""

    def setUp(self):
        super().setUp()
        self.server = self.workspace()
        code, = blocks(GUIDE, "js events.mjs")
        self.shop = self.site({"/events.mjs": self.local(code)})
        self.browser.get(self.shop.address)

    def local(self, text):
        return text.replace("https://stats.example.com", self.server.address).replace('"KEY"', f'"{KEY}"')

    def test_a_page_of_another_origin_sends_the_code_of_the_guide(self):
        self.run_script("""
            const {send} = await import("/events.mjs")
            await send({type: "page", name: "Shop"})
            await send({type: "track", event: "Product Viewed", properties: {price: 3.5}})
        """)
        events = self.stored(self.server, "Shop", "Product Viewed")
        self.assertEqual(events["Product Viewed"]["properties"], {"price": 3.5})
        self.assertEqual(events["Product Viewed"]["context"]["page"]["url"], self.shop.address + "/")
        self.assertEqual(events["Shop"]["anonymousId"], events["Product Viewed"]["anonymousId"])
        self.assertTrue(events["Shop"]["anonymousId"])

    def test_events_of_the_moment_in_which_a_page_is_left_arrive(self):
        self.run_script("""
            const {send, last} = await import("/events.mjs")
            addEventListener("pagehide", () => {
                send({type: "track", event: "Kept Alive"})
                last({type: "track", event: "Beacon"})
            })
        """)
        self.leave(self.shop)
        self.stored(self.server, "Kept Alive", "Beacon")

    def test_an_event_waits_for_a_workspace_that_is_away(self):
        self.allowed_errors = NETWORK_ERRORS
        port = self.server.port
        self.server.stop()
        self.browser.execute_script(
            "import('/events.mjs').then(({send}) => send({type: 'track', event: 'Waited'})).then(() => { window.sent = true })")
        self.wait(lambda: any("net::ERR_" in entry["message"] for entry in self.browser.get_log("browser")),
                  "a request failed")
        self.server.start(port)
        self.stored(self.server, "Waited")
        self.wait(lambda: self.browser.execute_script("return window.sent"), "the page knows it")

    def test_a_page_may_ask_first_compress_and_read_how_long_to_wait(self):
        self.allowed_errors = NETWORK_ERRORS
        self.server.send("PUT", f"/api/sources/{KEY}/policy", {"quota": {"requestsPerSecond": 1}})
        answers = self.run_script("""
            const [address, key] = given
            const send = async (id) => {
                const text = JSON.stringify({type: "track", event: id, messageId: id, userId: "u"})
                const body = await new Response(
                    new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).blob()
                const answer = await fetch(`${address}/v1/t`, {method: "POST", body, headers: {
                    "Authorization": `Basic ${btoa(`${key}:`)}`, "Content-Type": "application/json",
                    "Content-Encoding": "gzip", "X-Of-The-Page": "1"}})
                return [answer.status, answer.headers.get("Retry-After")]
            }
            return Promise.all(["a", "b", "c", "d"].map(send))
        """, self.server.address, KEY)
        taken = [status for status, _ in answers if status == 200]
        self.assertTrue(taken)
        refused = [wait for status, wait in answers if status == 429]
        self.assertTrue(refused, answers)
        self.assertTrue(all(int(wait) >= 1 for wait in refused), answers)


@unittest.skipIf(NGINX is None, "nginx is not installed: scripts/bootstrap web")
class DomainTest(WebTest):
    """A workspace with the source KEY behind nginx, under the names of the documents, which the browser finds here."""

    port = free_port()
    arguments = (
        "--ignore-certificate-errors",
        f"--host-resolver-rules=MAP example.com:443 127.0.0.1:{port}, MAP stats.example.com:443 127.0.0.1:{port}")

    def serve(self, address, pages, *documents):
        """Starts both, with the servers of these documents; the first has the pages."""
        self.server = self.workspace(keys=("KEY",), options=["--public-url", address, "--trusted-proxy", "127.0.0.1"])
        folder = tempfile.TemporaryDirectory(prefix="tributary-nginx-")
        self.addCleanup(folder.cleanup)
        if ANALYTICS_NEXT:
            pages = pages | {"next.js": Path(ANALYTICS_NEXT).read_text()}
        nginx = Nginx(
            folder.name, [blocks(document, "nginx")[0] for document in documents], {"index.html": PAGE} | pages, self.server,
            self.port)
        self.addCleanup(nginx.stop)
        self.browser.get(SITE + "/")
        self.forget()

    def code(self, words):
        """The block of the guide with these words."""
        code, = [block for block in blocks(GUIDE, "js") if words in block]
        return code

    def with_client(self, words):
        """The same for a page that has the public client as a script."""
        return "const { AnalyticsBrowser } = globalThis.AnalyticsNext\n" + re.sub(r"^import .*\n", "", self.code(words))


class OwnHostTest(DomainTest):
    """The workspace at https://stats.example.com, behind the nginx of docs/OPERATING.md."""

    def serve(self, pages):
        super().serve("https://stats.example.com", pages, GUIDE, OPERATING)

    def test_the_code_of_the_guide_without_a_library(self):
        code, = blocks(GUIDE, "js events.mjs")
        self.serve({"events.mjs": code, "main.mjs": self.code("pagehide")})
        self.run_script("await import('/main.mjs')")
        self.stored(self.server, "Shop")
        self.browser.get("about:blank")
        self.stored(self.server, "Shop", "Shop Left")

    @unittest.skipIf(ANALYTICS_NEXT is None, "no TRIBUTARY_ANALYTICS_NEXT")
    def test_the_code_of_the_guide_with_analytics_next(self):
        self.serve({"app.mjs": self.with_client("identify")})
        self.run_script(LOADING + "await script('/next.js'); await (await import('/app.mjs')).analytics.ready()")
        events = self.stored(self.server, "identify", "Order Completed")
        self.assertEqual(events["Order Completed"]["properties"], {"total": 42})
        self.assertEqual(events["Order Completed"]["userId"], "u-1")
        asked = self.run_script("return performance.getEntriesByType('resource').map((one) => new URL(one.name).host)")
        self.assertEqual(set(asked), {"example.com", "stats.example.com"})


    @unittest.skipIf(ANALYTICS_NEXT is None, "no TRIBUTARY_ANALYTICS_NEXT")
    def test_analytics_next_with_its_settings_in_the_page_waits_for_the_workspace(self):
        self.allowed_errors = [*NETWORK_ERRORS, "blocked by CORS policy"]
        self.serve({"app.mjs": self.with_client("cdnSettings")})
        port = self.server.port
        self.server.stop()
        self.run_script(LOADING + """
            await script("/next.js")
            const {analytics} = await import("/app.mjs")
            await analytics.track("Waited")
        """)
        self.browser.get(SITE + "/nothing")
        self.server.start(port)
        self.browser.get(SITE + "/")
        self.run_script(LOADING + "await script('/next.js'); await import('/app.mjs')")
        self.stored(self.server, "Waited")


class PathOfSiteTest(DomainTest):
    """The workspace at https://example.com/stats, behind the nginx of the guide."""

    def serve(self, pages):
        super().serve(SITE + "/stats", pages, GUIDE)

    def fetch(self, path):
        """Status and text of what the page gets from its own site."""
        return self.run_script(
            "const answer = await fetch(given[0]); return [answer.status, await answer.text()]", path)

    def test_settings_and_live_plugins_are_below_the_path(self):
        self.serve({})
        self.server.deploy("KEY", "// empty")
        status, text = self.fetch("/stats/v1/projects/KEY/settings")
        self.assertEqual(status, 200, text)
        settings = json.loads(text)
        self.assertEqual(settings["integrations"]["Segment.io"]["apiHost"], "example.com/stats/v1")
        bundle = settings["edgeFunction"]["downloadURL"]
        self.assertTrue(bundle.startswith(SITE + "/stats/v1/"), bundle)
        self.assertEqual(self.fetch(bundle), [200, "// empty"])

    def test_events_arrive_with_the_address_of_the_visitor_and_without_cookies_of_the_site(self):
        code, = blocks(GUIDE, "js events.mjs")
        self.serve({"events.mjs": code.replace("https://stats.example.com", SITE + "/stats")})
        self.server.send("PUT", "/api/sources/KEY/policy", {"ip": "keep"})
        self.browser.execute_script("document.cookie = 'session=secret; Secure'")
        self.run_script("""
            const {send} = await import("/events.mjs")
            await send({type: "track", event: "Product Viewed", properties: {price: 3.5}})
        """)
        event = self.stored(self.server, "Product Viewed")["Product Viewed"]
        self.assertEqual(event["context"]["page"]["url"], SITE + "/")
        self.assertEqual(event["context"]["ip"], "127.0.0.1")
        self.assertNotIn("secret", json.dumps(event))

    def test_the_console_has_an_address_of_its_own(self):
        self.serve({})
        self.allowed_errors = NETWORK_ERRORS
        for path in ("/stats/", "/stats/login", "/stats/api/events", "/stats/v1/../api/events"):
            self.assertEqual(self.fetch(path)[0], 404, path)
        # As a proxy asks that passes all of the path.
        request = urllib.request.Request(self.server.address + "/login", headers={"Host": "example.com"})
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.server.opener.open(request, timeout=PATIENCE)
        self.assertEqual(refused.exception.code, 421)
        self.assertIn(f"{SITE}/stats is for clients", refused.exception.read().decode())
        refused.exception.close()
        self.assertIn(f"log in at {self.server.address}/login", "".join(self.server.output))
        self.browser.get(f"{self.server.address}/login#{TOKEN}")
        self.wait(lambda: self.state() == "live", "the page is live")

    @unittest.skipIf(ANALYTICS_NEXT is None, "no TRIBUTARY_ANALYTICS_NEXT")
    def test_analytics_next_needs_the_path_alone(self):
        self.serve({"app.mjs": self.with_client('({ writeKey: "KEY", cdnURL: "https://example.com/stats" })\n')})
        self.run_script(LOADING + """
            await script("/next.js")
            const {analytics} = await import("/app.mjs")
            await analytics.track("Below a Path")
        """)
        self.stored(self.server, "Below a Path")

    @unittest.skipIf(ANALYTICS_NEXT is None, "no TRIBUTARY_ANALYTICS_NEXT")
    def test_analytics_next_sends_and_stores_nothing_before_consent(self):
        self.serve({"app.mjs": self.with_client("agreed.then")})
        stores = self.run_script(LOADING + """
            globalThis.agreed = new Promise((agree) => { globalThis.agree = agree })
            await script("/next.js")
            const {analytics} = await import("/app.mjs")
            globalThis.tracked = analytics.track("Before Consent")
            await fetch("/")
            return [localStorage.length, document.cookie, performance.getEntriesByType("resource").filter(
                (one) => one.name.includes("/stats/")).length]
        """)
        self.assertEqual(stores, [0, "", 0])
        self.run_script("agree(); await tracked")
        self.stored(self.server, "Before Consent")


@unittest.skipIf(
    ANALYTICS_NEXT is None, "TRIBUTARY_ANALYTICS_NEXT names no script with the public client analytics-next")
class AnalyticsNextTest(WebTest):
    """The public client for browsers, unchanged, on a page of another origin."""

    def setUp(self):
        super().setUp()
        self.server = self.workspace()
        self.relay = self.front(self.server)
        self.shop = self.site({"/next.js": Path(ANALYTICS_NEXT).read_text()})
        self.browser.get(self.shop.address)
        self.forget()

    def load(self, strategy=None, **options):
        cloud = {"apiHost": self.relay.host + "/v1", "protocol": "http"}
        if strategy is not None:
            cloud["deliveryStrategy"] = strategy
        self.run_script(
            LOADING + "await load('/next.js', ...given)", {"writeKey": KEY, "cdnURL": self.relay.address},
            {"integrations": {"Segment.io": cloud}} | options)

    def batching(self, **config):
        self.load({"strategy": "batching", "config": config})

    def test_each_call_is_stored_once_with_its_fields(self):
        self.load()
        self.run_script("""
            // Later it would name the user who is known then.
            await analytics.alias("u-1", "u-0")
            await analytics.identify("u-1", {plan: "pro"})
            await analytics.page("Docs", "Prices", {section: 2})
            await analytics.track("Order Completed", {total: 42.5, products: [{id: "p-1"}], note: "ä\u2028😀"})
            await analytics.group("g-1", {name: "Acme"})
            await analytics.screen("Start", {theme: "dark"})
        """)
        events = self.stored(self.server, "identify", "Prices", "Order Completed", "group", "alias", "Start")
        for name, fields in {
            "identify": {"type": "identify", "userId": "u-1", "traits": {"plan": "pro"}},
            "Prices": {"type": "page", "name": "Prices", "category": "Docs", "userId": "u-1"},
            "Order Completed": {
                "type": "track", "properties": {"total": 42.5, "products": [{"id": "p-1"}], "note": "ä\u2028😀"}},
            "group": {"type": "group", "groupId": "g-1", "traits": {"name": "Acme"}},
            "alias": {"type": "alias", "userId": "u-1", "previousId": "u-0"},
            "Start": {"type": "screen", "name": "Start"},
        }.items():
            self.assertEqual(events[name], events[name] | fields)
        self.assertEqual(events["Prices"]["properties"]["section"], 2)
        self.assertEqual({event["context"]["library"]["name"] for event in events.values()}, {"analytics.js"})
        self.assertEqual(len({event["anonymousId"] for event in events.values()}), 1)
        self.assertEqual(events["Order Completed"]["context"]["page"]["url"], self.shop.address + "/")
        # What came is what was sent, but for the key and the time of sending.
        for post in self.relay.posts():
            sent = json.loads(post["body"])
            stored = next(event for event in events.values() if event["messageId"] == sent["messageId"])
            for name in sent.keys() - {"writeKey", "sentAt", "context"}:
                self.assertEqual(stored[name], sent[name], name)

    def test_batches_go_by_size_and_when_the_page_is_left(self):
        self.batching(size=3, timeout=60_000)
        self.run_script("for (const n of [1, 2, 3, 4, 5]) await analytics.track(`Step ${n}`)")
        self.stored(self.server, "Step 1", "Step 2", "Step 3")
        self.leave(self.shop)
        self.stored(self.server, *[f"Step {n}" for n in range(1, 6)])
        self.assertEqual(len(self.relay.posts("/v1/b")), 2)

    def test_a_batch_of_a_page_that_only_went_to_the_background_is_stored_once(self):
        self.batching(size=3, timeout=60_000)
        self.run_script("for (const n of [1, 2]) await analytics.track(`Step ${n}`)")
        first = self.browser.current_window_handle
        self.browser.switch_to.new_window("tab")
        self.stored(self.server, "Step 1", "Step 2")
        self.browser.close()
        self.browser.switch_to.window(first)
        self.run_script("await analytics.track('Step 3')")
        self.stored(self.server, "Step 1", "Step 2", "Step 3")
        self.assertEqual(len(self.relay.posts("/v1/b")), 2)

    def test_every_answer_that_is_none_leads_to_the_same_event_again(self):
        self.allowed_errors = NETWORK_ERRORS + ["blocked by CORS policy"]
        for strategy in (None, {"strategy": "batching", "config": {"size": 1, "timeout": 50}}):
            for fault in (503, 502, 429, "lost", "cut"):
                with self.subTest(strategy=strategy, fault=fault):
                    before = len(self.relay.posts())
                    self.browser.get(self.shop.address)
                    self.load(strategy)
                    self.relay.faults = [fault, fault]
                    name = f"{fault} {'batch' if strategy else 'single'}"
                    self.run_script("await analytics.track(given[0])", name)
                    self.wait(lambda: [post["fault"] for post in self.relay.posts()[before:]] == [fault, fault, None],
                              f"the third attempt has an answer after {fault}")
        workspace_has = [row["name"] for row in self.server.get("/api/events?limit=1000")["events"]]
        self.assertEqual(sorted(workspace_has), sorted(set(workspace_has)))
        self.assertEqual(len(workspace_has), 10)
        counts = {post["headers"].get("X-Retry-Count", "0") for post in self.relay.posts()}
        self.assertLessEqual({"0", "1", "2"}, counts)

    def test_a_real_quota_is_kept_and_nothing_is_lost(self):
        self.allowed_errors = NETWORK_ERRORS
        self.server.send("PUT", f"/api/sources/{KEY}/policy", {"quota": {"requestsPerSecond": 2}})
        self.load()
        names = [f"Step {n}" for n in range(8)]
        self.run_script("await Promise.all(given[0].map((name) => analytics.track(name)))", names)
        self.stored(self.server, *names)

    def test_events_of_a_page_outlive_it_while_the_workspace_is_away(self):
        self.allowed_errors = NETWORK_ERRORS
        self.load()
        port = self.server.port
        self.server.stop()
        self.run_script("await Promise.all(['One', 'Two'].map((name) => analytics.track(name)))")
        self.leave(self.shop)
        self.server.start(port)
        self.browser.get(self.shop.address)
        self.load()
        self.stored(self.server, "One", "Two")

    def test_a_key_of_no_source_is_told_to_the_page(self):
        self.allowed_errors = NETWORK_ERRORS + ["no source", "unknown"]
        self.load()
        said = self.run_script("""
            return AnalyticsNext.AnalyticsBrowser.load({writeKey: "OTHER", cdnURL: given[0]})
                .then(() => "loaded", (error) => error.message)
        """, self.relay.address)
        self.assertIn("OTHER", said)


if __name__ == "__main__":
    unittest.main()
