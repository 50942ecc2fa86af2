"""The decisions can be found: each has its date and its parts, and docs/DECISIONS.md links each of them."""

import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/support"))

import decisions  # noqa: E402

ENTRY = "# Queue\n\nThe journal.\n\n## Each `sync` counts\n\n3 May. What.\n\n**Why:** because.\n\n**What would change it:** a disk.\n"


class DecisionsTest(unittest.TestCase):
    def faults(self, text):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "queue.md"
            file.write_text(text)
            return decisions.faults(file)

    def test_every_entry_has_its_date_and_parts_and_stands_in_the_index(self):
        self.assertEqual(decisions.check(ROOT), [])

    def test_every_link_of_the_index_and_of_the_other_documents_leads_to_an_entry(self):
        links = 0
        for file in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]:
            for target, anchor in re.findall(r"\]\(([\w./-]*decisions/[\w-]+\.md)(?:#([^)]+))?\)", file.read_text()):
                links += 1
                there = file.parent / target
                self.assertTrue(there.is_file(), f"{file.name}: {target}")
                if anchor:
                    names = [decisions.anchor(name) for name, _ in decisions.read(there)[2]]
                    self.assertIn(anchor, names, f"{file.name}: {target}#{anchor}")
        self.assertGreater(links, 100)

    def test_every_file_that_a_decision_links_is_there(self):
        for file in [ROOT / "docs/DECISIONS.md", *ROOT.glob("docs/decisions/*.md")]:
            for target in re.findall(r"\]\(([^)#:]+)", file.read_text()):
                self.assertTrue((file.parent / target).is_file(), f"{file.name}: {target}")

    def test_entry_without_a_part_or_a_date_is_named(self):
        self.assertEqual(self.faults(ENTRY), [])
        self.assertEqual(self.faults(ENTRY + "\n## Tried and left\n\n- Another cache.\n"), [])
        self.assertIn("does not begin with its date", self.faults(ENTRY.replace("3 May.", "In May."))[0])
        self.assertIn("needs the part **Why:**", self.faults(ENTRY.replace("**Why:** because.\n\n", ""))[0])
        self.assertIn("needs the part **What would change it:**", self.faults(ENTRY.replace(" a disk.", ""))[0])
        self.assertIn("two entries", self.faults(ENTRY + ENTRY.partition("journal.\n\n")[2])[0])

    def test_anchor_is_the_one_that_a_heading_gets(self):
        self.assertEqual(decisions.anchor("`find`, and 2.5 % of API-hosts"), "find-and-25--of-api-hosts")
