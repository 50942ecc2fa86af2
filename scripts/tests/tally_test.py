"""Counting what the runners report, from recorded reports.

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
        lines = recorded("mixed.jsonl")
        damaged = [*lines[:3], '{"kind":"event","payl', "[]", "null", '{"kind":"event"}', *lines[3:]]
        self.assertEqual(str(tally.count_events(damaged)), str(count))

    def test_a_process_that_died_fails_every_test_without_an_end(self):
        count = tally.count_events(recorded("crash.jsonl"))
        self.assertIn("dies: did not end", count.failures)
        self.assertEqual(numbers(count), (0, 11, 3))

    def test_a_stream_without_its_end_never_passes(self):
        lines = recorded("mixed.jsonl")
        end = next(index for index, line in enumerate(lines) if '"runEnded"' in line)
        for length in range(1, end + 1):
            self.assertGreater(len(tally.count_events(lines[:length]).failures), 0, length)
        passing = [line for line in lines if "passes()" in line]
        self.assertEqual(tally.count_events(passing).failures, ["the run broke off after its last test"])


class XCTestTest(unittest.TestCase):
    def test_every_outcome_is_counted_once_for_each_test(self):
        lines = recorded("mixed.txt")
        count = tally.count_xctest(lines)
        self.assertEqual(numbers(count), (1, 1, 1))
        self.assertEqual(count.failures, ["OldTests.testFails: failed"])
        unended = [line for line in lines if "testPasses' passed" not in line]
        self.assertIn("OldTests.testPasses: did not end", tally.count_xctest(unended).failures)
        apple = ["Test Case '-[SampleTests.OldTests testPasses]' passed (0.001 seconds)."]
        self.assertEqual(numbers(tally.count_xctest(apple)), (1, 0, 0))


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

    def test_the_summary_counts_and_a_printed_line_does_not(self):
        for lines, expected in [
            (["Ran 25 tests in 24.751s", "", "OK"], (25, 0, 0)),
            (["Ran 1 test in 0.1s", "", "OK (skipped=1)"], (0, 0, 1)),
            (["Ran 0 tests in 0.000s", "", "NO TESTS RAN"], (0, 0, 0)),
            (["OK", "FAIL: printed"], (0, 1, 0)),
            (["OK", "FAIL: printed", "Ran 1 test in 0s", "OK"], (1, 0, 0)),
            (["Ran 2 tests in 0s", "FAILED (errors=1)"], (1, 1, 0)),
            (["======", "UNEXPECTED SUCCESS: a (A)", "UNEXPECTED SUCCESS: b (A)", "Ran 2 tests in 0s", "FAILED (unexpected successes=2)"],
             (0, 2, 0)),
        ]:
            with self.subTest(lines=lines):
                self.assertEqual(numbers(tally.count_unittest(lines)), expected)

    def test_the_reports_of_several_files_add_up(self):
        files = ["@@ a_test.py", "Ran 2 tests in 0s", "OK", "", "@@ b_test.py", "Ran 1 test in 0s", "OK (skipped=1)", ""]
        end = ["@@", "a_test.py: 1 s", "b_test.py: 2 s"]
        for lines, expected in [
            (files + end, (2, 0, 1)),
            (files, (2, 1, 0)),
            (files[:5] + end, (2, 1, 0)),
            (files + ["@@ c_test.py: no test ran", "Ran 0 tests in 0s", "OK"] + end, (2, 1, 1)),
        ]:
            with self.subTest(lines=lines):
                self.assertEqual(numbers(tally.count_unittest(lines)), expected)

    def test_a_report_without_a_summary_fails(self):
        lines = recorded("unittest.txt")
        for length in range(len(lines) - 1):
            self.assertGreater(len(tally.count_unittest(lines[:length]).failures), 0, length)


class WarningsTest(unittest.TestCase):
    def test_own_warnings_are_listed_once_wherever_the_clone_is(self):
        for clone in ("/clone", "/home/.cache/clone"):
            lines = [line.replace("/clone/", f"{clone}/") for line in recorded("build.txt")]
            warnings = tally.own_warnings(lines * 2, Path(clone))
            self.assertEqual(len(warnings), 4)
            self.assertIn(f"{clone}/Sources/App/App.swift:6:5: warning: 'gone()' is deprecated [#DeprecatedDeclaration]", warnings)
            self.assertTrue(any(warning.startswith("warning: 'clone': found 1 file") for warning in warnings))

    def test_warnings_of_dependencies_are_not_ours(self):
        lines = [line.replace("/clone/", "/clone/.build/checkouts/") for line in recorded("build.txt")]
        self.assertEqual(tally.own_warnings(lines, Path("/elsewhere")), [])
        self.assertEqual([line for line in tally.own_warnings(lines, Path("/clone")) if line.startswith("/")], [])
        self.assertEqual(tally.own_warnings(["warning: 'swift-nio': found 1 file(s)"], Path("/clone")), [])


class CommandTest(unittest.TestCase):
    def test_the_command_adds_both_kinds_of_swift_tests_and_needs_an_output(self):
        for arguments, status, first, count in [
            (("swift", "--events", RECORDED / "mixed.jsonl", "--output", RECORDED / "mixed.txt"), 0, ["5 5 7"], 6),
            (("swift", "--events", RECORDED / "none.jsonl", "--output", RECORDED / "build.txt"), 0, ["0 0 0"], 1),
            (("unittest", "--output", RECORDED / "none.txt"), 1, [], 0),
        ]:
            with self.subTest(arguments=arguments):
                run = subprocess.run(
                    [sys.executable, SCRIPTS / "support/tally.py", *arguments], capture_output=True, text=True, check=False)
                lines = run.stdout.splitlines()
                self.assertEqual((run.returncode, lines[:1], len(lines)), (status, first, count))
