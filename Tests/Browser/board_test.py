"""Saved questions and the board of the workspace.

    /usr/bin/python3 -m unittest -v Tests/Browser/board_test.py

browser.py says which server is tested.
"""

import sys
import unittest
from pathlib import Path
from urllib.parse import unquote

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import KEY, PHONE, WIDE, track  # noqa: E402
from console import ConsoleTest  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402


class BoardTest(ConsoleTest):
    def shop(self):
        workspace = self.workspace()
        workspace.post(*[track("Viewed", number, plan=["free", "pro"][number % 2]) | {"userId": f"u-{number}"} for number in range(4)],
                       track("Bought", 4, total=20) | {"userId": "u-1"})
        workspace.settle()
        return workspace

    def put(self, workspace, name, query, **more):
        workspace.send("PUT", f"/api/views/{name}", {"place": "explore", "query": query, **more})

    def save(self, name, on_board=False):
        self.click("#save-question")
        self.wait(lambda: self.browser.find_elements(By.ID, "view-name"), "a name is asked for")
        self.fill("view-name", name)
        if on_board:
            self.click("#view-board")
        self.press_button("Save", "dialog")

    def tiles(self):
        return self.texts(".tile")

    def saved(self):
        return self.texts("[aria-label='Saved questions'] tbody tr")

    def test_a_question_is_saved_found_replaced_renamed_and_removed(self):
        workspace = self.shop()
        for size in [WIDE, PHONE]:
            self.size(*size)
            self.go(workspace, "explore?by=name&days=7")
            self.save("Names")
            self.message("Names is saved.")
            self.assertEqual(workspace.get("/api/views/Names")["query"], f"by=name&days=7&source={KEY}")
            self.go(workspace, "explore?by=type")
            self.save("Names", on_board=True)
            self.agree("Replace")
            self.wait(lambda: workspace.get("/api/views/Names")["query"] == f"by=type&source={KEY}", "it asks something else now")
            self.go(workspace, "board")
            self.wait(lambda: len(self.saved()) == 1, "the list has it")
            self.press_button("Rename", "[aria-label='Saved questions']")
            self.fill("view-name", "Types")
            self.press_button("Rename", "dialog")
            self.wait(lambda: any("Types" in text for text in self.saved()), "it has another name")
            self.wait(lambda: any("5 events in 30 days" in text for text in self.tiles()), "the board has its answer")
            self.element("[aria-label='Saved questions'] td a").click()
            self.wait(lambda: self.texts("#series tbody tr"), "its link shows it in Explore")
            self.assertIn("by=type", self.browser.current_url)
            self.go(workspace, "board")
            self.wait(lambda: self.saved(), "the list is there")
            self.press_button("Remove", "[aria-label='Saved questions']")
            self.agree("Remove")
            self.wait(lambda: any("No question is saved" in text for text in self.texts(".note")), "it is gone")
            self.assertEqual(workspace.get("/api/views")["views"], [])

    def test_the_board_answers_each_kind_of_question_with_a_file(self):
        workspace = self.shop()
        self.put(workspace, "Names", "by=name", board=1)
        self.put(workspace, "Plans", "by=property&property=properties.plan&days=7&type=track&name=Viewed", board=2)
        self.put(workspace, "Buyers", 'by=funnel&steps=[{"type":"track","name":"Viewed"},{"type":"track","name":"Bought"}]'
                 .replace('"', "%22"), board=3)
        self.put(workspace, "Sources", "by=source", board=4)
        self.put(workspace, "Again", 'by=retention&per=day&first={"type":"track","name":"Viewed"}'.replace('"', "%22"), board=5)
        for size in [WIDE, PHONE]:
            self.size(*size)
            self.go(workspace, "board")
            self.wait(lambda: "As of" in self.element("#board-time").text, "all are answered")
            names, plans, buyers, sources, again = self.tiles()
            self.assertIn("5 events in 30 days", names)
            self.assertIn("Viewed · track", names)
            self.assertIn("4 events in 7 days", plans)
            self.assertIn("pro", plans)
            self.assertIn("1 of 4 people did all 2 steps: 25.0 %.", buyers)
            self.assertIn("5 events", sources)
            self.assertIn("4 people did the first event.", again)
        files = [unquote(link.get_attribute("href").split(",", 1)[1]).splitlines()
                 for link in self.browser.find_elements(By.CSS_SELECTOR, ".tile a[download$='.csv']")]
        self.assertEqual([file[0] for file in files][:3], ["day,Viewed · track,Bought · track", "day,free,pro", "step,people"])
        self.assertEqual(files[2][1:], ["1. Viewed,4", "2. Bought,1"])
        if "chart.js" in self.element("meta[name=libraries]").get_attribute("content"):
            self.browser.execute_script(
                "HTMLAnchorElement.prototype.click = function () { window.saved = [this.download, this.href.slice(0, 22), this.href.length]; }")
            self.press_button("Image", ".tile")
            name, begin, length = self.browser.execute_script("return window.saved")
            self.assertEqual((name, begin), ("Names.png", "data:image/png;base64,"))
            self.assertGreater(length, 2000, "the image is not empty")
        workspace.post(track("Viewed", 9))
        workspace.settle()
        self.click("#refresh")
        self.wait(lambda: "6 events in 30 days" in self.tiles()[0], "the board asks again")

    def test_the_board_has_an_order(self):
        workspace = self.shop()
        for name in "abc":
            self.put(workspace, name, "by=type", board=9)
        self.put(workspace, "not", "by=type")
        self.go(workspace, "board")

        def heads():
            return self.texts(".tile h3")
        self.wait(lambda: heads() == ["a", "b", "c"], "they are in their order")
        self.press_button("Earlier", "[aria-label='Saved questions'] tbody tr:nth-child(2)")
        self.wait(lambda: heads() == ["b", "a", "c"], "the second one is the first now")
        self.press_button("Take off", "[aria-label='Saved questions'] tbody tr:nth-child(1)")
        self.wait(lambda: heads() == ["b", "c"], "one is off the board")
        self.press_button("Put on board", "[aria-label='Saved questions'] tbody tr:nth-child(4)")
        self.wait(lambda: heads() == ["b", "c", "not"], "another one is the last now")

    def test_a_question_that_cannot_be_answered_says_why(self):
        workspace = self.shop()
        for number, query in enumerate(["source=gone", "by=other", "by=property", "by=funnel&steps=[1", "by=type&where=a"]):
            self.put(workspace, f"q{number}", query.replace("[", "%5B"), board=9)
        self.go(workspace, "board")
        self.wait(lambda: "As of" in self.element("#board-time").text, "all are asked")
        for tile, words in zip(self.tiles(), ["no source gone", "cannot show this kind", "names no property", "names no steps", "With conditions"],
                               strict=True):
            self.assertIn(words, tile)

    def test_the_board_fills_the_screen_and_leaves_it(self):
        workspace = self.shop()
        self.put(workspace, "Names", "by=name", board=1)
        self.go(workspace, "board")
        self.wait(lambda: self.tiles(), "the board is there")
        self.click("#full-screen")
        self.wait(lambda: self.element("#full-screen").text == "Leave full screen", "it fills the screen")
        self.click("#full-screen")
        self.wait(lambda: self.element("#full-screen").text == "Full screen", "it left the screen")

    def test_a_reader_sees_the_board_and_changes_nothing(self):
        workspace = self.shop()
        self.put(workspace, "Names", "by=name", board=1)
        token = workspace.send("POST", "/api/tokens", {"name": "Ben", "role": "look"})["token"]
        self.go(workspace, "board", token)
        self.wait(lambda: "5 events" in " ".join(self.tiles()), "the reader sees the answer")
        self.assertEqual(self.texts("[aria-label='Saved questions'] button:not(.sort)"), [])
        self.go(workspace, "explore", token)
        self.wait(lambda: self.texts("#series tbody tr"), "the reader explores")
        self.assertEqual(self.browser.find_elements(By.ID, "save-question"), [])

    def kinds(self, workspace):
        """Puts a question of each kind on the board."""
        self.put(workspace, "Names", "by=name", board=1)
        self.put(workspace, "Plans", "by=property&property=properties.plan&days=7&type=track&name=Viewed&where=event%3DViewed", board=2)
        self.put(workspace, "Buyers", 'by=funnel&steps=[{"type":"track","name":"Viewed"},{"type":"track","name":"Bought"}]'
                 .replace('"', "%22"), board=3)
        self.put(workspace, "Sources", "by=source", board=4)
        self.put(workspace, "Again", 'by=retention&per=day&first={"type":"track","name":"Viewed"}'.replace('"', "%22"), board=5)
        self.put(workspace, "Users", "by=property&property=userId", board=6)

    def test_a_link_shows_the_board_without_a_login_until_it_is_revoked(self):
        workspace = self.shop()
        self.kinds(workspace)
        self.go(workspace, "board")
        self.wait(lambda: self.browser.find_elements(By.ID, "link-name"), "links can be made")
        self.fill("link-name", "hall")
        self.press_button("Make link", "#board-links")
        self.wait(lambda: self.texts("dialog .secret"), "the link is shown")
        address = self.texts("dialog .secret")[0]
        self.assertIn("/shared#tributary-board-", address)
        self.agree("I have stored it")
        self.wait(lambda: any("hall" in text and "never" in text for text in self.texts("#board-links tbody tr")), "the list has it")
        self.browser.delete_all_cookies()
        for size in [WIDE, PHONE]:
            self.size(*size)
            self.browser.get("about:blank")
            self.browser.get(address)
            self.wait(lambda: self.browser.find_elements(By.ID, "board-time") and "As of" in self.element("#board-time").text,
                      "all are answered")
            names, plans, buyers, sources, again, users = self.tiles()
            self.assertIn("5 events in 30 days", names)
            self.assertIn("Viewed · track", names)
            self.assertIn("4 events in 7 days", plans)
            self.assertIn("pro", plans)
            self.assertIn("1 of 4 people did all 2 steps: 25.0 %.", buyers)
            self.assertIn("5 events", sources)
            self.assertIn("4 people did the first event.", again)
            self.assertIn("This question lists persons, so a link does not show it.", users)
            self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, "main a:not([download])"), [], "no link leads elsewhere")
            self.assertNotIn(KEY, self.browser.execute_script("return document.documentElement.innerHTML"))
        self.click("#full-screen")
        self.wait(lambda: self.element("#full-screen").text == "Leave full screen", "it fills the screen")
        self.click("#full-screen")
        workspace.send("DELETE", "/api/board-links/hall", b"")
        self.allowed_errors = ["/api/shared-board"]
        self.browser.refresh()
        self.wait(lambda: "This link shows nothing" in " ".join(self.texts("main")), "the link shows nothing any more")

    def test_a_reader_is_offered_no_link(self):
        workspace = self.shop()
        token = workspace.send("POST", "/api/tokens", {"name": "Ben", "role": "deploy"})["token"]
        self.go(workspace, "board", token)
        self.wait(lambda: "No question is saved" in " ".join(self.texts(".note")), "the place is shown")
        self.assertEqual(self.browser.find_elements(By.ID, "link-name"), [])


if __name__ == "__main__":
    unittest.main()
