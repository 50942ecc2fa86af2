"""Energy: how often a client wakes the device, which timers it arms, and what it writes."""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import PurePath

from bench import Failed
from client_group import PROGRAM, named
from loopback import LoopbackServer
from promise import AtMost, Benchmark, Measurement, MoreAtMost, Promise

WRITE = re.compile(r'^\d+ +(?:write|pwrite64)\(\d+<([^>]*)>[^"]*""\.\.\., (\d+)')


def energy(bench):
    """An hour with events and an hour without. Each write of the process to a file of the client is counted."""
    folder, log = bench.new_folder("energy"), bench.new_folder("trace") / "writes"
    rows = named(bench.run(
        PROGRAM, "energy", {"folder": folder, "events": bench.size["energy_events"]},
        before=["strace", "-f", "-qq", "--seccomp-bpf", "-y", "-s", "0", "-e", "trace=write,pwrite64",
                "-e", "signal=none", "-o", str(log)]))
    sent = rows.pop("energy-sent").value
    parts = written(log.read_text(), folder)
    total = sum(parts.values())
    if total < sent:
        raise Failed(f"only {total} bytes were seen to be written for {sent} bytes of events")
    details = {f"bytes_{part}": count for part, count in parts.items()} | {"bytes_sent": sent}
    return rows | {"energy-written": Measurement(total / sent, None, details)}


def written(log, folder):
    """Bytes that were written below a folder, by the kind of file, from what strace has noted."""
    parts = Counter()
    for line in log.splitlines():
        found = WRITE.match(line)
        if found is None or not found[1].startswith(f"{folder}/"):
            continue
        path = PurePath(found[1])
        # The journal writes a mark under another name first.
        is_log = path.parent.name in ("inbox", "outbox")
        kind = f"{path.parent.name}_mark" if "mark" in path.name else path.parent.name
        parts[kind if is_log else "others"] += int(found[2])
    return parts


def rest(bench):
    """A client that has sent everything, and at the same time a process that has used a queue once."""
    settles, counts = bench.size["energy_rest"]
    with LoopbackServer(keeps_bodies=False) as server, ThreadPoolExecutor() as pool:
        found = [
            pool.submit(bench.run, PROGRAM, job, {
                "folder": bench.new_folder("rest"), "server": server.host, "settles": settles, "counts": counts})
            for job in ("energy-rest", "energy-rest-bare")]
        [[client], [bare]] = [each.result() for each in found]
    return {"energy-rest": Measurement(client["value"], bare["value"], {"seconds": counts})}


BENCHMARKS = [
    Benchmark([
        Promise("energy-wake-ups", "1/flush", AtMost(1),
                "moments in an hour with 1,000 events at which the client's timers wake a device that sleeps, for each "
                "batch that is sent; calls of track and the look at the settings every five minutes do not count"),
        Promise("energy-silence", "1/hour", MoreAtMost(0),
                "the same in an hour without events; the floor is the looks at the settings"),
        Promise("energy-written", "B/B", AtMost(1.7),
                "bytes that the client writes to its files, for each byte of event"),
    ], energy, tools=("strace",), depends_on_load=False),
    Benchmark([
        Promise("energy-rest", "wake-ups", MoreAtMost(2),
                "how often threads are woken in half a minute when everything was sent, with the network; the floor is "
                "a process that has used a queue once"),
    ], rest, depends_on_load=False),
]
