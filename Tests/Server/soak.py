"""Sends to a workspace at half of what it takes, and compares memory and latency of the beginning and the end.

The maximum is what the same clients reach without a pause. A day that is too old lies in the folder, so that retention
has something to do.
"""

import argparse
import http.client
import shutil
import signal
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from server import KEY, PATIENCE, Server

CLIENTS = 4
BATCH = 20
# What a repetition of the same run differs by.
MEMORY_GROWTH, LATENCY_GROWTH, LATENCY_FLOOR = 1.2, 1.5, 0.02


class Client(threading.Thread):
    """Sends batches, one after the other, with a pause that keeps the rate."""

    def __init__(self, server, name, pause):
        super().__init__(daemon=True)
        self.connection = server.connect()
        self.name = name
        self.pause = pause
        self.stopping = threading.Event()
        self.sent = 0
        self.times = []
        self.failure = None

    def run(self):
        try:
            due = time.monotonic()
            while not self.stopping.is_set():
                before = time.monotonic()
                self.send()
                self.times.append((before, time.monotonic() - before))
                due = max(due + self.pause, before)
                self.stopping.wait(max(due - time.monotonic(), 0))
        except (OSError, http.client.HTTPException, RuntimeError) as error:
            self.failure = error
        finally:
            self.connection.close()

    def send(self):
        events = ",".join(
            '{"type":"track","event":"Soak","userId":"u-%d","messageId":"%s-%d","properties":{"n":%d,"x":"%s"}}'
            % (number % 97, self.name, number, number, "x" * 600)
            for number in range(self.sent, self.sent + BATCH))
        body = '{"batch":[%s],"writeKey":"%s"}' % (events, KEY)
        self.connection.request("POST", "/v1/b", body, {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        answer.read()
        if answer.status == 200:
            self.sent += BATCH
        elif answer.status != 429:
            raise RuntimeError("the server answered %d" % answer.status)


def drive(server, name, pause, seconds, look=lambda: None):
    """Sends for a while; returns how many events were taken, and when each request began and how long it took."""
    clients = [Client(server, "%s-%d" % (name, number), pause) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    end = time.monotonic() + seconds
    while time.monotonic() < end and all(client.is_alive() for client in clients):
        look()
        time.sleep(min(1, max(end - time.monotonic(), 0)))
    for client in clients:
        client.stopping.set()
    for client in clients:
        client.join(PATIENCE)
        if client.failure:
            raise client.failure
    return sum(client.sent for client in clients), sorted(sum((client.times for client in clients), []))


def memory(server):
    """Megabytes of the process that are in memory."""
    for line in Path(f"/proc/{server.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("the server is gone")


def p99(times):
    durations = sorted(duration for _, duration in times)
    return durations[int(len(durations) * 0.99)]


def add_old_day(data):
    """A day as the workspace makes it, which is to be given up."""
    days = Path(data, "days")
    source = next(days.glob("*.sqlite"))
    with sqlite3.connect(source) as database:
        database.execute("VACUUM INTO ?", (str(days / "2020-01-01.sqlite"),))


def run(arguments, folder):
    with Server(arguments.program, folder) as server:
        server.post({"type": "identify", "userId": "u", "messageId": "first"})
        server.settle()
        server.end(signal.SIGTERM)
    add_old_day(folder)
    with Server(arguments.program, folder) as server:
        taken, times = drive(server, "warm", 0, 5)
        pause = CLIENTS * BATCH / (taken / 5) * 2
        server.settle()
        samples = []
        began = time.monotonic()
        sent, times = drive(
            server, "soak", pause, arguments.minutes * 60, lambda: samples.append(memory(server)))
        server.settle()
        stored = server.get("/api/stats")["stored"]
        is_swept = not Path(folder, "days", "2020-01-01.sqlite").exists()
        server.end(signal.SIGTERM)
    # The first third is left out: caches fill.
    third = len(samples) // 3
    first, last = statistics.median(samples[third:2 * third]), statistics.median(samples[2 * third:])
    half = began + arguments.minutes * 60 * 2 / 3
    early = p99([entry for entry in times if began + arguments.minutes * 20 <= entry[0] < half])
    late = p99([entry for entry in times if entry[0] >= half])
    problems = []
    if stored != taken + sent + 1:
        problems.append(f"{stored} events are stored, {taken + sent + 1} were taken")
    if not is_swept:
        problems.append("a day that is too old was kept")
    if last > first * MEMORY_GROWTH:
        problems.append("memory grows")
    if late > max(early * LATENCY_GROWTH, LATENCY_FLOOR):
        problems.append("latency grows")
    for problem in problems:
        print(problem, file=sys.stderr)
    print("rate: %.0f events/s, half of what these clients reach" % (sent / arguments.minutes / 60))
    print("soak: minutes=%g events=%d memory=%.0f->%.0f MB p99=%.1f->%.1f ms" % (
        arguments.minutes, sent, first, last, early * 1000, late * 1000))
    return 1 if problems else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--minutes", type=float, default=10)
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="soak-")
    try:
        return run(arguments, folder + "/data")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
