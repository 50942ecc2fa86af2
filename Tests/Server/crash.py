"""Kills a workspace at random moments and looks whether its database holds what it acknowledged.

Each round sends batches over several connections, plain and compressed, with message ids and without, some of them
twice, and ends the server with SIGKILL, now and then with SIGTERM. The next round starts it again on the same folder.
After the last round the server is asked for all events.
"""

import argparse
import collections
import gzip
import http.client
import json
import random
import shutil
import signal
import sys
import tempfile
import threading
import time

from server import KEY, PATIENCE, Server

CLIENTS = 8


class Ledger:
    """What was acknowledged: texts of events by what tells them apart."""

    def __init__(self):
        self.lock = threading.Lock()
        self.acknowledged = {}
        # How often an event that has no message id may be there: once for each request, and requests without an
        # answer may have arrived.
        self.attempts = collections.Counter()

    def sent(self, marks):
        with self.lock:
            self.attempts.update(list(marks))

    def answered(self, events):
        with self.lock:
            self.acknowledged.update(events)


class Client(threading.Thread):
    """Sends batches over one connection until the server is gone."""

    def __init__(self, port, seed, ledger):
        super().__init__(daemon=True)
        self.port = port
        self.random = random.Random(seed)
        self.prefix = "%x" % seed
        self.ledger = ledger
        self.count = 0
        self.failure = None

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            while True:
                events = self.make_events()
                for _ in range(2 if self.random.random() < 0.1 else 1):
                    self.send(connection, events)
        except (OSError, http.client.HTTPException):
            pass
        except Exception as error:  # Told by the thread that waits for this one.
            self.failure = error
        finally:
            connection.close()

    def make_events(self):
        events = {}
        for _ in range(self.random.choice([1, 3, 20])):
            self.count += 1
            mark = "%s-%d" % (self.prefix, self.count)
            message = "" if self.random.random() < 0.2 else '"messageId":"m-%s",' % mark
            filler = "é\\n" * self.random.choice([0, 10, 400])
            events[mark] = '{"type":"track","userId":"u","event":"E",%s"mark":"%s","n":%d.50,"x":"%s"}' % (
                message, mark, self.count, filler)
        return events

    def send(self, connection, events):
        # Events without an id of their own are other events in each request.
        self.ledger.sent(events)
        body = ('{"batch":[%s],"writeKey":"%s"}' % (",".join(events.values()), KEY)).encode()
        headers = {"Content-Type": "application/json"}
        if self.random.random() < 0.5:
            body = gzip.compress(body, 1)
            headers["Content-Encoding"] = "gzip"
        connection.request("POST", "/v1/b", body, headers)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status == 200:
            assert text == b'{"success":true}', text
            self.ledger.answered(events)
        elif answer.status not in (429, 503):
            raise RuntimeError("%d %s" % (answer.status, text))


def stored_events(server):
    """How often each event is there, and its text."""
    counts, texts, after = collections.Counter(), {}, 0
    while after is not None:
        page = server.get("/api/events?order=asc&limit=1000&after=%d" % after)
        for row in page["events"]:
            event = row["event"]
            counts[event["mark"]] += 1
            texts[event["mark"]] = event
        after = page["next"]
    return counts, texts


def compare(ledger, counts, texts):
    missing, duplicated = [], []
    for mark, text in ledger.acknowledged.items():
        expected = json.loads(text)
        found = dict(texts.get(mark, {}))
        if "messageId" not in expected:
            found.pop("messageId", None)
        if found != expected:
            missing.append(mark)
    for mark, count in counts.items():
        most = 1 if texts[mark]["messageId"].startswith("m-") else ledger.attempts[mark]
        if count > most:
            duplicated.append(mark)
    return missing, duplicated


def run(arguments, folder):
    randomness = random.Random(arguments.seed)
    ledger = Ledger()
    for number in range(arguments.rounds):
        server = Server(arguments.program, folder)
        clients = [Client(server.port, randomness.getrandbits(48), ledger) for _ in range(CLIENTS)]
        for client in clients:
            client.start()
        time.sleep(randomness.choice([0.02, 0.1, 0.3, 0.6]) * randomness.random())
        server.end(signal.SIGTERM if number % 10 == 9 else signal.SIGKILL)
        for client in clients:
            client.join(PATIENCE)
            if client.is_alive():
                raise RuntimeError("a client does not end")
            if client.failure:
                raise client.failure
        if (number + 1) % 10 == 0:
            print("round %d of %d: %d acknowledged" % (
                number + 1, arguments.rounds, len(ledger.acknowledged)), flush=True)
    server = Server(arguments.program, folder)
    server.settle()
    counts, texts = stored_events(server)
    server.end(signal.SIGTERM)
    return ledger, compare(ledger, counts, texts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help="the tributary executable")
    parser.add_argument("--rounds", type=int, default=100, help="deaths of the server (default: 100)")
    parser.add_argument("--seed", type=int, default=None, help="repeats the random choices of a run")
    parser.add_argument("--keep", action="store_true", help="leave the data folder behind")
    arguments = parser.parse_args()
    if arguments.seed is None:
        arguments.seed = random.SystemRandom().getrandbits(32)
    print("seed %d" % arguments.seed, flush=True)
    folder = tempfile.mkdtemp(prefix="server-crash-test-")
    ledger, (missing, duplicated) = run(arguments, folder)
    for name, marks in (("missing", missing), ("duplicated", duplicated)):
        for mark in marks[:10]:
            print("%s: %s" % (name, ledger.acknowledged.get(mark, mark)))
    is_good = not missing and not duplicated and len(ledger.acknowledged) >= arguments.rounds
    if arguments.keep or not is_good:
        print("the data folder is %s" % folder)
    else:
        shutil.rmtree(folder)
    print("server-crash-test: rounds=%d acknowledged=%d missing=%d duplicated=%d" % (
        arguments.rounds, len(ledger.acknowledged), len(missing), len(duplicated)))
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
