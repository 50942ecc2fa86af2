"""docs/COMPATIBILITY*.md: every test that they name is there."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME = re.compile(r"`([A-Z]\w+(?:Tests|Snippet))/(\w+)`")


def rows():
    """The rows of all tables, without their heads."""
    for line in (ROOT / "docs/COMPATIBILITY.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if line.startswith("|") and not line.startswith("|---") and not line.startswith("| behaviour"):
            yield line, cells


def missing(suite, function):
    # The suite of a snippet is called as its file, with `Snippet` behind.
    file = suite.removesuffix("Snippet")
    files = sorted((ROOT / "Tests").rglob(f"{file}.swift"))
    if not files:
        return f"there is no {file}.swift"
    pattern = re.compile(rf"@Test\b[^\n]*(?:\n[^\n]*?){{0,14}}?\bfunc {function}\(")
    if not any(pattern.search(file.read_text()) for file in files):
        return f"{file}.swift has no test {function}"
    return None


def rows_of_ios():
    """The rows of the tables about analytics-ios."""
    for line in (ROOT / "docs/COMPATIBILITY-IOS.md").read_text().splitlines():
        if line.startswith("|") and not line.startswith("|---") and not line.startswith("| their test"):
            yield line, [cell.strip() for cell in line.strip().strip("|").split(" | ")]


class CompatibilityTest(unittest.TestCase):
    def test_every_row_about_analytics_ios_names_tests_that_are_there(self):
        count = 0
        for line, cells in rows_of_ios():
            names = NAME.findall(cells[-1])
            with self.subTest(row=cells[0]):
                self.assertEqual(len(cells), 4, line)
                self.assertTrue(names, "it names no test")
                self.assertEqual([], [reason for name in names if (reason := missing(*name))])
            count += 1
        self.assertGreater(count, 40)

    def test_every_row_names_tests_that_are_there(self):
        count = 0
        for line, cells in rows():
            names = NAME.findall(cells[-1])
            with self.subTest(row=cells[0]):
                self.assertEqual(len(cells), 4, line)
                self.assertTrue(names, "it names no test")
                self.assertRegex(cells[2], r"^(same|better|different: .+)$")
                self.assertEqual([], [reason for name in names if (reason := missing(*name))])
            count += 1
        self.assertGreater(count, 40)

    def test_a_name_without_a_test_is_noticed(self):
        self.assertIsNotNone(missing("DestinationTests", "noSuchFunction"))
        self.assertIsNotNone(missing("NoSuchTests", "enabled"))
        self.assertIsNotNone(missing("DestinationTests", "client"))  # a function, but no test
        self.assertIsNone(missing("DestinationTests", "enabled"))
