"""The workspace with few events and with many: what grows faster than the data.

Everything is measured at a hundred thousand events and at the size asked for, in folders of their own. Work is measured
as processor time, because the time on the wall includes other processes; what somebody waits for is seconds.
"""

import http.client
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import time
from statistics import median
from urllib.parse import quote, urlencode

import people
from bench import PATIENCE, Failed
from promise import AtMost, Benchmark, Measurement, Promise, RatioAtMost, Unavailable
from workspace_group import DRIVER, Server, program

NAME = "growth"
TOKEN = "the-token-of-this-benchmark"
DAY = 86_400
# An erasure of a large folder, a backup, a check of everything.
LONG = 3600
CLOCK_OF_PROCESS = 2
# Events that the server looks at for one page.
LOOKED_AT = 50_000
# Message ids are known for at least so many days.
REMEMBERED_DAYS = 7

class Workspace(Server):
    """A server whose clock is some days behind."""

    def __init__(self, bench, folder, clock, days_ago=0, retain_days=0):
        super().__init__(
            [program(bench, "tributary"), "serve", "--port", 0, "--data", folder, "--write-key", people.KEY,
             "--retain-days", retain_days],
            {"LD_PRELOAD": str(clock), "CLOCK_AHEAD": str(-days_ago * DAY), "TRIBUTARY_ADMIN_TOKEN": TOKEN})

    @property
    def address(self):
        return self.url.removeprefix("http://")

    def seconds(self):
        """Processor time that it has used, to the nanosecond."""
        return time.clock_gettime((~self.process.pid << 3) | CLOCK_OF_PROCESS)

    def written(self):
        """Bytes that it has handed to the system for its files; answers to clients are a thousandth of them."""
        with open(f"/proc/{self.process.pid}/io") as lines:
            return int(next(line for line in lines if line.startswith("wchar:")).split()[1])

    def peak_megabytes(self):
        with open(f"/proc/{self.process.pid}/status") as lines:
            return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) / 1024

    def ask(self, path, method="GET"):
        connection = http.client.HTTPConnection(self.address, timeout=LONG)
        try:
            connection.request(method, path, headers={"Authorization": f"Bearer {TOKEN}"})
            answer = connection.getresponse()
            body = json.loads(answer.read())
            if answer.status not in (200, 202):
                raise Failed(f"{path} was answered with {answer.status}: {body}")
            return body
        finally:
            connection.close()

    def store(self):
        """Waits until everything is stored."""
        while self.get("/v1/ready")["waitingRequests"] > 0:
            time.sleep(0.02)

    def settle(self):
        """Waits until everything is stored and what comes after that is done."""
        self.store()
        while True:
            before = self.seconds()
            time.sleep(0.3)
            if self.seconds() - before < 0.01:
                return

def questions(crowd):
    """With a first page, and without a match; both for each column that has an index."""
    person = len(crowd.users) // 2
    return {
        "type": ({"type": "track"}, {"type": "alias"}),
        "name": ({"name": "Event 7"}, {"name": "Event that nobody sent"}),
        "user": ({"userId": crowd.users[person]}, {"userId": "nobody@example.com"}),
        "device": ({"anonymousId": crowd.devices[person]}, {"anonymousId": "no device"}),
    }

def timed(server, query):
    """Processor time, seconds, and the number of events of a first page."""
    before, began = server.seconds(), time.monotonic()
    events = server.ask("/api/events?limit=20&" + urlencode(query))["events"]
    return server.seconds() - before, time.monotonic() - began, len(events)

class Growth:
    """A workspace of a size, over some days, and what is measured of it."""

    def __init__(self, bench, clock, events):
        self.bench, self.clock, self.events = bench, clock, events
        self.folder = bench.new_folder(f"growth-{events}")
        self.data = self.folder / "data"
        # Fifty events of each user, as in a folder of ten million with 200,000 users.
        self.people = people.People(max(20, events // 50), seed=events)
        self.found, self.bursts = {}, []

    def run(self):
        """What is measured after the bursts."""
        with self.server() as server:
            # What the server does after its start is no part of a question.
            server.settle()
            self.answer_questions(server)
            self.leave(server)
            server.end(signal.SIGTERM)
        self.answer_cold()
        self.operate()
        with self.server() as server:
            self.erase(server)
            server.end(signal.SIGTERM)
        self.forget()
        shutil.rmtree(self.folder)
        for name in self.bursts[0]:
            self.found[name] = median(burst[name] for burst in self.bursts)
        return self.found

    def server(self, days_ago=0):
        return Workspace(self.bench, self.data, self.clock, days_ago)

    # What is stored

    def fill(self):
        days = self.bench.size["growth_days"]
        written, memory = 0, 0
        for days_ago in range(days - 1, -1, -1):
            with self.server(days_ago) as server:
                people.Sending(server.address, self.people, self.events // days).run()
                server.settle()
                written += server.written()
                memory = max(memory, server.peak_megabytes())
                server.end(signal.SIGTERM)
            self.bench.log(f"{self.events}: the day {days_ago} days ago is filled")
        self.found["written"], self.found["memory"] = written / self.events, memory

    def measure_burst(self):
        """Nobody else may write the day while the burst is acknowledged, so acknowledging and storing are apart."""
        burst = self.bench.size["growth_burst"]
        with self.server() as server:
            server.settle()
            holder = sqlite3.connect(max((self.data / "days").glob("*.sqlite")), isolation_level=None, timeout=PATIENCE)
            holder.execute("BEGIN IMMEDIATE")
            people.Sending(server.address, self.people, 1).run()
            # The indexer waits for the day by now; it would not have begun before.
            time.sleep(0.5)
            start = server.seconds()
            sending = people.Sending(server.address, self.people, burst)
            sending.run()
            middle, written = server.seconds(), server.written()
            holder.execute("ROLLBACK")
            holder.close()
            server.settle()
            self.bursts.append({
                "acknowledging": (middle - start) / burst * 1e6,
                "acknowledging-p99": sending.percentile(0.99),
                "indexing": (server.seconds() - middle) / burst * 1e6,
                "indexing-bytes": (server.written() - written) / burst,
            })
            self.found["memory"] = max(self.found["memory"], server.peak_megabytes())
            server.end(signal.SIGTERM)

    # Questions

    def answer_questions(self, server):
        rounds = self.bench.size["growth_rounds"]
        for name, (page, nothing) in questions(self.people).items():
            # The first ones open days and prepare statements.
            if timed(server, page)[2] == 0:
                raise Failed(f"the question by {name} has no answer")
            runs = [timed(server, page) for _ in range(3 + rounds)][3:]
            self.found["page-" + name] = median(run[0] for run in runs) * 1e3
            runs = [timed(server, nothing) for _ in range(3)]
            self.found["nothing-" + name] = min(run[1] for run in runs)
        runs = [timed(server, {"where": "properties.nothing=1"}) for _ in range(3)]
        self.found["where"] = min(run[0] for run in runs) / min(self.events, LOOKED_AT) * 1e6

    def answer_cold(self):
        """The same without a match, each right after a start, with no file in the memory of the system."""
        for name, (_, nothing) in questions(self.people).items():
            self.forget_files()
            with self.server() as server:
                self.found["cold-" + name] = timed(server, nothing)[1]
                server.end(signal.SIGTERM)

    def forget_files(self):
        for path in self.data.rglob("*"):
            if path.is_file():
                with open(path, "rb") as file:
                    os.fsync(file.fileno())
                    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)

    def leave(self, server):
        """Processor time from a tenth of a second after the client of a search has left."""
        host, port = server.address.split(":")
        with socket.create_connection((host, int(port))) as connection:
            # One that would look at everything.
            path = "/api/export?where=" + quote("properties.nothing=1")
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {server.address}\r\n"
                               f"Authorization: Bearer {TOKEN}\r\n\r\n".encode())
            time.sleep(0.1)
        time.sleep(0.1)
        before = server.seconds()
        time.sleep(1)
        self.found["left"] = (server.seconds() - before) * 1e3

    # Operation

    def operate(self):
        first, second = self.folder / "backup", self.folder / "again"
        self.found["backup"] = self.command("backup", self.data, first)
        self.found["backup-unchanged"] = self.command("backup", self.data, second, "--base", first)
        shutil.rmtree(first)
        shutil.rmtree(second)
        self.found["doctor-quick"] = self.command("doctor", "--quick", self.data)
        self.found["doctor"] = self.command("doctor", self.data)

    def command(self, *arguments):
        """Seconds that a command took."""
        began = time.monotonic()
        run = subprocess.run(
            [str(program(self.bench, "tributary")), *map(str, arguments)], stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=LONG)
        if run.returncode != 0:
            raise Failed(f"{arguments[0]} ended with {run.returncode}: {run.stdout[-300:]} {run.stderr[-300:]}")
        return time.monotonic() - began

    def erase(self, server):
        self.found["erase-nobody"] = self.erasure(server, "nobody@example.com", 0)
        self.found["erase-user"] = self.erasure(server, self.people.users[len(self.people.users) // 3], 1)

    def forget(self):
        """Processor time in which the oldest day is given up with its message ids. The clock goes on by a day each time."""
        days = sorted((self.data / "days").glob("*.sqlite"))
        used = []
        while days[0].exists():
            if len(used) > REMEMBERED_DAYS + 1:
                raise Failed("the oldest day was not given up")
            with Workspace(self.bench, self.data, self.clock, -len(used) - 1, REMEMBERED_DAYS) as server:
                server.settle()
                used.append(server.seconds())
                server.end(signal.SIGTERM)
        self.found["forget"] = max(0, used[-1] - used[-2]) * 1e3

    @staticmethod
    def erasure(server, user, least):
        began, answer = time.monotonic(), {}
        while "events" not in answer:
            answer = server.ask("/api/users/" + quote(user, safe=""), "DELETE")
        if answer["events"] < least:
            raise Failed("the erasure found nothing")
        return time.monotonic() - began

class ManyDays:
    """A workspace with a little on each of many days."""

    EVENTS = 200

    def __init__(self, bench, clock, days):
        self.bench, self.clock, self.days = bench, clock, days
        self.data = bench.new_folder(f"growth-{days}-days") / "data"
        self.people = people.People(20, seed=days)

    def milliseconds(self):
        """Processor time of the slowest question that nothing matches."""
        for days_ago in range(self.days - 1, -1, -1):
            with Workspace(self.bench, self.data, self.clock, days_ago) as server:
                people.Sending(server.address, self.people, self.EVENTS).run()
                server.store()
                server.end(signal.SIGTERM)
        with Workspace(self.bench, self.data, self.clock) as server:
            # The server prepares days that ended.
            server.settle()
            rounds = self.bench.size["growth_rounds"]
            return max(
                median(timed(server, nothing)[0] for _ in range(rounds)) * 1e3
                for _, nothing in questions(self.people).values())

def later_clock(folder):
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        raise Unavailable("there is no C compiler")
    library = folder / "later_clock.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, DRIVER / "later_clock.c", "-ldl"], check=True)
    return library

def over_days(bench):
    clock = later_clock(bench.new_folder("clock"))
    few, many = (ManyDays(bench, clock, days).milliseconds() for days in bench.size["growth_many_days"])
    return {"growth-days": Measurement(many, few)}

def measure_bursts(bench, few, many):
    """In turns, because the machine is not equally busy all the time; the small folder is the same each time."""
    kept = few.folder / "kept"
    shutil.copytree(few.data, kept)
    for number in range(bench.size["growth_bursts"]):
        for each in (few, many) if number % 2 == 0 else (many, few):
            each.measure_burst()
        shutil.rmtree(few.data)
        shutil.copytree(kept, few.data)

def growing(bench):
    clock = later_clock(bench.new_folder("clock"))
    few = Growth(bench, clock, bench.size["growth_base"])
    many = Growth(bench, clock, bench.events or bench.size["growth_events"])
    for each in (few, many):
        each.fill()
    measure_bursts(bench, few, many)
    few, many = few.run(), many.run()
    measurements = {
        f"growth-{name}": Measurement(many[key], few[key])
        for name, key in [
            ("indexing", "indexing"), ("indexing-bytes", "indexing-bytes"), ("acknowledging", "acknowledging"),
            ("type", "page-type"), ("name", "page-name"), ("user", "page-user"), ("device", "page-device"),
            ("where", "where"), ("written", "written"), ("memory", "memory"), ("left", "left"),
            ("erase-user", "erase-user"), ("erase-nobody", "erase-nobody"), ("forget", "forget"), ("backup", "backup-unchanged"), ("doctor", "doctor-quick"),
        ]
    }
    for name in ["nothing", "cold"]:
        worst = max((key for key in many if key.startswith(name + "-")), key=many.get)
        measurements[f"growth-{name}"] = Measurement(many[worst], few[worst])
    measurements["growth-indexing"].details = {"few": few, "many": many}
    return measurements

def promise(name, unit, goal, text):
    return Promise(f"growth-{name}", unit, goal, text + "; the floor is the same with 100,000 events")

BENCHMARKS = [
    Benchmark([
        promise("indexing", "us/event", RatioAtMost(1.3), "processor time of storing an event that is acknowledged"),
        promise("indexing-bytes", "B/event", RatioAtMost(1.5), "bytes written for it"),
        promise("written", "B/event", AtMost(5_000), "bytes written for an event in all, with its request and merges"),
        promise("acknowledging", "us/event", RatioAtMost(1.2), "processor time of acknowledging an event"),
        *(promise(name, "ms", RatioAtMost(2), f"processor time of a first page of events by {column}")
          for name, column in [("type", "type"), ("name", "name"), ("user", "user id"), ("device", "anonymous id")]),
        promise("nothing", "s", AtMost(1), "the slowest of these questions when nothing matches"),
        promise("cold", "s", AtMost(5), "the same right after a start, with no file in memory"),
        promise("where", "us/event", AtMost(5), "processor time of looking whether an event fulfils a condition"),
        promise("left", "ms", AtMost(50), "processor time in the second that begins 0.1 s after a search was left"),
        promise("erase-user", "s", AtMost(5), "one user is erased"),
        promise("erase-nobody", "s", AtMost(1), "a user who is not there is erased"),
        promise("forget", "ms", AtMost(1000), "processor time in which the oldest day and its message ids are given up"),
        promise("backup", "s", AtMost(2), "a backup with an earlier one as its base, nothing having changed"),
        promise("doctor", "s", AtMost(10), "`tributary doctor --quick`"),
        promise("memory", "MB", AtMost(300), "peak memory of the server"),
    ], growing),
    Benchmark([
        Promise("growth-days", "ms", RatioAtMost(3), "processor time of the slowest of these questions over 90 days, when "
                "nothing matches; the floor is over 10 days"),
    ], over_days),
]
