"""Counting what the runners report, from recorded reports.

    /usr/bin/python3 -m unittest -v scripts/tests/tally_test.py

The files in recorded/ are what Swift 6.3 and Python 3.11 wrote for small suites with every outcome, with the folder
replaced by /clone; times and backtraces are left out of the event streams.
"""

import subprocess
import sys
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[1]
RECORDED = Path(__file__).resolve().parent / "recorded"
sys.path.insert(0, str(SCRIPTS / "support"))

import tally  # noqa: E402


def recorded(name):
    return tally.read_lines(RECORDED / name)


def numbers(count):
    return (count.passed, len(count.failures), count.skipped)


class SwiftTestingTest(unittest.TestCase):
    def test_every_outcome_is_counted_once_for_each_test(self):
        count = tally.count_events(recorded("mixed.jsonl"))
        # Passed: an ordinary one, a known issue, only a warning, one that prints a result line. Failed: two
        # expectations in one test, one of three arguments, a suite that cannot begin and the test in it.
        self.assertEqual(numbers(count), (4, 4, 6))
        self.assertEqual(count.failures, [
            "fails(): SampleTests/Sample.swift:11 Expectation failed: 1 == 2",
            "each argument: SampleTests/Sample.swift:17 Expectation failed: (number → 2) != 2",
            "never runs: did not run",
            "SampleTests.BrokenSuite: SampleTests/Sample.swift:19 Caught error: Broken()",
        ])

    def test_process_that_died_fails_every_test_without_an_end(self):
        count = tally.count_events(recorded("crash.jsonl"))
        self.assertIn("dies: did not end", count.failures)
        self.assertEqual(numbers(count), (0, 11, 3))

    def test_stream_cut_at_any_line_never_passes(self):
        lines = recorded("mixed.jsonl")
        end = next(index for index, line in enumerate(lines) if '"runEnded"' in line)
        for length in range(1, end + 1):
            with self.subTest(length=length):
                self.assertGreater(len(tally.count_events(lines[:length]).failures), 0)

    def test_passing_stream_without_its_end_fails(self):
        lines = [line for line in recorded("mixed.jsonl") if "passes()" in line]
        self.assertEqual(tally.count_events(lines).failures, ["the run broke off after its last test"])

    def test_line_that_is_no_record_is_left_out(self):
        lines = recorded("mixed.jsonl")
        damaged = [*lines[:3], '{"kind":"event","payl', "[]", "null", '{"kind":"event"}', *lines[3:]]
        self.assertEqual(numbers(tally.count_events(damaged)), (4, 4, 6))

    def test_empty_stream_has_no_tests(self):
        self.assertEqual(numbers(tally.count_events([])), (0, 0, 0))


class XCTestTest(unittest.TestCase):
    def test_every_outcome_is_counted_once_for_each_test(self):
        count = tally.count_xctest(recorded("mixed.txt"))
        self.assertEqual(numbers(count), (1, 1, 1))
        self.assertEqual(count.failures, ["OldTests.testFails: failed"])

    def test_test_that_only_started_failed(self):
        lines = [line for line in recorded("mixed.txt") if "testPasses' passed" not in line]
        self.assertIn("OldTests.testPasses: did not end", tally.count_xctest(lines).failures)

    def test_names_of_apple_systems_are_read(self):
        lines = ["Test Case '-[SampleTests.OldTests testPasses]' passed (0.001 seconds)."]
        self.assertEqual(numbers(tally.count_xctest(lines)), (1, 0, 0))


class UnittestTest(unittest.TestCase):
    def test_every_outcome_is_counted_once_for_each_test(self):
        count = tally.count_unittest(recorded("unittest.txt"))
        # Passed: an ordinary one and an expected failure. A test of which two parts fail is one failure.
        self.assertEqual(numbers(count), (2, 5, 1))
        self.assertEqual(count.failures, [
            "setUpClass (sample_test.Broken)",
            "test_breaks (sample_test.Sample.test_breaks)",
            "test_fails (sample_test.Sample.test_fails)",
            "test_parts (sample_test.Sample.test_parts)",
            "test_unexpected (sample_test.Sample.test_unexpected)",
        ])

    def test_passing_run(self):
        self.assertEqual(numbers(tally.count_unittest(["Ran 25 tests in 24.751s", "", "OK"])), (25, 0, 0))
        self.assertEqual(numbers(tally.count_unittest(["Ran 1 test in 0.1s", "", "OK (skipped=1)"])), (0, 0, 1))

    def test_run_without_tests(self):
        self.assertEqual(numbers(tally.count_unittest(["Ran 0 tests in 0.000s", "", "OK"])), (0, 0, 0))
        self.assertEqual(numbers(tally.count_unittest(["Ran 0 tests in 0.000s", "", "NO TESTS RAN"])), (0, 0, 0))

    def test_printed_line_is_no_end(self):
        self.assertEqual(len(tally.count_unittest(["OK", "FAIL: printed"]).failures), 1)
        self.assertEqual(numbers(tally.count_unittest(["OK", "FAIL: printed", "Ran 1 test in 0s", "OK"])), (1, 0, 0))

    def test_failure_that_is_not_named_still_fails(self):
        self.assertEqual(numbers(tally.count_unittest(["Ran 2 tests in 0s", "FAILED (errors=1)"])), (1, 1, 0))

    def test_report_without_a_summary_fails(self):
        lines = recorded("unittest.txt")
        for length in range(len(lines) - 1):
            with self.subTest(length=length):
                self.assertGreater(len(tally.count_unittest(lines[:length]).failures), 0)


class WarningsTest(unittest.TestCase):
    def test_own_warnings_are_listed_once(self):
        warnings = tally.own_warnings(recorded("build.txt") * 2, Path("/clone"))
        self.assertEqual(len(warnings), 4)
        self.assertIn(
            "/clone/Sources/App/App.swift:6:5: warning: 'gone()' is deprecated [#DeprecatedDeclaration]", warnings)
        self.assertTrue(any(warning.startswith("warning: 'clone': found 1 file") for warning in warnings))

    def test_warnings_of_dependencies_are_not_ours(self):
        lines = [line.replace("/clone/", "/clone/.build/checkouts/") for line in recorded("build.txt")]
        self.assertEqual(tally.own_warnings(lines, Path("/elsewhere")), [])
        self.assertEqual(
            [line for line in tally.own_warnings(lines, Path("/clone")) if line.startswith("/")], [])
        self.assertEqual(tally.own_warnings(["warning: 'swift-nio': found 1 file(s)"], Path("/clone")), [])

    def test_clone_in_a_hidden_folder_is_still_ours(self):
        lines = [line.replace("/clone/", "/home/.cache/clone/") for line in recorded("build.txt")]
        self.assertEqual(len(tally.own_warnings(lines, Path("/home/.cache/clone"))), 4)


class CommandTest(unittest.TestCase):
    def run_tally(self, *arguments):
        command = [sys.executable, str(SCRIPTS / "support/tally.py"), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True)

    def test_both_kinds_of_swift_tests_are_added(self):
        run = self.run_tally("swift", "--events", RECORDED / "mixed.jsonl", "--output", RECORDED / "mixed.txt")
        lines = run.stdout.splitlines()
        self.assertEqual((run.returncode, lines[0], len(lines)), (0, "5 5 7", 6))

    def test_missing_stream_counts_nothing(self):
        run = self.run_tally("swift", "--events", RECORDED / "none.jsonl", "--output", RECORDED / "build.txt")
        self.assertEqual((run.returncode, run.stdout), (0, "0 0 0\n"))

    def test_missing_output_is_an_error(self):
        self.assertNotEqual(self.run_tally("unittest", "--output", RECORDED / "none.txt").returncode, 0)


if __name__ == "__main__":
    unittest.main()
