"""docs/COMPATIBILITY*.md: every test that they name is there."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME = re.compile(r"`([A-Z]\w+(?:Tests|Snippet))/(\w+)`")


def rows(document, head):
    """The rows of all tables, without their heads."""
    for line in (ROOT / "docs" / document).read_text().splitlines():
        if line.startswith("|") and not line.startswith("|---") and not line.startswith(head):
            yield [cell.strip() for cell in line.strip().strip("|").split(" | ")]


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


class CompatibilityTest(unittest.TestCase):
    def test_every_row_names_tests_that_are_there(self):
        for document, head in (("COMPATIBILITY.md", "| behaviour"), ("COMPATIBILITY-IOS.md", "| their test")):
            found = list(rows(document, head))
            self.assertGreater(len(found), 40)
            for cells in found:
                names = NAME.findall(cells[-1])
                with self.subTest(row=cells[0]):
                    self.assertEqual(len(cells), 4)
                    self.assertTrue(names, "it names no test")
                    if document == "COMPATIBILITY.md":
                        self.assertRegex(cells[2], r"^(same|better|different: .+)$")
                    self.assertEqual([], [reason for name in names if (reason := missing(*name))])

    def test_a_name_without_a_test_is_noticed(self):
        self.assertIsNotNone(missing("DestinationTests", "noSuchFunction"))
        self.assertIsNotNone(missing("NoSuchTests", "enabled"))
        self.assertIsNotNone(missing("DestinationTests", "client"))  # a function, but no test
        self.assertIsNone(missing("DestinationTests", "enabled"))
