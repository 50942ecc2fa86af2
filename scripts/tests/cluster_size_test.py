"""The model of a cluster: it reproduces what was measured with three nodes, and its sizes follow the rate."""

import contextlib
import io
import json
import re
import subprocess
import sys
import unittest
from collections import Counter
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/support"))

import cluster_size  # noqa: E402
import cluster_validation  # noqa: E402
from cluster_model import TABLE, Cluster, Costs, Plan  # noqa: E402
from simulation import Clock, Machine, Program  # noqa: E402



class MeasuredClusterTest(unittest.TestCase):
    """The rows of `scripts/cluster-size --validate`: what was measured, and what the model says."""

    def test_each_figure_is_within_fifteen_percent_or_says_why_not(self):
        for figure in cluster_validation.figures():
            with self.subTest(figure.name, source=figure.source):
                self.assertTrue(figure.holds, f"{figure.simulated:.4g} is {figure.deviation:+.0%} from what was measured")
                self.assertIn(figure.kind, ("fitted", "predicted", "open"))
                self.assertEqual(bool(figure.reason), figure.kind == "open")

    def test_a_figure_outside_of_its_bound_does_not_hold(self):
        figure = cluster_validation.Figure("a rate", "events/s", 90, 110, 116, "predicted", "a run")
        self.assertFalse(figure.holds)
        self.assertIn("OUTSIDE 15%", cluster_validation.text([figure]))

    def test_the_same_seed_makes_the_same_run(self):
        one, two = (Cluster(Plan(rate=5_000, seed=7)).start() for _ in range(2))
        for cluster in (one, two):
            cluster.clock.run(3)
        self.assertEqual((one.acknowledged, one.stored, one.delays), (two.acknowledged, two.stored, two.delays))
        other = Cluster(Plan(rate=5_000, seed=8)).start()
        other.clock.run(3)
        self.assertNotEqual(one.delays, other.delays)


class SourceTest(unittest.TestCase):
    """Constants that are decisions of the program have its values."""

    def assertSays(self, path, pattern, value):
        found = re.search(pattern, (ROOT / path).read_text())
        self.assertIsNotNone(found, f"{path} has no {pattern}")
        self.assertEqual(int(found[1].replace("_", "")), round(value))

    def test_the_model_has_the_settings_of_the_program(self):
        costs, partitions = Costs(), "Workspace/Sources/WorkspaceCluster/Partitions"
        for name, pattern, value in (
                ("ClusterOptions", r"patience: Int64 = ([\d_]+)", costs.patience * 1_000),
                ("ClusterOptions", r"pulse: Int64 = ([\d_]+)", costs.pulse * 1_000),
                ("ClusterOptions", r"recordsInBlock = ([\d_]+)", costs.block_records),
                ("ClusterOptions", r"bytesInBlock = (\d+) << 20", costs.block_bytes / 2**20),
                ("ClusterNumber", r"rowsInBlock = ([\d_]+)", costs.block_rows),
                ("ClusterNumber", r"partitions = ([\d_]+)", cluster_size.MOST_PARTITIONS),
                ("PartitionMachine", r"pause: Int64 = ([\d_]+)", 1_000 / costs.looks)):
            with self.subTest(pattern):
                self.assertSays(f"{partitions}/{name}.swift", pattern, value)
        store = "Workspace/Sources/WorkspaceCluster/ClickHouse/ClickHouseClient"
        self.assertSays(f"{store}.swift", r"courtesy: Duration = \.milliseconds\(([\d_]+)\)", costs.courtesy * 1_000)
        self.assertSays(f"{store}+Replicas.swift", r"random\(in: (\d+)\.\.\.", costs.ask_shortest * 1_000)
        self.assertSays(f"{store}+Replicas.swift", r"random\(in: \d+\.\.\.(\d+)\)", costs.ask_longest * 1_000)

    def test_the_model_has_the_settings_of_the_engines(self):
        zookeeper = (ROOT / "deploy/engines/zoo.cfg").read_text()
        tick, limit = (int(re.search(rf"^{name}=(\d+)", zookeeper, re.M)[1]) for name in ("tickTime", "syncLimit"))
        self.assertEqual(Costs().keeper_silent, tick * limit / 1_000)
        self.assertSays("deploy/engines/clickhouse.xml", r"deduplication_window>(\d+)<", cluster_size.KNOWN_BLOCKS)


class FailureTest(unittest.TestCase):
    def test_each_event_in_the_log_waits_or_is_stored(self):
        cluster = Cluster(Plan(rate=8_000, connections=2)).start()
        for second in range(1, 5):
            cluster.clock.run(second)
            self.assertEqual(cluster.appended, cluster.stored + cluster.waiting)
        self.assertLessEqual(cluster.acknowledged, cluster.appended)
        self.assertGreater(cluster.acknowledged, 0)

    def test_a_cluster_without_one_zone_loses_no_acknowledged_event_and_catches_up(self):
        for zone in range(3):
            with self.subTest(zone=zone):
                cluster = Cluster(Plan(rate=4_000, partitions=12, seed=3)).start()
                cluster.clock.run(2)
                before = cluster.acknowledged
                cluster.kill_zone(zone)
                cluster.clock.run(20)
                self.assertGreater(cluster.acknowledged, before)
                cluster.finish()
                self.assertEqual((cluster.waiting, cluster.stored), (0, cluster.appended))
                self.assertGreaterEqual(cluster.stored, cluster.acknowledged)

    def test_the_partitions_of_lost_nodes_are_shared_evenly(self):
        cluster = Cluster(Plan(nodes=9, partitions=18, rate=500)).start()
        cluster.clock.run(1)
        cluster.kill_zone(0)
        cluster.clock.run(15)
        owned = Counter(partition.owner for partition in cluster.partitions)
        self.assertEqual(sorted(owned.values()), [3] * 6)
        self.assertTrue(all(cluster.alive[owner] for owner in owned))

    def test_nothing_is_stored_until_a_lost_zookeeper_is_given_up(self):
        cluster = Cluster(Plan(rate=2_000)).start()
        cluster.clock.run(2)
        cluster.clock.start(cluster.kill_keeper(0))
        cluster.clock.run(3)
        stored = cluster.stored
        cluster.clock.run(12)
        self.assertEqual(cluster.stored, stored)
        cluster.clock.run(20)
        self.assertGreater(cluster.stored, stored)

    def test_nothing_is_acknowledged_without_a_majority_of_the_log(self):
        cluster = Cluster(Plan(rate=2_000)).start()
        cluster.clock.run(1)
        cluster.kill_log(0)
        cluster.kill_log(1)
        cluster.clock.run(1.5)
        acknowledged = cluster.acknowledged
        cluster.clock.run(15)
        self.assertEqual(cluster.acknowledged, acknowledged)


class SimulationTest(unittest.TestCase):
    def times_of_customers(self, program_of, busy, count=15_000):
        """How long customers stay that come by chance and need a second of a processor."""
        clock, random, times = Clock(), Random(5), []
        machine = Machine(clock, 1)
        program = program_of(machine)

        def customer():
            began = clock.now
            yield program.work(1)
            times.append(clock.now - began)

        def arrivals():
            for _ in range(count):
                yield random.expovariate(busy)
                clock.start(customer())

        clock.start(arrivals())
        clock.run(1e9)
        self.assertEqual(len(times), count)
        return sum(times) / count

    def test_a_queue_is_as_long_as_its_formula_says(self):
        busy = 0.7
        waits = self.times_of_customers(lambda machine: Program(machine, 1), busy) - 1
        self.assertAlmostEqual(waits / (busy / (2 * (1 - busy))), 1, delta=0.06)  # one server, fixed service: M/D/1

    def test_shared_processors_delay_as_their_formula_says(self):
        busy = 0.6
        stays = self.times_of_customers(lambda machine: Program(machine, 10**6), busy)
        self.assertAlmostEqual(stays * (1 - busy), 1, delta=0.06)  # processor sharing: 1 / (1 - busy)

    def test_a_stream_appends_what_waits_as_one_group(self):
        cluster = Cluster(Plan(partitions=1))
        for _ in range(50):
            cluster.clock.start(cluster.append(cluster.partitions[0], 1, 2_000))
        cluster.clock.run(1)
        self.assertEqual(cluster.groups, 2)  # the first, and those that came while it was written

    def test_programs_share_processors(self):
        clock, ends = Clock(), []
        machine = Machine(clock, 2)

        def job(seconds):
            yield Program(machine, 1).work(seconds)
            ends.append(clock.now)

        for seconds in (1, 1, 1, 1):
            clock.start(job(seconds))
        clock.run(10)
        self.assertEqual([round(end, 6) for end in ends], [2, 2, 2, 2])


class SizingTest(unittest.TestCase):
    def size(self, *arguments):
        return cluster_size.sizing(cluster_size.parts([str(argument) for argument in arguments]))

    def test_more_events_need_more_of_everything(self):
        sizes = [self.size("--events-per-second", rate) for rate in (10_000, 50_000, 250_000, 1_000_000)]
        for name in ("nodes", "log_servers", "tables", "partitions", "zookeepers", "cores"):
            values = [size[name] for size in sizes]
            self.assertEqual(values, sorted(values), name)

    def test_the_present_program_has_one_table(self):
        size = self.size("--events-per-second", 1_000_000, "--present")
        self.assertEqual(size["tables"], 1)
        self.assertLessEqual(size["partitions"], cluster_size.MOST_PARTITIONS)
        self.assertGreater(self.size("--events-per-second", 250_000)["zookeepers"], size["zookeepers"])
        self.assertIn("one table", cluster_size.what_to_change(self.size("--events-per-second", 250_000)))
        self.assertEqual(cluster_size.what_to_change(self.size("--events-per-second", 10_000)), "")

    def test_each_constant_has_a_source_and_a_known_kind(self):
        for name, (value, source, kind) in TABLE.items():
            self.assertTrue(value > 0 and source and kind in ("measured", "design", "fitted", "assumed"), name)

    def test_an_unknown_constant_is_refused(self):
        with self.assertRaisesRegex(ValueError, "no such constant: inserts"):
            Costs().changed(inserts=1)

    def test_wrong_options_get_a_clear_error(self):
        for arguments, says in ((["--events-per-second", "0"], "not from 1 to 5,000,000"), ([], "is missing"),
                                (["--events-per-second", "many"], "invalid"), (["--batch", "nan"], "not from 1"),
                                (["--sizes", "--core-price", "1", "--core-hour-price", "1"], "do not go together")):
            errors = io.StringIO()
            with self.subTest(arguments), contextlib.redirect_stderr(errors), self.assertRaises(SystemExit):
                cluster_size.parts(arguments)
            self.assertIn(says, errors.getvalue())

    def test_the_program_answers_in_json(self):
        run = subprocess.run(
            [sys.executable, ROOT / "scripts/support/cluster_size.py", "--events-per-second", "5000", "--json",
             "--seconds", "10", "--core-hour-price", "0.05"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        found = json.loads(run.stdout)
        self.assertTrue(found["simulated"]["keeps_up"])
        self.assertTrue(found["simulated"]["zone_keeps_up"])
        self.assertEqual(found["price_a_month"], found["size"]["cores"] * 730 * 0.05)
        self.assertEqual(found["simulated"]["bends_first"], "tables")

    def test_sizes_are_shown_side_by_side(self):
        options = cluster_size.parts(["--events-per-second", "4000", "--seconds", "4"])
        found = cluster_size.answer(options)
        lines = cluster_size.table([found, found]).splitlines()
        self.assertEqual(lines[0].split()[-2:], ["4,000", "4,000"])
        self.assertTrue(any(line.startswith("zone most waiting") for line in lines))


if __name__ == "__main__":
    unittest.main()
