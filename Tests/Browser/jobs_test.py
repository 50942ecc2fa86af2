"""The jobs for which people open the console, done by its visible controls. Each says how many clicks it takes at most, and none
has a dead end.

    /usr/bin/python3 -m unittest -v Tests/Browser/jobs_test.py

walk.py says what counts as a click.
"""

import json
import os
import subprocess
import sys
import unittest
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone
from pathlib import Path
from urllib.parse import quote, unquote

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import KEY, PATIENCE, TOKEN, now, track  # noqa: E402
from console import ConsoleTest, PLUGIN  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from walk import Walk  # noqa: E402

DAY = 86_400_000  # milliseconds
DROP = [[{"type": "drop"}]]


class JobsTest(ConsoleTest):
    def asked(self, workspace, path, token=TOKEN, method="GET", body=None):
        """The status and the answer of the server to somebody."""
        request = urllib.request.Request(
            workspace.address + path, json.dumps(body).encode() if body is not None else None,
            {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}, method=method)
        try:
            with workspace.opener.open(request, timeout=PATIENCE) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def reads(self, selector, *words):
        """Waits until the person reads these words there."""
        self.wait(lambda: all(word in " ".join(self.texts(selector)) for word in words), f"{selector} says {words}")

    def in_sight(self, selector):
        """Whether an element can be seen without scrolling."""
        return self.browser.execute_script(
            "const box = document.querySelector(arguments[0])?.getBoundingClientRect();"
            "return Boolean(box) && box.top < innerHeight && box.bottom > 0", selector)

    def warehouse(self, workspace, receiver):
        workspace.send("PUT", f"/api/sources/{KEY}/destinations/Warehouse", {"kind": "webhook", "settings": {"url": receiver.url}})

    # 1

    def test_a_new_source_gets_its_first_event_in_6_clicks(self):
        workspace = self.workspace()
        workspace.post(track("Of another app"))
        self.open(workspace)
        walk = Walk(self)
        walk.place("Sources")
        walk.type("Name of a new source", "Shop")
        walk.press("Make source")
        walk.press("curl")
        self.browser.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        walk.press("Copy")
        command = self.wait(lambda: self.browser.execute_async_script(
            "const [done] = arguments; navigator.clipboard.readText().then(done, () => done(''))"), "the command is copied")
        self.assertEqual(command, self.element("#snippet-curl").text)
        sent = subprocess.run(["sh", "-c", command], capture_output=True, text=True, env=os.environ | {"no_proxy": "*"}, timeout=PATIENCE)
        self.assertEqual(json.loads(sent.stdout)["success"], True, sent.stderr)
        self.reads("#first-event", "The first event is here: First Event.")
        walk.press("Open events")
        walk.open_event("First Event")
        self.reads("#panel h2", "First Event")
        walk.took(clicks=6, typed=1)
        source = next(one for one in workspace.get("/api/sources")["sources"] if one["name"] == "Shop")
        stored = workspace.get(f"/api/events?writeKey={source['writeKey']}")["events"]
        self.assertEqual([event["name"] for event in stored], ["First Event"])

    # 2

    def test_why_an_event_did_not_reach_a_destination_takes_2_clicks_from_the_event(self):
        workspace, receiver = self.workspace(), self.receiver()
        source = f"/api/sources/{KEY}"
        receiver.status = 422
        workspace.send("PUT", f"{source}/filters", [
            {"name": "no tests", "destinationName": "Ads", "transformers": DROP,
             "matchers": [{"type": "fql", "ir": '["contains", "event", {"value": "Test"}]'}]}])
        self.warehouse(workspace, receiver)
        workspace.send("PUT", f"{source}/destinations/Ads", {"kind": "webhook", "settings": {"url": "http://127.0.0.1:9/ads"}})
        workspace.send("PUT", f"{source}/destinations/Later", {
            "kind": "webhook", "enabled": False, "settings": {"url": "http://127.0.0.1:9/later"}})
        workspace.post(track("Test Order"))

        def causes():
            event, = workspace.get("/api/consent?messageId=m-Test Order".replace(" ", "%20"))["events"]
            return {way["name"]: (way["cause"], way["rule"]) for way in event["destinations"]}
        workspace.settle()
        self.wait(lambda: causes() == {"Ads": ("filter", "no tests"), "Warehouse": ("refused", None), "Later": ("paused", None)},
                  "the server knows why")

        def from_the_event():
            self.open(workspace)
            walk = Walk(self)
            walk.open_event("Test Order")
            self.reads(".delivery [data-name=Ads]", "the filter “no tests” drops it")
            self.reads(".delivery [data-name=Warehouse]", "given up: 422")
            self.reads(".delivery [data-name=Later]", "the destination is paused")
            return walk

        walk = from_the_event()
        walk.press("Open the filter")
        self.reads("#rules-forms [data-current=true] h3", "no tests")
        self.assertTrue(self.in_sight("#rules-forms [data-current=true]"))
        walk.took(clicks=2)

        walk = from_the_event()
        walk.press("Warehouse")
        self.reads("[data-name=Warehouse][data-current=true] .dead-letters", "422", "Test Order")
        self.wait(lambda: self.in_sight(".dead-letters td"), "the reason is in sight")
        walk.took(clicks=2)

        receiver.status = 200
        walk = from_the_event()
        walk.press("Send again to Warehouse")
        self.reads(".delivery [data-name=Warehouse]", "It is sent again now.")
        walk.took(clicks=2)
        path = f"{source}/destinations/Warehouse"
        self.wait(lambda: workspace.get(path)["delivered"] == 1 and workspace.get(path)["deadLetters"] == 0, "it is delivered")
        self.assertIsNone(causes()["Warehouse"][0])

    # 3

    def report(self, workspace, version, faulty):
        """A device reports a hundred events."""
        fault = {"message": "no price", "line": 4, "event": "Order Completed"}
        workspace.send("POST", "/v1/health-reports", {
            "writeKey": KEY, "instanceId": f"device-{version}", "number": 1, "seconds": 600,
            "versions": [{"version": str(version), "events": 100, "faulty": faulty, "dropped": 0, "microseconds": 30_000, "times": [100],
                          "plugins": [{"name": "Currency", "seen": 100, "faults": faulty, "fault": fault if faulty else None}]}],
            "delivery": {"tracked": 100, "uploaded": 100, "waiting": 0}})

    def test_a_live_plugin_that_fails_is_rolled_back_in_4_clicks_and_mended_in_4(self):
        workspace = self.workspace()
        broken = PLUGIN.replace("return event;", "event.properties.price.amount += 1;\n    return event;")
        # From an app that runs live plugins itself.
        workspace.post(track("Order Completed", total=5) | {"context": {"library": {"name": "tributary"}}})
        workspace.settle()
        for text in (PLUGIN, broken):
            workspace.deploy(KEY, text)
        self.report(workspace, 2, faulty=20)
        self.open(workspace)
        walk = Walk(self)
        walk.place("Problems")
        walk.press("Live plugins v2 failed on devices", part=True)
        self.reads("[aria-label='Faults on devices'] td", "no price")
        walk.press("Deploy again", beside="v1")
        self.reads("dialog .diff", "price.amount")
        walk.press("Deploy again")
        self.message("Version 3 has the text of version 1, for all devices.")
        walk.took(clicks=4)
        newest, _, oldest = self.deployed(workspace)["versions"]
        self.assertEqual((newest["sha256"], newest["percentage"]), (oldest["sha256"], 100))

        walk = Walk(self)
        walk.press("Edit", beside="v2")
        self.wait(lambda: "price.amount" in self.browser.execute_script(
            "return document.querySelector('.CodeMirror')?.CodeMirror.getValue() ?? document.querySelector('#plugin-text').value"),
            "the text is in the editor")
        self.write(broken.replace("event.properties.price.amount += 1;", "if (event.properties.price) event.properties.price.amount += 1;"))
        walk.press("Try")
        # Scripts have a budget of time, which a busy machine may use up, so how the event fared is not asserted.
        self.wait(lambda: self.texts("#trial-figures dd")[:1] == ["1"], "the event was tried")
        walk.press("Deploy …")
        self.reads("dialog .diff", "if (event.properties.price)")
        walk.press("Deploy")
        self.message("Version 4 is deployed to 1 % of devices.")
        walk.took(clicks=4)
        self.assertEqual(self.deployed(workspace)["versions"][0]["percentage"], 1)
        walk = Walk(self)
        walk.place("Problems")
        self.reads("#place .note", "Nothing needs attention.")

    def test_a_filter_that_holds_back_too_much_is_rolled_back_in_4_clicks(self):
        workspace, receiver = self.workspace(), self.receiver()
        rule = {"name": "no tests", "destinationName": "Warehouse", "transformers": DROP,
                "matchers": [{"type": "fql", "ir": '["contains", "event", {"value": "Test"}]'}]}
        filters = f"/api/sources/{KEY}/filters"
        workspace.send("PUT", filters, [rule])
        workspace.send("PUT", filters, [rule | {"name": "nothing", "matchers": [{"type": "all"}]}])
        self.warehouse(workspace, receiver)
        workspace.post(track("Order Completed"))
        path = f"/api/sources/{KEY}/destinations/Warehouse"
        self.wait(lambda: workspace.get(path)["heldBackBy"] == [{"rule": "nothing", "events": 1}], "it is held back")
        self.open(workspace)
        walk = Walk(self)
        walk.place("Problems")
        walk.press("1 held back by the filter “nothing”", part=True)
        self.reads("#rules-forms [data-current=true] h3", "nothing")
        walk.press("Deploy again", beside="v1")
        self.reads("dialog .diff", "contains")
        walk.press("Deploy again")
        self.message("Version 3 has the rules of version 1, for all devices.")
        walk.took(clicks=4)
        self.assertEqual(workspace.get(filters), [rule])
        workspace.post(track("Order Completed", 2))
        self.wait(lambda: workspace.get(path)["delivered"] == 1, "the next event is delivered")
        walk = Walk(self)
        walk.place("Problems")
        self.reads("#place .note", "Nothing needs attention.")

    # 4

    def test_orders_a_day_by_country_are_counted_in_6_clicks_and_shared_in_7_more(self):
        workspace = self.workspace()
        orders = [("Germany", 1), ("Germany", 5), ("Germany", 5), ("France", 1), ("France", 20), ("France", 45)]
        workspace.post(*[track("Order Completed", number, total=5) | {
            "timestamp": now(-days * DAY), "context": {"location": {"country": country}}} for number, (country, days) in enumerate(orders)],
            track("Search"))
        workspace.settle()
        self.open(workspace)
        walk = Walk(self)
        walk.place("Catalog")
        walk.press("Order Completed")
        walk.press("Count by property")
        self.assertIn("context.location.country", [one.get_attribute("value") for one in self.wait(
            lambda: self.browser.find_elements(By.CSS_SELECTOR, "#breakdown-properties option"), "properties are offered")])
        walk.type("By property", "context.location.country")
        walk.choose("Count by", "time when it happened")
        walk.press("Count")
        self.reads("#breakdown .note", "5 events", "1 in the time before")
        rows = [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "td")][::2] for row in
                self.browser.find_elements(By.CSS_SELECTOR, "[aria-label='Counts by value'] tbody tr")]
        self.assertEqual([row[:2] for row in rows], [["Germany", "3"], ["France", "2"]])
        walk.took(clicks=6, typed=1)
        lines = unquote(self.element("#breakdown-file a").get_attribute("href").split(",", 1)[1]).splitlines()
        self.assertEqual(lines[0], "day,Germany,France,users")
        counts = {line.split(",")[0]: line.split(",")[1:3] for line in lines[1:]}
        day = lambda ago: (datetime.now(timezone.utc) - timedelta(days=ago)).strftime("%Y-%m-%d")
        self.assertEqual([counts[day(ago)] for ago in (1, 5, 20)], [["1", "1"], ["2", "0"], ["0", "1"]])

        walk = Walk(self)
        walk.press("Save question")
        walk.type("Name", "Orders by country")
        walk.tick("Show it on the board")
        walk.press("Save")
        walk.press("Open the board")
        self.reads(".tile", "Orders by country", "5 events in 30 days", "Germany")
        walk.type("Name of a new link", "Sales")
        walk.press("Make link")
        address = self.wait(lambda: self.texts("dialog .secret"), "the link is shown")[0]
        walk.press("Copy")
        walk.press("I have stored it")
        walk.took(clicks=7, typed=2)
        view, = workspace.get("/api/views")["views"]
        self.assertIn("time=happened", view["query"])

        # Another person, without a login.
        self.browser.delete_all_cookies()
        self.browser.get("about:blank")
        self.browser.get(address)
        self.reads(".tile", "Orders by country", "5 events in 30 days", "Germany", "France")
        token = address.split("#", 1)[1]
        status, answer = self.asked(workspace, f"/api/shared-board/{quote('Orders by country')}", token)
        values = {one["value"]: one["count"] for one in answer["answer"]["values"]}
        self.assertEqual((status, values), (200, {"Germany": 3, "France": 2}))
        self.assertEqual(self.asked(workspace, "/api/events", token)[0], 401)

    # 5

    def test_a_person_is_found_by_mail_seen_and_deleted_in_6_clicks(self):
        workspace = self.workspace()
        workspace.post(
            {"type": "identify", "userId": "ada", "messageId": "i-1", "anonymousId": "phone", "timestamp": now(-3000),
             "traits": {"email": "ada@example.com"}},
            track("Order Completed", 1) | {"userId": "ada", "anonymousId": "phone"}, track("Search", 2) | {"userId": "bert"})
        workspace.settle()
        self.open(workspace)
        walk = Walk(self)
        walk.place("People")
        walk.type("Find by a trait", "ada@ex")
        walk.press("Search")
        walk.press("ada", beside="ada@example.com")
        self.wait(lambda: len(self.happenings()) == 2, "both events of the person are shown")
        walk.press("Order Completed", part=True)
        self.reads(".happening[open]", "m-Order Completed-1")
        walk.press("Erase …")
        walk.type("Type ada", "ada")
        walk.press("Erase for ever")
        self.message("Erased: 2 events")
        self.reads("main h2", "No event of this id is stored")
        walk.took(clicks=6, typed=2)
        self.assertEqual([event["userId"] for event in workspace.get("/api/events")["events"]], ["bert"])
        self.assertNotIn("ada@", json.dumps(workspace.get("/api/events?anonymousId=phone")))

    # 6

    def test_a_plan_is_made_in_3_clicks_and_leads_to_the_events_that_differ_in_4(self):
        workspace = self.workspace()
        workspace.post(track("Order Completed", 1, total=5), track("Search", 2, term="shoes"))
        workspace.settle()
        self.open(workspace)
        walk = Walk(self)
        walk.place("Plan")
        walk.press("Take over what came")
        walk.press("Plan them")
        self.message("2 events are planned.")
        walk.took(clicks=3)
        planned = workspace.get(f"/api/sources/{KEY}/plan")["events"]
        self.assertEqual(sorted(event["name"] for event in planned), ["Order Completed", "Search"])

        workspace.post(track("Order Completed", 3), track("Order Completed", 4, total="6 EUR"))
        workspace.settle()
        self.open(workspace)
        walk = Walk(self)
        walk.place("Plan")
        self.reads("[aria-label='Planned events'] tbody tr", "2 differences")
        walk.press("Order Completed")
        walk.press("total is missing")
        self.wait(lambda: len(self.texts("[aria-label='Events that differ'] tbody tr")) == 1, "one event differs like that")
        walk.press("m-Order Completed-3")
        self.reads("#panel .planned", "Differs from the plan: total is missing.")
        walk.took(clicks=4)
        differing = workspace.get(f"/api/sources/{KEY}/plan/differing?type=track&name={quote('Order Completed')}")["events"]
        self.assertEqual(sorted(event["messageId"] for event in differing), ["m-Order Completed-3", "m-Order Completed-4"])

    # 7

    def problems(self):
        """Opens the problems, as an operator does at night."""
        self.open(self.woken)
        walk = Walk(self)
        walk.place("Problems")
        self.reads("#place .note", "Looked at")
        return walk

    def test_the_problems_of_a_night_are_true_and_lead_to_their_events_in_3_clicks(self):
        workspace, receiver = self.workspace(), self.receiver()
        self.woken = workspace
        self.warehouse(workspace, receiver)
        workspace.deploy(KEY, PLUGIN)
        workspace.post(track("Order Completed", 1))
        path = f"/api/sources/{KEY}/destinations/Warehouse"
        self.wait(lambda: workspace.get(path)["delivered"] == 1, "the event is delivered")
        walk = self.problems()
        self.reads("#place .note", "Nothing needs attention.")
        self.reads(".strip", "Accepted1", "Warehouse: delivered1")
        walk.took(clicks=1)

        receiver.status = 422
        workspace.post(track("Order Completed", 2), {"type": "track", "messageId": "bad", "userId": "u-1"})
        self.report(workspace, 1, faulty=20)
        self.wait(lambda: workspace.get(path)["deadLetters"] == 1, "the event is refused")
        walk.press("Look again")
        self.wait(lambda: len(self.texts("#problems a")) == 3, "all problems are listed")
        self.assertTrue(self.in_sight("#problems li:last-child"), "the list is the first that one sees")
        self.reads("#problems", "1 refused for good", "422", "1 event was rejected", "Live plugins v1 failed on devices")

        walk = self.problems()
        walk.press("Live plugins v1 failed", part=True)
        self.reads("[aria-label='Faults on devices'] td", "no price", "line 4")
        walk.took(clicks=2)

        walk = self.problems()
        walk.press("1 event was rejected", part=True)
        self.wait(lambda: self.in_sight(".rejection .reason"), "the rejected event is in sight")
        walk.took(clicks=2)

        walk = self.problems()
        walk.press("1 refused for good", part=True)
        walk.press("m-Order Completed-2")
        self.reads(".delivery [data-name=Warehouse]", "given up: 422")
        walk.took(clicks=3)
        receiver.status = 200
        walk.press("Send again to Warehouse")
        self.wait(lambda: workspace.get(path)["deadLetters"] == 0, "it is delivered")
        self.problems()
        self.wait(lambda: len(self.texts("#problems a")) == 2, "what was mended is no problem any more")

    # 8

    def test_a_reader_of_one_source_with_a_last_day_is_made_in_5_clicks_and_changes_nothing(self):
        workspace = self.workspace(keys=(KEY, "other"))
        workspace.post(track("Mine", total=5))
        workspace.post(track("Theirs"), key="other")
        workspace.settle()
        self.open(workspace)
        walk = Walk(self)
        walk.place("Access")
        walk.type("Name of a new token", "Analyst")
        walk.mark("Sources", KEY)
        walk.type("Last day", "12312999")
        walk.press("Make token")
        token = self.wait(lambda: self.texts("dialog .secret"), "the token is shown")[0]
        walk.press("Copy")
        walk.press("I have stored it")
        walk.took(clicks=5, typed=2)
        self.reads("[aria-label=Tokens] tbody tr", "Analyst", "look", KEY, "3000-01-01")

        who = {"token": "Analyst", "role": "look", "sources": [KEY], "personalData": "shown", "endsAt": "3000-01-01T00:00:00.000Z"}
        self.assertEqual(self.asked(workspace, "/api/login", token), (200, who))
        self.assertEqual([event["name"] for event in self.asked(workspace, "/api/events", token)[1]["events"]], ["Mine"])
        self.assertEqual(self.asked(workspace, f"/api/sources/{KEY}/filters", token, "PUT", [])[0], 403)
        self.assertEqual(self.asked(workspace, "/api/sources/other/filters", token)[0], 404)

        self.browser.delete_all_cookies()
        self.browser.get(workspace.address)
        analyst = Walk(self)
        analyst.type("Token", token)
        analyst.press("Log in")
        self.reads("#who", "Analyst · reader · until ")
        self.wait(lambda: self.names() == ["Mine"], "only the own source is there")
        self.assertFalse({"Access", "Cluster"} & set(self.texts("nav a")), "no place is offered that shows nothing")
        for place in self.texts("nav a"):
            Walk(self).place(place)
            self.wait(lambda: place in self.browser.title, f"{place} is shown")
            self.assertNotIn("cannot be shown", " ".join(self.texts("#place")))
            changing = {"Deploy …", "Add a rule", "Make source", "Add destination", "Save question", "Erase …", "Make token", "Set rule"}
            self.assertFalse(changing & set(self.texts("main button")), place)

    def test_a_token_that_has_ended_says_so_to_the_one_who_has_it(self):
        workspace = self.workspace()
        ends = (datetime.now(timezone.utc) + timedelta(milliseconds=500)).strftime("%Y-%m-%dT%H:%M:%S.%f")[:23] + "Z"
        token = workspace.send("POST", "/api/tokens", {"name": "Analyst", "role": "look", "endsAt": ends})["token"]
        self.wait(lambda: workspace.get("/api/tokens")["tokens"][0]["hasEnded"], "it has ended")
        self.allowed_errors = ["401"]
        self.browser.get(workspace.address)
        walk = Walk(self)
        walk.type("Token", token)
        walk.press("Log in")
        self.reads("#problem", f"The token Analyst ended at {ends}.")
        self.assertEqual(self.asked(workspace, "/api/login", token)[0], 401)
        self.open(workspace)
        walk = Walk(self)
        walk.place("Access")
        self.reads("[aria-label=Tokens] tbody tr", "Analyst", "ended ")
        walk.took(clicks=1)


if __name__ == "__main__":
    unittest.main()
