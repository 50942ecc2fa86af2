"""More of the life of a workspace: days that end, events that are forwarded, and a folder that is mended."""

import http.server
import json
import os
import signal
import subprocess
import sys
import threading
import time

import workspace
from workspace import FORWARDED, PATIENCE, SOURCE, Connection, Ledger, Process, ServerError

DAY = 86400


class Days(workspace.Workload):
    """A day ends while requests come, old days are given up, and a backup is made of a workspace that runs."""

    name = "workspace/days"
    copies = ("backup",)

    def record(self, environment, root, size, lives=4):
        self.ledger = Ledger(environment["POWER_LOG"])
        data = root + "/data"
        midnight = time.time() // DAY * DAY - DAY
        # The clock is believed a day at a time, so the lives are a day apart.
        clocks = [midnight - DAY / 2, midnight - 2, midnight + DAY / 2, time.time()]
        for life, clock in enumerate(clocks[:lives]):
            ahead = int(clock - time.time())
            if life == 3:
                # The day of the first two lives is given up, but for what came after midnight.
                self.ledger.mark("retaining 0 1")
            server = Process(self.program, data, environment | {"POWER_CLOCK": str(ahead)},
                             ["--retain-days", "1", "--confirm-retain-days", "1"] if life == 3 else ["--retain-days", "0"])
            self.load(server, life, size // 2, names=("0",), has_operator=life == 2)
            if life == 1:
                self.wait_until(midnight + 0.2 - ahead)
                self.load(server, life, size // 2, names=("1",), has_operator=False)
            if life == 2:
                self.back_up_meanwhile(environment, server, data, root + "/backup", size)
            if life == 3:
                self.wait_for_the_sweep(server, data, midnight)
            server.end(signal.SIGKILL if life == 0 else signal.SIGTERM)

    @staticmethod
    def wait_until(moment):
        time.sleep(max(0, moment - time.time()))

    def back_up_meanwhile(self, environment, server, data, backup, size):
        thread = threading.Thread(target=self.back_up, args=(environment, data, backup))
        thread.start()
        self.load(server, 2, size, names=("1", "2"), has_operator=False)
        thread.join(PATIENCE)

    @staticmethod
    def wait_for_the_sweep(server, data, midnight):
        name = time.strftime("%Y-%m-%d", time.gmtime(midnight - 1))
        deadline = time.monotonic() + PATIENCE
        while any(one.startswith(name) for one in os.listdir(data + "/days")):
            if time.monotonic() > deadline:
                raise ServerError("the day %s is not given up: %s" % (name, server.said[-5:]))
            time.sleep(0.02)


class Receiver(http.server.ThreadingHTTPServer):
    """A destination that refuses some events at first, and says which it takes before it answers."""

    daemon_threads = True

    def __init__(self, ledger):
        super().__init__(("127.0.0.1", 0), Handler)
        self.ledger, self.refused, self.count = ledger, set(), 0
        self.thread = threading.Thread(target=self.serve_forever, daemon=True)
        self.thread.start()

    @property
    def url(self):
        return "http://127.0.0.1:%d/" % self.server_address[1]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        mark = json.loads(body).get("mark", "")
        server = self.server
        server.count += 1
        is_refused = server.count % 5 == 2 and mark not in server.refused
        if is_refused:
            server.refused.add(mark)
        else:
            server.ledger.mark("forwarded %s %s" % (FORWARDED, mark))
        self.send_response(503 if is_refused else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Forwarding(workspace.Workload):
    """Events go on to a destination, which refuses some of them at first."""

    name = "workspace/forwarding"
    copies = ()

    def record(self, environment, root, size, lives=2):
        self.ledger = Ledger(environment["POWER_LOG"])
        receiver = Receiver(self.ledger)
        try:
            for life in range(lives):
                server = Process(self.program, root + "/data", environment)
                if life == 0:
                    self.make_destination(server, receiver)
                self.load(server, life, size // 3, has_operator=False)
                self.wait_for_delivery(server, life)
                server.end(signal.SIGKILL if life == 0 else signal.SIGTERM)
        finally:
            # While states are looked at nobody is there, so that what waits stays countable.
            receiver.shutdown()
            receiver.server_close()

    def make_destination(self, server, receiver):
        operator = workspace.Operator(server.port, "o0", 0, self.ledger)
        operator.do(Connection(server.port), "PUT", SOURCE + "/destinations/" + FORWARDED, json.dumps(
            {"kind": "webhook", "settings": {"url": receiver.url}, "enabled": True, "from": "start"}),
            "destination", FORWARDED)

    def wait_for_delivery(self, server, life):
        """The first life ends in the middle of it."""
        deadline = time.monotonic() + (1.5 if life == 0 else 4)
        connection = Connection(server.port)
        while time.monotonic() < deadline:
            one = json.loads(connection.send("GET", SOURCE + "/destinations/" + FORWARDED)[1])
            if one["waiting"] == 0:
                break
            time.sleep(0.05)


class Repair(workspace.Workload):
    """A page of a day is damaged, and `doctor --repair` saves what can be read."""

    name = "workspace/repair"
    copies = ()
    # Where the damage is, and how much: a few pages in the middle.
    DAMAGE = """
import os, sys
file = os.open(sys.argv[1], os.O_RDWR)
os.pwrite(file, b"x" * 8192, int(sys.argv[2]))
os.fsync(file)
os.close(file)
"""

    def __init__(self, program):
        super().__init__(program)
        self.saved = set()

    def record(self, environment, root, size, lives=1):
        self.ledger = Ledger(environment["POWER_LOG"])
        data = root + "/data"
        server = Process(self.program, data, environment)
        self.load(server, 0, size)
        server.end(signal.SIGTERM)
        day = next(name for name in sorted(os.listdir(data + "/days")) if name.endswith(".sqlite"))
        path = data + "/days/" + day
        place = os.path.getsize(path) // 4096 // 2 * 4096
        self.ledger.mark("damaging")
        subprocess.run([sys.executable, "-c", self.DAMAGE, path, str(place)], env=os.environ | environment, check=True)
        self.repair(data, os.environ | environment)
        self.ledger.mark("mended")
        seen = {"failures": []}
        copy = root + "-mended"
        subprocess.run(["cp", "-r", data, copy], check=True)
        self.saved = self.marks_in(copy, seen)
        if seen["failures"]:
            raise ServerError("the mended folder cannot be used: %s" % seen["failures"])

    def repair(self, data, environment=None):
        """1 says that something was lost."""
        result = subprocess.run([self.program, "doctor", "--repair", data], env=environment, capture_output=True,
                                text=True, timeout=PATIENCE)
        if result.returncode not in (0, 1):
            raise ServerError("the doctor ended with %d: %s" % (result.returncode, result.stdout + result.stderr))

    def prepare(self, data, seen):
        """The folder is mended, whether it was damaged, mended in part, or neither."""
        if os.path.isdir(data):
            try:
                self.repair(data)
            except ServerError as error:
                seen["failures"].append(str(error))

    def past(self, made, at):
        past = super().past(made, at)
        if any(kind == "damaging" and index < at for index, kind, _ in made):
            past.events = [mark for mark in past.events if mark in self.saved]
        return past


WORKLOADS = [workspace.Workload, Days, Forwarding, Repair]
