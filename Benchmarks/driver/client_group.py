"""The client: what a call costs, what survives, what waits, and how fast it goes out."""

import os
import random
import re
import shutil
import subprocess
import threading
import time
from functools import partial
from statistics import median

from bench import PATIENCE, Failed
from loopback import LoopbackServer
from promise import (
    AtLeast, AtMost, Benchmark, Measurement, MoreAtMost, Promise, RatioAtMost, TailAtMost, Unavailable)

PROGRAM = "ClientBenchmarks"
MEGABYTE = 1 << 20


def named(rows):
    return {
        row["name"]: Measurement(row["value"], row.get("floor"), row["details"], floors=row.get("floors", []))
        for row in rows}


# MARK: a call of track

def track(scenario, bench):
    with LoopbackServer(keeps_bodies=False) as server:
        return named(bench.run(PROGRAM, "track", {
            "folder": bench.new_folder("track"), "scenario": scenario, "rounds": bench.size["track_rounds"],
            "calls": bench.size["track_calls"], "backlog": bench.size["backlog"], "server": server.host}))


def track_benchmark(scenario, text, stretch=1.25):
    return Benchmark([
        Promise(f"track-{scenario}-median", "us", RatioAtMost(5), f"a call of track {text}; the floor is one write"),
        Promise(f"track-{scenario}-p99", "us", TailAtMost(stretch), f"the 99th percentile of a call {text}"),
    ], partial(track, scenario))


# MARK: the whole way of an event

def instructions(bench):
    if shutil.which("valgrind") is None:
        raise Unavailable("valgrind is not installed")
    few, many = bench.size["instructions"]
    counts = [least_count(bench, events, "callgrind", r"Collected : (\d+)") for events in (few, many)]
    per_event = (counts[1] - counts[0]) / (many - few)
    return {"instructions-per-event": Measurement(per_event, None, {"start": counts[0] - per_event * few})}


def least_count(bench, events, tool, pattern):
    """The least of some runs: other processes change how threads follow one another, and so make turns shorter."""
    return min(count(bench, events, tool, pattern) for _ in range(bench.size["count_runs"]))


def count(bench, events, tool, pattern):
    """What a tool of valgrind counted in a process that tracks so many events."""
    folder = bench.new_folder(tool)
    # Valgrind reads what a compiler writes for debuggers, and gives up over its newer forms; counting needs none of it.
    program = folder / PROGRAM
    subprocess.run(["strip", "--strip-debug", "-o", str(program), str(bench.programs / PROGRAM)], check=True)
    bench.run(program, "once", {"folder": folder, "events": events},
              before=["valgrind", f"--tool={tool}", f"--{tool}-out-file={folder / 'out'}"])
    found = re.search(pattern, bench.errors)
    if found is None:
        raise Failed("valgrind printed no count")
    return int(found[1].replace(",", ""))


def allocations(bench):
    if shutil.which("valgrind") is None:
        raise Unavailable("valgrind is not installed")
    few, many = bench.size["instructions"]
    pattern = r"Total: +[\d,]+ bytes in ([\d,]+) blocks"
    counts = [least_count(bench, events, "dhat", pattern) for events in (few, many)]
    return {"allocations-per-event": Measurement((counts[1] - counts[0]) / (many - few))}


def throughput(bench):
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [None]
    return named(bench.run(PROGRAM, "throughput", {
        "folder": bench.new_folder("throughput"), "rounds": bench.size["throughput_rounds"],
        "events": bench.size["throughput_events"]}, core=cores[-1]))


def plugins(bench):
    return named(bench.run(PROGRAM, "plugins", {
        "folder": bench.new_folder("plugins"), "rounds": bench.size["plugin_rounds"],
        "events": bench.size["plugin_events"], "plugins": 20}))


def destinations(bench):
    return named(bench.run(PROGRAM, "destinations", {
        "folder": bench.new_folder("destinations"), "rounds": bench.size["destination_rounds"],
        "events": bench.size["destination_events"]}))


# MARK: start and death

def cold_start(bench):
    """The settings host takes the connection and stays silent. The event is looked for after the process has died."""
    rows = {"cold-start-bare": [], "cold-start": []}
    with LoopbackServer(settings=False) as server:
        for number in range(bench.size["cold_rounds"]):
            name = f"cold start {number}"
            for job, found in rows.items():
                folder = bench.new_folder(job)
                spawned = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
                [row] = bench.run(PROGRAM, job, {
                    "folder": folder, "server": server.host, "event": name, "spawned": spawned}, expect=-9)
                if occurrences(folder, name.encode()) != 1:
                    raise Failed(f"{job}: the event is not on disk")
                found.append(row)

    def times(job, field):
        return [row[field] for row in rows[job]]

    return {"cold-start": quickest(times("cold-start", "durable"), times("cold-start-bare", "durable"), {
        "cpu": min(times("cold-start", "cpu")), "since_spawn": min(times("cold-start", "sinceSpawn")),
        "bare_since_spawn": min(times("cold-start-bare", "sinceSpawn"))})}


def quickest(times, floors, details):
    """Of times on the wall the least counts: the longer one takes, the more of other processes is in it."""
    return Measurement(
        min(times), min(floors), details | {"median": median(times), "floor_median": median(floors)}, floors=floors)


def occurrences(folder, text):
    """How often a text stands in the files of a folder."""
    return sum(file.read_bytes().count(text) for file in folder.rglob("*") if file.is_file())


def survival(bench):
    """Processes are killed while they track; the next one delivers without tracking anything."""
    chance = random.Random(bench.size["kills"])
    returned = delivered = twice = 0
    for number in range(bench.size["kills"]):
        folder = bench.new_folder("killed")
        with LoopbackServer(settings=number % 2 == 0) as server:
            parameters = {"folder": folder, "server": server.host, "events": 100_000}
            # Every third one right after its first event.
            names = kill_while_tracking(bench, parameters, 0 if number % 3 == 0 else chance.uniform(0, 0.06))
            server.settings = True
            [row] = bench.run(PROGRAM, "survival-deliver", parameters)
            events = server.events()
        if row["result"] != "sent":
            raise Failed(f"not everything was delivered: {row['result']}")
        arrived = {event["event"] for event in events}
        returned += len(names)
        delivered += len(names & arrived)
        twice += len(events) - len({event["messageId"] for event in events})
        shutil.rmtree(folder)
    if returned == 0:
        raise Failed("no process came to track anything")
    return {"survival-sigkill": Measurement(100 * delivered / returned, None, {
        "kills": bench.size["kills"], "returned": returned, "lost": returned - delivered, "sent_twice": twice})}


def kill_while_tracking(bench, parameters, seconds):
    """Starts a process, kills it so long after its first event, and returns the events whose call had returned."""
    process = subprocess.Popen(
        bench.command(PROGRAM, "survival-track", parameters), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL)
    watch = threading.Timer(PATIENCE, process.kill)
    watch.start()
    try:
        first = process.stdout.readline()
        killer = threading.Timer(seconds, process.kill)
        killer.start()
        # Read while it runs, so that it does not wait for the pipe.
        rest = process.stdout.read()
        killer.join()
    finally:
        watch.cancel()
        process.kill()
        process.wait()
    # What stands behind the last line feed was cut off by the death.
    return {line.decode() for line in (first + rest).split(b"\n")[:-1]}


# MARK: what waits

def waiting(place, bench):
    """Processes that start on a full queue and on an empty one take turns."""
    full, wanted = bench.new_folder("waiting"), bench.size["waiting_events"]
    parameters = {"folder": full, "place": place, "events": wanted}
    bench.run(PROGRAM, "waiting-fill", parameters)
    waits = count_waiting(full, place)
    rows = {True: [], False: []}
    for _ in range(bench.size["waiting_rounds"]):
        for is_full in (False, True):
            folder = full if is_full else bench.new_folder("empty")
            rows[is_full] += bench.run(PROGRAM, "waiting", parameters | {"folder": folder})
    shutil.rmtree(full)
    def values(field):
        return [[row[field] for row in rows[is_full]] for is_full in (True, False)]

    memory = Measurement(*map(median, values("megabytes")), {"waiting": waits}, floors=values("megabytes")[1])
    cpu = dict(zip(("cpu", "floor_cpu"), map(min, values("cpu"))))
    start = quickest(*values("milliseconds"), {"waiting": waits} | cpu)
    memory.objection = start.objection = None if waits >= wanted else f"only {waits} of {wanted} events wait"
    return {f"waiting-{place}-memory": memory, f"waiting-{place}-start": start}


def count_waiting(folder, place):
    """Events in the segments of a log; each has its id once."""
    return sum(occurrences(log, b'"messageId":"') for log in folder.rglob(place) if log.is_dir())


def waiting_benchmark(place, text):
    return Benchmark([
        Promise(f"waiting-{place}-memory", "MB", MoreAtMost(2), f"peak memory with {text}; the floor is an empty queue"),
        Promise(f"waiting-{place}-start", "ms", MoreAtMost(5),
                f"from the start to the first event on disk with {text}; the floor is an empty queue"),
    ], partial(waiting, place))


# MARK: delivery

def delivery(bench):
    """The same stored events each time, beside the same bodies from a client that does nothing but send."""
    template, count = bench.new_folder("delivery"), bench.size["delivery_events"]
    bench.run(PROGRAM, "delivery-fill", {"folder": template, "events": count})
    seconds, floors, cpu = [], [], []
    requests = 0
    for number in range(bench.size["delivery_rounds"]):
        folder = bench.new_folder("delivering")
        shutil.copytree(template, folder, dirs_exist_ok=True)
        with LoopbackServer() as server:
            [row] = bench.run(PROGRAM, "delivery", {"folder": folder, "server": server.host})
            check_order(server, count)
            bodies = server.bodies
        if number == 0:
            posted, requests = store_bodies(bench, bodies), len(bodies)
        with LoopbackServer() as server:
            [bare] = bench.run(PROGRAM, "delivery-bare", {"bodies": posted, "port": server.port})
            if len(server.bodies) != requests:
                raise Failed("the plain client sent something else")
        seconds.append(row["seconds"])
        cpu.append(row["cpuSeconds"])
        floors.append(bare["seconds"])
        shutil.rmtree(folder)
    return {f"delivery-{DELIVERED}": quickest(seconds, floors, {"cpu_seconds": min(cpu), "requests": requests})}


def check_order(server, count):
    """All events came, once, in the order in which they were tracked, compressed."""
    if not all(is_compressed for _, is_compressed in server.bodies):
        raise Failed("a body was not compressed")
    if [event["event"] for event in server.events()] != [str(number) for number in range(count)]:
        raise Failed("events are missing, came twice or out of order")


def store_bodies(bench, bodies):
    folder = bench.new_folder("bodies")
    for number, (body, _) in enumerate(bodies):
        (folder / f"{number:06}").write_bytes(body)
    return folder


DELIVERED = 20_000

BENCHMARKS = [
    track_benchmark("alone", "with five properties"),
    track_benchmark("codable", "with a Codable struct"),
    # With batches going out, more threads than two processors take about one call in a hundred off its processor.
    track_benchmark("uploading", "while batches go out", stretch=2),
    track_benchmark("plugins", "with ten plugins"),
    track_benchmark("integrations", "with 60 integrations in the settings"),
    track_benchmark("backlog", "with 50,000 events waiting"),
    Benchmark([
        Promise("instructions-per-event", "instructions", AtMost(42_000), "whole process, from track to the outbox"),
    ], instructions, tools=("valgrind", "strip"), depends_on_load=False),
    Benchmark([
        Promise("allocations-per-event", "allocations", AtMost(20), "whole process, from track to the outbox"),
    ], allocations, tools=("valgrind", "strip"), depends_on_load=False),
    Benchmark([
        Promise("events-per-core", "1/s", AtLeast(100_000), "events a second from track to the outbox on one core"),
    ], throughput),
    Benchmark([
        Promise("plugin-idle", "us", AtMost(0.3), "each plugin that does not touch the event"),
        Promise("destination-idle", "us", AtMost(2), "each device-mode destination that does nothing"),
    ], plugins),
    Benchmark([
        Promise("destination-trouble", "s", MoreAtMost(0.15), "a burst of events to the outbox and one destination, "
                                                              "while another never returns and a third takes a second "
                                                              "for each; the floor is with idle ones"),
    ], destinations),
    Benchmark([
        Promise("cold-start", "ms", AtMost(10), "from the making of the client to its first event on disk, settings "
                                                "host silent; the floor is a new file in a new folder"),
    ], cold_start),
    Benchmark([
        Promise("survival-sigkill", "%", AtLeast(100), "events that survive SIGKILL after track has returned"),
    ], survival, depends_on_load=False),
    waiting_benchmark("inbox", "1,000,000 events waiting for settings"),
    waiting_benchmark("outbox", "1,000,000 events waiting for the server"),
    Benchmark([
        Promise(f"delivery-{DELIVERED}", "s", AtMost(0.4), "20,000 stored events to a loopback server, in order, gzip; "
                                                            "the floor posts the same bodies"),
    ], delivery),
]
