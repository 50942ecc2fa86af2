"""Runs the model of a cluster as the benchmarks ran the cluster and its engines, and compares what both say."""

from dataclasses import asdict, dataclass
from functools import cache

from cluster_model import Cluster, Costs, Plan, quantile

WITHIN = 0.15
LIMITS = "SCALING, Limits: three nodes and all engines, two processors"
TAKEOVERS = "SCALING, Limits: a node killed each ten seconds, four runs"
ENGINES = "reference: the engines alone, three of each, two processors"
# Why the model does not reproduce a figure.
TAILS = "the model's processors and disks have no bad moments"
OTHER_TABLE = "the table of that run had 8 columns, and ours has 25 in 68 files"
NO_NUMBER = "the number in flight was not written down: the middle of 64 and 256 here"


@dataclass(frozen=True)
class Figure:
    """A measured figure, as a range, and what the model says.

    `kind` is "fitted" when a constant was chosen by it, "predicted" when not, and "open" when the model does not reproduce it.
    """
    name: str
    unit: str
    least: float
    most: float
    simulated: float
    kind: str
    source: str
    reason: str = ""

    @property
    def deviation(self):
        """From the middle of what was measured."""
        return self.simulated / ((self.least + self.most) / 2) - 1

    @property
    def holds(self):
        return self.kind == "open" or abs(self.deviation) <= WITHIN


@cache
def full_speed(nodes):
    """Five seconds of as many requests as the nodes take: the cluster, the requests' delays, and the seconds until all is stored."""
    cluster = Cluster(Plan(nodes=nodes, shared_cores=2, connections=64)).start()
    cluster.clock.run(5)
    delays = list(cluster.delays)
    return cluster, delays, cluster.finish()


def acknowledged(nodes):
    return full_speed(nodes)[0].acknowledged / 5


def spent(programs):
    """Microseconds of the processor for an event."""
    return sum(program.spent for program in programs) / full_speed(3)[0].acknowledged * 1e6


def stored_after_steady():
    """A pause of 384 ms between two requests of a connection."""
    cluster = Cluster(Plan(shared_cores=2, connections=64, pause=0.384)).start()
    cluster.clock.run(5)
    return cluster.finish()


def one_partition():
    """Plain batches of a single device. How many nodes there were was not written down: three here."""
    cluster = Cluster(Plan(shared_cores=2, connections=64, devices=True, record_bytes=20 * 886))
    cluster.random.choice = lambda of: of[0]
    cluster.start().clock.run(5)
    return cluster.acknowledged / 5


@cache
def takeovers():
    times = []
    for seed in range(8):
        cluster = Cluster(Plan(shared_cores=2, connections=4, pause=0.05, devices=True, seed=seed)).start()
        cluster.clock.run(2 + seed / 7)
        cluster.kill_node(1)
        cluster.clock.run(12)
        times += cluster.takeovers
    return times


def stall():
    """The longest time without an answer when the leader of a stream is killed, on average."""
    stalls = []
    for seed in range(40):
        cluster = Cluster(Plan(partitions=1, connections=2, pause=0.2, seed=seed)).start()
        cluster.clock.run(0.5)
        cluster.kill_log(0)
        cluster.clock.run(12)
        answers = cluster.answers
        stalls.append(max(later - earlier for earlier, later in zip(answers, answers[1:])))
    return sum(stalls) / len(stalls)


@cache
def log_alone(size, in_flight):
    """A client with one stream: messages a second, and the delays."""
    cluster, delays = Cluster(Plan(nodes=1, shared_cores=2, partitions=1)), []

    def publish():
        while True:
            began = cluster.clock.now
            yield cluster.nodes[0].work(cluster.costs.intake_record / 2)
            yield from cluster.append(cluster.partitions[0], 1, size)
            delays.append(cluster.clock.now - began)

    for _ in range(in_flight):
        cluster.clock.start(publish())
    cluster.clock.run(2)
    return len(delays) / 2, delays


@cache
def inserts_alone(tables, writers):
    """Clients that insert blocks of 10,000 rows without a pause: rows a second, and the delays."""
    costs = Costs().changed(courtesy=0)
    cluster, delays = Cluster(Plan(nodes=writers, shared_cores=2, tables=tables, partitions=1), costs), []

    def write(node):
        while True:
            began = cluster.clock.now
            yield from cluster.insert(node, node % tables, 10_000)
            delays.append(cluster.clock.now - began)

    for node in range(writers):
        cluster.clock.start(write(node))
    cluster.clock.run(10)
    return len(delays) * 1_000, delays


def cluster_figures():
    cluster, delays, stored_after = full_speed(3)
    return [
        *(Figure(f"processor time of an event: {name}", "µs", value, value, spent(programs), "fitted", LIMITS)
          for name, value, programs in (("nodes", 34, cluster.nodes), ("NATS", 31, cluster.log),
                                        ("ClickHouse", 65, cluster.stores[0]), ("ZooKeeper", 12, cluster.keepers))),
        Figure("acknowledged by three nodes", "events/s", 31_550, 34_137, acknowledged(3), "predicted", LIMITS),
        Figure("acknowledged by two nodes", "events/s", 36_000, 36_000, acknowledged(2), "predicted", LIMITS),
        Figure("acknowledged by one node", "events/s", 29_000, 29_000, acknowledged(1), "predicted", LIMITS),
        Figure("acknowledged with one partition", "events/s", 49_000, 49_000, one_partition(), "predicted", LIMITS),
        Figure("stored after five seconds at full speed", "s", 8, 8, stored_after, "predicted", LIMITS),
        Figure("stored after 9,300 a second", "s", 3.3, 3.9, stored_after_steady(), "predicted", LIMITS),
        Figure("takeover, half", "s", 5.4, 5.4, quantile(takeovers(), 0.5), "predicted", TAKEOVERS),
        Figure("takeover, the slowest", "s", 7.0, 7.0, max(takeovers()), "predicted", TAKEOVERS),
        Figure("99 of 100 requests at full speed", "s", 0.5, 0.5, quantile(delays, 0.99), "open", LIMITS, TAILS),
    ]


def engine_figures():
    def log(size, in_flight, quantity):
        rate, delays = log_alone(size, in_flight)
        return rate if quantity is None else quantile(delays, quantity) * 1e3

    small = (log(2_000, 64, None) + log(2_000, 256, None)) / 2
    rows, delays = inserts_alone(1, 1)
    return [
        Figure("requests wait for a killed leader of the log", "s", 5.7, 5.7, stall(), "predicted", ENGINES),
        Figure("log, 12 KB, 64 in flight", "records/s", 4_300, 6_000, log(12_000, 64, None), "predicted", ENGINES),
        Figure("… half of them within", "ms", 9, 13, log(12_000, 64, 0.5), "predicted", ENGINES),
        Figure("… 99 of 100 within", "ms", 25, 37, log(12_000, 64, 0.99), "open", ENGINES, TAILS),
        Figure("log, 12 KB, 256 in flight", "records/s", 6_000, 6_200, log(12_000, 256, None), "predicted", ENGINES),
        Figure("… half of them within", "ms", 38, 38, log(12_000, 256, 0.5), "predicted", ENGINES),
        Figure("… 99 of 100 within", "ms", 84, 84, log(12_000, 256, 0.99), "open", ENGINES, TAILS),
        Figure("log, 2 KB, 64 and 256 in flight", "records/s", 10_000, 14_000, small, "open", ENGINES, NO_NUMBER),
        Figure("inserts of one client, a quorum", "rows/s", 61_000, 95_000, rows, "open", ENGINES, OTHER_TABLE),
        Figure("… half of the blocks within", "ms", 95, 158, quantile(delays, 0.5) * 1e3, "open", ENGINES, OTHER_TABLE),
        Figure("inserts of four into one table", "rows/s", 52_000, 52_000, inserts_alone(1, 4)[0], "open", ENGINES, OTHER_TABLE),
        Figure("inserts of four into four tables", "rows/s", 76_000, 76_000, inserts_alone(4, 4)[0], "open", ENGINES, OTHER_TABLE),
    ]


def figures():
    return cluster_figures() + engine_figures()


def text(figures):
    """The figures as a table."""
    lines = [f"{'':44} {'measured':>17} {'model':>8} {'deviation':>9}"]
    for each in figures:
        measured = f"{each.least:,}" if each.least == each.most else f"{each.least:,} to {each.most:,}"
        model = f"{each.simulated:,.0f}" if each.simulated >= 1_000 else f"{each.simulated:.3g}"
        kind = each.kind if each.kind != "open" else f"not reproduced: {each.reason}"
        lines.append(f"{f'{each.name}, {each.unit}':44} {measured:>17} {model:>8} {each.deviation:>+9.0%} "
                     f"{kind if each.holds else f'OUTSIDE {WITHIN:.0%}'}")
    return "\n".join(lines)


def values(figures):
    """The figures for programs."""
    return [{**asdict(each), "deviation": round(each.deviation, 3), "holds": each.holds} for each in figures]
