"""Questions about people over many events: how long the answer takes.

The events arrive on the days of the question: the clock of the server is set back by so many days. The floor reads the columns
that the questions need of all events, one row after the other, and does nothing else.
"""

import http.client
import json
import signal
import sqlite3
import time
from statistics import median
from urllib.parse import urlencode

import people
from bench import Failed
from growth_group import DAY, LONG, TOKEN, Workspace, later_clock
from promise import AtMost, Benchmark, Measurement, Promise

STEPS = ["Event 1", "Event 2", "Event 3"]
COLUMNS = "SELECT sequence, timestamp, type, name, userId, anonymousId FROM event WHERE source = 1"


def filled(bench, clock):
    """A folder with the events of some days, and the people who did them."""
    folder = bench.new_folder("questions") / "data"
    events, days = bench.size["question_events"], bench.size["question_days"]
    crowd = people.People(max(20, events // 50), seed=events)
    for days_ago in range(days - 1, -1, -1):
        with Workspace(bench, folder, clock, days_ago) as server:
            people.Sending(server.address, crowd, events // days).run()
            server.store()
            server.end(signal.SIGTERM)
        bench.log(f"the day {days_ago} days ago is filled")
    return folder


def ask(server, path, query):
    """Seconds until the result of a search is there, and the result."""
    connection = http.client.HTTPConnection(server.address, timeout=LONG)
    began = time.monotonic()
    try:
        connection.request("GET", f"{path}?{urlencode(query, doseq=True)}", headers={"Authorization": f"Bearer {TOKEN}"})
        answer = connection.getresponse()
        lines = answer.read().splitlines()
        took = time.monotonic() - began
        result = json.loads(lines[-1]).get("result") if answer.status == 200 else None
        if result is None:
            raise Failed(f"{path} has no result: status {answer.status}, {lines[-1][-300:]}")
        return took, result
    finally:
        connection.close()


def columns(folder):
    """Seconds in which the columns of all events are read."""
    began = time.monotonic()
    for day in sorted((folder / "days").glob("*.sqlite")):
        database = sqlite3.connect(f"file:{day}?mode=ro", uri=True)
        try:
            for _ in database.execute(COLUMNS):
                pass
        finally:
            database.close()
    return time.monotonic() - began


def since(bench):
    return time.strftime("%Y-%m-%d", time.gmtime(time.time() - (bench.size["question_days"] - 1) * DAY))


def funnels(bench):
    clock = later_clock(bench.new_folder("clock"))
    folder = filled(bench, clock)
    query = {"writeKey": people.KEY, "since": since(bench)}
    conditions = [json.dumps({"type": "track", "name": name, "where": ["properties.total>1"]}) for name in STEPS]
    questions = {"question-funnel": STEPS, "question-funnel-where": conditions}
    found, floors = {name: [] for name in questions}, []
    with Workspace(bench, folder, clock) as server:
        server.settle()
        # The first round fills the memory of the system with the files.
        for number in range(1 + bench.size["question_rounds"]):
            floor = columns(folder)
            rounds = {name: ask(server, "/api/funnel", query | {"step": steps}) for name, steps in questions.items()}
            if len({json.dumps(result["all"]) for _, result in rounds.values()}) > 1:
                raise Failed("a condition that each event fulfils changes the funnel")
            if rounds["question-funnel"][1]["all"]["people"][0] == 0:
                raise Failed("the first step has no people")
            if number > 0:
                floors.append(floor)
                for name, (seconds, _) in rounds.items():
                    found[name].append(seconds)
    return {name: Measurement(median(runs), median(floors), floors=floors) for name, runs in found.items()}


BENCHMARKS = [
    Benchmark([
        Promise("question-funnel", "s", AtMost(2), "a funnel of three steps over 30 days with a million events; the floor reads "
                "the columns of all events"),
        Promise("question-funnel-where", "s", AtMost(2), "the same with a condition at each step, for which the texts of its "
                "events are read"),
    ], funnels),
]
