"""The workspace under load, what it promised, and whether a state of its disk keeps the promises."""

import collections
import fcntl
import gzip
import http.client
import json
import os
import random
import signal
import struct
import subprocess
import sys
import threading
import time

from recording import HEAD

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Server"))
from server import KEY, TOKEN  # noqa: E402

# Nothing is waited for longer than that.
PATIENCE = 60
SOURCE = "/api/sources/" + KEY
# Lines among the recorded calls that say what was begun, or promised by something else than an answer: an erasure, a folder
# that was made, a copy, the end of events' time, and that a destination has an event; and damage.
MARKS = {"erasing", "made", "copying", "retaining", "forwarded", "damaging", "mended"}


class ServerError(Exception):
    """The server did not start, or does not answer."""

    def __init__(self, text, status=0):
        super().__init__(text)
        self.status = status


class Process:
    """A process of the server."""

    def __init__(self, program, folder, environment=None, options=()):
        self.process = subprocess.Popen(
            [program, "serve", "--port", "0", "--data", folder, "--write-key", KEY, *options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=os.environ | {"TRIBUTARY_ADMIN_TOKEN": TOKEN} | (environment or {}))
        self.log = (environment or {}).get("POWER_LOG")
        # A server that neither starts nor ends must not stop the test.
        self.timer = threading.Timer(PATIENCE, self.process.kill)
        self.timer.daemon = True
        self.timer.start()
        self.said = []
        self.port = None
        for line in self.process.stdout:
            self.said.append(line.strip())
            if " listening on " in line:
                self.port = int(line.rsplit(":", 1)[1])
                break
        if self.port is None:
            # Nobody writes any more, so it has ended or is about to.
            status = self.process.wait()
            self.timer.cancel()
            raise ServerError("it did not start (%d): %s" % (status, " | ".join(self.said)), status)
        # It must not wait for somebody who reads.
        threading.Thread(target=self._drain, daemon=True).start()

    def _drain(self):
        try:
            for line in self.process.stdout:
                if len(self.said) < 100:
                    self.said.append(line.strip())
        except ValueError:
            pass

    def end(self, number):
        """Ends it; returns the status."""
        if number == signal.SIGKILL and self.log:
            return self._kill_between_calls()
        self.process.send_signal(number)
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise ServerError("it does not end") from None
        finally:
            self.timer.cancel()
        return status

    def _kill_between_calls(self):
        """Kills it while it can record nothing: else a file could be there whose making is not in the recording."""
        with open(self.log, "rb") as log:
            fcntl.flock(log, fcntl.LOCK_EX)
            self.process.kill()
            status = self.process.wait()
        self.timer.cancel()
        return status


class Connection:
    """A connection that remembers its port and how many answers it got."""

    def __init__(self, port):
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self.http.connect()
        self.port = self.http.sock.getsockname()[1]
        self.count = 0

    def send(self, method, path, body=None, headers=None):
        headers = dict(headers or {})
        if path.startswith("/api/"):
            headers["Authorization"] = "Bearer " + TOKEN
        if isinstance(body, str):
            body = body.encode()
        self.http.request(method, path, body, headers)
        answer = self.http.getresponse()
        text = answer.read()
        self.count += 1
        return answer.status, text


class Promise:
    """What an answer promised, by the port and the number of the answer on it."""

    def __init__(self, kind, value):
        self.kind, self.value = kind, value


class Ledger:
    """What was sent, and which answers promised what."""

    def __init__(self, log):
        self.lock = threading.Lock()
        self.log = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self.promises = {}
        # Every event that was ever sent, by its mark.
        self.sent = {}
        self.users = {}

    def mark(self, text):
        """Puts a line among the recorded calls."""
        data = text.encode()
        head = HEAD.pack(HEAD.size + len(data), 0, 1, ord("k"), 0, 0, 0, 0, len(data), 0, 0)
        with self.lock:
            fcntl.flock(self.log, fcntl.LOCK_EX)
            os.write(self.log, head + data)
            fcntl.flock(self.log, fcntl.LOCK_UN)

    def promise(self, connection, kind, value):
        with self.lock:
            self.promises[connection.port, connection.count] = Promise(kind, value)


# Workload


class Worker(threading.Thread):
    """Takes a number of steps over one connection, until the workspace ends."""

    def __init__(self, port, name, count, ledger):
        super().__init__(daemon=True)
        self.target, self.name_, self.count, self.ledger = port, name, count, ledger
        self.failure = None

    def run(self):
        try:
            connection = Connection(self.target)
            for number in range(self.count):
                self.step(connection, number)
        except (OSError, http.client.HTTPException):
            pass
        except Exception as error:  # Raised by the thread that waits for this one.
            self.failure = error


class Sender(Worker):
    """Sends batches of events."""

    def __init__(self, port, name, count, ledger):
        super().__init__(port, name, count, ledger)
        self.random = random.Random(name)

    def step(self, connection, number):
        events = {}
        for part in range(self.random.choice([1, 2, 12])):
            mark = "%s-%d-%d" % (self.name_, number, part)
            event = {"type": "track", "userId": "u", "event": "E", "mark": mark, "n": number,
                     "x": "é\n" * self.random.choice([0, 10, 300])}
            if self.random.random() < 0.8:
                event["messageId"] = "m-" + mark
            events[mark] = event
        with self.ledger.lock:
            self.ledger.sent.update(events)
        body = json.dumps({"batch": list(events.values()), "writeKey": KEY}).encode()
        headers = {"Content-Type": "application/json"}
        if self.random.random() < 0.5:
            body = gzip.compress(body, 1)
            headers["Content-Encoding"] = "gzip"
        self.ledger.promise(connection, "events", list(events))
        status, text = connection.send("POST", "/v1/b", body, headers)
        if status != 200:
            raise RuntimeError("%d %s" % (status, text))


class Operator(Worker):
    """Changes settings, keys, bundles and policies, and erases users."""

    def step(self, connection, number):
        name = "%s-%d" % (self.name_, number)
        steps = [
            lambda: self.do(connection, "POST", SOURCE + "/keys", json.dumps({"key": "K" + name}), "key", "K" + name),
            lambda: self.do(connection, "PUT", SOURCE + "/integrations", json.dumps({name: {"n": number}}),
                            "integration", name),
            lambda: self.do(connection, "PUT", SOURCE + "/live-plugins", "// " + name, "bundle", "// " + name),
            lambda: self.do(connection, "PUT", SOURCE + "/policy",
                            json.dumps({"quota": {"eventsPerDay": 1000000 + self.quota(number)}}), "quota",
                            1000000 + self.quota(number)),
            lambda: self.do(connection, "PUT", SOURCE + "/destinations/" + name, json.dumps(
                {"kind": "webhook", "settings": {"url": "http://127.0.0.1:9/"}, "enabled": number % 2 == 0,
                 "from": "start"}), "destination", name),
            lambda: self.erase(connection, name),
        ]
        steps[number % len(steps)]()

    def quota(self, number):
        # Grows from life to life.
        return int(self.name_[1:]) * 1000 + number

    def erase(self, connection, name):
        user = "user-" + name
        event = {"type": "track", "userId": user, "event": "E", "mark": "erased-" + name, "messageId": "e-" + name}
        with self.ledger.lock:
            self.ledger.sent[event["mark"]] = event
        self.do(connection, "POST", "/v1/b", json.dumps({"batch": [event], "writeKey": KEY}), "events", [event["mark"]])
        self.ledger.mark("erasing " + event["mark"])
        self.do(connection, "DELETE", "/api/users/" + user, None, "erased", event["mark"])

    def do(self, connection, method, path, body, kind, value):
        self.ledger.promise(connection, kind, value)
        status, text = connection.send(method, path, body, {"Content-Type": "application/json"})
        if status not in (200, 201):
            raise RuntimeError("%s %s: %d %s" % (method, path, status, text))


# The destination of which is known what it has.
FORWARDED = "receiver"
# What is promised by its name.
NAMED = ("key", "integration", "bundle", "destination")


class Past:
    """What was promised before a call."""

    def __init__(self, made, at):
        # Marks of events that have to be there; promises of other kinds; changes that the audit log has.
        self.events, self.others, self.changes, self.quota = [], [], 0, 0
        # What a backup has to have; None without one. What each destination has.
        self.copied, self.forwarded = None, {}
        gone, ended, begun = set(), set(), set()
        for index, kind, value in made:
            if index >= at:
                break
            if kind == "events":
                self.events += value
            elif kind == "erasing":
                gone.add(value)
            elif kind == "retaining":
                ended |= set(value.split())
            elif kind == "copying":
                begun = set(self.events)
            elif kind == "forwarded":
                name, mark = value.split(" ")
                self.forwarded.setdefault(name, set()).add(mark)
            else:
                self.note(kind, value)
            if kind == "made" and value == "backup":
                self.copied = begun
        self.events = [mark for mark in self.events if mark not in gone and life(mark) not in ended]
        if self.copied is not None:
            self.copied &= set(self.events)

    def note(self, kind, value):
        if kind in NAMED or kind in ("quota", "erased"):
            self.changes += 1
        if kind == "quota":
            self.quota = max(self.quota, value)
        self.others.append((kind, value))


def life(mark):
    """The life in which an event was sent."""
    return mark.split("-")[1 if mark.startswith("erased") else 0][1]


class Workload:
    """Runs the workspace a few times on one folder while everything that it does there is recorded."""

    name = "workspace/load"
    # Folders that are made beside that of the data, and promised as a whole.
    copies = ("backup", "restored")

    def __init__(self, program):
        self.program = program
        self.ledger = None

    def record(self, environment, root, size, lives=3):
        """`size`: requests of each connection and life."""
        self.ledger = Ledger(environment["POWER_LOG"])
        data = root + "/data"
        for life in range(lives):
            server = Process(self.program, data, environment)
            # The last life ends by itself, one in the middle of its work, the others by a kill after it.
            self.load(server, life, size, 0.4 if life == 1 else PATIENCE)
            server.end(signal.SIGTERM if life == lives - 1 else signal.SIGKILL)
        self.back_up(environment, data, root + "/backup")
        self.run(environment, "restore", root + "/backup", root + "/restored")
        self.ledger.mark("made restored")

    def back_up(self, environment, data, backup):
        self.ledger.mark("copying")
        self.run(environment, "backup", data, backup)
        self.ledger.mark("made backup")

    def load(self, server, life, size, patience=PATIENCE, names=("0", "1"), has_operator=True):
        """Two senders and one who changes things; what is still running when the patience is over loses its server."""
        senders = [Sender(server.port, "s%d%s" % (life, name), size, self.ledger) for name in names]
        if has_operator:
            senders.append(Operator(server.port, "o%d" % life, max(6, size // 2), self.ledger))
        for sender in senders:
            sender.start()
        deadline = time.monotonic() + patience
        for sender in senders:
            sender.join(max(0, deadline - time.monotonic()))
        if any(sender.is_alive() for sender in senders):
            # A connection that ended early promised nothing more; its port may come again.
            server.end(signal.SIGKILL)
        for sender in senders:
            sender.join(PATIENCE)
            if sender.failure:
                raise sender.failure

    def run(self, environment, *words):
        subprocess.run([self.program, *words], env=os.environ | environment, check=True, stdout=subprocess.DEVNULL)

    # Promises

    def follow(self, calls):
        """Gives for each promise the index of the call that made it, and what was begun."""
        counts = collections.Counter()
        made = []
        for call in calls:
            if call.kind == "a" and call.b // 100 != 1:
                promise = self.ledger.promises.get((call.a, counts[call.a]))
                counts[call.a] += 1
                if promise and call.b in (200, 201):
                    made.append((call.index, promise.kind, promise.value))
            elif call.kind == "k":
                word, _, rest = call.data.decode(errors="replace").strip().partition(" ")
                if word in MARKS:
                    made.append((call.index, word, rest))
        return made

    # Checking

    def observe(self, folder, number, more=1):
        """What the program makes of a state; the folder may be changed. Its own time is long enough for a busy machine."""
        data = folder + "/data"
        seen = {"failures": [], "doctor": []}
        # Before the first start the doctor may find things, but it has to say them.
        if number % 10 == 0 and os.path.isdir(data):
            self.doctor(data, seen, "before", {0, 1})
        self.look_at_copies(folder, seen, number)
        self.prepare(data, seen)
        status = self.open(data, seen, signal.SIGTERM if number % 5 == 0 else signal.SIGKILL)
        if status is None:
            return seen
        if status not in (0, -signal.SIGKILL):
            seen["failures"].append("it ended with %d" % status)
        if number % 5 == 0:
            self.doctor(data, seen, "after", {0})
        return seen

    def prepare(self, data, seen):
        """What is done before the start."""

    def look_at_copies(self, folder, seen, number):
        """A backup and a restored folder are there as a whole or not at all."""
        seen["copies"] = [name for name in self.copies if os.path.isdir(folder + "/" + name)]
        if number % 6 != 1:
            return
        if "backup" in seen["copies"]:
            result = subprocess.run([self.program, "restore", folder + "/backup", folder + "/again"],
                                    capture_output=True, text=True, timeout=PATIENCE)
            if result.returncode == 0:
                seen["copied"] = self.marks_in(folder + "/again", seen)
            else:
                seen["failures"].append("the backup cannot be restored: %s" % result.stderr)
        if "restored" in seen["copies"]:
            self.doctor(folder + "/restored", seen, "of what was restored", {0})

    def marks_in(self, data, seen):
        """The events of a folder, by their marks."""
        found = {"failures": seen["failures"]}
        self.open(data, found)
        return {event.get("mark") for event in found.get("events", [])}

    def open(self, data, seen, status=signal.SIGKILL):
        """Starts the program, asks it for everything, and ends it; returns what it ended with."""
        try:
            server = Process(self.program, data)
        except ServerError as error:
            seen["failures"].append(str(error))
            return None
        try:
            self.ask(server, seen)
        except (OSError, http.client.HTTPException, KeyError, ValueError, ServerError) as error:
            seen["failures"].append("%r, it said %s" % (error, server.said[-5:]))
        seen["said"] = [line for line in server.said if "error" in line or "warning" in line]
        return server.end(status)

    def doctor(self, data, seen, when, allowed):
        result = subprocess.run([self.program, "doctor", data], capture_output=True, text=True, timeout=PATIENCE)
        # Notes say what else is in the folder. They are no problems, and change no status.
        problems = [line for line in (result.stdout + result.stderr).splitlines()
                    if not line.startswith(("fine", "note: "))]
        seen["doctor"] += [when + ": " + line for line in problems]
        # A cut leaves holes among requests that nobody was promised, and the doctor cannot know that.
        if all("never acknowledged" in line for line in problems):
            allowed = {0, 1}
        if result.returncode not in allowed or (result.returncode == 1 and not problems):
            seen["failures"].append("the doctor (%s) ended with %d: %s" % (when, result.returncode, problems))

    def ask(self, server, seen):
        connection = Connection(server.port)

        def get(path):
            status, text = connection.send("GET", path)
            if status != 200:
                raise ServerError("%s answers %d %s" % (path, status, text))
            return json.loads(text)

        deadline = time.monotonic() + PATIENCE
        while connection.send("GET", "/v1/ready")[0] != 200 or get("/v1/ready")["waitingRequests"] > 0:
            if time.monotonic() > deadline:
                raise ServerError("the backlog does not end")
            time.sleep(0.01)
        seen["events"], after = [], 0
        while after is not None:
            page = get("/api/events?order=asc&limit=1000&after=%d" % after)
            seen["events"] += [row["event"] for row in page["events"]]
            after = page["next"]
        seen["key"] = [key["key"] for key in get(SOURCE + "/keys")["keys"]]
        seen["integration"] = list(get(SOURCE + "/integrations"))
        seen["quota"] = get(SOURCE + "/policy").get("quota")
        seen["destination"] = [one["name"] for one in get(SOURCE + "/destinations")["destinations"]]
        seen["waiting"] = {name: get(SOURCE + "/destinations/" + name)["waiting"]
                           for name in seen["destination"] if name == FORWARDED}
        versions = get(SOURCE + "/live-plugins")["versions"]
        seen["bundle"] = [connection.send("GET", "/v1/projects/%s/live-plugins/%d.js" % (KEY, version["version"]))[1]
                          .decode() for version in versions]
        seen["audit"] = len(self.audit(get))
        # It takes events again.
        status, text = connection.send("POST", "/v1/b", json.dumps(
            {"batch": [{"type": "track", "userId": "u", "event": "E", "messageId": "afterwards"}], "writeKey": KEY}))
        if status != 200:
            raise ServerError("it takes no events: %d %s" % (status, text))

    def audit(self, get):
        return get("/api/audit?limit=1000")["entries"]

    def judge(self, seen, made, at):
        """What of the promises made before that call is broken; and how many there were."""
        verdict = {"promised": 0, "lost": [], "doubled": [], "reordered": [], "unopened": list(seen["failures"]),
                   "invented": []}
        if verdict["unopened"]:
            return verdict
        past = self.past(made, at)
        counts = collections.Counter(event.get("mark") for event in seen["events"])
        texts = {event.get("mark"): event for event in seen["events"]}
        self.judge_events(seen, past, texts, verdict)
        for kind, value in past.others:
            verdict["promised"] += 1
            if kind == "erased" and counts[value]:
                verdict["lost"].append("the erasure of %s" % value)
            elif kind == "made" and value not in seen["copies"]:
                verdict["lost"].append("the folder " + value)
            elif kind in NAMED and value not in seen[kind]:
                verdict["lost"].append("%s %s" % (kind, value))
        if past.quota and ((seen["quota"] or {}).get("eventsPerDay") or 0) < past.quota:
            verdict["lost"].append("quota %d" % past.quota)
        if seen["audit"] < past.changes:
            verdict["lost"].append("%d of %d entries of the audit log" % (past.changes - seen["audit"], past.changes))
        for mark, count in counts.items():
            if count > 1:
                verdict["doubled"].append("event %s, %d times" % (mark, count))
            if mark not in self.ledger.sent or not self.is_equal(texts[mark], self.ledger.sent[mark]):
                verdict["invented"].append("event %s" % texts[mark])
        verdict["reordered"] = self.out_of_order(seen["events"])
        return verdict

    def past(self, made, at):
        return Past(made, at)

    def judge_events(self, seen, past, texts, verdict):
        for mark in past.events:
            verdict["promised"] += 1
            if not self.is_equal(texts.get(mark), self.ledger.sent[mark]):
                verdict["lost"].append("event %s" % mark)
        if "copied" in seen and past.copied is not None:
            verdict["promised"] += len(past.copied)
            verdict["lost"] += ["event %s from the backup" % mark for mark in past.copied - seen["copied"]]
        # A destination gets what nobody gave it yet: its place must not be ahead of what it has.
        for name, got in past.forwarded.items():
            waiting = seen["waiting"].get(name)
            missing = [mark for mark in texts if mark not in got]
            if waiting is not None and waiting < len(missing):
                verdict["lost"].append("%d of %d events for destination %s" % (len(missing) - waiting, len(missing), name))

    @staticmethod
    def is_equal(found, sent):
        if found is None:
            return False
        # The workspace gives an event its id, and says which version of the live plugins the event passed there.
        mark = found.get("_metadata", {}).get("livePlugins", {}).get("workspace")
        added = {"_metadata"} if found.get("_metadata") == {"livePlugins": {"workspace": mark}} else set()
        if "messageId" not in sent:
            added.add("messageId")
        return {key: value for key, value in found.items() if key not in added} == sent

    @staticmethod
    def out_of_order(events):
        """What one connection sent is stored in the order in which it was acknowledged."""
        last, wrong = {}, []
        for event in events:
            mark = event.get("mark", "")
            if not mark.startswith("s"):
                continue
            sender, number, part = mark.split("-")
            place = (int(number), int(part))
            if place < last.get(sender, place):
                wrong.append("event " + mark)
            last[sender] = place
        return wrong
