"""The places of the console in a real browser, against the real server: events, counts, the plan and people.

    /usr/bin/python3 -m unittest -v Tests/Browser/console_test.py

The tests of accessibility need axe: scripts/bootstrap axe.
"""

import json
import sys
import time
import unittest
from pathlib import Path
from urllib.parse import quote, unquote

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import KEY, PHONE, WIDE, dropped, stage, track  # noqa: E402
from console import ConsoleTest, HOSTILE, PLACES, PLUGIN  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402


class PlacesTest(ConsoleTest):
    # Places

    def test_each_place_has_a_title_an_address_and_links_to_the_others(self):
        workspace = self.workspace()
        for place in PLACES:
            with self.subTest(place=place):
                self.go(workspace, place)
                name = self.element("#places a[aria-current]").text
                self.assertEqual(self.browser.title, f"{name} · Tributary workspace")
        self.click("#places a[href='/']")
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
        self.click("#names tbody a")
        self.wait(lambda: self.texts("#properties tbody tr"), "the properties are listed")
        total, = self.texts("#properties tbody tr")
        for words in ["total", "number 50 %", "string 50 %", "100 %", "5", '"6 EUR"']:
            self.assertIn(words, total)
        self.assertIn("days=7", self.browser.current_url)
        items = ".item:not([hidden])"
        self.follow('"6 EUR"')
        self.wait(lambda: len(self.texts(items)) == 1, "the event with this value is shown")
        self.assertEqual(self.texts(".chip.of-event"), ['properties.total is "6 EUR" ×'])
        self.browser.back()
        self.wait(lambda: self.texts("#properties tbody tr"), "the properties are listed again")
        self.click("main .part-head a.button")
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

    def cells(self, rows):
        return [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "td")] for row in
                self.browser.find_elements(By.CSS_SELECTOR, rows)]

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
        rows = self.cells(values)
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

    def sum_numbers(self, size):
        workspace = self.workspace()
        self.size(*size)
        workspace.post(*[track("Order Completed", number, plan=["free", "pro"][number % 2], total=number + 0.5)
                         for number in range(4)], track("Order Completed", 9, plan="free", total="7"))
        workspace.settle()
        self.go(workspace, "explore?by=property")
        self.wait(lambda: "Which property?" in self.texts("main h2"), "it says what to do")
        Select(self.element("#statistic")).select_by_visible_text("the sum")
        self.fill("measured", "properties.total")
        Select(self.element("#interval")).select_by_visible_text("hour")
        self.press_button("Count")
        self.wait(lambda: any("the sum of properties.total is 8" in text for text in self.texts("main .note")), "it is added up")
        self.assertTrue(any("1 of them has no number there" in text for text in self.texts("main .note")),
                        self.texts("main .note"))
        self.fill("breakdown-property", "properties.plan")
        self.press_button("Count")
        values = "[aria-label='Counts by value'] tbody tr"
        self.wait(lambda: len(self.texts(values)) == 2, "each value has its sum")
        rows = self.cells(values)
        self.assertEqual([[row[0], *row[2:5]] for row in rows], [["pro", "5", "2", "1"], ["free", "3", "3", "1"]])
        self.browser.refresh()
        self.wait(lambda: len(self.texts(values)) == 2, "the address is enough to ask again")
        self.assertEqual(self.element("#interval").get_attribute("value"), "hour")
        lines = unquote(self.element("#breakdown-file a").get_attribute("href").split(",", 1)[1]).splitlines()
        self.assertEqual(lines[0], "day,All,pro,free,users")
        self.assertEqual(self.browser.execute_script("return document.documentElement.scrollWidth <= innerWidth"), True)

    def test_numbers_are_added_up_by_hour_and_by_value(self):
        self.sum_numbers(WIDE)

    def test_numbers_are_added_up_by_hour_and_by_value_on_a_phone(self):
        self.sum_numbers(PHONE)

    def test_events_and_users_are_counted_by_the_values_of_a_property(self):
        self.count_by_property(WIDE)

    def test_events_and_users_are_counted_by_the_values_of_a_property_on_a_phone(self):
        self.count_by_property(PHONE)

    def ask_funnel(self, size):
        workspace = self.workspace()
        self.size(*size)
        workspace.post(
            *[track("Viewed", number, plan=["free", "pro"][number % 2]) | {"userId": f"u-{number}"} for number in range(4)],
            track("Bought", 4, total=20) | {"userId": "u-1"}, track("Bought", 5, total=5) | {"userId": "u-2"})
        workspace.settle()
        self.go(workspace, "explore?by=funnel")
        self.wait(lambda: "Which steps?" in self.texts("main h2"), "it says what to do")
        for number, name in enumerate(["Viewed", "Bought"]):
            Select(self.browser.find_elements(By.CSS_SELECTOR, ".step-event")[number]).select_by_visible_text(f"{name} · track")
        self.press_button("Count")
        steps = "[aria-label='Steps'] tbody tr"
        self.wait(lambda: len(self.texts(steps)) == 2, "the steps are counted")
        self.assertTrue(any("2 of 4 people did all 2 steps within 7 days: 50.0 %" in text for text in self.texts("main .note")),
                        self.texts("main .note"))
        self.browser.find_elements(By.CSS_SELECTOR, ".step-condition")[1].send_keys("properties.total>10")
        self.fill("funnel-property", "properties.plan")
        self.press_button("Count")
        values = "[aria-label='Steps by value'] tbody tr"
        self.wait(lambda: len(self.texts(values)) == 2, "the steps are counted by a property")
        rows = self.cells(values)
        self.assertEqual(rows, [["pro", "2", "1 (50.0 %)"], ["free", "2", "0 (0.0 %)"]])
        self.browser.refresh()
        self.wait(lambda: len(self.texts(values)) == 2, "the address is enough to count again")
        self.browser.back()
        self.wait(lambda: len(self.texts(steps)) == 2 and not self.texts(values), "Back asks the question before")
        self.allowed_errors = ["/api/funnel"]
        self.fill("funnel-property", "a=")
        self.press_button("Count")
        self.wait(lambda: "This funnel has no answer" in self.texts("main h2"), "a refusal is a sentence")

    def test_people_are_counted_by_the_steps_that_they_did(self):
        self.ask_funnel(WIDE)

    def test_people_are_counted_by_the_steps_that_they_did_on_a_phone(self):
        self.ask_funnel(PHONE)

    def test_the_page_shows_where_people_go_beside_a_step(self):
        workspace = self.workspace()
        workspace.post(
            track("Opened", 1) | {"userId": "u-0"}, *[track("Viewed", 2 + number) | {"userId": f"u-{number}"} for number in range(3)],
            track("Bought", 6) | {"userId": "u-0"}, track("Closed", 7) | {"userId": "u-1"})
        workspace.settle()
        for size in [WIDE, PHONE]:
            self.size(*size)
            self.go(workspace, "explore?by=funnel")
            self.wait(lambda: "Which steps?" in self.texts("main h2"), "it says what to do")
            for number, name in enumerate(["Viewed", "Bought"]):
                Select(self.browser.find_elements(By.CSS_SELECTOR, ".step-event")[number]).select_by_visible_text(f"{name} · track")
            Select(self.element("#funnel-around")).select_by_visible_text("At step 1")
            self.press_button("Count")
            before = "[aria-label='Before 1. Viewed'] tbody tr"
            self.wait(lambda: self.texts(before), "the events before are counted")
            self.assertEqual([[row[0], row[2]] for row in self.cells(before)], [["Opened · track", "1"], ["nothing", "2"]])
            self.assertEqual([[row[0], row[2]] for row in self.cells("[aria-label='After 1. Viewed'] tbody tr")],
                             [["Closed · track", "1"], ["nothing", "1"]])
            self.assertEqual(self.browser.execute_script("return document.documentElement.scrollWidth <= innerWidth"), True)

    def test_events_are_counted_by_pairs_of_values_and_in_the_time_zone_of_the_source(self):
        workspace = self.workspace()
        workspace.send("PUT", f"/api/sources/{KEY}/policy", {"timeZone": "Pacific/Kiritimati"})
        workspace.post(*[track("Viewed", number, plan=["free", "pro"][number % 2], size=number % 2 and "big" or "small")
                         for number in range(4)], track("Viewed", 9, plan="pro"))
        workspace.settle()
        self.go(workspace, "explore?by=property")
        self.wait(lambda: "Which property?" in self.texts("main h2"), "it says what to do")
        self.assertEqual(self.element("#zone").find_element(By.CSS_SELECTOR, "option:checked").text, "Pacific/Kiritimati, of the source")
        self.fill("breakdown-property", "properties.plan")
        self.fill("breakdown-and", "properties.size")
        self.press_button("Count")
        values = "[aria-label='Counts by value'] tbody tr"
        self.wait(lambda: len(self.texts(values)) == 3, "each pair has a row")
        self.assertEqual([[row[0], row[1], row[3]] for row in self.cells(values)],
                         [["free", "small", "2"], ["pro", "big", "2"], ["pro", "without it", "1"]])
        self.assertIn("By day, Pacific/Kiritimati", self.texts("[aria-label='Counts by value'] th"))
        today = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 14 * 3600))
        lines = unquote(self.element("#breakdown-file a").get_attribute("href").split(",", 1)[1]).splitlines()
        self.assertEqual(lines[0], "day,free · small,pro · big,pro · without it,users")
        self.assertEqual(lines[-1], f"{today},2,2,1,1")
        for place in ["explore?by=name", "catalog"]:
            self.go(workspace, place)
            self.wait(lambda: any("Pacific/Kiritimati" in text for text in self.texts("main .note")), f"{place} has its days")
        self.go(workspace, "sources")
        self.wait(lambda: self.browser.find_elements(By.ID, "time-zone"), "the policy is shown")
        self.fill("time-zone", "Europe/Berlin")
        self.press_button("Store limits")
        self.wait(lambda: workspace.get("/api/sources")["sources"][0]["policy"]["timeZone"] == "Europe/Berlin", "it is stored")

    def test_the_audit_log_is_searched_by_the_server(self):
        workspace = self.workspace()
        for number in range(3):
            workspace.send("POST", "/api/tokens", {"name": f"person {number}", "role": "look"})
        workspace.send("PUT", f"/api/sources/{KEY}/policy", {"ip": "drop"})
        for size in [WIDE, PHONE]:
            self.size(*size)
            self.go(workspace, "audit")
            self.wait(lambda: len(self.texts(".entry")) >= 4, "the entries are there")
            self.fill("find", "Person 1" + Keys.ENTER)
            self.wait(lambda: len(self.texts(".entry")) == 1, "one entry has the words")
            self.assertIn("1 entry in all.", self.texts("main .note"))
            self.fill("find", "nothing like it" + Keys.ENTER)
            self.wait(lambda: "No entry is like that" in self.texts("main h2"), "none has other words")
            self.fill("find", " " + Keys.BACKSPACE)
            self.wait(lambda: len(self.texts(".entry")) >= 4, "all entries are there again")
            self.press_button("policy changed", ".entry")
            self.wait(lambda: len(self.texts(".entry")) == 1, "one kind of change is shown")
            self.assertIn("action=policy", self.browser.current_url)
            self.browser.refresh()
            self.wait(lambda: len(self.texts(".entry")) == 1, "the address is enough to search again")
            Select(self.element("#action")).select_by_visible_text("All changes")
            Select(self.element("#way")).select_by_visible_text("On the page")
            self.wait(lambda: "No entry is like that" in self.texts("main h2"), "nothing was changed on the page")
            self.assertEqual(self.browser.execute_script("return document.documentElement.scrollWidth <= innerWidth"), True)

    def ask_retention(self, size):
        workspace = self.workspace()
        self.size(*size)
        day = lambda ago: time.strftime("%Y-%m-%dT00:00:00Z", time.gmtime(time.time() - ago * 86_400))
        workspace.post(
            *[track("Signed Up", number) | {"userId": f"u-{number}", "timestamp": day(2)} for number in range(4)],
            track("Opened", 4, total=5) | {"userId": "u-1", "timestamp": day(1)},
            track("Opened", 5, total=20) | {"userId": "u-2", "timestamp": day(1)},
            track("Opened", 6, total=20) | {"userId": "u-2", "timestamp": day(0)})
        workspace.settle()
        self.go(workspace, "explore?by=retention")
        self.wait(lambda: "Which events?" in self.texts("main h2"), "it says what to do")
        choices = self.browser.find_elements(By.CSS_SELECTOR, ".step-event")
        Select(choices[0]).select_by_visible_text("Signed Up · track")
        Select(choices[1]).select_by_visible_text("Opened · track")
        self.press_button("Count")
        rows = ".cohorts tbody tr"
        expected = lambda *texts: self.wait(lambda: self.texts(rows) == list(texts), f"the rows are {texts}")
        expected("All450 % 225 % 1", f"{day(2)[:10]}450 % 225 % 1")
        levels = [cell.get_attribute("data-level") for cell in self.browser.find_elements(By.CSS_SELECTOR, f"{rows}:first-child td")]
        self.assertEqual(levels[:3], [None, "3", "2"])
        self.browser.find_elements(By.CSS_SELECTOR, ".step-condition")[1].send_keys("properties.total>10")
        self.press_button("Count")
        expected("All425 % 125 % 1", f"{day(2)[:10]}425 % 125 % 1")
        self.browser.refresh()
        expected("All425 % 125 % 1", f"{day(2)[:10]}425 % 125 % 1")
        self.browser.back()
        expected("All450 % 225 % 1", f"{day(2)[:10]}450 % 225 % 1")
        wide = self.browser.execute_script("return document.documentElement.scrollWidth > window.innerWidth")
        self.assertFalse(wide, "the table scrolls, and the page does not")
        self.allowed_errors = ["/api/retention"]
        self.browser.find_elements(By.CSS_SELECTOR, ".step-condition")[0].send_keys("=")
        self.press_button("Count")
        self.wait(lambda: "This question has no answer" in self.texts("main h2"), "a refusal is a sentence")

    def test_people_who_came_back_are_counted(self):
        self.ask_retention(WIDE)

    def test_people_who_came_back_are_counted_on_a_phone(self):
        self.ask_retention(PHONE)

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
        self.go(workspace, "plan")
        self.press_button("Block")
        self.message("Order Completed is blocked")
        track_rules = workspace.get(f"/v1/projects/{KEY}/settings")["plan"]["track"]
        self.assertEqual(track_rules["Order Completed"]["enabled"], False)
        self.press_button("Remove", "[aria-label='Planned events']")
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
        self.go(workspace, "plan")
        self.click("#tracking-plan summary")
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

    def plan_with_events(self):
        """A workspace with a plan, an event that keeps to it, and three that do not."""
        workspace = self.workspace()
        workspace.send("PUT", f"/api/sources/{KEY}/plan", {"events": [
            {"type": "track", "name": "Order Completed", "owner": "Shop team", "properties": [
                {"key": "total", "type": "number", "required": True}, {"key": "state", "type": "string", "values": ["paid", "open"]}]},
            {"type": "track", "name": "Not There"}]})
        workspace.post(track("Order Completed", 1, total=5, state="paid"), track("Order Completed", 2, state="lost"),
                       track("Order Completed", 3, total="6"), track("Search"))
        workspace.settle()
        return workspace

    def test_the_plan_says_which_events_differ_and_leads_to_them(self):
        workspace = self.plan_with_events()
        for size in [WIDE, PHONE]:
            self.size(*size)
            self.go(workspace, "plan")
            self.wait(lambda: self.texts("[aria-label='Planned events'] .plan-mark") == ["3 differences", "not come yet"], "each event has its state")
            self.assertIn("3 events of the last 30 days differed", " ".join(self.texts("main .note")))
            self.assertIn("Search", self.texts("[aria-label='Events that are not planned'] tbody tr")[0])
            self.follow("Order Completed")
            self.wait(lambda: len(self.texts("#differing tbody tr")) == 2, "both events that differ are listed")
            self.assertIn("Shop team", self.texts(".figures")[0])
            self.press_button("state has a value that is not allowed", "#differences")
            self.wait(lambda: len(self.texts("#differing tbody tr")) == 1, "the one with that difference is listed")
            self.element("#differing td a").click()
            self.wait(lambda: any("state has a value that is not allowed" in text for text in self.texts(".planned")), "the event says how it differs")
            self.element(".planned a").click()
            self.wait(lambda: self.texts("#differing tbody tr"), "its link leads back to the plan")
            self.assertIn("name=Order+Completed", self.browser.current_url)

    def test_an_event_is_written_changed_and_taken_over_in_the_plan(self):
        workspace = self.workspace()
        workspace.post(track("Search", term="shoes"))
        workspace.settle()
        path = f"/api/sources/{KEY}/plan"
        self.go(workspace, "plan")
        self.click("#new-event")
        self.wait(lambda: self.texts("#plan-form"), "the form is there")
        self.fill("plan-name", "Paid")
        self.fill("plan-owner", "Shop team")
        self.click("#add-property")
        self.element("[data-member=key]").send_keys("state")
        Select(self.element("[data-member=type]")).select_by_value("string")
        self.element("[data-member=values]").send_keys("paid\nopen")
        self.click("[data-member=required]")
        self.click("#store-event")
        self.message("Paid is planned.")
        planned = {"type": "track", "name": "Paid", "owner": "Shop team", "properties": [
            {"key": "state", "type": "string", "required": True, "values": ["paid", "open"]}]}
        self.assertEqual(workspace.get(path)["events"], [planned])
        self.wait(lambda: self.element("#plan-owner").get_attribute("value") == "Shop team", "it can be changed")
        self.fill("plan-owner", "")
        self.click("#store-event")
        self.asks_about("The owner of track Paid is deleted.")
        self.agree("Store")
        self.message("Paid is planned.")
        self.assertNotIn("owner", workspace.get(path)["events"][0])
        self.go(workspace, "plan")
        self.click("#take-over")
        self.message("1 event is planned.")
        self.assertEqual(workspace.get(path)["events"][1], {"type": "track", "name": "Search", "properties": [
            {"key": "term", "type": "string", "required": True}]})

    def test_a_json_schema_is_imported_after_its_effect_was_shown(self):
        self.allowed_errors = ["400"]
        workspace = self.workspace()
        path = f"/api/sources/{KEY}/plan"
        self.go(workspace, "plan")
        self.click("#import-schema")
        self.wait(lambda: self.browser.find_elements(By.ID, "schema-text"), "a schema is asked for")
        area = self.element("#schema-text")
        area.send_keys('{"title": "Paid", "properties": {"total": {"type": "money"}}}', Keys.TAB)
        self.wait(lambda: any("#/properties/total/type: there is no type money" in text for text in self.texts("dialog .note")), "the refusal names the place")
        area.clear()
        area.send_keys('{"title": "Paid", "properties": {"total": {"type": "number", "minimum": 0}}, "required": ["total"]}', Keys.TAB)
        self.wait(lambda: any("1 event would be planned anew: Paid." in text for text in self.texts("dialog .note")), "the effect is shown")
        self.assertIn("#/properties/total/minimum", self.element("dialog pre").text)
        self.assertEqual(workspace.get(path)["events"], [])
        self.agree("Change the plan")
        self.message("1 event planned anew, 0 events changed.")
        self.assertEqual(workspace.get(path)["events"], [{"type": "track", "name": "Paid", "properties": [
            {"key": "total", "type": "number", "required": True}]}])
        self.assertIn("Paid", unquote(self.element("#export-plan").get_attribute("href")))

    def open_plan_text(self, workspace):
        self.go(workspace, "plan")
        self.click("#tracking-plan summary")

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
        self.press_button("Remove", "[aria-label='Planned events']")
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
        self.click("#start-filter")
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
        self.click("[aria-label=Users] a")
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
        name = HOSTILE.replace("\u202e", "")
        workspace.send("PUT", f"/api/views/{quote(name, safe='')}", {
            "place": "explore", "query": f"by=property&property=event&where=event~{quote(json.dumps(name), safe='')}", "board": 1})
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
                    if place == "board":
                        self.wait(lambda: "As of" in self.element("#board-time").text, "the board has its answers")
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
                          "explore?by=retention&first=" + quote('{"type":"track","name":"Order Completed"}'),
                          "catalog?type=track&name=Order+Completed", "people?user=u-1"]:
                with self.subTest(place=place, form=form):
                    self.go(workspace, place)
                    if "first=" in place:
                        self.wait(lambda: self.texts(".cohorts tr"), "the people who came back are counted")
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
                        self.click("[aria-label=Sessions] a")
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
