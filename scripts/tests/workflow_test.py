"""The workflow for Apple's systems, which nobody here can run: it is what GitHub takes, and it builds every product.

    /usr/bin/python3 -m unittest -v scripts/tests/workflow_test.py

`actionlint` looks at it as well where that is installed.
"""

import re
import shutil
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = ROOT / ".github/workflows/macos.yml"
PACKAGE = ROOT / "Package.swift"


def listed(key):
    """What stands under a key of the matrix: in brackets, or one a line."""
    text = WORKFLOW.read_text("utf-8")
    inline = re.search(rf"^ +{key}: \[(.*)\]$", text, re.M)
    if inline:
        return [word.strip() for word in inline[1].split(",")]
    lines = re.search(rf"^( +){key}:\n((?:\1  - .*\n)+)", text, re.M)
    return [line.strip()[2:] for line in lines[2].splitlines()]


class WorkflowTest(unittest.TestCase):
    def test_every_product_is_built_for_every_system(self):
        products = re.findall(r'\.library\(name: "(\w+)"', PACKAGE.read_text("utf-8"))
        products.remove("CFuzzer")
        self.assertEqual(sorted(products), sorted(listed("product")))
        self.assertEqual(["iOS", "macOS", "tvOS", "visionOS", "watchOS"], sorted(listed("system")))

    def test_every_file_that_it_names_is_there(self):
        named = re.findall(r"(?<![\w$./])((?:Tests|Sources|scripts)/[\w./-]+)", WORKFLOW.read_text("utf-8"))
        self.assertGreater(len(named), 3)
        for name in named:
            self.assertTrue((ROOT / name).exists(), name)

    def test_its_shell_is_right(self):
        for step in re.findall(r"^( +)run: \|\n((?:\1  .*\n)+)", WORKFLOW.read_text("utf-8"), re.M):
            script = re.sub(r"^ {10}", "", step[1], flags=re.M)
            result = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
            self.assertEqual("", result.stderr)

    def test_a_workflow_linter_takes_it(self):
        linter = shutil.which("actionlint")
        if linter is None:
            self.skipTest("there is no actionlint")
        result = subprocess.run([linter, str(WORKFLOW)], capture_output=True, text=True, check=False)
        self.assertEqual("", result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
