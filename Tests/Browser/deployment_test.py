"""Live plugins, filters and generators of signals are written, tried and deployed in a real browser.

    /usr/bin/python3 -m unittest -v Tests/Browser/deployment_test.py

"""

import json
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.error
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import EXECUTABLE, KEY, PATIENCE, PHONE, TOKEN, WIDE, dropped, track  # noqa: E402
from console import ConsoleTest, PLACES, PLUGIN  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402


class DeploymentTest(ConsoleTest):
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
        self.wait(lambda: not any("Line" in text for text in self.texts(".findings li")), "the mistake is gone")
        self.press_button("Try")
        self.wait(lambda: self.texts("#trial-figures dd")[:4] == ["2", "1", "1", "0"], "one is changed, one dropped")
        # The events come from no client that runs live plugins, so there are no devices to decide about stages.
        self.assertEqual(self.element("#where").get_attribute("value"), "workspace")
        shares = Select(self.element("#share"))
        self.assertEqual([option.text for option in shares.options][::5], ["1 % of users", "all users at once"])
        shares.select_by_value("10")
        self.press_button("Deploy …")
        self.wait(lambda: any("Test Order" in text for text in self.texts("dialog .after")), "the question shows the change")
        self.agree("Deploy")
        self.message("Version 2 is deployed to 10 % of users.")
        self.assertEqual(self.deployed(workspace)["versions"][0]["percentage"], 10)
        self.press_button("Give it to 50 %")
        self.message("Version 2 goes to 50 % of users.")
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

    def test_a_deployment_says_before_what_versions_of_the_app_do_not_allow(self):
        workspace = self.workspace()
        # The first version runs on devices, because there are no events yet.
        workspace.deploy(KEY, PLUGIN)
        workspace.post(track("Order Completed", total=1), track("Test Order", total=2))
        workspace.settle()
        for instance, app in [("a", {"version": "5.1.0", "allows": ["rename"]}), ("b", {"version": "5.2.0"})]:
            workspace.send("POST", "/v1/health-reports", {
                "writeKey": KEY, "instanceId": instance, "number": 1, "app": app,
                "versions": [{"version": "1", "events": 10}], "delivery": {"tracked": 10}})
        self.go(workspace, "live-plugins")
        rows = [row.text for row in self.browser.find_elements(By.CSS_SELECTOR, "[aria-label='What the app allows'] tr")]
        self.assertEqual(rows[1:], ["5.1.0 rename 1 50 %", "5.2.0 do everything 1 50 %"])
        said = ("In app 5.1.0 (50 % of devices) scripts may not change properties.currency: 2 of 2 events would stay as "
                "they are.")
        self.press_button("Try")
        self.wait(lambda: said in self.texts("#trial .note"), "the trial names the difference")
        self.write(PLUGIN.replace("EUR", "USD"))
        self.press_button("Deploy …")
        self.wait(lambda: said in self.texts("dialog .note"), "the question names the difference")
        self.agree("Deploy")
        self.message("Version 2 is deployed to")

    def account_for_events(self, size):
        workspace = self.workspace()
        self.size(*size)
        for number in range(4):
            event = {**track("Checkout"), "messageId": f"m-{number}", "context": {"app": {"version": "4.2"}}}
            workspace.post(event)
        workspace.settle()
        for instance, app in [("a", "4.2"), ("b", "4.1")]:
            workspace.send("POST", "/v1/health-reports", {
                "writeKey": KEY, "instanceId": instance, "number": 1, "app": {"version": app},
                "delivery": {"tracked": 10, "uploaded": 3, "lost": {"memory_full": 1}},
                "account": {"waiting": 2, "events": [{"name": "Checkout", "events": 10, "plugins": {"Fix": 4}}]}})
        self.go(workspace, "live-plugins")
        rows = lambda label: [row.text.split("\n") if size == PHONE else row.text
                              for row in self.browser.find_elements(By.CSS_SELECTOR, f"[aria-label='{label}'] tbody tr")]
        self.wait(lambda: len(rows("Where events ended")) == 2, "each version has a row")
        self.assertEqual(len(rows("What is lost")), 4)
        self.press_button("Compare with stored events")
        said = "Reports tell of 75 % of the stored events. The others are not yet heard of."
        self.wait(lambda: said in self.texts("#ledger .note"), "stored events were counted")
        self.assertIn("3 deliveries are in reports and not stored: they were deleted since, or the reports are invented.",
                      self.texts("#ledger .note"))
        return rows

    def test_events_are_accounted_for_by_version_of_the_app(self):
        rows = self.account_for_events(WIDE)
        self.assertEqual(rows("Where events ended"), ["4.2 10 3 4 0 1 0 +2 0 1 75 %", "4.1 10 3 4 0 1 0 +2 0 0 –"])
        self.assertEqual(rows("What is lost")[0], "4.2 Checkout plugin Fix 4 40 %")

    def test_events_are_accounted_for_by_version_of_the_app_on_a_phone(self):
        self.account_for_events(PHONE)

    def test_a_drill_shows_how_fast_a_stop_comes_around_and_a_stop_is_ended(self):
        workspace = self.workspace()
        workspace.deploy(KEY, PLUGIN)
        self.go(workspace, "live-plugins")
        self.press_button("Stop on devices …")
        self.agree("Begin")
        self.message("The drill has begun.")
        workspace.send("POST", "/v1/health-reports", {
            "writeKey": KEY, "instanceId": "a", "number": 1, "settings": {"stop": 1, "interval": 300}})
        workspace.send("POST", "/v1/health-reports", {
            "writeKey": KEY, "instanceId": "b", "number": 1, "settings": {"stop": 0, "interval": 300}})
        self.press_button("Look again")
        self.wait(lambda: self.texts("#stops dd") == ["1 (50 %)", "1 (50 %)", "0 (0 %)"], "the figures are shown")
        self.assertIn("50 % of devices have heard of it.", " ".join(self.texts("#stops .note")))
        self.press_button("Stop on devices …")
        Select(self.element("#stop-kind")).select_by_value("stop")
        self.agree("Begin")
        self.message("The stop has begun.")
        settings = workspace.get(f"/v1/projects/{KEY}/settings")
        self.assertEqual(settings["edgeFunction"], {"version": 1, "downloadURL": ""})
        self.press_button("End")
        self.message("is over.")
        self.wait(lambda: len(self.texts("#stops .stop h3")) == 1, "the drill goes on")

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
        self.wait(lambda: any("Nothing needs attention." in text for text in self.texts("main .note")), "all is well")
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
        self.click("#problems a")
        self.wait(lambda: "/filters" in self.browser.current_url and KEY in self.browser.current_url, "the row leads to the filters")
        self.go(workspace, f"destinations?source={KEY}")
        self.wait(lambda: self.texts(".facts li"), "the facts are shown")
        self.assertEqual([text.removesuffix(" Show such events Open filters") for text in self.texts(".facts li")], [held, "Nothing is delivered yet."])
        self.go(workspace, "destinations?source=second")
        self.wait(lambda: self.texts(".facts li"), "the facts are shown")
        self.assertEqual(self.texts(".facts li"), [refused, "Nothing is delivered yet."])

    def test_an_alert_rule_is_set_tried_and_removed(self):
        self.allowed_errors = ["/api/alerts/"]
        workspace, receiver = self.workspace(), self.receiver()
        self.go(workspace, "problems")
        self.click("#alerts summary")
        self.fill("alert-name", "No orders")
        self.fill("alert-event", "Order Completed")
        Select(self.element("#alert-to")).select_by_value("webhook")
        self.fill("alert-url", "no address")
        self.press_button("Set rule", "#alerts")
        self.wait(lambda: any("url" in text for text in self.texts(".message")), "a wrong address is refused")
        self.fill("alert-url", receiver.url + "?secret=s3cret")
        self.press_button("Set rule", "#alerts")
        self.message("The rule No orders is set.")
        row, = self.texts("#alerts tbody tr")
        self.assertIn(f"No event Order Completed of {KEY} for 30 minutes", row)
        self.assertNotIn("s3cret", self.browser.page_source)
        self.press_button("Test", "#alerts")
        self.message("The receiver accepted the test of No orders: 200")
        self.assertIn(b"No orders", receiver.bodies[0])
        receiver.status = 500
        self.press_button("Test", "#alerts")
        self.message("The receiver did not accept the test of No orders: 500")
        self.press_button("Remove", "#alerts")
        self.agree("Remove")
        self.wait(lambda: any("There is no rule." in text for text in self.texts("#alerts .note")), "the rule is gone")
        self.assertEqual(workspace.get("/api/alerts")["rules"], [])

    def test_an_alert_leads_to_what_its_rule_watches(self):
        self.go(self.workspace(), "problems")
        of = {"writeKey": KEY, "event": "A & B", "destination": "Ware house"}
        rules = [{"kind": kind} | of for kind in ["silence", "rejected", "lag", "deadLetters", "plan", "disk", "other"]]
        places = self.browser.execute_async_script(
            "const [rules, done] = arguments; import('/page/any/problems/problem-list.js')"
            ".then(({ProblemList}) => done(rules.map((rule) => ProblemList.placeOf(rule))))", [*rules, {"kind": "plan", "writeKey": KEY}])
        destination, named = f"/destinations?source={KEY}&destination=Ware+house", f"source={KEY}&type=track&name=A+%26+B"
        self.assertEqual(places, [f"/?{named}", "#rejected", destination, destination, f"/plan?{named}", "#server", "#alerts", f"/plan?source={KEY}"])

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

    def show_shadow(self, size):
        workspace = self.workspace()
        self.size(*size)
        workspace.deploy(KEY, PLUGIN)
        plan = "stages=10,100&holdSeconds=0&minimumDevices=20&minimumEvents=500&shadow=30"
        workspace.deploy(KEY, PLUGIN + "// second\n", query=plan)
        self.go(workspace, "live-plugins")
        self.wait(lambda: any("No device has reported about the shadow" in text for text in self.texts("p")), "nothing yet")
        self.assertEqual(self.texts(".stages li"), ["Shadow", "10 %", "100 %"])
        for device in range(20):
            workspace.send("POST", "/v1/health-reports", {
                "writeKey": KEY, "instanceId": f"d-{device}", "number": 1,
                "versions": [{"version": "1", "events": 100, "microseconds": 30_000}],
                "shadows": [{"version": "2", "events": 100, "microseconds": 40_000, "differences": [
                    {"kind": "changed", "event": "Checkout", "field": "properties.total", "count": 3},
                    {"kind": "dropped", "event": "Debug", "count": 1}]}]})
        rows = lambda: self.texts("[aria-label='Differences of the shadow'] tbody tr")
        self.go(workspace, "live-plugins")
        self.wait(lambda: len(rows()) == 2, "the differences are shown")
        self.assertIn("Checkout has another properties.total", rows()[0])
        self.assertIn("not announced", rows()[0])
        self.assertIn("Debug vanishes", rows()[1])
        self.press_button("Announce these 2 differences")
        self.message("The differences are announced.")
        self.wait(lambda: any(text.startswith("At 10 % of devices") for text in self.texts("p")) or self.reload(workspace),
                  "the first stage has begun")

    def reload(self, workspace):
        self.go(workspace, "live-plugins")
        return False

    def test_a_shadow_shows_its_differences_and_goes_on_when_they_are_announced(self):
        self.show_shadow(WIDE)

    def test_a_shadow_shows_its_differences_and_goes_on_when_they_are_announced_on_a_phone(self):
        self.show_shadow(PHONE)

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
        self.click("#places a[href^='/filters']")
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

    def bundle(self, workspace, version):
        """The text that devices get."""
        with workspace.opener.open(f"{workspace.address}/v1/projects/{KEY}/live-plugins/{version}.js") as response:
            return response.read().decode()

    def tables_stay(self, size):
        vectors = json.loads((Path(__file__).resolve().parents[2] / "conformance/live-plugins.json").read_text())
        tables = next(vector["source"][0] for vector in vectors if vector["source"][0].startswith("/*tributary tables"))
        tables += "\n"
        newer = tables.replace("Shoes", "Boots")
        workspace = self.workspace()
        self.size(*size)
        workspace.deploy(KEY, tables + PLUGIN)
        workspace.deploy(KEY, newer + PLUGIN)
        self.go(workspace, "live-plugins")
        self.wait(lambda: "sku (2 entries, 85 bytes), bots (1 entry, 14 bytes)" in "".join(self.texts(".editor .tables")),
                  "the place says which tables the version has")
        self.assertEqual(self.text(), PLUGIN, "the line with tables is not in the field")
        mine = PLUGIN.replace("return", "event.properties.shoe = tables.get('sku', 'A-1').category;\n    return")
        self.write(mine.replace("'sku'", "'skus'"))
        self.wait(lambda: any('did you mean "sku"?' in text and "Line 5" in text for text in self.texts(".findings li")),
                  "a finding has its line in the field")
        self.write(mine)
        self.wait(lambda: not any("skus" in text for text in self.texts(".findings li")), "the finding is gone")
        self.browser.refresh()
        self.press_button("Restore draft")
        self.wait(lambda: self.text() == mine, "the draft is back")
        Select(self.element("#share")).select_by_value("100")
        self.press_button("Deploy …")
        self.wait(lambda: self.texts("dialog .diff .after"), "the question shows the difference")
        self.assertEqual(self.texts("dialog .diff .before"), [])
        self.agree("Deploy")
        self.message("Version 3 is deployed to 100 % of devices.")
        self.assertEqual(self.bundle(workspace, 3), newer + mine, "only the script has changed")
        self.browser.find_elements(By.XPATH, "//main//button[.='Edit']")[2].click()
        self.wait(lambda: self.text() == PLUGIN, "the older version is in the field")
        self.write(PLUGIN + "// older\n")
        Select(self.element("#share")).select_by_value("100")
        self.press_button("Deploy …")
        self.wait(lambda: self.texts("dialog .diff .before"), "the question shows that the tables differ")
        self.assertLess(max(map(len, self.texts("dialog .diff code"))), 500)
        self.agree("Deploy")
        self.message("Version 4 is deployed to 100 % of devices.")
        self.assertEqual(self.bundle(workspace, 4), tables + PLUGIN + "// older\n", "a version keeps its own tables")
        self.write(newer + PLUGIN)
        self.wait(lambda: self.text() == PLUGIN, "tables that are pasted replace those of the text")

    def test_tables_stay_with_a_script_that_is_edited(self):
        self.tables_stay(WIDE)

    def test_tables_stay_with_a_script_that_is_edited_on_a_phone(self):
        self.tables_stay(PHONE)

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
            # A kind of change in the audit log, when it is pressed, shows the changes of that kind.
            seen |= {label.split(" ")[0] for label in self.texts("main button:not(.sort):not(.entry-action)")}
        languages = {"Swift", "curl", "JavaScript", "Kotlin", "Python"}
        self.assertEqual(seen - {"What", "Refresh", "Show", "Copy", "Find", "Look", "Ask", "Search", "+"} - languages, set())
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
        self.wait(lambda: not any("Line" in text for text in self.texts(".findings li")), "the mistake is gone")

    def test_a_version_that_breaks_a_rule_on_stored_sessions_needs_a_reason(self):
        self.reason_for_a_broken_rule(WIDE)

    def test_a_version_that_breaks_a_rule_on_stored_sessions_needs_a_reason_on_a_phone(self):
        self.reason_for_a_broken_rule(PHONE)

    def reason_for_a_broken_rule(self, size):
        workspace = self.workspace()
        self.size(*size)
        plan = {"events": [{"type": "track", "name": "Order Completed"}]}
        workspace.send("PUT", f"/api/sources/{KEY}/plan", plan)
        workspace.post(track("Order Completed", total=1), track("Test Order", total=2))
        workspace.settle()
        workspace.deploy(KEY, PLUGIN)
        self.go(workspace, "live-plugins")
        # A change without a broken rule asks for nothing.
        self.write(PLUGIN.replace("return event;", "event.properties.more = 1; return event;"))
        self.press_button("Deploy …")
        self.wait(lambda: "properties.more" in "".join(self.texts("dialog .golden-fields")), "the question shows the field")
        self.assertEqual(self.browser.find_elements(By.ID, "reason"), [])
        self.wait(lambda: self.element("dialog button[type=submit]").is_enabled(), "it can be deployed")
        self.agree("Cancel")
        self.write(PLUGIN.replace("return event;", "return event.event == 'Order Completed' ? null : event;"))
        self.press_button("Deploy …")
        self.wait(lambda: any("A rule is broken" in text for text in self.texts("dialog .note")), "the rule is named")
        self.assertFalse(self.element("dialog button[type=submit]").is_enabled())
        self.element("#reason").send_keys("  ")
        self.assertFalse(self.element("dialog button[type=submit]").is_enabled())
        self.element("#reason").send_keys("the server sends it")
        self.wait(lambda: self.element("dialog button[type=submit]").is_enabled(), "the reason is there")
        self.agree("Deploy")
        self.message("Version 2 is deployed")
        details = workspace.get("/api/audit")["entries"][0]["details"]
        self.assertEqual(details["reason"], "the server sends it")
        self.assertEqual(len(details["broken"]), 1)

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
        self.click("#rules-forms summary")
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
        self.click("#rules-forms summary")
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

    # Signals

    def marks(self):
        """What the generator makes of each signal."""
        return self.texts("#signals .outcomes")

    def open_session(self, size, *titles):
        """A session with a tap on each title, in which the template of a generator makes an event of each."""
        workspace = self.workspace()
        self.session(workspace, *titles)
        if size:
            self.size(*size)
        self.go(workspace, "sessions")
        self.click("[aria-label=Sessions] a")
        self.wait(lambda: self.marks() == ["", *["→ Tapped"] * len(titles)], "the template makes an event of each tap")
        return workspace

    def write_a_generator(self, *size):
        workspace = self.open_session(size, "Add To Cart", "Buy")
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

    def make_an_event(self, number, name):
        """Makes an event of a signal of the session by example."""
        self.click(f"#signals .entry:nth-child({number}) .button")
        self.wait(lambda: self.browser.find_elements(By.ID, "example"), "the form is open")
        self.fill("example-name", name)
        self.press_button("Add to the generator")
        self.message(f"The generator makes the event {name}.")

    def write_by_example(self, *size):
        workspace = self.open_session(size, "Add To Cart", "Buy", "Buy")
        self.click("#signals .entry:nth-child(3) .button")
        self.wait(lambda: self.texts("#example .note")[0] == "2 of 4 signals of this session are like this.", "likes are counted")
        self.click("#example fieldset input")
        self.wait(lambda: self.texts("#example .note")[0] == "3 of 4 signals of this session are like this.", "the count follows")
        self.press_button("Cancel")
        self.assertEqual(self.browser.find_elements(By.ID, "example"), [])
        self.make_an_event(3, "Bought")
        self.wait(lambda: self.marks() == ["", "", "→ Bought", "→ Bought"], "both signals that are like it make the event")
        self.make_an_event(2, 'Put in the "Cart"')
        self.wait(lambda: self.marks() == ["", '→ Put in the "Cart"', "→ Bought", "→ Bought"], "a second rule stands beside the first")
        return workspace

    def test_events_are_made_by_example_and_saved_as_a_test(self):
        workspace = self.write_by_example()
        self.browser.execute_script(
            "window.saved = []; const make = URL.createObjectURL;"
            "URL.createObjectURL = (file) => { file.text().then((text) => window.saved.push(text)); return make.call(URL, file); };")
        self.press_button("Save as a test")
        self.message("The file has the signals as people made them.")
        saved = self.wait(lambda: self.browser.execute_script("return window.saved[0]"), "the file is saved")
        text = self.browser.execute_script("return document.querySelector('.CodeMirror')?.CodeMirror.getValue() ?? document.querySelector('#generator-text').value")
        self.assertIn("screen: screen?.data?.screen", text)
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "session.ndjson").write_text(saved)
            for bundle, status in ((text, 0), (text.replace("Bought", "Sold"), 1)):
                (Path(folder) / "plugins.js").write_text(bundle)
                run = subprocess.run(
                    [str(EXECUTABLE), "plugin", "test", "plugins.js", "--against", "session.ndjson", "--exact"],
                    cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
                self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        self.press_button("Go on in Live plugins")
        self.wait(lambda: self.browser.find_elements(By.ID, "deploy"), "live plugins are shown")
        self.press_button("Deploy …")
        self.agree("Deploy")
        self.message("Version 1 is deployed")
        self.assertEqual(self.deployed(workspace)["versions"][0]["bytes"], len(text))

    def test_events_are_made_by_example_on_a_phone(self):
        self.write_by_example(*PHONE)

    def test_the_form_for_an_event_by_example_is_accessible(self):
        axe = self.axe()
        self.open_session((), "Buy")
        self.click("#signals .entry:nth-child(2) .button")
        self.wait(lambda: self.browser.find_elements(By.ID, "example"), "the form is open")
        self.assertAccessible(axe)

    def test_an_event_by_example_joins_a_generator_that_is_there(self):
        self.open_session((), "Buy")
        self.write("function processSignal(one) {\n  analytics.track('Any');\n}\n", "#generator-text")
        self.make_an_event(2, "Bought")
        self.wait(lambda: self.marks() == ["→ Any", "→ Bought→ Any"], "both generators make their events")
        self.write("globalThis.processSignal = (one) => {};\n", "#generator-text")
        self.click("#signals .entry:nth-child(2) .button")
        self.press_button("Add to the generator")
        self.message("Call eventsByExample(signal) in your processSignal")

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


if __name__ == "__main__":
    unittest.main()
