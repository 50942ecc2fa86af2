"""What all places of the console share: links, header, tables, times, marks, keys, and the room that they have.

    /usr/bin/python3 -m unittest -v Tests/Browser/frame_test.py

browser.py says which server is tested.
"""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import budget  # noqa: E402
from browser import KEY, PHONE, TOKEN, BrowserTest, PlaceTest, now, track  # noqa: E402
from console import PLACES, Receiver  # noqa: E402
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

PLUGIN = "analytics.add(new (class Same extends LivePlugin { constructor() { super(LivePluginType.enrichment, null); } })());\n"
DROP = [[{"type": "drop"}]]
RTL = "refund\u202egnp.exe"

# Controls and texts of the bars at the top that lie over one another, or out of the page.
OVERLAPS = """
const parts = [...document.querySelectorAll('.top dt, .top dd, .top button, .top select, .top p, .top h1, .bar a, .bar button, '
  + '.bar p, .tools input, .tools button')].filter((one) => one.getClientRects().length && one.textContent + one.value);
const boxes = parts.filter((one) => !parts.some((other) => other !== one && one.contains(other)))
  .map((one) => ({name: one.id || one.textContent, box: one.getBoundingClientRect()}));
const found = boxes.filter(({box}) => box.right > innerWidth + 1)
  .map(({name}) => `${name} is cut off`);
boxes.forEach((one, index) => boxes.slice(index + 1).forEach((other) => {
  const [a, b] = [one.box, other.box];
  if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) found.push(`${one.name} × ${other.name}`);
}));
return found;
"""
# Controls that are too small for a finger. A link within a text is as high as its line.
SMALL = """
return [...document.querySelectorAll('button, select, input, summary, a.button, .places a, textarea')]
  .filter((one) => one.getClientRects().length && !one.closest('.CodeMirror, .unseen'))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([one, {width, height}]) => Math.min(width, height) < (one.matches('[type=checkbox]') ? 24 : 31.5))
  .map(([one, {width, height}]) => `${one.tagName} ${one.id || one.textContent || one.getAttribute('aria-label')}: ${width} × ${height}`);
"""
WIDTHS = """
return [...document.querySelectorAll('html, body, main, main section, main .table, main .entry')]
  .filter((one) => one.getClientRects().length && one.scrollWidth > one.clientWidth + 1 && one.clientWidth)
  .map((one) => `${one.tagName}.${one.className} ${one.scrollWidth} > ${one.clientWidth}`);
"""


class FrameTest(PlaceTest):
    def rows(self):
        return BrowserTest.rows(self) or PlaceTest.rows(self)

    def find(self, *keys):
        """Opens the dialog that finds places and actions, and types."""
        ActionChains(self.browser).key_down(Keys.CONTROL).send_keys("k").key_up(Keys.CONTROL).perform()
        self.wait(lambda: self.texts("dialog[open] [role=option]"), "everything is offered")
        if keys:
            self.press(*keys)

    def sample(self, workspace):
        """Something in each place, with long texts."""
        workspace.post(track("Order Completed", 1, total=5), track("Order Completed", 2, total=5), track("Search"),
                       track("A screen with a rather long name that does not fit into one line of a phone", 4),
                       {"type": "track", "messageId": "bad"},
                       {"type": "track", "event": "Segment Signal Generated", "messageId": "s-1", "anonymousId": "phone",
                        "timestamp": now(), "properties": {"anonymousId": "phone", "type": "interaction", "index": 1,
                                                           "data": {"title": "Pay"}, "timestamp": now()}})
        workspace.settle()
        source = f"/api/sources/{KEY}"
        workspace.deploy(KEY, PLUGIN)
        workspace.send("PUT", f"{source}/filters", [
            {"destinationName": "Ads", "matchers": [{"type": "all"}], "transformers": DROP},
            {"destinationName": "Warehouse", "matchers": [{"type": "fql", "ir": '["=", "event", {"value": "Search"}]'}], "transformers": DROP}])
        workspace.send("PUT", f"{source}/plan", {"events": [
            {"type": "track", "name": f"A planned event with a rather long name, number {number}",
             "properties": [{"key": "a-key-that-has-many-letters-and-no-space-between-them", "type": "string"}]} for number in range(3)]})
        workspace.send("PUT", f"{source}/destinations/Ads", {
            "kind": "webhook", "from": "start", "enabled": False,
            "settings": {"url": "http://127.0.0.1:9/a-path-that-has-many-letters-and-no-space-between-them/and-more-of-them"}})
        workspace.send("POST", "/api/tokens", {"name": "Ana", "role": "look"})
        workspace.send("PUT", "/api/suppressions?userId=u-0815", {"reason": "x" * 120})

    # Room

    def test_nothing_in_the_bars_lies_over_something_else_at_any_width(self):
        name = "An event with a name as long as people write them in their apps"
        workspace = self.workspace()
        workspace.post(track(name))
        workspace.settle()
        self.open(workspace)
        for width in [800, 1024, 1241, 1280, 1366, 1440, 1920]:
            with self.subTest(width=width):
                self.size(width, 900)
                self.browser.get(f"{workspace.address}/?source={KEY}&type=track&name={name.replace(' ', '+')}")
                self.wait_for_row(name[:20])
                self.wait(lambda: "last message" in self.element("#heard").text, "the header is complete")
                self.assertEqual(self.browser.execute_script(OVERLAPS), [])

    def test_a_phone_has_room_for_events_and_targets_for_fingers(self):
        workspace = self.workspace()
        self.sample(workspace)
        self.size(*PHONE)
        self.open(workspace)
        self.wait_for_row("Order Completed")
        top = self.browser.execute_script("return document.querySelector('.item:not([hidden])').getBoundingClientRect().top")
        self.assertLess(top, 250, "the events begin in the upper third")
        self.assertEqual(self.browser.execute_script(SMALL), [])
        for place in [*PLACES, "people?user=u-1", "catalog?type=track&name=Order+Completed"]:
            with self.subTest(place=place):
                self.go(workspace, place)
                self.quiet()
                self.assertEqual(self.browser.execute_script(WIDTHS), [])
                self.assertEqual(self.browser.execute_script(SMALL), [])

    def quiet(self):
        """Waits until the place has read all that it shows."""
        self.wait(lambda: self.browser.execute_async_script(
            "const [done] = arguments; const number = () => performance.getEntriesByType('resource').length;"
            "const before = number(); setTimeout(() => done(number() === before), 300)"), "nothing is loaded any more")

    # Links and places

    def test_a_link_changes_the_place_without_loading_the_page_again(self):
        workspace = self.workspace()
        self.sample(workspace)
        self.open(workspace)
        for place, shown in [("catalog", "#names"), ("filters", "#rules-forms"), ("audit", ".entry"), ("", ".item:not([hidden])")]:
            self.click(f"#places a[href='/{place}'], #places a[href^='/{place}?']")
            self.wait(lambda: self.texts(shown), f"/{place} is shown")
            self.assertEqual(self.element("#places [aria-current]").get_attribute("pathname"), f"/{place}")
        self.assertNotReloaded()
        self.browser.back()
        self.wait(lambda: self.texts(".entry"), "the way back leads to the audit log")
        self.assertFalse(self.element("#scroll").is_displayed())
        self.browser.back()
        self.wait(lambda: self.texts("#rules-forms"), "and further back to the filters")
        self.assertNotReloaded()

    def test_events_go_on_after_another_place_was_shown(self):
        workspace = self.workspace()
        workspace.post(track("Before"))
        workspace.settle()
        self.open(workspace)
        self.wait_for_row("Before")
        self.click("#places a[href='/access']")
        self.wait(lambda: self.texts("main h2"), "the access is shown")
        workspace.post(track("Meanwhile"))
        workspace.settle()
        self.click("#places a[href='/']")
        self.wait_for_row("Meanwhile")
        self.wait(lambda: self.state() == "live", "the page is live again")
        workspace.post(track("After"))
        self.wait_for_row("After")
        self.assertEqual(len(self.names()), 3)
        self.assertNotReloaded()

    def test_the_answer_for_a_place_that_was_left_changes_nothing(self):
        workspace = self.workspace()
        self.sample(workspace)
        self.open(workspace)
        self.browser.execute_script("document.querySelector(\"#places a[href='/problems']\").click();"
                                    "document.querySelector(\"#places a[href='/access']\").click()")
        self.wait(lambda: "Access" in self.texts("main h2"), "the access is shown")
        self.quiet()
        self.assertEqual(self.texts("main h2"), ["Access"])

    def test_the_places_are_in_four_groups_and_the_reader_is_named_in_each(self):
        workspace = self.workspace()
        token = workspace.send("POST", "/api/tokens", {"name": "Ana", "role": "look"})["token"]
        self.go(workspace, "catalog", token)
        groups = self.browser.find_elements(By.CSS_SELECTOR, "#places [role=group]")
        self.assertEqual([group.get_attribute("aria-label") for group in groups], ["Data", "Apps", "Delivery", "Workspace"])
        for size in [(1280, 800), PHONE]:
            self.size(*size)
            for place in ["", *PLACES]:
                self.browser.get(f"{workspace.address}/{place}")
                self.wait(lambda: self.texts("#who") == ["Ana · reader"], f"/{place} says who is logged in, {size}")

    def test_a_phone_has_the_places_in_a_menu(self):
        workspace = self.workspace()
        self.size(*PHONE)
        self.go(workspace, "catalog")
        self.assertEqual(self.texts("#places a"), [])
        self.click(".menu")
        self.assertEqual(len(self.texts("#places a")), 15)
        self.follow("Audit")
        self.wait(lambda: self.texts(".menu") == ["Audit"], "the audit log is shown")
        self.assertEqual(self.texts("#places a"), [], "the menu is closed again")

    # Addresses

    def test_a_wrong_token_does_not_lose_the_place_of_the_address(self):
        workspace = self.workspace()
        self.allowed_errors = ["401 (Unauthorized)"]
        self.browser.delete_all_cookies()
        self.browser.get(f"{workspace.address}/filters?source={KEY}")
        for token in ["wrong", "wrong-again", TOKEN]:
            self.element("#token").send_keys(token)
            self.click(".login button")
            if token != TOKEN:
                self.wait(lambda: self.browser.find_elements(By.ID, "problem") and self.texts("#problem") != [""], "the token is refused")
        self.wait(lambda: self.texts("main h2"), "a place is shown")
        self.assertEqual(self.browser.current_url, f"{workspace.address}/filters?source={KEY}")

    def test_an_address_of_something_that_is_not_there_says_so(self):
        workspace = self.workspace()
        self.allowed_errors = ["400 (Bad Request)", "404 (Not Found)"]
        workspace.post(track("Known"))
        workspace.settle()
        self.go(workspace, "sources")
        for address in ["catalog?source=gone", "?source=gone", "filters?source=gone", "sources?source=gone", "audit?of=gone", "problems?of=gone"]:
            with self.subTest(address=address):
                self.browser.get(f"{workspace.address}/{address}")
                self.wait(lambda: "There is no source “gone”" in self.texts("h2"), f"{address} says so")
        self.browser.get(f"{workspace.address}/?source=gone")
        self.wait(lambda: self.texts(".empty a"), "other sources are offered")
        self.follow(KEY)
        self.wait(lambda: self.names() == ["Known"], "the events of the source are shown")
        for address, words in [("?type=nonsense", "“nonsense”"), ("explore?by=nonsense", "by=nonsense"), ("catalog?days=12", "days=12"),
                               ("sessions?session=gone", "session of the address")]:
            with self.subTest(address=address):
                self.browser.get(f"{workspace.address}/{address}")
                self.message(words)

    # Tables, charts and times

    def test_columns_are_sorted_by_their_titles(self):
        workspace = self.workspace()
        workspace.post(*[track("Few", 1)], *[track("Many", number) for number in range(12)], *[track("Some", number) for number in range(9)])
        workspace.settle()
        self.go(workspace, "catalog")
        self.wait(lambda: len(self.texts("#names tbody tr")) == 3, "the names are listed")

        def column(number):
            return self.texts(f"#names tbody td:nth-child({number})")

        self.press_button("Count")
        self.assertEqual(column(3), ["12", "9", "1"])
        self.press_button("Count")
        self.assertEqual(column(3), ["1", "9", "12"])
        self.assertEqual(self.element("th[aria-sort]").get_attribute("aria-sort"), "ascending")
        self.element("#find").send_keys("m")
        self.wait(lambda: column(1) == ["Some", "Many"], "the order stays in a table that is drawn again")
        self.press_button("Name")
        self.assertEqual(column(1), ["Many", "Some"])

    def test_no_two_lines_of_a_chart_have_one_colour(self):
        workspace = self.workspace()
        workspace.post(*[track(f"Event {number}", number) for number in range(8)])
        workspace.settle()
        self.go(workspace, "explore?by=name")
        self.wait(lambda: self.browser.find_elements(By.CSS_SELECTOR, "canvas, .large-bars"), "the chart is there")
        if not self.browser.find_elements(By.CSS_SELECTOR, "canvas"):
            self.skipTest("Chart.js is not installed")
        colours = self.browser.execute_script(
            "return Object.values(Chart.instances)[0].data.datasets.map((one) => one.borderColor)")
        self.assertEqual(len(colours), 7)
        self.assertEqual(len(set(colours)), 7)

    def test_the_chart_of_a_name_has_axes(self):
        for options in [(), ("--web-libraries", "/nowhere")]:
            with self.subTest(options=options):
                workspace = self.workspace(options=options)
                workspace.post(track("Order Completed", 1), track("Order Completed", 2))
                workspace.settle()
                self.go(workspace, "catalog?type=track&name=Order+Completed")
                self.wait(lambda: self.texts("#properties .note, #properties td"), "the name is shown")
                if options:
                    self.assertEqual(self.texts(".axis-most"), ["2"])
                    self.assertEqual(self.texts(".axis-last"), [now()[:10]])
                else:
                    self.wait(lambda: self.browser.find_elements(By.CSS_SELECTOR, "canvas"), "the chart is drawn")

    def test_times_beside_days_in_utc_are_in_utc(self):
        self.browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Pacific/Kiritimati"})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.setTimezoneOverride", {"timezoneId": ""})
        workspace = self.workspace()
        workspace.post(track("Order Completed"))
        workspace.settle()
        hour = workspace.get(f"/api/catalog?writeKey={KEY}")["names"][0]["lastHour"]
        self.go(workspace, "catalog")
        self.wait(lambda: self.texts("#names tbody tr"), "the name is listed")
        self.assertEqual(self.texts("#names td[data-title='Last seen, UTC']"), [hour[:16].replace("T", " ")])
        self.follow("Order Completed")
        self.wait(lambda: hour[:16].replace("T", " ") in self.texts(".figures dd"), "the name has its times in UTC")

    # Texts

    def test_marks_of_direction_in_names_are_shown(self):
        workspace = self.workspace()
        workspace.post(track(RTL, 1, **{"key\u2067": "value\u200f"}))
        workspace.settle()
        shown = "refund⟨RLO⟩gnp.exe"
        self.open(workspace)
        self.wait(lambda: self.names() == [shown], "the list shows the mark")
        self.open_row(shown)
        self.assertIn(shown, self.element("#panel h2").text)
        self.assertIn("key⟨RLI⟩", self.element("#panel").text)
        for place, selector in [("catalog", "#names td"), ("explore?by=name", "#series td"), ("people?user=u-1", ".happening strong")]:
            self.go(workspace, place)
            self.wait(lambda: self.texts(selector), f"{place} is shown")
            text = self.element("#place").text
            self.assertFalse(set("\u202e\u2067\u200f") & set(text), place)
            self.assertIn("⟨RLO⟩", text)

    def test_a_rule_without_a_name_has_one_number_everywhere(self):
        workspace = self.workspace()
        self.sample(workspace)
        self.go(workspace, "filters")
        self.wait(lambda: self.texts("#rules-forms h3"), "the rules are shown")
        names = ["rule 0, without a name", "rule 1, without a name"]
        self.assertEqual(self.texts("#rules-forms h3"), names)
        self.press_button("Dry run")
        self.wait(lambda: self.texts("#dry-run table"), "the dry run is over")
        self.assertEqual(self.texts("#dry-run td:first-child"), names)
        self.assertTrue(any(names[1] in text for text in self.texts("#dry-run summary")), self.texts("#dry-run summary"))
        labels = [one.get_attribute("aria-label") for one in self.browser.find_elements(By.CSS_SELECTOR, "#rules-forms button")]
        self.assertIn("Remove rule 1, without a name", labels)
        self.assertIn("Remove the condition on event", labels)

    def test_figures_and_fields_have_the_names_of_the_field(self):
        workspace = self.workspace()
        self.sample(workspace)
        self.go(workspace, "destinations")
        self.wait(lambda: self.texts(".card dt"), "the destination is shown")
        self.assertIn("Lag", self.texts(".card dt"))
        self.assertIn("Batch size", self.texts(".field-name"))
        self.assertEqual(self.texts("#who"), ["Admin token · admin"])

    def test_the_audit_log_shows_changes_in_words_and_finds_them(self):
        workspace = self.workspace()
        self.sample(workspace)
        self.go(workspace, "audit")
        self.wait(lambda: len(self.texts(".entry")) > 4, "the entries are shown")
        made = next(text for text in self.texts(".entry") if "token made" in text)
        self.assertIn("nameAnarolelook", made)
        self.assertFalse(any("{" in text for text in self.texts(".values")))
        self.element("#find").send_keys("token ana")
        self.wait(lambda: len(self.texts(".entry")) == 1, "one entry has these words")
        self.assertIn("token made", self.texts(".entry")[0])
        self.browser.refresh()
        self.wait(lambda: len(self.texts(".entry")) == 1, "the address keeps the search")

    # Keys

    def test_places_sources_and_actions_are_found_by_a_few_letters(self):
        workspace = self.workspace(keys=(KEY, "second"))
        self.go(workspace, "catalog")
        self.find("audi")
        self.wait(lambda: self.texts("dialog [role=option]") == ["AuditWorkspace"], "the audit log is found")
        self.press(Keys.ENTER)
        self.wait(lambda: "Audit" in self.texts("main h2"), "the audit log is shown")
        self.click("#places a[href^='/filters']")
        self.wait(lambda: self.texts("#add-rule"), "the filters are shown")
        self.find("add rule", Keys.ENTER)
        self.wait(lambda: self.texts("#rules-forms .card"), "a rule was added")
        self.find("second", Keys.ENTER)
        self.wait(lambda: "source=second" in self.browser.current_url, "the other source is chosen")
        self.find(Keys.ESCAPE)
        self.wait(lambda: not self.texts("dialog[open]"), "the dialog is closed")

    def test_a_question_mark_shows_the_keys_and_belongs_to_a_text_in_a_field(self):
        axe = self.axe()
        workspace = self.workspace()
        self.open(workspace)
        self.press("?")
        self.wait(lambda: "Keys" in self.texts("dialog[open] h2"), "the keys are shown")
        self.assertAccessible(axe)
        self.press(Keys.ESCAPE)
        self.element("#filter").send_keys("?")
        self.assertEqual(self.element("#filter").get_attribute("value"), "?")
        self.assertEqual(self.texts("dialog[open]"), [])
        self.find()
        self.assertAccessible(axe)

    # From anything down to the event

    def test_an_address_opens_an_event_and_the_open_event_is_in_the_address(self):
        workspace = self.workspace()
        workspace.post(track("First"), track("Second"))
        workspace.settle()
        self.open(workspace)
        self.open_row("First")
        self.assertEqual(self.browser.current_url, f"{workspace.address}/events/m-First")
        self.assertEqual(self.element("#places [aria-current=page]").text, "Events")
        self.click(".close")
        self.assertEqual(self.browser.current_url, f"{workspace.address}/")
        for address in [f"/events/m-First?source={KEY}", f"/?source={KEY}&event=m-First"]:
            self.browser.get(workspace.address + address)
            self.wait(lambda: self.texts("#panel h2") == ["track First"], "the event is open")
            self.wait(lambda: any("Destinations of the workspace" in text for text in self.texts("#panel h3")), "with what the workspace did")
            self.assertEqual(self.browser.current_url, f"{workspace.address}/events/m-First?source={KEY}")
        self.follow("Catalog")
        self.wait(lambda: self.texts("#names"), "another place is shown")
        self.assertEqual(self.browser.current_url, f"{workspace.address}/catalog?source={KEY}")
        self.browser.back()
        self.wait(lambda: self.texts("#panel h2") == ["track First"], "the event is open again")

    def test_the_address_of_an_event_has_any_id_and_leads_through_the_login(self):
        workspace = self.workspace()
        for number, identifier in enumerate(["a/b", "..", ".", "a?b=c&d#e", "100%", "%2F", "a+b c", "\\x", "<b>'\"", RTL, "🍋 é", "m;p=1"]):
            with self.subTest(identifier=identifier):
                name = f"Event {number}"
                workspace.post(track(name) | {"messageId": identifier})
                workspace.settle()
                self.open(workspace)
                self.open_row(name)
                self.browser.execute_script(
                    "Object.defineProperty(navigator, 'clipboard', { value: { writeText(text) { window.copied = text; return Promise.resolve(); } } })")
                self.press_button("Copy link", "#panel")
                self.wait(lambda: self.browser.execute_script("return window.copied"), "the address is copied")
                address = self.browser.execute_script("return window.copied")
                self.assertEqual(address, self.browser.current_url)
                self.browser.delete_all_cookies()
                self.browser.get(address)
                self.assertIn("/login", self.browser.current_url)
                self.element("#token").send_keys(TOKEN)
                self.click(".login button")
                self.wait(lambda: self.texts("#panel h2") == [f"track {name}"], "the event is open")
                self.assertEqual(self.browser.current_url, address)

    def test_an_event_that_is_not_there_is_said_to_be_missing_and_another_one_can_be_looked_for(self):
        self.allowed_errors = ["404 (Not Found)"]
        workspace = self.workspace()
        workspace.post(track("There"))
        workspace.settle()
        self.open(workspace)
        for address in ["/events/gone%2F%3Cb%3E", "/?event=gone/%3Cb%3E"]:
            self.browser.get(workspace.address + address)
            self.wait(lambda: self.texts("#panel h2") == ["There is no event with the id gone/<b>"], "the page says so")
            self.assertEqual(self.browser.current_url, f"{workspace.address}/events/gone%2F%3Cb%3E")
        self.wait_for_row("There")
        self.fill("event-id", "m-There")
        self.press_button("Find", "#panel")
        self.wait(lambda: self.texts("#panel h2") == ["track There"], "the other event is open")
        self.assertEqual(self.browser.current_url, f"{workspace.address}/events/m-There")
        self.browser.back()
        self.wait(lambda: any("There is no event" in text for text in self.texts("#panel h2")), "the event is missing again")
        self.press_button("Show all events", "#panel")
        self.assertEqual(self.browser.current_url, f"{workspace.address}/")

    def test_dead_letters_name_their_events_and_are_found_and_sent_again_singly(self):
        workspace = self.workspace()
        receiver = Receiver()
        self.addCleanup(receiver.stop)
        receiver.status = 422
        workspace.post(track("Refused", 1), track("Refused", 2), track("Other"))
        path = f"/api/sources/{KEY}/destinations/Warehouse"
        workspace.send("PUT", path, {"kind": "webhook", "settings": {"url": receiver.url}, "from": "start"})
        self.wait(lambda: workspace.get(path)["deadLetters"] == 3, "the events are dead letters")
        self.go(workspace, "destinations")
        self.press_button("Show 3 dead letters")

        def rows():
            return self.texts(".dead-letters tbody tr")

        self.wait(lambda: len(rows()) == 3 and all("u-1" in row for row in rows()), "the events are named")
        self.element(".dead-letters [aria-label='Find dead letters']").send_keys("other")
        self.wait(lambda: len(rows()) == 1 and "Other" in rows()[0], "one has this name")
        receiver.status = 200
        self.press_button("Send again", ".dead-letters")
        self.message("1 dead letter of Warehouse is sent again.")
        self.wait(lambda: workspace.get(path)["delivered"] == 1, "it is delivered")
        self.wait(lambda: self.browser.find_elements(By.XPATH, "//button[text()='Show 2 dead letters']"), "two are left")
        self.press_button("Show 2 dead letters")
        self.wait(lambda: len(rows()) == 2, "they are shown")
        self.follow("m-Refused-2")
        self.wait(lambda: self.texts("#panel h2") == ["track Refused"], "the event is open")
        self.wait(lambda: any("422" in text for text in self.texts("#panel .way")), "the answer of the destination is there")

    # Budget

    def test_no_place_costs_more_requests_or_bytes_than_the_budget_allows(self):
        """scripts/page-budget shows the figures, and changes the budget."""
        workspace = self.workspace()
        budget.seed(workspace)
        allowed = budget.read()
        problems = []
        for place, figures in budget.measure(workspace, list(budget.CONTENT), budget.FREE):
            problems += budget.exceeded(place, figures, allowed, ["requests", "bytes"])
        self.assertEqual(problems, [])


if __name__ == "__main__":
    unittest.main()
