"""The client with the setting that survives power cuts, what it promised, and whether a state of its disk keeps that."""

import json
import os
import subprocess
import threading

# Seconds that the delivery of a launch may take.
PATIENCE = 10
WORKLOADS = ["events", "purge", "consent", "together", "adoption", "full", "interval"]

# What the processes of each life do.
LIVES = {
    "events": [["events"], ["events"]],
    "purge": [["purge"], ["purge"]],
    "consent": [["consent"]],
    "together": [["events", "events"], ["events", "events"]],
    # Two clients leave events behind, the third takes them up.
    "adoption": [["left", "left"], ["events"]],
    "full": [["full"], ["full"]],
    "interval": [["interval"], ["interval"]],
}


class ProbeError(Exception):
    """The probe ended."""


class Checker:
    """A process of the probe that opens one state after the other."""

    def __init__(self, program):
        self.program = program
        self.process = None
        self.count = 0

    def ask(self, *words):
        # What a client leaves in memory must not add up.
        if self.process is None or self.count % 200 == 199:
            self.end()
            self.process = subprocess.Popen([self.program, "check"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, text=True)
        self.count += 1
        try:
            self.process.stdin.write(" ".join(map(str, words)) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            status = self.process.wait()
            self.process = None
            raise ProbeError("the client crashed with status %d" % status)
        return json.loads(line)

    def end(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process.stdout.close()
            self.process = None


class Syncs:
    """Which events are on the medium because a timer brought the inbox there."""

    def __init__(self):
        self.waiting = set()
        self.paths = {}
        # What a sync of a file covers; what the files that were synced cover.
        self.covered, self.synced = {}, set()

    def follow(self, call):
        """Events that are promised from this call on: the inbox and its names are synced, and now the outbox is."""
        if call.kind == "o":
            self.paths[call.pid, call.fd] = call.path
        elif call.kind == "b":
            path = self.paths.get((call.pid, call.fd), "")
            if "/inbox/" in path:
                self.covered[call.a] = set(self.waiting)
            elif "/outbox/" in path:
                promised, self.synced = sorted(self.synced), set()
                return promised
        elif call.kind == "e":
            keys = self.covered.pop(call.a, set())
            self.waiting -= keys
            self.synced |= keys
        return []


class Workload:
    """Clients on one folder, one after the other or two at a time."""

    def __init__(self, program, workload):
        self.program = program
        self.workload = workload
        self.name = "client/" + workload
        self.checkers = {}

    def record(self, environment, root, size):
        environment = os.environ | environment | {"POWER_FULL": root + "-is-full"}
        for life, words in enumerate(LIVES[self.workload]):
            processes = [subprocess.Popen([self.program, "record", root + "/data", word, "%d%d" % (life, index)],
                                          env=environment, stdout=subprocess.DEVNULL)
                         for index, word in enumerate(words)]
            for process in processes:
                if process.wait(300) != 0:
                    raise ProbeError("a recorded client ended with %d" % process.returncode)

    def follow(self, calls):
        made = []
        syncs = Syncs() if self.workload == "interval" else None
        for call in calls:
            if syncs:
                made += [(call.index, "tracked", [key], call.pid) for key in syncs.follow(call)]
            if call.kind == "k":
                for line in call.data.decode(errors="replace").splitlines():
                    parts = line.split(" ")
                    if syncs and parts[0] == "tracked":
                        syncs.waiting.add(parts[1])
                    elif not (syncs and parts[0].startswith("identif")):
                        made.append((call.index, parts[0], parts[1:], call.pid))
        return made

    def observe(self, folder, number, more=1):
        """What the next launch makes of a state; it may take `more` times as long. The folder is changed."""
        checker = self.checkers.setdefault(threading.get_ident(), Checker(self.program))
        consent = "pending" if self.workload == "consent" else "granted"
        # An app has the same setting at its next launch: what a cut left beside a gap is settled by it.
        durability = "interval" if self.workload == "interval" else "powerLoss"
        try:
            return checker.ask(folder + "/data", consent, durability, PATIENCE * more)
        except ProbeError as error:
            return {"failure": str(error)}

    def end(self):
        for checker in self.checkers.values():
            checker.end()

    def judge(self, seen, made, at):
        verdict = {"promised": 0, "lost": [], "doubled": [], "reordered": [], "unopened": [], "invented": []}
        if "failure" in seen:
            verdict["unopened"].append(seen["failure"])
            return verdict
        if not seen["isSent"] or not seen["isLasting"]:
            verdict["unopened"].append("the next launch does not deliver: %s" % seen["diagnostics"])
        past = Past(made, at)
        found = [(event["properties"]["key"], event["messageId"], event) for event in seen["events"]
                 if event.get("type") == "track"]
        keys = {key for key, _, _ in found}
        for key in past.promised:
            verdict["promised"] += 1
            if key not in keys and key not in past.got and key not in past.excused:
                verdict["lost"].append("event " + key)
        for key, message, event in found:
            if key not in past.begun:
                verdict["invented"].append("event %s was never tracked" % key)
            if key in past.forbidden:
                verdict["lost"].append("the deletion of event %s" % key)
            if past.got.get(key, message) != message:
                verdict["doubled"].append("event %s has two ids" % key)
            if past.users.get(key, event.get("userId")) != event.get("userId"):
                verdict["lost"].append("the user of event %s, which has %s" % (key, event.get("userId")))
        # A server drops what it has by its id, so only the first of several counts.
        first = {}
        for key, message, _ in found:
            first.setdefault(message, key)
        keys_once = list(first.values())
        verdict["doubled"] += ["event " + key for key in set(keys_once) if keys_once.count(key) > 1]
        # With an interval only what is on the medium has an order; what came later may arrive before it.
        promised = set(past.promised)
        verdict["reordered"] = self.out_of_order(
            [key for key in keys_once if self.workload != "interval" or key in promised])
        # A file is deleted when the mark on the medium says that nobody needs it.
        if self.workload != "interval":
            verdict["lost"] += [text for text in seen["diagnostics"] if "are gone, with the events in them" in text]
        self.judge_state(seen, past, verdict)
        return verdict

    def judge_state(self, seen, past, verdict):
        if past.consents:
            verdict["promised"] += 1
            if seen["consent"] not in past.consents:
                verdict["lost"].append("the decision %s, there is %s" % (past.consents, seen["consent"]))
        # Without a reset the device keeps its id once an event with it is promised, and loses it with a refusal.
        is_refused = "denied" in past.settled
        if self.workload in ("purge", "consent") and past.promised and past.anonymous and (is_refused or "denied" not in past.consents):
            verdict["promised"] += 1
            if (seen["anonymous"] == past.anonymous) == is_refused:
                verdict["lost"].append("the %s of the device's id" % ("deletion" if is_refused else "sameness"))
        # Of several processes that ran at once, the last change holds; the test does not say which it is.
        if past.identities and self.workload not in ("together", "adoption"):
            verdict["promised"] += 1
            if (seen["user"] or "-") not in past.identities:
                verdict["lost"].append("the user %s, there is %s" % (past.identities, seen["user"]))

    @staticmethod
    def out_of_order(keys):
        last, wrong = {}, []
        for key in keys:
            life, thread, number = key.split("-")
            if int(number) < last.get((life, thread), -1):
                wrong.append("event " + key)
            last[life, thread] = int(number)
        return wrong


class Past:
    """What was promised and begun before a call."""

    def __init__(self, made, at):
        self.begun, self.promised, self.got = set(), [], {}
        # May be missing; must be missing; who the user was.
        self.excused, self.forbidden, self.users = set(), set(), {}
        # What holds now, or may hold: nobody knows whether a change that was begun is done.
        self.consents, self.identities = set(), {"-"}
        self.anonymous = None
        self.before, self.kept_apart, self.settled = set(), set(), set()
        self.state = None
        user = {}
        for index, word, values, pid in made:
            if index >= at:
                break
            value = values[0] if values else ""
            if word == "began":
                self.anonymous = self.anonymous or value
            if word == "tracking":
                self.begun.add(value)
                if value.split("-")[1] == "0" and pid in user:
                    self.users[value] = user[pid]
                if self.state == "denied":
                    self.excused.add(value)
                    self.forbidden.add(value)
            elif word == "tracked":
                self.promised.append(value)
            elif word == "got":
                self.got[value] = values[1]
            else:
                self._change(word, value, user, pid)

    def _change(self, word, value, user, pid):
        if word in ("identifying", "hoped"):
            self.identities.add(value)
            # Until it is known which of the two it is, nothing is said of the user of events.
            user.pop(pid, None)
        elif word == "identified":
            self.identities = {value}
            user[pid] = None if value == "-" else value
        elif word == "purging":
            self.before = set(self.begun)
            self.excused |= self.before
        elif word == "purged":
            self.forbidden |= self.before
        elif word == "deciding":
            # Before the first decision the client begins with what it was configured for.
            self.consents = (self.consents or {"pending"}) | {value}
            if value == "denied":
                self.kept_apart = {key for key in self.begun if int(key.split("-")[2]) >= 30}
                self.excused |= self.kept_apart
        elif word == "decided":
            self.consents = {value}
            self.state = value
        elif word == "settled":
            self.settled.add(value)
            if value == "denied":
                self.forbidden |= self.kept_apart
