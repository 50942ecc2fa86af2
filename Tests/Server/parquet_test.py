"""Reads exported files of Parquet, and those of destinations of the kind files, with pyarrow and DuckDB, and compares them with the
export as lines of JSON.

TRIBUTARY_BIN is the program. The two libraries are installed into .build-python.
"""

import datetime
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from clients_test import PROGRAM  # noqa: E402
from parquet_readers import PACKAGES, install  # noqa: E402
from server import KEY, PATIENCE, TOKEN, Server  # noqa: E402

# More than one group of rows.
MANY = 60_000


class ParquetTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        reason = install()
        if reason:
            raise unittest.SkipTest(reason)
        sys.path.append(str(PACKAGES))

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-parquet-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def send(self, server, events):
        for start in range(0, len(events), 2_500):
            batch = [{"type": "track", "anonymousId": "a"} | event for event in events[start:start + 2_500]]
            status, answer = server.send("POST", "/v1/batch", json.dumps({"writeKey": KEY, "batch": batch}))
            self.assertEqual(status, 200, answer)

    def export(self, server, query):
        status, answer = server.send("GET", "/api/export?" + query)
        self.assertEqual(status, 200, answer[:300])
        return answer

    def table(self, content):
        import pyarrow
        import pyarrow.parquet
        file = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(content))
        self.assertEqual(file.metadata.created_by, "tributary")
        return file.read()

    def test_each_type_and_what_is_missing(self):
        values = [
            None, "text", "", "ünï 🙂 \u0000 \"quoted\"", 0, -1, 42, 2**63 - 1, -(2**63), 12345678901234567890, 1.5, -0.25, 1e300,
            True, False, "7", "2.5", {"a": [1, None]}, [], "2026-11-20T10:00:00.250Z", "yesterday"]
        with Server(PROGRAM, self.folder / "data") as server:
            self.send(server, [{"messageId": f"m-{n}", "event": "E", "properties": {"v": value}, "timestamp": "2026-11-20T10:00:00.250Z"}
                               for n, value in enumerate(values)] + [{"messageId": "none", "event": "E"}])
            kinds = ["string", "json", "int64", "double", "boolean", "timestamp"]
            found = {}
            for kind in kinds:
                table = self.table(self.export(server, f"format=parquet&columns=messageId,properties.v:{kind}"))
                found[kind] = dict(zip(*(column.to_pylist() for column in table.columns)))
            usual = self.table(self.export(server, "format=parquet"))
            lines = [json.loads(line) for line in self.export(server, "format=ndjson").splitlines()]

        def expected(of):
            return {f"m-{n}": of(value) for n, value in enumerate(values)} | {"none": None}

        def whole(value):
            if isinstance(value, bool) or isinstance(value, float) or value is None or isinstance(value, (dict, list)):
                return None
            try:
                number = int(value)
            except ValueError:
                return None
            return number if -(2**63) <= number < 2**63 else None

        def floating(value):
            if isinstance(value, (bool, dict, list)) or value is None:
                return None
            try:
                return float(value)
            except ValueError:
                return None

        def moment(value):
            if value != "2026-11-20T10:00:00.250Z":
                return None
            return datetime.datetime(2026, 11, 20, 10, 0, 0, 250_000, tzinfo=datetime.timezone.utc)

        self.assertEqual(found["int64"], expected(whole))
        self.assertEqual(found["double"], expected(floating))
        self.assertEqual(found["boolean"], expected(lambda value: value if isinstance(value, bool) else None))
        self.assertEqual(found["timestamp"], expected(moment))
        parsed = {key: None if value is None else json.loads(value) for key, value in found["json"].items()}
        self.assertEqual(parsed, expected(lambda value: value))
        texts = {key: value for key, value in found["string"].items() if isinstance(values[int(key[2:])] if key != "none" else None, str)}
        self.assertEqual(texts, {f"m-{n}": value for n, value in enumerate(values) if isinstance(value, str)})

        self.assertEqual([str(field.type) for field in usual.schema], [
            "int64", "string", "string", "string", "string", "string", "string", "timestamp[ms, tz=UTC]", "timestamp[ms, tz=UTC]",
            usual.schema.field("event").type.__str__()])
        self.assertEqual(usual.column("sequence").to_pylist(), [line["sequence"] for line in lines])
        self.assertEqual([json.loads(text) for text in usual.column("event").to_pylist()], [line["event"] for line in lines])
        self.assertEqual(
            [time.isoformat(timespec="milliseconds").replace("+00:00", "Z") for time in usual.column("receivedAt").to_pylist()],
            [line["receivedAt"] for line in lines])

    def test_many_groups_by_the_command_and_duckdb(self):
        import duckdb
        file = str(self.folder / "events.parquet")
        with Server(PROGRAM, self.folder / "data") as server:
            self.send(server, [{"messageId": f"m-{n}", "event": "Even" if n % 2 == 0 else "Odd",
                                "properties": {"n": n} if n % 3 else {}} for n in range(MANY)])
            self.until(lambda: server.get("/v1/ready")["waitingRequests"] == 0)
            run = subprocess.run(
                [PROGRAM, "export", file, "--server", server.url, "--columns", "name,properties.n:int64,messageId"],
                capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "TRIBUTARY_ADMIN_TOKEN": TOKEN})
            self.assertEqual(run.returncode, 0, run.stderr)
            chosen = self.export(server, "format=parquet&columns=name&where=properties.n%3C10")
        rows = duckdb.sql(
            f"""select name, count(*), count("properties.n"), sum("properties.n"), count(distinct messageId)
                from read_parquet('{file}') group by name order by name""").fetchall()
        expected = []
        for name, first in (("Even", 0), ("Odd", 1)):
            numbers = [n for n in range(first, MANY, 2) if n % 3]
            expected.append((name, MANY // 2, len(numbers), sum(numbers), MANY // 2))
        self.assertEqual(rows, expected)
        groups = duckdb.sql(f"select count(distinct row_group_id) from parquet_metadata('{file}')").fetchall()[0][0]
        self.assertGreaterEqual(groups, 2)
        self.assertEqual(len(self.table(chosen)), len([n for n in range(10) if n % 3]))

    def until(self, holds):
        deadline = time.monotonic() + PATIENCE
        while not (found := holds()):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        return found

    def age(self, hour):
        """Gives the file that grows the name of an hour that is over."""
        [growing] = self.archive.glob("*.rows")
        old = growing.with_name(f"2026-01-02T{hour:02}.rows")
        growing.rename(old)
        os.utime(old, (time.time() - 600, time.time() - 600))
        return old

    def test_a_file_of_a_destination_is_whole_or_not_there_when_the_server_is_killed_and_has_the_columns_of_an_export(self):
        import duckdb
        options = ["--files-folder", str(self.folder / "files")]
        self.archive = self.folder / "files" / KEY / "Archive"
        place = f"/api/sources/{KEY}/destinations/Archive"
        ids, kills = [], 0
        for hour in range(2):
            with Server(PROGRAM, self.folder / "data", options=options) as server:
                if hour == 0:
                    status, text = server.send("PUT", place, json.dumps(
                        {"kind": "files", "settings": {"format": "parquet"}, "from": "start"}))
                    self.assertEqual(status, 201, text)
                events = [{"messageId": f"{hour}-{n}", "event": "E", "properties": {"n": n}} for n in range(1_000)]
                self.send(server, events)
                ids += [event["messageId"] for event in events]
                self.until(lambda: any(path.stat().st_size > 50_000 for path in self.archive.glob("*.rows")))
                server.end(signal.SIGKILL)
            old = self.age(hour)
            # Half a line is what a kill in the middle of a write leaves.
            with open(old, "ab") as file:
                file.write(b'{"messageId":"half')
            target = old.with_suffix(".parquet")
            while not target.exists():
                with Server(PROGRAM, self.folder / "data", options=options) as server:
                    self.until(lambda: list(self.archive.glob("*.part")) or target.exists())
                    server.end(signal.SIGKILL)
                    kills += 1
                if kills % 3 == 2:
                    # Enough of kills in this hour.
                    with Server(PROGRAM, self.folder / "data", options=options) as server:
                        self.until(target.exists)
            self.table(target.read_bytes())
        with Server(PROGRAM, self.folder / "data", options=options) as server:
            self.until(lambda: server.get(place)["delivered"] >= len(ids) and server.get(place)["caughtUp"])
            usual = self.table(self.export(server, "format=parquet"))
            server.end(signal.SIGKILL)
        if list(self.archive.glob("*.rows")):
            last = self.age(9).with_suffix(".parquet")
            with Server(PROGRAM, self.folder / "data", options=options):
                self.until(last.exists)
        files = [self.table(path.read_bytes()) for path in sorted(self.archive.glob("*.parquet"))]
        self.assertEqual({str(file.schema) for file in files}, {str(usual.schema)})
        rows = {row["messageId"]: row for file in files for row in file.to_pylist()}
        expected = {row["messageId"]: row for row in usual.to_pylist()}
        self.assertEqual(sorted(rows), sorted(ids))
        for name in ("sequence", "writeKey", "type", "name", "anonymousId", "timestamp", "receivedAt"):
            self.assertEqual({key: row[name] for key, row in rows.items()}, {key: row[name] for key, row in expected.items()}, name)
        counted = duckdb.sql(f"SELECT name, count(DISTINCT messageId) FROM read_parquet('{self.archive}/*.parquet') GROUP BY name")
        self.assertEqual(counted.fetchall(), [("E", len(ids))])

    def test_no_events_and_what_is_refused(self):
        with Server(PROGRAM, self.folder / "data") as server:
            self.assertEqual(self.table(self.export(server, "format=parquet")).num_rows, 0)
            for query in ("columns=a:float", "columns=a,,b", "columns=a,a:int64", "page=true"):
                status, answer = server.send("GET", "/api/export?format=parquet&" + query)
                self.assertEqual(status, 400, answer)
                self.assertIn(b'"error"', answer)


if __name__ == "__main__":
    unittest.main()
