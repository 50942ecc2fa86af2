"""scripts/bench: its options, its lines, what counts as met, and its exit status.

    /usr/bin/python3 -m unittest -v scripts/tests/bench_test.py

Nothing is measured here: benchmarks stand in that return what a test chose. That the real ones run is shown by
`scripts/bench --smoke`.
"""

import contextlib
import gzip
import importlib.util
import io
import json
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.request
from pathlib import Path
from unittest import mock

SCRIPTS = Path(__file__).resolve().parents[1]
DRIVER = SCRIPTS.parent / "Benchmarks/driver"
sys.path.insert(0, str(DRIVER))

import bench  # noqa: E402
import energy_group  # noqa: E402
import record  # noqa: E402
import steadiness  # noqa: E402
from loopback import LoopbackServer  # noqa: E402
from promise import (  # noqa: E402
    Answer, AtLeast, AtMost, Benchmark, Measurement, MoreAtMost, Promise, RatioAtMost, Result, TailAtMost, Unavailable,
    number, results)

specification = importlib.util.spec_from_file_location("driver", DRIVER / "__main__.py")
driver = importlib.util.module_from_spec(specification)
specification.loader.exec_module(driver)

LINE = re.compile(r"promise: \S+ value=\S+ unit=\S+ floor=\S+ ratio=\S+ goal=\S+ met=(yes|no|unknown)")


def result(goal, value, floor=None, details=None, objection=None):
    return Result(Promise("name", "us", goal, "text"), Measurement(value, floor, details or {}, objection))


class GoalTest(unittest.TestCase):
    def assertMet(self, goal, *measured, **more):
        self.assertTrue(result(goal, *measured, **more).is_met)

    def assertMissed(self, goal, *measured, **more):
        self.assertFalse(result(goal, *measured, **more).is_met)

    def test_limits_themselves_are_met(self):
        self.assertMet(AtMost(10), 10)
        self.assertMissed(AtMost(10), 10.001)
        self.assertMet(AtLeast(100), 100)
        self.assertMissed(AtLeast(100), 99.999)

    def test_ratio_needs_a_floor(self):
        self.assertMet(RatioAtMost(10), 5, 0.5)
        self.assertMissed(RatioAtMost(10), 5.1, 0.5)
        self.assertMissed(RatioAtMost(10), 5)
        self.assertMissed(RatioAtMost(10), 5, 0)

    def test_difference_to_the_floor(self):
        self.assertMet(MoreAtMost(2), 22, 20)
        self.assertMissed(MoreAtMost(2), 22.5, 20)
        self.assertMissed(MoreAtMost(2), 22.5)

    def test_tail_may_be_stretched_as_much_as_that_of_the_floor(self):
        details = {"median": 3, "floorMedian": 1}
        self.assertMet(TailAtMost(1.25), 15, 4, details)
        self.assertMissed(TailAtMost(1.25), 15.1, 4, details)
        self.assertMet(TailAtMost(1.25), 30, 8, details)

    def test_objection_is_not_met_however_good_the_value(self):
        self.assertMissed(AtMost(10), 1, objection="only 5 events wait")


class LineTest(unittest.TestCase):
    def test_line_has_the_promised_form(self):
        self.assertEqual(
            result(RatioAtMost(10), 3.456789, 0.5).line(),
            "promise: name value=3.457 unit=us floor=0.5 ratio=6.914 goal=<=10x met=yes")

    def test_missing_values_are_dashes(self):
        unmeasured = Result(Promise("name", "us", TailAtMost(3), "text"), reason="it crashed")
        self.assertEqual(
            unmeasured.line(), "promise: name value=- unit=us floor=- ratio=- goal=<=3x_of_floors_stretch met=no")

    def test_every_promise_has_one_word_for_each_part(self):
        for group in driver.GROUPS:
            for promise in (promise for benchmark in group.BENCHMARKS for promise in benchmark.promises):
                for measured in (None, Measurement(0.0123, 0.01, {"median": 0.01, "floorMedian": 0.01})):
                    self.assertRegex(Result(promise, measured).line(), LINE)

    def test_names_are_unique(self):
        names = [p.name for group in driver.GROUPS for benchmark in group.BENCHMARKS for p in benchmark.promises]
        self.assertEqual(len(names), len(set(names)))

    def test_numbers_have_no_exponent(self):
        for value, text in [(None, "-"), (100000, "100000"), (123456.7, "123457"), (0.35, "0.35"), (12.3456, "12.346"),
                            (0.00001234, "0.00001234"), (0.0, "0"), (-0.5, "-0.5"), (3e9, "3000000000")]:
            with self.subTest(value=value):
                self.assertEqual(number(value), text)


QUIET = [100, 101, 99, 102, 100, 98, 103, 100]
BUSY = [100, 250, 99, 190, 100, 98, 240, 310]


class SteadinessTest(unittest.TestCase):
    def answer(self, value, floors, around=QUIET, **benchmark):
        one = Benchmark([Promise("name", "us", AtMost(10), "text")], None, **benchmark)
        [found] = results(one, {"name": Measurement(value, floors=floors)}, around)
        return found.answer

    def test_rounds_that_lie_apart_are_objected_to(self):
        self.assertIsNone(steadiness.objection(QUIET, QUIET))
        self.assertIn("the rounds of the floor", steadiness.objection(BUSY, QUIET))
        self.assertIn("before and after", steadiness.objection(QUIET, BUSY))

    def test_one_slow_round_says_nothing(self):
        self.assertIsNone(steadiness.objection(QUIET + [5000], QUIET))

    def test_few_or_idle_rounds_are_not_judged(self):
        for rounds in ([], [1, 9, 100], [0] * 8):
            self.assertIsNone(steadiness.objection(rounds, rounds))

    def test_missed_promise_of_a_busy_machine_is_unknown(self):
        self.assertEqual(self.answer(11, BUSY), Answer.UNKNOWN)
        self.assertEqual(self.answer(11, QUIET), Answer.NO)

    def test_promise_that_is_met_on_a_busy_machine_is_met(self):
        self.assertEqual(self.answer(10, BUSY), Answer.YES)

    def test_fixed_work_shows_a_busy_machine_that_the_floor_does_not(self):
        self.assertEqual(self.answer(11, [], around=BUSY), Answer.UNKNOWN)
        self.assertEqual(self.answer(11, QUIET, around=BUSY), Answer.UNKNOWN)

    def test_what_only_counts_is_judged_on_a_busy_machine(self):
        self.assertEqual(self.answer(11, BUSY, depends_on_load=False), Answer.NO)

    def test_benchmark_that_failed_is_not_unknown(self):
        one = Benchmark([Promise("name", "us", AtMost(10), "text")], None)
        [missing] = results(one, {}, BUSY)
        [refused] = results(one, {"name": Measurement(1, objection="only 5 events wait")}, BUSY)
        self.assertEqual([missing.answer, refused.answer], [Answer.NO, Answer.NO])

    def test_remark_says_why(self):
        one = Benchmark([Promise("name", "us", AtMost(10), "text")], None)
        [found] = results(one, {"name": Measurement(11, floors=BUSY)}, QUIET)
        self.assertIn("too busy", found.remark)
        self.assertTrue(found.line().endswith("met=unknown"))

    def test_fixed_work_is_measured_often_enough_to_be_judged(self):
        self.assertIsNotNone(steadiness.spread(steadiness.fixed_work()))


class OptionTest(unittest.TestCase):
    def refused(self, *arguments):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors), self.assertRaises(SystemExit) as caught:
            driver.parse(list(arguments), {"one", "two"})
        self.assertEqual(caught.exception.code, 64)
        return errors.getvalue()

    def test_wrong_use(self):
        self.assertIn("three", self.refused("--only", "one,three"))
        self.assertIn("--fast", self.refused("--fast"))
        self.refused("--only")
        self.refused("--only", ",")
        self.refused("--quick", "--smoke")
        self.refused("--debug")
        self.refused("--record", "--only", "one")
        self.refused("--record", "--smoke")
        self.refused("extra")

    def test_names(self):
        self.assertEqual(driver.parse(["--only", "two,one"], {"one", "two"}).only, ["two", "one"])
        self.assertIsNone(driver.parse(["--quick"], {"one"}).only)

    def test_script_passes_options_on(self):
        run = subprocess.run(
            [str(SCRIPTS / "bench"), "--only", "nothing"], capture_output=True, text=True, timeout=60)
        self.assertEqual((run.returncode, run.stdout), (64, ""))
        help_text = subprocess.run([str(SCRIPTS / "bench"), "--help"], capture_output=True, text=True, timeout=60)
        self.assertEqual(help_text.returncode, 0)
        self.assertIn("--quick", help_text.stdout)
        names = subprocess.run([str(SCRIPTS / "bench"), "--list"], capture_output=True, text=True, timeout=60)
        self.assertIn("track-alone-median", names.stdout)


class RunTest(unittest.TestCase):
    def main(self, *arguments, floors=QUIET, **benchmarks):
        """Runs the driver with benchmarks by name: each is a function that returns a value, or raises."""
        def benchmark(name, work):
            return Benchmark(
                [Promise(name, "us", AtMost(10), "text")], lambda _: {name: Measurement(work(), floors=floors)})

        group = mock.Mock(BENCHMARKS=[benchmark(name, work) for name, work in benchmarks.items()])
        output, errors = io.StringIO(), io.StringIO()
        with mock.patch.object(driver, "GROUPS", [group]), contextlib.redirect_stdout(output), \
                contextlib.redirect_stderr(errors), mock.patch.object(steadiness, "fixed_work", lambda: QUIET), \
                mock.patch.object(driver, "build", lambda configuration, is_built: Path("/nowhere")):
            code = driver.main(list(arguments))
        return code, output.getvalue().splitlines(), errors.getvalue()

    @staticmethod
    def crash():
        raise bench.Failed("it crashed")

    @staticmethod
    def miss_a_tool():
        raise Unavailable("no such tool")

    def test_missing_tools_are_named_before_anything_is_built(self):
        needs = Benchmark([Promise("one", "us", AtMost(1), ""), Promise("two", "us", AtMost(1), "")], None,
                          tools=("no-such-tool", "python3"))
        plain = Benchmark([Promise("three", "us", AtMost(1), "")], None)
        self.assertEqual({"no-such-tool": ["one", "two"]}, driver.missing_tools([needs, plain], None))
        self.assertEqual({"no-such-tool": ["two"]}, driver.missing_tools([needs, plain], ["two", "three"]))
        self.assertEqual({}, driver.missing_tools([needs, plain], ["three"]))
        events = []
        group = mock.Mock(BENCHMARKS=[needs])
        errors = io.StringIO()

        def build(configuration, is_built):
            events.append(errors.getvalue())
            raise bench.Failed("stopped here")

        with mock.patch.object(driver, "GROUPS", [group]), mock.patch.object(driver, "build", build), \
                contextlib.redirect_stderr(errors):
            self.assertEqual(driver.main([]), 1)
        self.assertEqual(
            events, ["bench: no-such-tool is not installed (scripts/bootstrap bench), so these cannot be measured: "
                     "one, two\n"])

    def test_all_met(self):
        code, lines, _ = self.main(first=lambda: 1, second=lambda: 10)
        self.assertEqual((code, len(lines)), (0, 2))
        self.assertTrue(all(line.endswith("met=yes") for line in lines))

    def test_one_missed_fails_the_run(self):
        code, lines, _ = self.main(first=lambda: 11, second=lambda: 10)
        self.assertEqual((code, [line.split()[-1] for line in lines]), (1, ["met=no", "met=yes"]))

    def test_busy_machine_is_neither_a_success_nor_a_miss(self):
        code, lines, errors = self.main(first=lambda: 11, second=lambda: 10, floors=BUSY)
        self.assertEqual((code, [line.split()[-1] for line in lines]), (75, ["met=unknown", "met=yes"]))
        self.assertIn("too busy", errors)
        self.assertEqual(self.main(first=lambda: 11, second=self.crash, floors=BUSY)[0], 1)

    def test_busy_machine_is_not_recorded(self):
        with tempfile.TemporaryDirectory() as folder:
            document = Path(folder) / "PERFORMANCE.md"
            document.write_text(f"{record.BEGIN}\nformer\n{record.END}\n")
            with mock.patch.object(driver, "DOCUMENT", document):
                code, _, errors = self.main("--record", first=lambda: 11, floors=BUSY)
                self.assertEqual(code, 75)
                self.assertIn("nothing is recorded: the machine was too busy to judge first", errors)
                self.assertIn("former", document.read_text())
                # A promise that is missed on a quiet machine is recorded as missed.
                self.assertEqual(self.main("--record", first=lambda: 11)[0], 1)
                self.assertIn("**no**", document.read_text())

    def test_crash_is_not_met_and_does_not_stop_the_others(self):
        code, lines, errors = self.main(first=self.crash, second=lambda: 1)
        self.assertEqual((code, [line.split()[-1] for line in lines]), (1, ["met=no", "met=yes"]))
        self.assertIn("it crashed", errors)

    def test_only_runs_what_is_named(self):
        code, lines, _ = self.main("--only", "second", first=self.crash, second=lambda: 1)
        self.assertEqual((code, len(lines)), (0, 1))

    def test_smoke_asks_only_whether_everything_ran(self):
        self.assertEqual(self.main("--smoke", first=lambda: 11)[0], 0)
        self.assertEqual(self.main("--smoke", first=self.crash)[0], 1)
        self.assertEqual(self.main("--smoke", first=self.miss_a_tool)[0], 0)

    def test_missing_tool_is_not_met_and_told(self):
        code, lines, errors = self.main(first=self.miss_a_tool)
        self.assertEqual((code, lines[0].split()[-1]), (1, "met=no"))
        self.assertIn("no such tool", errors)

    def test_json_holds_what_the_lines_say(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "results.json"
            self.main("--quick", "--json", str(file), first=lambda: 1, second=self.crash)
            document = json.loads(file.read_text())
        self.assertEqual(document["size"], "quick")
        rows = document["promises"]
        self.assertEqual([(row["name"], row["value"], row["met"]) for row in rows],
                         [("first", 1, "yes"), ("second", None, "no")])
        self.assertIn("it crashed", rows[1]["remark"])

    def test_build_that_fails_ends_the_run(self):
        def fail(configuration, is_built):
            raise bench.Failed("the package does not build")

        errors = io.StringIO()
        with mock.patch.object(driver, "build", fail), contextlib.redirect_stderr(errors):
            self.assertEqual(driver.main([]), 1)
        self.assertIn("does not build", errors.getvalue())


class RecordTest(unittest.TestCase):
    def test_results_take_the_place_of_the_former_ones(self):
        machine = {"time": "2026-11-21T09:00:00Z", "cores": 2, "processor": "x86_64", "load": 0.123}
        met = result(RatioAtMost(10), 4.0, 0.5)
        missed = Result(Promise("other", "ms", AtMost(1), "what"), reason="it crashed")
        text = record.table([met, missed], machine, "quick")
        document = f"before\n\n{record.BEGIN}\nformer\n{record.END}\n\nbehind\n"
        new = record.replace(document, text)
        self.assertTrue(new.startswith("before\n") and new.endswith("\nbehind\n"))
        self.assertNotIn("former", new)
        self.assertIn("| `name` | text | <=10x | 4 us | 0.5 | 8 | yes |", new)
        self.assertIn("| **no**: it crashed |", new)
        self.assertEqual(record.replace(new, text), new)

    def test_document_without_its_lines_is_left_alone(self):
        with self.assertRaises(ValueError):
            record.replace("no lines", "table")

    def test_the_project_document_has_them(self):
        record.replace(driver.DOCUMENT.read_text(), "table")


class LoopbackTest(unittest.TestCase):
    def post(self, server, events, compress):
        body = json.dumps({"batch": events}).encode()
        headers = {"Content-Encoding": "gzip"} if compress else {}
        request = urllib.request.Request(f"{server.host}/b", gzip.compress(body) if compress else body, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status

    def test_batches_are_kept_in_their_order(self):
        with LoopbackServer() as server:
            self.assertEqual(self.post(server, [1, 2], compress=True), 200)
            self.assertEqual(self.post(server, [3], compress=False), 200)
            self.assertEqual(server.events(), [1, 2, 3])
            self.assertEqual([is_compressed for _, is_compressed in server.bodies], [True, False])

    def test_settings(self):
        with LoopbackServer() as server:
            with urllib.request.urlopen(f"{server.host}/projects/KEY/settings", timeout=60) as answer:
                self.assertIn("Segment.io", json.load(answer)["integrations"])


class WrittenTest(unittest.TestCase):
    LOG = """\
12 pwrite64(7</f/tributary/K/lane-0/inbox/00000000000000000001.tjl>, ""..., 300, 64) = 300
13 pwrite64(9</f/tributary/K/lane-0/outbox/00000000000000000001.tjl>, ""..., 640, 64 <unfinished ...>
12 write(3<anon_inode:[eventfd]>, ""..., 8) = 8
13 <... pwrite64 resumed>)                 = 640
12 pwrite64(8</f/tributary/K/lane-0/inbox/mark.new>, ""..., 292, 0) = 292
12 pwrite64(8</f/tributary/K/settings.json>, ""..., 50, 0) = 50
12 write(4</elsewhere/f/inbox/x.tjl>, ""..., 1000) = 1000
"""

    def test_writes_to_files_of_the_folder_are_added_up_by_kind(self):
        self.assertEqual(
            dict(energy_group.written(self.LOG, "/f")),
            {"inbox": 300, "outbox": 640, "inbox_mark": 292, "others": 50})


if __name__ == "__main__":
    unittest.main()
