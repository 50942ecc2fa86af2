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

    def assertRefused(self, rule, text):
        status, found = self.check(rule)
        self.assertEqual(status, 1)
        self.assertIn(text, found)

    def test_a_folder_may_only_use_folders_below_it(self):
        self.assertEqual(self.check("Low High"), (0, "Target: edges=1 mutual=0\n"))
        self.assertRefused("High Low", "High lies below Low, but uses it: High → Low: Value")

    def test_every_folder_has_its_place(self):
        self.assertRefused("Low", "High is not in scripts/layers.txt")
        self.assertRefused("Low High None", "None is in scripts/layers.txt, but uses nothing")

    def test_only_a_named_pair_may_know_each_other(self):
        self.assertRefused("Low High Low<>High", "Low and High do not know each other any more")
        self.write("Low/Other.swift", "let page: Page? = nil\n")
        self.assertRefused("Low High", "Low lies below High")
        for pair in ("Low<>High", "High<>Low"):
            self.assertEqual(self.check(f"Low High {pair}"), (0, "Target: edges=2 mutual=1\n"))

    def test_code_counts_and_comments_strings_and_names_of_two_folders_do_not(self):
        self.write("Low/Other.swift", '// Page\n/* Page */ let text = "Page"\n/// A `Page`.\n')
        self.write("Low/Long.swift", 'let long = """\n  Page\n  """\n')
        self.write("Low/State.swift", "enum State {}\nlet page = Optional<State>.none\n")
        self.write("High/State.swift", "enum State {}\n")
        self.assertEqual(self.check("Low High"), (0, "Target: edges=1 mutual=0\n"))
        self.write("Low/Other.swift", 'let text = "a \\(Page.name) b"\n')
        self.assertRefused("Low High", "Low lies below High")
