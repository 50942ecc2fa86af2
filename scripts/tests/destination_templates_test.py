"""The guide to the templates of destinations names what the scripts have."""

import json
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted(folder for folder in (ROOT / "Workspace/Templates/destinations").iterdir() if folder.is_dir())
GUIDE = (ROOT / "docs/guides/destination-templates.md").read_text(encoding="utf-8")


def rows(guide):
    """The cells behind a template's name, for each table of the guide that has it."""
    found = {}
    for line in guide.splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split("|")] if line.startswith("| `") else []
        if cells:
            found.setdefault(cells[0].strip("`"), []).append(cells[1:])
    return found


def names(text):
    return set(re.findall(r"`(\w+)`", text))


def hosts(script):
    """The hosts of a script as the guide writes them."""
    listed = re.search(r"static hosts = \[([^\]]*)\];", script)[1]
    return ", ".join(re.findall(r'"([^"]+)"', listed)).replace("{endpoint}", "that of `endpoint`")


class DestinationTemplatesTests(unittest.TestCase):
    def test_the_guide_has_each_template_in_each_table(self):
        found = {name: len(cells) for name, cells in rows(GUIDE).items()}
        scripts = {folder.name: 3 for folder in TEMPLATES}
        # The template without a service is written elsewhere, and may not be there yet.
        self.assertEqual(found | {"segment-compatible": 3}, scripts | {"segment-compatible": 3})

    def test_the_guide_has_what_a_script_declares(self):
        for folder in TEMPLATES:
            script = (folder / "function.js").read_text(encoding="utf-8")
            (_, batch), (settings, secrets, reached), _ = rows(GUIDE)[folder.name]
            with self.subTest(folder.name):
                self.assertEqual(names(settings), set(re.findall(r"\bsettings\.(\w+)", script)) | endpoint(script))
                self.assertEqual(names(secrets.split(",")[0]), set(re.findall(r'\bsecret\("(\w+)"\)', script)))
                self.assertEqual(reached, hosts(script))
                together = re.search(r"static batchEvents = (\d+);", script)
                self.assertEqual(batch, together[1] if together else "1")

    def test_a_script_says_where_it_was_read(self):
        for folder in TEMPLATES:
            if folder.name == "segment-compatible":
                continue
            header = (folder / "function.js").read_text(encoding="utf-8").split("\n\n")[0]
            with self.subTest(folder.name):
                self.assertRegex(header, r"Read from:? ")
                self.assertRegex(header, r"https://")
                self.assertRegex(header.replace("\n// ", " "), r"Not tried against (the|a) service\.")

    def test_vectors_have_their_form(self):
        for folder in TEMPLATES:
            vectors = json.loads((folder / "vectors.json").read_text(encoding="utf-8"))
            titles = [vector["name"] for vector in vectors]
            with self.subTest(folder.name):
                self.assertEqual(len(titles), len(set(titles)))
                for vector in vectors:
                    judged = {"answers", "outcomes"} & set(vector)
                    self.assertEqual(set(vector) - {"requests", "error"} - judged, {"name", "settings", "events"})
                    self.assertIn(len(judged), (0, 2))
                    self.assertEqual(len({"requests", "error"} & set(vector)), 1)


def endpoint(script):
    return {"endpoint"} if '"{endpoint}"' in script else set()


if __name__ == "__main__":
    unittest.main()
