"""The commands of destinations of the kinds postgres and clickhouse, with real databases.

TRIBUTARY_BIN is the program. The databases: scripts/bootstrap warehouse.
"""

import os
import signal
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import clickhouse  # noqa: E402
from clients_test import PROGRAM  # noqa: E402
from postgres import DATABASE, MISSING, PASSWORD, USER, Postgres, programs  # noqa: E402
from server import KEY, PATIENCE, TOKEN, Server, track  # noqa: E402


class CommandsTest(unittest.TestCase):
    """A workspace of its own for each test."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="tributary-warehouse-test-", ignore_cleanup_errors=True)
        self.addCleanup(self.folder.cleanup)
        self.schema = self.id().rsplit(".", 1)[1][:50]
        self.server = Server(PROGRAM, self.folder.name + "/data")
        self.addCleanup(self.server.__exit__)

    def command(self, *words, status=0, variables=None):
        done = subprocess.run(
            [PROGRAM, "destination", words[0], "Lake", *words[1:], "--server", self.server.url,
             "--write-key", KEY],
            env=os.environ | {"TRIBUTARY_ADMIN_TOKEN": TOKEN} | (variables or {}), capture_output=True, text=True, check=False,
            timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def wait(self, count):
        deadline = time.monotonic() + PATIENCE
        while True:
            destination = self.server.get(f"/api/sources/{KEY}/destinations/Lake")
            if destination["delivered"] == count and destination["caughtUp"]:
                return
            self.assertLess(time.monotonic(), deadline, destination)
            time.sleep(0.1)


@unittest.skipIf(programs() is None, MISSING)
class WarehouseTest(CommandsTest):
    @classmethod
    def setUpClass(cls):
        cls.postgres = Postgres()
        cls.addClassCleanup(cls.postgres.stop)

    def add(self, *words, **options):
        return self.command("add", "--postgres", "127.0.0.1", "--port", str(self.postgres.port), "--database", DATABASE, "--user",
                            USER, "--schema", self.schema, "--tls", "disable", "--from-start", *words, **options)

    def test_commands_make_test_and_change_a_warehouse(self):
        self.assertEqual(self.server.post(*[track(f"m-{number}", properties={"n": number}) for number in range(5)]), 200)
        password = Path(self.folder.name, "password")
        password.write_text("wrong\n")
        self.add("--secret-file", str(password))
        answer = self.command("test", status=1)
        self.assertIn("password authentication failed", answer)
        password.write_text(PASSWORD + "\n")
        self.command("set", "--secret-file", str(password))
        self.assertIn("accepted: PostgreSQL", self.command("test"))
        self.wait(5)
        self.assertEqual(self.postgres.query(f"SELECT sum(n) FROM {self.schema}.e"), [["10"]])
        shown = self.command("show")
        self.assertIn(self.schema, shown)
        self.assertNotIn(PASSWORD, shown)

    def test_the_password_can_be_in_the_environment(self):
        self.add(variables={"TRIBUTARY_POSTGRES_PASSWORD": PASSWORD})
        self.assertIn("accepted", self.command("test"))

    def test_a_server_without_libpq_says_what_to_install(self):
        # A library of that name without the functions is as good as none.
        empty = Path(self.folder.name, "empty.c")
        empty.write_text("")
        library = Path(self.folder.name, "libpq.so.5")
        if subprocess.run(["cc", "-shared", "-o", library, empty], capture_output=True, check=False).returncode:
            self.skipTest("there is no C compiler")
        self.server.__exit__()
        self.server = Server(PROGRAM, self.folder.name + "/other", prefix=["env", f"LD_LIBRARY_PATH={self.folder.name}"])
        self.addCleanup(self.server.__exit__)
        self.add(variables={"TRIBUTARY_POSTGRES_PASSWORD": PASSWORD})
        self.assertIn("apt install libpq5", self.command("test", status=1))

    def test_the_connection_is_encrypted_and_the_server_proves_its_name(self):
        postgres = Postgres()
        self.addCleanup(postgres.stop)
        certificate = postgres.begin_tls()
        place = ["add", "--postgres", "127.0.0.1", "--port", str(postgres.port), "--database", DATABASE, "--user", USER]
        variables = {"TRIBUTARY_POSTGRES_PASSWORD": PASSWORD}
        self.command(*place, variables=variables)
        self.assertIn("certificate verify failed", self.command("test", status=1))
        self.command("set", "--tls", "require")
        self.assertIn("accepted", self.command("test"))
        self.server.__exit__()
        self.server = Server(PROGRAM, self.folder.name + "/trusting", prefix=["env", f"SSL_CERT_FILE={certificate}"])
        self.addCleanup(self.server.__exit__)
        self.command(*place, variables=variables)
        self.assertIn("accepted", self.command("test"))
        # The certificate is for the address alone.
        self.command("set", "--postgres", "localhost")
        self.assertIn("does not match host name", self.command("test", status=1))

    def test_the_server_stops_at_once_beside_a_database_that_hangs(self):
        self.add(variables={"TRIBUTARY_POSTGRES_PASSWORD": PASSWORD})
        self.assertEqual(self.server.post(track("m-1")), 200)
        self.wait(1)
        blocker = subprocess.Popen(
            ["psql", "--quiet", "--host", "127.0.0.1", "--port", str(self.postgres.port), "--username", USER, "--dbname", DATABASE,
             "--command", f"BEGIN; LOCK TABLE {self.schema}.tracks; SELECT pg_sleep(60)"],
            env=os.environ | {"PGPASSWORD": PASSWORD}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(blocker.wait)
        self.addCleanup(blocker.kill)
        locks = f"SELECT count(*) FROM pg_locks WHERE relation = '{self.schema}.tracks'::regclass"
        deadline = time.monotonic() + PATIENCE
        while self.postgres.number(locks) == 0:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        self.assertEqual(self.server.post(track("m-2")), 200)
        while self.postgres.number(locks) < 2:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        began = time.monotonic()
        self.server.end(15)
        self.assertLess(time.monotonic() - began, 10)


@unittest.skipIf(clickhouse.python() is None, clickhouse.MISSING)
class ClickHouseTest(CommandsTest):
    @classmethod
    def setUpClass(cls):
        cls.clickhouse = clickhouse.ClickHouse()
        cls.addClassCleanup(cls.clickhouse.stop)

    def add(self, *words, **options):
        return self.command("add", "--clickhouse", self.clickhouse.url, "--database", self.schema, "--from-start", *words, **options)

    def test_commands_make_test_and_change_a_warehouse(self):
        self.assertEqual(self.server.post(*[track(f"m-{number}", properties={"n": number}) for number in range(5)]), 200)
        password = Path(self.folder.name, "password")
        password.write_text("guess-word\n")
        self.add("--secret-file", str(password))
        answer = self.command("test", status=1)
        self.assertIn("516", answer)
        self.assertIn("Authentication failed", answer)
        self.assertNotIn("guess-word", answer)
        password.write_text(clickhouse.PASSWORD + "\n")
        self.command("set", "--secret-file", str(password))
        self.assertIn("accepted: ClickHouse", self.command("test"))
        self.wait(5)
        self.assertEqual(self.clickhouse.query(f"SELECT sum(n) FROM {self.schema}.e"), [["10"]])
        shown = self.command("show")
        self.assertIn(self.clickhouse.url, shown)
        self.assertIn(self.schema, shown)
        self.assertNotIn(clickhouse.PASSWORD, shown)
        # What arrives while the server is away is waited for, and comes later.
        self.clickhouse.kill()
        self.assertEqual(self.server.post(track("m-5", properties={"n": "text"})), 200)
        deadline = time.monotonic() + PATIENCE
        while "no answer from" not in (self.server.get(f"/api/sources/{KEY}/destinations/Lake")["reason"] or ""):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        self.clickhouse.start()
        self.wait(6)
        self.assertEqual(self.clickhouse.query(f"SELECT n FROM {self.schema}.e ORDER BY n"), [[n] for n in ["0", "1", "2", "3", "4", "text"]])

    def test_the_password_can_be_in_the_environment(self):
        self.add(variables={"TRIBUTARY_CLICKHOUSE_PASSWORD": clickhouse.PASSWORD})
        self.assertIn("accepted", self.command("test"))

    def test_an_address_of_something_else_is_named(self):
        self.command("add", "--clickhouse", self.server.url, "--database", self.schema)
        self.assertIn("what answers is no ClickHouse", self.command("test", status=1))

    @unittest.skipIf(shutil.which("clickhouse-server") is None, "there is no clickhouse-server (scripts/bootstrap cluster)")
    def test_a_server_that_is_too_old_says_so(self):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            port = listener.getsockname()[1]
        folder = Path(self.folder.name, "old")
        folder.mkdir()
        Path(folder, "users.xml").write_text(
            "<yandex><profiles><default/></profiles><quotas><default/></quotas><users><default><password></password>"
            "<networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>")
        Path(folder, "config.xml").write_text(
            f"<yandex><logger><level>none</level></logger><listen_host>127.0.0.1</listen_host><http_port>{port}</http_port>"
            f"<path>{folder}/data/</path><tmp_path>{folder}/tmp/</tmp_path><users_config>{folder}/users.xml</users_config>"
            "<mark_cache_size>1000000</mark_cache_size></yandex>")
        old = subprocess.Popen(["clickhouse-server", "--config-file", folder / "config.xml"], cwd=folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(old.wait)
        self.addCleanup(old.send_signal, signal.SIGKILL)
        deadline = time.monotonic() + PATIENCE
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            self.assertIsNone(old.poll(), "the old server does not start")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        self.command("add", "--clickhouse", f"http://127.0.0.1:{port}")
        answer = self.command("test", status=1)
        self.assertRegex(answer, r"the server is ClickHouse \d+\.\S+; a warehouse needs version 22\.8 or later")


if __name__ == "__main__":
    unittest.main()
