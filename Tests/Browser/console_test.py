"""The places of the console in a real browser, against the real server: what a person does there.

    /usr/bin/python3 -m unittest -v Tests/Browser/console_test.py

The tests of accessibility need axe: scripts/bootstrap axe.
"""

import http.server
import json
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error
from pathlib import Path
from urllib.parse import quote, unquote

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import KEY, PATIENCE, PHONE, TOKEN, WIDE, PlaceTest, dropped, stage, track  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402

PLACES = ["catalog", "explore", "people", "live-plugins", "filters", "sessions", "destinations", "problems",
          "sources", "access", "audit"]
PLUGIN = """class Currency extends LivePlugin {
  constructor() { super(LivePluginType.enrichment, null); }
  track(event) {
    event.properties.currency = "EUR";
    return event;
  }
}
analytics.add(new Currency());
"""
HOSTILE = "<img src=x onerror=\"window.broken = 1\">\u202e'\"</script><script>window.broken = 1</script>"


class Receiver:
    """The other end of a webhook, or of a store of objects, which answers as it is told."""

    def __init__(self):
        self.status = 200
        self.bodies = []
        self.headers = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                outer.headers.append(dict(self.headers))
                outer.bodies.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
                self.send_response(outer.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_PUT = do_POST

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/events"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class ConsoleTest(PlaceTest):
    # Steps

    def write(self, text, editor="#plugin-text"):
        """Replaces the text of an editor, with or without CodeMirror."""
        self.wait(lambda: self.browser.find_elements(By.CSS_SELECTOR, editor), "the editor is there")
        self.browser.execute_script(
            "const mirror = document.querySelector('.CodeMirror')?.CodeMirror;"
            "const area = document.querySelector(arguments[0]);"
            "if (mirror) mirror.setValue(arguments[1]);"
            "else { area.value = arguments[1]; area.dispatchEvent(new Event('input', {bubbles: true})); }",
            editor, text)

    def deployed(self, workspace):
        return workspace.get(f"/api/sources/{KEY}/live-plugins")

    def receiver(self):
        receiver = Receiver()
        self.addCleanup(receiver.stop)
        return receiver

    # Places

    def test_each_place_has_a_title_an_address_and_links_to_the_others(self):
        workspace = self.workspace()
        for place in PLACES:
            with self.subTest(place=place):
                self.go(workspace, place)
                name = self.element("#places a[aria-current]").text
                self.assertEqual(self.browser.title, f"{name} · Tributary workspace")
        self.element("#places a[href='/']").click()
        self.wait(lambda: self.browser.title == "Events · Tributary workspace", "the events are shown")
        self.assertEqual(self.element("#places a[aria-current]").text, "Events")

    def test_one_machine_shows_no_place_for_a_cluster_and_says_so_to_who_asks(self):
        workspace = self.workspace()
        for place in ["sources", ""]:
            self.go(workspace, "sources")
            self.browser.get(f"{workspace.address}/{place}")
            self.wait(lambda: self.texts("#places a"), "the links are shown")
            self.assertNotIn("Cluster", self.texts("#places a"))
        self.go(workspace, "cluster")
        self.assertEqual(self.texts("main h2"), ["This workspace is one machine"])
        asked = self.browser.execute_script(
            "return performance.getEntriesByType('resource').map((one) => one.name).filter((one) => one.includes('cluster'))")
        self.assertEqual([name for name in asked if "/api/" in name], [])

    def test_an_address_that_is_shared_leads_through_the_login_to_its_place_and_source(self):
        workspace = self.workspace(keys=(KEY, "second"))
        self.browser.delete_all_cookies()
        self.go(workspace, "filters?source=second")
        self.assertEqual(Select(self.element("#source")).first_selected_option.get_attribute("value"), "second")
        link = self.element("#places a[href^='/live-plugins']")
        self.assertIn("source=second", link.get_attribute("href"))

    # Catalog

    def look_into_the_catalog(self, size):
        workspace = self.workspace()
        self.size(*size)
        workspace.post(track("Order Completed", 1, total=5), track("Order Completed", 2, total="6 EUR"),
                       track("Search", term="shoes"))
        workspace.settle()
        self.go(workspace, "catalog")
        self.wait(lambda: len(self.texts("#names tbody tr")) == 2, "both names are listed")
        self.assertIn("of several types", self.texts("#names tbody tr")[0])
        self.element("#find").send_keys("term")
        self.wait(lambda: len(self.texts("#names tbody tr")) == 1, "only one name has such a property")
        self.browser.refresh()
        self.wait(lambda: len(self.texts("#names tbody tr")) == 1, "the address keeps the search")
        self.assertIn("Search", self.texts("#names tbody tr")[0])
        self.go(workspace, "catalog?days=7")
        self.wait(lambda: len(self.texts("#names tbody tr")) == 2, "both names are listed again")
        self.element("#names tbody a").click()
        self.wait(lambda: self.texts("#properties tbody tr"), "the properties are listed")
        total, = self.texts("#properties tbody tr")
        for words in ["total", "number 50 %", "string 50 %", "100 %", "5", '"6 EUR"']:
            self.assertIn(words, total)
        self.assertIn("days=7", self.browser.current_url)
        self.element("main .part-head a.button").click()
        items = ".item:not([hidden])"
        self.wait(lambda: len(self.texts(items)) == 2, "the events of that name are shown")
        workspace.post(track("Search", 2), track("Order Completed", 3))
        self.wait(lambda: len(self.texts(items)) == 3, "a new event of that name is shown")
        self.assertTrue(all("Order Completed" in text for text in self.texts(items)))
        self.browser.execute_script("document.querySelector('#chips .only').click()")
        self.wait(lambda: len(self.texts(items)) == 5, "all events are shown again")
        self.assertNotIn("name=", self.browser.current_url)

    def test_the_catalog_shows_names_and_properties_and_leads_to_the_events(self):
        self.look_into_the_catalog(WIDE)

    def test_the_catalog_shows_names_and_properties_and_leads_to_the_events_on_a_phone(self):
        self.look_into_the_catalog(PHONE)

    def test_a_catalog_without_events_says_what_to_do(self):
        self.go(self.workspace(), "catalog")
        self.wait(lambda: "No event came in this time" in self.texts("main h2"), "it says that there is none")

    # Explore

    def test_counts_are_shown_by_type_and_by_name_and_as_a_file(self):
        workspace = self.workspace()
        workspace.post(track("Order Completed", 1), track("Order Completed", 2), track("Search"),
                       {"type": "identify", "userId": "u-1", "messageId": "i-1"})
        workspace.settle()
        for size in [WIDE, PHONE]:
            self.size(*size)
            self.go(workspace, "explore")
            self.wait(lambda: len(self.texts("#series tbody tr")) == 2, "both types are counted")
            self.assertTrue(self.texts("#series tbody tr")[0].startswith("track3"), self.texts("#series tbody tr"))
            self.assertTrue(any("4 events in 30 days" in text for text in self.texts("main .note")))
            Select(self.element("#by")).select_by_value("name")
            self.wait(lambda: len(self.texts("#series tbody tr")) == 3, "all names are counted")
            self.assertIn("by=name", self.browser.current_url)
            self.assertIn("Order Completed · track", self.texts("#series tbody tr")[0])
        file = self.element("main a[download]").get_attribute("href")
        lines = unquote(file.split(",", 1)[1]).splitlines()
        self.assertEqual(lines[0], "day,Order Completed · track,identify,Search · track")
        self.assertTrue(lines[-1].endswith(",2,1,1"), lines[-1])
        self.assertEqual(len(lines), 31)

    def count_by_property(self, size):
        workspace = self.workspace()
        self.size(*size)
        workspace.post(*[track("Order Completed", number, plan=["free", "pro"][number % 2]) | {"userId": f"u-{number % 4}"}
                         for number in range(9)], track("Order Completed", 9), track("Search", plan="other"))
        workspace.settle()
        self.go(workspace, "explore?by=property")
        self.wait(lambda: "Which property?" in self.texts("main h2"), "it says what to do")
        Select(self.element("#breakdown-name")).select_by_visible_text("Order Completed · track")
        offered = [one.get_attribute("value") for one in self.browser.find_elements(
            By.CSS_SELECTOR, "#breakdown-properties option")]
        self.assertIn("properties.plan", offered)
        self.fill("breakdown-property", "properties.plan")
        self.press_button("Count")
        values = "[aria-label='Counts by value'] tbody tr"
        self.wait(lambda: len(self.texts(values)) == 3, "the values are counted")
        rows = [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "td")] for row in
                self.browser.find_elements(By.CSS_SELECTOR, values)]
        self.assertEqual([[row[0], *row[2:4]] for row in rows], [
            ["free", "5", "2"], ["pro", "4", "2"], ["without it", "1", "1"]])
        self.assertTrue(any("10 events by 4 users in 30 days" in text for text in self.texts("main .note")),
                        self.texts("main .note"))
        self.assertIn("property=properties.plan", self.browser.current_url)
        self.browser.refresh()
        self.wait(lambda: len(self.texts(values)) == 3, "the address is enough to count again")
        lines = unquote(self.element("#breakdown-file a").get_attribute("href").split(",", 1)[1]).splitlines()
        self.assertEqual(lines[0], "day,free,pro,without it,users")
        self.assertTrue(lines[-1].endswith(",5,4,1,4"), lines[-1])

    def test_events_and_users_are_counted_by_the_values_of_a_property(self):
        self.count_by_property(WIDE)

    def test_events_and_users_are_counted_by_the_values_of_a_property_on_a_phone(self):
        self.count_by_property(PHONE)

    def throughput(self, bytes_a_second):
        """Slows the connection of the browser down; -1 does not."""
        self.browser.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": False, "latency": 0, "downloadThroughput": bytes_a_second, "uploadThroughput": -1})

    def test_a_count_shows_how_far_it_is_and_can_be_stopped(self):
        workspace = self.workspace()
        for start in range(0, 12_000, 1_000):
            workspace.post(*[track("Step", number, total=number % 3) for number in range(start, start + 1_000)])
        workspace.settle()
        self.go(workspace, "explore?by=property")
        self.fill("breakdown-property", "properties.total")
        # A connection so slow that the answer is still on its way when somebody presses the button.
        self.browser.execute_cdp_cmd("Network.enable", {})
        self.addCleanup(self.throughput, -1)
        self.throughput(300)
        self.press_button("Count")
        self.press_button("Stop")
        self.wait(lambda: any("Stopped" in text for text in self.texts("#breakdown-status")), "it says that it stopped")
        self.throughput(-1)
        # What is shown only for a moment.
        self.browser.execute_script("""
            window.shown = [];
            new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach(
              (node) => window.shown.push(node.textContent))))
              .observe(document.getElementById('breakdown-status'), {childList: true, subtree: true});""")
        self.press_button("Count")
        self.wait(lambda: any("12,000 events were looked at" in text for text in self.texts("#breakdown-status")),
                  "it counts all when it is asked again")
        shown = self.browser.execute_script("return window.shown")
        self.assertTrue(any("5,000 of at most 12,000 events" in text for text in shown), shown)

    def test_counts_are_shown_by_source(self):
        workspace = self.workspace(keys=(KEY, "second"))
        workspace.post(track("A", 1), track("A", 2))
        workspace.post(track("B", 1), key="second")
        workspace.settle()
        self.go(workspace, "explore?by=source")
        self.wait(lambda: len(self.texts("#series tbody tr")) == 2, "both sources are counted")
        self.assertTrue(self.texts("#series tbody tr")[0].startswith(f"{KEY}2"), self.texts("#series tbody tr"))
        if "chart.js" in self.element("meta[name=libraries]").get_attribute("content"):
            self.wait(lambda: self.browser.find_elements(By.CSS_SELECTOR, "canvas[role=img]"), "the chart is drawn")

    # Tracking plan

    def plan_and_compare(self, size):
        workspace = self.workspace()
        self.size(*size)
        workspace.post(track("Order Completed", 1, total=5), track("Search", term="shoes"))
        workspace.settle()
        self.go(workspace, "catalog?type=track&name=Order+Completed")
        self.press_button("Add to the plan")
        self.message("Order Completed is planned.")
        self.wait(lambda: any("as planned" in text for text in self.texts("main .note")), "it is as planned")
        workspace.post(track("Order Completed", 2, total="6 EUR", gift=True), track("Order Completed", 3))
        workspace.settle()
        self.browser.refresh()
        self.wait(lambda: len(self.texts("#properties tbody tr")) == 2, "the properties are listed")
        rows = self.texts("#properties tbody tr")
        total = next(row for row in rows if row.startswith("total"))
        self.assertIn("required, and 1 event lacks it", total)
        self.assertIn("should be number, and 1 event has another type", total)
        self.assertIn("not planned, and 1 event has it", next(row for row in rows if row.startswith("gift")))
        self.go(workspace, "catalog")
        self.wait(lambda: len(self.texts("#names tbody tr")) == 2, "both names are listed")
        marks = sorted(self.texts("#names .plan-mark"))
        self.assertEqual(marks, ["3 differences", "not planned"])
        self.go(workspace, "sources")
        self.press_button("Block")
        self.message("Order Completed is blocked")
        track_rules = workspace.get(f"/v1/projects/{KEY}/settings")["plan"]["track"]
        self.assertEqual(track_rules["Order Completed"]["enabled"], False)
        self.press_button("Remove", "#tracking-plan")
        self.agree("Take out")
        self.message("The tracking plan is stored: 0 events.")
        self.assertEqual(workspace.get(f"/api/sources/{KEY}/plan")["events"], [])

    def test_an_event_is_planned_from_the_catalog_and_compared_with_what_comes(self):
        self.plan_and_compare(WIDE)

    def test_an_event_is_planned_from_the_catalog_and_compared_with_what_comes_on_a_phone(self):
        self.plan_and_compare(PHONE)

    def test_a_plan_that_is_wrong_is_explained_and_not_stored(self):
        self.allowed_errors = ["400"]
        workspace = self.workspace()
        self.go(workspace, "sources")
        self.element("#tracking-plan summary").click()
        self.fill("plan-text", '{"events": [{"type": "track"}]}')
        self.press_button("Store plan")
        self.message("events[0] is a track event without a name")
        self.fill("plan-text", '{"events": [\n  {"type" "track"}]}')
        self.press_button("Store plan")
        self.message("is not expected here (line 2, column 11)")
        self.fill("plan-text", json.dumps({"events": [{"type": "track", "name": "A"}, {"type": "page", "name": "B"}]}))
        self.press_button("Store plan")
        self.message("The tracking plan is stored: 2 events.")
        self.assertEqual(len(workspace.get(f"/api/sources/{KEY}/plan")["events"]), 2)
        self.go(workspace, "catalog")
        self.wait(lambda: any("none came in these days: A, B" in text for text in self.texts("main .note")),
                  "what does not come is named")

    def open_plan_text(self, workspace):
        self.go(workspace, "sources")
        self.element("#tracking-plan summary").click()

    def test_a_plan_that_lacks_something_is_stored_only_after_a_question_that_names_it(self):
        workspace = self.workspace()
        path = f"/api/sources/{KEY}/plan"
        bought = {"type": "track", "name": "Bought", "description": "A sale", "properties": [
            {"key": "total", "type": "number", "description": "In EUR"}, {"key": "gift"}]}
        workspace.send("PUT", path, {"events": [bought, {"type": "page", "name": "Home"}, {"type": "track", "name": "Left"}]})
        before = workspace.get(path)
        self.open_plan_text(workspace)
        wanted = json.dumps({"events": [{"type": "track", "name": "Bought", "description": "A sale",
                                         "properties": [{"key": "total", "type": "number"}]}]})
        self.fill("plan-text", wanted)
        self.press_button("Store plan")
        self.asks_about("The plan does not have these events any more: page Home, track Left.",
                        "The plan of track Bought does not have these properties any more: gift.",
                        "The descriptions of these properties of track Bought are deleted: total.")
        self.agree("Cancel")
        self.assertEqual(workspace.get(path), before)
        self.assertEqual(self.element("#plan-text").get_attribute("value"), wanted)
        self.wait(lambda: self.browser.switch_to.active_element.text == "Store plan", "the button has the focus again")
        self.press_button("Store plan")
        self.agree("Store plan")
        self.message("The tracking plan is stored: 1 event.")
        self.assertEqual([event["name"] for event in workspace.get(path)["events"]], ["Bought"])

    def test_a_plan_that_lacks_nothing_is_stored_without_a_question(self):
        workspace = self.workspace()
        path = f"/api/sources/{KEY}/plan"
        workspace.send("PUT", path, {"events": [{"type": "track", "name": "Bought", "properties": [{"key": "total"}]}]})
        self.open_plan_text(workspace)
        self.fill("plan-text", json.dumps({"unplanned": "block", "events": [
            {"type": "page"}, {"type": "track", "name": "Bought", "properties": [{"key": "gift"}, {"key": "total", "type": "number"}]}]}))
        self.press_button("Store plan")
        self.message("The tracking plan is stored: 2 events.")
        self.assertEqual(len(workspace.get(path)["events"]), 2)

    def test_a_change_of_the_plan_keeps_what_another_person_planned_meanwhile(self):
        workspace = self.workspace()
        path = f"/api/sources/{KEY}/plan"
        workspace.send("PUT", path, {"events": [{"type": "track", "name": "Bought"}]})
        self.open_plan_text(workspace)
        workspace.send("POST", f"{path}/events", {"type": "track", "name": "Theirs"})
        Select(self.element("#unplanned")).select_by_value("block")
        self.message("The tracking plan is stored: 2 events.")
        self.press_button("Close", "#messages")
        workspace.send("POST", f"{path}/events", {"type": "page", "name": "Theirs, too"})
        self.press_button("Remove", "#tracking-plan")
        self.agree("Take out")
        self.message("The tracking plan is stored: 2 events.")
        plan = workspace.get(path)
        self.assertEqual([event["name"] for event in plan["events"]], ["Theirs", "Theirs, too"])
        self.assertEqual(plan["unplanned"], "block")

    def test_an_event_is_planned_as_it_comes_after_a_question_that_names_what_the_plan_loses(self):
        workspace = self.workspace()
        path = f"/api/sources/{KEY}/plan"
        workspace.post(track("Bought", total=5))
        workspace.settle()
        workspace.send("PUT", path, {"events": [{"type": "track", "name": "Bought", "properties": [
            {"key": "total", "type": "string", "description": "In EUR"}, {"key": "gift"}]}]})
        self.go(workspace, "catalog?type=track&name=Bought")
        self.press_button("Plan it as it comes …")
        self.asks_about("The plan of track Bought does not have these properties any more: gift.",
                        "The descriptions of these properties of track Bought are deleted: total.",
                        "The plan of these properties of track Bought is replaced: total.")
        self.agree("Change the plan")
        self.message("Bought is planned.")
        event, = workspace.get(path)["events"]
        self.assertEqual(event["properties"], [{"key": "total", "type": "number", "required": True}])
        # Now the plan is as the events are, so it loses nothing.
        self.press_button("Close", "#messages")
        self.press_button("Plan it as it comes …")
        self.message("Bought is planned.")

    def test_one_click_leads_from_the_catalog_to_a_filter_and_to_a_plugin(self):
        workspace = self.workspace()
        workspace.post(track("Order Completed", 1, total=5), track("Order Completed", 2, total=6), track("Search"))
        workspace.settle()
        workspace.deploy(KEY, PLUGIN)
        self.go(workspace, "catalog?type=track&name=Order+Completed")
        self.element("#start-filter").click()
        self.wait(lambda: self.texts("#rules-forms h3") == ["Order Completed"], "a rule is there")
        self.assertNotIn("name=", self.browser.current_url)
        self.press_button("Dry run")
        self.wait(lambda: any("would drop 2 and change 0 of the last 3 events" in text
                              for text in self.texts("#dry-run p")), "the rule is about these events")
        self.press_button("Deploy …")
        self.agree("Deploy", word="Segment.io")
        self.message("1 rule deployed.")
        self.go(workspace, "catalog?type=track&name=Order+Completed")
        self.wait(lambda: len(self.texts("#touches tbody tr")) == 2, "what touches it is shown")
        rows = self.texts("#touches tbody tr")
        self.assertIn("Currencychanges or drops 2", rows[0])
        self.assertIn("Order Completeddrops 2 for Segment.io", rows[1])
        self.press_button("Write a plugin")
        self.wait(lambda: "/live-plugins" in self.browser.current_url and self.texts("#try"), "live plugins are shown")
        self.wait(lambda: any("OrderCompleted" in text for text in self.texts(".CodeMirror-code, #plugin-text"))
                  or "OrderCompleted" in self.browser.execute_script(
                      "return document.querySelector('.CodeMirror')?.CodeMirror.getValue()"
                      " ?? document.querySelector('#plugin-text').value"), "the stub is there")
        self.press_button("Try")
        self.wait(lambda: self.texts("#trial-figures dd")[:2] == ["2", "2"], "only events of that name are tried")
        Select(self.element("#trial-of")).select_by_value("")
        self.press_button("Try")
        self.wait(lambda: self.texts("#trial-figures dd")[:2] == ["3", "3"], "all events are tried")

    # Live plugins

    def write_try_deploy_roll_back(self, size):
        workspace = self.workspace()
        self.size(*size)
        workspace.post(track("Order Completed", total=1), track("Test Order", total=2))
        workspace.settle()
        workspace.deploy(KEY, PLUGIN)
        self.go(workspace, "live-plugins")
        self.write(PLUGIN.replace("return event;", "return event"[:-1] + " ;;)"))
        self.wait(lambda: any("Line 5" in text for text in self.texts(".findings li")), "the mistake is at its line")
        self.write(PLUGIN.replace("return event;", "return event.event == 'Test Order' ? null : event;"))
        self.wait(lambda: not self.texts(".findings li"), "the mistake is gone")
        self.press_button("Try")
        self.wait(lambda: self.texts("#trial-figures dd")[:4] == ["2", "1", "1", "0"], "one is changed, one dropped")
        Select(self.element("#share")).select_by_value("10")
        self.press_button("Deploy …")
        self.wait(lambda: any("Test Order" in text for text in self.texts("dialog .after")), "the question shows the change")
        self.agree("Deploy")
        self.message("Version 2 is deployed to 10 % of devices.")
        self.assertEqual(self.deployed(workspace)["versions"][0]["percentage"], 10)
        self.press_button("Give it to 50 %")
        self.message("Version 2 goes to 50 % of devices.")
        self.press_button("Roll back")
        self.agree("Deploy again")
        self.message("Version 3 has the text of version 1")
        versions = self.deployed(workspace)["versions"]
        self.assertEqual([versions[0]["percentage"], versions[0]["sha256"]], [100, versions[2]["sha256"]])

    def test_a_plugin_is_written_tried_deployed_to_a_share_and_rolled_back(self):
        self.write_try_deploy_roll_back(WIDE)

    def test_a_plugin_is_written_tried_deployed_to_a_share_and_rolled_back_on_a_phone(self):
        self.write_try_deploy_roll_back(PHONE)

    def report(self, workspace, version, devices, faulty=0, number=1):
        """Devices report a hundred events each."""
        for device in range(devices):
            fault = {"message": "no price", "line": 4, "event": "Order Completed"} if faulty else None
            workspace.send("POST", "/v1/health-reports", {
                "writeKey": KEY, "instanceId": f"{version}-{device}", "number": number, "seconds": 600,
                "versions": [{"version": str(version), "events": 100, "faulty": faulty, "dropped": 2,
                              "microseconds": 30_000, "times": [100],
                              "plugins": [{"name": "Currency", "seen": 100, "faults": faulty, "fault": fault}]}],
                "delivery": {"tracked": 100, "uploaded": 98, "waiting": 2}})

    def deploy_in_stages(self, workspace, stages):
        workspace.deploy(KEY, PLUGIN)
        self.go(workspace, "live-plugins")
        self.write(PLUGIN.replace("EUR", "USD"))
        self.assertEqual(self.element("#share").get_attribute("value"), "plan", "stages are what is offered first")
        for field, value in {"stages": stages, "minutes": "0", "devices": "5", "events": "100"}.items():
            self.fill(f"plan-{field}", value)
        self.press_button("Deploy …")
        self.agree("Deploy")
        self.message("Version 2 is deployed to 10 % of devices.")

    def headline(self, words):
        """Waits for a title, and looks again until it is there."""
        def shown():
            self.browser.refresh()
            self.wait(lambda: self.texts("main h2"), "the place is shown")
            return any(words in text for text in self.texts("main h2"))
        self.wait(shown, f"the page says {words}")

    def test_a_version_that_fails_on_devices_is_seen_and_taken_back_by_itself(self):
        workspace = self.workspace()
        self.deploy_in_stages(workspace, "10, 100")
        self.headline("Version 2 is rolled out in stages")
        self.report(workspace, 1, 5)
        self.report(workspace, 2, 5, faulty=20)
        self.headline("Version 2 was rolled back")
        rows = [row.text for row in self.browser.find_elements(By.CSS_SELECTOR, "[aria-label='Versions on devices'] tr")]
        self.assertTrue(any(row.startswith("v2 5 500 20 % 2 % 0 300 µs") for row in rows), rows)
        faults = " ".join(self.texts("[aria-label='Faults on devices'] tr"))
        self.assertIn("no price", faults)
        self.assertIn("line 4", faults)

    def problems(self):
        """The rows of the list of problems: what each is about, and its sentence."""
        return [tuple(part.text for part in row.find_elements(By.CSS_SELECTOR, "strong, span"))
                for row in self.browser.find_elements(By.CSS_SELECTOR, "#problems a")]

    def test_problems_of_all_sources_are_sorted_and_lead_to_where_they_are_mended(self):
        workspace, receiver = self.workspace(keys=(KEY, "second")), self.receiver()
        self.go(workspace, "problems")
        self.wait(lambda: any("Nothing needs a person." in text for text in self.texts("main .note")), "all is well")
        rule = {"name": "no tests", "destinationName": "Mixer", "matchers": [{"type": "all"}], "transformers": [[{"type": "drop"}]]}
        workspace.send("PUT", f"/api/sources/{KEY}/filters", [rule])
        for key, name in [(KEY, "Mixer"), ("second", "Warehouse")]:
            workspace.send("PUT", f"/api/sources/{key}/destinations/{name}", {"kind": "webhook", "settings": {"url": receiver.url}})
        receiver.status = 422
        workspace.post(track("Held back"), track("Held back", 2))
        workspace.post(track("Refused"), key="second")
        workspace.settle()

        def sentences():
            self.press_button("Look again")
            self.button("Look again")
            return len(self.problems()) == 2
        self.wait(sentences, "both destinations are among the problems")
        (first, refused), (second, held) = self.problems()
        self.assertEqual((first, second), ("second → Warehouse", f"{KEY} → Mixer"))
        self.assertRegex(refused, r"^1 refused for good, the first of them \d{4}-\d\d-\d\d \d\d:\d\d:\d\d: .*422")
        self.assertEqual(held, "2 held back by the filter “no tests” since the server started.")
        Select(self.element("#of")).select_by_value(KEY)
        self.wait(lambda: [scope for scope, _ in self.problems()] == [f"{KEY} → Mixer"], "one source can be chosen")
        self.browser.refresh()
        self.wait(lambda: [scope for scope, _ in self.problems()] == [f"{KEY} → Mixer"], "the address names it")
        self.element("#problems a").click()
        self.wait(lambda: "/filters" in self.browser.current_url and KEY in self.browser.current_url, "the row leads to the filters")
        self.go(workspace, f"destinations?source={KEY}")
        self.wait(lambda: self.texts(".facts li"), "the facts are shown")
        self.assertEqual([text.removesuffix(" Open filters") for text in self.texts(".facts li")], [held, "Nothing is delivered yet."])
        self.go(workspace, "destinations?source=second")
        self.wait(lambda: self.texts(".facts li"), "the facts are shown")
        self.assertEqual(self.texts(".facts li"), [refused, "Nothing is delivered yet."])

    def test_faults_on_devices_are_among_the_problems(self):
        workspace = self.workspace()
        workspace.deploy(KEY, PLUGIN)
        self.go(workspace, "problems")
        self.wait(lambda: any("No device reported a fault" in text for text in self.texts(".note")), "no device has one")
        self.report(workspace, 1, 2, faulty=20)
        self.browser.refresh()
        self.wait(lambda: any("no price" in text for text in self.texts("[aria-label='Faults on devices'] tr")),
                  "the fault is shown")

    def test_disk_unreadable_files_and_quotas_are_among_the_problems(self):
        workspace = self.workspace()
        workspace.send("PUT", f"/api/sources/{KEY}/policy", {"quota": {"eventsPerDay": 1}})
        workspace.post(track("First"))
        with self.assertRaises(urllib.error.HTTPError):
            workspace.post(track("Second"))
        unreadable = Path(workspace.folder, "unreadable")
        unreadable.mkdir()
        (unreadable / "7-request").write_text("x")
        self.go(workspace, "problems")
        self.wait(lambda: self.problems(), "the problems are listed")
        notes = " ".join(self.texts("main .note"))
        self.assertIn("1 file could not be read and is kept in the folder unreadable", notes)
        self.assertIn("left. The data takes", notes)
        row = self.browser.find_element(By.CSS_SELECTOR, "[aria-label=Quotas] tbody tr").text
        self.assertEqual(row, f"{KEY} 1 1 1")
        self.assertIn("7-request", self.texts("main pre")[0])

    def test_refused_requests_are_among_the_problems(self):
        workspace = self.workspace()
        self.go(workspace, "problems")
        self.wait(lambda: any("No request of a client was refused" in text for text in self.texts("main .note")), "none was")
        with self.assertRaises(urllib.error.HTTPError):
            workspace.send("POST", "/v1/batch", {"writeKey": KEY[::-1] + "-unknown", "batch": []})
        with self.assertRaises(urllib.error.HTTPError):
            workspace.send("POST", "/v2/batch", {"writeKey": KEY, "batch": []})
        with self.assertRaises(urllib.error.HTTPError):
            workspace.get(f"/v1/projects/{KEY}/nonsense")
        self.browser.refresh()
        self.wait(lambda: len(self.texts("[aria-label='Refused requests'] tbody tr")) == 3, "all are shown")
        rows = " ".join(self.table_rows())
        for part in ("the path there is no POST /v2/batch", "here it is /v1/batch",
                     "the path there is no GET /v1/projects/{writeKey}/nonsense", "here it is /v1/projects/{writeKey}/settings; "
                     "the key is that of source", "the write key is not known here", "127.0.0.1"):
            self.assertIn(part, rows)

    def test_a_roll_out_is_paused_resumed_and_moved_on_by_hand(self):
        workspace = self.workspace()
        self.deploy_in_stages(workspace, "10, 50, 100")
        self.press_button("Pause")
        self.headline("Version 2 is paused")
        self.press_button("Resume")
        self.headline("Version 2 is rolled out in stages")
        self.press_button("Next stage now")
        self.message("The next stage has begun.")
        self.assertEqual(self.texts(".stages [aria-current]"), ["50 %"])
        self.assertEqual(self.deployed(workspace)["versions"][0]["percentage"], 50)

    def test_the_editor_offers_what_a_plugin_can_use(self):
        workspace = self.workspace()
        self.go(workspace, "live-plugins")
        if not self.element("meta[name=libraries]").get_attribute("content"):
            self.skipTest("CodeMirror is not installed")
        self.wait(lambda: self.browser.find_elements(By.CSS_SELECTOR, ".CodeMirror"), "the editor is there")
        self.write("")
        field = self.browser.find_element(By.CSS_SELECTOR, ".CodeMirror textarea")
        field.send_keys("LivePluginType.")
        self.wait(lambda: len(self.texts(".CodeMirror-hint")) == 4, "the types are offered")
        self.assertIn("During the main phase.", self.texts(".CodeMirror-hint")[1])
        field.send_keys("enr\n")
        value = "return document.querySelector('.CodeMirror').CodeMirror.getValue()"
        self.wait(lambda: self.browser.execute_script(value) == "LivePluginType.enrichment", "the choice is taken")

    def test_what_changed_between_two_versions_is_shown_line_by_line(self):
        workspace = self.workspace()
        workspace.deploy(KEY, PLUGIN)
        workspace.deploy(KEY, PLUGIN.replace("EUR", "USD"))
        self.go(workspace, "live-plugins")
        self.press_button("What changed")
        self.wait(lambda: self.texts("#compared .before code"), "the lines are compared")
        self.assertEqual([line.strip() for line in self.texts("#compared .before code")],
                         ['event.properties.currency = "EUR";'])
        self.assertEqual([line.strip() for line in self.texts("#compared .after code")],
                         ['event.properties.currency = "USD";'])

    def test_a_text_that_is_not_deployed_stays_when_something_else_is_changed(self):
        workspace = self.workspace()
        workspace.deploy(KEY, PLUGIN)
        rule = {"name": "deployed", "destinationName": "Mixer", "matchers": [{"type": "all"}],
                "transformers": [[{"type": "drop"}]]}
        workspace.send("PUT", f"/api/sources/{KEY}/filters", [rule])
        workspace.send("PUT", f"/api/sources/{KEY}/filters", [rule | {"name": "newer"}])
        text = ("return document.querySelector('.CodeMirror')?.CodeMirror.getValue()"
                " ?? document.querySelector('#plugin-text, #rules-text').value")
        self.go(workspace, "live-plugins")
        self.write(PLUGIN + "// mine\n")
        self.press_button("Switch off …")
        self.agree("Switch off")
        self.message("Live plugins are off")
        self.assertEqual(self.browser.execute_script(text), PLUGIN + "// mine\n")
        self.go(workspace, "filters")
        mine = json.dumps([rule | {"name": "mine"}])
        self.write(mine, "#rules-text")
        self.press_button("Deploy again")
        self.agree("Deploy again")
        self.message("Version 3 has the rules of version 1")
        self.assertEqual(self.browser.execute_script(text), mine)
        self.assertEqual(self.texts("#rules-forms h3"), ["mine"])

    TEXT = ("return document.querySelector('.CodeMirror')?.CodeMirror.getValue()"
            " ?? document.querySelector('#plugin-text, #rules-text').value")

    def text(self):
        """The text in the editor."""
        return self.browser.execute_script(self.TEXT)

    def drafts(self):
        return [text for text in self.texts(".draft") if "is not deployed" in text]

    def test_a_draft_outlives_a_reload_the_way_back_another_version_and_a_deployment(self):
        workspace = self.workspace()
        workspace.deploy(KEY, PLUGIN)
        workspace.deploy(KEY, PLUGIN + "// second\n")
        self.go(workspace, "live-plugins")
        mine = PLUGIN + "// mine\n"
        self.write(mine)
        self.browser.refresh()
        self.wait(self.drafts, "the draft is offered after a reload")
        self.assertEqual(self.text(), PLUGIN + "// second\n", "the deployed text is shown until the reader wants the draft")
        self.press_button("Restore draft")
        self.wait(lambda: self.text() == mine and not self.drafts(), "the draft is back")
        self.element("#places a[href^='/filters']").click()
        self.wait(lambda: self.browser.find_elements(By.ID, "rules-text"), "another place is shown")
        self.browser.back()
        self.press_button("Restore draft")
        self.wait(lambda: self.text() == mine, "the draft is back after another place")
        edit = self.browser.find_elements(By.XPATH, "//main//button[.='Edit']")[1]
        edit.click()
        self.wait(lambda: self.text() == PLUGIN and self.drafts(), "the older version replaces the text, and the draft stays")
        self.press_button("Restore draft")
        self.wait(lambda: self.text() == mine, "the draft is back after another version")
        self.press_button("Deploy again")
        self.wait(lambda: self.texts("dialog .diff"), "the question shows the difference")
        self.agree("Deploy again")
        self.message("Version 3 has the text of version 1")
        self.assertEqual(self.text(), mine, "a deployment of another version leaves the text alone")
        Select(self.element("#share")).select_by_value("100")
        self.press_button("Deploy …")
        self.agree("Deploy")
        self.message("Version 4 is deployed to 100 % of devices.")
        self.browser.refresh()
        self.wait(lambda: self.browser.find_elements(By.ID, "share"), "the place is shown again")
        self.assertEqual((self.text(), self.drafts()), (mine, []), "a text that is deployed is no draft")

    def test_drafts_are_kept_for_each_source_and_thrown_away_by_hand(self):
        workspace = self.workspace(keys=(KEY, "second"))
        rules = [{"name": "mine", "destinationName": "Mixer", "matchers": [{"type": "all"}],
                  "transformers": [[{"type": "drop"}]]}]
        self.go(workspace, f"filters?source={KEY}")
        self.write(json.dumps(rules), "#rules-text")
        self.wait(lambda: self.texts("#rules-forms h3") == ["mine"], "the rule is shown")
        self.go(workspace, "filters?source=second")
        self.wait(lambda: self.browser.find_elements(By.ID, "add-rule"), "the place is shown")
        self.assertEqual(self.drafts(), [])
        self.go(workspace, f"filters?source={KEY}")
        self.press_button("Restore draft")
        self.wait(lambda: self.texts("#rules-forms h3") == ["mine"], "the rules are back, with their forms")
        self.browser.refresh()
        self.press_button("Throw away")
        self.wait(lambda: not self.drafts(), "the draft is gone")
        self.browser.refresh()
        self.wait(lambda: self.browser.find_elements(By.ID, "add-rule"), "the place is shown")
        self.assertEqual(self.drafts(), [])

    def test_a_login_that_ends_is_renewed_in_a_dialog_and_the_work_goes_on(self):
        self.allowed_errors = ["401"]
        workspace = self.workspace()
        self.go(workspace, "live-plugins")
        self.write(PLUGIN)
        self.wait(lambda: self.element("#deploy").is_enabled(), "the text can be deployed")
        Select(self.element("#share")).select_by_value("100")
        self.browser.delete_all_cookies()
        # The check of what was typed may have asked for the login already, which covers the button.
        self.browser.execute_script("document.querySelector('#deploy').click()")
        self.wait(lambda: self.browser.find_elements(By.ID, "token-again"), "the login is asked for")
        field = self.element("#token-again")
        self.press(Keys.ESCAPE)
        self.press(Keys.ESCAPE)
        self.assertTrue(field.is_displayed(), "Escape does not close the login")
        field.send_keys("wrong\n")
        self.wait(lambda: any("no valid token" in text for text in self.texts("dialog [role=alert]")), "a wrong token is refused")
        field.clear()
        field.send_keys(TOKEN + "\n")
        self.wait(lambda: not self.browser.find_elements(By.ID, "token-again"), "the login is over")
        self.agree("Deploy")
        self.message("Version 1 is deployed to 100 % of devices.")

    def test_live_plugins_are_switched_off_after_a_question(self):
        workspace = self.workspace()
        workspace.deploy(KEY, PLUGIN)
        self.go(workspace, "live-plugins")
        self.press_button("Switch off …")
        self.agree("Cancel")
        self.assertEqual(len(self.deployed(workspace)["versions"]), 1)
        self.press_button("Switch off …")
        self.agree("Switch off")
        self.message("Live plugins are off for all devices.")
        self.assertEqual(self.deployed(workspace)["versions"][0]["bytes"], 0)

    def test_a_reader_who_may_only_look_sees_no_button_that_changes_something(self):
        workspace = self.workspace()
        workspace.deploy(KEY, PLUGIN)
        token = workspace.send("POST", "/api/tokens", {"name": "guest", "role": "look"})["token"]
        self.browser.delete_all_cookies()
        self.go(workspace, "live-plugins", token)
        self.assertIn("guest", self.element("#who").text)
        seen = set()
        for place in PLACES:
            self.go(workspace, place)
            seen |= {label.split(" ")[0] for label in self.texts("main button:not(.sort)")}
        languages = {"Swift", "curl", "JavaScript", "Kotlin", "Python"}
        self.assertEqual(seen - {"What", "Refresh", "Show", "Copy", "Find", "Look"} - languages, set())
        self.browser.delete_all_cookies()

    # Filters

    def test_a_rule_is_made_with_the_form_tried_and_deployed(self):
        workspace = self.workspace()
        workspace.post(track("Order Completed", total=5), track("Order Completed", 2, total=50))
        workspace.settle()
        self.go(workspace, "filters")
        self.press_button("Add a rule")
        self.assertFalse(self.element("#deploy-rules").is_enabled(), "a rule without a condition cannot be deployed")
        place, value = [self.element(f".condition input[aria-label='{label}']")
                        for label in ["Place in the event", "Value"]]
        place.clear()
        place.send_keys("properties.total")
        Select(self.element(".condition select")).select_by_value(">")
        value = self.element(".condition input[aria-label='Value']")
        value.send_keys("10")
        self.press_button("Dry run")
        self.wait(lambda: any("would drop 1 and change 0 of the last 2 events" in text
                              for text in self.texts("#dry-run p")), "the dry run counts")
        self.press_button("Deploy …")
        self.wait(lambda: self.texts("dialog tbody td") == ["Segment.io", "0 (0 %)", "1 (50 %)", "0 (0 %)"],
                  "the question counts what is held back")
        self.assertTrue(any("properties.total" in text for text in self.texts("dialog .diff .after")), "and shows the difference")
        self.agree("Deploy")
        self.message("1 rule deployed.")
        rule, = workspace.get(f"/api/sources/{KEY}/filters")
        self.assertEqual(json.loads(rule["matchers"][0]["ir"]), [">", "properties.total", {"value": 10}])
        self.assertEqual(rule["transformers"], [[{"type": "drop"}]])

    def test_a_rule_for_every_event_wants_the_name_of_its_destination(self):
        workspace = self.workspace()
        workspace.post(*[track("Order Completed", number) for number in range(3)])
        workspace.settle()
        self.go(workspace, "filters")
        self.press_button("Add a rule")
        self.wait(lambda: any("which events it is for" in text for text in self.texts("#rules-forms .note")), "the rule says what it lacks")
        self.assertFalse(self.element("#deploy-rules").is_enabled())
        Select(self.element("#rules-forms select[aria-label='Events']")).select_by_value("every")
        self.wait(lambda: self.element("#deploy-rules").is_enabled(), "every event is an answer, too")
        self.assertTrue(any("gets no event at all" in text for text in self.texts("#rules-forms .note")))
        self.press_button("Deploy …")
        self.wait(lambda: self.texts("dialog tbody td") == ["Segment.io", "0 (0 %)", "3 (100 %)", "0 (0 %)"], "all is held back")
        self.agree("Deploy", word="Segment.io")
        self.message("1 rule deployed.")
        self.assertEqual(workspace.get(f"/api/sources/{KEY}/filters")[0]["matchers"], [{"type": "all"}])

    def test_form_and_json_of_a_rule_follow_each_other(self):
        workspace = self.workspace()
        self.go(workspace, "filters")
        rule = {"name": "by hand", "destinationName": "Mixer", "matchers": [{"type": "all"}],
                "transformers": [[{"type": "drop_properties", "config": {"drop": {"properties": ["card"]}}}]]}
        self.write(json.dumps([rule]), "#rules-text")
        self.wait(lambda: self.texts("#rules-forms h3") == ["by hand"], "the form shows the rule")
        field = self.element("#rules-forms input[aria-label='Properties']")
        self.assertEqual(field.get_attribute("value"), "card")
        field.send_keys(", email")
        self.wait(lambda: '"email"' in self.browser.execute_script(
            "return document.querySelector('.CodeMirror')?.CodeMirror.getValue()"
            " ?? document.querySelector('#rules-text').value"), "the JSON has the property")
        self.write("[{]", "#rules-text")
        self.wait(lambda: any('"]" is not expected here (line 1, column 3)' in text for text in self.texts(".findings li")),
                  "the mistake is shown with its place")
        self.write(json.dumps([rule | {"matchers": [{"type": "fql", "ir": '["!", "properties.gift"]'}]}]), "#rules-text")
        self.wait(lambda: any("more than the form can show" in text for text in self.texts("#rules-forms p")),
                  "a rule that no form can show stays as JSON")

    def findings_of_rules(self, size):
        workspace = self.workspace()
        self.size(*size)
        self.go(workspace, "filters")
        rule = {"destinationName": "Segment.io", "matchers": [{"type": "fql", "ir": '["=", "event", "Order Completed"]'}],
                "transformers": [[{"type": "drop"}]]}
        self.write(json.dumps([rule], indent=2), "#rules-text")
        self.wait(lambda: any(text.startswith("Line 7") and "the value is" in text for text in self.texts(".findings li")),
                  "the mistake is shown at its line, without a press of a button")
        rule["matchers"][0]["ir"] = '["=", "event", {"value": "Order Completed"}]'
        self.write(json.dumps([rule], indent=2), "#rules-text")
        self.wait(lambda: not self.texts(".findings li"), "the mistake is gone")

    def test_a_rule_that_cannot_do_what_it_says_is_shown_as_it_is_typed(self):
        self.findings_of_rules(WIDE)

    def test_a_rule_that_cannot_do_what_it_says_is_shown_as_it_is_typed_on_a_phone(self):
        self.findings_of_rules(PHONE)

    def test_a_plugin_that_cannot_do_what_it_says_is_shown_as_it_is_typed_and_refused(self):
        workspace = self.workspace()
        self.go(workspace, "live-plugins")
        self.write(PLUGIN.replace("track(", "trak("))
        self.wait(lambda: any("did you mean track?" in text for text in self.texts(".findings li")), "the mistake is shown")
        self.wait(lambda: not self.element("#deploy").is_enabled(), "a text with an error cannot be deployed")
        self.write(PLUGIN)
        self.wait(lambda: self.element("#deploy").is_enabled(), "a text without one can")
        # A question that is faster than the check of what was typed looks at the text itself.
        self.write(PLUGIN.replace("class Currency", "class Currency {"))
        self.browser.execute_script("document.querySelector('#deploy').disabled = false")
        self.press_button("Deploy …")
        self.wait(lambda: any("Line" in text for text in self.texts("dialog .note")), "the question names the error")
        self.assertFalse(self.element("dialog button[type=submit]").is_enabled())
        self.agree("Cancel")
        self.assertEqual(self.deployed(workspace)["versions"], [])
        with self.assertRaises(urllib.error.HTTPError) as refused:
            workspace.deploy(KEY, PLUGIN.replace("class Currency", "class Currency {"))
        self.assertEqual(refused.exception.code, 422)

    def test_conditions_and_their_fql_follow_each_other(self):
        workspace = self.workspace()
        self.go(workspace, "filters")
        self.press_button("Add a rule")
        self.element(".condition input[aria-label=Value]").send_keys("Test")
        self.element("#rules-forms summary").click()
        fql = "#rules-forms input[aria-label='Conditions as FQL']"
        self.wait(lambda: json.loads(self.element(fql).get_attribute("value")) == ["=", "event", {"value": "Test"}],
                  "the FQL follows the form")
        field = self.element(fql)
        # Emptying the field would be a change of its own.
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys('["or", ["=", "type", {"value": "page"}], [">", "properties.total", {"value": 3}]]\n')
        self.wait(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, ".condition")) == 2, "the form follows the FQL")
        paths = [one.get_attribute("value") for one in self.browser.find_elements(
            By.CSS_SELECTOR, ".condition input[aria-label='Place in the event']")]
        self.assertEqual(paths, ["type", "properties.total"])
        self.element("#rules-forms summary").click()
        field = self.element(fql)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys('["!" "userId"]\n')
        self.wait(lambda: any("(line 1, column 6)" in text for text in self.texts("#rules-forms .help")),
                  "a mistake is named with its place")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys('["!", "userId"]\n')
        self.wait(lambda: any("The form cannot show this" in text for text in self.texts("#rules-forms .help")),
                  "it says what to do instead")

    def filter_report(self, workspace, version, devices, dropped):
        for device in range(devices):
            workspace.send("POST", "/v1/health-reports", {
                "writeKey": KEY, "instanceId": f"filters-{version}-{device}", "number": 1,
                "filters": [{"version": str(version), "destinations": [
                    {"key": "Mixer", "events": 100, "dropped": dropped, "faulty": 0}]}]})

    def test_filters_are_rolled_out_in_stages_paused_and_taken_back_by_themselves(self):
        workspace = self.workspace()
        rule = {"name": "first", "destinationName": "Mixer", "matchers": [{"type": "all"}],
                "transformers": [[{"type": "drop_properties", "config": {"drop": {"properties": ["card"]}}}]]}
        workspace.send("PUT", f"/api/sources/{KEY}/filters", [rule])
        self.go(workspace, "filters")
        self.write(json.dumps([rule | {"name": "second", "transformers": [[{"type": "drop"}]]}]), "#rules-text")
        Select(self.element("#share")).select_by_value("plan")
        for field, value in {"stages": "10, 100", "minutes": "60", "devices": "5", "events": "100"}.items():
            self.fill(f"plan-{field}", value)
        self.press_button("Deploy …")
        # No event is stored, so a rule that drops every event wants the name.
        self.agree("Deploy", word="Mixer")
        self.message("1 rule deployed in stages.")
        self.press_button("Pause")
        self.headline("Version 2 is paused")
        self.press_button("Resume")
        self.headline("Version 2 is rolled out in stages")
        self.assertEqual(workspace.get(f"/api/sources/{KEY}/filters")[0]["name"], "first")
        self.filter_report(workspace, 1, 5, dropped=2)
        self.filter_report(workspace, 2, 5, dropped=90)
        self.headline("Version 2 was rolled back")
        rows = [row.text for row in self.browser.find_elements(By.CSS_SELECTOR, "[aria-label='Filters on devices'] tr")]
        self.assertTrue(any(row.startswith("v2 0 % Mixer 500 0 450 90 %") for row in rows), rows)
        self.assertTrue(any("the events are dropped" in text for text in self.texts("main .note")))
        self.assertEqual(self.texts("[aria-label='Versions'] tbody td:first-child"), ["v3", "v2", "v1"])
        # By hand, the rules that were taken back are deployed again.
        self.browser.find_elements(By.XPATH, "//section[.//h2='Versions']//button[.='Deploy again']")[0].click()
        self.agree("Deploy again", word="Mixer")
        self.message("Version 4 has the rules of version 2, for all devices.")
        self.assertEqual(workspace.get(f"/api/sources/{KEY}/filters")[0]["name"], "second")

    def test_a_rule_that_the_server_refuses_is_explained_and_cannot_be_deployed(self):
        workspace = self.workspace()
        self.go(workspace, "filters")
        self.write(json.dumps([{"destinationName": "Mixer", "matchers": [{"type": "fql", "ir": '["like", "event"]'}],
                                "transformers": [[{"type": "drop"}]]}]), "#rules-text")
        self.wait(lambda: any('unknown operator "like"' in text for text in self.texts(".findings li")), "the mistake is shown")
        self.wait(lambda: not self.element("#deploy-rules").is_enabled(), "such rules cannot be deployed")
        self.browser.execute_script("document.querySelector('#deploy-rules').disabled = false")
        self.press_button("Deploy …")
        self.wait(lambda: any('unknown operator "like"' in text for text in self.texts("dialog .note")), "the question explains it")
        self.assertFalse(self.element("dialog button[type=submit]").is_enabled())
        self.agree("Cancel")
        self.assertEqual(workspace.get(f"/api/sources/{KEY}/filters"), [])

    # Destinations and problems

    def test_a_webhook_is_added_fails_is_shown_as_a_problem_and_delivers_again(self):
        self.allowed_errors = ["the server responded"]
        workspace, receiver = self.workspace(), self.receiver()
        self.go(workspace, "destinations")
        self.fill("destination-name", "Warehouse")
        self.fill("destination-url", receiver.url)
        self.press_button("Add destination")
        self.agree("I have stored it")
        self.message("Warehouse gets events now.")
        self.press_button("Test")
        self.message("Warehouse answered 200")
        receiver.status = 422
        workspace.post(track("Refused"))
        workspace.settle()

        def letters():
            self.press_button("Refresh")
            return any("1 dead letter" in text for text in self.texts("main button"))
        self.wait(letters, "the refused event is a dead letter")
        self.go(workspace, "problems")
        self.wait(lambda: any("Warehouse" in row for row in self.texts("main tr")), "the problem is listed")
        receiver.status = 200
        self.go(workspace, "destinations")
        self.press_button("Show 1 dead letter")
        self.wait(lambda: any("422" in row for row in self.texts(".dead-letters tr")), "the reason is shown")
        self.press_button("Send all again")
        self.message("1 dead letter of Warehouse is sent again.")
        self.wait(lambda: any(b"Refused" in body for body in receiver.bodies[2:]), "the event arrives")
        self.press_button("Pause")
        self.message("Warehouse is paused.")
        self.press_button("Remove …")
        self.agree("Remove", "Warehouse")
        self.wait(lambda: any("No destination yet" in text for text in self.texts("main h2")), "it is gone")

    def test_a_destination_whose_events_are_tried_again_does_not_say_that_all_is_delivered(self):
        workspace, receiver = self.workspace(), self.receiver()
        workspace.send("PUT", f"/api/sources/{KEY}/destinations/Warehouse",
                       {"kind": "webhook", "settings": {"url": receiver.url}})
        # Five failures in a row would make the destination rest, which the card shows in another way.
        receiver.status = 500
        workspace.post(track("Refused"))
        workspace.settle()
        self.wait(lambda: receiver.bodies, "the event was tried")
        self.go(workspace, "destinations")

        def notes():
            self.press_button("Refresh")
            return self.texts(".card .note")
        self.wait(lambda: notes() == ["1 event was not taken and will be tried again.", "Nothing is delivered yet."],
                  "the card says so")
        receiver.status = 200
        self.wait(lambda: len(notes()) == 1 and notes()[0].startswith("Everything is delivered, the last event "),
                  "the card says that it is delivered")

    def test_stored_events_are_counted_and_sent_to_a_destination_once_more(self):
        workspace, receiver = self.workspace(), self.receiver()
        workspace.send("PUT", f"/api/sources/{KEY}/destinations/Warehouse",
                       {"kind": "webhook", "settings": {"url": receiver.url}})
        workspace.post(track("Kept", 1), track("Kept", 2), track("Other", 3))
        workspace.settle()
        self.wait(lambda: len(receiver.bodies) == 3, "the events arrive")
        self.wait(lambda: workspace.get(f"/api/sources/{KEY}/destinations/Warehouse")["caughtUp"], "they are delivered")
        self.go(workspace, "destinations")
        self.press_button("Send again …")
        self.wait(lambda: "3 of 3 events would be sent." in self.texts(".question .review .note"), "all are counted")
        name = self.field_of("Event")
        name.send_keys("Kept")
        name.send_keys(Keys.TAB)
        self.wait(lambda: "2 of 2 events would be sent." in self.texts(".question .review .note"), "the chosen ones are counted")
        self.assertEqual(len(receiver.bodies), 3, "nothing is sent before the reader agrees")
        self.agree("Send")
        self.message("Stored events are sent to Warehouse once more.")
        self.wait(lambda: any(text.startswith("Events were sent once more: 2 handed over, 0 left out, ") for text in self.texts(".replay .note")),
                  "the card says how far it is")
        self.wait(lambda: sorted(json.loads(body)["event"] for body in receiver.bodies[3:]) == ["Kept", "Kept"], "they arrive again")

    def field_of(self, label):
        """The field with a label in the question that is open."""
        return self.browser.find_element(By.XPATH, f"//dialog//label[span[text()='{label}']]//input")

    def test_a_webhook_gets_batches_with_own_headers_and_its_settings_are_changed(self):
        self.allowed_errors = ["400"]
        workspace, receiver = self.workspace(), self.receiver()
        self.go(workspace, "destinations")
        self.fill("destination-name", "Warehouse")
        self.fill("destination-url", receiver.url)
        self.fill("destination-batch", "20")
        self.fill("destination-headers", "X-Team: shop\nHost: elsewhere")
        self.press_button("Add destination")
        self.message("the header Host cannot be chosen")
        self.fill("destination-headers", "X-Team: shop")
        self.press_button("Add destination")
        self.agree("I have stored it")
        workspace.post(track("Order Completed", 1))
        self.wait(lambda: any(b"Order Completed" in body for body in receiver.bodies), "the event arrives")
        body = next(json.loads(body) for body in receiver.bodies if b"Order Completed" in body)
        self.assertEqual([event["event"] for event in body["batch"]], ["Order Completed"])
        self.assertEqual(receiver.headers[0].get("X-Team"), "shop")
        self.press_button("Refresh")
        self.wait(lambda: any("up to 20 events a request, with X-Team" in text for text in self.texts(".card p")),
                  "the settings are shown")
        self.element(".card summary").click()
        fields = self.browser.find_elements(By.CSS_SELECTOR, ".card form input[type=text]")
        fields[0].clear()
        self.press_button("Store settings")
        self.message("The settings of Warehouse are stored.")
        settings = workspace.get(f"/api/sources/{KEY}/destinations/Warehouse")["settings"]
        self.assertEqual(settings.get("batchEvents", 1), 1)
        self.assertEqual(settings["headers"], {"X-Team": "shop"})

    def open_settings_of(self, name):
        """Opens the form of a destination, and returns a function that finds an element of it."""
        self.wait(lambda: self.texts(f"[data-name={name}] summary"), "the destination is shown")
        self.element(f"[data-name={name}] summary").click()
        return lambda selector: self.element(f"[data-name={name}] form {selector}")

    def test_settings_of_a_destination_are_lost_only_after_a_question_that_names_them(self):
        workspace, receiver = self.workspace(), self.receiver()
        path = f"/api/sources/{KEY}/destinations"
        headers = {"Authorization": "Bearer secret", "X-Team": "shop"}
        workspace.send("PUT", f"{path}/Warehouse", {"kind": "webhook", "settings": {"url": receiver.url, "headers": headers}})
        self.go(workspace, "destinations")
        area = self.open_settings_of("Warehouse")("textarea")
        area.clear()
        area.send_keys("x-team: sales\nX-New: 1")
        self.press_button("Store settings")
        self.asks_about("These headers of Warehouse are deleted: Authorization.")
        self.agree("Cancel")
        self.assertEqual(workspace.get(f"{path}/Warehouse")["settings"]["headers"], headers)
        self.assertEqual(area.get_attribute("value"), "x-team: sales\nX-New: 1")
        self.press_button("Store settings")
        self.agree("Store settings")
        self.message("The settings of Warehouse are stored.")
        self.assertEqual(workspace.get(f"{path}/Warehouse")["settings"]["headers"], {"x-team": "sales", "X-New": "1"})

    def test_a_stored_secret_access_key_is_replaced_only_after_a_question(self):
        workspace, receiver = self.workspace(), self.receiver()
        path = f"/api/sources/{KEY}/destinations/Lake"
        workspace.send("PUT", path, {"kind": "s3", "secret": "old", "settings": {
            "endpoint": receiver.url.removesuffix("/events"), "bucket": "shop", "accessKey": "AK"}})
        before = workspace.get(path)["settings"]
        self.go(workspace, "destinations")
        form = self.open_settings_of("Lake")
        form("input[type=password]").send_keys("new")
        bucket = self.browser.find_elements(By.CSS_SELECTOR, "[data-name=Lake] form input")[1]
        bucket.clear()
        bucket.send_keys("other")
        self.press_button("Store settings")
        self.asks_about("The stored secret access key of Lake is replaced. The workspace never shows it.")
        self.agree("Cancel")
        self.assertEqual(workspace.get(path)["settings"], before)
        self.press_button("Store settings")
        self.agree("Store settings")
        self.message("The settings of Lake are stored.")
        self.assertEqual(workspace.get(path)["settings"]["bucket"], "other")

    def test_a_new_destination_does_not_replace_one_of_the_same_name(self):
        self.allowed_errors = ["400"]
        workspace, receiver = self.workspace(), self.receiver()
        path = f"/api/sources/{KEY}/destinations/Warehouse"
        workspace.send("PUT", path, {"kind": "webhook", "settings": {"url": receiver.url, "headers": {"X-Team": "shop"}}})
        before = workspace.get(path)["settings"]
        self.go(workspace, "destinations")
        self.fill("destination-name", "Warehouse")
        self.fill("destination-url", "http://127.0.0.1:9/elsewhere")
        self.press_button("Add destination")
        self.message("it is there already")
        self.assertEqual(workspace.get(path)["settings"], before)

    def test_the_questions_before_a_removal_count_what_goes(self):
        workspace, receiver = self.workspace(), self.receiver()
        path = f"/api/sources/{KEY}/destinations/Warehouse"
        receiver.status = 422
        workspace.send("PUT", path, {"kind": "webhook", "settings": {"url": receiver.url}})
        workspace.post(track("Refused"))
        self.wait(lambda: workspace.get(path)["deadLetters"] == 1, "the event is a dead letter")
        workspace.send("PUT", path, {"enabled": False})
        workspace.post(track("Waits", 1), track("Waits", 2))
        workspace.settle()
        self.go(workspace, "destinations")
        self.press_button("Show 1 dead letter")
        self.press_button("Forget all …")
        self.wait(lambda: any("the 1 event of its dead letters" in text for text in self.texts("dialog p")), "it is counted")
        self.agree("Cancel")
        self.press_button("Remove …")
        self.wait(lambda: self.texts("dialog p"), "a question is open")
        self.assertEqual(self.texts("dialog p")[0], (
            "It goes with its settings and its secret. It never gets 2 events that wait for it, and 1 dead letter of it is "
            "deleted. The events stay stored."))
        self.agree("Cancel")
        workspace.deploy(KEY, PLUGIN)
        self.go(workspace, "sources")
        self.press_button("Remove …")
        self.asks_about("3 events, and the signals and dead letters of the source.",
                        f"1 key ({KEY}). Apps that send with them are refused.",
                        "1 destination (Warehouse), and what waits for them.",
                        "1 version of live plugins, 0 filter rules, the tracking plan and all settings.")
        self.agree("Cancel")

    def test_files_are_a_destination_where_the_server_has_a_folder_for_them(self):
        self.allowed_errors = ["409"]
        self.go(self.workspace(), "destinations")
        Select(self.element("#destination-kind")).select_by_value("files")
        self.assertFalse(self.element("#destination-url").is_displayed())
        self.fill("destination-name", "Archive")
        self.press_button("Add destination")
        self.message("start it with serve --files-folder")
        self.browser.delete_all_cookies()
        folder = tempfile.TemporaryDirectory(prefix="tributary-files-")
        self.addCleanup(folder.cleanup)
        workspace = self.workspace(options=("--files-folder", folder.name))
        workspace.post(track("Order Completed", 1))
        workspace.settle()
        self.go(workspace, "destinations")
        Select(self.element("#destination-kind")).select_by_value("files")
        Select(self.element("#from")).select_by_value("start")
        self.fill("destination-name", "Archive")
        self.press_button("Add destination")
        self.message("Archive gets events now.")
        self.press_button("Test")
        self.message("can be written")
        files = Path(folder.name, KEY, "Archive")
        self.wait(lambda: files.exists() and any(
            "Order Completed" in one.read_text() for one in files.glob("*.ndjson")), "the event is in a file")

    def test_a_bucket_is_a_destination_with_keys_whose_secret_is_never_shown(self):
        workspace, receiver = self.workspace(), self.receiver()
        workspace.post(track("Order Completed", 1))
        workspace.settle()
        self.go(workspace, "destinations")
        Select(self.element("#destination-kind")).select_by_value("s3")
        self.assertFalse(self.element("#destination-url").is_displayed())
        Select(self.element("#from")).select_by_value("start")
        endpoint = receiver.url.removesuffix("/events")
        for field, text in [("destination-name", "Lake"), ("objects-endpoint", endpoint), ("objects-bucket", "shop"),
                            ("objects-prefix", "raw"), ("objects-accessKey", "AKEXAMPLE"), ("objects-secret", "S3CR3T")]:
            self.fill(field, text)
        self.press_button("Add destination")
        self.message("Lake gets events now.")
        self.wait(lambda: any(f"{endpoint}/shop/raw · compressed" in text for text in self.texts(".card p")),
                  "the bucket is shown")
        self.wait(lambda: any("wait until their hour is over" in text for text in self.texts(".card .note")),
                  "the card says what the events wait for")
        self.assertEqual([one for one in self.texts(".card button") if "secret" in one], [])
        self.press_button("Test")
        self.message("Lake answered that its bucket shop can be written")
        self.assertIn("Credential=AKEXAMPLE/", receiver.headers[0]["Authorization"])
        receiver.status = 404
        self.element(".card summary").click()
        region = self.browser.find_elements(By.CSS_SELECTOR, ".card form input")[3]
        region.clear()
        region.send_keys("eu-central-1")
        self.press_button("Store settings")
        self.message("The settings of Lake are stored.")
        self.press_button("Test")
        self.message("404 Not Found: the endpoint has no such bucket; correct endpoint, bucket and path style")
        self.assertIn("/eu-central-1/s3/aws4_request", receiver.headers[1]["Authorization"])
        lake = workspace.get(f"/api/sources/{KEY}/destinations/Lake")
        self.assertEqual(lake["settings"], {
            "endpoint": endpoint, "bucket": "shop", "prefix": "raw", "region": "eu-central-1", "accessKey": "AKEXAMPLE",
            "pathStyle": True})
        self.assertNotIn("S3CR3T", self.browser.page_source + json.dumps(lake))

    def test_a_rejected_event_is_shown_with_its_reason_and_what_to_do(self):
        workspace = self.workspace()
        workspace.post(track("Fine"), {"type": "track", "messageId": "bad", "event": "Nobody"})
        workspace.settle()
        self.go(workspace, "problems")
        self.wait(lambda: self.texts(".rejection"), "the event is shown")
        text = self.texts(".rejection")[0]
        self.assertIn("needs a userId", text)
        self.assertIn("A client adds the anonymousId by itself", text)

    # Sources, access, audit

    def test_a_new_source_shows_how_to_send_and_waits_for_its_first_event(self):
        workspace = self.workspace()
        self.go(workspace, "sources")
        self.fill("new-source", "Shop")
        self.press_button("Make source")
        self.message("The source Shop has the write key")
        shop = next(one for one in workspace.get("/api/sources")["sources"] if one["name"] == "Shop")
        self.wait(lambda: any("Waiting for the first event" in text for text in self.texts("#first-event")), "it waits")
        self.assertEqual(self.texts("[role=tab]"), ["Swift", "curl", "JavaScript", "Kotlin", "Python"])
        for language in self.texts("[role=tab]"):
            self.element(f"#tab-{language.lower()}").click()
            self.assertIn(shop["writeKey"], self.element("[role=tabpanel] pre").text)
        program = self.element("#snippet-python").text
        links = [link.get_attribute("href") for link in self.browser.find_elements(By.CSS_SELECTOR, "#places a")]
        self.assertTrue(all(shop["writeKey"] in link for link in links), "the links follow the new source")
        subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, timeout=PATIENCE, env={"no_proxy": "*"})
        self.wait(lambda: any("The first event is here: First Event." in text for text in self.texts("#first-event")), "it came")
        self.element("#first-event a").click()
        self.wait(lambda: any("First Event" in row for row in self.texts(".item")), "it is among the events")

    def test_a_place_says_when_the_server_is_away_and_reads_again_when_it_is_back(self):
        self.allowed_errors = ["ERR_CONNECTION_REFUSED", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET", "ERR_TIMED_OUT"]
        workspace = self.workspace()
        self.go(workspace, "destinations")
        self.addCleanup(workspace.process.send_signal, signal.SIGCONT)
        workspace.process.send_signal(signal.SIGSTOP)
        self.press_button("Refresh")
        self.wait(lambda: self.element("#progress").is_displayed(), "the page shows that it waits")
        self.wait(lambda: self.element("#away").is_displayed(), "the banner is shown")
        self.assertIn("You see what it said at", self.element("#away").text)
        workspace.process.send_signal(signal.SIGCONT)
        self.wait(lambda: "answers again" in self.element("#away").text, "the banner says that the server is back")
        self.press_button("Read again", "#away")
        self.wait(lambda: not self.element("#away").is_displayed() and not self.element("#progress").is_displayed(), "all is read again")
        port = workspace.port
        workspace.stop()
        self.press_button("Refresh")
        self.message("the server does not answer")
        self.assertTrue(self.element("#away").is_displayed())
        workspace.start(port)
        self.press_button("Try now", "#away")
        self.press_button("Read again", "#away")
        self.wait(lambda: any("No destination yet" in text for text in self.texts("main h2")), "the place is shown again")

    def test_a_failure_of_work_that_nothing_waits_for_is_shown(self):
        workspace = self.workspace()
        self.go(workspace, "destinations")
        self.browser.execute_script(
            "window.dispatchEvent(new PromiseRejectionEvent('unhandledrejection', {cancelable: true,"
            "  promise: Promise.resolve(), reason: new Error('a promise that failed')}))")
        self.message("a promise that failed")
        self.browser.execute_async_script(
            "const done = arguments[0]; import('/page/any/parts/elements.js').then(({element}) => {"
            "  const button = element('button', {click: async () => { throw new Error('an action that failed') }});"
            "  button.click(); done(); })")
        self.message("an action that failed")

    def test_a_source_is_made_gets_a_key_and_limits_and_is_removed(self):
        workspace = self.workspace()
        self.go(workspace, "sources")
        self.fill("new-source", "Shop")
        self.press_button("Make source")
        self.message("The source Shop has the write key")
        self.fill("new-key", "version 2")
        self.press_button("Add key")
        self.message("is valid now")
        self.fill("events-per-day", "1000")
        Select(self.element("#ip")).select_by_value("drop")
        self.press_button("Store limits")
        self.message("The limits are stored.")
        shop = next(one for one in workspace.get("/api/sources")["sources"] if one["name"] == "Shop")
        self.assertEqual(len(shop["keys"]), 2)
        self.assertEqual(shop["policy"]["quota"]["eventsPerDay"], 1000)
        self.assertEqual(shop["policy"]["ip"], "drop")
        self.press_button("Remove …")
        self.agree("Remove for ever", shop["writeKey"])
        self.message("The source is removed")
        self.assertEqual([one["writeKey"] for one in workspace.get("/api/sources")["sources"]], [KEY])

    def test_captures_of_signals_and_health_reports_are_switched(self):
        workspace = self.workspace()
        self.go(workspace, "sources")
        Select(self.element("#capture-network")).select_by_value("off")
        Select(self.element("#capture-uiKit")).select_by_value("on")
        self.fill("share-uiKit", "12.5")
        self.fill("health-share", "10")
        self.press_button("Store switches")
        self.message("The switches are stored.")
        policy = workspace.get(f"/api/sources/{KEY}/policy")
        self.assertEqual(policy["signals"]["sources"], {
            "network": {"enabled": False}, "uiKit": {"enabled": True, "sampleRate": 0.125}})
        self.assertEqual(policy["signals"]["sampleRate"], 1)
        self.assertEqual(policy["healthReports"]["sampleRate"], 0.1)
        self.assertEqual(self.element("#share-uiKit").get_attribute("value"), "12.5")
        Select(self.element("#capture-network")).select_by_value("app")
        self.press_button("Store switches")
        self.wait(lambda: list(workspace.get(f"/api/sources/{KEY}/policy")["signals"]["sources"]) == ["uiKit"],
                  "the app decides about the capture again")

    def test_settings_of_a_destination_on_the_device_are_stored_and_taken_out(self):
        workspace = self.workspace()
        self.go(workspace, "sources")
        self.fill("integrations", '{"Mixer":\n{,}}')
        self.press_button("Store settings")
        self.message('"," is not expected here (line 2, column 2)')
        for wanted, loss in [({"Mixer": {"apiKey": "k"}}, None), ({}, "These settings of Mixer are deleted: apiKey.")]:
            self.fill("integrations", json.dumps(wanted))
            self.press_button("Store settings")
            if loss:
                self.asks_about(loss)
                self.agree("Store settings")
            self.message("The settings are stored.")
            found = workspace.get(f"/api/sources/{KEY}/integrations")
            self.assertEqual(found.get("Mixer"), wanted.get("Mixer"))
            self.go(workspace, "sources")

    def test_settings_on_the_device_are_lost_only_after_a_question_that_names_them(self):
        workspace = self.workspace()
        path = f"/api/sources/{KEY}/integrations"
        before = {"Ads": {"id": 5}, "Mixer": {"apiKey": "k", "level": 2}, "Plain": {}}
        workspace.send("PUT", path, before)
        self.go(workspace, "sources")
        wanted = json.dumps({"Mixer": {"level": 3}})
        self.fill("integrations", wanted)
        self.press_button("Store settings")
        self.asks_about("These settings of Mixer are deleted: apiKey.", "These settings of Ads are deleted: id.")
        self.agree("Cancel")
        self.assertEqual(workspace.get(path), before)
        self.assertEqual(self.element("#integrations").get_attribute("value"), wanted)
        self.press_button("Store settings")
        self.agree("Store settings")
        self.message("The settings are stored.")
        self.assertEqual(workspace.get(path), {"Mixer": {"level": 3}})

    def test_settings_on_the_device_that_are_no_object_are_refused_and_nothing_is_taken_out(self):
        self.allowed_errors = ["400"]
        workspace = self.workspace()
        path = f"/api/sources/{KEY}/integrations"
        workspace.send("PUT", path, {"Mixer": {"apiKey": "k"}})
        self.go(workspace, "sources")
        for text in ["[]", "null", "5"]:
            with self.subTest(text=text):
                self.fill("integrations", text)
                self.press_button("Store settings")
                self.message("the body must be a JSON object of settings by destination")
                self.assertEqual(workspace.get(path), {"Mixer": {"apiKey": "k"}})
                self.press_button("Close", "#messages")

    def test_a_token_is_made_shown_once_and_revoked_and_the_audit_log_names_it(self):
        workspace = self.workspace()
        self.go(workspace, "access")
        self.fill("token-name", "build")
        Select(self.element("#token-role")).select_by_value("deploy")
        self.press_button("Make token")
        self.wait(lambda: self.texts("dialog .secret"), "the token is shown")
        token = self.texts("dialog .secret")[0]
        self.press(Keys.ESCAPE)
        self.press(Keys.ESCAPE)
        self.assertEqual(self.texts("dialog[open] .secret"), [token], "Escape does not take away what is shown only once")
        self.agree("I have stored it")
        workspace.deploy(KEY, PLUGIN, token)
        self.press_button("Revoke")
        self.agree("Revoke")
        self.message("The token build is revoked.")
        self.go(workspace, "audit")
        self.wait(lambda: any("live plugins deployed" in text and "build" in text for text in self.texts(".entry")),
                  "the audit log names the token")

    # People

    def shop_of_ada(self, workspace):
        """Ada looks around as a guest, logs in, orders on two devices; a device is also used by somebody else."""
        def event(number, kind, **members):
            return {"type": kind, "messageId": f"m-{number}", "timestamp": f"2026-11-20T10:00:0{number}Z",
                    "anonymousId": "phone"} | members
        workspace.trace(dropped("Debug Ping", "NoDebug", stage("enrichment", "NoDebug", "dropped")) | {
            "userId": "ada", "anonymousId": "phone"})
        workspace.post(
            event(1, "track", event="Product Viewed"),
            event(2, "identify", userId="ada", traits={"plan": "free", "age": 36}),
            event(3, "identify", userId="ada", traits={"plan": "pro"}),
            event(4, "group", userId="ada", groupId="acme", traits={"seats": 12}),
            event(5, "alias", userId="ada", previousId="guest-17"),
            event(6, "track", userId="ada", event="Order Completed", anonymousId="tablet"),
            event(7, "track", userId="bert", event="Cart Viewed", anonymousId="tablet"))
        workspace.settle()

    def happenings(self):
        """The lines of the timeline without their times."""
        return [" ".join(line.text.split()[1:]) for line in self.browser.find_elements(
            By.CSS_SELECTOR, ".happening > summary")]

    def table_rows(self):
        """The rows as one reads them."""
        return [row.text for row in self.browser.find_elements(By.CSS_SELECTOR, "main tr")]

    def test_a_person_is_found_with_all_devices_traits_groups_and_what_was_dropped(self):
        workspace = self.workspace()
        self.shop_of_ada(workspace)
        self.go(workspace, "people")
        self.assertTrue(any("ada user id" in row for row in self.table_rows()))
        self.fill("person-id", "ada")
        self.press_button("Find")
        self.wait(self.happenings, "the timeline is shown")
        self.assertIn("user=ada", self.browser.current_url)
        lines = self.happenings()
        self.assertEqual(len(lines), 7)
        self.assertIn("Debug Ping device 2 dropped by NoDebug", lines[0])
        self.assertIn("Order Completed device 1", lines[1])
        # The guest's event belongs to Ada, whose device it was; that of the other user of the tablet does not.
        self.assertIn("Product Viewed device 2", lines[6])
        self.assertFalse(any("Cart Viewed" in line for line in lines))
        rows = self.table_rows()
        for shown in ['plan "pro"', "age 36", 'acme {"seats": 12}', "guest-17 ada", "device 1 tablet"]:
            self.assertTrue(any(shown in row for row in rows), f"{shown} is in {rows}")
        self.browser.find_elements(By.CSS_SELECTOR, ".happening > summary")[1].click()
        self.wait(lambda: "Order Completed" in "".join(self.texts(".happening .json")), "the event opens")
        # The address is enough to see the same.
        self.go(workspace, self.browser.current_url.split("/", 3)[3])
        self.wait(lambda: self.happenings() == lines, "the address leads to the same timeline")

    def test_a_device_shows_the_users_who_had_it(self):
        workspace = self.workspace()
        self.shop_of_ada(workspace)
        self.size(*PHONE)
        self.go(workspace, "people?anonymous=tablet")
        self.wait(lambda: len(self.happenings()) == 2, "both events of the device are shown")
        users = [link.text for link in self.browser.find_elements(By.CSS_SELECTOR, "[aria-label=Users] a")]
        self.assertEqual(sorted(users), ["ada", "bert"])
        self.assertFalse(any("Erase" in text for text in self.texts("main button")))
        self.element("[aria-label=Users] a").click()
        self.wait(lambda: self.texts("[aria-label=Devices] a"), "the user is shown")

    def test_a_long_timeline_is_read_page_by_page_and_in_order(self):
        workspace = self.workspace()
        for start in range(0, 300, 50):
            workspace.post(*[track("Step", number) | {
                "timestamp": f"2026-11-20T10:{number // 60:02d}:{number % 60:02d}Z"}
                for number in range(start, start + 50)])
        workspace.settle()
        self.go(workspace, "people?user=u-1")
        self.wait(lambda: len(self.happenings()) == 200, "the newest events are shown")
        self.press_button("Show older events")
        self.wait(lambda: len(self.happenings()) == 300, "all events are shown")
        times = self.texts(".happening > summary time")
        self.assertEqual(times, sorted(times, reverse=True))
        self.assertFalse(self.browser.find_element(By.ID, "older-events").is_displayed())

    def test_an_erasure_names_what_goes_and_leaves_nothing(self):
        workspace = self.workspace()
        self.shop_of_ada(workspace)
        self.go(workspace, "people?user=ada")
        self.press_button("Erase …")
        self.wait(lambda: "from all sources" in "".join(self.texts("dialog p")), "the question names what goes")
        self.agree("Erase for ever", "ada")
        self.message("Erased: 6 events")
        self.wait(lambda: "No event of this id is stored" in self.texts("main h2"), "nothing is left")
        names = {event["name"] for event in workspace.get("/api/events")["events"]}
        self.assertEqual(names, {"Cart Viewed"})

    def test_a_person_is_suppressed_with_a_reason_and_stored_again(self):
        workspace = self.workspace()
        self.shop_of_ada(workspace)
        self.go(workspace, "people?user=ada")
        self.press_button("Suppress …")
        self.wait(lambda: self.texts("dialog h2"), "it asks first")
        self.fill("suppression-reason", "asked by letter")
        self.agree("Suppress")
        self.message("Nothing more is stored of this person.")
        self.wait(lambda: any("asked by letter" in text for text in self.texts("main .note")), "the reason is shown")
        count = len(workspace.get("/api/events")["events"])
        workspace.post({"type": "track", "event": "Later", "messageId": "later", "userId": "ada"})
        workspace.settle()
        self.assertEqual(len(workspace.get("/api/events")["events"]), count)
        self.go(workspace, "people")
        self.wait(lambda: any("asked by letter" in text for text in self.texts("main td")), "the list has it")
        self.go(workspace, "people?user=ada")
        self.press_button("Store again …")
        self.agree("Store again")
        self.message("Events are stored again.")
        self.assertEqual(workspace.get("/api/suppressions")["suppressions"], [])

    def test_a_person_s_events_are_shown_with_where_they_went_and_why(self):
        workspace = self.workspace()
        receiver = self.receiver()
        self.go(workspace, "destinations")
        self.fill("destination-name", "Ads")
        self.fill("destination-url", receiver.url)
        self.fill("destination-categories", "advertising, analytics")
        self.press_button("Add destination")
        self.wait(lambda: self.texts("dialog pre"), "the secret is shown")
        self.press_button("I have stored it", "dialog")
        self.wait(lambda: any("advertising, analytics" in text for text in self.texts("main .card .note")), "it says so")
        for number, allowed in enumerate([True, False]):
            workspace.post({"type": "track", "event": f"Step {number}", "messageId": f"m-{number}", "userId": "ada",
                            "context": {"consent": {"categoryPreferences": {"advertising": allowed, "analytics": True}}}})
        path = f"/api/sources/{KEY}/destinations/Ads"
        self.wait(lambda: workspace.get(path)["withheld"] == 1 and workspace.get(path)["delivered"] == 1, "one is held back")
        self.go(workspace, "people?user=ada")
        self.press_button("Show")
        self.wait(lambda: "held back: advertising refused" in self.texts("main .way"), "it says why")
        self.assertIn("sent", self.texts("main .way"))
        self.go(workspace, "destinations")
        self.wait(lambda: any("Held back by consent" in text for text in self.texts("main .figures dt")), "it is counted")

    # Signals

    def session(self, workspace, *titles):
        """Signals as an app under development sends them."""
        def event(index, kind, data):
            signal = {"anonymousId": "phone", "type": kind, "index": index, "data": data,
                      "timestamp": f"2026-11-20T10:00:{index:02d}Z"}
            return {"type": "track", "event": "Segment Signal Generated", "messageId": f"s-{index}",
                    "anonymousId": "phone", "timestamp": signal["timestamp"], "properties": signal}
        taps = [event(index + 1, "interaction", {"title": title}) for index, title in enumerate(titles)]
        workspace.post(event(0, "navigation", {"action": "entering", "screen": "Home"}), *taps)
        workspace.settle()

    def marks(self):
        """What the generator makes of each signal."""
        return self.texts("#signals .outcomes")

    def write_a_generator(self, *size):
        workspace = self.workspace()
        self.session(workspace, "Add To Cart", "Buy")
        if size:
            self.size(*size)
        self.go(workspace, "sessions")
        self.element("[aria-label=Sessions] a").click()
        self.wait(lambda: self.marks() == ["", "→ Tapped", "→ Tapped"], "the template makes an event of each tap")
        self.write("function processSignal(signal) {\n"
                   "  if (signal.data.title == 'Buy') throw new Error('no price');\n"
                   "  if (signal.data.screen) analytics.screen(signal.data.screen);\n}\n", "#generator-text")
        self.wait(lambda: self.marks() == ["→ Home", "", "fault"], "the marks follow the text")
        self.assertIn("3 signals would make 1 event.", self.texts("#signal-trial .note"))
        self.assertTrue(any("no price" in row and "plugins.js:2" in row for row in self.texts("#signal-trial tr")))
        self.write("function processSignal( {", "#generator-text")
        self.wait(lambda: self.texts(".findings li"), "the mistake is shown")
        self.wait(lambda: self.marks() == ["", "", ""], "a text with a mistake makes no event")
        self.assertEqual(workspace.get("/api/events")["events"], [])
        return workspace

    def test_a_generator_is_written_beside_a_recorded_session(self):
        workspace = self.write_a_generator()
        text = "function processSignal(signal) { analytics.track('Signal ' + signal.index); }\n"
        self.write(text, "#generator-text")
        self.press_button("Go on in Live plugins")
        self.wait(lambda: self.browser.find_elements(By.ID, "deploy"), "live plugins are shown")
        self.press_button("Deploy …")
        self.agree("Deploy")
        self.message("Version 1 is deployed")
        self.assertEqual(self.deployed(workspace)["versions"][0]["bytes"], len(text))

    def test_a_generator_is_written_on_a_phone(self):
        self.write_a_generator(*PHONE)

    def test_a_pause_and_another_device_begin_another_session(self):
        workspace = self.workspace()

        def signal(index, device, time):
            body = {"anonymousId": device, "type": "interaction", "index": index, "data": {}, "timestamp": time}
            return {"type": "track", "event": "Segment Signal Generated", "messageId": f"s-{index}-{device}",
                    "anonymousId": device, "timestamp": time, "properties": body}
        workspace.post(signal(0, "a", "2026-11-20T10:00:00Z"), signal(0, "b", "2026-11-20T10:00:01Z"),
                       signal(1, "a", "2026-11-20T10:20:00Z"), signal(2, "a", "2026-11-20T11:00:00Z"))
        workspace.settle()
        self.go(workspace, "sessions")
        cells = [row.text for row in self.browser.find_elements(By.CSS_SELECTOR, "main tbody td:nth-child(4)")]
        self.assertEqual(cells, ["1", "1", "2"])

    # All places

    def test_nothing_that_an_event_or_a_name_holds_becomes_markup(self):
        workspace = self.workspace()
        event = track("Fine", **{HOSTILE: HOSTILE, "long": "x" * 20_000})
        workspace.post(event | {"event": HOSTILE, "userId": HOSTILE, "anonymousId": "x" * 500},
                       {"type": "identify", "messageId": "i", "userId": HOSTILE, "traits": {HOSTILE: HOSTILE}},
                       {"type": "group", "messageId": "g", "userId": HOSTILE, "groupId": HOSTILE},
                       {"type": HOSTILE, "messageId": "bad", "event": HOSTILE},
                       track("Many", **{f"{HOSTILE[:4]}{number}": 1 for number in range(1_500)}),
                       # More than an event may have, so it is among the problems.
                       track("Large", text=HOSTILE + "x" * 1_000_000),
                       track("Very many", **{f"{HOSTILE}{number}": 1 for number in range(10_000)}))
        workspace.send("PUT", f"/api/sources/{KEY}/plan", {"events": [
            {"type": "track", "name": HOSTILE, "description": HOSTILE, "properties": [
                {"key": HOSTILE, "type": "number"}, {"key": "absent" + HOSTILE, "required": True}]},
            {"type": "track", "name": "never" + HOSTILE}]})
        workspace.settle()
        workspace.deploy(KEY, "// " + HOSTILE.replace("\u202e", "") + "\n" + PLUGIN.replace("EUR", "<b>EUR</b>"))
        workspace.send("PUT", f"/api/sources/{KEY}/integrations", {"Mixer": {"note": HOSTILE}})
        workspace.send("PUT", f"/api/sources/{KEY}/filters", [
            {"name": "<b>bold</b>", "destinationName": "Mixer", "matchers": [{"type": "all"}],
             "transformers": [[{"type": "drop"}]]}])
        for size in [WIDE, PHONE]:
            self.size(*size)
            for place in [*PLACES, "explore?by=name", "catalog?type=track&name=" + quote(HOSTILE),
                          "catalog?type=track&name=Many", "explore?by=source",
                          "explore?by=property&property=" + quote(f'properties."{HOSTILE.replace(chr(34), "")}"'),
                          "explore?by=property&property=event", f"filters?type=track&name={quote(HOSTILE)}",
                          f"live-plugins?type=track&name={quote(HOSTILE)}", f"people?user={quote(HOSTILE)}"]:
                with self.subTest(place=place, size=size):
                    self.go(workspace, place)
                    if place.startswith("catalog?"):
                        self.wait(lambda: self.texts("#properties .examples code"), "the values are shown")
                        self.wait(lambda: any("Tried on" in text for text in self.texts("#touches p")), "it is tried")
                    if "property=" in place:
                        self.wait(lambda: self.texts("#breakdown h2, #breakdown tr"), "the values are counted")
                    if "user=" in place:
                        self.wait(self.happenings, "the timeline is shown")
                        self.browser.execute_script(
                            "document.querySelectorAll('.happening > summary').forEach((one) => one.click())")
                    if place.startswith("live-plugins"):
                        self.press_button("Try")
                        self.wait(lambda: self.texts("#trial-figures"), "the trial is shown")
                    if place.startswith("filters"):
                        self.press_button("Dry run")
                        self.wait(lambda: self.texts("#dry-run .example"), "the dry run is shown")
                    broken = self.browser.execute_script(
                        "return [window.broken, document.querySelectorAll('main img, main script, main b').length]")
                    self.assertEqual(broken, [None, 0])
                    wider = self.browser.execute_script(
                        "return document.documentElement.scrollWidth - document.documentElement.clientWidth")
                    self.assertLessEqual(wider, 0, "the page is wider than the window")

    def test_no_place_has_a_serious_problem_of_accessibility(self):
        axe = self.axe()
        workspace, receiver = self.workspace(), self.receiver()
        workspace.post(track("Order Completed", total=5), {"type": "track", "messageId": "bad"})
        self.session(workspace, "Buy")
        workspace.deploy(KEY, PLUGIN)
        workspace.deploy(KEY, PLUGIN + "// more\n")
        workspace.send("PUT", f"/api/sources/{KEY}/plan", {"events": [
            {"type": "track", "name": "Order Completed", "properties": [{"key": "total", "type": "string"}]},
            {"type": "track", "name": "Never"}]})
        workspace.send("PUT", f"/api/sources/{KEY}/destinations/Warehouse",
                       {"kind": "webhook", "settings": {"url": receiver.url}})
        workspace.send("PUT", f"/api/sources/{KEY}/destinations/Lake", {
            "kind": "s3", "secret": "SK", "settings": {
                "endpoint": receiver.url.removesuffix("/events"), "bucket": "shop", "accessKey": "AK"}})
        for form in self.in_each_form():
            for place in [*PLACES, "explore?by=name", "explore?by=property&property=properties.total",
                          "catalog?type=track&name=Order+Completed", "people?user=u-1"]:
                with self.subTest(place=place, form=form):
                    self.go(workspace, place)
                    if place.startswith("catalog?"):
                        self.wait(lambda: self.texts("#properties .examples code"), "the values are shown")
                        self.wait(lambda: any("Tried on" in text for text in self.texts("#touches p")), "it is tried")
                    if "property=" in place:
                        self.wait(lambda: self.texts("#breakdown tr"), "the values are counted")
                    if place == "live-plugins":
                        self.press_button("Try")
                        self.wait(lambda: self.texts("#trial-figures"), "the trial is shown")
                    if place == "filters":
                        self.press_button("Add a rule")
                    self.assertAccessible(axe)
                    if place == "sessions":
                        self.browser.find_element(By.CSS_SELECTOR, "[aria-label=Sessions] a").click()
                        self.wait(lambda: self.texts("#signal-trial .note"), "the session is played")
                        self.assertAccessible(axe)

    def test_questions_and_banners_have_no_serious_problem_of_accessibility(self):
        self.allowed_errors = ["401"]
        axe = self.axe()
        workspace = self.workspace(keys=(KEY, "new"))
        workspace.post(track("Order Completed", total=5))
        workspace.settle()
        workspace.deploy(KEY, PLUGIN)
        for form in self.in_each_form():
            with self.subTest(form=form):
                self.go(workspace, f"filters?source={KEY}")
                self.press_button("Add a rule")
                Select(self.element("#rules-forms select[aria-label='Events']")).select_by_value("every")
                self.wait(lambda: self.element("#deploy-rules").is_enabled(), "the rule can be deployed")
                self.press_button("Deploy …")
                self.wait(lambda: self.texts("dialog .diff") and self.texts("dialog input"), "the question is complete")
                self.assertAccessible(axe)
                self.browser.refresh()
                self.wait(self.drafts, "the draft is offered")
                self.assertAccessible(axe)
                self.press_button("Throw away")
                self.go(workspace, "sources?source=new")
                self.wait(lambda: self.texts("[role=tab]"), "the programs are shown")
                self.assertAccessible(axe)
                self.browser.execute_script("document.querySelector('#away').hidden = false;"
                                            "document.querySelector('#away span').textContent = 'No answer.';"
                                            "document.querySelector('#away button').textContent = 'Try now';"
                                            "document.querySelector('#progress').hidden = false")
                self.assertAccessible(axe)
                self.go(workspace, f"destinations?source={KEY}")
                self.browser.delete_all_cookies()
                self.press_button("Refresh")
                self.wait(lambda: self.browser.find_elements(By.ID, "token-again"), "the login is asked for")
                self.assertAccessible(axe)


if __name__ == "__main__":
    unittest.main()
