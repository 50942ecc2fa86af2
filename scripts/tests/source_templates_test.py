"""The guide to source functions names what the templates have."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted(folder for folder in (ROOT / "Workspace/Templates/sources").iterdir() if folder.is_dir())
GUIDE = (ROOT / "docs/guides/source-functions.md").read_text(encoding="utf-8")


class SourceTemplatesTest(unittest.TestCase):
    def test_each_template_has_a_row(self):
        rows = re.findall(r"^\| `([a-z-]+)` \| every event", GUIDE, re.MULTILINE)
        self.assertEqual(sorted(rows), [folder.name for folder in TEMPLATES])

    def test_the_first_lines_say_what_is_skipped_and_what_was_read(self):
        for folder in TEMPLATES:
            with self.subTest(folder.name):
                code = (folder / "function.js").read_text(encoding="utf-8")
                comment = code.split("\nclass ")[0]
                for words in ["// Skipped: ", "The message id is ", "// Read from: ", "Not tried against the service."]:
                    self.assertIn(words, comment)

    def test_the_guide_names_each_setting(self):
        for folder in TEMPLATES:
            with self.subTest(folder.name):
                code = (folder / "function.js").read_text(encoding="utf-8")
                settings = re.search(r"static settings = \{\n(.*?)\n  \};", code, re.DOTALL)[1]
                for name in re.findall(r"^    (\w+): \{", settings, re.MULTILINE):
                    self.assertIn(name, GUIDE)


if __name__ == "__main__":
    unittest.main()
