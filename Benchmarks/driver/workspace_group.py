"""The workspace: what it acknowledges, how soon, and how fast it stores it."""

import gzip
import http.client
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import contextmanager, nullcontext
from functools import cache, partial
from pathlib import Path
from statistics import median

from bench import PACKAGE, PATIENCE, Failed
from promise import AtLeastAndShare, AtMost, Benchmark, Measurement, Promise, Unavailable

DRIVER = Path(__file__).resolve().parent
WORKSPACE = PACKAGE.parent / "Workspace"
CONNECTIONS = 64
EVENTS = 20
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@cache
def program(bench, name):
    """Builds a program of the workspace as the benchmarks were, and says where it is."""
    # In a folder of its own, so that measuring neither waits for the build that tests use nor replaces it.
    return built(bench, name, ".build" if bench.programs.name == "debug" else ".build-release", os.environ)


def built(bench, name, folder, environment):
    """Builds a program of the workspace in a folder of its package, and says where it is."""
    command = ["swift", "build", "--package-path", str(WORKSPACE), "--scratch-path", str(WORKSPACE / folder),
               "-c", bench.programs.name]
    build = subprocess.run(
        [*command, "--product", name], stdin=subprocess.DEVNULL, stdout=sys.stderr, env=environment)
    if build.returncode != 0:
        raise Failed("the workspace does not build")
    path = subprocess.run(
        [*command, "--show-bin-path"], check=True, capture_output=True, text=True, env=environment).stdout
    return Path(path.strip()) / name


class Server:
    """A process that listens on a port of the system's choice."""

    def __init__(self, command, environment=None):
        self.process = subprocess.Popen(
            [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=os.environ | (environment or {}))
        for line in self.process.stdout:
            if "http://" in line:
                self.url = "http://" + line.split("http://")[1].strip()
                return
        raise Failed("the server did not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end(signal.SIGKILL)

    def end(self, number):
        self.process.send_signal(number)
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    def seconds(self):
        """Processor time that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def megabytes(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def get(self, path):
        connection = http.client.HTTPConnection(self.url.removeprefix("http://"), timeout=PATIENCE)
        try:
            connection.request("GET", path)
            return json.loads(connection.getresponse().read())
        finally:
            connection.close()


def workspace(bench, folder, environment=None):
    return Server(
        [program(bench, "tributary"), "serve", "--port", 0, "--data", folder, "--write-key", "WK"], environment)


def load(server, seconds, bodies=None, pause=0):
    """What the load generator saw: events a second, and the 99th percentile in milliseconds.

    bodies: a file of `write_bodies`, whose bodies are sent in turn; otherwise batches are plain and each event is new.
    pause: how many milliseconds each connection waits before a request of `bodies`; 0 sends as much as the server takes.
    """
    if shutil.which("wrk") is None:
        raise Unavailable("wrk is not installed")
    arguments = [f"{random.getrandbits(48):x}-"]
    if bodies:
        arguments.append(str(bodies))
    if pause:
        arguments.append(str(pause))
    before = server.seconds()
    result = subprocess.run(
        ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency", "-s", str(DRIVER / "batches.lua"),
         server.url + "/v1/b", "--", *arguments],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
    output = result.stdout
    rate = re.search(r"Requests/sec:\s+([\d.]+)", output)
    tail = re.search(r"99%\s+([\d.]+)(us|ms|s)", output)
    total = re.search(r"(\d+) requests in", output)
    if result.returncode != 0 or not (rate and tail and total) or int(total[1]) == 0:
        raise Failed(f"wrk ended with {result.returncode}: {' '.join((output + result.stderr).split())[-300:]}")
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    return {
        "events": float(rate[1]) * EVENTS, "p99": float(tail[1]) * {"us": 0.001, "ms": 1, "s": 1000}[tail[2]],
        "microseconds": (server.seconds() - before) / int(total[1]) * 1e6,
        "refused": int(refused[1]) if refused else 0,
    }


def compressed_body(folder):
    event = {"type": "track", "event": "Order Completed", "userId": "u", "properties": {"note": "lorem ipsum " * 60}}
    events = [event | {"messageId": f"m-{number}"} for number in range(EVENTS)]
    return write_bodies(folder / "body", [gzip.compress(json.dumps({"batch": events, "writeKey": "WK"}).encode())])


def write_bodies(path, bodies):
    """The file that the load generator reads."""
    with path.open("wb") as file:
        for body in bodies:
            file.write(b"%08d" % len(body) + body)
    return path


def acknowledging(name, kind, bench):
    """The workspace and the floor, in turns."""
    folder = bench.new_folder("workspace")
    bodies = compressed_body(folder) if kind == "gzip" else None
    environment = slow_disk(folder) if kind == "slow" else None
    seconds = bench.size["ingest_seconds"]
    if kind == "unstored":
        # What waits for the indexer may be 1 GB.
        seconds = min(seconds, 2)
    ours, floors, memory = [], [], 0
    with Server([program(bench, "IngestFloor")]) as floor:
        for number in range(bench.size["ingest_rounds"]):
            floors.append(load(floor, seconds, bodies))
            with workspace(bench, folder / str(number), environment) as server, \
                    (held_day(folder / str(number), server) if kind == "unstored" else nullcontext()):
                ours.append(load(server, seconds, bodies))
                memory = max(memory, server.megabytes())
            shutil.rmtree(folder / str(number))
    refused = sum(each["refused"] for each in ours)
    objection = f"{refused} requests were refused" if refused else None
    details = {"microseconds": median(each["microseconds"] for each in ours), "memory": memory,
               "floor_microseconds": median(each["microseconds"] for each in floors)}
    return {
        name: Measurement(median(each["events"] for each in ours), median(each["events"] for each in floors),
                          details, objection, [each["events"] for each in floors]),
        name + "-p99": Measurement(median(each["p99"] for each in ours), median(each["p99"] for each in floors),
                                   {}, objection, [each["p99"] for each in floors]),
    }


@contextmanager
def held_day(folder, server):
    """Nobody else may write the day meanwhile, so the indexer waits."""
    post(server, "first")
    while server.get("/v1/ready")["waitingRequests"] > 0:
        time.sleep(0.05)
    [day] = (folder / "days").glob("*.sqlite")
    holder = sqlite3.connect(day, isolation_level=None, timeout=PATIENCE)
    holder.execute("BEGIN IMMEDIATE")
    post(server, "second")
    # The indexer waits for the day by now; it would not have begun before.
    time.sleep(0.5)
    try:
        yield
    finally:
        holder.close()


def post(server, message_id):
    event = {"type": "track", "event": "E", "userId": "u", "messageId": message_id}
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=PATIENCE)
    try:
        connection.request("POST", "/v1/b", json.dumps({"batch": [event], "writeKey": "WK"}))
        if connection.getresponse().status != 200:
            raise Failed("the server does not take an event")
    finally:
        connection.close()


def slow_disk(folder):
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        raise Unavailable("there is no C compiler")
    library = folder / "slow_sync.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, DRIVER / "slow_sync.c", "-ldl"], check=True)
    return {"LD_PRELOAD": str(library)}


def indexing(bench):
    """How fast a backlog is stored, by a server that has nothing else to do; the floor is SQLite with the same rows."""
    folder = bench.new_folder("indexing")
    with workspace(bench, folder / "data") as server:
        load(server, bench.size["indexing_seconds"])
    with workspace(bench, folder / "data") as server:
        # What was stored by then is no part of the measurement.
        start = {"time": time.monotonic(), "seconds": server.seconds(), "stored": stored(folder)}
        while server.get("/v1/ready")["waitingRequests"] > 0:
            time.sleep(0.05)
        took, seconds = time.monotonic() - start["time"], server.seconds() - start["seconds"]
        events = stored(folder) - start["stored"]
        server.end(signal.SIGTERM)
    if events == 0:
        raise Failed("nothing was left to be indexed")
    floor = bare_inserts(folder)
    return {"workspace-indexed": Measurement(
        events / seconds, floor, {"events": events, "events_a_second": events / took})}


def days(folder):
    """The databases of events; a run over midnight has two."""
    return sorted((folder / "data" / "days").glob("*.sqlite"))


def stored(folder):
    count = 0
    for day in days(folder):
        with sqlite3.connect(f"file:{day}?mode=ro", uri=True) as database:
            count += database.execute("SELECT count(*) FROM event").fetchone()[0]
    return count


def bare_inserts(folder):
    """Rows of the workspace, in its own form, a second of processor time."""
    source = sqlite3.connect(f"file:{days(folder)[-1]}?mode=ro", uri=True)
    statements = [row[0] for row in source.execute(
        "SELECT sql FROM sqlite_master WHERE tbl_name = 'event' AND sql IS NOT NULL")]
    rows = source.execute("SELECT * FROM event LIMIT 100000").fetchall()
    source.close()
    target = sqlite3.connect(folder / "floor.sqlite", isolation_level=None)
    for statement in ["PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", *statements]:
        target.execute(statement)
    insert = f"INSERT INTO event VALUES ({', '.join('?' * len(rows[0]))})"
    before = time.process_time()
    for start in range(0, len(rows), 2000):
        target.execute("BEGIN")
        target.executemany(insert, rows[start:start + 2000])
        target.execute("COMMIT")
    seconds = time.process_time() - before
    target.close()
    return len(rows) / seconds


RENAMING = """
class Rename extends LivePlugin {
    constructor() { super(LivePluginType.enrichment, null); }
    track(event) { event.event = "Order " + event.event; return event; }
}
analytics.add(new Rename());
"""
ADMINISTRATOR = "the-administrator-of-the-benchmarks"


def scripts(bench):
    """Live plugins in the workspace: events for each second of the processor in the processes of scripts, beside what the server
    itself takes for them; and how much later an event is stored than without scripts."""
    with scripted(bench, "scripts") as (server, folder):
        load(server, bench.size["indexing_seconds"])
        wait_until_stored(server)
        events, own, workers = stored(folder), server.seconds(), worker_seconds(server)
    if events == 0 or workers == 0:
        raise Failed("no event went through scripts")
    delays = []
    for name, script in [("paced", None), ("paced-scripts", RENAMING)]:
        with scripted(bench, name, script) as (server, folder):
            paced(server)
            wait_until_stored(server)
            delays.append(storing_delay(folder))
    return {
        "workspace-scripts": Measurement(events / workers, events / own, {"events": events}),
        "workspace-scripts-p99": Measurement(
            max(0, delays[1] - delays[0]), details={"without": delays[0], "with": delays[1]}),
    }


@contextmanager
def scripted(bench, name, script=RENAMING):
    folder = bench.new_folder(name)
    with workspace(bench, folder / "data", {"TRIBUTARY_ADMIN_TOKEN": ADMINISTRATOR}) as server:
        if script:
            answer = send(server, "PUT", "/api/sources/WK/live-plugins?where=workspace", script.encode(), "text/javascript")
            if answer != 200:
                raise Failed(f"the script was refused with {answer}")
        yield server, folder


def send(server, method, path, body, kind="application/json", connection=None):
    connection = connection or http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=PATIENCE)
    connection.request(
        method, path, body, {"Content-Type": kind, "Authorization": f"Bearer {ADMINISTRATOR}"})
    answer = connection.getresponse()
    answer.read()
    return answer.status


def wait_until_stored(server):
    while server.get("/v1/ready")["waitingRequests"] > 0:
        time.sleep(0.05)


def worker_seconds(server):
    """Processor time of the processes that run scripts for a server."""
    seconds = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == server.process.pid:
            seconds += (int(fields[11]) + int(fields[12])) / TICKS
    return seconds


def paced(server, requests=400, pause=0.01):
    """Sends batches at a pace that the server keeps easily, and returns when each event was sent, by its id."""
    sent = {}
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=PATIENCE)
    for number in range(requests):
        batch = [{"type": "track", "event": "Completed", "userId": f"u-{number}", "messageId": f"p-{number}-{index}",
                  "properties": {"total": 42.5, "currency": "EUR"}} for index in range(EVENTS)]
        body = json.dumps({"batch": batch, "writeKey": "WK"}).encode()
        sent |= {event["messageId"]: time.monotonic() for event in batch}
        if send(server, "POST", "/v1/b", body, connection=connection) != 200:
            raise Failed("a batch was refused")
        time.sleep(pause)
    connection.close()
    return sent


def storing_delay(folder):
    """How many milliseconds after its arrival an event is stored, in the 99th percentile. The first tenth is left out: the
    processes start then."""
    delays = []
    for day in days(folder):
        with sqlite3.connect(f"file:{day}?mode=ro", uri=True) as database:
            delays += [row[0] for row in database.execute(
                "SELECT storedAt - receivedAt FROM event ORDER BY sequence")]
    late = sorted(delays[len(delays) // 10:])
    return late[len(late) * 99 // 100]


def acknowledgement(name, kind, limit, share, text):
    return Benchmark([
        Promise(name, "events/s", AtLeastAndShare(limit, share),
                f"events that are acknowledged, on the disk, {text}; the floor is a server that keeps nothing"),
        Promise(name + "-p99", "ms", AtMost(40), f"how soon, in the 99th percentile, {text}"),
    ], partial(acknowledging, name, kind), tools=("wrk",))


BENCHMARKS = [
    acknowledgement("workspace-acknowledged", "plain", 150_000, 0.22, "in batches of 20"),
    acknowledgement("workspace-acknowledged-unstored", "unstored", 150_000, 0.33,
                    "in batches of 20, while none is stored"),
    acknowledgement("workspace-gzip", "gzip", 150_000, 0.22, "in compressed batches of 20"),
    acknowledgement("workspace-slow-disk", "slow", 60_000, 0.12,
                    "in batches of 20, by a disk that takes 5 ms to sync"),
    Benchmark([
        Promise("workspace-indexed", "events/s/core", AtLeastAndShare(50_000, 0.5),
                "events that are stored, for each second of the processor; the floor is SQLite with the same rows"),
    ], indexing, tools=("wrk",)),
    Benchmark([
        Promise("workspace-scripts", "events/s/core", AtLeastAndShare(20_000, 0.2),
                "events that a script renames in the workspace, for each second of the processor in processes of scripts; the "
                "floor is what the server itself takes"),
        Promise("workspace-scripts-p99", "ms", AtMost(50),
                "how much later events are stored with that script, in the 99th percentile"),
    ], scripts, tools=("wrk",)),
]
