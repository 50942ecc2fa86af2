"""scripts/release: its refusals, its output and its tag, in a repository of its own.

    /usr/bin/python3 -m unittest -v scripts/tests/release_test.py
"""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("release", str(ROOT / "scripts/release"))
release = importlib.util.module_from_spec(importlib.util.spec_from_loader("release", loader))
loader.exec_module(release)

CHANGELOG = "# Changelog\n\n## 0.2.0 (unreleased)\n\n### For apps\n\n- **New**: a thing.\n# a line that git takes for a comment\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n"
# Stands in for the build: the files that scripts/package makes, with its options.
PACKAGE = """#!/bin/sh
while [ $# -gt 0 ]; do case $1 in --output) mkdir -p "$2"; echo "abc  tributary.deb" >"$2/SHA256SUMS" ;; esac; shift; done
"""


class ReleaseTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-release-")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.git("init", "--quiet", "--initial-branch=main")
        for place in release.version.PLACES:
            (self.root / place).parent.mkdir(parents=True)
            shutil.copy(ROOT / place, self.root / place)
        release.version.write(self.root, "0.1.0")
        self.write("docs/api/One.txt", "class A\nfunc b()\n")
        self.write("CHANGELOG.md", CHANGELOG)
        self.write(".gitignore", ".build-*/\n")
        self.write("scripts/package", PACKAGE)
        (self.root / "scripts/package").chmod(0o755)
        self.commit()
        self.git("tag", "0.1.0")

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def git(self, *words):
        return subprocess.run(
            ["git", "-C", str(self.root), "-c", "user.name=A", "-c", "user.email=a@example.com", *words], capture_output=True,
            text=True, check=True).stdout

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "A change")

    def prepare(self, number="0.2.0"):
        """As a person would: sets the version, commits, and runs the tests."""
        self.run_release(number, "--set-version")
        self.write(f"Tests/Golden/{number}/expected.json", "{}")
        self.commit()
        self.result(commit=self.git("rev-parse", "HEAD").strip())

    def result(self, **members):
        members = {"parts": "all", "passed": "5", "failed": "0", "skipped": "1"} | members
        self.write(".build-logs/result", "".join(f"{name}={value}\n" for name, value in members.items()))

    def run_release(self, *arguments):
        names = {"GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.com"}
        with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(io.StringIO()) as errors, \
                mock.patch.dict(os.environ, names):
            status = release.main(list(arguments), root=self.root)
        return status, output.getvalue(), errors.getvalue()

    def problems(self, *arguments):
        status, output, _ = self.run_release(*arguments)
        found = [line.split()[1].rstrip(":") for line in output.splitlines() if line.startswith("  problem")]
        self.assertEqual(1 if found else 0, status, output)
        return found

    def test_a_dry_run_says_what_it_would_do_and_changes_nothing(self):
        self.prepare()
        status, output, _ = self.run_release("0.2.0")
        self.assertEqual(0, status, output)
        self.assertIn("make the annotated tag 0.2.0", output)
        self.assertFalse((self.root / ".build-packages").exists())
        self.assertEqual("0.1.0\n", self.git("tag"))

    def test_a_tag_has_the_changes_and_the_checksums(self):
        self.prepare()
        status, output, errors = self.run_release("0.2.0", "--tag")
        self.assertEqual(0, status, output + errors)
        text = self.git("tag", "--list", "--format=%(contents)", "0.2.0")
        for part in ("Tributary 0.2.0", "### For apps", "- **New**: a thing.", "# a line that git takes for a comment", "abc  tributary.deb"):
            self.assertIn(part, text)
        self.assertNotIn("Old", text)
        self.assertEqual(self.git("rev-parse", "HEAD"), self.git("rev-parse", "0.2.0^{commit}"))

    def test_making_packages_makes_no_tag(self):
        self.prepare()
        self.assertEqual(0, self.run_release("0.2.0", "--make")[0])
        self.assertTrue((self.root / ".build-packages/0.2.0/message").exists())
        self.assertEqual("0.1.0\n", self.git("tag"))

    def test_each_thing_that_is_not_right_is_named_and_stops_the_tag(self):
        self.assertEqual(["version", "changelog", "golden", "tests"], self.problems("0.2.0"))
        self.prepare()
        self.write("new", "")
        self.assertEqual(["tree"], self.problems("0.2.0", "--tag"))
        self.assertEqual("0.1.0\n", self.git("tag"))
        (self.root / "new").unlink()
        self.assertEqual(["version", "golden"], self.problems("0.1.0", "--skip-tests"))
        status, output, errors = self.run_release("0.3", "--tag")
        self.assertEqual((1, ""), (status, output))
        self.assertIn("0.3 is no semantic version", errors)

    def test_tests_count_only_for_this_commit_all_parts_and_without_a_failure(self):
        self.prepare()
        head = self.git("rev-parse", "HEAD").strip()
        for members in ({"commit": head, "failed": "1"}, {"commit": head, "parts": "some: root "}, {"commit": head + "-changed"}):
            self.result(**members)
            self.assertEqual(["tests"], self.problems("0.2.0"), members)
            self.assertEqual([], self.problems("0.2.0", "--skip-tests"))

    def test_a_change_of_the_api_that_breaks_apps_needs_a_new_minor_version_before_one_and_a_major_one_afterwards(self):
        self.write("docs/api/One.txt", "class A\nfunc b(c: Int)\n")
        self.write("CHANGELOG.md", CHANGELOG.replace("## 0.2.0", "## 0.1.1"))
        self.commit()
        self.prepare("0.1.1")
        self.assertEqual(["api"], self.problems("0.1.1"))
        self.assertIn("such as func b(): that needs a new minor version", self.run_release("0.1.1")[1])
        self.write("CHANGELOG.md", CHANGELOG)
        self.commit()
        self.prepare()
        self.assertEqual([], self.problems("0.2.0"))
        steps = [release.needed_step(before, *change) for before in ("0.3.1", "1.3.1") for change in ([1, 0], [0, 1], [0, 0])]
        self.assertEqual([1, 2, 2, 0, 1, 2], steps)


if __name__ == "__main__":
    unittest.main()
