"""Destinations, problems, sources and tokens in a real browser, against the real server.

    /usr/bin/python3 -m unittest -v Tests/Browser/destinations_test.py

"""

import json
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import KEY, PATIENCE, track  # noqa: E402
from console import ConsoleTest, PLUGIN  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402


class DestinationsTest(ConsoleTest):
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
        self.click(".card summary")
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
        self.click(f"[data-name={name}] summary")
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

    def test_tables_in_clickhouse_are_added_and_their_place_is_shown(self):
        workspace = self.workspace()
        self.go(workspace, "destinations")
        Select(self.element("#destination-kind")).select_by_value("clickhouse")
        self.assertFalse(self.element("#tables-host").is_displayed())
        for field, text in [("destination-name", "Lake"), ("clickhouse-url", "http://127.0.0.1:1"), ("clickhouse-password", "S3CR3T")]:
            self.fill(field, text)
        self.press_button("Add destination")
        self.message("Lake gets events now.")
        self.wait(lambda: any("http://127.0.0.1:1 · tables of the database tributary" in text for text in self.texts(".card p")),
                  "the place is shown")
        settings = workspace.get(f"/api/sources/{KEY}/destinations/Lake")["settings"]
        self.assertEqual(settings, {"url": "http://127.0.0.1:1", "database": "tributary", "user": "default", "timeoutSeconds": 60})

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
        self.click(".card summary")
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
            "pathStyle": True, "format": "ndjson"})
        self.assertNotIn("S3CR3T", self.browser.page_source + json.dumps(lake))

    CODE = """class Messages extends Destination {
  static settings = { address: { required: true, description: "Where to" }, loud: { type: "boolean", default: false } };
  static secrets = { token: { required: true } };
  static hosts = ["{address}"];
  track(event, settings) {
    return request("POST", settings.address, { headers: { Authorization: bearer(secret("token")) }, body: { text: event.event } });
  }
}
"""

    def code_of(self, name):
        return self.browser.execute_script(
            "const root = document.querySelector(`[data-name=${arguments[0]}] .editor`);"
            "return root.querySelector('.CodeMirror')?.CodeMirror.getValue() ?? root.querySelector('textarea').value", name)

    def write_code(self, name, text):
        self.browser.execute_script(
            "const root = document.querySelector(`[data-name=${arguments[0]}] .editor`);"
            "const mirror = root.querySelector('.CodeMirror')?.CodeMirror;"
            "if (mirror) mirror.setValue(arguments[1]);"
            "else { const area = root.querySelector('textarea'); area.value = arguments[1]; area.dispatchEvent(new Event('input')); }",
            name, text)

    def open_function(self, name):
        self.wait(lambda: self.texts(f"[data-name={name}] summary"), "the function is shown")
        self.click(f"[data-name={name}] summary")
        self.wait(lambda: self.texts(f"[data-name={name}] .editor"), "the editor is open")

    def can_store(self, name):
        buttons = self.browser.find_elements(By.CSS_SELECTOR, f"[data-name={name}] .actions button")
        return any(one.text == "Store …" and one.is_enabled() for one in buttons)

    def test_a_function_is_made_of_a_template_with_its_settings_and_secrets(self):
        workspace = self.workspace()
        self.go(workspace, "destinations")
        self.fill("destination-name", "There")
        Select(self.element("#destination-kind")).select_by_visible_text("A service, by a function in JavaScript")
        self.wait(lambda: len(Select(self.element("#function-template")).options) > 20, "the templates are listed")
        Select(self.element("#function-template")).select_by_visible_text("segment-compatible")
        self.wait(lambda: self.browser.find_elements(By.ID, "function-setting-endpoint"), "the settings are asked for")
        self.fill("function-setting-endpoint", "https://there.example.com")
        self.fill("function-secret-writeKey", "THEIRS")
        self.press_button("Add destination")
        self.message("There is made, and switched off.")
        destination = workspace.get(f"/api/sources/{KEY}/destinations/There")
        self.assertEqual((destination["enabled"], destination["secrets"]), (False, ["writeKey"]))
        workspace.post(track("Order Completed", 1))
        workspace.settle()
        self.open_function("There")
        self.press_button("Try", "[data-name=There]")
        requests = "[data-name=There] .trial details"
        self.wait(lambda: any("POST https://there.example.com/v1/batch" in text for text in self.texts(requests)), "it is tried")
        self.assertNotIn("THEIRS", self.element("main").text)

    def test_code_of_a_function_is_tried_compared_stored_and_taken_back(self):
        self.allowed_errors = ["422"]
        workspace, receiver = self.workspace(), self.receiver()
        workspace.send("PUT", f"/api/sources/{KEY}/destinations/Chat", {
            "kind": "function", "settings": {"code": self.CODE, "settings": {"address": receiver.url}},
            "secrets": {"token": "s3cret"}, "enabled": False})
        workspace.post(track("Order Completed", 1), track("Cart Viewed", 2))
        workspace.settle()
        self.go(workspace, "destinations")
        self.open_function("Chat")
        self.assertEqual(self.code_of("Chat"), self.CODE)
        self.write_code("Chat", self.CODE.replace("track(event", "trackevent"))
        self.wait(lambda: any("function.js, line" in text for text in self.texts("[data-name=Chat] .findings li")), "the error is shown")
        self.wait(lambda: not self.can_store("Chat"), "it cannot be stored")
        changed = self.CODE.replace("text: event.event", 'text: event.event === "Cart Viewed" ? "A cart" : event.event')
        self.write_code("Chat", changed)
        self.wait(lambda: self.can_store("Chat") and not self.texts("[data-name=Chat] .findings li"), "it can be stored")
        self.press_button("Try, and compare", "[data-name=Chat]")
        self.wait(lambda: "1 of the newest 2 events has other requests." in self.texts("[data-name=Chat] .trial .note"), "one event differs")
        self.assertIn("A cart", self.element("[data-name=Chat] .trial .diff .after").text)
        self.press_button("Store …")
        self.wait(lambda: "1 of the newest 2 events has other requests." in self.texts(".question .review .note"), "the question says so")
        self.agree("Store")
        self.message("The function of Chat is stored.")
        self.open_function("Chat")
        self.assertEqual(self.code_of("Chat"), changed)
        rows = "[aria-label='Versions of Chat'] tbody tr"
        self.wait(lambda: len(self.texts(rows)) == 2, "both versions are listed")
        self.press_button("Go back …", rows + ":nth-child(2)")
        self.wait(lambda: any("1 of the newest 2 events has" in text for text in self.texts(".question .review .note")), "the way back is shown")
        self.agree("Go back")
        self.message("Chat has version 3, with the content of version 1.")
        stored = workspace.get(f"/api/sources/{KEY}/destinations/Chat")["settings"]["code"]
        self.assertEqual(stored, self.CODE)
        self.assertEqual(receiver.bodies, [], "nothing is sent by trials")

    def test_code_of_a_function_goes_to_a_few_users_first_and_is_taken_back(self):
        workspace, receiver = self.workspace(), self.receiver()
        path = f"/api/sources/{KEY}/destinations/Chat"
        workspace.send("PUT", path, {
            "kind": "function", "settings": {"code": self.CODE, "settings": {"address": receiver.url}},
            "secrets": {"token": "s3cret"}})
        self.go(workspace, "destinations")
        self.open_function("Chat")
        self.write_code("Chat", self.CODE.replace("text: event.event", 'text: "new " + event.event'))
        self.wait(lambda: self.can_store("Chat"), "it can be stored")
        Select(self.element("[aria-label='Store Chat for']")).select_by_visible_text("for 10 %, then 50 %, then all users")
        self.press_button("Store …")
        self.wait(lambda: "10 % of the users first" in self.element(".question").text, "the question says so")
        self.agree("Store")
        self.message("The function of Chat is rolled out in stages.")
        rollout = "[aria-label='Roll-out of Chat']"
        self.wait(lambda: "Version 2 is rolled out in stages, with 10 % of users" in self.element(rollout).text, "the roll-out is shown")
        self.press_button("Next stage now", rollout)
        self.message("The next stage has begun.")
        self.wait(lambda: "with 50 % of users" in self.element(rollout).text, "the next stage is shown")
        workspace.post(*({**track("Order Completed", number), "userId": f"u-{number}"} for number in range(40)))
        self.wait(lambda: len(receiver.bodies) == 40, "all events are sent")
        news = sum(b"new Order Completed" in body for body in receiver.bodies)
        self.assertTrue(5 < news < 35, news)
        self.wait(lambda: f"In this stage {news} accepted and 0 refused" in self.element(rollout).text, "the attempts are counted")
        self.press_button("Go back to version 1 …", rollout)
        self.agree("Go back")
        self.message("Chat has version 1 again.")
        self.assertEqual(workspace.get(path)["settings"]["code"], self.CODE)
        self.assertEqual(self.texts(rollout), [])

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
            self.click(f"#tab-{language.lower()}")
            self.assertIn(shop["writeKey"], self.element("[role=tabpanel] pre").text)
        program = self.element("#snippet-python").text
        links = [link.get_attribute("href") for link in self.browser.find_elements(By.CSS_SELECTOR, "#places a")]
        self.assertTrue(all(shop["writeKey"] in link for link in links), "the links follow the new source")
        subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, timeout=PATIENCE, env={"no_proxy": "*"})
        self.wait(lambda: any("The first event is here: First Event." in text for text in self.texts("#first-event")), "it came")
        self.click("#first-event a")
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

        def is_read_again():
            """The page also asks by itself, so Try now may become Read again at any moment."""
            if not self.element("#away").is_displayed():
                return any("No destination yet" in text for text in self.texts("main h2"))
            self.element("#away button").click()
            return False

        self.wait(is_read_again, "the place is shown again by the button of the banner")

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
        Select(self.element("#country")).select_by_value("connection")
        self.press_button("Store limits")
        self.message("The limits are stored.")
        shop = next(one for one in workspace.get("/api/sources")["sources"] if one["name"] == "Shop")
        self.assertEqual(len(shop["keys"]), 2)
        self.assertEqual(shop["policy"]["quota"]["eventsPerDay"], 1000)
        self.assertEqual((shop["policy"]["ip"], shop["policy"]["country"]), ("drop", "connection"))
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


if __name__ == "__main__":
    unittest.main()
