"""The workflows, which only GitHub can run: GitHub accepts them, and between them they build and test everything.

`actionlint` checks them as well where it is installed.
"""

import re
import shutil
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = ROOT / ".github/workflows"
MACOS = WORKFLOWS / "macos.yml"
LINUX = WORKFLOWS / "linux.yml"
PACKAGE = ROOT / "Package.swift"


def listed(workflow, key):
    """The values of a key of the matrix: in brackets, or one on each line."""
    text = workflow.read_text("utf-8")
    inline = re.search(rf"^ +{key}: \[(.*)\]$", text, re.M)
    if inline:
        return [word.strip().strip('"') for word in inline[1].split(",")]
    lines = re.search(rf"^( +){key}:\n((?:\1  - .*\n)+)", text, re.M)
    return [line.strip()[2:] for line in lines[2].splitlines()]


class WorkflowTest(unittest.TestCase):
    def test_every_product_is_built_for_every_system(self):
        products = re.findall(r'\.library\(name: "(\w+)"', PACKAGE.read_text("utf-8"))
        products.remove("CFuzzer")
        self.assertEqual(sorted(products), sorted(listed(MACOS, "product")))
        self.assertEqual(
            ["Mac Catalyst", "iOS", "macOS", "tvOS", "visionOS", "watchOS"], sorted(listed(MACOS, "system")))

    def test_linux_runs_every_part_of_the_tests_with_the_oldest_and_the_newest_swift(self):
        parts = re.search(r'^readonly parts="(.*)"$', (ROOT / "scripts/test").read_text("utf-8"), re.M)[1].split()
        named = [part for group in listed(LINUX, "part") for part in group.split(",")]
        self.assertEqual(sorted(parts), sorted(named))
        oldest = re.search(r"^readonly minimum_swift=(.*)$", (ROOT / "scripts/bootstrap").read_text("utf-8"), re.M)[1]
        self.assertEqual([oldest, "6.3"], listed(LINUX, "swift"))

    def test_linux_does_not_skip_the_tests_of_a_cluster(self):
        text = LINUX.read_text("utf-8")
        self.assertIn('TRIBUTARY_CLUSTER: "1"', text)
        self.assertLess(text.index("run: scripts/bootstrap cluster"), text.index("run: scripts/test"))

    def test_every_file_that_a_workflow_names_exists(self):
        for workflow in (MACOS, LINUX):
            named = re.findall(r"(?<![\w$./])((?:Tests|Sources|scripts|Examples)/[\w./-]+)", workflow.read_text("utf-8"))
            self.assertGreater(len(named), 3)
            for name in named:
                self.assertTrue((ROOT / name.rstrip(".")).exists(), name)

    def test_each_action_is_pinned_to_a_commit_and_says_its_version(self):
        for workflow in sorted(WORKFLOWS.glob("*.yml")):
            actions = re.findall(r"^ +(?:- )?uses: *(.*)$", workflow.read_text("utf-8"), re.M)
            self.assertTrue(actions, workflow.name)
            for action in actions:
                self.assertRegex(action, r"^[\w./-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+$")

    def test_the_shell_of_each_step_and_the_whole_file_are_right(self):
        for workflow in (MACOS, LINUX):
            for step in re.findall(r"^( +)run: \|\n((?:\1  .*\n)+)", workflow.read_text("utf-8"), re.M):
                script = re.sub(r"^ {10}", "", step[1], flags=re.M)
                result = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
                self.assertEqual("", result.stderr)
            if linter := shutil.which("actionlint"):
                result = subprocess.run([linter, str(workflow)], capture_output=True, text=True, check=False)
                self.assertEqual("", result.stdout + result.stderr)
