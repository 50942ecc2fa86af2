"""Tests of scripts/layers: what it takes for a use, and what it refuses."""

import contextlib
import importlib.machinery
import importlib.util
import io
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "layers"
loader = importlib.machinery.SourceFileLoader("layers", str(SCRIPT))
layers = importlib.util.module_from_spec(importlib.util.spec_from_loader("layers", loader))
loader.exec_module(layers)


class LayersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-layers-")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "scripts").mkdir()
        self.write("Low/Value.swift", "package final class Value {}\n")
        self.write("High/Page.swift", "struct Page { let value: Value }\n")

    def write(self, path, text):
        file = self.root / "Target" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def check(self, rule):
        (self.root / "scripts/layers.txt").write_text(f"# a comment\n\nTarget {rule}\n")
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            status = layers.check(self.root)
        return status, output.getvalue() + errors.getvalue()

    def test_folder_may_use_what_lies_below_it(self):
        self.assertEqual(self.check("Low High"), (0, "Target: edges=1 mutual=0\n"))

    def test_folder_may_not_use_what_lies_above_it(self):
        status, text = self.check("High Low")
        self.assertEqual(status, 1)
        self.assertIn("High lies below Low, but uses it: High → Low: Value", text)

    def test_every_folder_has_its_place(self):
        status, text = self.check("Low")
        self.assertEqual(status, 1)
        self.assertIn("High is not in scripts/layers.txt", text)
        status, text = self.check("Low High None")
        self.assertEqual(status, 1)
        self.assertIn("None is in scripts/layers.txt, but uses nothing", text)

    def test_pair_that_is_named_may_know_each_other(self):
        self.write("Low/Other.swift", "let page: Page? = nil\n")
        self.assertEqual(self.check("Low High")[0], 1)
        for pair in ("Low<>High", "High<>Low"):
            self.assertEqual(self.check(f"Low High {pair}"), (0, "Target: edges=2 mutual=1\n"))

    def test_named_pair_that_does_not_know_each_other_is_refused(self):
        status, text = self.check("Low High Low<>High")
        self.assertEqual(status, 1)
        self.assertIn("Low and High do not know each other any more", text)

    def test_comments_strings_and_names_of_two_folders_are_no_use(self):
        self.write("Low/Other.swift", '// Page\n/* Page */ let text = "Page"\n/// A `Page`.\n')
        self.write("Low/Long.swift", 'let long = """\n  Page\n  """\n')
        self.write("Low/State.swift", "enum State {}\nlet page = Optional<State>.none\n")
        self.write("High/State.swift", "enum State {}\n")
        self.assertEqual(self.check("Low High"), (0, "Target: edges=1 mutual=0\n"))

    def test_interpolations_are_uses(self):
        self.write("Low/Other.swift", 'let text = "a \\(Page.name) b"\n')
        self.assertEqual(self.check("Low High")[0], 1)
