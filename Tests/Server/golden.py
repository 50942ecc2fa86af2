"""Golden folders: what each version wrote, and what every later version has to find in it.

`Tests/Golden/VERSION` has archives and `expected.json`, the lists that the program of that version read from them.
`golden_make.py` makes such a folder, and `golden_test.py` opens all of them. A list is compared by named members only, so that a
later version may add members to its answers.
"""

import datetime
import hashlib
import json
import shutil
import signal
import subprocess
import tarfile
import time
import urllib.parse
from pathlib import Path

from server import TOKEN, Server

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "Tests/Golden"
CLOCK = ROOT / "Benchmarks/driver/later_clock.c"
# The days on which the content comes. The first one is deleted by the retention on the third.
DAYS = [datetime.datetime(2026, 11, day, 9, tzinfo=datetime.timezone.utc) for day in (22, 23, 24, 25)]
# A start on the last day lets no day go and calls no destination.
OPTIONS = ["--retain-days", "1", "--without-forwarding"]
# Sources by the keys that they were made with. The server makes the first one at its start.
SOURCES = ["WK", "app-key"]


def build_clock(folder):
    """A library that moves the clock of a program; None without a C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    library = Path(folder, "later_clock.so")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, CLOCK, "-ldl"], check=True)
    return library


def at(clock, moment):
    """What a command line begins with, so that the clock of its program stands at that moment."""
    ahead = round(moment.timestamp() - time.time())
    return ["env", f"LD_PRELOAD={clock}", f"CLOCK_AHEAD={ahead}"]


def pack(folder, archive):
    """The content of a folder as an archive; `lock` files are made by each start."""
    def plain(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        return None if Path(entry.name).name == "lock" else entry

    with tarfile.open(archive, "w:gz", compresslevel=9) as file:
        for path in sorted(Path(folder).rglob("*")):
            file.add(path, path.relative_to(folder), recursive=False, filter=plain)


def unpack(archive, folder):
    """The folder of an archive, which only its owner may read."""
    folder = Path(folder)
    folder.mkdir(mode=0o700)
    with tarfile.open(archive) as file:
        file.extractall(folder, **({"filter": "tar"} if hasattr(tarfile, "tar_filter") else {}))
    return str(folder)


# Lists


def digest(value):
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def summary(lists):
    """For each list how many entries it has, and a digest of them."""
    return {name: {"count": len(entries), "digest": digest(entries)} for name, entries in lists.items()}


def exact(text):
    """JSON in which a number with a fraction keeps its text."""
    return json.loads(text, parse_float=lambda number: "number " + number)


def named(entry, *names):
    return {name: entry.get(name) for name in names}


class Reader:
    """Reads the lists of a workspace through its API."""

    def __init__(self, server):
        self.server = server

    def get(self, path):
        status, text = self.server.send("GET", path)
        if status != 200:
            raise AssertionError(f"{path} is answered {status}: {text[:300]}")
        return exact(text)

    def pages(self, path, name, *members, query="order=asc&limit=500"):
        rows, after = [], None
        while True:
            page = self.get(f"{path}?{query}" + ("" if after is None else f"&after={after}"))
            rows += [named(row, *members) if members else row for row in page[name]]
            after = page["next"]
            if after is None:
                return rows

    def events(self):
        rows = self.pages("/api/events", "events", "sequence", "writeKey", "messageId", "type", "name", "userId", "anonymousId",
                          "timestamp", "originalTimestamp", "sentAt", "receivedAt", "timeProblem", "event")
        return sorted(rows, key=lambda row: (row["writeKey"], row["messageId"]))

    def stages(self, events):
        """What devices reported about the way of events."""
        found = []
        for row in events:
            if row["messageId"].startswith("traced-"):
                event = self.get("/api/events/" + urllib.parse.quote(row["messageId"], safe=""))
                found.append(named(event, "messageId", "trackedAt", "stages"))
        return found

    def of_each_source(self, make):
        return {key: make(f"/api/sources/{key}") for key in SOURCES}

    def destinations(self):
        rows = []
        for key in SOURCES:
            for row in self.get(f"/api/sources/{key}/destinations")["destinations"]:
                # What a destination is waiting for at the moment depends on who else runs.
                rows.append({"source": key} | named(
                    row, "name", "kind", "enabled", "settings", "categories", "createdAt", "delivered", "skipped", "withheld",
                    "held", "retrying", "deadLetters", "waiting", "waitingSince"))
        return rows

    def of_destinations(self, kind, name, *members):
        rows = []
        for key in SOURCES:
            for row in self.get(f"/api/sources/{key}/destinations")["destinations"]:
                place = f"/api/sources/{key}/destinations/{urllib.parse.quote(row['name'], safe='')}/{kind}"
                rows += [{"destination": row["name"]} | entry for entry in self.pages(place, name, *members, query="limit=100")]
        return rows

    def bundles(self, source):
        """The versions of live plugins, with the text that a device loads."""
        key = source.rsplit("/", 1)[1]
        rows = self.get(source + "/live-plugins")
        versions = []
        for row in rows["versions"]:
            status, text = self.server.send("GET", f"/v1/projects/{key}/live-plugins/{row['version']}.js")
            versions.append(named(row, "version", "sha256", "bytes", "deployedAt", "percentage", "signature")
                            | {"text": text.decode() if status == 200 else status})
        return [named(rows, "current", "forAll"), *versions]

    def filters(self, source):
        rows = self.get(source + "/filters/versions")
        versions = [
            named(row, "version", "sha256", "rules", "deployedAt", "percentage", "contentOf")
            | {"text": self.get(f"{source}/filters?version={row['version']}")} for row in rows["versions"]]
        return [named(rows, "current", "forAll"), *versions]

    def rollouts(self):
        """Each roll-out with its plan, without the time that goes on."""
        rows = []
        for key in SOURCES:
            for kind in ("live-plugins", "filters"):
                rollout = self.get(f"/api/sources/{key}/{kind}/rollout")["rollout"]
                if rollout:
                    rows.append({"source": key} | named(
                        rollout, "kind", "version", "previous", "state", "reason", "stage", "percentage", "startedAt", "plan"))
        return rows

    def health(self):
        health = self.get("/api/live-plugins/health?writeKey=WK&hours=720")
        return [named(health, "versions", "filters", "delivery", "destinations")]

    def retention(self):
        return [named(self.get("/api/server"), "retainDays", "endangeredDays", "missingDays")]

    def audit(self, through):
        """The changes up to an entry: later ones are of the programs that open the folder."""
        rows, before = [], None
        while True:
            page = self.get("/api/audit?limit=500" + ("" if before is None else f"&before={before}"))
            rows += [named(row, "sequence", "at", "by", "token", "action", "writeKey", "details") for row in page["entries"]]
            before = page["next"]
            if before is None:
                return [row for row in reversed(rows) if through is None or row["sequence"] <= through]

    def lists(self, audit_through=None):
        """Everything that the workspace holds, after all acknowledged requests are stored."""
        self.server.settle()
        events = self.events()
        sources = self.get("/api/sources")["sources"]
        return {
            "events": events,
            "stages": self.stages(events),
            "drops": self.pages("/api/drops", "drops"),
            "signals": self.pages("/api/signals", "signals", "sequence", "writeKey", "receivedAt", "signal"),
            "rejected": self.pages(
                "/api/rejected", "rejected", "sequence", "writeKey", "messageId", "code", "reason", "receivedAt", "event"),
            "sources": [named(row, "writeKey", "name", "createdAt", "livePlugins", "filters", "integrations", "plannedEvents")
                        | {"policy": of_then(row["policy"])} for row in sources],
            "keys": [named(key, "key", "name", "createdAt", "revokedAt") for row in sources for key in row["keys"]],
            "plans": [self.of_each_source(lambda source: self.get(source + "/plan"))],
            "bundles": [self.of_each_source(self.bundles)],
            "filters": [self.of_each_source(self.filters)],
            "rollouts": self.rollouts(),
            "health": self.health(),
            "destinations": self.destinations(),
            "function versions": self.get("/api/sources/app-key/function/versions")["versions"],
            "replays": [self.get(f"/api/sources/{SOURCES[0]}/destinations/Off/replay")],
            "dead letters": self.of_destinations(
                "dead-letters", "deadLetters", "sequence", "messageId", "reason", "attempts", "since", "at"),
            "deletions": self.of_destinations("deletions", "deletions", "id", "digest", "state", "attempts", "answer", "at"),
            "suppressions": self.pages(
                "/api/suppressions", "suppressions", "digest", "kind", "suppressed", "erasedThrough", "reason", "by", "at",
                query="limit=100"),
            "tokens": [named(row, "name", "role", "createdAt") for row in self.get("/api/tokens")["tokens"]],
            "alerts": [named(row, "name", "kind", "writeKey", "event", "minutes", "to", "url", "updatedAt")
                       for row in self.get("/api/alerts")["rules"]],
            "views": [named(row, "name", "place", "query", "link", "board", "owner", "createdAt", "updatedAt")
                      for row in self.get("/api/views")["views"]],
            "audit": self.audit(audit_through),
            "figures": [named(self.get(f"/api/stats?writeKey={key}"), "stored", "duplicates", "rejected", "tracedDrops", "byType")
                        for key in SOURCES],
            "retention": self.retention(),
        }


def of_then(policy):
    """A policy without the defaults of members that the first folders do not know."""
    later = [("country", "auto"), ("personal", []), ("timeZone", "UTC")]
    return {name: value for name, value in policy.items() if (name, value) not in later}


def read(program, folder, clock, audit_through=None):
    """The lists of a data folder, by a start on its last day."""
    with Server(program, folder, prefix=at(clock, DAYS[-1] + datetime.timedelta(hours=2)), options=OPTIONS) as server:
        lists = Reader(server).lists(audit_through)
        server.end(signal.SIGTERM)
    return lists


def command(program, *arguments, server=None):
    """A command of the program; its output."""
    address = ["--server", server.url] if server else []
    run = subprocess.run([program, *arguments, *address], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
                         env={"PATH": "/usr/bin:/bin", "TRIBUTARY_ADMIN_TOKEN": TOKEN})
    if run.returncode != 0:
        raise AssertionError(f"{' '.join(arguments)} ends with {run.returncode}: {run.stdout}{run.stderr}")
    return run.stdout


def config_files(folder):
    """The files of `config export`, by their names."""
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(Path(folder).rglob("*")) if path.is_file()}
