"""Countries of events, from a database of addresses that the operator gives and replaces.

TRIBUTARY_BIN is the program. With mmdblookup, the program of libmaxminddb, both are compared.
"""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import mmdb  # noqa: E402
from clients_test import PROGRAM  # noqa: E402
from server import KEY, PATIENCE, TOKEN, Server, track  # noqa: E402


class CountriesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-countries-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "countries.mmdb"
        self.errors = (self.folder / "errors").open("w+")
        self.addCleanup(self.errors.close)

    def serve(self, *options, **more):
        server = Server(
            PROGRAM, str(self.folder / "data"), options=["--country-database", str(self.file), *options],
            errors=self.errors, **more)
        self.addCleanup(server.__exit__)
        return server

    def replace(self, networks):
        new = self.folder / "new"
        new.write_bytes(mmdb.countries(networks))
        new.rename(self.file)

    def log(self):
        return (self.folder / "errors").read_text()

    def wait(self, condition):
        deadline = time.monotonic() + PATIENCE
        while not (found := condition()):
            self.assertLess(time.monotonic(), deadline, self.log())
            time.sleep(0.05)
        return found

    def countries(self, server):
        server.settle()
        found = {}
        for row in server.events():
            found[row["messageId"]] = row["event"].get("context", {}).get("location", {}).get("country")
        return found

    def command(self, server, *words):
        done = subprocess.run(
            [PROGRAM, *words, "--server", server.url], env=os.environ | {"TRIBUTARY_ADMIN_TOKEN": TOKEN}, capture_output=True,
            text=True, check=False, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_a_file_is_replaced_damaged_and_taken_away_while_the_server_runs(self):
        self.replace({"127.0.0.0/8": "DE"})
        server = self.serve()
        self.assertEqual(server.post(track("first")), 200)
        self.assertIn("countries come from this database", self.log())

        self.replace({"127.0.0.0/8": "FR"})
        self.wait(lambda: "another database now" in self.log())
        self.assertEqual(server.post(track("second")), 200)

        # Written over in place, and cut: a program that maps the file would die.
        self.file.write_bytes(self.file.read_bytes()[:-200])
        self.wait(lambda: server.get("/api/server")["countries"]["problem"])
        self.file.write_bytes(b"")
        self.assertEqual(server.post(track("third")), 200)

        self.file.unlink()
        self.wait(lambda: "there is no such file" in server.get("/api/server")["countries"]["problem"])
        self.assertEqual(server.post(track("fourth")), 200)
        self.assertIn(b"tributary_country_database_refused 1", server.send("GET", "/metrics", headers={
            "Authorization": f"Bearer {TOKEN}"})[1])

        self.replace({"127.0.0.0/8": "ES"})
        self.wait(lambda: server.get("/api/server")["countries"]["problem"] is None)
        self.assertEqual(server.post(track("fifth")), 200)
        self.assertEqual(
            self.countries(server), {"first": "DE", "second": "FR", "third": "FR", "fourth": "FR", "fifth": "ES"})

    def test_a_request_keeps_its_country_when_it_is_indexed_with_another_database(self):
        self.replace({"127.0.0.0/8": "DE", "203.0.113.0/24": "IT"})
        server = self.serve()
        self.assertEqual(server.post(track("before")), 200)
        server.settle()
        # The databases cannot be written, so what is acknowledged from now on waits in the journal.
        blocker = subprocess.Popen(
            [sys.executable, "-c", BLOCKER, str(self.folder / "data")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (blocker.kill(), blocker.wait(), blocker.stdin.close(), blocker.stdout.close()))
        self.assertEqual(blocker.stdout.readline(), "blocked\n")
        self.assertEqual(server.post(track("waits"), track("own", context={"ip": "203.0.113.4"})), 200)
        self.wait(lambda: server.get("/v1/ready")["waitingRequests"] == 1 and "cannot be stored now" in self.log())
        server.end(signal.SIGKILL)
        blocker.kill()
        blocker.wait()
        self.replace({"127.0.0.0/8": "FR", "203.0.113.0/24": "FR"})
        server = self.serve()
        self.assertEqual(self.countries(server), {"before": "DE", "waits": "DE", "own": "IT"})

    def test_a_file_that_cannot_be_used_ends_the_start(self):
        for content, words in ((None, "there is no such file"), (b"text", "no database in MaxMind's format"),
                               (mmdb.database({"10.0.0.0/8": {"asn": "AS1"}}, kind="Some-ASN"), "no countries (Some-ASN)")):
            if content is not None:
                self.file.write_bytes(content)
            done = subprocess.run(
                [PROGRAM, "serve", "--port", "0", "--data", str(self.folder / "data"), "--country-database", str(self.file)],
                capture_output=True, text=True, check=False, timeout=PATIENCE)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(words, done.stderr)
            self.assertIn(str(self.file), done.stderr)

    def test_the_file_may_be_named_in_the_environment_and_in_the_configuration(self):
        self.replace({"127.0.0.0/8": "DE"})
        configuration = self.folder / "server.json"
        configuration.write_text(json.dumps({"country-database": str(self.file)}))
        for options, variables in ((["--config", str(configuration)], {}), ([], {"TRIBUTARY_COUNTRY_DATABASE": str(self.file)})):
            with unittest.mock.patch.dict(os.environ, variables):
                server = Server(PROGRAM, str(self.folder / "data"), options=options)
            try:
                self.assertEqual(server.get("/api/server")["countries"]["type"], "Test-Country")
            finally:
                server.end(signal.SIGTERM)

    def test_commands_change_the_policy_and_find_events_by_country(self):
        self.replace({"127.0.0.0/8": "DE", "203.0.113.0/24": "IT"})
        server = self.serve()
        self.assertEqual(server.post(track("home"), track("away", context={"ip": "203.0.113.9"})), 200)
        server.settle()
        found = self.command(server, "events", "--where", "context.location.country=IT", "--json")
        self.assertEqual([json.loads(line)["messageId"] for line in found.splitlines()], ["away"])
        counted = self.command(server, "breakdown", "--write-key", KEY, "--property", "context.location.country")
        self.assertRegex(counted, r"(?s)DE.*IT|IT.*DE")

        self.command(server, "policy", "--write-key", KEY, "--ip", "drop")
        self.assertEqual(server.post(track("dropped")), 200)
        self.command(server, "policy", "--write-key", KEY, "--country", "connection")
        self.assertEqual(server.post(track("asked", context={"ip": "203.0.113.9"})), 200)
        countries = self.countries(server)
        self.assertEqual((countries["dropped"], countries["asked"]), (None, "IT"))
        text = json.dumps([row for row in server.events() if row["messageId"] == "asked"])
        self.assertNotIn("203.0.113.9", text)

    def test_a_live_plugin_in_the_workspace_sees_the_country(self):
        self.replace({"127.0.0.0/8": "DE"})
        server = self.serve()
        plugin = self.folder / "plugin.js"
        plugin.write_text("""
            class Region extends LivePlugin {
              track(event) {
                event.properties = { region: event.context.location.country === "DE" ? "EU" : "other" };
                return event;
              }
            }
            let region = new Region(LivePluginType.enrichment, null);
            analytics.add(region);
        """)
        self.command(server, "plugin", "deploy", str(plugin), "--write-key", KEY, "--where", "workspace")
        self.assertEqual(server.post(track("m")), 200)
        server.settle()
        self.assertEqual([row["event"]["properties"] for row in server.events()], [{"region": "EU"}])

    @unittest.skipIf(shutil.which("mmdblookup") is None, "no program mmdblookup (on Debian: apt install mmdb-bin)")
    def test_countries_are_those_of_the_library_of_the_format(self):
        chance = random.Random(7)
        codes = ["DE", "FR", "IT", "ES", "SE"]
        networks = {"0.0.0.0/1": "US"}
        for bits in (8, 12, 16, 24, 29):
            for _ in range(40):
                address = chance.getrandbits(32) >> (32 - bits) << (32 - bits)
                networks[f"{'.'.join(str(address >> shift & 255) for shift in (24, 16, 8, 0))}/{bits}"] = chance.choice(codes)
        networks["2001:db8::/32"] = "PT"
        addresses = [re.sub(r"\d+/\d+$", str(chance.randrange(256)), network) for network in networks if "." in network]
        addresses += ["2001:db8::1", "2001:db9::1", "127.0.0.1", "::1"]
        for record_bits in (24, 28, 32):
            self.file.write_bytes(mmdb.countries(networks, record_bits=record_bits))
            expected = {}
            for address in addresses:
                answer = subprocess.run(
                    ["mmdblookup", "--file", str(self.file), "--ip", address, "country", "iso_code"],
                    capture_output=True, text=True, check=False, timeout=PATIENCE)
                code = re.search(r'"(\w\w)"', answer.stdout)
                expected[address] = code and code[1]
            self.assertGreater(len(set(expected.values())), 5)
            server = self.serve()
            try:
                prefix = f"{record_bits}-"
                self.assertEqual(
                    server.post(*[track(prefix + address, context={"ip": address}) for address in addresses]), 200)
                found = self.countries(server)
                self.assertEqual({address: found[prefix + address] for address in addresses}, expected)
            finally:
                server.end(signal.SIGTERM)


# Holds all databases, those of the days, too, so that the server stores nothing.
BLOCKER = """
import pathlib, sqlite3, sys
bases = [sqlite3.connect(file, isolation_level=None) for file in pathlib.Path(sys.argv[1]).rglob("*.sqlite")]
for base in bases:
    base.execute("BEGIN IMMEDIATE")
print("blocked", flush=True)
sys.stdin.read()
"""

if __name__ == "__main__":
    unittest.main()
