"""Opens the golden folders of all versions with the present programs, and compares what is there with what their version read.

TRIBUTARY_BIN is the program; `storefront` lies beside it. scripts/golden makes a folder.
"""

import base64
import contextlib
import datetime
import functools
import gzip
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from clients_test import PROGRAM  # noqa: E402
from golden import (  # noqa: E402
    DAYS, GOLDEN, OPTIONS, Reader, at, build_clock, command, config_files, digest, read, summary, unpack)
from server import KEY, PATIENCE, Server  # noqa: E402

STOREFRONT = str(Path(PROGRAM).parent / "storefront")
VERSIONS = sorted(path.name for path in GOLDEN.iterdir() if path.is_dir())


def of_each_version(test):
    """Runs a test with the folder of each version."""
    @functools.wraps(test)
    def run(self):
        self.assertTrue(VERSIONS, "there is no golden folder")
        for version in VERSIONS:
            with self.subTest(version=version):
                self.version = GOLDEN / version
                self.expected = json.loads((self.version / "expected.json").read_text())
                test(self)
    return run


class GoldenTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="tributary-clock-")
        cls.addClassCleanup(folder.cleanup)
        cls.clock = build_clock(folder.name)
        if cls.clock is None:
            raise unittest.SkipTest("there is no C compiler for a clock that stands at the days of the folders")

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-golden-test-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def copy(self, name):
        """A copy of an archive."""
        return unpack(self.version / f"{name}.tar.gz", tempfile.mkdtemp(dir=self.folder) + "/" + name)

    def doctor(self, data):
        return subprocess.run([PROGRAM, "doctor", data], capture_output=True, text=True, timeout=PATIENCE)

    def read(self, data):
        return read(PROGRAM, data, self.clock, self.expected["workspace"]["auditThrough"])

    def differences(self, lists, without=()):
        """The names of the lists that are not as the version of the folder read them."""
        expected = self.expected["workspace"]["lists"]
        found = summary(lists)
        return {name: (found.get(name), expected[name]) for name in expected
                if name not in without and found.get(name) != expected[name]}

    def assert_all_there(self, ids, expected, text="", allowed=()):
        """None is lost, none is doubled, and no other is there."""
        lost, more = set(expected) - set(ids), set(ids) - set(expected) - set(allowed)
        doubled = {one for one in ids if ids.count(one) > 1}
        self.assertEqual((lost, doubled, more), (set(), set(), set()), text)

    # The workspace

    @of_each_version
    def test_a_data_folder_holds_what_its_version_wrote(self):
        data = self.copy("workspace")
        before = self.doctor(data)
        self.assertEqual(before.returncode, 0, before.stdout)
        waiting = self.expected["workspace"]["waitingRequests"]
        found = re.search(r"fine: the journal holds (\d+) requests", before.stdout)
        # The doctor leaves a folder of an earlier format as it is, and does not count in it.
        if "the next start of the workspace makes" not in before.stdout:
            self.assertGreaterEqual(int(found.group(1)), waiting, before.stdout)
        lists = self.read(data)
        self.assert_all_there([event["messageId"] for event in lists["events"]], self.expected["workspace"]["acknowledged"])
        self.assertEqual(self.differences(lists), {})
        after = self.doctor(data)
        self.assertEqual(after.returncode, 0, after.stdout)

    @of_each_version
    def test_a_repetition_of_an_old_event_is_recognised_and_new_events_are_stored(self):
        data = self.copy("workspace")
        with self.serve(data) as server:
            ids = self.expected["workspace"]["acknowledged"]
            known = [one for one in ids if one.startswith("Order Completed")]
            batch = [{"type": "track", "event": "E", "userId": "u-1", "messageId": one} for one in known + ["new"]]
            self.assertEqual(server.post(*batch), 200)
            hidden = {"type": "track", "event": "E", "userId": "u-suppressed", "messageId": "hidden"}
            old = {"type": "track", "event": "E", "userId": "u-erased", "messageId": "erased",
                   "timestamp": DAYS[1].strftime("%Y-%m-%dT%H:%M:%S.000Z")}
            self.assertEqual(server.post(hidden, old), 200)
            server.settle()
            self.assert_all_there(server.ids(), ids + ["new"])
            server.end(signal.SIGTERM)

    @of_each_version
    def test_a_data_folder_of_a_year_ago_is_read_today(self):
        data = self.copy("workspace")
        later = at(self.clock, DAYS[-1] + datetime.timedelta(days=400))
        with Server(PROGRAM, data, prefix=later, options=["--retain-days", "0", "--without-forwarding"]) as server:
            server.settle()
            self.assert_all_there(server.ids(), self.expected["workspace"]["acknowledged"])
            server.end(signal.SIGTERM)

    @of_each_version
    def test_a_backup_is_restored_with_all_that_it_holds(self):
        data = self.folder + "/restored"
        command(PROGRAM, "restore", self.copy("backup"), data)
        self.assertEqual(self.differences(self.read(data)), {})
        doctor = self.doctor(data)
        self.assertEqual(doctor.returncode, 0, doctor.stdout)
        shutil.rmtree(data)

    @of_each_version
    def test_an_export_is_imported(self):
        lines = gzip.decompress((self.version / "events.ndjson.gz").read_bytes()).decode().splitlines()
        with self.serve(tempfile.mkdtemp(dir=self.folder) + "/empty") as server:
            server.send("POST", "/api/sources", json.dumps({"writeKey": "app-key"}))
            for key in (KEY, "app-key"):
                file = self.folder + "/events.ndjson"
                Path(file).write_text("".join(line + "\n" for line in lines if json.loads(line)["writeKey"] == key))
                command(PROGRAM, "import", file, "--write-key", key, server=server)
            server.settle()
            rows = server.events()
            self.assert_all_there([row["messageId"] for row in rows], self.expected["workspace"]["acknowledged"])
            kept = ("writeKey", "type", "name", "userId", "anonymousId")
            before = {row["messageId"]: [row.get(name) for name in kept] for row in map(json.loads, lines)}
            self.assertEqual({row["messageId"]: [row.get(name) for name in kept] for row in rows}, before)
            server.end(signal.SIGTERM)

    @of_each_version
    def test_a_configuration_is_applied(self):
        config = self.copy("config")
        expected = self.expected["workspace"]["config"]
        self.assertEqual({name: digest(text) for name, text in config_files(config).items()}, expected)
        with self.serve(tempfile.mkdtemp(dir=self.folder) + "/empty") as server:
            command(PROGRAM, "config", "apply", config, "--yes", server=server)
            exported = tempfile.mkdtemp(dir=self.folder) + "/config"
            command(PROGRAM, "config", "export", exported, server=server)
            server.end(signal.SIGTERM)
        self.assert_contains(json.loads(config_files(exported)["workspace.json"]), json.loads(config_files(config)["workspace.json"]))
        others = {name: text for name, text in config_files(config).items() if name != "workspace.json"}
        self.assertEqual({name: config_files(exported).get(name) for name in others}, others)

    def assert_contains(self, found, expected, place=""):
        """Members that a later version adds do not matter."""
        if isinstance(expected, dict) and isinstance(found, dict):
            for name, value in expected.items():
                self.assertIn(name, found, place)
                self.assert_contains(found[name], value, f"{place}.{name}")
        else:
            self.assertEqual(found, expected, place)

    def last_day(self):
        return at(self.clock, DAYS[-1] + datetime.timedelta(hours=2))

    def serve(self, data):
        files = tempfile.mkdtemp(dir=self.folder)
        return Server(PROGRAM, data, prefix=self.last_day(), options=[*OPTIONS, "--files-folder", files])

    @of_each_version
    def test_the_check_before_an_upgrade_reads_the_folder(self):
        answer = json.loads(command(PROGRAM, "upgrade", "--check", self.copy("workspace"), "--json"))
        self.assertTrue(answer["readable"], answer)
        self.assertTrue(all(part["formats"] for part in answer["parts"]), answer)

    # Clients

    def deliver(self, storage, key):
        """The events that a server has when the present client has sent everything from a folder."""
        data = tempfile.mkdtemp(dir=self.folder) + "/receiving"
        with Server(PROGRAM, data, prefix=self.last_day(), options=["--write-key", key]) as server:
            run = self.shop(storage, key, server.url, "--resume")
            server.settle()
            rows = server.events()
            server.end(signal.SIGTERM)
        return run, rows

    def shop(self, storage, key, url, *options):
        """A run of the shop, on the day of its folder: it drops events that are too old."""
        return subprocess.run([*self.last_day(), STOREFRONT, "--storage", storage, "--write-key", key, "--server", url, *options],
                              capture_output=True, text=True, timeout=PATIENCE)

    @unittest.skipUnless(os.access(STOREFRONT, os.X_OK), "storefront is not built")
    @of_each_version
    def test_a_client_delivers_what_waits(self):
        for name in ("queue", "first"):
            client = self.expected["clients"][name]
            run, rows = self.deliver(self.copy("client-" + name), client["key"])
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            self.assert_all_there([row["messageId"] for row in rows], client["waiting"], name)

    @unittest.skipUnless(os.access(STOREFRONT, os.X_OK), "storefront is not built")
    @of_each_version
    def test_a_client_without_a_network_uses_the_settings_and_the_scripts_of_its_folder(self):
        client = self.expected["clients"]["queue"]
        storage = self.copy("client-queue")
        file = self.folder + "/new.ndjson"
        events = [{"type": "track", "event": name, "messageId": name, "userId": "u-1",
                   "timestamp": "2026-11-24T10:00:00.000Z"} for name in ("New", "Test")]
        Path(file).write_text("".join(json.dumps(event) + "\n" for event in events))
        run = self.shop(storage, client["key"], "http://127.0.0.1:9", "--events", file, "--flush-timeout", "2")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        _, rows = self.deliver(storage, client["key"])
        # A filter of the folder drops the event Test, and the script of the folder marks the other one.
        self.assert_all_there([row["messageId"] for row in rows], client["waiting"] + ["New"], run.stdout)
        marked = {row["messageId"]: row["event"]["properties"].get("golden") for row in rows if row["type"] == "track"}
        self.assertEqual(marked["New"], 1, run.stdout)
        self.assertEqual({row["anonymousId"] for row in rows}, {client["device"]})

    @unittest.skipUnless(os.access(STOREFRONT, os.X_OK), "storefront is not built")
    @of_each_version
    def test_a_client_delivers_what_waited_for_consent(self):
        for name in ("consent-pending", "consent-moving"):
            client = self.expected["clients"][name]
            run, rows = self.deliver(self.copy("client-" + name), client["key"])
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            keys = [row["event"]["properties"]["key"] for row in rows if row["type"] == "track"]
            must = set(client["tracked"]) - set(client["delivered"])
            self.assert_all_there(keys, must, name, allowed=set(client["begun"]) | set(client["delivered"]))

    def examine(self, storage, *options):
        """What the doctor of clients says about a folder, in which it must change nothing."""
        def state():
            return {path: (path.stat().st_mtime_ns, path.stat().st_ctime_ns, path.stat().st_mode,
                           path.read_bytes() if path.is_file() else None) for path in [Path(storage), *Path(storage).rglob("*")]}
        before = state()
        run = subprocess.run(
            [PROGRAM, "doctor", "client", storage, "--json", *options], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(state(), before)
        self.assertEqual(run.stderr, "")
        client, = json.loads(run.stdout)["clients"]
        problems = [finding["text"] for finding in client["findings"] if finding["kind"] == "problem"]
        self.assertEqual(run.returncode, 1 if problems else 0)
        return client, problems

    @of_each_version
    def test_the_doctor_of_clients_counts_what_waits_and_what_was_refused(self):
        for name, expected in self.expected["clients"].items():
            client, problems = self.examine(self.copy("client-" + name))
            self.assertEqual(client["writeKey"], expected["key"])
            self.assertEqual([text for text in problems if "damaged" in text or "missing" in text], [], name)
            count = {log: sum(queue[log]["events"] for queue in client["queues"])
                     for log in ("inbox", "outbox", "pending", "dead-letters")}
            self.assertEqual(count["dead-letters"], len(expected.get("deadLetters", [])), name)
            # Events may be in the inbox and in the outbox.
            waiting = expected.get("waiting", [])
            self.assertGreaterEqual(count["inbox"] + count["outbox"], len(waiting), name)
            if name == "consent-pending":
                self.assertGreaterEqual(count["pending"], len(expected["tracked"]))
                self.assertTrue(any("for the user's decision on consent" in text for text in problems), problems)

    @of_each_version
    def test_the_doctor_of_clients_knows_the_stored_live_plugins_and_what_became_of_them(self):
        storage = self.copy("client-queue")
        folder = Path(storage, "tributary/WK")
        client, problems = self.examine(storage)
        self.assertEqual((client["livePlugins"]["version"], client["livePlugins"]["signed"]), (1, False))
        self.assertTrue(any("could not deliver to http://127.0.0.1" in text for text in problems), problems)
        key = base64.b64encode(bytes(31) + b"\x01").decode()
        _, problems = self.examine(storage, "--public-key", key)
        self.assertIn("live plugins 1 are not signed", problems)
        entry = {"version": "1", "sha256": client["livePlugins"]["sha256"], "reason": "it ended the process"}
        (folder / "live-plugins-quarantine.json").write_text(json.dumps({"format": 1, "bundles": [entry]}))
        _, problems = self.examine(storage)
        self.assertIn("live plugins 1 do not run on this device any more: it ended the process", problems)
        bundle = json.loads((folder / "live-plugins.json").read_text())
        (folder / "live-plugins.json").write_text(json.dumps(bundle | {"source": "1"}))
        _, problems = self.examine(storage)
        self.assertIn("live-plugins.json is damaged: its script was changed after it was stored", problems)

    # These tests can fail

    @of_each_version
    def test_a_planted_mistake_is_noticed(self):
        mistakes = {
            "destinations": "DELETE FROM destination WHERE name = 'Lake'",
            "dead letters": "DELETE FROM undelivered WHERE deadAt IS NOT NULL",
            "suppressions": "DELETE FROM suppression WHERE kind = 'user'",
            "plans": "UPDATE source SET plan = x'7b7d'",
            "keys": "DELETE FROM sourceKey WHERE key = 'WK-3'",
            "rollouts": "UPDATE rollout SET state = 'ended'",
            "audit": "DELETE FROM audit WHERE sequence = 3",
        }
        of_a_day = {
            "events": "UPDATE event SET userId = 'other' WHERE messageId = 'page-1'",
            "signals": "DELETE FROM signal WHERE rowid = (SELECT min(rowid) FROM signal)",
            "rejected": "DELETE FROM rejected",
        }
        data = self.copy("workspace")
        for file, statements in (("workspace", mistakes), (f"days/{DAYS[1]:%Y-%m-%d}", of_a_day)):
            with contextlib.closing(sqlite3.connect(f"{data}/{file}.sqlite")) as database:
                for statement in statements.values():
                    self.assertGreater(database.execute(statement).rowcount, 0, statement)
                database.commit()
        found = self.differences(self.read(data))
        self.assertLessEqual({**mistakes, **of_a_day}.keys(), found.keys())

    @of_each_version
    def test_a_lost_request_is_noticed(self):
        data = self.copy("workspace")
        segment = max(Path(data, "journal").glob("*.tjl"), key=lambda path: path.name)
        content = segment.read_bytes()
        # A request that was acknowledged is cut off, and all behind it.
        segment.write_bytes(content[:content.rindex(b"waiting 0-3")])
        ids = [event["messageId"] for event in self.read(data)["events"]]
        with self.assertRaisesRegex(AssertionError, "waiting 0-3"):
            self.assert_all_there(ids, self.expected["workspace"]["acknowledged"])

    def test_a_folder_that_is_there_is_not_replaced(self):
        version = command(PROGRAM, "--version").strip()
        if version not in VERSIONS:
            self.skipTest(f"there is no folder of {version}")
        before = {path.name: path.read_bytes() for path in (GOLDEN / version).iterdir()}
        maker = Path(__file__).parent / "golden_make.py"
        run = subprocess.run([sys.executable, maker, "--program", PROGRAM, "--storefront", STOREFRONT, "--probe", "none"],
                             capture_output=True, text=True, timeout=PATIENCE)
        self.assertIn("a golden folder stays as its version made it", run.stderr)
        self.assertNotEqual(run.returncode, 0)
        self.assertEqual({path.name: path.read_bytes() for path in (GOLDEN / version).iterdir()}, before)

    @unittest.skipUnless(os.access(STOREFRONT, os.X_OK), "storefront is not built")
    @of_each_version
    def test_a_lost_event_of_a_client_is_noticed(self):
        storage = self.copy("client-queue")
        segments = [path for path in Path(storage).rglob("*.tjl") if path.parent.name in ("inbox", "outbox")]
        fullest = max(segments, key=lambda path: len(path.read_bytes().rstrip(b"\0")))
        content = fullest.read_bytes()
        fullest.write_bytes(content[:len(content.rstrip(b"\0")) // 2])
        client = self.expected["clients"]["queue"]
        _, rows = self.deliver(storage, client["key"])
        with self.assertRaisesRegex(AssertionError, "client-"):
            self.assert_all_there([row["messageId"] for row in rows], client["waiting"])


if __name__ == "__main__":
    unittest.main()
