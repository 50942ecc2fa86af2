"""Files of Python tests that run side by side."""

import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

LANES = Path(__file__).resolve().parents[1] / "support/lanes.py"
PATIENCE = 60
HEAD = "import pathlib, time, unittest\nclass One(unittest.TestCase):\n"


class LanesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-lanes-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, body):
        (self.folder / f"{name}_test.py").write_text(f"{HEAD}    def test_{name}(self): {body}\n")
        return f"{name}_test.py"

    def start(self, *arguments):
        return subprocess.Popen(
            [sys.executable, LANES, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run_lanes(self, *arguments):
        process = self.start(*arguments)
        output, _ = process.communicate(timeout=PATIENCE)
        return process.returncode, output.splitlines()

    def test_two_files_run_at_a_time_and_failures_come_last(self):
        # Each waits for the other.
        wait = "[pathlib.Path('{0}').touch(), [time.sleep(0.01) for _ in iter(pathlib.Path('{1}').exists, True)], {2}]"
        files = [self.file("a", wait.format("a", "b", "self.fail('no')")), self.file("b", wait.format("b", "a", "1"))]
        status, lines = self.run_lanes(*files)
        self.assertEqual(status, 1)
        self.assertLess(lines.index("@@ b_test.py"), lines.index("@@ a_test.py"))
        self.assertEqual(lines[-1], "@@")
        self.assertEqual({line.split(":")[0] for line in lines[:2]}, set(files))

    def test_a_file_without_a_test_fails_unless_some_tests_were_chosen(self):
        files = [self.file("a", "pass"), self.file("b", "pass")]
        self.assertEqual(self.run_lanes(*files)[0], 0)
        self.assertEqual(self.run_lanes("--only", "test_a", *files)[0], 0)
        (self.folder / "b_test.py").write_text("")
        status, lines = self.run_lanes(*files)
        self.assertEqual(status, 1)
        self.assertIn("@@ b_test.py: no test ran", lines)

    def test_a_run_that_is_ended_shows_which_test_hung(self):
        process = self.start(self.file("hangs", f"[pathlib.Path('began').touch(), time.sleep({PATIENCE})]"), self.file("b", "pass"))
        while process.poll() is None and not (self.folder / "began").exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertIn("@@ hangs_test.py\ntest_hangs", output)
        self.assertNotEqual(output.splitlines()[-1], "@@")


if __name__ == "__main__":
    unittest.main()
