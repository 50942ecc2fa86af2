"""The place of a cluster in a real browser, against real nodes with real engines.

    TRIBUTARY_CLUSTER=1 swift build --package-path Workspace
    /usr/bin/python3 -m unittest -v Tests/Browser/cluster_test.py

Without the engines all tests are skipped: scripts/bootstrap cluster. The test of accessibility needs axe.
"""

import sys
import tempfile
import unittest
import uuid
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import PHONE, WIDE, PlaceTest, track  # noqa: E402
from cluster import Engines, EnginesMissing, Node  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402

HOSTILE = "<b onclick=window.broken=1>south</b>"


class ClusterPlaceTest(PlaceTest):
    @classmethod
    def setUpClass(cls):
        try:
            cls.engines = Engines()
        except EnginesMissing as error:
            raise unittest.SkipTest(str(error)) from error
        cls.addClassCleanup(cls.engines.stop)
        super().setUpClass()

    # Steps

    def node(self, name):
        folder = tempfile.TemporaryDirectory(prefix="tributary-node-")
        self.addCleanup(folder.cleanup)
        node = Node(self.engines, folder.name, name)
        self.addCleanup(node.stop)
        return node

    def verdict(self):
        return "\n".join(self.texts("#verdict"))

    def needs_nobody(self):
        self.wait(lambda: "Nothing needs attention" in self.verdict(), f"nobody is needed; the page says {self.verdict()}")

    def cells(self, table, title):
        """The texts of a column."""
        return self.browser.execute_script(
            "return [...document.querySelectorAll(`[aria-label=\"${arguments[0]}\"] td[data-title=\"${arguments[1]}\"]`)]"
            ".map((cell) => cell.textContent)", table, title)

    def looks(self):
        """How often the page in the present tab has asked for the cluster."""
        return self.browser.execute_script(
            "return performance.getEntriesByType('resource').filter((one) => one.name.endsWith('/api/cluster')).length")

    def looks_again(self, times=2):
        end = self.looks() + times
        self.wait(lambda: self.looks() >= end, "the page looks again")


class ClusterTest(ClusterPlaceTest):
    def show_nodes_and_partitions(self, size):
        self.size(*size)
        north, _ = self.node("north"), self.node(HOSTILE)
        self.browser.get(f"{north.address}/login")
        self.go(north, "cluster")
        self.assertEqual(self.element("#places a[aria-current]").text, "Cluster")
        # A shared partition changes its owner some seconds after a node has come.
        self.wait(lambda: sorted(self.cells("Partitions", "Owner")) == [HOSTILE] * 2 + ["north"] * 2, "partitions are shared")
        self.needs_nobody()
        self.assertEqual(self.cells("Partitions", "State"), ["owner answers"] * 4)
        self.assertTrue(all(text.endswith(" ago") for text in self.cells("Partitions", "All stored until")))
        self.assertEqual(sorted(self.cells("Nodes", "Node")), sorted(["north", HOSTILE]))
        self.assertEqual(self.cells("Nodes", "Partitions"), ["2", "2"])
        self.assertEqual(self.cells("Nodes", "Alarms"), ["0", "0"])
        does = dict(zip(self.cells("Nodes", "Node"), self.cells("Nodes", "Does")))
        self.assertIn("answers this page", does["north"])
        self.assertEqual(sum("coordinates" in text for text in does.values()), 1)
        self.assertIn("north follows the settings of the cluster", "".join(self.texts("#settings")))
        self.assertIsNone(self.browser.execute_script("return window.broken"))
        if "chart.js" in self.element("meta[name=libraries]").get_attribute("content"):
            self.wait(lambda: self.browser.find_elements(By.CSS_SELECTOR, "canvas[role=img]"), "the chart is drawn")
        stored = sum(int(text.replace(",", "")) for text in self.cells("Partitions", "Stored records"))
        for number in range(10):
            north.post(track("Step", number) | {"messageId": str(uuid.uuid4()), "anonymousId": f"d-{number}"})
        self.wait(lambda: sum(int(text.replace(",", "")) for text in self.cells("Partitions", "Stored records")) == stored + 10,
                  "the page shows what is stored, without being loaded again")
        wider = self.browser.execute_script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        self.assertLessEqual(wider, 0, "the page is wider than the window")
        code, text = north.status()
        self.assertEqual(code, 0, text)
        self.assertIn("nothing needs attention", text)

    def test_nodes_partitions_and_settings_are_shown_and_shown_again(self):
        self.show_nodes_and_partitions(WIDE)

    def test_nodes_partitions_and_settings_are_shown_and_shown_again_on_a_phone(self):
        self.show_nodes_and_partitions(PHONE)

    def test_a_killed_node_needs_a_person_until_its_partitions_are_taken_over(self):
        north, south = self.node("north"), self.node("south")
        self.go(north, "cluster")
        self.wait(lambda: self.cells("Partitions", "Owner").count("south") == 2, "partitions are shared")
        self.needs_nobody()
        # What was shown only for some seconds is remembered.
        self.browser.execute_script("""
            window.said = [];
            new MutationObserver(() => window.said.push([document.getElementById('verdict').textContent,
              [...document.querySelectorAll('[data-title=State]')].map((cell) => cell.textContent).join()]))
              .observe(document.querySelector('main'), {childList: true, subtree: true, characterData: true});""")
        south.kill()
        self.wait(lambda: self.cells("Partitions", "Owner") == ["north"] * 4, "the partitions are taken over")
        self.needs_nobody()
        said = self.browser.execute_script("return window.said")
        self.assertTrue(any("The cluster needs attention" in verdict and "no node that answers owns the partitions" in verdict
                            for verdict, _ in said), said)
        self.assertTrue(any(states.count("owner does not answer") == 2 for _, states in said), said)
        self.assertEqual(self.cells("Nodes", "Node"), ["north"])

    def test_while_the_log_is_away_the_page_says_so_and_shows_what_was_known(self):
        self.allowed_errors = ["503"]
        north = self.node("north")
        self.go(north, "cluster")
        self.wait(lambda: self.cells("Partitions", "Owner") == ["north"] * 4, "all partitions are shown")
        self.needs_nobody()
        self.engines.all_nats("kill")
        try:
            self.wait(lambda: "The cluster cannot be asked now: the log cannot be used now" in self.verdict(), "it says so")
            self.assertIn("What is below was so at ", self.verdict())
            self.assertEqual(self.cells("Partitions", "Owner"), ["north"] * 4)
        finally:
            self.engines.all_nats("start")
        self.wait(lambda: "Nothing needs attention" in self.verdict(), "the page goes on by itself")

    def stay_still(self, since, other, node):
        """Another place of the cluster looks three times meanwhile. Then nothing of this one has begun since then."""
        mine = self.browser.current_window_handle
        self.browser.switch_to.new_window(other)
        self.go(node, "cluster")
        self.looks_again(3)
        theirs = self.browser.current_window_handle
        self.browser.switch_to.window(mine)
        moment, begun = self.browser.execute_script(
            f"const moment = {since};"
            "return [moment, performance.getEntriesByType('resource').filter("
            "(one) => one.name.endsWith('/api/cluster') && one.startTime > moment).length]")
        self.assertIsNotNone(moment)
        self.assertEqual(begun, 0)
        self.browser.switch_to.window(theirs)
        self.browser.close()
        self.browser.switch_to.window(mine)

    def test_nobody_is_asked_while_the_page_is_hidden(self):
        north = self.node("north")
        self.go(north, "cluster")
        self.needs_nobody()
        self.browser.execute_script(
            "document.addEventListener('visibilitychange', () => { window.hiddenAt ??= performance.now(); })")
        self.stay_still("window.hiddenAt", "tab", north)
        self.looks_again()

    def test_nobody_is_asked_while_the_page_is_paused(self):
        north = self.node("north")
        self.go(north, "cluster")
        self.needs_nobody()
        self.press_button("Pause")
        self.browser.execute_script("window.pausedAt = performance.now()")
        self.stay_still("window.pausedAt", "window", north)
        self.assertFalse(self.browser.execute_script("return document.hidden"))
        self.press_button("Pause")
        self.looks_again()

    def test_the_focus_and_a_selection_stay_while_the_tables_change(self):
        north = self.node("north")
        self.go(north, "cluster")
        self.needs_nobody()
        self.browser.execute_script(
            "const table = document.querySelector('[aria-label=Partitions]');"
            "table.focus();"
            "getSelection().selectAllChildren(table.querySelector('[data-title=Owner] span'));")
        self.looks_again()
        self.assertEqual(self.browser.switch_to.active_element.get_attribute("aria-label"), "Partitions")
        self.assertEqual(self.browser.execute_script("return getSelection().toString()"), "north")

    def test_the_place_has_no_serious_problem_of_accessibility(self):
        axe = self.axe()
        north = self.node("north")
        for form in self.in_each_form():
            with self.subTest(form=form):
                self.go(north, "cluster")
                self.needs_nobody()
                self.assertAccessible(axe)


class DivergedClusterTest(ClusterPlaceTest):
    """Its log of the settings is spoilt for good, so it has engines of its own."""

    def test_the_page_and_the_command_need_a_person_for_the_same_reason(self):
        north = self.node("north")
        self.go(north, "cluster")
        self.needs_nobody()
        # The first byte says that this version reads the record; one of a newer version would ask for an upgrade.
        self.engines.publish("TRIBUTARY_SETTINGS.change", "\x01 is no change of a node. " * 5)
        self.wait(lambda: "north does not follow the settings any more" in self.verdict(), "the page says so")
        self.assertIn("north does not follow the settings any more", "".join(self.texts("#settings")))
        problem, = self.texts("#verdict li")
        code, text = north.status()
        self.assertEqual(code, 1, text)
        self.assertIn(f"- {problem}", text.splitlines())


if __name__ == "__main__":
    unittest.main()
