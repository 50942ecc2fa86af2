"""Plants faults and looks whether the test finds each of them."""

import client
import workspace
from power import Check, Recording, WRONGS, describe
from recording import Call

# Enough of them that a fault that shows in few states is found.
STATES = 250


class Fault:
    """A fault, and the recording that has it."""

    def __init__(self, name, part, environment=None, change=None):
        self.name, self.part = name, part
        # For the recorder; what is done with the recorded calls.
        self.environment = environment or {}
        self.change = change


def without_syncs_of_logs(calls, paths):
    """What SQLite does with `synchronous=NORMAL`: a commit does not wait for its log."""
    left_out = {call.a for call in calls if call.kind == "b" and paths.get((call.index)).endswith("-wal")}
    return [call for call in calls if not (call.kind in "bef" and call.a in left_out)]


def without_syncs_of_outboxes(calls, paths):
    left_out = {call.a for call in calls if call.kind == "b" and "/outbox/" in paths.get(call.index)}
    return [call for call in calls if not (call.kind in "bef" and call.a in left_out)]


def with_early_deletions(calls, paths):
    """Files of the journal are deleted before the mark that gives them up is written."""
    result = list(calls)
    for index, call in enumerate(calls):
        if call.kind != "u" or not call.path.endswith(".tjl") or "spare" in call.path:
            continue
        folder = call.path.rsplit("/", 1)[0]
        # The mark that came last before the deletion.
        marks = [place for place in range(index) if calls[place].kind in "ow" and "/mark" in paths[calls[place].index]
                 and paths[calls[place].index].startswith(folder + "/")]
        if marks:
            begin = max(place for place in marks if calls[place].kind == "o")
            result.remove(call)
            result.insert(result.index(calls[begin]), call)
            # That the names were synced is a part of the fault.
            sync = folder_sync(folder, call)
            place = result.index(call) + 1
            result[place:place] = sync
    return result


def folder_sync(folder, near):
    number = -near.index - 1
    return [Call(near.index, -1, -1, "o", 4, folder, "", b"", 0, 0), Call(near.index, -1, -1, "b", 0, "", "", b"", number, 0),
            Call(near.index, -1, -1, "e", 0, "", "", b"", number, 0), Call(near.index, -1, -1, "c", 0, "", "", b"", 0, 0)]


FAULTS = [
    Fault("the client's inbox is not synced", "events", {"POWER_SKIP": "sync:/inbox/"}),
    Fault("the inbox is given up before the outbox is synced", "events", {"POWER_SKIP": "sync:/outbox/"}),
    Fault("the inbox is given up before a timer has brought the outbox to the medium", "interval",
          change=without_syncs_of_outboxes),
    Fault("a rename without a sync of its folder", "events", {"POWER_SKIP": "folder:/inbox"}),
    Fault("a decision without a sync of its folder", "consent", {"POWER_SKIP": "folder:/KEY$"}),
    Fault("the workspace's journal is not synced", "workspace", {"POWER_SKIP": "sync:/journal/"}),
    Fault("a segment's name is not synced", "workspace", {"POWER_SKIP": "folder:/journal"}),
    Fault("synchronous=NORMAL", "workspace", change=without_syncs_of_logs),
    Fault("a mark after its deletion", "purge", change=with_early_deletions),
]


def paths_of(calls):
    """The path of each call, also of those by descriptor."""
    names, paths = {}, {}
    for call in calls:
        if call.kind == "o":
            names[call.pid, call.fd] = call.path
        elif call.kind == "d":
            names[call.pid, call.a] = names.get((call.pid, call.fd), "")
        paths[call.index] = call.path or names.get((call.pid, call.fd), "")
    return paths


def plant(fault, recording):
    """Changes a recording. What was promised when the program was sound is promised now."""
    before = list(recording.calls)
    recording.calls = fault.change(before, paths_of(before))
    places = {id(call): place for place, call in enumerate(recording.calls)}
    # A call that is left out stands where the next one is.
    now, place = [], len(recording.calls)
    for call in reversed(before):
        place = places.get(id(call), place)
        now.append(place)
    now.reverse()
    recording.made = [(now[index], *rest) for index, *rest in recording.made]
    for index, call in enumerate(recording.calls):
        call.index = index


def run(arguments, folder, library):
    found = 0
    for number, fault in enumerate(FAULTS):
        of_workspace = fault.part == "workspace"
        workload = workspace.Workload(arguments.program) if of_workspace else client.Workload(
            arguments.probe, fault.part)
        place = "%s/fault-%d" % (folder, number)
        recording = Recording(workload, library, place, arguments.size, fault.environment)
        if fault.change:
            plant(fault, recording)
        check = Check(recording, place, arguments.workers)
        check.run(STATES, arguments.seed, most_wrong=1)
        is_found = any(check.totals[word] for word in WRONGS)
        found += is_found
        print("%s: %s" % (fault.name, "found after %d states: %s" % (
            check.totals["states"], describe(check.wrong[0][1])[:150]) if is_found else "NOT FOUND"), flush=True)
        if hasattr(workload, "end"):
            workload.end()
    print("power-test: planted=%d found=%d" % (len(FAULTS), found))
    return found == len(FAULTS)
