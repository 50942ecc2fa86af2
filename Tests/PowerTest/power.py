"""Builds the states that a power cut can leave, and looks whether what was promised is there.

Records the client and the workspace at work, draws states of the disk from the recordings, and lets the real programs
open each of them. The last lines are `power-test: of=… states=N distinct=N promised=N lost=N doubled=N reordered=N
unopened=N`; the exit status is 0 only when nothing is wrong.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import client
import workspace_lives
from disk import FREE, KINDS, ORDERED, WEIGHTS, Disk, compare, digest, lay_out
from recording import RecordingError, read

HERE = os.path.dirname(os.path.abspath(__file__))
# How much longer a launch may take whose time was over: on a busy machine that proves nothing.
LONGER = 12
WRONGS = ["lost", "doubled", "reordered", "unopened", "invented"]


# The dynamic linker takes these for the end of a path in LD_PRELOAD.
SEPARATORS = ": "


def scratch_folder(prefix, places=("/dev/shm", tempfile.gettempdir(), "/tmp")):
    """A new folder, in memory where that is possible: the tests make their own losses, and the disk would only be slow."""
    for place in places:
        if os.access(place, os.W_OK) and not any(one in place for one in SEPARATORS):
            return tempfile.mkdtemp(prefix=prefix, dir=place)
    raise SystemExit("LD_PRELOAD does not take a path with a colon or a space: set TMPDIR to a folder without them")


def compile_recorder(folder):
    library = folder + "/recorder.so"
    subprocess.run(["cc", "-O1", "-Wall", "-shared", "-fPIC", "-o", library, HERE + "/recorder.c", "-ldl", "-lpthread"],
                   check=True)
    return library


class Recording:
    """What a workload did to its folder. A folder that has a recording already is not recorded again."""

    def __init__(self, workload, library, folder, size, environment=None):
        self.workload = workload
        self.root = folder + "/disk"
        os.makedirs(self.root, exist_ok=True)
        log = folder + "/log"
        if not os.path.exists(log):
            workload.record({"LD_PRELOAD": library, "POWER_ROOT": self.root, "POWER_LOG": log, "POWER_DELAY": "1500"}
                            | (environment or {}), self.root, size)
        self.calls = read(log)
        self.made = workload.follow(self.calls)
        self.verify()

    def verify(self):
        """What the recording leads to is what is there; else something was not seen."""
        disk = Disk(self.root)
        for call in self.calls:
            disk.follow(call)
        differences = compare(disk, self.root)
        if differences:
            raise RecordingError("%s: %s" % (self.workload.name, "; ".join(differences[:5])))

    def moments(self, count, random_):
        """Calls after which the power goes out: each one counts, those around syncs and changes of names more."""
        weights = [0.0 if call.kind in "ocpi" else 1.0 for call in self.calls]
        for index, call in enumerate(self.calls):
            if call.kind in "berlumxtak":
                for near in range(max(0, index - 2), min(len(weights), index + 3)):
                    weights[near] += 2.0 * (self.calls[near].kind not in "ocpi")
        return sorted(random_.choices(range(len(self.calls)), weights, k=count))

    def states(self, count, seed):
        """Pairs of a call and a state that the disk may be in when the power goes out after it."""
        random_ = random.Random(seed)
        moments = collections.Counter(self.moments(count, random_))
        disk = Disk(self.root)
        for call in self.calls:
            disk.follow(call)
            for _ in range(moments.get(call.index, 0)):
                kind = random_.choices(KINDS, WEIGHTS)[0]
                model = random_.choice([ORDERED, FREE])
                seed_of_state = random_.getrandbits(48)
                state = disk.draw(random.Random(seed_of_state), kind, model)
                yield Drawn(call.index + 1, kind, model, seed_of_state, state)


class Drawn:
    """A state, and where it comes from. The power went out before the call `at`."""

    def __init__(self, at, kind, model, seed, state):
        self.at, self.kind, self.model, self.seed, self.state = at, kind, model, seed, state

    @property
    def name(self):
        return "before call %d, %s, %s, seed %d" % (self.at, self.kind, self.model, self.seed)


class Check:
    """Lets the program open states, several at once, each distinct one once."""

    def __init__(self, recording, folder, workers):
        self.recording = recording
        self.folder = folder
        self.workers = workers
        self.seen = {}
        self.numbers = 0
        self.totals = collections.Counter()
        # Launches whose time was over.
        self.late = 0
        self.wrong = []

    def run(self, count, seed, most_wrong=20):
        """Ends early when much is wrong."""
        with concurrent.futures.ThreadPoolExecutor(self.workers) as pool:
            running = set()
            for drawn in self.recording.states(count, seed):
                key = digest(drawn.state)
                if key not in self.seen:
                    self.numbers += 1
                    self.seen[key] = pool.submit(self.observe, drawn.state, self.numbers)
                running.add(pool.submit(self.finish, drawn, self.seen[key]))
                drawn.state = None
                while len(running) > 4 * self.workers:
                    done, running = concurrent.futures.wait(
                        running, return_when=concurrent.futures.FIRST_COMPLETED)
                    for one in done:
                        one.result()
                if len(self.wrong) >= most_wrong:
                    break
            for one in running:
                one.result()

    def observe(self, state, number):
        """What a launch makes of a state. When its time was over, another launch gets more of it; that one counts."""
        seen = self.open(state, number, 1)
        if not seen.get("isLate"):
            return seen
        self.late += 1
        return self.open(state, number, LONGER)

    def open(self, state, number, more):
        place = "%s/state-%d" % (self.folder, number)
        lay_out(state, place)
        try:
            return self.recording.workload.observe(place, number, more)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def finish(self, drawn, observation):
        verdict = self.recording.workload.judge(observation.result(), self.recording.made, drawn.at)
        self.totals["states"] += 1
        self.totals["promised"] += verdict["promised"]
        for word in WRONGS:
            self.totals[word] += len(verdict[word])
        if any(verdict[word] for word in WRONGS):
            self.wrong.append((drawn, verdict))

    def is_wrong(self, state, at):
        """Whether a state that somebody made breaks something."""
        self.numbers += 1
        verdict = self.recording.workload.judge(self.observe(state, self.numbers), self.recording.made, at)
        return any(verdict[word] for word in WRONGS)


def describe(verdict):
    return "; ".join("%s: %s" % (word, ", ".join(str(one) for one in verdict[word][:3])) for word in WRONGS if verdict[word])


# The shortest list of calls


class Shortest:
    """Finds the calls that have to stay off the disk for a state to lose something.

    From the process's own view of the moment, in which nothing is lost, single changes are taken away. What is left of
    them when no more can be given back is what the loss needs.
    """

    def __init__(self, check, drawn):
        self.check, self.drawn = check, drawn
        self.disk = Disk(check.recording.root)
        for call in check.recording.calls[:drawn.at]:
            self.disk.follow(call)

    def find(self):
        """Indexes of calls; None when the loss needs more than calls that are missing as a whole."""
        missing = self.pending()
        if not self.is_lost(missing):
            return None
        size = max(1, len(missing) // 2)
        while True:
            for start in range(0, len(missing), size):
                fewer = missing[:start] + missing[start + size:]
                if self.is_lost(fewer):
                    missing = fewer
                    break
            else:
                if size == 1:
                    return missing
                size = max(1, size // 2)

    def pending(self):
        """Calls of which the disk need not know."""
        indexes = {change.index for change in self.disk.changes[self.drawn.model]}
        for file in self.disk.files:
            indexes |= {change[0] for change in file.pending}
        return sorted(indexes)

    def is_lost(self, missing):
        state = self.disk.without(set(missing), self.drawn.model)
        return self.check.is_wrong(state, self.drawn.at)


def explain(check, drawn, verdict):
    """What a losing state needs, for a person."""
    lines = ["WRONG %s: %s" % (drawn.name, describe(verdict))]
    indexes = Shortest(check, drawn).find()
    if indexes is None:
        return lines + ["  parts of writes are needed for it; the state can be built again from its seed"]
    names = {}
    wanted = set(indexes)
    lines.append("  the disk has everything but these calls, %d of %d:" % (len(indexes), drawn.at))
    for call in check.recording.calls[:drawn.at]:
        if call.kind == "o":
            names[call.pid, call.fd] = call.path
        if call.index in wanted:
            lines.append("  " + call.describe(names.get((call.pid, call.fd), "")).replace(check.recording.root, ""))
    last = [call for call in check.recording.made if call[0] < drawn.at][-1:]
    lines += ["  the last promise before it: %s" % (" ".join(str(part) for part in promise[1:3])) for promise in last]
    return lines


# The command


def client_workloads(arguments):
    return chosen([client.Workload(arguments.probe, name) for name in client.WORKLOADS], arguments)


def workspace_workloads(arguments):
    return chosen([workload(arguments.program) for workload in workspace_lives.WORKLOADS], arguments)


def chosen(workloads, arguments):
    """The workload that was asked for; all when none was."""
    found = [workload for workload in workloads if arguments.workload in (None, workload.name)]
    if not found:
        raise SystemExit("there is no workload %s here: %s" % (
            arguments.workload, ", ".join(workload.name for workload in workloads)))
    return found


def record(workloads, places, size, library):
    """Records all workloads at once: each waits most of its time."""
    with concurrent.futures.ThreadPoolExecutor(len(workloads)) as pool:
        return list(pool.map(lambda workload, place: Recording(workload, library, place, size), workloads, places))


def run_part(name, workloads, states, arguments, library, folder):
    """Records and checks the workloads of one part; returns what came of it. A recording with a wrong state is kept."""
    totals, distinct, is_good = collections.Counter(), 0, True
    places = ["%s/%s-%d" % (folder, name, number) for number in range(len(workloads))]
    if arguments.recording:
        places = [arguments.recording]
    recordings = record(workloads, places, arguments.size, library)
    for number, (workload, recording, place) in enumerate(zip(workloads, recordings, places)):
        check = Check(recording, place, arguments.workers)
        check.run(states // len(workloads) + (number < states % len(workloads)), arguments.seed + number)
        print("%s: %d calls, %d promises or beginnings; states %s" % (
            workload.name, len(recording.calls), len(recording.made), dict(check.totals)), flush=True)
        if check.late:
            print("%s: %d launches ran out of time and were tried again" % (workload.name, check.late), flush=True)
        totals += check.totals
        distinct += len(check.seen)
        for drawn, verdict in check.wrong[:3]:
            print("\n".join(explain(check, drawn, verdict)), flush=True)
        for drawn, verdict in check.wrong[3:20]:
            print("WRONG %s: %s" % (drawn.name, describe(verdict)), flush=True)
        is_good = is_good and not check.wrong
        if hasattr(workload, "end"):
            workload.end()
        if check.wrong:
            print("  the recording is kept: --recording %s --workload %s --of %s --seed %d" % (
                place, workload.name, name, arguments.seed + number), flush=True)
        elif not arguments.recording:
            shutil.rmtree(place, ignore_errors=True)
    line = "power-test: of=%s states=%d distinct=%d promised=%d lost=%d doubled=%d reordered=%d unopened=%d" % (
        name, totals["states"], distinct, totals["promised"], totals["lost"] + totals["invented"], totals["doubled"],
        totals["reordered"], totals["unopened"])
    return line, is_good and totals["states"] > 0


def run(arguments, folder):
    library = compile_recorder(folder)
    parts = []
    if "client" in arguments.of:
        parts.append(run_part("client", client_workloads(arguments), arguments.states, arguments, library, folder))
    if "workspace" in arguments.of:
        parts.append(run_part("workspace", workspace_workloads(arguments), arguments.states, arguments,
                              library, folder))
    for line, _ in parts:
        print(line)
    return all(is_good for _, is_good in parts)


def program_parser(documentation):
    """A parser of the options that each of these tests has: the programs, and which of them is tested."""
    parser = argparse.ArgumentParser(description=documentation.splitlines()[0])
    parser.add_argument("--program", required=True, help="the tributary executable")
    parser.add_argument("--probe", required=True, help="the PowerProbe executable")
    parser.add_argument("--of", default="client,workspace", help="client, workspace, or both with a comma")
    return parser


def run_self_test(arguments, folder):
    import planted
    return planted.run(arguments, folder, compile_recorder(folder))


def main():
    parser = program_parser(__doc__)
    parser.add_argument("--states", type=int, default=10000, help="states of each (default: 10000)")
    parser.add_argument("--size", type=int, default=24, help="requests of each connection while recording (default: 24)")
    parser.add_argument("--seed", type=int, default=None, help="repeats the random choices of a run")
    parser.add_argument("--workers", type=int, default=6, help="states that are opened at once (default: 6)")
    parser.add_argument("--workload", help="only this one, as client/together; together with --of")
    parser.add_argument("--recording", help="a recording that was kept, in the place of a new one; with --workload")
    parser.add_argument("--self-test", action="store_true", help="plant faults and see that each is found")
    arguments = parser.parse_args()
    if arguments.seed is None:
        arguments.seed = random.SystemRandom().getrandbits(32)
    if arguments.recording and not arguments.workload:
        parser.error("--recording needs --workload")
    print("seed %d" % arguments.seed, flush=True)
    folder = scratch_folder("power-test-")
    is_good = None
    try:
        is_good = (run_self_test if arguments.self_test else run)(arguments, folder)
        return 0 if is_good else 1
    finally:
        if arguments.self_test or is_good is not False:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
