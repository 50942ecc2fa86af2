"""A server under load, and a plan of what an operator does and what can happen meanwhile.

After each step the server is started again if it does not run, and looked at: every acknowledged event is there once,
except those of days that the plan or the retention took away; the figures count at least what is there; and `tributary
doctor` finds nothing. A step that takes something away looks before that whether the doctor names it.

The seed decides the plan. `--self-test` plants mistakes, and each must be noticed.
"""

import argparse
import contextlib
import datetime
import glob
import http.client
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from server import KEY, TOKEN, Server

# A start, an answer or a settlement that takes longer counts as stuck.
PATIENCE = 60
RETAINED_DAYS = 5
CLIENTS = 2
BATCH = 20
# What a destination must not be able to break, with right values among them.
DESTINATIONS = [
    {"url": "http://127.0.0.1:99999/"}, {"url": "http://127.0.0.1:65536/"}, {"url": "https://127.0.0.1:99999/"},
    {"url": "http://[::1]:99999/"}, {"url": "http://localhost:99999999999999999999/"}, {"url": "http://127.0.0.1:0/"},
    {"url": "http://127.0.0.1:-1/"}, {"url": "http://127.0.0.1:1/"}, {"url": "http://[::1"}, {"url": "ftp://host/"},
    {"url": "http://a b/"}, {"url": "http://127.0.0.1:1/", "parallel": 10 ** 30},
    {"url": "http://127.0.0.1:1/", "parallel": -1}, {"url": "http://127.0.0.1:1/", "headers": {"a": "b\r\nc: d"}},
    {"url": "http://127.0.0.1:1/" + "x" * 5000}, {"url": None}, {"url": "http://" + "a" * 300 + "/"}, {},
]


class Stuck(Exception):
    """The server does not start, answer, settle or end."""


class ClockServer(Server):
    """A server below `faketime`, which starts a process of its own and hands on no signals."""

    @property
    def pid(self):
        pid = self.process.pid
        while children := Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            pid = int(children[0])
        return pid

    def end(self, number):
        if self.process.poll() is None:
            os.kill(self.pid, number)
        super().end(0)


def can_mount():
    command = ["unshare", "--user", "--map-root-user", "--mount", "true"]
    return shutil.which("unshare") is not None and subprocess.run(command, capture_output=True).returncode == 0


class Load:
    """Clients that send batches until they are told to stop, and note what was acknowledged."""

    def __init__(self):
        self.lock = threading.Lock()
        self.acknowledged = set()
        # Sent, perhaps without an answer: such an event may be there.
        self.sent = set()
        self.number = 0
        self.refused = 0
        self.threads = []
        self.ends = threading.Event()

    def start(self, port, keys):
        self.ends.clear()
        self.threads = [
            threading.Thread(target=self._run, args=(port, keys[index % len(keys)]), daemon=True)
            for index in range(CLIENTS)
        ]
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.ends.set()
        for thread in self.threads:
            thread.join(PATIENCE)
            if thread.is_alive():
                raise Stuck("a client does not get an answer")
        self.threads = []

    def _ids(self):
        with self.lock:
            ids = [f"o-{number:08}" for number in range(self.number, self.number + BATCH)]
            self.number += BATCH
            self.sent.update(ids)
            return ids

    def _run(self, port, key):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        while not self.ends.is_set():
            ids = self._ids()
            events = [{"type": "track", "event": f"Step {number % 7}", "userId": f"u-{number % 5}", "messageId": name,
                       "properties": {"n": number}} for number, name in enumerate(ids)]
            try:
                connection.request("POST", "/v1/b", json.dumps({"batch": events, "writeKey": key}))
                answer = connection.getresponse()
                answer.read()
            except (OSError, http.client.HTTPException):
                return  # the server was killed
            with self.lock:
                if answer.status == 200:
                    self.acknowledged.update(ids)
                else:
                    self.refused += 1
            self.ends.wait(0.1)


class Plan:
    """The steps, and what the workspace should hold."""

    def __init__(self, program, seed, folder):
        self.program = program
        self.random = random.Random(seed)
        self.folder = folder
        self.data = folder + "/data-0"
        self.copies = 0
        self.load = Load()
        self.keys = [KEY]
        self.server = None
        self.days_ahead = 0
        self.believed = None
        # Events that are gone for a reason, and the day of each event that was seen.
        self.taken = set()
        self.days = {}
        self.has_faketime = shutil.which("faketime") is not None
        self.steps = self.stuck = self.lost = self.wrong = 0
        self.skipped = set()
        self.name = "start"

    # The server

    def prefix(self):
        if self.days_ahead == 0:
            return []
        return ["env", "FAKETIME_DONT_FAKE_MONOTONIC=1", "faketime", "-m", "-f", f"{self.days_ahead:+d}d"]

    def today(self):
        return datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days=self.days_ahead)

    def start(self, prefix=(), options=()):
        log = open(self.folder + "/log", "w")
        with log:
            self.server = self.limited(lambda: ClockServer(
                self.program, self.data, prefix=[*self.prefix(), *prefix],
                options=["--retain-days", str(RETAINED_DAYS), *options], errors=log), "the server does not start")
        self.retain()

    def retain(self):
        """What the start deletes: a clock that leaps ahead is not believed in its first hour."""
        today = self.today()
        if self.believed is not None and today > self.believed + datetime.timedelta(days=1):
            return
        self.believed = today
        first = (today - datetime.timedelta(days=RETAINED_DAYS)).isoformat()
        self.taken.update(name for name, day in self.days.items() if day < first)

    def limited(self, work, text):
        """Does something that must end in time."""
        outcome = []

        def run():
            try:
                outcome.append((work(), None))
            except Exception as error:  # handed on below
                outcome.append((None, error))
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join(PATIENCE)
        if not outcome:
            raise Stuck(text)
        if outcome[0][1]:
            raise Stuck(f"{text}: {outcome[0][1]}; {self.log()[-400:]}")
        return outcome[0][0]

    def log(self):
        path = Path(self.folder, "log")
        return path.read_text(errors="replace") if path.exists() else ""

    def stop(self, number=signal.SIGTERM):
        server, self.server = self.server, None
        if server:
            self.limited(lambda: server.end(number), "the server does not end")

    def under_load(self, seconds=0.4):
        self.load.start(self.server.port, self.keys)
        time.sleep(seconds * (0.5 + self.random.random()))

    def doctor(self, *options):
        return subprocess.run(
            [self.program, "doctor", self.data, *options], capture_output=True, text=True, timeout=PATIENCE * 2)

    # Answers

    def say(self, text):
        print(f"step {self.steps} ({self.name}): {text}", flush=True)

    def expect(self, holds, text):
        if not holds:
            self.wrong += 1
            self.say("wrong: " + text)

    def look(self):
        """Compares the workspace with what it should hold."""
        if self.server is None or self.server.process.poll() is not None:
            self.start()
        server = self.server
        self.limited(server.settle, "the backlog does not end")
        deadline = time.monotonic() + PATIENCE / 4
        while True:
            rows = self.limited(server.events, "the list of events does not end")
            counts = {}
            for row in rows:
                counts[row["messageId"]] = counts.get(row["messageId"], 0) + 1
            missing = self.load.acknowledged - self.taken - counts.keys()
            extra = (counts.keys() & self.taken) | (counts.keys() - self.load.sent)
            # The retention takes its time after a start.
            if not extra or time.monotonic() > deadline:
                break
            time.sleep(0.2)
        self.lost += len(missing)
        if missing:
            self.say(f"lost: {len(missing)} acknowledged events, such as {min(missing)}")
            self.taken |= missing
        self.expect(not extra, f"{len(extra)} events are there that should not be, such as {min(extra, default='')}")
        self.taken -= extra
        doubled = [name for name, count in counts.items() if count > 1]
        self.expect(not doubled, f"{len(doubled)} events are there twice, such as {min(doubled, default='')}")
        self.days = {row["messageId"]: row["receivedAt"][:10] for row in rows}
        figures = server.get("/api/stats")
        self.expect(figures["stored"] >= len(rows), f"{len(rows)} events are there, and the figures say {figures['stored']}")
        self.expect(sum(figures["byType"].values()) == figures["stored"], f"the figures do not add up: {figures}")
        doctor = self.doctor()
        self.expect(doctor.returncode == 0, f"the doctor finds something where nothing is: {doctor.stdout}")

    # Steps

    def step_kill(self):
        self.under_load()
        self.stop(signal.SIGKILL)
        self.load.stop()

    def step_graceful_stop(self):
        self.under_load()
        self.stop(signal.SIGTERM)
        self.load.stop()

    def step_bad_destination(self):
        settings = self.random.choice(DESTINATIONS)
        body = {"kind": "webhook", "settings": settings, "from": "start"}
        place = f"/api/sources/{KEY}/destinations/Bad-{self.steps}"
        status, text = self.server.send("PUT", place, json.dumps(body))
        self.expect(status in (201, 400, 422), f"a destination with {str(settings)[:80]} is answered {status}: {text[:200]}")
        self.under_load()
        if status == 201:
            tried = self.server.send("POST", place + "/test")
            self.expect(tried[0] < 500, f"the test of a destination is answered {tried[0]}: {tried[1][:200]}")
        self.load.stop()
        # What waits for a destination is there at the next start.
        self.stop(self.random.choice([signal.SIGTERM, signal.SIGKILL]))
        self.start()
        if status == 201:
            self.server.send("DELETE", place)

    def step_remove_day(self):
        """The file of a day is gone, whichever: the doctor names it, and so does the next start."""
        self.under_load()
        self.load.stop()
        self.server.settle()
        rows = self.server.events()
        self.stop()
        files = sorted(Path(self.data, "days").glob("*.sqlite"))
        gone = self.random.sample(files, self.random.randint(1, len(files)))
        names = {file.name[:10] for file in gone}
        taken = {row["messageId"] for row in rows if row["receivedAt"][:10] in names}
        for file in gone:
            for path in glob.glob(str(file) + "*"):
                os.remove(path)
        for options in ((), ("--quick",)):
            doctor = self.doctor(*options)
            named = all(name in doctor.stdout for name in names) and (options or f"{len(taken)} messages" in doctor.stdout)
            self.expect(
                doctor.returncode == 1 and named,
                f"the doctor does not say that {sorted(names)} with {len(taken)} events are gone: {doctor.stdout}")
        self.taken |= taken
        self.start()
        self.server.settle()
        self.stop()
        log = self.log()
        said = "days of events are missing" in log and all(name in log for name in names)
        self.expect(said, f"the start does not say that {sorted(names)} are gone: {log[-400:]}")
        repair = self.doctor("--repair")
        self.expect(repair.returncode == 1 and "lost:" in repair.stdout, f"the repair notes no loss: {repair.stdout}")

    def step_move_clock(self):
        if not self.has_faketime:
            self.skipped.add("move_clock")
            return
        self.stop()
        self.days_ahead += self.random.choice([1, 1, 1, 2, 30, 4000, -1, -30, -4000])
        if abs(self.days_ahead) > 9000:
            self.days_ahead = 0
        self.start()
        self.under_load()
        self.load.stop()

    def step_fill_disk(self):
        """A full disk: requests are refused and nothing that was acknowledged is lost; then there is room again."""
        if not can_mount():
            self.skipped.add("fill_disk")
            return
        self.stop()
        # With a moved clock, libfaketime keeps the pauses of a server from ending, and so its attempts to store.
        self.days_ahead = 0
        size = sum(path.stat().st_size for path in Path(self.data).rglob("*") if path.is_file())
        before, place = self.data, self.folder + f"/small-{self.steps}"
        os.mkdir(place)
        script = ('mount -t tmpfs -o size="$1" tmpfs "$3" && cp -a "$2/." "$3/" && shift 3 && exec "$@"')
        self.data = place
        self.start(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh",
                    f"{(size >> 20) + 60}m", before, place])
        inside = f"/proc/{self.server.pid}/root{place}"
        self.under_load(0.2)
        with contextlib.suppress(OSError), open(inside + "/filler", "wb", buffering=0) as file:
            while file.write(b"x" * 65_536):
                pass
        time.sleep(0.5)
        self.load.stop()
        status = self.server.send("GET", "/health")[0]
        self.expect(status == 200, f"with a full disk /health is answered {status}")
        os.remove(inside + "/filler")
        self.server.settle()
        self.under_load(0.2)
        self.load.stop()
        self.server.settle()
        # The small disk goes with the server, so the folder moves by a backup.
        self.restore(["nsenter", "-t", str(self.server.pid), "--user", "--mount", "--preserve-credentials"])
        shutil.rmtree(before)

    def step_rotate_key(self):
        status, text = self.server.send("POST", f"/api/sources/{KEY}/keys", json.dumps({"name": "rotated"}))
        self.expect(status == 201, f"a new key is answered {status}: {text}")
        new, old = json.loads(text)["key"], self.keys[1:]
        self.keys = [KEY, new]
        for key in old:
            status = self.server.send("DELETE", f"/api/sources/{KEY}/keys/{key}")[0]
            self.expect(status in (200, 204), f"revoking a key is answered {status}")
        self.under_load()
        self.load.stop()
        for key in old:
            body = json.dumps({"batch": [{"type": "track", "event": "Old", "userId": "u"}], "writeKey": key})
            status = self.server.send("POST", "/v1/b", body)[0]
            self.expect(status == 401, f"a revoked key is answered {status}")

    def restore(self, inside=()):
        """A backup of the running server, and a folder of that elsewhere.

        `inside` is a command that runs another one where the server sees its folder.
        """
        self.copies += 1
        backup, target = f"{self.folder}/backup-{self.copies}", f"{self.folder}/data-{self.copies}"
        for command in (["backup", self.data, backup], ["restore", backup, target]):
            done = subprocess.run([*inside, self.program, *command], capture_output=True, text=True, timeout=PATIENCE * 2)
            self.expect(done.returncode == 0, f"{command[0]} ends with {done.returncode}: {done.stdout}{done.stderr}")
        self.stop(signal.SIGKILL)
        self.data = target
        shutil.rmtree(backup)

    def step_restore_elsewhere(self):
        self.under_load()
        self.load.stop()
        before = self.data
        self.restore()
        shutil.rmtree(before)

    def step_second_server(self):
        self.under_load()
        second = subprocess.run(
            [self.program, "serve", "--port", "0", "--data", self.data, "--write-key", KEY], capture_output=True,
            text=True, timeout=PATIENCE, env=os.environ | {"TRIBUTARY_ADMIN_TOKEN": TOKEN})
        self.expect(
            second.returncode != 0 and "another workspace" in second.stderr,
            f"a second server on the folder ends with {second.returncode}: {second.stderr[-300:]}")
        self.load.stop()

    def step_lose_database(self):
        """workspace.sqlite is gone: nothing starts beside its days, and a repair makes it again with its figures."""
        self.under_load()
        self.load.stop()
        self.server.settle()
        self.stop()
        for path in glob.glob(self.data + "/workspace.sqlite*"):
            os.remove(path)
        start = subprocess.run(
            [self.program, "serve", "--port", "0", "--data", self.data, "--write-key", KEY], capture_output=True,
            text=True, timeout=PATIENCE, env=os.environ | {"TRIBUTARY_ADMIN_TOKEN": TOKEN})
        self.expect(
            start.returncode == 1 and "workspace.sqlite is missing" in start.stderr,
            f"a start without workspace.sqlite ends with {start.returncode}: {start.stderr[-300:]}")
        repair = self.doctor("--repair")
        self.expect("problem:" not in repair.stdout, f"the repair leaves problems: {repair.stdout}")
        # Keys and what was believed of the clock are only in that database.
        self.keys, self.believed = [KEY], None

    # The plan

    kinds = ["kill", "graceful_stop", "bad_destination", "remove_day", "move_clock", "fill_disk", "rotate_key",
             "restore_elsewhere", "second_server", "lose_database"]

    def perform(self, name, plant=None):
        """One step, and a look at what came of it."""
        self.name = name
        self.steps += 1
        try:
            if self.server is None or self.server.process.poll() is not None:
                self.start()
            getattr(self, "step_" + name)()
            if plant:
                plant(self)
            self.look()
        except (Stuck, subprocess.TimeoutExpired, OSError, RuntimeError, http.client.HTTPException) as error:
            self.stuck += 1
            self.say(f"stuck: {error}")
            return False
        return True

    def run(self, until, most=None):
        """Steps in rounds of all kinds, in an order of chance."""
        while time.monotonic() < until and (most is None or self.steps < most):
            for name in self.random.sample(self.kinds, len(self.kinds)):
                if time.monotonic() >= until or (most is not None and self.steps >= most):
                    return
                if not self.perform(name):
                    return

    def end(self):
        with contextlib.suppress(Stuck):
            self.load.stop()
        if self.server and self.server.process.poll() is None:
            with contextlib.suppress(OSError, RuntimeError):
                self.server.end(signal.SIGKILL)

    @property
    def result(self):
        return f"steps={self.steps} stuck={self.stuck} lost={self.lost} wrong_answers={self.wrong}"


# Mistakes

def drop_an_event(plan):
    plan.server.settle()
    plan.stop()
    day = max(Path(plan.data, "days").glob("*.sqlite"))
    with contextlib.closing(sqlite3.connect(day)) as database, database:
        database.execute("DELETE FROM event WHERE sequence = (SELECT max(sequence) FROM event)")


def forget_figures(plan):
    plan.server.settle()
    plan.stop()
    with contextlib.closing(sqlite3.connect(plan.data + "/workspace.sqlite")) as database, database:
        database.execute("UPDATE counter SET value = 0")


def keep_a_day(plan):
    """An event that the plan takes for gone is there."""
    plan.taken.add(max(plan.load.acknowledged))


def break_the_start(plan):
    plan.stop()
    os.rename(plan.data + "/workspace.sqlite", plan.data + "/elsewhere")


def blind_doctor(plan):
    """A doctor that finds nothing, whatever it is asked."""
    path = Path(plan.folder, "blind")
    path.write_text(f'#!/bin/sh\n[ "$1" = doctor ] && {{ echo "fine: all"; exit 0; }}\nexec "{plan.program}" "$@"\n')
    path.chmod(0o755)
    plan.program = str(path)


# What is planted after a first step, the step behind it, and what must be noticed.
MISTAKES = {
    "an event that was dropped": (drop_an_event, None, "lost"),
    "figures that were forgotten": (forget_figures, None, "wrong"),
    "an event that should be gone": (keep_a_day, None, "wrong"),
    "a server that does not start": (break_the_start, None, "stuck"),
    "a doctor that finds nothing": (blind_doctor, "remove_day", "wrong"),
}


def self_test(program):
    missed = []
    for title, (plant, step, kind) in MISTAKES.items():
        with tempfile.TemporaryDirectory(prefix="operator-test-", ignore_cleanup_errors=True) as folder:
            plan = Plan(program, 1, folder)
            try:
                plan.perform("graceful_stop")
                before = (plan.stuck, plan.lost, plan.wrong)
                if step:
                    plant(plan)
                    plan.perform(step)
                else:
                    plan.perform("rotate_key", plant)
            finally:
                plan.end()
            if before != (0, 0, 0) or getattr(plan, kind) == 0:
                missed.append(title)
    for title in missed:
        print(f"not noticed: {title}")
    print(f"operator-test: mistakes={len(MISTAKES)} missed={len(missed)}")
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help="the tributary executable")
    parser.add_argument("--minutes", type=float, default=5, help="how long (default: 5)")
    parser.add_argument("--steps", type=int, default=None, help="at most so many steps")
    parser.add_argument("--seed", type=int, default=None, help="repeats the plan of a run")
    parser.add_argument("--only", default=None, help="only this kind of step")
    parser.add_argument("--keep", action="store_true", help="leave the data folder behind")
    parser.add_argument("--self-test", action="store_true", help="plant mistakes; each must be noticed")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test(arguments.program)
    seed = random.SystemRandom().getrandbits(32) if arguments.seed is None else arguments.seed
    print(f"seed {seed}", flush=True)
    folder = tempfile.mkdtemp(prefix="operator-test-")
    plan = Plan(arguments.program, seed, folder)
    if arguments.only:
        plan.kinds = [arguments.only]
    try:
        plan.run(time.monotonic() + arguments.minutes * 60, arguments.steps)
    finally:
        plan.end()
    is_good = plan.stuck + plan.lost + plan.wrong == 0
    if arguments.keep or not is_good:
        print(f"the folder is {folder}; --seed {seed} repeats the plan")
    else:
        shutil.rmtree(folder)
    for name in sorted(plan.skipped):
        print(f"left out, because the system does not allow it: {name}")
    print(f"acknowledged {len(plan.load.acknowledged)}, refused requests {plan.load.refused}")
    print("operator-test: " + plan.result)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
