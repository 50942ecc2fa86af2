#!/usr/bin/env python3
"""Makes the golden folder of the present version: scripts/golden explains it.

The content is the same at each run, but for what programs make by chance: ids of sources, secrets, digests with a secret.
"""

import argparse
import contextlib
import datetime
import gzip
import http.client
import http.server
import json
import os
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from golden import (  # noqa: E402
    DAYS, GOLDEN, Reader, at, build_clock, command, config_files, digest, pack, read, summary, unpack)
from server import KEY, PATIENCE, TOKEN, Server  # noqa: E402

PLUGIN = """class Stamp extends LivePlugin {
  constructor() { super(LivePluginType.before, null); }
  track(event) { event.properties = {...event.properties, golden: VERSION}; return event; }
}
analytics.add(new Stamp());
"""
RULE = {"name": "no test orders", "destinationName": "Segment.io", "transformers": [[{"type": "drop"}]],
        "matchers": [{"type": "fql", "ir": '["=", "event", {"value": "Test"}]'}]}


def until(holds, what):
    """Waits until something holds."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > deadline:
            raise SystemExit(f"golden: {what} does not come")
        time.sleep(0.05)


class Answers:
    """A server with answers of a function, which gets method, path and body and returns status and body."""

    def __init__(self, decide):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, text = decide(self, body)
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PUT = answer

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        # A client that is killed ends its connections.
        self.server.handle_error = lambda *_: None
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def receive(request, body):
    """What the destinations of the golden workspace answer."""
    if request.path.startswith("/hook"):
        return (422, b"no such event") if b'"Refused"' in body else (200, b"")
    if request.path.startswith("/down"):
        return 503, b""
    return 403, b"<Error><Code>AccessDenied</Code></Error>"


# The workspace


class Content:
    """What is sent to the workspace on its four days."""

    def __init__(self, program, folder, clock):
        self.program, self.folder, self.clock = program, folder, clock
        self.data = folder + "/data"
        self.acknowledged = []
        self.server = None

    @contextlib.contextmanager
    def day(self, number, *options):
        self.today = number
        files = self.folder + "/files"
        os.makedirs(files, exist_ok=True)
        self.server = Server(self.program, self.data, prefix=at(self.clock, DAYS[number]),
                             options=["--files-folder", files, *options])
        with self.server:
            yield
            if self.server.process.poll() is None:
                self.server.settle()
                self.server.end(signal.SIGTERM)

    def call(self, method, path, body=None, headers=None, status=(200, 201)):
        text = body if body is None or isinstance(body, (bytes, str)) else json.dumps(body)
        found, answer = self.server.send(method, path, text, headers)
        if found not in (status if isinstance(status, tuple) else (status,)):
            raise SystemExit(f"golden: {method} {path} is answered {found}: {answer[:300]}")
        return answer

    def event(self, label, kind="track", /, **members):
        moment = DAYS[self.today] + datetime.timedelta(seconds=len(self.acknowledged))
        base = {"type": kind, "messageId": f"{label}-{self.today}", "anonymousId": "a-1", "userId": "u-1",
                "timestamp": moment.strftime("%Y-%m-%dT%H:%M:%S.250Z"),
                "context": {"ip": "203.0.113.77", "library": {"name": "golden", "version": "1"}}}
        return base | ({"event": label} if kind == "track" else {}) | members

    def send(self, *events, key=KEY, stays=True, compressed=False):
        body = json.dumps({"batch": events, "writeKey": key, "sentAt": DAYS[self.today].strftime("%Y-%m-%dT%H:%M:%S.000Z")})
        headers = {"Content-Encoding": "gzip"} if compressed else {}
        self.call("POST", "/v1/b", gzip.compress(body.encode(), mtime=0) if compressed else body, headers)
        if stays:
            self.acknowledged += [event["messageId"] for event in events]

    # Days

    def first_day(self):
        """A day of which nothing is left later."""
        with self.day(0):
            self.send(self.event("gone"), self.event("gone too"), stays=False)

    def second_day(self, receiver):
        with self.day(1):
            self.make_sources()
            self.make_settings()
            self.make_destinations(receiver)
            self.send_types()
            self.send(self.event("Erased", userId="u-erased", anonymousId="a-erased"), stays=False)
            self.send_beside()
            self.until_delivered()

    def third_day(self, receiver):
        with self.day(2, "--retain-days", "1", "--confirm-retain-days", "1"):
            until(lambda: not any(name.startswith("gone") for name in self.server.ids()), "the end of the first day")
            self.call("PUT", "/api/suppressions?userId=u-suppressed", {"reason": "asked by letter"})
            self.call("PUT", "/api/suppressions?anonymousId=a-suppressed", {"reason": ""})
            self.call("DELETE", "/api/suppressions?anonymousId=a-unknown", status=(200, 404))
            self.send(self.event("Hidden", userId="u-suppressed"), self.event("Hidden device", userId=None, anonymousId="a-suppressed"),
                      stays=False)
            while b'"events"' not in self.call("DELETE", "/api/users?userId=u-erased", status=(200, 202)):
                pass
            # Its destination is off, so it hands nothing over.
            replay = f"/api/sources/{KEY}/destinations/Off/replay"
            self.call("POST", replay + "?name=Order%20Completed&where=properties.total%3E10&rate=5", status=(201,))
            self.call("POST", replay + "/pause")
            self.send_types()
            self.roll_out()
            self.until_delivered()

    def fourth_day(self):
        """A lower retention waits, and requests wait in the journal when the process is killed."""
        with self.day(3):
            self.send_types()
        with self.day(3, "--retain-days", "1"):
            until(lambda: self.server.get("/api/server")["endangeredDays"], "the note of the retention")
            self.until_delivered()
            self.server.settle()
            day = sqlite3.connect(f"{self.data}/days/{DAYS[3]:%Y-%m-%d}.sqlite", isolation_level=None)
            # Nothing can be stored meanwhile.
            day.execute("BEGIN IMMEDIATE")
            self.send(*[self.event(f"waiting {number}") for number in range(20)])
            self.send(*[self.event(f"compressed {number}") for number in range(20)], compressed=True)
            self.send(self.event("of the app"), key="app-key")
            self.send(self.event("under the other key"), key="WK-2")
            self.send(self.event("Hidden", userId="u-suppressed"), stays=False)
            self.send_beside(9)
            waiting = self.server.get("/v1/ready")["waitingRequests"]
            self.server.end(signal.SIGKILL)
            # Closing a database removes its log, and a killed process leaves it.
            shutil.copytree(self.data, self.folder + "/killed")
            day.execute("ROLLBACK")
            day.close()
            if waiting < 6:
                raise SystemExit(f"golden: only {waiting} requests wait")
            return waiting

    # Parts

    def make_sources(self):
        self.call("PUT", f"/api/sources/{KEY}", {"name": "Shop"})
        for key, name in (("app-key", "App 🙂 \"quoted\""), ("removed", "Removed")):
            self.call("POST", "/api/sources", {"writeKey": key, "name": name})
        self.call("DELETE", "/api/sources/removed")
        for key, name in (("WK-2", "app 3"), ("WK-3", "lost")):
            self.call("POST", f"/api/sources/{KEY}/keys", {"key": key, "name": name})
        self.call("DELETE", f"/api/sources/{KEY}/keys/WK-3")
        for role in ("look", "deploy", "administer"):
            self.call("POST", "/api/tokens", {"name": f"who may {role}", "role": role})
        self.call("PUT", "/api/alerts/no%20orders", {
            "kind": "silence", "writeKey": KEY, "event": "Order 🙂", "minutes": 10_080, "to": "slack",
            "url": "http://127.0.0.1:9/hook?secret=x"})
        self.call("PUT", "/api/views/by%20type", {"place": "explore", "query": "by=type&where=event%3D%F0%9F%8D%8B", "board": 1})

    def make_settings(self):
        source = f"/api/sources/{KEY}"
        self.call("PUT", source + "/integrations", {
            "Amplitude": {"apiKey": "a", "nested": {"list": [1, 2.5, None, True], "text": "Kraków"}}, "Firebase": {}})
        self.call("PUT", source + "/policy", {
            "quota": {"eventsPerDay": 1_000_000, "requestsPerSecond": 5_000}, "ip": "truncate",
            "signals": {"sampleRate": 0.5, "sources": {"network": {"enabled": False}}}, "healthReports": {"sampleRate": 1}})
        self.call("PUT", "/api/sources/app-key/policy", {"consent": {"unsaid": "hold", "gpcRefuses": ["marketing"]}})
        self.call("PUT", source + "/plan", {"unplanned": "block", "events": [
            {"type": "track", "name": "Order Completed", "description": "an order", "properties": [
                {"key": "total", "type": "number", "required": True, "description": "in euros"}, {"key": "coupon", "type": None}]},
            {"type": "track", "name": "Test", "blocked": True}, {"type": "identify", "properties": [{"key": "plan"}]}]})
        self.call("PUT", source + "/filters", [RULE])
        self.call("PUT", "/api/sources/app-key/filters", [RULE | {"name": "of the app"}])
        for version in (1, 2):
            self.deploy(KEY, version)
        self.deploy("app-key", 1)
        self.call("DELETE", "/api/sources/app-key/live-plugins")
        hook = """class Hook extends Source {
          static settings = { name: { default: "Kraków" } };
          static verification = { scheme: "none" };
          onRequest(request, settings) { return null; }
        }"""
        for name in ("one", "two"):
            self.call("PUT", "/api/sources/app-key/function", {"code": hook, "settings": {"name": name}})

    def deploy(self, key, version, query=""):
        # The events are those of no client that runs live plugins.
        query += ("&" if query else "?") + "where=device"
        self.call("PUT", f"/api/sources/{key}/live-plugins{query}", PLUGIN.replace("VERSION", str(version)),
                  {"Content-Type": "text/javascript"})

    def make_destinations(self, receiver):
        def put(source, name, body):
            self.call("PUT", f"/api/sources/{source}/destinations/{urllib.parse.quote(name, safe='')}", body)

        put(KEY, "Häuser & Höfe?", {"kind": "webhook", "from": "start", "settings": {
            "url": receiver.url + "/hook", "headers": {"Authorization": "Bearer abc"}, "deletions": True}})
        put(KEY, "Down", {"kind": "webhook", "settings": {"url": receiver.url + "/down", "batchEvents": 10, "parallelRequests": 2}})
        put(KEY, "Off", {"kind": "webhook", "from": "start", "enabled": False, "settings": {"url": "https://receiver.example.com/"}})
        put(KEY, "Archive", {"kind": "files", "settings": {}})
        put(KEY, "Lake", {"kind": "s3", "secret": "the-secret-of-the-lake", "settings": {
            "endpoint": receiver.url, "bucket": "shop-events", "accessKey": "AKIAIOSFODNN7EXAMPLE", "prefix": "raw"}})
        put("app-key", "Ads", {"kind": "webhook", "categories": ["marketing"], "settings": {"url": receiver.url + "/hook"}})

    def send_types(self):
        """An event of each type, and events that are hard to keep."""
        self.send(
            self.event("Order Completed", properties={"total": 42.5, "large": 12345678901234567890, "list": [1, {"a": None}]}),
            self.event("identify", "identify", traits={"plan": "pro", "name": "Zoë"}),
            self.event("page", "page", name="Home", category="Shop"), self.event("screen", "screen", name="Start"),
            self.event("group", "group", groupId="g-1", traits={"seats": 3}), self.event("alias", "alias", previousId="a-0"),
            self.event("Refused", userId="u-2"), self.event("Test"), self.event("traced"),
            self.event("without a user", userId=None, anonymousId="a-9"),
            self.event("Nul\x00 and ünïcödé 🙂 / \"quoted\" \\"), self.event("unreadable time", timestamp="yesterday"),
            self.event("for all but one", integrations={"All": True, "Down": False}))
        self.send(self.event("Order Completed"), stays=False)
        self.send(
            self.event("app allows", context={"consent": {"categoryPreferences": {"marketing": True}}}),
            self.event("app refuses", context={"consent": {"categoryPreferences": {"marketing": False}}}),
            self.event("app says nothing"), key="app-key")

    def send_beside(self, first=0):
        """Signals, traces, and what is rejected."""
        moment = DAYS[self.today].strftime("%Y-%m-%dT%H:%M:%S.000Z")
        self.call("POST", f"/v1/signals?writeKey={KEY}", [
            {"anonymousId": "a-1", "type": kind, "index": first + index, "timestamp": moment, "data": {"title": "Buy"}}
            for index, kind in enumerate(("interaction", "navigation", "network"))])
        self.call("POST", "/v1/traces", {"writeKey": KEY, "traces": [
            {"messageId": f"traced-{self.today}", "type": "track", "event": "traced", "userId": "u-1", "trackedAt": moment,
             "outcome": "sent", "stages": [{"stage": "enrichment", "plugin": "P", "outcome": "changed"}]},
            {"messageId": f"dropped-{self.today}", "type": "track", "event": "Dropped", "userId": "u-1", "trackedAt": moment,
             "outcome": "dropped", "droppedBy": {"stage": "before", "plugin": "P"},
             "stages": [{"stage": "before", "plugin": "P", "outcome": "dropped"}]}]})
        self.call("POST", "/v1/b", {"writeKey": KEY, "batch": [7, {"type": "dance", "messageId": f"dance-{self.today}"}]})

    def roll_out(self):
        """Live plugins and filters are under way, and some devices have reported; too few to decide anything."""
        self.deploy(KEY, 3, "?stages=10,50,100&holdSeconds=3600")
        self.call("PUT", f"/api/sources/{KEY}/filters?stages=20,100&minimumDevices=50", [RULE, RULE | {"name": "second"}])
        for device in range(6):
            version = str(2 + device % 2)
            self.call("POST", "/v1/health-reports", {
                "writeKey": KEY, "instanceId": f"95dc374f-e484-4dc1-ab44-abb12c69690{device}", "number": 1, "seconds": 610,
                "library": "0.1.0", "delivery": {"tracked": 64, "uploaded": 60, "waiting": 4},
                "versions": [{"version": version, "events": 65, "faulty": 3, "dropped": 1, "made": 1, "microseconds": 20150,
                              "times": [0, 41, 20, 4, 0, 0, 0, 0],
                              "plugins": [{"name": "Stamp", "seen": 65, "changed": 2, "dropped": 1, "faults": 3, "fault": {
                                  "message": "no price", "file": "livePlugin.js", "line": 4, "event": "Order Completed"}}]}],
                "filters": [{"version": version, "destinations": [{"key": "Segment.io", "events": 64, "dropped": 4}]}],
                "destinations": [{"key": "Amplitude", "delivered": 60, "filtered": 4}]})

    def until_delivered(self):
        """Waits until each destination has sent its events or waits for a later try."""
        def is_done():
            rows = {row["name"]: row for key in (KEY, "app-key")
                    for row in self.server.get(f"/api/sources/{key}/destinations")["destinations"]}
            hook = rows["Häuser & Höfe?"]
            return (hook["waiting"] == 0 and hook["deadLetters"] == self.today and rows["Archive"]["waiting"] == 0
                    and rows["Ads"]["waiting"] == 0 and rows["Ads"]["held"] == self.today
                    and rows["Down"]["state"] == "waiting" and rows["Lake"]["waiting"] > 0)
        until(is_done, "the delivery")


def message_file(number, day, entries):
    """A file of message ids as the server writes it (MessageFile): head, entries, first keys of groups, filter.

    - day: days since 1970.
    - entries: 32 bytes each.
    """
    keys = [struct.unpack_from("<QQ", entry) for entry in entries]
    order = sorted(range(len(entries)), key=lambda index: (keys[index], struct.unpack_from("<q", entries[index], 16)))
    body = b"".join(entries[index] for index in order)
    groups = b"".join(struct.pack("<Q", keys[index][0]) for index in order[::128])
    blocks = max(1, (len(entries) * 12 + 511) // 512)
    words = [0] * (blocks * 8)
    for high, low in keys:
        start = (low * blocks >> 64) * 8
        for probe in range(7):
            bits = high >> 9 * probe
            words[start + (bits >> 6 & 7)] |= 1 << (bits & 63)
    tail = groups + struct.pack(f"<{len(words)}Q", *words)
    head = b"TRBIDS01" + struct.pack(
        "<qqQQQQ", number, day, len(entries), blocks, zlib.crc32(body), zlib.crc32(tail))
    return head + struct.pack("<Q", zlib.crc32(head)) + body + tail


def move_messages(data):
    """Moves the newest message ids into files, a file for each day. A server does that at 65,536 ids, which is too many for a small
    folder; by this, the folder has that format as well. The next start compares the checksums."""
    with contextlib.closing(sqlite3.connect(data + "/workspace.sqlite")) as database:
        days = {}
        for day, blob in database.execute("SELECT day, entries FROM recentMessages ORDER BY id"):
            days.setdefault(day, []).extend(blob[start:start + 32] for start in range(0, len(blob), 32))
        for number, (day, entries) in enumerate(sorted(days.items()), 1):
            path = Path(data, "messages", f"{number}.ids")
            path.write_bytes(message_file(number, day, entries))
            path.chmod(0o600)
            name = datetime.date(1970, 1, 1) + datetime.timedelta(days=day)
            database.execute("INSERT INTO messageFile VALUES (?, ?, ?)", (number, name.isoformat(), len(entries)))
        database.execute("DELETE FROM recentMessages")
        database.commit()


def check_doctor(program, folder):
    run = subprocess.run([program, "doctor", folder], capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit("golden: the doctor finds: " + run.stdout)


def make_workspace(program, folder, clock, target):
    """The data folder, its backup and its export; returns what they hold."""
    content = Content(program, folder, clock)
    content.first_day()
    with Answers(receive) as receiver:
        content.second_day(receiver)
        move_messages(content.data)
        content.third_day(receiver)
        waiting = content.fourth_day()
    pack(folder + "/killed", target / "workspace.tar.gz")
    copy = unpack(target / "workspace.tar.gz", folder + "/copy")
    command(program, "backup", copy, folder + "/backup")
    pack(folder + "/backup", target / "backup.tar.gz")
    with Server(program, copy, prefix=at(clock, DAYS[3]), options=["--retain-days", "1", "--without-forwarding"]) as server:
        lists = Reader(server).lists()
        audit = lists["audit"][-1]["sequence"]
        command(program, "export", folder + "/events.ndjson", server=server)
        command(program, "config", "export", folder + "/config", server=server)
        server.end(signal.SIGTERM)
    check_doctor(program, copy)
    ids = [event["messageId"] for event in lists["events"]]
    if sorted(ids) != sorted(content.acknowledged):
        raise SystemExit(f"golden: stored and acknowledged differ: {sorted(set(ids) ^ set(content.acknowledged))}")
    empty = [name for name, entries in lists.items() if not entries]
    if empty:
        raise SystemExit(f"golden: nothing is in {empty}")
    pack(folder + "/config", target / "config.tar.gz")
    with open(folder + "/events.ndjson", "rb") as plain, gzip.GzipFile(target / "events.ndjson.gz", "wb", mtime=0) as packed:
        shutil.copyfileobj(plain, packed)
    # A second start finds the same.
    again = summary(read(program, copy, clock, audit))
    if again != summary(lists):
        raise SystemExit(f"golden: a second start finds other lists: {[name for name in again if again[name] != summary(lists)[name]]}")
    config = config_files(folder + "/config")
    return {"waitingRequests": waiting, "auditThrough": audit, "acknowledged": sorted(content.acknowledged),
            "lists": summary(lists), "config": {name: digest(text) for name, text in config.items()}}


# The client


def recorded(count, first=0):
    """Events for the shop to play, with ids of their own."""
    kinds = ("track", "identify", "screen", "group", "track")
    for number in range(first, first + count):
        kind = kinds[number % len(kinds)]
        # The client adds the id of the device.
        event = {"type": kind, "messageId": f"client-{number:03}", "userId": f"u-{number % 3}",
                 "timestamp": f"2026-11-24T10:00:{number % 60:02}.000Z", "context": {"filler": "x" * (number % 7 * 90)}}
        if kind == "track":
            event |= {"event": "Refused" if number % 20 == 10 else f"Step {number % 4}", "properties": {"n": number, "price": 9.99}}
        elif kind == "screen":
            event |= {"name": "Home"}
        elif kind == "group":
            event |= {"groupId": "g-1", "traits": {"seats": 3}}
        else:
            event |= {"traits": {"plan": "pro", "name": "Zoë"}}
        yield json.dumps(event)


class Shop:
    """Runs the shop against a workspace, through a server that refuses some requests."""

    def __init__(self, storefront, workspace, folder):
        """- storefront: the beginning of a command line."""
        self.storefront, self.workspace, self.folder = storefront, workspace, folder
        self.storage = folder + "/storage"
        self.mode = "take"

    def pass_on(self, request, body):
        """Settings and scripts come from the workspace; batches are answered as the mode says."""
        is_batch = request.command == "POST" and request.path.endswith("/b")
        if is_batch and self.mode == "down":
            return 503, b"{}"
        if is_batch:
            plain = gzip.decompress(body) if request.headers.get("Content-Encoding") == "gzip" else body
            if b'"Refused"' in plain:
                return 400, b'{"success":false}'
        connection = http.client.HTTPConnection("127.0.0.1", self.workspace.port, timeout=PATIENCE)
        headers = {name: value for name, value in request.headers.items() if name.lower() not in ("connection", "content-length")}
        connection.request(request.command, request.path, body or None, headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, text

    def start(self, url, lines, *options):
        name = f"{self.folder}/events-{len(os.listdir(self.folder))}.ndjson"
        Path(name).write_text("".join(line + "\n" for line in lines))
        return subprocess.Popen(
            [*self.storefront, "--server", url, "--write-key", KEY, "--storage", self.storage, "--events", name,
             "--ledger", self.folder + "/ledger", "--quiet", *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ledger(self):
        path = Path(self.folder, "ledger")
        return path.read_text().split() if path.exists() else []


def make_queue(storefront, workspace, folder, target):
    """A client's folder with waiting events in two queues, dead letters, a retry, settings and live plugins."""
    shop = Shop(storefront, workspace, folder)
    with Answers(shop.pass_on) as answers:
        # Settings, live plugins and filters come, and all events but the refused ones arrive.
        shop.start(answers.url, recorded(40)).wait(PATIENCE)
        delivered = {row["messageId"]: row["anonymousId"] for row in workspace.events()}
        shop.mode = "down"
        # Two processes at once, so each has a queue of its own; both are killed while events wait.
        lives = [shop.start(answers.url, recorded(40, first), "--flush-timeout", "100") for first in (40, 80)]
        until(lambda: len(shop.ledger()) == 120, "the last event of the shop")
        for life in lives:
            life.kill()
            life.wait()
        # The next launch ends by itself, with events that wait.
        shop.start(answers.url, recorded(20, 120), "--flush-timeout", "2").wait(PATIENCE)
    tracked = shop.ledger()
    pack(shop.storage, target / "client-queue.tar.gz")
    refused = [json.loads(line)["messageId"] for line in recorded(40) if '"Refused"' in line]
    if delivered.keys() != set(tracked[:40]) - set(refused):
        raise SystemExit("golden: the client did not deliver its first events")
    (device,) = set(delivered.values())
    return {"key": KEY, "device": device, "waiting": sorted(tracked[40:]), "deadLetters": sorted(refused)}


def make_first(storefront, folder, target):
    """The folder of a client that never reached a server: nothing is processed yet."""
    shop = Shop(storefront, None, folder)
    life = shop.start("http://127.0.0.1:9", recorded(20, 200))
    until(lambda: len(shop.ledger()) == 20, "the last event of the first client")
    life.kill()
    life.wait()
    pack(shop.storage, target / "client-first.tar.gz")
    return {"key": KEY, "waiting": sorted(shop.ledger())}


def stored(storage, log):
    """The bytes of a client's log."""
    return sum(path.stat().st_size for path in Path(storage).glob(f"tributary/*/lane-*/{log}/*.tjl"))


def make_consent(probe, folder, target, last, is_right):
    """A client's folder in which events wait for the user's consent, or are on their way after it.

    The process is killed a moment after a line that it says. When that was too early or too late, another process tries.
    """
    for attempt in range(200):
        storage = f"{folder}/{target.name}-{attempt}"
        process = subprocess.Popen([*probe, "record", storage, "consent", "00"], stdout=subprocess.PIPE, text=True)
        lines = []
        for line in process.stdout:
            lines.append(line.strip())
            if lines[-1] == last:
                time.sleep(attempt % 10 * 0.0005)
                process.kill()
        process.wait()
        process.stdout.close()
        if last not in lines or not is_right(storage, lines):
            continue
        pack(storage, target)

        def said(word):
            return sorted(line.split()[1] for line in lines if line.split()[0] == word)
        return {"key": "KEY", "tracked": said("tracked"), "begun": said("tracking"), "delivered": said("got")}
    raise SystemExit(f"golden: no client was killed in time after '{last}'")


def waits_for_consent(storage, lines):
    return "deciding granted" not in lines and stored(storage, "pending") > 0


def is_moving(storage, lines):
    """The decision is made, and the events are in both logs."""
    return stored(storage, "inbox") > 1_000 and stored(storage, "pending") > 1_000 and "deciding pending" not in lines


def make_client(program, storefront, probe, clock, folder, target):
    """The folders of clients; a client drops events that are too old, so they come on the last day of the workspace's content."""
    prefix = at(clock, DAYS[3])
    storefront, probe = [*prefix, storefront], [*prefix, probe]
    with Server(program, folder + "/receiving", prefix=prefix) as workspace:
        workspace.send("PUT", f"/api/sources/{KEY}/live-plugins", PLUGIN.replace("VERSION", "1"), {"Content-Type": "text/javascript"})
        workspace.send("PUT", f"/api/sources/{KEY}/filters", json.dumps([RULE]))
        os.mkdir(folder + "/shop")
        expected = {"queue": make_queue(storefront, workspace, folder + "/shop", target)}
    os.mkdir(folder + "/first")
    expected["first"] = make_first(storefront, folder + "/first", target)
    expected["consent-pending"] = make_consent(
        probe, folder, target / "client-consent-pending.tar.gz", "tracked 00-0-8", waits_for_consent)
    expected["consent-moving"] = make_consent(
        probe, folder, target / "client-consent-moving.tar.gz", "decided granted", is_moving)
    return expected


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help="tributary")
    parser.add_argument("--storefront", required=True)
    parser.add_argument("--probe", required=True, help="PowerProbe")
    parser.add_argument("--overwrite", action="store_true", help="replace the folder of this version")
    arguments = parser.parse_args()
    version = subprocess.run([arguments.program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    target = GOLDEN / version
    if target.exists() and not arguments.overwrite:
        raise SystemExit(f"golden: {target} is there; a golden folder stays as its version made it (--overwrite replaces it)")
    with tempfile.TemporaryDirectory(prefix="tributary-golden-", ignore_cleanup_errors=True) as folder:
        clock = build_clock(folder)
        if clock is None:
            raise SystemExit("golden: there is no C compiler for a clock that stands at the days of the content")
        made = Path(folder, "made")
        made.mkdir()
        expected = {"version": version, "workspace": make_workspace(arguments.program, folder, clock, made),
                    "clients": make_client(arguments.program, arguments.storefront, arguments.probe, clock, folder, made)}
        (made / "expected.json").write_text(json.dumps(expected, indent=1, ensure_ascii=False) + "\n")
        shutil.rmtree(target, ignore_errors=True)
        target.parent.mkdir(exist_ok=True)
        shutil.copytree(made, target)
    size = sum(path.stat().st_size for path in target.iterdir())
    print(f"golden: {version}: {len(expected['workspace']['acknowledged'])} events, {size:,} bytes, in {target.relative_to(GOLDEN.parents[1])}")


if __name__ == "__main__":
    main()
