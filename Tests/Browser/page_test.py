"""The events of the workspace's page in a real browser, against the real server.

    /usr/bin/python3 -m unittest -v Tests/Browser/page_test.py
"""

import json
import shutil
import signal
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import BrowserTest, dropped, KEY, now, PATIENCE, sent, stage, TOKEN, track  # noqa: E402
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402


class PageTest(BrowserTest):
    # Logging in

    def box(self, selector):
        box = self.browser.execute_script(
            "const box = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return [box.left, box.top, box.right, box.bottom]", selector)
        return dict(zip(["left", "top", "right", "bottom"], box))

    def test_login_page_is_one_column_in_the_middle(self):
        workspace = self.workspace()
        for width, height in [(1280, 800), (390, 844)]:
            with self.subTest(width=width):
                self.size(width, height)
                self.browser.get(workspace.address + "/login")
                parts = [self.box(selector) for selector in
                         [".login h1", "label[for=token]", "#token", ".login button", "#help"]]
                for above, below in zip(parts, parts[1:]):
                    self.assertLessEqual(above["bottom"], below["top"])
                main = self.box("main.login")
                self.assertAlmostEqual(main["left"], width - main["right"], delta=1)
                self.assertAlmostEqual(main["top"], height - main["bottom"], delta=1)
                for part in parts:
                    self.assertGreaterEqual(part["left"], main["left"])
                    self.assertLessEqual(part["right"], main["right"])

    def test_an_address_of_a_login_works_while_the_login_is_open(self):
        workspace = self.workspace()
        self.browser.get(workspace.address + "/login")
        self.browser.get(f"{workspace.address}/login#{TOKEN}")
        self.wait(lambda: self.browser.current_url == workspace.address + "/", "the page is there")
        self.wait(lambda: self.state() == "live", "the page is live")

    # Narrow pages and other clients

    def test_a_phone_shows_users_and_all_counters(self):
        workspace = self.workspace()
        workspace.post(track("Seen"))
        workspace.settle()
        self.size(390, 844)
        self.open(workspace)
        self.wait_for_row("Seen")
        user = self.box(".item:not([hidden]) .user")
        self.assertGreater(user["right"] - user["left"], 20)
        for counter in ["#count-stored", "#count-drops", "#count-duplicates", "#count-rejected", "#latency"]:
            self.assertLessEqual(self.box(counter)["right"], 390, counter)
            self.assertGreaterEqual(self.box(counter)["left"], 0, counter)
        self.assertEqual(
            self.browser.execute_script("return document.documentElement.scrollWidth"), 390, "nothing is cut off")

    def test_no_row_of_a_phone_begins_empty_and_all_begin_at_one_height(self):
        workspace = self.workspace()
        with_marks = track("Marks")
        workspace.trace(sent(with_marks, stage("destination", "Segment.io")))
        workspace.post(with_marks, track("Words"), {"type": "identify", "userId": "u-7", "messageId": "m-nameless"})
        workspace.settle()
        self.size(390, 844)
        self.open(workspace)
        self.wait(lambda: len(self.rows()) == 3, "three events are listed")
        self.assertIn("–", self.names())
        offsets = self.browser.execute_script(
            "return [...document.querySelectorAll('.item:not([hidden])')].map((row) =>"
            " row.querySelector('.time').getBoundingClientRect().top - row.getBoundingClientRect().top)")
        self.assertLess(max(offsets) - min(offsets), 2, offsets)

    def test_a_clock_that_is_ahead_makes_no_negative_latency(self):
        workspace = self.workspace()
        event = track("Ahead")
        workspace.trace(sent(event, stage("destination", "Segment.io")) | {"trackedAt": now(90_000)})
        workspace.post(event)
        workspace.settle()
        self.open(workspace)
        self.wait_for_row("Ahead", "–")
        self.assertEqual([row for row in self.rows() if "−" in row], [])
        self.assertEqual(self.element("#latency").text, "–")
        self.open_row("Ahead")
        self.assertIn("clocks differ", self.element("#panel").text)
        self.assertNotIn("−", self.element("#panel").text)

    def test_events_of_other_clients_say_who_sent_them_and_which_time_is_not_read(self):
        workspace = self.workspace()
        workspace.post(
            track("Other") | {"context": {"library": {"name": "analytics.js", "version": "2.1"}}},
            track("Unread") | {"timestamp": "20/11/2026"})
        workspace.settle()
        self.open(workspace)
        self.wait_for_row("Other", "no trace, analytics.js 2.1")
        self.wait_for_row("Unread", "time cannot be read")
        self.open_row("Unread")
        self.assertIn('timestamp is "20/11/2026"', self.element("#panel").text)

    # Events arriving

    def test_page_is_behind_a_login(self):
        self.allowed_errors = ["401"]
        workspace = self.workspace()
        self.browser.get(workspace.address + "/")
        self.wait(lambda: self.browser.current_url.endswith("/login"), "a stranger is sent to the login")
        self.element("#token").send_keys("not-the-token-at-all" + Keys.ENTER)
        self.wait(lambda: "no valid token" in self.element("#problem").text, "a wrong token is told")
        self.element("#token").send_keys(TOKEN + Keys.ENTER)
        self.wait(lambda: self.state() == "live", "the right one opens the page")
        self.assertEqual(self.browser.current_url, workspace.address + "/")
        self.browser.find_element(By.XPATH, "//button[text()='Log out']").click()
        self.wait(lambda: self.browser.current_url.endswith("/login"), "logging out leads to the login")
        self.browser.get(workspace.address + "/")
        self.wait(lambda: self.browser.current_url.endswith("/login"), "the page is closed again")

    def test_token_in_the_address_logs_in_and_leaves_the_address(self):
        workspace = self.workspace()
        self.open(workspace)
        self.assertEqual(self.browser.current_url, workspace.address + "/")
        self.assertNotIn(TOKEN, self.browser.execute_script("return document.documentElement.outerHTML"))

    def test_open_page_asks_for_a_login_when_it_is_logged_out_elsewhere(self):
        self.allowed_errors = ["401", "ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_EMPTY_RESPONSE",
                               "ERR_CONNECTION_RESET"]
        workspace = self.workspace()
        self.open(workspace)
        self.browser.delete_all_cookies()
        workspace.restart()
        self.wait(lambda: self.browser.find_elements(By.ID, "token-again"), "the page asks for a token")
        self.element("#token-again").send_keys(TOKEN + "\n")
        self.wait(lambda: self.state() == "live", "the page is live again")
        workspace.post(track("After the login"))
        self.wait_for_row("After the login")
        self.assertNotReloaded()

    def test_event_that_is_stored_appears_without_a_reload(self):
        workspace = self.workspace()
        self.open(workspace)
        workspace.post(track("Order Completed", total=42))
        self.wait_for_row("Order Completed", "track", "u-1")
        workspace.send("POST", "/v1/identify", {"writeKey": KEY, "userId": "u-2", "traits": {"plan": "pro"}})
        self.wait_for_row("identify", "u-2", "plan")
        self.wait(lambda: self.element("#count-stored").text == "2", "the counter says 2")
        self.assertNotReloaded()

    def test_events_stored_before_the_page_was_opened_are_listed_newest_first(self):
        workspace = self.workspace()
        workspace.post(track("First"))
        workspace.trace(dropped("Second", "Sampler", stage("enrichment", "Sampler", "dropped")))
        workspace.post(track("Third"))
        self.open(workspace)
        self.wait(lambda: self.length() == 3, "all three are listed")
        self.assertEqual(self.names(), ["Third", "Second", "First"])

    def test_signals_appear_live_and_after_a_reload_and_show_what_they_hold(self):
        workspace = self.workspace()
        self.open(workspace)
        signal = {"anonymousId": "a-1", "type": "interaction", "index": 7, "timestamp": now(),
                  "data": {"target": {"component": "button", "title": "<b>Buy</b>"}}}
        workspace.post({"type": "track", "event": "Segment Signal Generated", "messageId": "s-1", "anonymousId": "a-1",
                        "timestamp": now(), "properties": signal})
        workspace.post(track("Order Completed"))
        self.wait_for_row("signal", "interaction · <b>Buy</b>", "a-1")
        self.wait(lambda: self.element("#count-stored").text == "1", "a signal is no event")
        self.open(workspace)
        self.wait(lambda: self.length() == 2, "both are listed again")
        self.browser.find_element(By.XPATH, "//*[@id='chips']//button[text()='signal']").click()
        self.wait(lambda: self.names() == ["interaction · <b>Buy</b>"], "only signals are shown")
        self.open_row("interaction · <b>Buy</b>")
        self.wait(lambda: any("Signal as received" in text for text in self.texts("h3")), "the signal is shown")

    def test_event_that_was_dropped_on_the_device_appears_with_what_dropped_it(self):
        workspace = self.workspace()
        self.open(workspace)
        workspace.trace(dropped("Debug Ping", "DropDebugEvents", stage("before", "Context"),
                                stage("enrichment", "DropDebugEvents", "dropped", note="name starts with Debug")))
        self.wait_for_row("Debug Ping", "dropped by DropDebugEvents")
        self.wait(lambda: self.element("#count-drops").text == "1", "the counter says 1")
        self.open_row("Debug Ping")
        panel = self.element("#panel").text
        self.assertIn("Dropped on the device by DropDebugEvents", panel)
        self.assertIn("name starts with Debug", panel)
        self.assertNotReloaded()

    def test_duplicate_is_counted_and_not_listed_twice(self):
        workspace = self.workspace()
        self.open(workspace)
        workspace.post(track("Once"))
        workspace.post(track("Once"))
        self.wait(lambda: self.element("#count-duplicates").text == "1", "the duplicate is counted")
        self.assertEqual(self.names(), ["Once"])

    def test_rejected_event_is_counted_and_shown_with_its_reason(self):
        workspace = self.workspace()
        self.open(workspace)
        workspace.post({"type": "track", "userId": "u-1", "properties": {"lost": "name"}})
        self.wait(lambda: self.element("#count-rejected").text == "1", "the counter says 1")
        self.click("#count-rejected")
        self.wait(lambda: "no_event_name" in "".join(self.texts(".rejection")), "the reason is shown")
        self.click(".rejection summary")
        self.wait(lambda: '"userId": "u-1"' in self.element(".rejection .json").text, "the event unfolds")
        self.assertEqual(self.length(), 0)

    def test_many_events_leave_a_bounded_list_with_the_newest_on_top(self):
        workspace = self.workspace()
        self.open(workspace)
        for start in range(0, 3000, 250):
            workspace.post(*(track("Burst", number) | {"userId": f"u-{number}"}
                             for number in range(start, start + 250)))
        self.wait(lambda: self.rows() and "u-2999" in self.rows()[0], "the last event is on top")
        self.assertLessEqual(self.length(), 600)
        elements = self.browser.execute_script("return document.querySelectorAll('.item').length")
        self.assertLess(elements, 100)

    def test_older_events_can_be_loaded(self):
        workspace = self.workspace()
        workspace.post(*(track("Old", number) for number in range(450)))
        workspace.settle()
        self.open(workspace)
        self.wait(lambda: self.length() == 200, "the newest are listed")
        self.browser.execute_script("document.getElementById('older').scrollIntoView()")
        self.click("#older")
        self.wait(lambda: self.length() == 400, "older ones are listed too")

    def test_filter_finds_older_events_on_demand(self):
        workspace = self.workspace()
        workspace.post(track("Needle"), *(track("Hay", number) for number in range(250)))
        workspace.settle()
        self.open(workspace)
        self.wait(lambda: self.length() == 200, "the newest are listed")
        self.press("/")
        self.press("needle")
        self.wait(lambda: "No event matches" in self.element("#empty").text, "none of these matches")
        self.click("#empty button:last-child")
        self.wait(lambda: self.names() == ["Needle"], "an older one does")

    # What is in an event is text

    def test_markup_in_an_event_is_shown_as_text_and_runs_nothing(self):
        workspace = self.workspace()
        attack = "<img src=x onerror=\"window.attacked=1\">"
        event = track(attack, **{attack: attack, "list": [attack]}) | {"userId": attack, "messageId": "m-attack"}
        self.open(workspace)
        workspace.trace(sent(event, stage(
            "enrichment", attack, "changed", note=attack,
            changes=[{"path": attack, "before": attack, "after": {attack: attack}}])))
        workspace.post(event)
        workspace.trace(dropped(attack, attack, stage(attack, attack, "dropped", note=attack))
                        | {"messageId": "m-attack-drop"})
        self.wait_for_row(attack, f"changed by {attack}")
        self.wait_for_row(attack, f"dropped by {attack}")
        for row in self.browser.find_elements(By.CSS_SELECTOR, ".item:not([hidden])"):
            row.click()
            self.wait(lambda: self.texts("#panel h2") and attack in self.texts("#panel h2")[0], "the panel is open")
            self.assertIn(attack, self.element("#panel").text)
        self.assertEqual(self.browser.execute_script("return document.images.length"), 0)
        self.assertIsNone(self.browser.execute_script("return window.attacked"))

    def test_policy_of_the_page_forbids_inline_script(self):
        workspace = self.workspace()
        self.open(workspace)
        self.allowed_errors.append("Content Security Policy")
        ran = self.browser.execute_script(
            "const script = document.createElement('script'); script.textContent = 'window.ran = true';"
            "document.body.append(script); return window.ran === true")
        self.assertFalse(ran)

    # The panel

    def test_panel_shows_the_stages_and_a_change_with_before_and_after(self):
        workspace = self.workspace()
        self.open(workspace)
        event = track("Product Viewed", productId="sku-7", price=19.9)
        workspace.post(event)
        workspace.trace(sent(
            event, stage("before", "Context"),
            stage("enrichment", "FixProductViewed", "changed", changes=[
                {"path": "properties.product_id", "before": "sku-7"},
                {"path": "properties.productId", "after": "sku-7"},
                {"path": "properties.price", "before": "19.90", "after": 19.9}]),
            stage("filter", "DestinationFilters", "dropped", destination="Firebase", note="rule 1"),
            stage("destination", "Adjust", "failed", destination="Adjust", note="no network"),
            stage("destination", "Segment.io", "delivered", destination="Segment.io")))
        self.wait_for_row("Product Viewed", "Adjust failed")
        self.open_row("Product Viewed")
        steps = self.browser.execute_script(
            "return [...document.querySelectorAll('.step')].map((step) => [step.querySelector('.stage').textContent,"
            "step.querySelector('.plugin').textContent, step.dataset.outcome])")
        self.assertEqual(steps, [
            ["tracked", "", "tracked"], ["before", "Context", "unchanged"],
            ["enrichment", "FixProductViewed", "changed"], ["destination", "Segment.io", "delivered"],
            ["filter · Firebase", "DestinationFilters", "dropped"], ["destination", "Adjust", "failed"],
            ["received", "", "unchanged"], ["stored", "", "stored"]])
        changes = self.browser.execute_script(
            "return [...document.querySelectorAll('.changes li')].map((change) => [...change.children]"
            ".map((line) => line.textContent))")
        self.assertEqual(changes, [
            ["properties.product_id removed", "−\"sku-7\""], ["properties.productId added", "+\"sku-7\""],
            ["properties.price changed", "−\"19.90\"", "+19.9"]])
        outcomes = self.browser.execute_script(
            "return [...document.querySelectorAll('.picture .node')].map((node) => node.dataset.outcome)")
        for outcome in ["tracked", "changed", "delivered", "dropped", "failed", "stored"]:
            self.assertIn(outcome, outcomes)
        self.assertIn("no network", self.element("#panel").text)

    def test_panel_of_an_event_gets_the_trace_that_comes_later(self):
        workspace = self.workspace()
        self.open(workspace)
        event = track("Late Trace")
        workspace.post(event)
        self.open_row("Late Trace")
        self.assertIn("no trace", self.element("#panel").text)
        stages = stage("enrichment", "Stamp"), stage("destination", "Segment.io", "delivered")
        # It was tracked before it was stored, however late the trace is.
        workspace.trace(sent(event, *stages) | {"trackedAt": event["timestamp"]})
        self.wait(lambda: "Stamp" in self.element("#panel").text, "the open panel shows the path")
        self.wait_for_row("Late Trace", " ms")

    def test_what_the_client_itself_does_to_every_event_is_no_news(self):
        workspace = self.workspace()
        self.open(workspace)
        own = stage("before", "Context", "changed", builtIn=True, changes=[{"path": "context", "after": {}}])
        plain, stamped = track("Plain"), track("Stamped")
        # Made before the events are stored: their time comes from here, and one behind the storing has no latency.
        traces = [sent(plain, own, stage("destination", "Segment.io", "delivered")),
                  sent(stamped, own, stage("enrichment", "Stamp", "changed"))]
        workspace.post(plain, stamped)
        workspace.trace(*traces)
        self.wait_for_row("Stamped", "changed by Stamp")
        self.wait_for_row("Plain", " ms")
        self.assertFalse([row for row in self.rows() if "Context" in row or "+1" in row])
        self.open_row("Plain")
        self.assertIn("Context", self.element("#panel").text)

    def test_numbers_and_order_are_shown_as_they_were_sent(self):
        workspace = self.workspace()
        self.open(workspace)
        text = ('{"writeKey":"' + KEY + '","type":"track","event":"Exact","userId":"u-1","messageId":"m-exact",'
                '"properties":{"2":"two","1":"one","id":12345678901234567890,"ratio":1.10,"tiny":1E-7}}')
        workspace.send("POST", "/v1/track", text.encode())
        self.open_row("Exact")
        tree = self.element(".json").text
        for spelling in ["12345678901234567890", "1.10", "1E-7"]:
            self.assertIn(spelling, tree)
        self.assertLess(tree.index('"2"'), tree.index('"1"'))

    def test_json_folds_and_is_copied_as_it_was_sent(self):
        workspace = self.workspace()
        self.open(workspace)
        workspace.post(track("Nested", a={"b": {"c": {"d": "deep"}}}, id=12345678901234567890))
        self.open_row("Nested")
        self.assertNotIn("deep", self.element(".json").text)
        for summary in self.browser.find_elements(By.CSS_SELECTOR, ".json details:not([open]) > summary"):
            summary.click()
        self.wait(lambda: '"c"' in self.element(".json").text, "the fold is open")
        # The clipboard of a headless browser belongs to nobody: what the page hands to it is what counts.
        self.browser.execute_script(
            "Object.defineProperty(navigator, 'clipboard', { value: { writeText(text) {"
            "window.copied = text; return Promise.resolve(); } } })")
        self.browser.execute_script("arguments[0].click()", next(
            button for button in self.browser.find_elements(By.CSS_SELECTOR, "#panel button")
            if button.text == "Copy JSON"))
        self.wait(lambda: self.browser.execute_script("return window.copied"), "something is copied")
        copied = self.browser.execute_script("return window.copied")
        self.assertIn("12345678901234567890", copied)
        self.assertEqual(json.loads(copied)["properties"]["a"], {"b": {"c": {"d": "deep"}}})

    # Pausing, filtering, keys

    def test_pause_holds_new_events_and_resume_shows_them(self):
        workspace = self.workspace()
        self.open(workspace)
        workspace.post(track("Before"))
        self.wait_for_row("Before")
        self.click("#pause")
        workspace.post(track("While Paused"), track("Another"))
        self.wait(lambda: self.element("#pause").text == "Resume · 2 new", "the button counts what waits")
        self.assertEqual(self.state(), "paused")
        self.assertEqual(self.names(), ["Before"])
        self.click("#pause")
        self.wait(lambda: self.names() == ["Another", "While Paused", "Before"], "all are listed")
        self.assertNotReloaded()

    def test_list_stands_still_while_it_is_scrolled(self):
        workspace = self.workspace()
        workspace.post(*(track("Row", number) for number in range(100)))
        self.open(workspace)
        self.wait(lambda: self.length() == 100, "all are listed")
        self.browser.execute_script("document.getElementById('scroll').scrollTop = 900")
        workspace.post(track("New One"))
        self.wait(lambda: self.element("#fresh").text == "↑ 1 new event", "the new one is announced")
        self.assertEqual(self.length(), 100)
        self.click("#fresh")
        self.wait(lambda: self.names()[:1] == ["New One"], "the new one is on top")

    def test_list_stands_still_under_the_pointer(self):
        workspace = self.workspace()
        workspace.post(track("First"), track("Second"))
        self.open(workspace)
        self.wait(lambda: self.length() == 2, "both are listed")
        row = self.browser.find_elements(By.CSS_SELECTOR, ".item:not([hidden])")[0]
        ActionChains(self.browser).move_to_element(row).perform()
        workspace.post(track("Third"), track("Fourth"))
        self.wait(lambda: self.element("#fresh").text == "↑ 2 new events", "the new ones are announced")
        self.assertEqual(self.names(), ["Second", "First"])
        self.browser.execute_script("document.getElementById('fresh').click()")
        self.wait(lambda: self.names() == ["Fourth", "Third", "Second", "First"], "they are shown when the reader wants them")
        workspace.post(track("Fifth"))
        self.wait(lambda: self.element("#fresh").text == "↑ 1 new event", "the list stands still again")
        self.away()
        self.wait(lambda: self.names()[0] == "Fifth", "it goes on when the pointer leaves it")

    def test_filter_shows_only_what_matches(self):
        workspace = self.workspace()
        self.open(workspace)
        workspace.post(track("Order Completed"), track("Cart Viewed") | {"userId": "u-77"},
                       {"type": "screen", "name": "Cart", "userId": "u-1", "messageId": "m-screen"})
        workspace.trace(dropped("Order Ping", "Sampler", stage("enrichment", "Sampler", "dropped")))
        self.wait(lambda: self.length() == 4, "all are listed")
        expected = {"order": {"Order Completed", "Order Ping"}, "u-77": {"Cart Viewed"}, "sampler": {"Order Ping"},
                    "cart screen": {"Cart"}}
        for text, names in expected.items():
            self.press("/")
            self.press(text)
            self.wait(lambda: set(self.names()) == names, f"{text!r} leaves {names}")
            self.press(Keys.ESCAPE)
            self.wait(lambda: self.length() == 4, "all are listed again")
        self.click(".chip[data-type=screen]")
        self.wait(lambda: self.names() == ["Cart"], "the chip leaves the screen")
        self.click(".chip[data-type=screen]")
        self.click(".chip[data-outcome=dropped]")
        self.wait(lambda: self.names() == ["Order Ping"], "the chip leaves the dropped one")
        self.press("/")
        self.press("nothing like this")
        self.wait(lambda: "No event matches" in self.element("#empty").text, "the page says so")
        self.click("#empty button")
        self.wait(lambda: self.length() == 4, "all are listed again")

    def test_keys_move_open_pause_and_close(self):
        workspace = self.workspace()
        self.open(workspace)
        for name in ["One", "Two", "Three"]:
            workspace.post(track(name))
        self.wait(lambda: self.names() == ["Three", "Two", "One"], "all are listed")

        def selected():
            return self.texts(".item[aria-selected=true] .name")

        self.press(Keys.ARROW_DOWN)
        self.assertEqual(selected(), ["Three"])
        self.press(Keys.ARROW_DOWN, Keys.ENTER)
        self.wait(lambda: self.texts("#panel h2") == ["track Two"], "Enter opens the selected event")
        self.press(Keys.END)
        self.wait(lambda: self.texts("#panel h2") == ["track One"], "the open panel follows")
        self.press(Keys.ESCAPE)
        self.wait(lambda: not self.element("#panel").is_displayed(), "Escape closes the panel")
        self.press(Keys.SPACE)
        self.wait(lambda: self.state() == "paused", "the space bar pauses")
        self.press(Keys.SPACE)
        self.wait(lambda: self.state() == "live", "and resumes")
        active = self.element("#events").get_attribute("aria-activedescendant")
        self.assertEqual(self.element(f"#{active} .name").text, "One")

    def test_every_control_has_a_name_and_the_state_is_announced(self):
        workspace = self.workspace()
        self.open(workspace)
        workspace.post(track("Named"))
        self.open_row("Named")
        for control in self.browser.find_elements(By.CSS_SELECTOR, "button, input, select, [role=grid]"):
            if control.is_displayed():
                self.assertNotEqual(control.accessible_name, "", control.get_attribute("outerHTML"))
        self.assertEqual(self.element("#status").aria_role, "status")
        self.assertEqual(self.element("#status").get_attribute("aria-live"), "polite")
        self.assertIn("tracked", self.element(".picture").get_attribute("aria-label"))

    # The workspace around

    def test_page_reconnects_when_the_server_is_back_and_shows_new_events(self):
        workspace = self.workspace()
        self.open(workspace)
        self.allowed_errors += ["ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET",
                                "ERR_EMPTY_RESPONSE"]
        before = track("Before Restart")
        workspace.post(before)
        self.wait_for_row("Before Restart")
        port = workspace.port
        workspace.stop()
        self.wait(lambda: self.state() == "lost", "the page says that the connection is lost")
        self.assertIn("Connection lost", self.element("#status").text)
        workspace.start(port)
        workspace.trace(sent(before, stage("enrichment", "Stamp", "changed")))
        workspace.post(track("Back Again"))
        self.wait_for_row("Back Again")
        self.wait_for_row("Before Restart", "changed by Stamp")
        self.wait(lambda: self.state() == "live", "the page is live again")
        workspace.post(track("And On"))
        self.wait(lambda: self.names() == ["And On", "Back Again", "Before Restart"], "all are listed in order")
        self.assertNotReloaded()

    def test_a_server_that_hangs_is_seen_and_so_is_the_age_of_what_is_shown(self):
        workspace = self.workspace()
        self.open(workspace)
        workspace.post(track("Before"))
        self.wait_for_row("Before")
        self.wait(lambda: "last message" in self.element("#heard").text, "the page says when the stream sent something")
        self.addCleanup(workspace.process.send_signal, signal.SIGCONT)
        workspace.process.send_signal(signal.SIGSTOP)
        self.wait(lambda: self.element("#away").is_displayed(), "the banner is shown")
        text = self.element("#away").text
        self.assertRegex(text, r"has not answered since \d\d:\d\d:\d\d\. You see what it said at \d\d:\d\d:\d\d")
        workspace.process.send_signal(signal.SIGCONT)
        self.wait(lambda: not self.element("#away").is_displayed(), "the banner goes when the server answers")
        workspace.post(track("After"))
        self.wait_for_row("After")
        self.assertNotReloaded()

    def test_empty_page_tells_how_to_send_the_first_event(self):
        workspace = self.workspace()
        self.open(workspace)
        self.wait(lambda: self.element("#empty").is_displayed(), "the page says that there is nothing")
        self.assertEqual(self.texts("[role=tab]"), ["Swift", "curl", "JavaScript", "Kotlin", "Python"])
        swift = self.element("#snippet-swift").text
        self.assertIn(f'Configuration(writeKey: "{KEY}")', swift)
        self.assertIn(f'.apiHost("{workspace.address}/v1")', swift)
        self.click("#tab-curl")
        line = self.element("#snippet-curl").text
        self.assertIn(f"{workspace.address}/v1/track", line)
        if shutil.which("curl"):
            subprocess.run(["sh", "-c", line], check=True, capture_output=True, timeout=PATIENCE)
            self.wait_for_row("First Event", "u-1")
            self.assertFalse(self.element("#empty").is_displayed())

    def test_what_is_deployed_is_shown_and_follows(self):
        workspace = self.workspace()
        self.open(workspace)
        self.wait(lambda: self.element("#bundle").text == "no live plugins", "nothing is deployed")
        workspace.send("PUT", f"/api/sources/{KEY}/live-plugins", b"// one\n")
        self.wait(lambda: self.element("#bundle").text == "live plugins v1", "version 1 is shown")
        workspace.send("PUT", f"/api/sources/{KEY}/live-plugins", b"// two\n")
        workspace.send("PUT", f"/api/sources/{KEY}/filters", [{
            "scope": "destinations", "target_type": "workspace::project::destination::config",
            "destinationName": "Firebase", "matchers": [{"type": "all"}], "transformers": [[{"type": "drop"}]]}])
        self.wait(lambda: self.element("#bundle").text == "live plugins v2", "version 2 is shown")
        self.wait(lambda: self.element("#rules").text == "1 filter rule", "the rule is counted")
        self.click("#bundle")
        versions = self.texts(".versions td:first-child")
        self.assertEqual(versions, ["v2", "v1"])
        self.click("#rules")
        self.assertIn("Firebase", self.element(".json").text)

    def test_what_devices_report_is_beside_the_version(self):
        workspace = self.workspace()
        workspace.send("PUT", f"/api/sources/{KEY}/live-plugins", b"// one\n")
        workspace.send("PUT", f"/api/sources/{KEY}/live-plugins?stages=10,100", b"// two\n")
        workspace.send("POST", "/v1/health-reports", {
            "writeKey": KEY, "instanceId": "i", "number": 1,
            "versions": [{"version": "2", "events": 1000, "faulty": 25, "dropped": 4}]})
        self.open(workspace)
        self.wait(lambda: self.element("#bundle").text == "live plugins v2", "version 2 is shown")
        self.click("#bundle")
        self.assertEqual(self.texts(".versions .health"), ["1,000 events, 2.5 % with a fault, 0.4 % dropped", ""])
        self.assertIn("v2 is rolled out, at 10 % of devices: ", self.element(".rollout").text)

    def test_rules_can_be_tried_on_stored_events(self):
        workspace = self.workspace()
        workspace.post(*[track("Test" if number % 3 == 0 else "Order", number, card=f"c{number}")
                         for number in range(1, 10)])
        self.open(workspace)
        self.wait(lambda: self.length() == 9, "the events are listed")
        self.click("#rules")
        area = self.element("#trial-rules")
        self.assertEqual(area.get_attribute("value"), "[]")
        area.clear()
        area.send_keys("  / nonsense")
        self.click("#try-rules")
        self.wait(lambda: "The rules are not JSON" in (said := self.element("#trial").text) and "(line 1, column 3)" in said,
                  "what is no JSON is refused, with the place")
        rules = [
            {"name": "no tests", "destinationName": "Mixer", "transformers": [[{"type": "drop"}]],
             "matchers": [{"type": "fql", "ir": '["=","event",{"value":"Test"}]'}]},
            {"destinationName": "Mixer", "matchers": [{"type": "all"}],
             "transformers": [[{"type": "drop_properties", "config": {"drop": {"properties": ["card"]}}}]]},
            {"destinationName": "Other", "matchers": [{"type": "fql", "ir": "["}], "transformers": [[]]},
        ]
        area.clear()
        area.send_keys(json.dumps(rules))
        self.click("#try-rules")
        self.wait(lambda: "would drop 3 and change 6 of the last 9 events" in self.element("#trial").text,
                  "the counts are shown")
        self.assertIn("rule 2, matchers[0].ir", self.element("#trial .note").text)
        self.assertEqual(self.texts("#trial td")[:5], ["no tests", "Mixer", "3", "0", "6"])
        example = self.element("#trial details")
        self.assertIn("changed for Mixer by rule 1", example.text)
        example.find_element("css selector", "summary").click()
        self.assertIn('"card"', example.text)
        # nothing was deployed, and the keys of the page were only text here
        self.assertEqual(self.element("#rules").text, "no filter rules")
        self.assertNotEqual(self.element("#pause").get_attribute("aria-pressed"), "true")

    def test_one_source_can_be_chosen(self):
        workspace = self.workspace(keys=("key-a", "key-b"))
        self.open(workspace)
        workspace.post(track("From A"), key="key-a")
        workspace.post(track("From B"), key="key-b")
        self.wait(lambda: sorted(self.names()) == ["From A", "From B"], "both are listed")
        Select(self.element("#source")).select_by_value("key-b")
        self.wait(lambda: self.names() == ["From B"], "only those of the source are listed")
        self.wait(lambda: self.element("#count-stored").text == "1", "only those of the source are counted")
        workspace.post(track("Also From A"), key="key-a")
        workspace.post(track("Also From B"), key="key-b")
        self.wait(lambda: self.names() == ["Also From B", "From B"], "new ones of the source appear")

    def test_same_message_id_in_two_sources_is_two_events(self):
        workspace = self.workspace(keys=("key-a", "key-b"))
        self.open(workspace)
        workspace.post(track("Same"), key="key-a")
        workspace.post(track("Same"), key="key-b")
        self.wait(lambda: self.names() == ["Same", "Same"], "both are listed")

    def test_narrow_screen_has_no_sideways_scrolling_and_a_panel_over_the_list(self):
        workspace = self.workspace()
        self.size(360, 700)
        self.open(workspace)
        workspace.post(track("A Name That Is Rather Long For Such A Narrow Screen, Is It Not"))
        self.wait_for_row("A Name")
        width = "return [document.documentElement.scrollWidth, window.innerWidth]"
        self.assertEqual(*self.browser.execute_script(width))
        self.open_row("A Name That Is Rather Long For Such A Narrow Screen, Is It Not")
        self.assertEqual(*self.browser.execute_script(width))
        self.assertEqual(self.element("#panel").size["width"], 360)
        self.press(Keys.ESCAPE)
        self.wait(lambda: not self.element("#panel").is_displayed(), "Escape closes the panel")

    # Accessibility

    def test_the_events_have_no_serious_problem_of_accessibility(self):
        axe = self.axe()
        empty, workspace = self.workspace(), self.workspace()
        kept, refused = track("Order Completed", total=5, items=[{"sku": "a"}]), {"type": "track", "messageId": "bad"}
        signal = {"type": "track", "event": "Segment Signal Generated", "messageId": "s", "anonymousId": "phone",
                  "timestamp": now(), "properties": {"anonymousId": "phone", "type": "interaction", "index": 0,
                                                     "data": {"target": {"title": "Buy"}}, "timestamp": now()}}
        workspace.trace(
            sent(kept, stage("before", "Context"),
                 stage("enrichment", "Fix", "changed", changes=[
                     {"path": "properties.total", "before": 4, "after": 5}, {"path": "properties.items", "after": []}]),
                 stage("filter", "DestinationFilters", "dropped", destination="Firebase", note="rule 1"),
                 stage("after", "Log", "passed"),
                 stage("destination", "Adjust", "failed", destination="Adjust", note="no network"),
                 stage("destination", "Segment.io", "delivered", destination="Segment.io")),
            dropped("Order Viewed", "Sampling", stage("before", "Context"), stage("enrichment", "Sampling", "dropped")))
        workspace.post(kept, refused, track("No Trace"), track("Unread") | {"timestamp": "20/11/2026"}, signal,
                       *[{"type": kind, "messageId": kind, "userId": "u-1", "groupId": "g", "previousId": "u-0",
                          "name": kind} for kind in ["identify", "group", "alias", "screen", "page"]])
        workspace.settle()
        workspace.deploy(KEY, "// one\n")
        workspace.deploy(KEY, "// two\n")
        workspace.send("PUT", f"/api/sources/{KEY}/filters", [
            {"name": "one", "destinationName": "Mixer", "matchers": [{"type": "all"}], "transformers": [[{"type": "drop"}]]}])

        def opened(name):  # the panel of a phone covers the list
            return lambda: (self.press(Keys.ESCAPE), self.open_row(name))

        def shown(button, what, key=Keys.ESCAPE):
            return lambda: (self.press(key), self.element(button).click(),
                            self.wait(lambda: self.texts(what), f"{what} is shown"))

        steps = {
            "the login": lambda: self.browser.get(workspace.address + "/login"),
            "no events": lambda: (self.open(empty), self.wait(
                lambda: self.element("#empty").is_displayed(), "the page says what to do")),
            "the list": lambda: (self.open(workspace), self.wait_for_row("Order Completed")),
            "an event with a trace": opened("Order Completed"), "a dropped event": opened("Order Viewed"),
            "a signal": opened("interaction · Buy"), "an event without a trace": opened("No Trace"),
            "a time that is not read": opened("Unread"),
            "rejected events": shown("#count-rejected", "#panel .panel-body *"),
            "versions of live plugins": shown("#bundle", ".versions td"),
            "the rules": shown("#rules", "#trial-rules"),
            "a trial of the rules": shown("#try-rules", "#trial td", Keys.SHIFT),
            "a filter": lambda: (self.press(Keys.ESCAPE), self.element("#filter").send_keys("Order"),
                                 self.click("#chips [data-type=track]")),
            "a filter that nothing matches": lambda: self.element("#filter").send_keys(" of nobody at all"),
            "the events of one name, paused": lambda: (
                self.browser.get(f"{workspace.address}/?type=track&name=Order+Completed"),
                self.wait_for_row("Order Completed"), self.click("#pause")),
        }
        for form in self.in_each_form():
            for step, take in steps.items():
                with self.subTest(step=step, form=form):
                    take()
                    self.assertAccessible(axe)
            self.browser.delete_all_cookies()


if __name__ == "__main__":
    unittest.main()
