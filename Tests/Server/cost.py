#!/usr/bin/env python3
"""Searches for requests that cost the workspace much more than a plain batch of the same size.

The cost is the processor time of the whole process, from the request until its events are stored, divided by the bytes of
the body. A body in gzip is compared with the plain batch that has as many bytes inflated, because a client of the field may
compress as well as it can.

    TRIBUTARY_BIN=PATH Tests/Server/cost.py [--seconds N] [--seed N] [--limit 20]
"""

import argparse
import gzip
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from server import KEY, Server  # noqa: E402

PROGRAM = os.environ.get("TRIBUTARY_BIN", "Workspace/.build/debug/tributary")
LARGEST = 4 << 20
# Short requests are sent again until they come to that many bytes, or that often.
LEAST_BYTES, MOST_TIMES = 1 << 20, 12


class Meter:
    """Processor seconds of a server for requests."""

    def __init__(self, server):
        self.server = server
        # The clock of the processor time of another process (clock_getcpuclockid).
        self.clock = (~server.process.pid) << 3 | 2
        self.connection = server.connect()

    def now(self):
        return time.clock_gettime(self.clock)

    def seconds(self, bodies, path="/v1/b", headers=None):
        """For some bodies, together."""
        # The server closes a connection that was idle while it stored the requests before.
        self.connection.close()
        begin = self.now()
        for body in bodies:
            self.connection.request("POST", path, body, headers or {})
            answer = self.connection.getresponse()
            text = answer.read()
            if answer.status not in (200, 400):
                raise RuntimeError(f"{answer.status} {text[:200]}")
        self.server.settle()
        return self.now() - begin


class Ids:
    """Message ids that were never used."""

    def __init__(self):
        self.count = 0

    def next(self):
        self.count += 1
        return f"m{self.count:x}"


def plain(ids, size):
    """An ordinary batch of about that many bytes, as a client sends it."""
    events, length = [], 60
    while length < size and len(events) < 2_500:
        event = {
            "type": "track", "event": "Order Completed", "userId": f"user-{len(events) % 50}", "messageId": ids.next(),
            "timestamp": "2026-01-01T10:00:00.000Z",
            "properties": {"total": 12.5, "currency": "EUR", "items": 3, "coupon": "WINTER"},
            "context": {"app": {"name": "Shop", "version": "1.2.3"}, "os": {"name": "Linux"}, "locale": "en-GB"}}
        events.append(json.dumps(event, separators=(",", ":")))
        length += len(events[-1]) + 1
    # More than 2,500 events do not fit: longer ones fill the rest.
    rest = max(0, size - length) // max(1, len(events))
    if rest > 20:
        events = [event[:-1] + ',"note":"' + "x" * (rest - 10) + '"}' for event in events]
    return '{"writeKey":"%s","batch":[%s]}' % (KEY, ",".join(events))


def value(chance, size, depth=0):
    """A JSON text of about that many bytes, of one kind."""
    kind = chance.choice(["text", "escapes", "members", "keys", "deep", "numbers", "array", "users", "objects"])
    if kind == "text":
        return '"' + "x" * max(0, size - 2) + '"'
    if kind == "escapes":
        return '"' + chance.choice(["\\u0061", "\\n", "\\ud83d\\ude00", "é"]) * max(0, size // 6) + '"'
    if kind == "numbers":
        return "[" + ",".join([chance.choice(["1", "1e300", "-0.12345678901234567890", "9" * 40])] * max(1, size // 12)) + "]"
    if kind == "array":
        return "[" + ",".join(["[]"] * max(1, size // 3)) + "]"
    if kind == "deep":
        level = chance.randrange(2, 100)
        one = '{"a":' * level + "1" + "}" * level
        return "[" + ",".join([one] * max(1, size // len(one))) + "]"
    if kind == "users":
        key = chance.choice(["userId", "user_id", "previousId"])
        return "[" + ",".join(f'{{"{key}":"{chance.randrange(1 << 30):x}"}}' for _ in range(max(1, size // 24))) + "]"
    if kind == "keys":
        return "{" + ",".join(f'"{"k" * 500}{i}":1' for i in range(max(1, size // 510))) + "}"
    if kind == "objects":
        return "[" + ",".join(['{"a":1,"b":{}}'] * max(1, size // 15)) + "]"
    return "{" + ",".join(f'"{i:x}":1' for i in range(max(1, size // 8))) + "}"


def event(chance, ids, shape):
    """The text of one event."""
    kind = shape["kind"]
    if kind == "junk":
        return chance.choice(["{}", "1", "[]", '""', "null"])
    members = []
    name = {"track": '"event":"%s"' % shape["name"], "alias": '"previousId":"p"', "group": '"groupId":"g"'}.get(kind)
    members.append('"type":"%s"' % kind)
    members.append('"userId":"%s"' % (chance.randrange(1 << 20) if shape["many_users"] else "u"))
    if name:
        members.append(name)
    if shape["ids"] == "own":
        members.append('"messageId":"%s"' % ids.next())
    elif shape["ids"] == "same":
        members.append('"messageId":"same"')
    if shape["bad_time"]:
        members.append('"timestamp":"yesterday"')
    for member, text in shape["members"].items():
        members.append('"%s":%s' % (member, text))
    return "{" + ",".join(members) + "}"


def make_shape(chance):
    """How a request is made; what is chosen here holds for all of its events."""
    own = {}
    for member in chance.sample(["properties", "traits", "context", "integrations", "x"], chance.randrange(3)):
        own[member] = value(chance, chance.choice([10, 100, 1_000, 10_000, 31_000]))
    if chance.random() < 0.3:
        own["context"] = chance.choice(['{"0":1}', '{"ip":"1.2.3.4"}', "{}", '{"a":1,"1":2}'])
    return {
        "kind": chance.choice(["track", "page", "identify", "alias", "group", "screen", "junk"]),
        "name": chance.choice(["E", "Segment Signal Generated"]), "many_users": chance.random() < 0.5,
        "ids": chance.choice(["own", "own", "same", "none"]), "bad_time": chance.random() < 0.2, "members": own,
        "events": chance.choice([1, 10, 100, 1_000, 2_500]), "names": chance.random() < 0.3,
        "shared": {
            member: value(chance, chance.choice([100, 1_000, 8_000, 20_000, 30_000, 33_000, 1_000_000, 3_500_000]))
            for member in chance.sample(["context", "integrations"], chance.choice([0, 1, 1, 2]))},
        "form": chance.choices(["batch", "signals", "traces"], [10, 1, 1])[0],
        "gzip": chance.random() < 0.2, "space": chance.random() < 0.1}


def body(chance, ids, shape):
    """A request of a shape, at most as long as the limit."""
    if shape["form"] == "signals":
        one = '{"type":"interaction","anonymousId":"a","index":%d,"timestamp":"2026-01-01T10:00:00.000Z","data":%s}'
        items = [one % (ids.count + i, next(iter(shape["members"].values()), "1")) for i in range(shape["events"])]
        ids.count += len(items)
    elif shape["form"] == "traces":
        one = ('{"messageId":"%s","type":"track","trackedAt":"2026-01-01T10:00:00.000Z","outcome":"sent",'
               '"stages":[{"stage":"before","plugin":"p","outcome":"kept","event":%s}]}')
        items = [one % (ids.next(), next(iter(shape["members"].values()), "1")) for _ in range(shape["events"])]
    else:
        items = []
        for number in range(shape["events"]):
            one = event(chance, ids, shape)
            items.append(one.replace('"event":"E"', f'"event":"E{number}"') if shape["names"] else one)
    rest = LARGEST - sum(len(text) + 20 for text in shape["shared"].values()) - 100
    while items and sum(len(item.encode()) + 1 for item in items) > rest:
        items = items[:len(items) * 3 // 4]
    if shape["form"] == "signals":
        text = "[" + ",".join(items) + "]"
    else:
        shared = "".join('"%s":%s,' % pair for pair in shape["shared"].items())
        key = "traces" if shape["form"] == "traces" else "batch"
        text = '{"writeKey":"%s",%s"%s":[%s]}' % (KEY, shared, key, ",".join(items))
    if shape["space"]:
        text = text.replace(",", " ,\n")
    return text.encode()[:LARGEST + 1000]


# Requests that were found before, or that are known to be sisters of them.
def known():
    base = {"kind": "page", "name": "E", "many_users": False, "ids": "own", "bad_time": False, "members": {},
            "events": 2_500, "names": False, "shared": {}, "form": "batch", "gzip": False, "space": False}
    members = "{" + ",".join(f'"{i}":1' for i in range(118_000)) + "}"
    fitting = "{" + ",".join(f'"{i}":1' for i in range(3_300)) + "}"
    users = "[" + ",".join(f'{{"userId":"{i:x}"}}' for i in range(1_800)) + "]"
    text = '{"a":"' + "x" * 32_000 + '"}'
    nested = '{"a":' * 100 + "1" + "}" * 100
    return {
        "context of 118,000 members": base | {"shared": {"context": members}},
        "integrations of 118,000 members": base | {"shared": {"integrations": members}},
        "context of 118,000 members, own ones": base | {"shared": {"context": members}, "members": {"context": '{"7":1}'}},
        "context of 32 KB": base | {"shared": {"context": text}},
        "context of 32 KB in members": base | {"shared": {"context": fitting}},
        "context of 32 KB in members, own ones": base | {"shared": {"context": fitting}, "members": {"context": '{"7":1}'}},
        "context that names users": base | {"shared": {"context": '{"a":%s}' % users}},
        "signals with a context of 32 KB": base | {
            "kind": "track", "name": "Segment Signal Generated", "shared": {"context": text},
            "members": {"properties": '{"type":"interaction"}'}},
        "events that name users": base | {"members": {"x": users}, "events": 100},
        "the smallest events": base | {"ids": "none"},
        "the smallest events, each of another user": base | {"ids": "none", "many_users": True},
        "events that are none": base | {"kind": "junk"},
        "100 events that are none": base | {"kind": "junk", "events": 100},
        "duplicates of one id": base | {"ids": "same"},
        "nested deep": base | {"members": {"x": nested}},
        "many names": base | {"kind": "track", "names": True},
        "3,000 properties": base | {"kind": "track", "members": {"properties": fitting}, "events": 120},
        "escapes": base | {"members": {"x": '"' + "\\u0061" * 5_000 + '"'}, "events": 130},
        "numbers": base | {"members": {"x": "[" + ",".join(["9" * 40] * 700) + "]"}, "events": 140},
        "long keys": base | {"members": {"x": '{"%s":1}' % ("k" * 30_000)}, "events": 130},
        "times that cannot be read": base | {"bad_time": True, "members": {"x": '"' + "x" * 1_000 + '"'}},
        "one event of 4 MB": base | {"events": 1, "members": {"x": '"' + "x" * 4_000_000 + '"'}},
        "one event of 4 MB that names users": base | {
            "events": 1, "members": {"x": "[" + ",".join(['{"userId":"abcdef"}'] * 200_000) + "]"}},
        "gzip of a context of 118,000 members": base | {"shared": {"context": members}, "gzip": True},
        "gzip of a context of 32 KB": base | {"shared": {"context": text}, "gzip": True},
    }


def measure(meter, chance, ids, shape):
    """Seconds of a request of that shape, of a plain batch of the same bytes, and the bytes."""
    first = body(chance, ids, shape)
    size = len(first)
    times = max(1, min(MOST_TIMES, LEAST_BYTES // size))
    bodies = [first] + [body(chance, ids, shape) for _ in range(times - 1)]
    others = [plain(ids, size).encode() for _ in range(times)]
    headers = {"X-Write-Key": KEY}
    if shape["gzip"]:
        headers["Content-Encoding"] = "gzip"
        bodies, others = [gzip.compress(one) for one in bodies], [gzip.compress(one) for one in others]
    path = "/v1/signals" if shape["form"] == "signals" else "/v1/traces" if shape["form"] == "traces" else "/v1/b"
    ordinary = meter.seconds(others, "/v1/b", headers)
    return meter.seconds(bodies, path, headers) / times, ordinary / times, size


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--policy", default="asSent", help="the address policy of the source")
    parser.add_argument("--only", help="a part of the name of one request")
    options = parser.parse_args()
    chance, ids, worst = random.Random(options.seed), Ids(), (0, "nothing")
    with tempfile.TemporaryDirectory() as folder, Server(PROGRAM, folder + "/data") as server:
        status, answer = server.send("PUT", f"/api/sources/{KEY}/policy", json.dumps({"ip": options.policy}))
        if status != 200:
            raise RuntimeError(answer)
        # Each user that an event names is then looked for in the list.
        status, answer = server.send("PUT", "/api/suppressions?userId=another-user")
        if status != 200:
            raise RuntimeError(answer)
        meter = Meter(server)
        for _ in range(3):
            meter.seconds([plain(ids, 1 << 20).encode()])
        end = time.monotonic() + options.seconds
        shapes = [(name, shape) for name, shape in known().items() if not options.only or options.only in name]
        number = 0
        while shapes or (time.monotonic() < end and not options.only):
            number += 1
            name, shape = shapes.pop(0) if shapes else (f"random {number}", make_shape(chance))
            cost, ordinary, size = measure(meter, chance, ids, shape)
            ratio = cost / ordinary
            if ratio > options.limit:
                # A measurement may be disturbed, so what is said to be too much was so twice.
                cost, ordinary, size = measure(meter, chance, ids, shape)
                ratio = min(ratio, cost / ordinary)
            worst = max(worst, (ratio, name))
            if not name.startswith("random") or ratio > options.limit / 2:
                short = {key: value if len(str(value)) < 60 else f"{str(value)[:50]}... ({len(str(value))})"
                         for key, value in shape.items()} if name.startswith("random") else ""
                print(f"{ratio:6.1f}  {size:8} bytes {cost * 1000:8.1f} ms, plain {ordinary * 1000:7.1f} ms  {name} {short}",
                      flush=True)
    print(f"cost: requests={number} worst={worst[0]:.1f} limit={options.limit:.0f} ({worst[1]}) seed={options.seed}")
    return 0 if worst[0] <= options.limit else 1


if __name__ == "__main__":
    sys.exit(main())
