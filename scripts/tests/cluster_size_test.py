"""The model of a cluster: it reproduces what was measured with three nodes, and its sizes follow the rate."""

import contextlib
import io
import json
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/support"))

import cluster_size  # noqa: E402
from cluster_model import TABLE, Cluster, Costs, Plan, quantile  # noqa: E402
from simulation import Clock, Machine, Program  # noqa: E402

WITHIN = 0.15
# What scripts/bench and scripts/cluster-test measured on two processors with all engines (docs/SCALING.md, Speed).
ACKNOWLEDGED = (31_550 + 34_137) / 2
ACKNOWLEDGED_BY_TWO = 36_000
STORED_AFTER = 8
STORED_AFTER_STEADY = (3.3 + 3.9) / 2
TAKEOVER_HALF, TAKEOVER_SLOWEST = 5.4, 7.0
STALL = 5.7
SPENT = {"nodes": 34, "log": 31, "store": 65, "keeper": 12}


def full_speed(nodes):
    cluster = Cluster(Plan(nodes=nodes, shared_cores=2, connections=64)).start()
    cluster.clock.run(5)
    return cluster, cluster.finish()


class MeasuredClusterTest(unittest.TestCase):
    def assertNear(self, found, measured):
        self.assertLess(abs(found / measured - 1), WITHIN, f"{found:.1f} is not within 15 % of {measured:.1f}")

    def test_three_nodes_acknowledge_and_store_as_measured(self):
        cluster, seconds = full_speed(3)
        self.assertNear(cluster.acknowledged / 5, ACKNOWLEDGED)
        self.assertNear(seconds, STORED_AFTER)
        self.assertGreaterEqual(cluster.stored, cluster.acknowledged)

    def test_processor_time_is_what_the_constants_were_fitted_to(self):
        cluster, _ = full_speed(3)
        programs = {"nodes": cluster.nodes, "log": cluster.log, "store": cluster.stores[0], "keeper": cluster.keepers}
        for name, measured in SPENT.items():
            with self.subTest(name):
                spent = sum(program.spent for program in programs[name])
                self.assertNear(spent / cluster.acknowledged * 1e6, measured)

    def test_two_nodes_acknowledge_as_measured(self):
        self.assertNear(full_speed(2)[0].acknowledged / 5, ACKNOWLEDGED_BY_TWO)

    def test_a_rate_that_is_kept_up_with_is_stored_as_soon_as_measured(self):
        cluster = Cluster(Plan(shared_cores=2, connections=64, pause=0.384)).start()
        cluster.clock.run(5)
        self.assertNear(cluster.finish(), STORED_AFTER_STEADY)

    def test_the_partitions_of_a_killed_node_are_taken_over_as_soon_as_measured(self):
        times = []
        for seed in range(12):
            cluster = Cluster(Plan(shared_cores=2, connections=4, pause=0.05, devices=True, seed=seed)).start()
            cluster.clock.run(5 + seed / 7)
            cluster.kill_node(1)
            cluster.clock.run(17)
            times += cluster.takeovers
        self.assertNear(quantile(times, 0.5), TAKEOVER_HALF)
        self.assertNear(max(times), TAKEOVER_SLOWEST)

    def test_requests_stall_for_a_killed_leader_of_the_log_as_measured(self):
        stalls = []
        for seed in range(60):
            cluster = Cluster(Plan(partitions=1, connections=2, pause=0.2, seed=seed)).start()
            cluster.clock.run(0.5)
            cluster.kill_log(0)
            cluster.clock.run(12)
            answers = cluster.answers
            stalls.append(max(later - earlier for earlier, later in zip(answers, answers[1:])))
        self.assertNear(sum(stalls) / len(stalls), STALL)

    def test_the_same_seed_makes_the_same_run(self):
        one, two = full_speed(1), full_speed(1)
        self.assertEqual((one[0].acknowledged, one[1], one[0].delays), (two[0].acknowledged, two[1], two[0].delays))


class FailureTest(unittest.TestCase):
    def test_a_cluster_without_one_zone_loses_nothing_and_catches_up(self):
        cluster = Cluster(Plan(rate=10_000, partitions=12, seed=3)).start()
        cluster.clock.run(3)
        cluster.kill_zone(0)
        cluster.clock.run(25)
        cluster.finish()
        self.assertEqual(cluster.waiting, 0)
        self.assertGreaterEqual(cluster.stored, cluster.acknowledged)

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
        self.assertEqual((size["tables"], size["partitions"]), (1, 16))
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
                                (["--events-per-second", "many"], "invalid"), (["--batch", "nan"], "not from 1")):
            errors = io.StringIO()
            with self.subTest(arguments), contextlib.redirect_stderr(errors), self.assertRaises(SystemExit):
                cluster_size.parts(arguments)
            self.assertIn(says, errors.getvalue())

    def test_the_program_answers_in_json(self):
        run = subprocess.run(
            [sys.executable, ROOT / "scripts/support/cluster_size.py", "--events-per-second", "5000", "--json",
             "--seconds", "10", "--core-price", "10"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        found = json.loads(run.stdout)
        self.assertTrue(found["simulated"]["keeps_up"])
        self.assertEqual(found["price_a_month"], found["size"]["cores"] * 10)


if __name__ == "__main__":
    unittest.main()
