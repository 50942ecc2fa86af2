"""A cluster of three nodes with all its engines on this machine: what it acknowledges, how soon, and what an event costs.

Measured only where TRIBUTARY_CLUSTER is set, because the engines are many packages and the nodes another build.
"""

import gzip
import http.client
import json
import os
import random
import re
import secrets
import subprocess
import threading
import time
from functools import cache
from pathlib import Path

from bench import PATIENCE, Failed
from promise import AtLeast, AtMost, Benchmark, Measurement, Promise, Unavailable
from workspace_group import CONNECTIONS, EVENTS, TICKS, Server, built, load, workspace, write_bodies

NODES = 3
PARTITIONS = 16
DEVICES = 2_000
# More than a cluster on this machine takes in a second.
BATCHES_A_SECOND = 4_000
# Milliseconds that each connection waits between two requests, so that all together send some 9,000 events a second: two processors
# store that lastingly, beside the load generator.
PAUSE = CONNECTIONS * EVENTS * NODES * 1_000 // 10_000


@cache
def program(bench, name):
    """Builds a program with the cluster's parts, in a folder of its own."""
    try:
        return built(bench, name, ".build-cluster", os.environ | {"TRIBUTARY_CLUSTER": "1"})
    except Failed as error:
        raise Failed(f"{error} (scripts/bootstrap cluster installs what the cluster needs)") from error


class Cluster:
    """The engines of a cluster and some nodes, which end with it."""

    def __init__(self, bench, folder):
        self.bench, self.folder = bench, folder
        self.engines = subprocess.Popen(
            [program(bench, "ClusterTest"), "engines"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.nodes = []
        try:
            addresses = dict(self.line() for _ in range(3))
        except Unavailable:
            self.end()
            raise
        self.token = secrets.token_hex(24)
        self.environment = {
            "TRIBUTARY_LOG": addresses["log"], "TRIBUTARY_STORE": addresses["store"],
            "TRIBUTARY_LOG_MONITORING": addresses["monitoring"], "TRIBUTARY_ADMIN_TOKEN": self.token,
            "TRIBUTARY_CLUSTER_KEY": secrets.token_hex(24)}

    def line(self):
        line = self.engines.stdout.readline().split()
        if len(line) != 2:
            raise Unavailable("the engines are not installed (scripts/bootstrap cluster)")
        return line

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        for node in self.nodes:
            node.end(9)
        self.engines.stdin.close()
        try:
            self.engines.wait(60)
        except subprocess.TimeoutExpired:
            self.engines.kill()

    def add_node(self):
        name = f"node-{len(self.nodes)}"
        self.nodes.append(Server(
            [program(self.bench, "tributary"), "serve", "--port", 0, "--data", self.folder / name, "--node-name", name,
             "--partitions", PARTITIONS, "--write-key", "WK"], self.environment))

    def wait_until_shared(self):
        """Until each partition has an owner."""
        for _ in range(600):
            if all(partition["answers"] for partition in self.get("/api/cluster")["partitions"]):
                return
            time.sleep(0.1)
        raise Failed("the partitions have no owners after a minute")

    def get(self, path):
        connection = http.client.HTTPConnection(self.nodes[0].url.removeprefix("http://"), timeout=PATIENCE)
        try:
            connection.request("GET", path, headers={"Authorization": f"Bearer {self.token}"})
            return json.loads(connection.getresponse().read())
        finally:
            connection.close()

    def seconds_until_stored(self):
        began = time.monotonic()
        while sum(partition["waiting"] for partition in self.get("/api/cluster")["partitions"]) > 0:
            if time.monotonic() - began > PATIENCE:
                raise Failed("what was acknowledged is not stored")
            time.sleep(0.05)
        return time.monotonic() - began

    def processor_seconds(self):
        """Of each sort of process."""
        found = {}
        for pid in [node.process.pid for node in self.nodes] + descendants(self.engines.pid):
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")
            except OSError:
                continue
            name = next((sort for sort in ("tributary", "nats", "clickhouse", "java") if sort in fields[0]), None)
            ticks = fields[2].split()
            found[name] = found.get(name, 0) + (int(ticks[11]) + int(ticks[12])) / TICKS
        found.pop(None, None)
        return found


def descendants(parent):
    children = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text()
        except OSError:
            continue
        children.setdefault(int(text.rpartition(")")[2].split()[1]), []).append(int(path.parent.name))
    found, waiting = [], [parent]
    while waiting:
        of_one = children.get(waiting.pop(), [])
        found += of_one
        waiting += of_one
    return found


WORDS = "order cart total shipping gift red blue small large express standard summer winter sale return note".split()


def batches(path, count, source):
    """Compressed batches, as clients send them: one after the other of other devices, and each event with values of its own.

    source: the number of the file, so that two of them have no device or id in common.
    """
    chance = random.Random(source)
    notes = [" ".join(chance.choices(WORDS, k=70)) for _ in range(500)]
    now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())

    def event(device, number):
        return {
            "type": "track", "event": "Order Completed", "userId": f"user-{device}", "anonymousId": f"device-{device}",
            "timestamp": now, "messageId": f"{device}-{number}",
            "context": {
                "library": {"name": "tributary", "version": "0.1.0"}, "os": {"name": "Linux", "version": "6.1"},
                "device": {"type": "server"}, "locale": "en-US", "timezone": "Europe/Berlin"},
            "properties": {
                "total": chance.randrange(100_000) / 100, "currency": "EUR", "orderId": f"{chance.getrandbits(64):x}",
                "products": [{"sku": f"{chance.randrange(9_999)}", "price": 10.25, "quantity": chance.randrange(9)}],
                "note": chance.choice(notes)}}

    def bodies():
        for number in range(count):
            device = f"{source}-{number % DEVICES}"
            events = [event(device, number * EVENTS + index) for index in range(EVENTS)]
            yield gzip.compress(json.dumps({"batch": events, "writeKey": "WK"}).encode(), compresslevel=3)

    return write_bodies(path, bodies())


def together(servers, files, seconds, pause=0):
    """The load on all servers at once; `pause` is that of each connection."""
    results = [None] * len(servers)

    def run(index):
        try:
            results[index] = load(servers[index], seconds, files[index], pause)
        except Failed as error:
            results[index] = error

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(servers))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        if isinstance(result, Failed):
            raise result
    return {"events": sum(each["events"] for each in results), "p99": max(each["p99"] for each in results),
            "refused": sum(each["refused"] for each in results)}


def acknowledging(bench):
    """One, two and three nodes in turn, with the engines of three; and the single machine in the same run."""
    seconds = bench.size["ingest_seconds"]
    folder = bench.new_folder("cluster")
    numbers = iter(range(1_000))

    def files(count):
        each = seconds * BATCHES_A_SECOND // count
        return [batches(folder / f"batches-{number}", each, number) for _, number in zip(range(count), numbers)]

    with workspace(bench, folder / "single") as server:
        single = load(server, seconds, files(1)[0])["events"]
    details = {"single_machine": single}
    with Cluster(bench, folder) as cluster:
        for count in range(1, NODES + 1):
            cluster.add_node()
            cluster.wait_until_shared()
            load(cluster.nodes[-1], 1)
            bodies = files(count)
            cluster.seconds_until_stored()
            before = cluster.processor_seconds()
            found = together(cluster.nodes, bodies, seconds)
            lag = cluster.seconds_until_stored()
            events = found["events"] * seconds
            spent = {sort: time - before.get(sort, 0) for sort, time in cluster.processor_seconds().items()}
            details |= {f"events_with_{count}": found["events"], f"p99_with_{count}": found["p99"],
                        f"lag_with_{count}": lag, f"refused_with_{count}": found["refused"]}
            details |= {f"{sort}_microseconds_with_{count}": time / events * 1e6 for sort, time in spent.items()}
        steady = together(cluster.nodes, files(NODES), seconds, PAUSE)
        steady_lag = cluster.seconds_until_stored()
    details |= {"steady_events": steady["events"], "steady_p99": steady["p99"], "lag": steady_lag}
    refused = found["refused"] + steady["refused"]
    objection = f"{refused} requests were refused" if refused else None
    return {
        "cluster-acknowledged": Measurement(found["events"], single, details, objection),
        "cluster-acknowledged-p99": Measurement(found["p99"], None, {}, objection),
        "cluster-stored": Measurement(steady_lag, None, {"steady_events": steady["events"]}, objection),
    }


def takeovers(bench):
    """Nodes are killed one after the other while all engines run. When a further one is killed before a takeover ends, the next
    owner has to wait as long as the first did; so there is a pause."""
    run = subprocess.run(
        [program(bench, "ClusterTest"), "drive", "--only-nodes", "--seed", "1", "--devices", "12", "--pause", "10",
         "--minutes", str(bench.size["takeover_minutes"])],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
    slowest = re.search(r"takeovers: (\d+), .* the slowest ([\d.]+) s", run.stdout)
    if run.returncode != 0 or not slowest:
        raise Failed(f"the cluster test ended with {run.returncode}: {run.stdout[-300:]}")
    return {"cluster-takeover": Measurement(float(slowest[2]), None, {"takeovers": int(slowest[1])})}


BENCHMARKS = [
    Benchmark([
        Promise("cluster-acknowledged", "events/s", AtLeast(25_000),
                f"events that a majority has, {NODES} nodes and all engines on one machine; the floor is one machine"),
        Promise("cluster-acknowledged-p99", "ms", AtMost(1_000), "how soon, in the 99th percentile"),
        Promise("cluster-stored", "s", AtMost(10),
                "until all is stored after the last request, at a rate of about 9,000 events a second"),
    ], acknowledging, tools=("wrk",)),
    Benchmark([Promise("cluster-takeover", "s", AtMost(10), "the slowest takeover of a killed node's partitions")],
              takeovers),
] if "TRIBUTARY_CLUSTER" in os.environ else []
