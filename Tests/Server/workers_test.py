"""Processes with scripts ask the system for nothing that is refused to them.

A refused call is an error for the program and seldom one that it expects: the script engine's collector went on with the stacks
of threads that it could not stop. TRIBUTARY_BIN is the program. strace tells which calls fail. It needs
root, because these processes let no other user look into them.
"""

import http.server
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from clients_test import PROGRAM  # noqa: E402
from server import KEY, PATIENCE, Server, track  # noqa: E402

GARBAGE = 'let all = []; for (let i = 0; i < 20000; i++) all.push({ i, text: "text " + i });'
FUNCTION = """class Garbage extends Destination {
    static settings = { address: { required: true } };
    static hosts = ["{address}"];
    track(event, settings) { %s return request("POST", settings.address, { body: { count: all.length } }); }
}""" % GARBAGE
PLUGIN = """class Garbage extends LivePlugin {
    constructor() { super(LivePluginType.enrichment, null); }
    track(event) { %s event.properties.count = all.length; return event; }
}
analytics.add(new Garbage());""" % GARBAGE
EVENTS = 200
# The engine asks for another order of its threads, and goes on without.
HARMLESS = {"sched_setscheduler"}


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.bodies.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def children(process):
    """The processes with scripts of a server."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = entry.joinpath("stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == process and b"worker\0" in entry.joinpath("cmdline").read_bytes():
                found.append(int(entry.name))
        except (OSError, IndexError):
            continue  # It has ended.
    return found


@unittest.skipUnless(shutil.which("strace") and os.geteuid() == 0, "strace is not installed, or this is not root")
class WorkersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-workers-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log = self.folder / "calls"

    def serve(self, *prefix):
        self.server = Server(PROGRAM, str(self.folder / "data"), prefix=prefix)
        self.addCleanup(self.server.__exit__)

    def wait(self, condition, what):
        deadline = time.monotonic() + PATIENCE
        while not (found := condition()):
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.05)
        return found

    def failed_calls(self, send):
        """The calls that failed in the processes with scripts, by name and error, while events were sent: as many as it takes
        until the collector of the engine has stopped a thread."""
        processes = self.wait(lambda: children(self.server.process.pid), "a process with scripts runs")
        tracer = subprocess.Popen(
            ["strace", "-f", "-Z", "-o", str(self.log), *(word for one in processes for word in ("-p", str(one)))],
            stderr=subprocess.PIPE, text=True)
        try:
            # It says so when it looks at all threads of the process.
            line = tracer.stderr.readline()
            if "Operation not permitted" in line:
                self.skipTest(line.strip())
            self.assertIn("attached", line)
            numbers = itertools.count(1)
            send(next(numbers))
            deadline = time.monotonic() + PATIENCE
            while "rt_sigsuspend" not in self.log.read_text():
                self.assertLess(time.monotonic(), deadline, "the collector stops a thread")
                send(next(numbers))
        finally:
            tracer.send_signal(signal.SIGINT)
            tracer.communicate(timeout=PATIENCE)
        return self.logged()

    def logged(self):
        line = re.compile(r"^\d+ +(?:<\.\.\. )?(\w+).* = (?:-1 (E\w+)|\? (ERESTART)\w*)", re.MULTILINE)
        return Counter((name, error or restart) for name, error, restart in line.findall(self.log.read_text()))

    def refused(self, calls):
        return {name for name, error in calls if error in ("EPERM", "EACCES")} - HARMLESS

    def test_a_destination_function_asks_for_nothing_that_is_refused(self):
        self.serve()
        receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        receiver.bodies = []
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        self.addCleanup(receiver.server_close)
        self.addCleanup(receiver.shutdown)
        status, answer = self.server.send("PUT", f"/api/sources/{KEY}/destinations/Fn", json.dumps({
            "kind": "function",
            "settings": {"code": FUNCTION, "settings": {"address": f"http://127.0.0.1:{receiver.server_port}"}}}))
        self.assertEqual(status, 201, answer)
        self.assertEqual(self.server.post(track("first")), 200)
        self.wait(lambda: len(receiver.bodies) == 1, "the first event arrives")

        def send(times):
            self.assertEqual(self.server.post(*(track(f"m-{times}-{number}") for number in range(EVENTS))), 200)
            self.wait(lambda: len(receiver.bodies) == times * EVENTS + 1, "all events arrive")

        self.assertEqual(self.refused(self.failed_calls(send)), set())

    def test_a_live_plugin_asks_for_nothing_that_is_refused(self):
        self.serve()
        status, answer = self.server.send("PUT", f"/api/sources/{KEY}/live-plugins?where=workspace", PLUGIN)
        self.assertLess(status, 300, answer)
        self.assertEqual(self.server.post(track("first")), 200)
        self.wait(lambda: self.server.ids() == ["first"], "the first event is stored")

        def send(times):
            self.assertEqual(self.server.post(*(track(f"m-{times}-{number}") for number in range(EVENTS))), 200)
            self.wait(lambda: len(self.server.ids()) == times * EVENTS + 1, "all events are stored")

        self.assertEqual(self.refused(self.failed_calls(send)), set())

    def test_a_query_in_sql_asks_for_nothing_that_is_refused(self):
        # Its process ends with the query, so the server is looked at with all that it starts.
        self.serve("strace", "-D", "-f", "-Z", "-o", str(self.log))
        self.assertEqual(self.server.post(*(track(f"m-{number}") for number in range(EVENTS))), 200)
        self.server.settle()
        for query, said in (("SELECT count(*) AS events FROM tracks", str(EVENTS)),
                            ("SELECT id FROM tracks ORDER BY id DESC", "m-99"), ("SELECT missing FROM tracks", "missing"), ("SELEC 1", "syntax error")):
            answer = self.server.send("POST", f"/api/sources/{KEY}/sql", query)[1]
            self.assertIn(said, answer.decode())
        self.server.__exit__()
        calls = self.logged()
        self.assertEqual(self.refused(calls), set())
        self.assertTrue(calls)


if __name__ == "__main__":
    unittest.main()
