"""Kills a workspace and its database in turn under load, and compares the tables with what was acknowledged.

Clients send tracks with properties of changing types, identifies and repeated batches, a number of events each second. At
the end every acknowledged event has one row, and sessions have counted each event once. With a receiver (receivers.py) in place
of the database, every acknowledged event has come at least once.
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

import clickhouse
import postgres
import receivers
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
    def __init__(self, arguments, folder, database):
        self.arguments, self.folder, self.database = arguments, folder, database
        self.numbers = random.Random(arguments.seed)
        self.load = Load(arguments.rate, arguments.seed)
        self.kills = collections.Counter()
        self.start_server()

    def start_server(self):
        self.server = self.new_server()
        self.load.port = self.server.port

    def new_server(self):
        return Server(self.arguments.program, self.folder)

    def run(self):
        status, text = self.server.send("PUT", PLACE, json.dumps(self.settings()))
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

    def settings(self):
        return destination(self.database)

    def victims(self):
        """Which processes are killed in turn."""
        return ["workspace", "database"]

    def kill(self):
        victims = self.victims()
        name = victims[sum(self.kills.values()) % len(victims)]
        if name == "workspace":
            self.server.end(signal.SIGKILL)
            self.start_server()
        else:
            self.database.kill()
            time.sleep(self.numbers.choice([0, 0, 1, 3]))
            self.database.start()
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
        load, query, table = self.load, self.database.query, self.database.table
        tables = {name: collections.Counter(row[0] for row in query(f"SELECT id FROM {table(name)}"))
                  for name in ("tracks", "identifies")}
        lost = [one for one in load.tracks if one not in tables["tracks"]]
        lost += [one for one in load.identifies if one not in tables["identifies"]]
        doubled = [one for counts in tables.values() for one, count in counts.items() if count > 1]
        wrong = []
        stored = len(self.server.ids())
        rows = sum(sum(counts.values()) for counts in tables.values())
        if stored != rows:
            wrong.append(f"{stored} events are stored, and {rows} rows")
        own = query(f"SELECT event, count(*) FROM {table('tracks')} GROUP BY event ORDER BY event")
        for name, count in own:
            if self.database.number(f"SELECT count(*) FROM {table(name)}") != int(count):
                wrong.append(f"{name} has not the {count} rows that tracks has of it")
        users = self.database.number(f"SELECT count(*) FROM {table('users')}")
        if users != self.database.number(f"SELECT count(DISTINCT user_id) FROM {table('identifies')}"):
            wrong.append(f"there are {users} users, and another number of people who were identified")
        counted = self.database.number(f"SELECT sum(events) FROM {table('sessions')}")
        if counted != rows:
            wrong.append(f"sessions count {counted} events of {rows}")
        if self.destination["deadLetters"]:
            wrong.append(f"{self.destination['deadLetters']} dead letters")
        return lost, doubled, wrong, rows


class ReceiverTrial(Trial):
    """The same with a receiver that may get an event again after a kill."""

    starts = 0

    def new_server(self):
        prefix, options = self.database.server(self.starts)
        self.starts += 1
        return Server(self.arguments.program, self.folder, prefix, options)

    def settings(self):
        return self.database.destination()

    def victims(self):
        return ["workspace", "receiver"] if hasattr(self.database, "kill") else ["workspace"]

    def wait(self):
        super().wait()
        # The last hour ends.
        self.server.end(signal.SIGTERM)
        self.starts += 6
        self.start_server()
        deadline = time.monotonic() + 600
        while not self.database.is_done():
            if time.monotonic() > deadline:
                raise RuntimeError("the receiver does not get everything")
            time.sleep(0.2)

    def check(self):
        counts, stored = self.database.ids(), set(self.server.ids())
        lost = [one for one in sorted(self.load.tracks | self.load.identifies) if one not in counts]
        wrong = [f"{one} is with the receiver, and is not stored" for one in sorted(counts.keys() - stored)]
        wrong += [f"{one} is stored, and is not with the receiver" for one in sorted(stored - counts.keys())]
        if self.destination["deadLetters"]:
            wrong.append(f"{self.destination['deadLetters']} dead letters")
        return lost, [one for one, count in counts.items() if count > 1], wrong, sum(counts.values())

    def plant(self):
        """Whether an event that did not come and one that was never sent are noticed."""
        gone, added = self.database.plant()
        lost, _, wrong, _ = self.check()
        acknowledged = self.load.tracks | self.load.identifies
        return bool(gone) and set(lost) == gone & acknowledged and len(wrong) == len(gone | added)


def destination(database):
    """The destination that loads a database, as the server takes it."""
    return {"kind": database.kind, "from": "start", "settings": database.settings(), "secret": "the-password"}


def plant(trial):
    """Whether a row that is gone and an event that was counted twice are noticed."""
    database = trial.database
    tracks, first = database.table("tracks"), database.query(f"SELECT min(id) FROM {database.table('tracks')}")[0][0]
    if database.kind == "clickhouse":
        # Sessions follow from the events there, so an event of a call is doubled.
        event = database.query(f"SELECT event FROM {tracks} WHERE id = '{first}'")[0][0]
        database.query(f"INSERT INTO {database.table(event)} SELECT * REPLACE('again' AS id) FROM {database.table(event)} LIMIT 1")
    else:
        database.query("UPDATE tributary.sessions SET events = events + 1 WHERE id = (SELECT min(id) FROM tributary.sessions)")
    _, _, wrong, _ = trial.check()
    if database.kind == "clickhouse":
        database.query(f"INSERT INTO {tracks} SELECT * FROM {tracks} WHERE id = '{first}'")
        _, doubled, _, _ = trial.check()
        database.query(f"ALTER TABLE {tracks} DELETE WHERE id = '{first}' SETTINGS mutations_sync = 1")
    else:
        doubled = [first]
        database.query("UPDATE tributary.sessions SET events = events - 1 WHERE id = (SELECT min(id) FROM tributary.sessions)")
        database.query(f"DELETE FROM {tracks} WHERE id = '{first}'")
    lost, _, _, _ = trial.check()
    return len(wrong) == 1 and doubled == [first] and lost == [first]


def measure(arguments, folder, database):
    """Rows a second from stored events into tables, without kills."""
    numbers = random.Random(1)
    with Server(arguments.program, folder) as server:
        for begin in range(0, arguments.fill, 500):
            events = [Load.event(numbers, str(number), number % 2000) for number in range(begin, min(begin + 500, arguments.fill))]
            while server.post(*events) != 200:
                time.sleep(0.1)
        server.settle()
        began = time.monotonic()
        assert server.send("PUT", PLACE, json.dumps(destination(database)))[0] == 201
        while server.get(PLACE)["delivered"] < arguments.fill:
            time.sleep(0.05)
        seconds = time.monotonic() - began
        rows = sum(database.number(f"SELECT count(*) FROM {database.table(name)}") for name in database.tables())
    print(f"warehouse-test: database={database.kind} events={arguments.fill} rows={rows} seconds={seconds:.1f} "
          f"events/s={arguments.fill / seconds:.0f} rows/s={rows / seconds:.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help="the tributary executable")
    parser.add_argument("--minutes", type=float, default=0.5, help="how long to kill (default: half a minute)")
    parser.add_argument("--rate", type=int, default=1500, help="events a second (default: 1500)")
    parser.add_argument("--seed", type=int, default=None, help="repeats the random choices of a run")
    parser.add_argument("--fill", type=int, default=0, help="kill nothing, and measure how fast so many stored events are loaded")
    parser.add_argument("--self-test", action="store_true", help="plant mistakes after the run, which have to be noticed")
    into = parser.add_mutually_exclusive_group()
    into.add_argument("--database", choices=["postgres", "clickhouse"], default="postgres", help="which one (default: postgres)")
    into.add_argument("--receiver", choices=list(receivers.RECEIVERS), help="in place of a database")
    arguments = parser.parse_args()
    name = arguments.receiver or arguments.database
    if arguments.fill and arguments.receiver:
        parser.error("--fill goes with a database")
    if missing := why_missing(name):
        print(f"warehouse-test: skipped: {missing}")
        return 0
    if arguments.seed is None:
        arguments.seed = random.SystemRandom().getrandbits(32)
    print(f"seed {arguments.seed}", flush=True)
    folder = tempfile.mkdtemp(prefix="warehouse-test-")
    database = ({"clickhouse": clickhouse.ClickHouse, "postgres": postgres.Postgres} | receivers.RECEIVERS)[name]()
    trial = None
    try:
        if arguments.fill:
            measure(arguments, folder, database)
            shutil.rmtree(folder)
            return 0
        trial = (ReceiverTrial if arguments.receiver else Trial)(arguments, folder, database)
        trial.run()
        lost, doubled, wrong, rows = trial.check()
        if arguments.self_test and not (trial.plant() if arguments.receiver else plant(trial)):
            wrong.append("planted mistakes were not noticed")
    finally:
        if trial is not None:
            trial.server.__exit__()
        database.stop()
    for name, marks in (("lost", lost), ("repeated" if arguments.receiver else "doubled", doubled), ("wrong", wrong)):
        for mark in marks[:10]:
            print(f"{name}: {mark}")
    acknowledged = len(trial.load.tracks) + len(trial.load.identifies)
    # A receiver tells a repetition by its id.
    is_good = not lost and (not doubled or arguments.receiver) and not wrong and acknowledged > 0 and all(trial.kills.values())
    if is_good:
        shutil.rmtree(folder)
    else:
        print(f"the data folder is {folder}")
    print(f"warehouse-test: {'receiver' if arguments.receiver else 'database'}={database.kind} "
          f"kills={'+'.join(str(trial.kills[victim]) for victim in trial.victims())} acknowledged={acknowledged} rows={rows} "
          f"lost={len(lost)} {'repeated' if arguments.receiver else 'doubled'}={len(doubled)} wrong={len(wrong)}")
    return 0 if is_good else 1


def why_missing(name):
    """Why a database or receiver cannot be tried here; None when it can."""
    if name in receivers.RECEIVERS:
        return receivers.missing(name)
    module, found = (clickhouse, clickhouse.python()) if name == "clickhouse" else (postgres, postgres.programs())
    return None if found else module.MISSING


if __name__ == "__main__":
    sys.exit(main())
