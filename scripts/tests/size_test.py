"""scripts/size: its options, its lines, what it compares, and its exit status.

Nothing is built here. `scripts/size` itself takes minutes, so it is no part of scripts/test.
"""

import contextlib
import io
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

SCRIPTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SCRIPTS.parent / "Benchmarks/driver"))

import size  # noqa: E402
from promise import Measurement  # noqa: E402


class SizeTest(unittest.TestCase):
    def main(self, *arguments, added=1_000_000, seconds=20):
        """Runs the script with figures that stand in for its builds."""
        output, errors = io.StringIO(), io.StringIO()
        with mock.patch.object(size, "measure_size", lambda folder: (Measurement(added), [(".text", 12)])), \
                mock.patch.object(size, "measure_build", lambda folder: Measurement(seconds)), \
                contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            status = size.main(list(arguments))
        return status, output.getvalue().splitlines(), errors.getvalue()

    def test_lines_and_status_say_which_promise_is_met(self):
        status, lines, _ = self.main()
        self.assertEqual(status, 0)
        for line, name in zip(lines, ("client-size value=1000000 unit=bytes", "client-build value=20 unit=s"), strict=True):
            self.assertRegex(line, rf"^promise: {name} floor=- ratio=- goal=<=\d+ met=yes$")
        self.assertEqual(self.main(added=10_000_000)[0], 1)
        self.assertEqual(self.main(seconds=1000)[0], 1)

    def test_options_are_read(self):
        _, lines, _ = self.main("--sections")
        self.assertEqual([line.split()[0] for line in lines], ["12", "promise:"])
        status, lines, errors = self.main("--fast")
        self.assertEqual((status, lines), (64, []))
        self.assertIn("--fast", errors)
        run = subprocess.run([SCRIPTS / "size", "--help"], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(run.returncode, 0)
        self.assertIn("--sections", run.stdout)

    def test_build_that_fails_says_why(self):
        def fail(folder):
            raise size.Failed("no such module")

        with mock.patch.object(size, "measure_size", fail), contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(size.main([]), 1)
        self.assertIn("no such module", errors.getvalue())

    def test_sections_are_compared_by_name(self):
        rows = {"a": {".text": 100, ".data": 7}, "b": {".text": 350, ".data": 7, ".eh_frame": 40}}
        with mock.patch.object(size, "sections", lambda program: rows[program]):
            self.assertEqual(size.added_sections("a", "b"), [(".text", 250), (".eh_frame", 40)])

    def test_both_programs_differ_by_the_client_only(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            size.write_package(folder)
            without = (folder / "Sources/Without/main.swift").read_text().splitlines()
            with_client = (folder / "Sources/With/main.swift").read_text().splitlines()
        self.assertEqual([line for line in without if line not in with_client], [])
        self.assertIn("import Tributary", with_client)
