"""Lets each call to the disk fail once, and looks whether the program answers, goes on and loses nothing.

One run of the client and one of the workspace are recorded without a fault, to count the calls that can fail. Then each
of them fails in a run of its own, with each error. Afterwards the folder is opened without faults; after a sync that
failed also the folder as it would be had the power gone out, because then nobody knows what a failed sync has kept.
The last line is `fault-sweep: calls=N faults=N lost=N crashed=N stuck=N`.
"""

import collections
import concurrent.futures
import errno
import http.client
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import client
import workspace
from disk import FREE, ORDERED, Disk, lay_out
from power import WRONGS, Recording, compile_recorder, describe, program_parser, scratch_folder

# Nothing takes longer, unless it hangs.
PATIENCE = 40
# Syncs of which the failure once lost something: which, by POWER_FAULT_OF, and how many of them. Each run tries these.
KNOWN = {"client": [], "workspace": [("folder:/days$", 3)]}


class Fault:
    """A call that fails: by its number among all that can, or among the syncs that `of` names."""

    def __init__(self, number, code, of=""):
        self.number, self.code, self.of = number, code, of

    @property
    def environment(self):
        one = {"POWER_FAULT": "%d:%d:1" % (self.number, self.code), "POWER_DELAY": "0"}
        return one | ({"POWER_FAULT_OF": self.of} if self.of else {})

    def __str__(self):
        return "%s %d fails with %s" % (self.of or "call", self.number, errno.errorcode[self.code])


class Crashed(Exception):
    """The program ended by a signal."""


class Stuck(Exception):
    """The program does not go on."""


class FewClients(client.Workload):
    """One client that tracks a few events and ends."""

    def __init__(self, program):
        super().__init__(program, "few")

    def record(self, environment, root, size, lives=1):
        process = subprocess.Popen([self.program, "record", root + "/data", "few", "00"], env=os.environ | environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            status = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise Stuck("the client does not end") from None
        if status != 0:
            raise Crashed("the client ended with %d" % status)

    def judge_end(self, seen, made):
        """What was in memory while the disk refused was sent, or is on the disk since."""
        tracked = {values[0] for _, word, values, _ in made if word in ("tracked", "held")}
        got = {values[0] for _, word, values, _ in made if word == "got"}
        found = {event["properties"]["key"] for event in seen.get("events", []) if event.get("type") == "track"}
        return sorted(tracked - got - found)


class FewRequests(workspace.Workload):
    """One life of the workspace with a few requests."""

    def record(self, environment, root, size, lives=1):
        self.ledger = workspace.Ledger(environment["POWER_LOG"])
        data = root + "/data"
        try:
            server = workspace.Process(self.program, data, environment)
        except workspace.ServerError as error:
            if error.status == -signal.SIGKILL:
                raise Stuck("the workspace neither starts nor ends") from None
            if error.status < 0:
                raise Crashed(str(error)) from None
            # It said why and ended. That it can start without the fault is seen later.
            return
        try:
            self.talk(server)
        finally:
            if server.process.poll() is not None and server.process.returncode < 0:
                raise Crashed("the workspace ended with %d: %s" % (server.process.returncode, server.said[-3:]))
            if server.process.poll() is None:
                try:
                    server.end(signal.SIGTERM)
                except workspace.ServerError as error:
                    raise Stuck(str(error)) from None

    def talk(self, server):
        operator = workspace.Operator(server.port, "o0", 0, self.ledger)
        sender = workspace.Sender(server.port, "s00", 0, self.ledger)
        for number in range(6):
            connection = workspace.Connection(server.port)
            for step in (lambda: sender.step(connection, number), lambda: operator.step(connection, number)):
                try:
                    step()
                except RuntimeError:
                    # An answer that is no promise.
                    pass
                except (OSError, http.client.HTTPException):
                    if server.process.poll() is not None:
                        return
                    connection = workspace.Connection(server.port)
        self.go_on(server)

    def go_on(self, server):
        """The fault is gone: events are taken and stored again."""
        deadline = time.monotonic() + PATIENCE
        sender = workspace.Sender(server.port, "s01", 0, self.ledger)
        number = 0
        while time.monotonic() < deadline:
            connection = workspace.Connection(server.port)
            try:
                sender.step(connection, number)
                for _ in range(50):
                    if json.loads(connection.send("GET", "/v1/ready")[1]).get("waitingRequests", 1) == 0:
                        return
                    time.sleep(0.02)
            except (RuntimeError, ValueError):
                pass
            number += 1
            time.sleep(0.05)
        raise Stuck("the workspace takes no events, or does not store them: %s" % server.said[-3:])

    def judge_end(self, seen, made):
        return []


class Sweep:
    def __init__(self, workload, library, folder, seed):
        self.workload, self.library, self.folder = workload, library, folder
        self.random = random.Random(seed)
        self.totals = collections.Counter()

    def calls(self):
        recording = Recording(self.workload(), self.library, self.folder + "/first", 0)
        return sum(call.a for call in recording.calls if call.kind == "i" and call.flag == 1)

    def run_with(self, fault, place):
        """One run in which a call fails; gives the call that did, and what is wrong."""
        workload = self.workload()
        problems = {"lost": [], "crashed": [], "stuck": []}
        failed = []
        try:
            recording = Recording(workload, self.library, place, 0, fault.environment)
            failed = [call for call in recording.calls if call.kind == "i" and call.flag == 0]
            self.judge(workload, recording, place, failed, problems)
        except Crashed as error:
            problems["crashed"].append(str(error))
        except Stuck as error:
            problems["stuck"].append(str(error))
        finally:
            if hasattr(workload, "end"):
                workload.end()
            shutil.rmtree(place, ignore_errors=True)
        return fault, failed[0].other if failed else "?", problems

    def judge(self, workload, recording, place, failed, problems):
        states = []
        if any(call.other == "sync" for call in failed):
            disk = Disk(recording.root)
            for call in recording.calls:
                disk.follow(call)
            states = [disk.draw(random.Random(1), "none", model) for model in (ORDERED, FREE)]
        folders = [recording.root]
        for index, state in enumerate(states):
            folders.append("%s/cut-%d" % (place, index))
            lay_out(state, folders[-1])
        for index, folder in enumerate(folders):
            seen = workload.observe(folder, 1)
            verdict = workload.judge(seen, recording.made, len(recording.calls))
            wrong = describe(verdict)
            if wrong:
                kind = "crashed" if "crashed with" in wrong else "lost"
                problems[kind].append("%s%s" % ("after a power cut, " if index else "", wrong))
            if index == 0:
                left = workload.judge_end(seen, recording.made)
                if left:
                    problems["stuck"].append("never on the disk again: %s" % left)

    def faults(self, calls, every, name):
        faults = [Fault(number, code) for number in range(1, calls + 1) for code in (errno.EIO, errno.ENOSPC)]
        chosen = faults[self.random.randrange(every)::every]
        return chosen + [Fault(number, errno.EIO, of) for of, count in KNOWN[name] for number in range(1, count + 1)]

    def run(self, every, workers, name):
        calls = self.calls()
        faults = self.faults(calls, every, name)
        places = ["%s/%d" % (self.folder, index) for index in range(len(faults))]
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            for fault, call, problems in pool.map(self.run_with, faults, places):
                for word, texts in problems.items():
                    self.totals[word] += len(texts)
                    for text in texts:
                        print("WRONG %s: %s (%s): %s: %s" % (name, fault, call, word, text[:400]), flush=True)
        self.totals["calls"] += calls
        self.totals["faults"] += len(faults)
        print("%s: calls=%d faults=%d" % (name, calls, len(faults)), flush=True)
        return self.totals


def main():
    parser = program_parser(__doc__)
    parser.add_argument("--every", type=int, default=1, help="only each such fault, beginning with one by chance")
    parser.add_argument("--workers", type=int, default=3, help="runs at once (default: 3)")
    parser.add_argument("--seed", type=int, default=1, help="chooses the faults with --every")
    arguments = parser.parse_args()
    folder = scratch_folder("fault-sweep-")
    totals = collections.Counter()
    try:
        library = compile_recorder(folder)
        parts = {"client": lambda: FewClients(arguments.probe), "workspace": lambda: FewRequests(arguments.program)}
        for name, workload in parts.items():
            if name in arguments.of:
                sweep = Sweep(workload, library, "%s/%s" % (folder, name), arguments.seed)
                totals += sweep.run(arguments.every, arguments.workers, name)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("fault-sweep: calls=%d faults=%d lost=%d crashed=%d stuck=%d" % tuple(
        totals[word] for word in ("calls", "faults", "lost", "crashed", "stuck")))
    return 0 if totals["faults"] and not totals["lost"] + totals["crashed"] + totals["stuck"] else 1


if __name__ == "__main__":
    sys.exit(main())
