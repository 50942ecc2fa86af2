"""The places of the console in a real browser, against the real server: what a person does there.

    /usr/bin/python3 -m unittest -v Tests/Browser/console_test.py

The tests of accessibility need axe: scripts/bootstrap axe.
"""

import http.server
import json
import sys
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import BrowserTest, KEY, REPOSITORY, TOKEN, track  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402

PLACES = ["live-plugins", "filters", "destinations", "problems", "sources", "access", "audit"]
WIDE, PHONE = (1280, 900), (390, 844)
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
    """A webhook's other end, which answers as it is told."""

    def __init__(self):
        self.status = 200
        self.bodies = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                outer.bodies.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
                self.send_response(outer.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/events"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class ConsoleTest(BrowserTest):
    # Steps

    def rows(self):
        return self.texts("main tr, main h2, .message, dialog h2")

    def go(self, workspace, place, token=TOKEN):
        """Logs in if nobody is logged in, and goes to a place as a shared address does."""
        self.browser.get(f"{workspace.address}/{place}")
        if "/login" in self.browser.current_url:
            self.browser.find_element(By.ID, "token").send_keys(token)
            self.browser.find_element(By.CSS_SELECTOR, ".login button").click()
        self.wait(lambda: self.texts("main h2"), f"{place} is shown")
        self.assertIn(f"/{place.split('?')[0]}", self.browser.current_url)

    def button(self, label, within="main"):
        """The first visible button with this label."""
        def find():
            return [one for one in self.browser.find_elements(By.CSS_SELECTOR, f"{within} button")
                    if one.text == label and one.is_displayed() and one.is_enabled()]
        return self.wait(find, f"there is a button {label}")[0]

    def press_button(self, label, within="main"):
        button = self.button(label, within)
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
        button.click()

    def agree(self, label, word=None):
        """Answers the question that is open."""
        self.wait(lambda: self.browser.find_elements(By.CSS_SELECTOR, "dialog[open]"), "a question is open")
        if word:
            self.assertFalse(self.browser.find_element(By.CSS_SELECTOR, "dialog button[type=submit]").is_enabled())
            self.element("dialog input").send_keys(word)
        self.press_button(label, "dialog")
        self.wait(lambda: not self.browser.find_elements(By.CSS_SELECTOR, "dialog[open]"), "the question is closed")

    def message(self, words):
        self.wait(lambda: any(words in text for text in self.texts(".message")), f"the page says {words}")

    def write(self, text, editor="#plugin-text"):
        """Replaces the text of an editor, with or without CodeMirror."""
        self.wait(lambda: self.browser.find_elements(By.CSS_SELECTOR, editor), "the editor is there")
        self.browser.execute_script(
            "const mirror = document.querySelector('.CodeMirror')?.CodeMirror;"
            "const area = document.querySelector(arguments[0]);"
            "if (mirror) mirror.setValue(arguments[1]);"
            "else { area.value = arguments[1]; area.dispatchEvent(new Event('input', {bubbles: true})); }",
            editor, text)

    def fill(self, identifier, text):
        field = self.browser.find_element(By.ID, identifier)
        field.clear()
        field.send_keys(text)

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
        self.wait(lambda: self.browser.title == "Tributary workspace", "the events are shown")
        self.assertEqual(self.element("#places a[aria-current]").text, "Events")

    def test_an_address_that_is_shared_leads_through_the_login_to_its_place_and_source(self):
        workspace = self.workspace(keys=(KEY, "second"))
        self.browser.delete_all_cookies()
        self.go(workspace, "filters?source=second")
        self.assertEqual(Select(self.element("#source")).first_selected_option.get_attribute("value"), "second")
        link = self.element("#places a[href^='/live-plugins']")
        self.assertIn("source=second", link.get_attribute("href"))

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
        self.wait(lambda: any("Test Order" in text for text in self.texts("#trial .after")), "the change is shown")
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
            seen |= {label.split(" ")[0] for label in self.texts("main button")}
        self.assertEqual(seen - {"What", "Refresh", "Show", "Copy"}, set())
        self.browser.delete_all_cookies()

    # Filters

    def test_a_rule_is_made_with_the_form_tried_and_deployed(self):
        workspace = self.workspace()
        workspace.post(track("Order Completed", total=5), track("Order Completed", 2, total=50))
        workspace.settle()
        self.go(workspace, "filters")
        self.press_button("Add a rule")
        self.press_button("Add a condition")
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
        self.agree("Deploy")
        self.message("1 rule deployed.")
        rule, = workspace.get(f"/api/sources/{KEY}/filters")
        self.assertEqual(json.loads(rule["matchers"][0]["ir"]), [">", "properties.total", {"value": 10}])
        self.assertEqual(rule["transformers"], [[{"type": "drop"}]])

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
        self.wait(lambda: self.texts(".findings li"), "the mistake is shown")
        self.write(json.dumps([rule | {"matchers": [{"type": "fql", "ir": '["!", "properties.gift"]'}]}]), "#rules-text")
        self.wait(lambda: any("more than the form can show" in text for text in self.texts("#rules-forms p")),
                  "a rule that no form can show stays as JSON")

    def test_a_rule_that_the_server_refuses_is_explained(self):
        self.allowed_errors = ["400"]
        workspace = self.workspace()
        self.go(workspace, "filters")
        self.write(json.dumps([{"destinationName": "Mixer", "matchers": [{"type": "fql", "ir": '["like", "event"]'}],
                                "transformers": [[{"type": "drop"}]]}]), "#rules-text")
        self.press_button("Deploy …")
        self.agree("Deploy")
        self.message('unknown operator "like"')

    # Destinations and problems

    def test_a_webhook_is_added_fails_is_shown_as_a_problem_and_delivers_again(self):
        self.allowed_errors = ["the server responded"]
        workspace, receiver = self.workspace(), self.receiver()
        self.go(workspace, "destinations")
        self.fill("destination-name", "Warehouse")
        self.fill("destination-url", receiver.url)
        self.press_button("Add webhook")
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

    def test_settings_of_a_destination_on_the_device_are_stored_and_taken_out(self):
        workspace = self.workspace()
        self.go(workspace, "sources")
        for wanted in [{"Mixer": {"apiKey": "k"}}, {}]:
            self.fill("integrations", json.dumps(wanted))
            self.press_button("Store settings")
            self.message("The settings are stored.")
            found = workspace.get(f"/api/sources/{KEY}/integrations")
            self.assertEqual(found.get("Mixer"), wanted.get("Mixer"))
            self.go(workspace, "sources")

    def test_a_token_is_made_shown_once_and_revoked_and_the_audit_log_names_it(self):
        workspace = self.workspace()
        self.go(workspace, "access")
        self.fill("token-name", "build")
        Select(self.element("#token-role")).select_by_value("deploy")
        self.press_button("Make token")
        self.wait(lambda: self.texts("dialog .secret"), "the token is shown")
        token = self.texts("dialog .secret")[0]
        self.agree("I have stored it")
        workspace.deploy(KEY, PLUGIN, token)
        self.press_button("Revoke")
        self.agree("Revoke")
        self.message("The token build is revoked.")
        self.go(workspace, "audit")
        self.wait(lambda: any("live plugins deployed" in text and "build" in text for text in self.texts(".entry")),
                  "the audit log names the token")

    # All places

    def test_nothing_that_an_event_or_a_name_holds_becomes_markup(self):
        workspace = self.workspace()
        event = track("Fine", **{HOSTILE: HOSTILE, "long": "x" * 20_000})
        workspace.post(event | {"event": HOSTILE}, {"type": HOSTILE, "messageId": "bad", "event": HOSTILE})
        workspace.settle()
        workspace.deploy(KEY, "// " + HOSTILE.replace("\u202e", "") + "\n" + PLUGIN.replace("EUR", "<b>EUR</b>"))
        workspace.send("PUT", f"/api/sources/{KEY}/integrations", {"Mixer": {"note": HOSTILE}})
        workspace.send("PUT", f"/api/sources/{KEY}/filters", [
            {"name": "<b>bold</b>", "destinationName": "Mixer", "matchers": [{"type": "all"}],
             "transformers": [[{"type": "drop"}]]}])
        for size in [WIDE, PHONE]:
            self.size(*size)
            for place in PLACES:
                with self.subTest(place=place, size=size):
                    self.go(workspace, place)
                    if place == "live-plugins":
                        self.press_button("Try")
                        self.wait(lambda: self.texts("#trial-figures"), "the trial is shown")
                    if place == "filters":
                        self.press_button("Dry run")
                        self.wait(lambda: self.texts("#dry-run .example"), "the dry run is shown")
                    broken = self.browser.execute_script(
                        "return [window.broken, document.querySelectorAll('main img, main script, main b').length]")
                    self.assertEqual(broken, [None, 0])
                    wider = self.browser.execute_script(
                        "return document.documentElement.scrollWidth - document.documentElement.clientWidth")
                    self.assertLessEqual(wider, 0, "the page is wider than the window")

    def test_no_place_has_a_serious_problem_of_accessibility(self):
        script = next((REPOSITORY / ".build-tools/axe").glob("**/axe.min.js"), None)
        if script is None:
            self.skipTest("axe is not installed: scripts/bootstrap axe")
        workspace, receiver = self.workspace(), self.receiver()
        workspace.post(track("Order Completed", total=5), {"type": "track", "messageId": "bad"})
        workspace.settle()
        workspace.deploy(KEY, PLUGIN)
        workspace.deploy(KEY, PLUGIN + "// more\n")
        workspace.send("PUT", f"/api/sources/{KEY}/destinations/Warehouse",
                       {"kind": "webhook", "settings": {"url": receiver.url}})
        for theme in ["light", "dark"]:
            self.browser.execute_cdp_cmd(
                "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
            for place in PLACES:
                with self.subTest(place=place, theme=theme):
                    self.go(workspace, place)
                    if place == "live-plugins":
                        self.press_button("Try")
                        self.wait(lambda: self.texts("#trial-figures"), "the trial is shown")
                    if place == "filters":
                        self.press_button("Add a rule")
                    # As a debugger does it, because the policy of the page allows no scripts of others.
                    self.browser.execute_cdp_cmd("Runtime.evaluate", {"expression": script.read_text()})
                    result = self.browser.execute_async_script(
                        "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(done)")
                    serious = [f"{one['id']}: {one['help']}: {[node['html'][:120] for node in one['nodes'][:3]]}"
                               for one in result["violations"] if one["impact"] in ("serious", "critical")]
                    self.assertEqual(serious, [])
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


if __name__ == "__main__":
    unittest.main()
