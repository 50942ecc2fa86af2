"""Queries in SQL on the page of the workspace.

    /usr/bin/python3 -m unittest -v Tests/Browser/sql_test.py

browser.py says which server is tested.
"""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import KEY, PHONE, WIDE, track  # noqa: E402
from console import HOSTILE, ConsoleTest  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
ROWS = "[aria-label='Answer'] tbody tr"


class SQLTest(ConsoleTest):
    def shop(self):
        workspace = self.workspace(keys=(KEY, "other"))
        workspace.post(*[track("Order Completed", number, plan=["free", "pro"][number % 2], total=number * 10) for number in range(6)],
                       track("Search", 9))
        workspace.post(track("Secret", 1), key="other")
        workspace.settle()
        return workspace

    def open_place(self, workspace):
        self.go(workspace, f"sql?source={KEY}")
        self.wait(lambda: "order_completed" in " ".join(self.texts("#tables summary")), "the tables are listed")

    def ask(self, text):
        self.write(text, "#sql-text")
        self.click("#ask")

    def cells(self):
        """The texts of the answer, read at one moment."""
        return self.browser.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map((row) => [...row.cells].map((cell) => cell.textContent))", ROWS)

    def answer(self, text, rows):
        self.ask(text)
        self.wait(lambda: self.cells() == rows, f"the answer is there: {rows}, {self.cells()}")

    def ask_and_see(self, size):
        self.size(*size)
        self.open_place(self.shop())
        self.answer("SELECT plan, sum(total) AS total FROM order_completed GROUP BY plan ORDER BY plan", [["free", "60"], ["pro", "90"]])
        self.assertIn("2 rows of 7 events", self.texts("#sql-result .note")[0])
        self.assertTrue(self.browser.find_elements(By.CSS_SELECTOR, "#sql-result figure"), "names and numbers have a chart")
        self.answer("SELECT date(received_at) AS day, count(*) AS events, NULL AS none FROM tracks GROUP BY 1 UNION ALL SELECT '2020-01-01', 0, 'x' ORDER BY 1",
                    [["2020-01-01", "0", "x"], [self.cells_today(), "7", "null"]])
        self.wait(lambda: self.browser.find_elements(By.CSS_SELECTOR, "#sql-result .line-chart"), "days and numbers are a line")
        self.answer("SELECT 7 AS n", [["7"]])
        self.assertFalse(self.browser.find_elements(By.CSS_SELECTOR, "#sql-result figure, #sql-result canvas"), "one number has no chart")
        self.assertTrue(self.browser.execute_script("return document.documentElement.scrollWidth <= innerWidth"))

    def cells_today(self):
        return self.browser.execute_script("return new Date().toISOString().slice(0, 10)")

    def test_an_answer_is_a_table_and_a_chart_where_there_is_one(self):
        self.ask_and_see(WIDE)

    def test_an_answer_is_a_table_and_a_chart_on_a_phone(self):
        self.ask_and_see(PHONE)

    def test_the_keyboard_asks_and_a_mistake_is_shown_with_its_place(self):
        self.allowed_errors = ["status of 400"]
        self.open_place(self.shop())
        self.write("SELECT 1\nFORM tracks", "#sql-text")
        fields = self.browser.find_elements(By.CSS_SELECTOR, ".CodeMirror textarea") or [self.element("#sql-text")]
        fields[0].send_keys(Keys.CONTROL, Keys.ENTER)
        self.wait(lambda: any("syntax error" in text for text in self.texts(".findings li")), "the mistake is named")
        self.assertIn("Line 2", self.texts(".findings li")[0])
        self.ask("SELECT totl FROM order_completed")
        self.wait(lambda: any("column 8: no such column: totl" in text for text in self.texts(".findings li")), "the column is named")
        self.ask("DELETE FROM tracks")
        self.wait(lambda: any("only reads" in text for text in self.texts(".findings li")), "a change is refused")
        self.ask("SELECT * FROM secret")
        self.wait(lambda: any("no such table: secret" in text for text in self.texts(".findings li")), "another source has its own tables")
        self.answer("SELECT 1 AS one", [["1"]])
        self.assertEqual(self.texts(".findings li"), [])

    def test_an_endless_query_is_cancelled_and_another_one_follows_at_once(self):
        # The server may still be ending the query before.
        self.allowed_errors = ["status of 429"]
        self.open_place(self.shop())
        self.ask(ENDLESS)
        self.wait(lambda: self.browser.find_elements(By.ID, "cancel"), "it can be cancelled")
        self.click("#cancel")
        self.wait(lambda: "The query was cancelled." in self.texts("#sql-status .note"), "it says so")
        self.answer("SELECT 2 AS two", [["2"]])
        self.ask(ENDLESS)
        self.wait(lambda: self.browser.find_elements(By.ID, "cancel"), "it runs")
        self.follow("Explore")
        self.wait(lambda: self.browser.find_elements(By.CSS_SELECTOR, "#series"), "the place can be left")
        self.follow("SQL")
        self.wait(lambda: "order_completed" in " ".join(self.texts("#tables summary")), "the tables are listed again")

    def test_a_long_answer_is_cut_and_says_so_and_the_file_has_more(self):
        self.open_place(self.shop())
        self.ask("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, '=1+1' AS text FROM n")
        self.wait(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, ROWS)) == 200, "the first rows are shown")
        words = self.texts("#sql-result .note")[0]
        self.assertIn("gives more; these are the first 10,000", words)
        self.assertIn("first 200 are shown", words)
        folder = tempfile.TemporaryDirectory(prefix="tributary-download-")
        self.addCleanup(folder.cleanup)
        self.browser.execute_cdp_cmd("Page.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder.name})
        self.click("#sql-file")
        file = Path(folder.name, "query.csv")
        self.wait(file.exists, "the file is there")
        text = file.read_text()
        lines = text.splitlines()
        self.assertEqual(lines[0], "i,text")
        self.assertEqual(lines[1], "1,'=1+1")
        self.assertEqual(len(lines), 10_001)

    def test_tables_are_found_and_written_into_the_query_and_the_last_queries_stay_in_the_browser(self):
        workspace = self.shop()
        self.open_place(workspace)
        self.fill("find-table", "plan")
        self.wait(lambda: len(self.texts("#tables details")) == 1, "one table has the column")
        self.answer("SELECT count(*) AS n FROM tracks", [["7"]])
        self.answer("SELECT count(*) + 1 AS n FROM tracks", [["8"]])
        self.open_place(workspace)
        self.wait(lambda: len(self.texts("#last-queries button")) == 2, "the last queries are there")
        self.assertIn("+ 1", self.browser.execute_script(
            "const mirror = document.querySelector('.CodeMirror'); return mirror ? mirror.CodeMirror.getValue() : document.querySelector('#sql-text').value"))
        self.press_button("SELECT count(*) AS n FROM tracks")
        self.click("#ask")
        self.wait(lambda: self.cells() == [["7"]], "the older query is asked again")
        self.press_button("Forget them")
        self.wait(lambda: not self.texts("#last-queries button"), "they are forgotten")
        Select(self.element("#period")).select_by_value("all")
        self.assertIn("days=all", self.browser.current_url)

    def test_hostile_values_stay_text_and_the_place_is_accessible(self):
        workspace = self.shop()
        workspace.post(track(HOSTILE, 77, plan=HOSTILE))
        workspace.settle()
        axe = self.axe()
        for _ in self.in_each_form():
            self.open_place(workspace)
            self.ask("SELECT event_text, count(*) AS n FROM tracks GROUP BY 1 ORDER BY 1")
            self.wait(lambda: len(self.cells()) == 3, "the names are there")
            self.assertIsNone(self.browser.execute_script("return window.broken ?? null"))
            if axe:
                self.assertAccessible(axe)


if __name__ == "__main__":
    unittest.main()
