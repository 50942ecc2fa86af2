"""Held requests for settings: what they cost a client and the workspace, and how soon a change arrives."""

import http.client
import json
import re
import resource
import selectors
import socket
import time

from bench import PATIENCE, Failed
from client_group import PROGRAM, named
from promise import AtMost, Benchmark, Measurement, MoreAtMost, Promise
from workspace_group import Server, program

TOKEN = "the-token-of-the-benchmark"


def client(bench):
    """An hour of a client without events, by a clock that moves from timer to timer."""
    return named(bench.run(PROGRAM, "energy-push", {"folder": bench.new_folder("push")}))


def server(bench):
    """A workspace that holds requests while nothing changes, and then gives all of them a change."""
    count, seconds = bench.size["push"]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, count + 500)), hard))
    command = [program(bench, "tributary"), "serve", "--port", 0, "--data", bench.new_folder("workspace"),
               "--write-key", "WK"]
    with Server(command, {"TRIBUTARY_ADMIN_TOKEN": TOKEN}) as workspace:
        address = workspace.url.removeprefix("http://")
        host, port = address.split(":")
        sizes = polled(host, int(port))
        held = Held(host, int(port), sizes["tag"])
        for _ in range(20):
            held.begin()
        until_held(workspace, 20)
        before = workspace.megabytes()
        for _ in range(count):
            held.begin()
        until_held(workspace, 20 + count)
        kilobytes = (workspace.megabytes() - before) * 1024 / count
        used = workspace.seconds()
        time.sleep(seconds)
        idle = (workspace.seconds() - used) / seconds
        used, begun = workspace.seconds(), time.monotonic()
        change(address)
        delays, answer = held.answers(begun)
        if b"Changed" not in answer:
            raise Failed("a held request was not answered with the change")
        return {
            "push-memory": Measurement(kilobytes, None, {"requests": count}),
            "push-processor": Measurement(idle * 1000, None, {"requests": count, "seconds": seconds}),
            "push-arrives": Measurement(delays[len(delays) * 99 // 100], None, {
                "median": delays[len(delays) // 2], "processor_seconds": workspace.seconds() - used}),
            # A minute has so many requests of each kind.
            "push-bytes": Measurement((held.bytes_sent + sizes["unchanged"]) * 60 / 45,
                                      (sizes["request"] + sizes["unchanged"]) / 5, sizes | {"tag": 0}),
        }


def request(path, host, tag=None):
    """The request of a client, as libcurl sends it."""
    known = f"If-None-Match: {tag}\r\n" if tag else ""
    return (f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: application/json\r\n{known}"
            "User-Agent: tributary/0.1.0\r\nAccept-Encoding: gzip, deflate\r\n\r\n").encode()


def polled(host, port):
    """The tag of the settings, and the bytes of a request and of the answer that nothing has changed."""
    connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    connection.request("GET", "/v1/projects/WK/settings")
    answer = connection.getresponse()
    answer.read()
    tag = answer.headers["ETag"]
    connection.close()
    text = request("/v1/projects/WK/settings", f"{host}:{port}", tag)
    with socket.create_connection((host, port), PATIENCE) as plain:
        plain.sendall(text)
        unchanged = plain.recv(1 << 16)
    if b" 304 " not in unchanged.partition(b"\r\n")[0]:
        raise Failed(f"the settings changed: {unchanged[:100]}")
    return {"tag": tag, "request": len(text), "unchanged": len(unchanged)}


class Held:
    """Connections with a held request each."""

    def __init__(self, host, port, tag):
        self.address = host, port
        self.text = request("/v1/projects/WK/settings?wait=45", f"{host}:{port}", tag)
        self.bytes_sent = len(self.text)
        self.selector = selectors.DefaultSelector()
        self.count = 0

    def begin(self):
        connection = socket.create_connection(self.address, PATIENCE)
        connection.sendall(self.text)
        self.selector.register(connection, selectors.EVENT_READ)
        self.count += 1

    def answers(self, begun):
        """When each answer came, in seconds after that time, and one of them."""
        delays = []
        while len(delays) < self.count:
            ready = self.selector.select(PATIENCE)
            if not ready:
                raise Failed(f"{self.count - len(delays)} held requests have no answer")
            for key, _ in ready:
                answer = key.fileobj.recv(1 << 16)
                delays.append(time.monotonic() - begun)
                self.selector.unregister(key.fileobj)
                key.fileobj.close()
        return sorted(delays), answer


def until_held(workspace, count):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        connection = http.client.HTTPConnection(workspace.url.removeprefix("http://"), timeout=PATIENCE)
        connection.request("GET", "/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        found = re.search(r"^tributary_held_settings_requests (\d+)", connection.getresponse().read().decode(), re.M)
        connection.close()
        if found and int(found[1]) == count:
            return
    raise Failed(f"the server does not hold {count} requests")


def change(address):
    connection = http.client.HTTPConnection(address, timeout=PATIENCE)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    connection.request("PUT", "/api/sources/WK/integrations", json.dumps({"Changed": {"apiKey": "k"}}), headers)
    if connection.getresponse().status != 200:
        raise Failed("the workspace does not change its settings")
    connection.close()


BENCHMARKS = [
    Benchmark([
        Promise("push-wake-ups", "1/hour", MoreAtMost(70),
                "moments in an hour without events at which a timer or an answer wakes a client with a held request; the floor "
                "is a client that asks every five minutes"),
    ], client, depends_on_load=False),
    Benchmark([
        Promise("push-bytes", "B/min", AtMost(1200),
                "bytes a minute, without TLS, of a client with a held request; the floor is one that asks every five minutes"),
        Promise("push-memory", "KB", AtMost(40), "memory of the workspace for each held request, of 1,000"),
        Promise("push-processor", "ms/s", AtMost(20),
                "processor time of the workspace in a second, while it holds 1,000 requests and nothing changes"),
        Promise("push-arrives", "s", AtMost(5), "until 99 % of 1,000 held requests have the answer with a change"),
    ], server),
]
