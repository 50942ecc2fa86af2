"""Kills a workspace and its PostgreSQL in turn under load, and compares the tables with what was acknowledged.

Clients send tracks with properties of changing types, identifies and repeated batches, a number of events each second. At
the end every acknowledged event has one row, and sessions have counted each event once.
"""

import argparse
import collections
import http.client
import json
import random
import shutil
import signal
import sys
import tempfile
import threading
import time

from postgres import MISSING, Postgres, programs
from server import KEY, PATIENCE, Server

CLIENTS = 4
PLACE = f"/api/sources/{KEY}/destinations/Lake"
NAMES = ["Order Completed", "Product Viewed", "Select", "Größe gewählt", "a" * 80]


class Load:
    """What the clients send to the server of the moment, and what was acknowledged."""

    def __init__(self, rate, seed):
        self.rate, self.seed = rate, seed
        self.lock = threading.Lock()
        self.port, self.is_over, self.failure = None, False, None
        self.sent = 0
        self.tracks, self.identifies = set(), set()
        self.sessions = collections.Counter()

    def acknowledged(self, events):
        with self.lock:
            for event in events:
                is_track = event["type"] == "track"
                known = self.tracks if is_track else self.identifies
                if event["messageId"] not in known:
                    known.add(event["messageId"])
                    self.sessions[event["context"]["session"]["id"]] += 1

    def run(self, number):
        try:
            self._run(random.Random(f"{self.seed}-{number}"), number)
        except Exception as error:  # The thread that waits for this one raises it.
            self.failure = error

    def _run(self, numbers, client):
        began, count = time.monotonic(), 0
        while not self.is_over:
            events = []
            for _ in range(numbers.choice([1, 5, 50])):
                count += 1
                events.append(self.event(numbers, f"{client}-{count}", count))
            self.send(events)
            if numbers.random() < 0.05:
                self.send(events)
            ahead = count / (self.rate / CLIENTS) - (time.monotonic() - began)
            if ahead > 0:
                time.sleep(min(ahead, 1))
        self.sent += count

    @staticmethod
    def event(numbers, mark, count):
        user = f"u-{numbers.randrange(500)}"
        common = {"messageId": "m-" + mark, "userId": user, "anonymousId": "a-" + user,
                  "context": {"session": {"id": f"s-{numbers.randrange(200)}"}, "app": {"version": "1.0"}}}
        if numbers.random() < 0.1:
            return common | {"type": "identify", "traits": {"plan": numbers.choice(["free", "pro"]), "count": count}}
        # The types of some columns change in the course of time.
        value = count if count < 2000 else count + 0.5 if count < 6000 else f"text {count}"
        properties = {"value": value, f"p{numbers.randrange(300)}": numbers.choice([True, 1, "x"]), "text": "é\n\t\\"}
        return common | {"type": "track", "event": numbers.choice(NAMES), "properties": properties}

    def send(self, events):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            connection.request("POST", "/v1/b", json.dumps({"batch": events, "writeKey": KEY}))
            answer = connection.getresponse()
            answer.read()
            connection.close()
        except (OSError, http.client.HTTPException):
            time.sleep(0.1)
            return
        if answer.status == 200:
            self.acknowledged(events)
        elif answer.status not in (429, 503):
            raise RuntimeError(f"the server answers {answer.status}")


class Trial:
    def __init__(self, arguments, folder, postgres):
        self.arguments, self.folder, self.postgres = arguments, folder, postgres
        self.numbers = random.Random(arguments.seed)
        self.load = Load(arguments.rate, arguments.seed)
        self.kills = collections.Counter()
        self.start_server()

    def start_server(self):
        self.server = Server(self.arguments.program, self.folder)
        self.load.port = self.server.port

    def run(self):
        settings = {"kind": "postgres", "from": "start", "settings": self.postgres.settings(), "secret": "the-password"}
        status, text = self.server.send("PUT", PLACE, json.dumps(settings))
        assert status == 201, text
        clients = [threading.Thread(target=self.load.run, args=[number], daemon=True) for number in range(CLIENTS)]
        for client in clients:
            client.start()
        end = time.monotonic() + self.arguments.minutes * 60
        while time.monotonic() < end and self.load.failure is None:
            time.sleep(self.numbers.choice([0.3, 1, 2, 5]) * (0.5 + self.numbers.random()))
            self.kill()
        self.load.is_over = True
        for client in clients:
            client.join(PATIENCE)
        if self.load.failure:
            raise self.load.failure
        self.server.settle()
        self.wait()

    def kill(self):
        name = ["workspace", "postgres"][sum(self.kills.values()) % 2]
        if name == "workspace":
            self.server.end(signal.SIGKILL)
            self.start_server()
        else:
            self.postgres.kill()
            time.sleep(self.numbers.choice([0, 0, 1, 3]))
            self.postgres.start()
        self.kills[name] += 1

    def wait(self):
        """Until the warehouse has everything."""
        deadline = time.monotonic() + 600
        while True:
            destination = self.server.get(PLACE)
            if destination["caughtUp"] and destination["waiting"] == 0:
                self.destination = destination
                return
            if time.monotonic() > deadline:
                raise RuntimeError(f"the warehouse does not catch up: {destination}")
            time.sleep(0.2)

    def check(self):
        """What is wrong, as texts, and the figures."""
        load, query = self.load, self.postgres.query
        tables = {name: collections.Counter(row[0] for row in query(f"SELECT id FROM tributary.{name}"))
                  for name in ("tracks", "identifies")}
        lost = [one for one in load.tracks if one not in tables["tracks"]]
        lost += [one for one in load.identifies if one not in tables["identifies"]]
        doubled = [one for counts in tables.values() for one, count in counts.items() if count > 1]
        wrong = []
        stored = len(self.server.ids())
        rows = sum(sum(counts.values()) for counts in tables.values())
        if stored != rows:
            wrong.append(f"{stored} events are stored, and {rows} rows")
        own = self.postgres.query(
            "SELECT event, count(*) FROM tributary.tracks GROUP BY event ORDER BY event")
        for table, count in own:
            if self.postgres.number(f'SELECT count(*) FROM tributary."{table}"') != int(count):
                wrong.append(f"{table} has not the {count} rows that tracks has of it")
        counted = self.postgres.number("SELECT sum(events) FROM tributary.sessions")
        if counted != rows:
            wrong.append(f"sessions count {counted} events of {rows}")
        if self.destination["deadLetters"]:
            wrong.append(f"{self.destination['deadLetters']} dead letters")
        return lost, doubled, wrong, rows


def plant(trial):
    """Whether a row that is gone and an event that was counted twice are noticed."""
    query = trial.postgres.query
    query("UPDATE tributary.sessions SET events = events + 1 WHERE id = (SELECT min(id) FROM tributary.sessions)")
    _, _, wrong, _ = trial.check()
    query("UPDATE tributary.sessions SET events = events - 1 WHERE id = (SELECT min(id) FROM tributary.sessions)")
    query("DELETE FROM tributary.tracks WHERE id = (SELECT min(id) FROM tributary.tracks)")
    lost, _, _, _ = trial.check()
    return len(wrong) == 1 and len(lost) == 1


def measure(arguments, folder, postgres):
    """Rows a second from stored events into tables, without kills."""
    numbers = random.Random(1)
    with Server(arguments.program, folder) as server:
        for begin in range(0, arguments.fill, 500):
            events = [Load.event(numbers, str(number), number % 2000) for number in range(begin, min(begin + 500, arguments.fill))]
            while server.post(*events) != 200:
                time.sleep(0.1)
        server.settle()
        body = {"kind": "postgres", "from": "start", "settings": postgres.settings(), "secret": "the-password"}
        began = time.monotonic()
        assert server.send("PUT", PLACE, json.dumps(body))[0] == 201
        while server.get(PLACE)["delivered"] < arguments.fill:
            time.sleep(0.05)
        seconds = time.monotonic() - began
        tables = [row[0] for row in postgres.query("SELECT tablename FROM pg_tables WHERE schemaname = 'tributary'")]
        rows = sum(postgres.number(f'SELECT count(*) FROM tributary."{table}"') for table in tables)
    print(f"warehouse-test: events={arguments.fill} rows={rows} seconds={seconds:.1f} "
          f"events/s={arguments.fill / seconds:.0f} rows/s={rows / seconds:.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help="the tributary executable")
    parser.add_argument("--minutes", type=float, default=0.5, help="how long to kill (default: half a minute)")
    parser.add_argument("--rate", type=int, default=1500, help="events a second (default: 1500)")
    parser.add_argument("--seed", type=int, default=None, help="repeats the random choices of a run")
    parser.add_argument("--fill", type=int, default=0, help="kill nothing, and measure how fast so many stored events are loaded")
    parser.add_argument("--self-test", action="store_true", help="plant mistakes after the run, which have to be noticed")
    arguments = parser.parse_args()
    if programs() is None:
        print(f"warehouse-test: skipped: {MISSING}")
        return 0
    if arguments.seed is None:
        arguments.seed = random.SystemRandom().getrandbits(32)
    print(f"seed {arguments.seed}", flush=True)
    folder = tempfile.mkdtemp(prefix="warehouse-test-")
    postgres = Postgres()
    trial = None
    try:
        if arguments.fill:
            measure(arguments, folder, postgres)
            shutil.rmtree(folder)
            return 0
        trial = Trial(arguments, folder, postgres)
        trial.run()
        lost, doubled, wrong, rows = trial.check()
        if arguments.self_test and not plant(trial):
            wrong.append("planted mistakes were not noticed")
    finally:
        if trial is not None:
            trial.server.__exit__()
        postgres.stop()
    for name, marks in (("lost", lost), ("doubled", doubled), ("wrong", wrong)):
        for mark in marks[:10]:
            print(f"{name}: {mark}")
    acknowledged = len(trial.load.tracks) + len(trial.load.identifies)
    is_good = not lost and not doubled and not wrong and acknowledged > 0 and all(trial.kills.values())
    if is_good:
        shutil.rmtree(folder)
    else:
        print(f"the data folder is {folder}")
    print(f"warehouse-test: kills={trial.kills['workspace']}+{trial.kills['postgres']} acknowledged={acknowledged} rows={rows} "
          f"lost={len(lost)} doubled={len(doubled)} wrong={len(wrong)}")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
