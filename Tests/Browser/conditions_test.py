"""Conditions on events: chips from values and from typed expressions, in each place that has them.

    /usr/bin/python3 -m unittest -v Tests/Browser/conditions_test.py

browser.py says which server is tested.
"""

import json
import sys
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import KEY, BrowserTest, PlaceTest, dropped, stage, track  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

# Texts that mean something in an expression, in an address, in JSON or in a document, or that change how a line looks.
HOSTILE = ["gold", "", " sp ", '"', 'a"b', '"; x="', "\\", '\\"', "\\u0041", "10", "true", "null", "{}", "=x", "!=x", "<1", "~", "~x",
           "a&where=b", "a=b#c?d%25+e", "<b>&amp;</b>", "\u202egnp", "\u2066x\u2069", "\u200d", "\u0301e", "e\u0301", "é", "\n\t\r\n",
           "a\u0600", "🍋", "\u2028"]
KEYS = ["plan", "a.b", "a b", " sp", "a=b", "x~y", 'say "hi"', "\\", "\u202ekey", "\u0301", "0", "<b>", "a&b#c?d+e%25"]
# A key with a quote and a sign has no expression.
WITHOUT_EXPRESSION = ['"a.b"', ""]


class ConditionsTest(PlaceTest):
    def rows(self):
        return BrowserTest.rows(self) or PlaceTest.rows(self)

    def module(self, script, *arguments):
        """Runs a script with what api/conditions.js exports, in the browser. It has the arguments in `given`."""
        return self.browser.execute_async_script(
            "const given = [...arguments]; const done = given.pop();"
            "import('/page/any/api/conditions.js').then((module) => { with_(module); });"
            "function with_({Condition, suggested, conditionsOf, withConditions, queryOf, pathText, exactText, MostConditions}) {"
            f"done((() => {{ {script} }})()); }}", *arguments)

    def chips(self):
        return self.texts(".chip.of-event")

    def wheres(self):
        return urllib.parse.parse_qs(urllib.parse.urlsplit(self.browser.current_url).query).get("where", [])

    def value(self, path, within="#panel .json"):
        """Opens what the value at the end of a path offers. The path is that of the group of offers."""
        def press():
            for button in self.browser.find_elements(By.CSS_SELECTOR, f"{within} .value"):
                if button.text == path and button.is_displayed():
                    self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
                    button.click()
                    return True
            return False
        self.wait(press, f"the value {path} can be pressed")
        self.wait(lambda: self.texts(".offers button"), "conditions are offered")

    def offer(self, label):
        self.press_button(label, ".offers")

    def listed(self, *names):
        self.wait(lambda: sorted(self.names()) == sorted(names), f"the list shows {names}")

    # The expressions

    def test_a_condition_is_the_same_as_an_expression_in_the_address_and_read_again(self):
        workspace = self.workspace()
        self.open(workspace)
        wrong = self.module("""
            const wrong = [];
            const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
            for (const key of given[0]) for (const value of given[1]) for (const sign of ['=', '!=', '~', '>', undefined]) {
              const keys = ['properties', key, 'x'];
              const condition = Condition.of(keys, sign, sign && JSON.stringify(value));
              const search = withConditions('?source=K&where=old&event=e', [condition]);
              const [again, ...more] = conditionsOf(search);
              const read = again && [again.text, again.keys, again.comparison, sign && JSON.parse(again.value), more.length];
              if (!same(read, [condition.text, keys, sign, sign && value, 0])) wrong.push([condition.text, read]);
              const left = new URLSearchParams(withConditions(search, []));
              if (left.toString() !== 'source=K&event=e') wrong.push([search, left.toString()]);
              if (!same(new URLSearchParams(queryOf([condition])).getAll('where'), [condition.text])) wrong.push([queryOf([condition])]);
            }
            return wrong;""", KEYS, HOSTILE)
        self.assertEqual(wrong, [])
        self.assertEqual(
            self.module("return given[0].map((key) => [pathText(['a', key]) ?? null, Condition.of(['a', key]) ?? null])", WITHOUT_EXPRESSION),
            [[None, None]] * len(WITHOUT_EXPRESSION))
        self.assertEqual(self.module(
            "return [Condition.of(['a'], '=', JSON.stringify('x'.repeat(1024))) ?? null, Condition.of(Array(17).fill('a')) ?? null]"), [None, None])

    def test_an_expression_is_put_into_words_and_an_unreadable_one_stays_as_it_is(self):
        workspace = self.workspace()
        self.open(workspace)
        words = {
            "properties.total>10": "properties.total is greater than 10", "properties.total <= 10 ": "properties.total is at most 10",
            "context.os.name=iOS": 'context.os.name is "iOS"', 'properties.code="10"': 'properties.code is "10"',
            "properties.code!=10": "properties.code is not 10", 'properties."a.b"=': 'properties.a.b is ""',
            "properties.coupon~10": 'properties.coupon contains "10"', "properties.coupon": "properties.coupon is set",
            "a == 1": "a == 1", "a=<1": "a=<1", '"a': '"a', "a..b": "a..b", "=1": "=1", "a!1": "a!1",
        }
        self.assertEqual(self.module("return given[0].map((text) => Condition.read(text).words)", list(words)), list(words.values()))
        offers = "return suggested(['p'], ...given).map(({label, condition}) => `${label} ${condition.text}`)"
        self.assertEqual(self.module(offers, "string", '"a"'), ['is p="a"', 'is not p!="a"', 'contains p~"a"', "is set p"])
        self.assertEqual(self.module(offers, "number", "1.10"),
                         ["is p=1.10", "is not p!=1.10", "greater than p>1.10", "less than p<1.10", "is set p"])
        self.assertEqual(self.module(offers, "literal", "true"), ["is p=true", "is not p!=true", "is set p"])
        self.assertIn('greater than p>"2026-11-28"', self.module(offers, "string", '"2026-11-28"'))
        self.assertEqual(self.module("return ['a', 1, 1.5, null, false, [], {}, 12345678901234567890].map((one) => exactText(one) ?? '-')"),
                         ['"a"', "1", "1.5", "null", "false", "-", "-", "-"])
        self.assertEqual(self.module("return conditionsOf('?where=a&where=&where=b&where=a&where=%20').map(({text}) => text)"), ["a", "b"])

    def test_the_server_finds_exactly_the_events_of_each_value_and_each_key(self):
        workspace = self.workspace()
        values = [track(f"Value {index}") | {"properties": {"v": value}} for index, value in enumerate(HOSTILE)]
        keys = [track(f"Key {index}") | {"properties": {key: {"x": 1}}} for index, key in enumerate(KEYS)]
        workspace.post(*values, *keys)
        workspace.settle()
        self.open(workspace)

        def found(condition):
            self.assertIsNotNone(condition)
            events = workspace.get("/api/events?limit=1000&where=" + urllib.parse.quote(condition, safe=""))["events"]
            return sorted(event["name"] for event in events)

        make = "return Condition.of(...given)?.text ?? null"
        for index, value in enumerate(HOSTILE):
            with self.subTest(value=value):
                text = json.dumps(value)
                self.assertEqual(found(self.module(make, ["properties", "v"], "=", text)), [f"Value {index}"])
                self.assertNotIn(f"Value {index}", found(self.module(make, ["properties", "v"], "!=", text)))
                containing = [f"Value {other}" for other, whole in enumerate(HOSTILE) if value in whole]
                self.assertEqual(found(self.module(make, ["properties", "v"], "~", text)), sorted(containing))
        for index, key in enumerate(KEYS):
            with self.subTest(key=key):
                self.assertEqual(found(self.module(make, ["properties", key, "x"], "=", "1")), [f"Key {index}"])
                self.assertEqual(found(self.module(make, ["properties", key])), [f"Key {index}"])

    # The events

    def test_a_value_becomes_a_chip_that_the_server_judges_for_old_and_new_events(self):
        workspace = self.workspace()
        workspace.post(track("Gold", plan="gold", total=5), track("Silver", plan="silver", total=20), track("Free", total=50))
        workspace.trace(dropped("Lost", "Censor", stage("enrichment", "Censor", "dropped")))
        workspace.settle()
        self.open(workspace)
        self.open_row("Gold")
        self.value('"gold"')
        self.assertEqual(self.texts(".offers button"), ["is", "is not", "contains", "is set"])
        self.offer("is")
        self.listed("Gold")
        self.assertEqual(self.chips(), ['properties.plan is "gold" ×'])
        self.assertEqual(self.wheres(), ['properties.plan="gold"'])
        self.assertEqual(self.texts("#panel h2"), ["track Gold"], "the details stay open")
        self.assertNotReloaded()
        workspace.post(track("Late gold", plan="gold"), track("Late silver", plan="silver"))
        self.listed("Gold", "Late gold")
        self.browser.back()
        self.listed("Gold", "Silver", "Free", "Lost", "Late gold", "Late silver")
        self.assertEqual(self.chips(), [])
        self.browser.forward()
        self.listed("Gold", "Late gold")
        self.browser.refresh()
        self.listed("Gold", "Late gold")
        self.click(".chip.of-event")
        self.listed("Gold", "Silver", "Free", "Lost", "Late gold", "Late silver")
        self.assertEqual(self.wheres(), [])

    def test_conditions_add_up_and_all_are_removed_at_once(self):
        workspace = self.workspace()
        workspace.post(track("Gold", plan="gold", total=5), track("Silver", plan="silver", total=20), track("Free", total=50))
        workspace.settle()
        self.open(workspace)
        self.open_row("Gold")
        self.value("5")
        self.assertEqual(self.texts(".offers button"), ["is", "is not", "greater than", "less than", "is set"])
        self.offer("greater than")
        self.listed("Silver", "Free")
        self.open_row("Silver")
        self.value("Silver", "#panel .filter-by")
        self.offer("is not")
        self.listed("Free")
        self.assertEqual(self.wheres(), ["properties.total>5", 'event!="Silver"'])
        self.press_button("Remove all", ".condition-bar")
        self.listed("Gold", "Silver", "Free")
        self.assertEqual(self.chips(), [])

    def test_keys_choose_a_condition_and_escape_closes_the_offers_first(self):
        workspace = self.workspace()
        workspace.post(track("Gold", plan="gold"), track("Silver", plan="silver"))
        workspace.settle()
        self.open(workspace)
        self.open_row("Gold")
        button = next(one for one in self.browser.find_elements(By.CSS_SELECTOR, "#panel .json .value") if one.text == '"gold"')
        button.send_keys(Keys.ENTER)
        self.wait(lambda: self.texts(".offers"), "conditions are offered")
        button.send_keys(Keys.ESCAPE)
        self.wait(lambda: not self.texts(".offers"), "the offers are closed")
        self.assertTrue(self.element("#panel").is_displayed())
        button.send_keys(Keys.SPACE)
        self.wait(lambda: self.texts(".offers"), "conditions are offered again")
        self.press(Keys.TAB, Keys.TAB, Keys.ENTER)
        self.listed("Silver")
        self.assertEqual(self.wheres(), ['properties.plan!="gold"'])
        self.assertEqual(self.state(), "live", "the space did not pause")

    def test_a_typed_expression_is_judged_by_the_server_before_it_becomes_a_chip(self):
        self.allowed_errors = ["400 (Bad Request)"]
        workspace = self.workspace()
        workspace.post(track("Cheap", total=5), track("Dear", total=20, note="a / b ?"))
        workspace.settle()
        self.open(workspace)
        self.press_button("+ Condition", "#chips")
        field = self.element(".condition-input")
        field.send_keys("properties.total!10" + Keys.ENTER)
        self.wait(lambda: any("has no comparison" in text for text in self.texts(".condition-problem")), "the server says what is wrong")
        self.assertEqual(self.wheres(), [])
        field.clear()
        # Keys that the list has a use for belong to the text.
        field.send_keys("properties.note ~ / b ?" + Keys.ENTER)
        self.listed("Dear")
        self.assertEqual(self.chips(), ['properties.note contains "/ b ?" ×'])
        self.press_button("+ Condition", "#chips")
        self.element(".condition-input").send_keys("properties.total<10" + Keys.ENTER)
        self.wait(lambda: any("No stored event meets the conditions" in text for text in self.texts("#empty p")), "nothing meets both")
        self.press_button("+ Condition", "#chips")
        self.element(".condition-input").send_keys("x" + Keys.ESCAPE)
        self.wait(lambda: not self.texts(".condition-form"), "the form is closed")
        self.assertEqual(len(self.chips()), 2)
        self.press_button("Clear the filter", "#empty")
        self.listed("Cheap", "Dear")

    def test_an_address_with_a_wrong_condition_says_so_and_the_chip_can_be_removed(self):
        self.allowed_errors = ["400 (Bad Request)"]
        workspace = self.workspace()
        workspace.post(track("Seen"))
        workspace.settle()
        self.open(workspace)
        self.browser.get(f"{workspace.address}/?where=a%20%3D%3D%201")
        self.wait(lambda: "has no comparison that is known" in self.element("#status-text").text, "the page says what is wrong")
        self.assertEqual(self.chips(), ["a == 1 ×"])
        self.click(".chip.of-event")
        self.listed("Seen")

    def test_there_are_at_most_as_many_conditions_as_the_server_takes(self):
        workspace = self.workspace()
        workspace.post(track("Gold", plan="gold"))
        workspace.settle()
        self.open(workspace)
        most = self.module("return MostConditions")
        query = "&".join(f"where=properties.none{number}!=1" for number in range(most))
        self.browser.get(f"{workspace.address}/?{query}")
        self.listed("Gold")
        self.open_row("Gold")
        self.value('"gold"')
        self.offer("is")
        self.message("There can be 8 conditions at once")
        self.assertEqual(len(self.wheres()), most)

    def test_older_events_that_meet_a_condition_are_read_page_by_page(self):
        workspace = self.workspace()
        for start in range(0, 900, 300):
            workspace.post(*[track("Even" if number % 2 == 0 else "Odd", number, n=number) for number in range(start, start + 300)])
        workspace.settle()
        self.open(workspace)
        self.browser.get(f"{workspace.address}/?where=event%3DEven")
        self.wait(lambda: self.length() == 200, "the newest page is there")
        for length in [400, 450]:
            self.browser.execute_script("document.querySelector('#older').click()")
            self.wait(lambda: self.length() == length, f"{length} events are there")
        self.wait(lambda: not self.element("#older").is_displayed(), "that is all")
        self.assertEqual(set(self.names()), {"Even"})

    # Other places

    def test_explore_counts_by_a_property_what_meets_the_conditions(self):
        workspace = self.workspace()
        workspace.post(track("Order", 1, plan="gold", total=5), track("Order", 2, plan="gold", total=50), track("Order", 3, plan='a"b\\', total=50))
        workspace.settle()
        self.go(workspace, "explore?by=property&property=properties.plan")
        self.wait(lambda: len(self.texts("#breakdown tbody tr")) == 2, "both values are counted")
        self.value('a"b\\', "#breakdown")
        self.offer("is not")
        self.wait(lambda: len(self.texts("#breakdown tbody tr")) == 1, "one value is left")
        self.assertIn("gold", self.texts("#breakdown tbody tr")[0])
        self.press_button("+ Condition", ".condition-bar")
        self.element(".condition-input").send_keys("properties.total>10" + Keys.ENTER)
        self.wait(lambda: any("1 event " in text for text in self.texts("#breakdown .note")), "one event is counted")
        self.assertEqual(len(self.chips()), 2)
        self.browser.back()
        self.wait(lambda: any("2 events " in text for text in self.texts("#breakdown .note")), "two events are counted again")
        # The other counts know no conditions, and say so.
        self.go(workspace, "explore?where=properties.total%3E10")
        self.wait(lambda: any("counted by a property" in text for text in self.texts("#place h2")), "the place says so")
        self.follow("Count by name of track events")
        self.wait(lambda: self.texts("#breakdown tbody tr"), "events are counted")
        self.assertIn("Order", self.texts("#breakdown tbody tr")[0])
        self.assertEqual(self.wheres(), ["properties.total>10"])
        self.follow("Events")
        self.listed("Order", "Order")
        self.assertEqual(self.chips(), ["properties.total is greater than 10 ×"])

    def test_dropped_events_and_signals_are_searched_too(self):
        workspace = self.workspace()
        workspace.post(track("Order", 1, plan="gold"))
        workspace.trace(dropped("Lost", "Censor", stage("enrichment", "Censor", "dropped")),
                        dropped("Gone", "Censor", stage("enrichment", "Censor", "dropped")))
        workspace.settle()
        self.open(workspace)
        self.browser.get(f"{workspace.address}/?where=event%3DLost")
        self.listed("Lost")
        self.browser.get(f"{workspace.address}/?where=userId%3Du-1")
        self.listed("Order", "Lost", "Gone")
        workspace.trace(dropped("Later", "Censor", stage("enrichment", "Censor", "dropped")))
        self.listed("Order", "Lost", "Gone", "Later")

    def test_rejected_events_are_searched(self):
        workspace = self.workspace()
        workspace.send("POST", "/v1/b", {"writeKey": KEY, "batch": [
            {"type": "track", "userId": "u-1", "messageId": "r-1"}, {"type": "other", "userId": "u-2", "messageId": "r-2"}]})
        workspace.settle()
        self.go(workspace, "problems?where=userId%3Du-2")
        self.wait(lambda: any("other" in text for text in self.texts("#rejected")), "the rejected event is found")
        self.assertNotIn("u-1", " ".join(self.texts("#rejected")))

    def test_people_and_a_timeline_show_what_meets_the_conditions(self):
        workspace = self.workspace()
        workspace.post(track("Gold", plan="gold"), track("Silver", plan="silver"), track("Other", plan="silver") | {"userId": "u-2"})
        workspace.trace(dropped("Lost", "Censor", stage("enrichment", "Censor", "dropped")))
        workspace.settle()
        self.go(workspace, f"people?source={KEY}&where=properties.plan%3Dgold")
        self.wait(lambda: any("1 id in the newest 1 event" in text for text in self.texts("#place .note")), "one person is found")
        self.assertEqual(len(self.texts("#place tbody tr")), 1)
        self.go(workspace, f"people?source={KEY}&user=u-1")
        self.wait(lambda: len(self.texts(".happening")) == 3, "the events and the drop are there")
        self.browser.find_elements(By.CSS_SELECTOR, ".happening > summary")[0].click()
        self.browser.find_elements(By.CSS_SELECTOR, ".happening > summary")[1].click()
        self.value('"silver"', ".timeline")
        self.offer("is")
        self.wait(lambda: [text for text in self.texts(".happening strong")] == ["Silver"], "one event meets the condition")
        self.assertIn("not searched", " ".join(self.texts("#place .note")))
        self.click(".chip.of-event")
        self.wait(lambda: len(self.texts(".happening")) == 3, "all is there again")

    # Filters

    def test_the_conditions_of_a_list_become_a_rule_which_is_tried_and_not_deployed(self):
        workspace = self.workspace()
        workspace.post(track("Gold", 1, plan="gold", total=5), track("Gold", 2, plan="gold", total=50), track("Silver", plan="silver", total=50))
        workspace.settle()
        self.open(workspace)
        self.browser.get(f"{workspace.address}/?source={KEY}&where=properties.plan%3Dgold&where=properties.total%3E10")
        self.listed("Gold")
        self.follow("Make a filter")
        self.wait(lambda: len(self.texts("#rules-forms h3")) == 1, "a rule is there")
        self.assertEqual(self.texts("#rules-forms h3"), ['properties.plan is "gold" and 1 more'])
        self.assertEqual(self.wheres(), [], "loading the page again makes no other rule")
        self.press_button("Dry run")
        self.wait(lambda: any("would drop 1 and change 0 of the last 3 events" in text for text in self.texts("#dry-run p")), "the rule is about this event")
        self.assertEqual(workspace.get(f"/api/sources/{KEY}/filters"), [], "nothing is deployed")
        self.browser.back()
        self.listed("Gold")

    def test_a_rule_has_the_same_conditions_as_the_list_or_none(self):
        workspace = self.workspace()
        self.open(workspace)
        forms = self.browser.execute_async_script(
            "const [texts, done] = arguments; Promise.all(['api/conditions.js', 'forms/rules.js'].map((name) => import(`/page/any/${name}`)))"
            ".then(([{Condition}, {formConditions}]) => done(texts.map((text) => formConditions([Condition.read(text)]) ?? null)));",
            ["properties.total>10", 'properties.code="10"', "properties.code=10", "properties.on!=true", "a~b", "a.b", "a=", "a=null",
             'properties."a.b"=1', 'properties.at>"2026-01-01"', "id=12345678901234567890", "a == 1"])
        self.assertEqual(
            [form and [(one["path"], one["comparison"], one["value"]) for one in form] for form in forms],
            [[("properties.total", ">", "10")], [("properties.code", "=", '"10"')], [("properties.code", "=", "10")],
             [("properties.on", "!=", "true")], [("a", "contains", "b")], [("a.b", "exists", "")], [("a", "=", '""')], [("a", "=", "null")],
             None, None, None, None])

    def test_a_filter_becomes_the_conditions_of_a_list_where_a_list_has_such_conditions(self):
        workspace = self.workspace()
        self.open(workspace)

        def conditions(expression, action="drop"):
            rule = {"name": "r", "destinationName": "D", "matchers": [{"type": "fql", "ir": json.dumps(expression)} if expression else {"type": "all"}],
                    "transformers": [[{"type": action}]]}
            return self.browser.execute_async_script(
                "const [rule, done] = arguments; import('/page/any/forms/rules.js').then(({listConditions}) =>"
                " done(listConditions(rule)?.map(({text}) => text) ?? null))", rule)

        total = ["<", "properties.total", {"value": 10}]
        self.assertEqual(conditions(total), ["properties.total<10"])
        self.assertEqual(conditions(["and", total, ["=", "event", {"value": 'a "b"'}], ["contains", "userId", {"value": "x"}]]),
                         ["properties.total<10", 'event="a \\"b\\""', 'userId~"x"'])
        self.assertEqual(conditions(["!=", "properties.coupon", {}]), ["properties.coupon"])
        self.assertEqual(conditions(["=", "properties.code", {"value": "10"}]), ['properties.code="10"'])
        self.assertEqual(conditions(None), [])
        for other in [["or", total, total], ["=", "properties.coupon", {}], ["match", "event", {"value": "a*"}], ["!", total],
                      ["<", "properties.total", {"value": "ten"}], ["=", "properties.a\\.b", {"value": 1}], ["and", *[total] * 9]]:
            self.assertIsNone(conditions(other), other)
        self.assertIsNone(conditions(total, "sample_event"))

    def test_what_a_filter_held_back_is_a_list_that_says_what_it_has(self):
        workspace = self.workspace()
        rule = {"name": "large only", "destinationName": "Mixer", "transformers": [[{"type": "drop"}]],
                "matchers": [{"type": "fql", "ir": '["<", "properties.total", {"value": 10}]'}]}
        workspace.send("PUT", f"/api/sources/{KEY}/filters", [rule])
        path = f"/api/sources/{KEY}/destinations/Mixer"
        workspace.send("PUT", path, {"kind": "webhook", "settings": {"url": "http://127.0.0.1:9/"}})
        workspace.post(track("Small", total=5), track("Smaller", total=1))
        self.wait(lambda: workspace.get(path)["heldBackBy"] == [{"rule": "large only", "events": 2}], "both are held back")
        workspace.post(track("Without"))
        self.go(workspace, "destinations")
        self.wait(lambda: any("2 held back by the filter “large only”" in text for text in self.texts(".facts li")), "the fact is shown")
        self.follow("Show such events")
        self.listed("Small", "Smaller")
        self.assertEqual(self.wheres(), ["properties.total<10"])
        words, = self.texts(".condition-origin")
        self.assertIn("Stored events that meet the conditions with which the filter “large only” holds events back from Mixer.", words)
        self.click(".chip.of-event")
        self.listed("Small", "Smaller", "Without")
        self.assertEqual(self.texts(".condition-origin"), [])
        self.browser.back()
        self.wait(lambda: self.texts(".condition-origin"), "the list says again what it has")

    def test_chips_and_offers_have_no_serious_problem_of_accessibility(self):
        axe = self.axe()
        workspace = self.workspace()
        workspace.post(track("Gold", plan="gold", title="x" * 300))
        workspace.settle()
        self.open(workspace)
        long = urllib.parse.quote('properties.title!="' + "y" * 300 + '"', safe="")
        for form in self.in_each_form():
            with self.subTest(form=form):
                self.browser.get(f"{workspace.address}/?where=properties.plan&where={long}")
                self.listed("Gold")
                self.press_button("+ Condition", "#chips")
                self.assertAccessible(axe)
                self.open_row("Gold")
                self.value('"gold"')
                self.assertAccessible(axe)
                self.assertEqual(self.browser.execute_script("return document.documentElement.scrollWidth <= innerWidth"), True)


if __name__ == "__main__":
    unittest.main()
