"""scripts/bench: its options, its lines, what counts as met, and its exit status.

Nothing is measured here: benchmarks stand in that return what a test chose. That the real ones run is shown by
`scripts/bench --smoke`.
"""

import contextlib
import importlib.util
import io
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

SCRIPTS = Path(__file__).resolve().parents[1]
DRIVER = SCRIPTS.parent / "Benchmarks/driver"
sys.path.insert(0, str(DRIVER))

import bench  # noqa: E402
import energy_group  # noqa: E402
import record  # noqa: E402
import steadiness  # noqa: E402
from promise import (  # noqa: E402
    Answer, AtLeast, AtMost, Benchmark, Measurement, MoreAtMost, Promise, RatioAtLeast, RatioAtMost, Result, TailAtMost,
    Unavailable, number, results)

specification = importlib.util.spec_from_file_location("driver", DRIVER / "__main__.py")
driver = importlib.util.module_from_spec(specification)
specification.loader.exec_module(driver)

LINE = re.compile(r"promise: \S+ value=\S+ unit=\S+ floor=\S+ ratio=\S+ goal=\S+ met=(yes|no|unknown)")


def result(goal, value, floor=None, details=None, objection=None):
    return Result(Promise("name", "us", goal, "text"), Measurement(value, floor, details or {}, objection))


class GoalTest(unittest.TestCase):
    def test_a_promise_is_met_up_to_its_limit(self):
        stretched = {"median": 3, "floorMedian": 1}
        for goal, measured, expected in [
            (AtMost(10), (10,), True), (AtMost(10), (10.001,), False),
            (AtLeast(100), (100,), True), (AtLeast(100), (99.999,), False),
            (RatioAtMost(10), (5, 0.5), True), (RatioAtMost(10), (5.1, 0.5), False),
            (RatioAtMost(10), (5,), False), (RatioAtMost(10), (5, 0), False),
            (RatioAtLeast(0.5), (5, 10), True), (RatioAtLeast(0.5), (4.9, 10), False), (RatioAtLeast(0.5), (5,), False),
            (MoreAtMost(2), (22, 20), True), (MoreAtMost(2), (22.5, 20), False), (MoreAtMost(2), (22.5,), False),
            # The tail may be as much longer than the median as the tail of the floor.
            (TailAtMost(1.25), (15, 4, stretched), True), (TailAtMost(1.25), (15.1, 4, stretched), False),
            (TailAtMost(1.25), (30, 8, stretched), True),
            (AtMost(10), (1, None, {}, "only 5 events wait"), False),
        ]:
            with self.subTest(goal=goal, measured=measured):
                self.assertEqual(result(goal, *measured).is_met, expected)


class LineTest(unittest.TestCase):
    def test_a_line_has_the_promised_form(self):
        self.assertEqual(
            result(RatioAtMost(10), 3.456789, 0.5).line(),
            "promise: name value=3.457 unit=us floor=0.5 ratio=6.914 goal=<=10x met=yes")
        self.assertEqual(
            Result(Promise("name", "us", TailAtMost(3), "text"), reason="it crashed").line(),
            "promise: name value=- unit=us floor=- ratio=- goal=<=3x_of_floors_stretch met=no")

    def test_every_promise_has_its_own_name_and_one_word_for_each_part(self):
        promises = [promise for group in driver.GROUPS for benchmark in group.BENCHMARKS for promise in benchmark.promises]
        self.assertEqual(len(promises), len({promise.name for promise in promises}))
        for promise in promises:
            self.assertRegex(Result(promise, Measurement(0.0123, 0.01, {"median": 0.01, "floorMedian": 0.01})).line(), LINE)

    def test_numbers_have_no_exponent(self):
        for value, text in [(123456.7, "123457"), (0.35, "0.35"), (12.3456, "12.346"), (0.00001234, "0.00001234"), (0.0, "0"),
                            (-0.5, "-0.5"), (3e9, "3000000000")]:
            self.assertEqual(number(value), text)


QUIET = [100, 101, 99, 102, 100, 98, 103, 100]
BUSY = [100, 250, 99, 190, 100, 98, 240, 310]


class SteadinessTest(unittest.TestCase):
    def test_rounds_that_lie_apart_are_objected_to(self):
        for floors, around, text in [
            (QUIET, QUIET, None), (BUSY, QUIET, "the rounds of the floor"), (QUIET, BUSY, "before and after"),
            # One slow round says nothing, and few or idle ones are not judged.
            (QUIET + [5000], QUIET, None), ([], [], None), ([1, 9, 100], [1, 9, 100], None), ([0] * 8, [0] * 8, None),
        ]:
            with self.subTest(floors=floors, around=around):
                self.assertIn(text or "None", str(steadiness.objection(floors, around)))
        self.assertIsNotNone(steadiness.spread(steadiness.fixed_work()))

    def test_a_missed_promise_of_a_busy_machine_is_unknown(self):
        def found(measured, around=QUIET, **benchmark):
            return results(Benchmark([Promise("name", "us", AtMost(10), "text")], None, **benchmark), measured, around)[0]

        missed = {"name": Measurement(11, floors=BUSY)}
        for answer, expected in [
            (found(missed), Answer.UNKNOWN),
            (found({"name": Measurement(11, floors=QUIET)}), Answer.NO),
            (found({"name": Measurement(10, floors=BUSY)}), Answer.YES),
            (found({"name": Measurement(11, floors=[])}, BUSY), Answer.UNKNOWN),
            (found({"name": Measurement(11, floors=QUIET)}, BUSY), Answer.UNKNOWN),
            (found(missed, depends_on_load=False), Answer.NO),
            (found({}, BUSY), Answer.NO),
            (found({"name": Measurement(1, objection="only 5 events wait")}, BUSY), Answer.NO),
            (found({"name": Unavailable("there is no database")}), Answer.NO),
        ]:
            with self.subTest(line=answer.line()):
                self.assertEqual(answer.answer, expected)
        self.assertIn("too busy", found(missed).remark)
        self.assertTrue(found(missed).line().endswith("met=unknown"))


class OptionTest(unittest.TestCase):
    def test_wrong_use_is_refused(self):
        for arguments, named in [
            (["--only", "one,three"], "three"), (["--fast"], "--fast"), (["--only"], ""), (["--only", ","], ""),
            (["--quick", "--smoke"], ""), (["--debug"], ""), (["--record", "--only", "one"], ""), (["--record", "--smoke"], ""),
            (["extra"], ""),
        ]:
            with self.subTest(arguments=arguments), contextlib.redirect_stderr(io.StringIO()) as errors:
                with self.assertRaises(SystemExit) as caught:
                    driver.parse(arguments, {"one", "two"})
                self.assertEqual(caught.exception.code, 64)
                self.assertIn(named, errors.getvalue())
        self.assertEqual(driver.parse(["--only", "two,one"], {"one", "two"}).only, ["two", "one"])

    def test_the_script_passes_options_on(self):
        for options, status, text in [(["--only", "nothing"], 64, ""), (["--list"], 0, "track-alone-median")]:
            run = subprocess.run([SCRIPTS / "bench", *options], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(run.returncode, status)
            self.assertIn(text, run.stdout)


class RunTest(unittest.TestCase):
    def main(self, *arguments, floors=QUIET, built=lambda configuration, is_built: Path("/nowhere"), **benchmarks):
        """Runs the driver with benchmarks by name: each is a function that returns a value, or raises."""
        def benchmark(name, work):
            if isinstance(work, Benchmark):
                return work
            return Benchmark(
                [Promise(name, "us", AtMost(10), "text")], lambda _: {name: Measurement(work(), floors=floors)})

        group = mock.Mock(BENCHMARKS=[benchmark(name, work) for name, work in benchmarks.items()])
        output, errors = io.StringIO(), io.StringIO()
        with mock.patch.object(driver, "GROUPS", [group]), contextlib.redirect_stdout(output), \
                contextlib.redirect_stderr(errors), mock.patch.object(steadiness, "fixed_work", lambda: QUIET), \
                mock.patch.object(driver, "build", built):
            code = driver.main(list(arguments))
        return code, [line.split()[-1] for line in output.getvalue().splitlines()], errors.getvalue()

    @staticmethod
    def crash():
        raise bench.Failed("it crashed")

    @staticmethod
    def miss_a_tool():
        raise Unavailable("no such tool")

    def test_missing_tools_are_named_before_anything_is_built(self):
        def build(configuration, is_built):
            raise bench.Failed("the package does not build")

        needs = Benchmark([Promise("one", "us", AtMost(1), ""), Promise("two", "us", AtMost(1), "")], None,
                          tools=("no-such-tool", "python3"))
        code, _, errors = self.main(one=needs, three=lambda: 1, built=build)
        self.assertEqual(code, 1)
        self.assertRegex(errors, "(?s)^bench: no-such-tool is not installed .* cannot be measured: one, two\n.*does not build")
        self.assertNotIn("no-such-tool", self.main("--only", "three", one=needs, three=lambda: 1)[2])

    def test_lines_and_status_say_which_promise_is_met(self):
        for options, benchmarks, status, lines, text in [
            ([], {"first": lambda: 1, "second": lambda: 10}, 0, ["met=yes", "met=yes"], ""),
            ([], {"first": lambda: 11, "second": lambda: 10}, 1, ["met=no", "met=yes"], ""),
            ([], {"first": lambda: 11, "second": lambda: 10, "floors": BUSY}, 75, ["met=unknown", "met=yes"], "too busy"),
            ([], {"first": lambda: 11, "second": self.crash, "floors": BUSY}, 1, ["met=unknown", "met=no"], ""),
            ([], {"first": self.crash, "second": lambda: 1}, 1, ["met=no", "met=yes"], "it crashed"),
            ([], {"first": self.miss_a_tool}, 1, ["met=no"], "no such tool"),
            (["--only", "second"], {"first": self.crash, "second": lambda: 1}, 0, ["met=yes"], ""),
            # A smoke test only asks whether each one runs.
            (["--smoke"], {"first": lambda: 11}, 0, None, ""),
            (["--smoke"], {"first": self.crash}, 1, None, ""),
            (["--smoke"], {"first": self.miss_a_tool}, 0, None, ""),
        ]:
            with self.subTest(options=options, lines=lines, text=text):
                code, found, errors = self.main(*options, **benchmarks)
                self.assertEqual((code, found if lines else None), (status, lines))
                self.assertIn(text, errors)

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

    def test_a_busy_machine_is_not_recorded_and_a_miss_is(self):
        with tempfile.TemporaryDirectory() as folder:
            document = Path(folder) / "PERFORMANCE.md"
            document.write_text(f"{record.BEGIN}\nformer\n{record.END}\n")
            with mock.patch.object(driver, "DOCUMENT", document):
                code, _, errors = self.main("--record", first=lambda: 11, floors=BUSY)
                self.assertEqual(code, 75)
                self.assertIn("nothing is recorded: the machine was too busy to judge first", errors)
                self.assertIn("former", document.read_text())
                self.assertEqual(self.main("--record", first=lambda: 11)[0], 1)
                self.assertIn("**no**", document.read_text())


class RecordTest(unittest.TestCase):
    def test_results_take_the_place_of_the_former_ones(self):
        machine = {"time": "2026-11-21T09:00:00Z", "cores": 2, "processor": "x86_64", "load": 0.123}
        missed = Result(Promise("other", "ms", AtMost(1), "what"), reason="it crashed")
        text = record.table([result(RatioAtMost(10), 4.0, 0.5), missed], machine, "quick")
        new = record.replace(f"before\n\n{record.BEGIN}\nformer\n{record.END}\n\nbehind\n", text)
        self.assertTrue(new.startswith("before\n") and new.endswith("\nbehind\n"))
        self.assertNotIn("former", new)
        self.assertIn("| `name` | text | <=10x | 4 us | 0.5 | 8 | yes |", new)
        self.assertIn("| **no**: it crashed |", new)
        self.assertEqual(record.replace(new, text), new)
        with self.assertRaises(ValueError):
            record.replace("no lines", "table")
        record.replace(driver.DOCUMENT.read_text(), "table")


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
