"""check_page.cjs finds the mistakes that it is for."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPT = REPOSITORY / "scripts/support/check_page.cjs"


class CheckPageTest(unittest.TestCase):
    def setUp(self):
        if shutil.which("node") is None:
            self.skipTest("node is not installed")
        has_compiler = Path("/usr/share/nodejs/typescript").is_dir() or subprocess.run(
            ["node", "-e", "require.resolve('typescript')"], capture_output=True, env=os.environ).returncode == 0
        if not has_compiler:
            self.skipTest("node-typescript is not installed")

    def check(self, text):
        """The lines that the script prints about a file, without its path."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "page.js").write_text(text)
            run = subprocess.run(["node", SCRIPT, folder], capture_output=True, text=True, timeout=60)
        self.assertEqual(run.stderr, "")
        self.assertIn(run.returncode, (0, 1))
        return [line.split("page.js:", 1)[1] for line in run.stdout.splitlines() if "page.js:" in line]

    def test_a_promise_that_nothing_waits_for_is_found(self):
        found = self.check("async function work() {}\nwork();\nsetTimeout(() => work(), 1);\nawait work();\nwork().catch(() => {});\nexport {};\n")
        self.assertEqual([line.split(":")[0] for line in found], ["2", "3"])

    def test_names_and_modules_that_do_not_exist_are_found(self):
        found = self.check("import { gone } from './other.js';\nmissing(gone);\n")
        self.assertEqual([line.split(":")[0] for line in found], ["1", "2"])


if __name__ == "__main__":
    unittest.main()
