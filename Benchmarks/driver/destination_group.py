"""Destinations: functions, warehouses, files of Parquet, and what they take from ingest.

All begin with a folder of stored events, about a kilobyte each. A destination that starts with the first of them is measured
until it has delivered all.
"""

import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from pathlib import Path
from statistics import median

import people
from bench import PACKAGE, PATIENCE, Failed
from growth_group import Workspace, later_clock
from promise import AtLeast, AtLeastAndShare, Benchmark, Measurement, MoreAtMost, Promise, RatioAtLeast, RatioAtMost, Unavailable
from workspace_group import (
    ADMINISTRATOR, EVENTS, RENAMING, Server, load, paced, program, send, wait_until_stored, worker_seconds, workspace)

ROOT = PACKAGE.parent
sys.path.append(str(ROOT / "Tests/Server"))
import clickhouse  # noqa: E402
import parquet_readers  # noqa: E402
import postgres  # noqa: E402

BATCH = 100
# A loop of a function and of a live plugin are stopped after 100 ms for each event, so so many keep them busy.
BAD_EVENTS = 2_000
FUNCTION = """
class Batches extends Destination {
    static settings = { address: { required: true } };
    static hosts = ["{address}"];
    static batchEvents = %d;
    batch(events, settings) {
        const lines = events.map((event) => ({
            name: event.event ?? event.type, user: event.userId ?? event.anonymousId, id: event.messageId, at: millis(event),
            total: event.properties?.total,
        }));
        return request("POST", settings.address, { body: lines });
    }
}
"""
ENDLESS = "for (;;) {}"
GREEDY = "const all = []; for (;;) all.push(new Array(100000).fill(all.length));"
BAD_FUNCTION = "class Bad extends Destination { static hosts = ['example.com']; track(event) { %s } }"
BAD_PLUGIN = """
class Bad extends LivePlugin {
    constructor() { super(LivePluginType.enrichment, null); }
    track(event) { %s }
}
analytics.add(new Bad());
"""


# A workspace with stored events


@cache
def filled(bench):
    """A folder with events of yesterday, because files are written of hours that are over. Those who change it take a copy."""
    folder = bench.new_folder("forwarded") / "data"
    count = bench.size["forwarded_events"]
    with Workspace(bench, folder, later_clock(bench.new_folder("clock")), days_ago=1) as server:
        crowd = people.People(max(20, count // 50), seed=count, names=bench.size["forwarded_names"])
        people.Sending(server.address, crowd, count).run()
        server.store()
    return folder


@contextmanager
def served(bench, folder):
    environment = {"TRIBUTARY_ADMIN_TOKEN": ADMINISTRATOR, "TRIBUTARY_FILES_FOLDER": f"{folder}-files"}
    with workspace(bench, folder, environment) as server:
        yield server


@contextmanager
def copied(bench):
    """A server with a copy of the stored events."""
    folder = bench.new_folder("copy")
    shutil.copytree(filled(bench), folder / "data")
    try:
        with served(bench, folder / "data") as server:
            yield server
    finally:
        shutil.rmtree(folder)


def address(server):
    return server.url.removeprefix("http://")


def ask(server, path):
    request = urllib.request.Request(server.url + path, headers={"Authorization": f"Bearer {ADMINISTRATOR}"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return answer.read()


def change(server, method, path, body=b"", kind="application/json"):
    status = send(server, method, path, body, kind)
    if status not in (200, 201, 202, 204):
        raise Failed(f"{method} {path} was answered with {status}")


@contextmanager
def destination(server, settings, source="WK"):
    """A destination that begins with the first stored event."""
    path = f"/api/sources/{source}/destinations/There"
    change(server, "PUT", path, json.dumps({"from": "start"} | settings))
    try:
        yield path
    finally:
        change(server, "DELETE", path)


def delivered(server, settings, count):
    """Seconds in which a destination delivers all stored events."""
    began = time.monotonic()
    with destination(server, settings) as path:
        wait(server, path, count)
        return time.monotonic() - began


def wait(server, path, count):
    deadline = time.monotonic() + PATIENCE
    while True:
        state = json.loads(ask(server, path))
        if state["delivered"] >= count:
            return
        # A failure that is tried again only costs time.
        if state["deadLetters"] or time.monotonic() > deadline:
            raise Failed(f"events are not delivered: {state.get('reason')}, {state['deadLetters']} dead letters")
        time.sleep(0.02)


def function(to, code=FUNCTION % BATCH):
    return {"kind": "function", "settings": {"code": code, "settings": {"address": to}}}


def webhook(to):
    return {"kind": "webhook", "settings": {"url": to, "batchEvents": BATCH}}


# Functions


def functions(bench):
    """What processes of functions take, and how fast events are sent; the floor is a webhook with as many events a request."""
    count, costs, rates, floors = bench.size["forwarded_events"], [], [], []
    with Server([program(bench, "IngestFloor")]) as receiver, served(bench, filled(bench)) as server:
        to = receiver.url + "/v1/b"
        for _ in range(bench.size["forwarded_rounds"]):
            floors.append(count / delivered(server, webhook(to), count))
            before = server.seconds()
            with destination(server, function(to)) as path:
                began = time.monotonic()
                wait(server, path, count)
                rates.append(count / (time.monotonic() - began))
                costs.append((count / max(worker_seconds(server), 0.01), count / max(server.seconds() - before, 0.01)))
    workers, own = (median(each) for each in zip(*costs))
    return {
        "function-events": Measurement(workers, own),
        "function-rate": Measurement(median(rates), median(floors), floors=floors),
    }


class Arrivals:
    """A receiver that notes when it gets each event of the paced load first."""

    def __init__(self):
        self.times, self.changed = {}, threading.Condition()
        arrivals = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                now = time.monotonic()
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with arrivals.changed:
                    for event in body["batch"] if isinstance(body, dict) else body:
                        arrivals.times.setdefault(event.get("messageId") or event["id"], now)
                    arrivals.changed.notify()
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        self.thread = threading.Thread(target=self.server.serve_forever)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def wait(self, count):
        with self.changed:
            if not self.changed.wait_for(lambda: len(self.times) >= count, PATIENCE):
                raise Failed(f"{len(self.times)} of {count} events arrived")


def late(bench, requests, kind):
    """How many milliseconds after it was sent an event is with the receiver, in the 99th percentile. The first tenth is left out:
    processes start then."""
    with Arrivals() as arrivals, served(bench, bench.new_folder("paced") / "data") as server:
        with destination(server, kind(arrivals.url)):
            sent = paced(server, requests)
            arrivals.wait(len(sent))
    delays = [arrivals.times[id] - moment for id, moment in sorted(sent.items(), key=lambda each: each[1])]
    delays = sorted(delays[len(delays) // 10:])
    return delays[len(delays) * 99 // 100] * 1000


def lateness(bench):
    found = {webhook: [], function: []}
    for _ in range(bench.size["forwarded_rounds"]):
        for kind, delays in found.items():
            delays.append(late(bench, bench.size["forwarded_requests"], kind))
    return {"function-p99": Measurement(median(found[function]), median(found[webhook]), floors=found[webhook])}


# Bad scripts beside good ones


def send_bad_events(server):
    for begin in range(0, BAD_EVENTS, 500):
        events = [{"type": "track", "event": "Bad", "userId": "u", "messageId": f"bad-{number}"}
                  for number in range(begin, begin + 500)]
        if send(server, "POST", "/v1/b", json.dumps({"batch": events, "writeKey": "BAD"})) != 200:
            raise Failed("a batch was refused")


def functions_beside(bench, script):
    """The rate of a function while another source has a bad one, as a share of that without."""
    count, alone, beside = bench.size["forwarded_events"], [], []
    with Server([program(bench, "IngestFloor")]) as receiver, copied(bench) as server:
        change(server, "PUT", "/api/sources/BAD")
        send_bad_events(server)
        wait_until_stored(server)
        good = function(receiver.url + "/v1/b")
        bad = {"kind": "function", "settings": {"code": BAD_FUNCTION % script, "settings": {}}}
        for _ in range(bench.size["forwarded_rounds"]):
            alone.append(count / delivered(server, good, count))
            with destination(server, bad, "BAD"):
                wait_for_worker(server, "BAD")
                beside.append(count / delivered(server, good, count))
    return share(alone, beside)


def wait_for_worker(server, source):
    """Until a process runs a script of a source."""
    deadline = time.monotonic() + PATIENCE
    while not any(source in words for words in worker_commands(server)):
        if time.monotonic() > deadline:
            raise Failed(f"no script of {source} runs")
        time.sleep(0.01)


def worker_commands(server):
    """The command lines of the processes that a server has started."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == server.process.pid:
                yield (folder / "cmdline").read_text().split("\0")
        except (FileNotFoundError, ProcessLookupError):
            continue


def plugins_beside(bench, script):
    """How fast events go through the live plugins of a source, while those of another source are bad, as a share of that without."""
    count, alone, beside = bench.size["forwarded_events"], [], []
    for _ in range(bench.size["forwarded_rounds"]):
        with served(bench, bench.new_folder("plugins") / "data") as server:
            change(server, "PUT", "/api/sources/WK/live-plugins?where=workspace", RENAMING.encode(), "text/javascript")
            # The process starts with the first events.
            storing(server, EVENTS)
            alone.append(storing(server, count))
            change(server, "PUT", "/api/sources/BAD")
            change(server, "PUT", "/api/sources/BAD/live-plugins?where=workspace", (BAD_PLUGIN % script).encode(), "text/javascript")
            send_bad_events(server)
            wait_for_worker(server, "BAD")
            beside.append(storing(server, count))
    return share(alone, beside)


def storing(server, count):
    """Events of the good source that are stored a second."""
    before = renamed(server)
    crowd = people.People(max(20, count // 50), seed=count)
    began = time.monotonic()
    people.Sending(address(server), crowd, count).run()
    while renamed(server) < before + count:
        time.sleep(0.02)
    return count / (time.monotonic() - began)


def renamed(server):
    """Stored events of the good source."""
    return json.loads(ask(server, "/api/stats?writeKey=WK"))["stored"]


def share(alone, beside):
    middle = [median(rates) for rates in (alone, beside)]
    return Measurement(100 * middle[1] / middle[0], details={"alone": middle[0], "beside": middle[1]}, floors=alone)


def beside(bench):
    found = {}
    for name, script in [("endless", ENDLESS), ("greedy", GREEDY)]:
        found[f"function-beside-{name}"] = functions_beside(bench, script)
        found[f"scripts-beside-{name}"] = plugins_beside(bench, script)
    return found


# Warehouses


@contextmanager
def database(kind):
    module, make = (postgres, postgres.Postgres) if kind == "postgres" else (clickhouse, clickhouse.ClickHouse)
    if (postgres.programs() if kind == "postgres" else clickhouse.python()) is None:
        raise Unavailable(module.MISSING)
    running = make()
    try:
        yield running
    finally:
        running.stop()


def warehouse(running):
    return {"kind": running.kind, "settings": running.settings(), "secret": module_of(running).PASSWORD}


def module_of(running):
    return postgres if running.kind == "postgres" else clickhouse


def loading(bench, kind):
    """Rows a second into a database; the floor loads the same rows into tables that are alike."""
    count, rates, floors = bench.size["forwarded_events"], [], []
    with database(kind) as running, served(bench, filled(bench)) as server:
        for _ in range(bench.size["forwarded_rounds"]):
            seconds = delivered(server, warehouse(running), count)
            names = running.tables()
            rows = sum(running.number(f"SELECT count(*) FROM {running.table(name)}") for name in names)
            rates.append(rows / seconds)
            floors.append(rows / (copying if kind == "postgres" else inserting)(running, names))
            clear(running)
    return {f"warehouse-{kind}": Measurement(
        median(rates), median(floors), {"rows": rows, "events/s": median(rates) * count / rows}, floors=floors)}


def copying(running, names):
    """Seconds in which PostgreSQL takes the rows of these tables with COPY, into tables with the same columns and keys."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [f"{folder}/{number}" for number in range(len(names))]
        psql(running, [f"\\copy {running.table(name)} to '{file}'" for name, file in zip(names, rows)])
        psql(running, [f"CREATE TABLE floor_{number} (LIKE {running.table(name)} INCLUDING ALL);" for number, name in enumerate(names)])
        began = time.monotonic()
        psql(running, [f"\\copy floor_{number} from '{file}'" for number, file in enumerate(rows)])
        seconds = time.monotonic() - began
        psql(running, [f"DROP TABLE floor_{number};" for number in range(len(names))])
    return seconds


def psql(running, lines):
    subprocess.run(
        ["psql", "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--host", "127.0.0.1", "--port", str(running.port),
         "--username", postgres.USER, "--dbname", postgres.DATABASE],
        input="\n".join(lines), env=os.environ | {"PGPASSWORD": postgres.PASSWORD}, text=True, check=True, capture_output=True)


def inserting(running, names):
    """Seconds in which ClickHouse takes the rows of these tables, each with one INSERT, in the form that the server sends."""
    seconds = 0
    for name in names:
        running.query(f"DROP TABLE IF EXISTS {running.table('floor')}")
        running.query(f"CREATE TABLE {running.table('floor')} AS {running.table(name)}")
        rows = asked(running, f"SELECT * FROM {running.table(name)} FORMAT RowBinaryWithNamesAndTypes")
        began = time.monotonic()
        asked(running, f"INSERT INTO {running.table('floor')} FORMAT RowBinaryWithNamesAndTypes\n", rows)
        seconds += time.monotonic() - began
    running.query(f"DROP TABLE {running.table('floor')}")
    return seconds


def asked(running, sql, rows=b""):
    request = urllib.request.Request(
        running.url, sql.encode() + rows, {"X-ClickHouse-User": "default", "X-ClickHouse-Key": clickhouse.PASSWORD})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return answer.read()


def clear(running):
    if running.kind == "postgres":
        running.query("DROP SCHEMA IF EXISTS tributary CASCADE")
    else:
        running.query(f"DROP DATABASE IF EXISTS {clickhouse.DATABASE}")


# Parquet

# What pyarrow writes out of lines of JSON.
WRITE = """
import json, sys, time
import pyarrow, pyarrow.compute, pyarrow.json, pyarrow.parquet
began = time.monotonic()
lines = pyarrow.json.read_json(sys.argv[1])
event = lines["event"].combine_chunks()
properties = event.field("properties")
table = pyarrow.table({
    "sequence": lines["sequence"], "type": event.field("type"), "messageId": event.field("messageId"),
    "userId": event.field("userId"), "anonymousId": event.field("anonymousId"), "name": event.field("event"),
    "timestamp": lines["timestamp"], "properties.total": properties.field("total"),
    "properties.currency": properties.field("currency"), "properties.note": properties.field("note"),
})
pyarrow.parquet.write_table(table, sys.argv[2], compression="gzip", use_dictionary=False)
print(time.monotonic() - began)
"""
COLUMNS = "sequence,type,messageId,userId,anonymousId,name,timestamp,properties.total:double,properties.currency,properties.note"


def parquet(bench):
    """The export as Parquet; the floor is pyarrow, which writes the same columns out of the export as lines of JSON."""
    if missing := parquet_readers.install():
        raise Unavailable(missing)
    ours, floors = [], []
    folder = bench.new_folder("parquet")
    lines, written = folder / "events.json", folder / "events.parquet"
    with served(bench, filled(bench)) as server:
        lines.write_bytes(ask(server, "/api/export"))
        for _ in range(bench.size["forwarded_rounds"]):
            began = time.monotonic()
            content = ask(server, f"/api/export?format=parquet&columns={COLUMNS}")
            ours.append(time.monotonic() - began)
            done = subprocess.run(
                [sys.executable, "-c", WRITE, lines, written], env=os.environ | {"PYTHONPATH": str(parquet_readers.PACKAGES)}, check=True,
                capture_output=True, text=True, timeout=PATIENCE)
            floors.append(float(done.stdout))
    return {"export-parquet": Measurement(
        median(ours), median(floors), {"bytes": len(content), "floor_bytes": written.stat().st_size}, floors=floors)}


# Ingest

BESIDE = {"function": "a destination function", "postgres": "the loading of PostgreSQL", "clickhouse": "the loading of ClickHouse",
          "parquet": "the writing of Parquet files"}


def give_way(process):
    """The system runs a process and its threads and children only when no other one wants the processor."""
    for task in Path(f"/proc/{process}/task").iterdir():
        os.setpriority(os.PRIO_PROCESS, int(task.name), 19)


@contextmanager
def receiver(bench, kind):
    """Makes the settings of a destination. What gets its events runs as if it was another machine."""
    if kind == "function":
        with Server([program(bench, "IngestFloor")]) as floor:
            give_way(floor.process.pid)
            yield lambda: function(floor.url + "/v1/b")
    elif kind == "parquet":
        yield lambda: {"kind": "files", "settings": {"format": "parquet"}}
    else:
        with database(kind) as running:
            give_way(running.process.pid)

            def empty():
                clear(running)
                return warehouse(running)

            yield empty


def ingest(bench):
    """Events that are acknowledged a second while a destination gets the stored ones, as a share of those without."""
    rounds, seconds = bench.size["forwarded_ingest"]
    alone, beside, missing = [], {kind: [] for kind in BESIDE}, {}
    with ExitStack() as stack:
        receivers = {}
        for kind in BESIDE:
            try:
                receivers[kind] = stack.enter_context(receiver(bench, kind))
            except Unavailable as error:
                missing[f"ingest-beside-{kind}"] = error
        for _ in range(rounds):
            with copied(bench) as server:
                alone.append(load(server, seconds))
            for kind, settings in receivers.items():
                with copied(bench) as server, destination(server, settings()) as path:
                    wait(server, path, 1)
                    beside[kind].append(load(server, seconds))
    return missing | {f"ingest-beside-{kind}": beside_alone(alone, beside[kind]) for kind in receivers}


def beside_alone(alone, beside):
    refused = sum(each["refused"] for each in alone + beside)
    found = share([each["events"] for each in alone], [each["events"] for each in beside])
    found.objection = f"{refused} requests were refused" if refused else None
    return found


BENCHMARKS = [
    Benchmark([
        Promise("function-events", "events/s/core", AtLeastAndShare(40_000, 1),
                "events of which a destination function makes requests, 100 in one, for each second of the processor in its process; "
                "the floor is what the server itself takes"),
        Promise("function-rate", "events/s", RatioAtLeast(0.5),
                "events that are sent through it; the floor is a webhook with as many events in a request"),
    ], functions),
    Benchmark([
        Promise("function-p99", "ms", MoreAtMost(50),
                "how soon the receiver has an event, in the 99th percentile, through a function; the floor is a webhook"),
    ], lateness),
    Benchmark([
        Promise(f"{what}-beside-{script}", "%", AtLeast(80),
                f"rate of {text} while that of another source {does}, of that without")
        for script, does in [("endless", "never ends"), ("greedy", "takes all memory that it gets")]
        for what, text in [("function", "a destination function"), ("scripts", "a live plugin in the workspace")]
    ], beside),
    *[Benchmark([
        Promise(f"warehouse-{kind}", "rows/s", RatioAtLeast(share), f"rows that are loaded into {name}; the floor is {floor}"),
    ], partial(loading, kind=kind)) for kind, name, share, floor in [
        ("postgres", "PostgreSQL", 0.1, "COPY of the same rows by psql"),
        ("clickhouse", "ClickHouse", 0.08, "an INSERT over HTTP for all rows of a table")]],
    Benchmark([
        Promise("export-parquet", "s", RatioAtMost(2),
                "stored events are exported as Parquet; the floor is pyarrow with the same columns out of lines of JSON"),
    ], parquet),
    Benchmark([
        Promise(f"ingest-beside-{kind}", "%", AtLeast(90), f"events that are acknowledged beside {text}, of those without it")
        for kind, text in BESIDE.items()
    ], ingest, tools=("wrk",)),
]
