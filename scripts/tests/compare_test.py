"""scripts/compare: its options, the checkouts that it takes, what it reads, and its table.

Nothing is built here. `scripts/compare` itself takes minutes and a checkout, so it is no part of scripts/test.
"""

import contextlib
import gzip
import io
import itertools
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

SCRIPTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SCRIPTS.parent / "Benchmarks/driver"))

import compare  # noqa: E402

FIGURES = compare.Figures(
    medians=[3.0, 2.5, 9.0], tails=[10.0, 30.0, 20.0], processor=12.34, memory=25_400_000, size=3_210_000, build=41.26,
    promised=2000, survived=1999)

# A client's program that does without a client: it tracks, and may die or stay silent.
PROGRAM = """\
#!{python}
import sys, time
job, host, rounds, calls = sys.argv[1:]
if job == "calls":
    for number in range(int(rounds)):
        print("round", 1500, 20000, flush=True)
    print("tracked", flush=True)
    sys.stdin.readline()
    print("whole", 0.5, 1000000, flush=True)
elif job == "track":
    for number in range(100000):
        print("Event", number, flush=True)
else:
    time.sleep(60)
"""


class CompareTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def main(self, *arguments):
        """Runs the script, and returns its status and both outputs."""
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            try:
                status = compare.main(list(arguments))
            except SystemExit as end:
                status = end.code
        return status, output.getvalue(), errors.getvalue()

    def checkout(self):
        (self.folder / "Package.swift").write_text("")
        return f"analytics-swift={self.folder}"

    def program(self):
        file = self.folder / "Compared"
        file.write_text(PROGRAM.format(python=sys.executable))
        file.chmod(0o755)
        return file

    def test_help_and_list_say_what_can_be_compared(self):
        run = subprocess.run([SCRIPTS / "compare", "--help"], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(run.returncode, 0)
        self.assertIn("--client NAME=FOLDER", run.stdout)
        self.assertEqual(self.main("--list")[:2], (0, "analytics-swift\ntributary\n"))

    def test_wrong_options_are_refused(self):
        for arguments, part in (
                ([], "--client"), (["--client", "analytics-swift"], "NAME=FOLDER"), (["--client", "=x"], "NAME=FOLDER"),
                (["--fast"], "--fast"), (["--client"], "--client")):
            status, output, errors = self.main(*arguments)
            self.assertEqual((status, output), (64, ""), arguments)
            self.assertIn(part, errors)

    def test_checkout_that_is_missing_is_named(self):
        for client, part in (
                ("analytics-swift=/nowhere", "/nowhere"), (f"analytics-swift={self.folder}", "no Package.swift"),
                (f"unknown={self.folder}", "there is no client unknown")):
            status, output, errors = self.main("--client", client)
            self.assertEqual((status, output), (1, ""), client)
            self.assertIn(part, errors)

    def test_client_that_does_not_build_is_named_with_the_reason(self):
        def fail(*_):
            raise compare.size.Failed("error: no such module")

        with mock.patch.object(compare, "subject", lambda name, folder: compare.Subject(
                "analytics-swift", self.folder, "Segment", "")), mock.patch.object(compare.size, "build", fail):
            status, output, errors = self.main("--client", self.checkout())
        self.assertEqual((status, output), (1, ""))
        self.assertIn("compare: analytics-swift does not build", errors)
        self.assertIn("no such module", errors)

    def test_table_has_a_row_for_each_client_and_says_what_differs(self):
        with mock.patch.object(compare, "measure", lambda client, mirrors, amount: FIGURES):
            status, output, _ = self.main("--client", self.checkout(), "--json", str(self.folder / "out.json"))
        self.assertEqual(status, 0)
        head, line, own, other = output.splitlines()
        self.assertEqual(len({row.count("|") for row in (head, line, own, other)}), 1)
        self.assertTrue(own.startswith(
            "| tributary | 3.0 µs | 20.0 µs | 12.3 µs | 25.4 MB | 3.21 MB | 41.3 s | 99.9 % of 2000 | "), own)
        self.assertTrue(other.startswith("| analytics-swift | 3.0 µs"), other)
        self.assertIn("until then events are in memory", other)
        self.assertEqual(json.loads((self.folder / "out.json").read_text())["tributary"]["survived"], 1999)

    def test_package_has_the_clients_product_and_one_program_for_all(self):
        for name in compare.known_clients():
            client = compare.subject(name, self.checkout().partition("=")[2])
            folder = self.folder / name
            folder.mkdir()
            compare.write_package(folder, client, [])
            manifest = (folder / "Package.swift").read_text()
            self.assertIn(f'.product(name: "{client.product}", package: "client")', manifest)
            self.assertIn(f'path: "{client.folder}"', manifest)
            self.assertIn(f"import {client.product}", (folder / "Sources/With/main.swift").read_text())
            self.assertIn(f"import {client.product}", (folder / "Sources/Compared/Client.swift").read_text())
            self.assertNotIn(f"import {client.product}", (folder / "Sources/Without/main.swift").read_text())

    def test_lines_of_a_program_are_read(self):
        figures, answers = compare.Figures(), []
        lines = ["round 1500 20000", "round 2500 30000", "tracked", "whole 0.25 5000", "more"]
        compare.read_calls(iter(lines), figures, lambda: answers.append(1))
        self.assertEqual((figures.medians, figures.tails, answers), ([1.5, 2.5], [20.0, 30.0], [1]))
        self.assertEqual((figures.processor, figures.memory), (0.25, 5000))
        with self.assertRaisesRegex(compare.Failed, "ended"):
            compare.read_calls(iter(lines[:2]), compare.Figures(), lambda: None)

    def test_calls_are_measured_until_the_server_has_the_events(self):
        figures = compare.Figures()
        with mock.patch.object(compare, "wait_for_events", lambda server, wanted: ["Call"] * wanted):
            compare.measure_calls(self.program(), self.folder, figures, 2, 100)
        self.assertEqual((figures.medians, figures.tails, figures.memory), ([1.5, 1.5], [20.0, 20.0], 1_000_000))
        self.assertEqual(figures.processor, 2500)

    def test_only_events_that_arrive_after_the_death_survive(self):
        figures = compare.Figures()
        with mock.patch.object(compare, "wait_for_events", lambda server, wanted, last: ["Event 0", last, "Event 0"]), \
                mock.patch.object(compare.random.Random, "uniform", lambda *_: 0.05):
            compare.measure_survival(self.program(), self.folder, figures, 2)
        self.assertEqual(figures.survived, 2)
        self.assertGreater(figures.promised, 2)

    def test_bodies_that_are_no_json_count_as_nothing(self):
        server = mock.MagicMock(bodies=[
            (b'{"batch": [{"event": "A"}, {"type": "identify"}]}', False), (b'{"batch": [{"event": "B"', False), (b"no gzip", True),
            (gzip.compress(b'{"batch": [{"event": "C"}]}'), True), (b"[]", False)])
        self.assertEqual(compare.events_of(server), ["A", None, "C"])

    def test_waiting_ends_with_silence_only_after_the_last_event(self):
        server = mock.MagicMock(bodies=[(b'{"batch": [{"event": "A"}]}', False)])
        for last, seconds in ((None, compare.SILENCE), ("A", compare.SILENCE), ("Next", compare.PATIENCE)):
            clock = itertools.count()
            with mock.patch.object(compare, "time", mock.Mock(monotonic=lambda: next(clock))):
                self.assertEqual(compare.wait_for_events(server, 5, last=last), ["A"])
            # Each look reads the clock two or three times, and the clock goes on by a second each time.
            self.assertGreater(next(clock), seconds)
            if seconds == compare.SILENCE:
                self.assertLess(next(clock), compare.PATIENCE / 2)

    def test_program_that_dies_at_once_is_an_error(self):
        with mock.patch.object(compare, "LoopbackServer"), self.assertRaisesRegex(compare.Failed, "first event"):
            compare.kill_while_tracking(
                "/bin/true", self.folder, mock.Mock(host="http://127.0.0.1:1/v1"), 0)


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)
    unittest.main()
