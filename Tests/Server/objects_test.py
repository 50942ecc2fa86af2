"""The workspace with a store of objects of another maker, which checks the signatures of requests.

TRIBUTARY_BIN is the program. The store is SeaweedFS: scripts/bootstrap objects.
"""

import http.client
import http.server
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import parquet_readers  # noqa: E402
from clients_test import PACKAGES, PROGRAM  # noqa: E402
from object_store import BUCKET, ObjectStore, OWNER, READER, WRITER  # noqa: E402
from server import KEY, PATIENCE, Server, track  # noqa: E402

CLOCK = Path(__file__).resolve().parents[2] / "Benchmarks/driver/later_clock.c"
NAME = "Häuser & Höfe? 100%+"
PLACE = f"/api/sources/{KEY}/destinations/H%C3%A4user%20%26%20H%C3%B6fe%3F%20100%25%2B"
HOUR = 3600


class Gate:
    """Stands between the workspace and the store, and can end the workspace before it hears that an object is written."""

    def __init__(self, store):
        gate = self
        self.written, self.kill = [], None

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_PUT(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                connection = http.client.HTTPConnection("127.0.0.1", store.port, timeout=PATIENCE)
                connection.request("PUT", self.path, body, dict(self.headers))
                answer = connection.getresponse()
                text = answer.read()
                connection.close()
                is_first = self.path not in gate.written
                if answer.status == 200:
                    gate.written.append(self.path)
                if gate.kill and is_first:
                    gate.kill()
                    self.close_connection = True
                    return
                self.send_response(answer.status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class ObjectsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.store = ObjectStore()
        cls.addClassCleanup(cls.store.stop)
        folder = tempfile.TemporaryDirectory(prefix="tributary-clock-")
        cls.addClassCleanup(folder.cleanup)
        cls.clock = Path(folder.name, "later_clock.so")
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        if compiler is None:
            raise unittest.SkipTest("there is no C compiler for a clock that is behind")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", cls.clock, CLOCK, "-ldl"], check=True)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-objects-test-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.data = folder.name + "/data"
        self.prefix = self.id().rsplit(".", 1)[1]

    def serve(self, ahead=0):
        """A server whose clock is ahead by so many seconds, or behind."""
        prefix = ["env", f"LD_PRELOAD={self.clock}", f"CLOCK_AHEAD={ahead}"] if ahead else []
        server = Server(PROGRAM, self.data, prefix=prefix)
        self.addCleanup(server.__exit__)
        return server

    def fill(self, hours, count):
        """Stores events that came that many hours ago; returns their ids."""
        ids = []
        for hour in hours:
            server = self.serve(ahead=-hour * HOUR)
            mine = [f"{hour}-{number}" for number in range(count)]
            self.assertEqual(server.post(*[track(one, userId=f"u-{one}") for one in mine]), 200)
            server.settle()
            server.end(signal.SIGTERM)
            ids += mine
        return ids

    def settings(self, url, **members):
        return {"endpoint": url, "bucket": BUCKET, "prefix": self.prefix, "accessKey": OWNER[0]} | members

    def put(self, server, body, status):
        answer = server.send("PUT", PLACE, json.dumps(body))
        self.assertEqual(answer[0], status, answer)

    def until(self, server, holds):
        deadline = time.monotonic() + PATIENCE
        while True:
            destination = server.get(PLACE)
            if holds(destination):
                return destination
            self.assertLess(time.monotonic(), deadline, destination)
            time.sleep(0.05)

    def stored(self):
        """The ids of the events in the objects of this test, by the names of the objects."""
        return {name: [line["messageId"] for line in self.store.lines(name)] for name in self.store.names()
                if name.startswith(self.prefix + "/") and name.endswith(".gz")}

    def test_objects_in_parquet_are_tables_that_others_read(self):
        reason = parquet_readers.install()
        if reason:
            self.skipTest(reason)
        sys.path.append(str(PACKAGES))
        import pyarrow
        import pyarrow.parquet
        ids = self.fill([5, 3], 40)
        server = self.serve()
        settings = self.settings(
            self.store.url, format="parquet", columns="sequence,messageId,writeKey,name,receivedAt,properties.n:int64,event")
        self.put(server, {"kind": "s3", "settings": settings, "secret": OWNER[1], "from": "start"}, 201)
        self.until(server, lambda one: one["delivered"] == len(ids) and one["caughtUp"])
        names = [name for name in self.store.names() if name.startswith(self.prefix + "/") and name.endswith(".parquet")]
        tables = [pyarrow.parquet.read_table(pyarrow.BufferReader(self.store.read(name))) for name in names]
        self.assertEqual([table.num_rows for table in tables], [40, 40])
        rows = [row for table in tables for row in table.to_pylist()]
        self.assertEqual([row["messageId"] for row in rows], ids)
        self.assertEqual({row["writeKey"] for row in rows}, {KEY})
        for row in rows:
            event = json.loads(row["event"])
            self.assertEqual(row["name"], event["event"])
            self.assertEqual(row["properties.n"], event.get("properties", {}).get("n"))
            self.assertEqual(row["receivedAt"].isoformat(timespec="milliseconds").replace("+00:00", "Z"), event["receivedAt"])

    def test_each_event_is_in_one_object_of_its_hour(self):
        ids = self.fill([5, 3], 40)
        server = self.serve()
        self.put(server, {"kind": "s3", "settings": self.settings(self.store.url), "secret": OWNER[1], "from": "start"}, 201)
        self.until(server, lambda one: one["delivered"] == len(ids) and one["caughtUp"])
        objects = self.stored()
        self.assertEqual([len(lines) for lines in objects.values()], [40, 40])
        self.assertEqual(sorted(sum(objects.values(), [])), sorted(ids))
        for name in objects:
            folder, file = name.rsplit("/", 1)
            self.assertEqual(folder, f"{self.prefix}/{KEY}/{NAME}")
            self.assertRegex(file, r"^\d{4}-\d\d-\d\dT\d\d-\d{16}\.ndjson\.gz$")
            for line in self.store.lines(name):
                self.assertEqual(line["receivedAt"][:13], file[:13])

    def test_nothing_is_doubled_or_missing_when_the_server_dies_after_each_object(self):
        ids = self.fill([9, 8, 7, 6, 5, 4], 25)
        gate = Gate(self.store)
        self.addCleanup(gate.stop)
        server = self.serve()
        gate.kill = lambda: server.process.kill()
        self.put(server, {"kind": "s3", "settings": self.settings(gate.url), "secret": OWNER[1], "from": "start"}, 201)
        deaths = 0
        while True:
            try:
                self.until(server, lambda one: one["delivered"] == len(ids))
                break
            except (OSError, http.client.HTTPException):
                server.process.wait(PATIENCE)
                server.process.stdout.close()
                deaths += 1
                server = self.serve()
        self.assertEqual(deaths, 6)
        objects = self.stored()
        self.assertEqual(len(objects), 6)
        self.assertEqual(len(gate.written), 12, gate.written)
        self.assertEqual(sorted(sum(objects.values(), [])), sorted(ids))

    def test_errors_of_the_store_are_named_and_end_when_they_are_corrected(self):
        ids = self.fill([4], 3)
        server = self.serve()

        def trouble(words, **change):
            self.put(server, change, 200)
            self.until(server, lambda one: one["state"] == "waiting" and words in one["reason"])
            answer = json.loads(server.send("POST", PLACE + "/test")[1])
            self.assertFalse(answer["accepted"])
            self.assertIn(words, answer["answer"])

        settings = self.settings(self.store.url)
        self.put(server, {"kind": "s3", "settings": settings, "from": "start"}, 201)
        trouble("there is no secret access key", settings=settings)
        trouble("403 SignatureDoesNotMatch: the secret access key does not belong", secret="wrong")
        trouble("403 InvalidAccessKeyId: the store does not know", settings=settings | {"accessKey": "NOBODY"})
        trouble("403 AccessDenied: the access key READER may not write",
                settings=settings | {"accessKey": READER[0]}, secret=READER[1])
        writer = settings | {"accessKey": WRITER[0]}
        trouble("403 AccessDenied: the access key WRITER may not write into the bucket elsewhere",
                settings=writer | {"bucket": "elsewhere"}, secret=WRITER[1])
        self.assertEqual(self.stored(), {})
        self.put(server, {"settings": writer}, 200)
        done = self.until(server, lambda one: one["delivered"] == len(ids) and one["caughtUp"])
        self.assertEqual((done["state"], done["reason"], done["deadLetters"]), ("delivering", None, 0))
        self.assertTrue(json.loads(server.send("POST", PLACE + "/test")[1])["accepted"])
        self.assertEqual(sorted(sum(self.stored().values(), [])), sorted(ids))

    def test_a_clock_that_is_wrong_is_named(self):
        server = self.serve(ahead=HOUR)
        self.put(server, {"kind": "s3", "settings": self.settings(self.store.url), "secret": OWNER[1]}, 201)
        answer = json.loads(server.send("POST", PLACE + "/test")[1])
        self.assertEqual(answer["answer"], "403 RequestTimeTooSkewed: the clock of this server is wrong; correct it")


if __name__ == "__main__":
    unittest.main()
