"""Questions about people over many events: how long the answer takes.

The events arrive on the days of the question: the clock of the server is set back by so many days. The floor reads the columns
that the questions need of all events, one row after the other, and does nothing else.
"""

import http.client
import json
import signal
import sqlite3
import threading
import time
from statistics import median
from urllib.parse import urlencode

import people
from bench import Failed
from growth_group import DAY, LONG, TOKEN, Workspace, later_clock
from promise import AtLeast, AtMost, Benchmark, Measurement, Promise

STEPS = ["Event 1", "Event 2", "Event 3"]
COLUMNS = "SELECT sequence, timestamp, type, name, userId, anonymousId FROM event WHERE source = 1"


def filled(bench, clock):
    """A folder with the events of some days, and the people who did them."""
    folder = bench.new_folder("questions") / "data"
    events, days = bench.events or bench.size["question_events"], bench.size["question_days"]
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


def questions(since):
    """The queries, by the names of their promises."""
    each = {"writeKey": people.KEY, "since": since}
    conditions = [json.dumps({"type": "track", "name": name, "where": ["properties.total>1"]}) for name in STEPS]
    return {
        "question-funnel": ("/api/funnel", each | {"step": STEPS}),
        "question-funnel-where": ("/api/funnel", each | {"step": conditions}),
        "question-retention": ("/api/retention", each | {"first": STEPS[0], "returning": STEPS[1]}),
        "question-breakdown": ("/api/breakdown", each | {"property": "properties.currency", "interval": "day"}),
    }


def check(results):
    """Fails when an answer cannot be right."""
    plain, conditional = results["question-funnel"]["all"], results["question-funnel-where"]["all"]
    if plain != conditional:
        raise Failed("a condition that each event fulfils changes the funnel")
    if plain["people"][0] == 0:
        raise Failed("the first step has no people")
    if results["question-retention"]["all"]["people"] == 0:
        raise Failed("the retention has no people")


def answered(bench, folder, server):
    """The seconds of each question, and of the floor beside them."""
    asked, floors = questions(since(bench)), []
    found = {name: [] for name in asked}
    # The first round fills the memory of the system with the files.
    for number in range(1 + bench.size["question_rounds"]):
        floor = columns(folder)
        rounds = {name: ask(server, *question) for name, question in asked.items()}
        check({name: result for name, (_, result) in rounds.items()})
        if number > 0:
            floors.append(floor)
            for name, (seconds, _) in rounds.items():
                found[name].append(seconds)
    return {name: Measurement(median(runs), median(floors), floors=floors) for name, runs in found.items()}


def stored(bench, server, crowd):
    """Events a second, from the first request until all are stored."""
    count = bench.size["question_ingest"][1]
    began = time.monotonic()
    people.Sending(server.address, crowd, count).run()
    server.store()
    return count / (time.monotonic() - began)


def stored_while_asking(bench, server, crowd):
    """The same while funnels are asked, one after the other."""
    ended, failures = threading.Event(), []
    question = questions(since(bench))["question-funnel"]

    def keep_asking():
        try:
            while not ended.is_set():
                ask(server, *question)
        except (Failed, OSError, http.client.HTTPException) as error:
            failures.append(error)

    asking = threading.Thread(target=keep_asking)
    asking.start()
    try:
        return stored(bench, server, crowd)
    finally:
        ended.set()
        asking.join()
        if failures:
            raise Failed(f"a funnel beside storing: {failures[0]}")


def ingest(bench, server):
    """The rate of storing while funnels are asked for, as a share of that without. Rounds take turns, because other work
    of the machine changes with time."""
    crowd = people.People(1000, seed=1)
    alone, beside = [], []
    for _ in range(bench.size["question_ingest"][0]):
        alone.append(stored(bench, server, crowd))
        beside.append(stored_while_asking(bench, server, crowd))
    details = {"alone": median(alone), "beside": median(beside)}
    return Measurement(details["beside"] / details["alone"] * 100, details=details)


def run(bench):
    clock = later_clock(bench.new_folder("clock"))
    folder = filled(bench, clock)
    with Workspace(bench, folder, clock) as server:
        server.settle()
        measurements = answered(bench, folder, server)
        measurements["question-ingest"] = ingest(bench, server)
        server.end(signal.SIGTERM)
    return measurements


BENCHMARKS = [
    Benchmark([
        Promise("question-funnel", "s", AtMost(2), "a funnel of three steps over 30 days with a million events; the floor reads "
                "the columns of all events"),
        Promise("question-funnel-where", "s", AtMost(2), "the same with a condition at each step, for which the texts of its "
                "events are read"),
        Promise("question-retention", "s", AtMost(2), "who comes back, by the day, over the same events"),
        Promise("question-breakdown", "s", AtMost(8), "the same events, counted by a property for each day"),
        Promise("question-ingest", "%", AtLeast(90), "rate of storing events while funnels are asked for, of that without"),
    ], run),
]
