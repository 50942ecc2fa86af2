"""The workspace in operation: https, and a stop while requests are under way.

TRIBUTARY_BIN is the program.
"""

import http.client
import json
import os
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from clients_test import PACKAGES, PROGRAM, install_python_client  # noqa: E402
from server import KEY, PATIENCE, TOKEN, Server, track  # noqa: E402


class OperationTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-operation-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.data = folder.name + "/data"

    def serve(self, *options):
        server = Server(PROGRAM, self.data, options=options)
        self.addCleanup(server.__exit__)
        return server

    def test_requests_under_way_are_answered_before_the_end(self):
        server = self.serve()
        body = json.dumps({"batch": [track("slow")], "writeKey": KEY}).encode()
        connections = []
        for _ in range(5):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
            self.addCleanup(connection.close)
            connection.sendall(
                b"POST /v1/b HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                % len(body) + body[:10])
            connections.append(connection)
        # An answer on another connection: the heads above were read, or will be by the same loop.
        self.assertEqual(server.post(track("before")), 200)
        server.process.send_signal(signal.SIGTERM)
        self.wait_until_closed(server.port)
        answers = []
        for connection in connections:
            connection.sendall(body[10:])
            answer = b""
            while chunk := connection.recv(4096):
                answer += chunk
                if b'{"success":true}' in answer:
                    break
            answers.append(answer)
        self.assertEqual(server.process.wait(PATIENCE), 0)
        server.process.stdout.close()
        taken = [b" 200 OK" in answer and b'{"success":true}' in answer for answer in answers]
        self.assertEqual(taken, [True] * 5, answers)
        self.assertEqual(sorted(self.serve().ids()), ["before", "slow"])

    def test_an_erasure_that_the_end_of_the_server_interrupts_is_in_the_audit_log(self):
        server = self.serve()
        self.assertEqual(server.post(track("of the user", userId="u-1")), 200)
        self.assertEqual(server.ids(), ["of the user"])
        day = sqlite3.connect(next(Path(self.data, "days").glob("*.sqlite")), isolation_level=None)
        self.addCleanup(day.close)
        # Nobody can delete anything of that day meanwhile.
        day.execute("BEGIN IMMEDIATE")

        def erase():
            try:
                server.send("DELETE", "/api/users/u-1")
            except (OSError, http.client.HTTPException):
                pass  # The server may end before it has answered.

        thread = threading.Thread(target=erase)
        thread.start()
        deadline = time.monotonic() + PATIENCE
        while self.last_entry(server)["action"] != "erasure of a user begun":
            self.assertLess(time.monotonic(), deadline)
        server.end(signal.SIGTERM)
        thread.join(PATIENCE)
        day.execute("ROLLBACK")
        again = self.serve()
        entry = self.last_entry(again)
        self.assertEqual((entry["action"], entry["details"]["finished"]), ("user erased", False))
        self.assertEqual(again.ids(), ["of the user"])
        self.assertEqual(again.send("DELETE", "/api/users/u-1")[0], 200)
        self.assertEqual(again.ids(), [])

    @staticmethod
    def last_entry(server):
        return server.get("/api/audit")["entries"][0]

    def wait_until_closed(self, port):
        """Returns when nobody is let in any more."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
            except OSError:
                return
        self.fail("the server goes on listening")

    @unittest.skipIf(shutil.which("curl") is None, "curl is not installed")
    def test_https_with_curl(self):
        server = self.serve("--tls-development")
        certificate = self.data + "/development-certificate.pem"
        body = json.dumps({"batch": [track("tls")], "writeKey": KEY})

        def curl(*arguments):
            return subprocess.run(
                ["curl", "--silent", "--max-time", str(PATIENCE), *arguments], capture_output=True, text=True)

        for host in ("localhost", "127.0.0.1"):
            url = f"https://{host}:{server.port}"
            self.assertEqual(curl("--cacert", certificate, "-d", body, f"{url}/v1/b").stdout, '{"success":true}')
            settings = json.loads(curl("--cacert", certificate, f"{url}/v1/projects/{KEY}/settings").stdout)
            self.assertEqual(settings["integrations"]["Segment.io"]["apiHost"], f"{host}:{server.port}/v1")
            # Without the file nobody trusts it.
            self.assertNotEqual(curl(f"{url}/health").returncode, 0)
        login = curl("--cacert", certificate, "-D", "-", "-d", f"token={TOKEN}", f"https://localhost:{server.port}/login")
        self.assertIn("; Secure", login.stdout)
        # Browsers would ask every server of this machine for https from then on.
        self.assertNotIn("Strict-Transport-Security", login.stdout)
        self.assertEqual(oct(os.stat(self.data + "/development-key.pem").st_mode & 0o777), "0o600")
        # Who speaks plain http gets nothing, and does no harm.
        self.assertNotEqual(curl(f"http://localhost:{server.port}/health").returncode, 0)
        rows = curl("--cacert", certificate, "-H", f"Authorization: Bearer {TOKEN}",
                    f"https://localhost:{server.port}/api/events").stdout
        self.assertEqual([row["messageId"] for row in json.loads(rows)["events"]], ["tls"])
        server.end(signal.SIGTERM)
        # The certificate stays, so clients that trust it go on; given by name it serves as well.
        again = self.serve("--tls-certificate", certificate, "--tls-key", self.data + "/development-key.pem")
        context = ssl.create_default_context(cafile=certificate)
        with socket.create_connection(("localhost", again.port), timeout=PATIENCE) as plain:
            with context.wrap_socket(plain, server_hostname="localhost") as secured:
                self.assertIn(secured.version(), ("TLSv1.2", "TLSv1.3"))

    def command(self, *arguments, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SSL_CERT")}
        return subprocess.run(
            [PROGRAM, *arguments], capture_output=True, text=True, timeout=PATIENCE,
            env=environment | {"TRIBUTARY_ADMIN_TOKEN": TOKEN} | variables)

    def test_commands_speak_https_to_a_certificate_for_development(self):
        server = self.serve("--tls-development")
        certificate = self.data + "/development-certificate.pem"
        address = ["--server", f"https://localhost:{server.port}"]
        events = Path(self.data).parent / "events.ndjson"
        events.write_text(json.dumps(track("m-1")) + "\n")
        trust = ["--certificate-authority", certificate]
        run = self.command("import", str(events), "--write-key", KEY, *address, *trust)
        self.assertEqual(run.returncode, 0, run.stderr)
        for arguments, variables in [(trust, {}), ([], {"SSL_CERT_FILE": certificate})]:
            run = self.command("export", "-", *address, *arguments, **variables)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("m-1", run.stdout)
            self.assertEqual(self.command("key", "list", "--write-key", KEY, *address, *arguments, **variables).returncode, 0)
        for arguments, reason in [([], "certificate"), (["--certificate-authority", "/none"], "/none")]:
            run = self.command("export", "-", *address, *arguments)
            self.assertNotEqual(run.returncode, 0)
            self.assertIn(reason, run.stderr)

    def test_an_export_of_the_configuration_is_for_its_owner(self):
        server = self.serve()
        folder = Path(self.data).parent / "config"
        for _ in range(2):
            run = self.command("config", "export", str(folder), "--server", server.url)
            self.assertEqual(run.returncode, 0, run.stderr)
            modes = {path.name: oct(path.stat().st_mode & 0o777) for path in folder.iterdir()}
            self.assertEqual(set(modes.values()), {"0o600"}, modes)
            for path in folder.iterdir():
                path.chmod(0o644)

    def test_the_program_says_its_version(self):
        run = self.command("--version")
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stdout, r"^\d+\.\d+\.\d+\n$")

    def test_a_closed_port_is_an_answer(self):
        server = self.serve()
        with socket.create_server(("127.0.0.1", 0)) as closed:
            port = closed.getsockname()[1]
        body = json.dumps({"kind": "webhook", "settings": {"url": f"http://127.0.0.1:{port}/"}, "from": "start"})
        self.assertEqual(server.send("PUT", f"/api/sources/{KEY}/destinations/Hook", body)[0], 201)
        answer = json.loads(server.send("POST", f"/api/sources/{KEY}/destinations/Hook/test")[1])
        self.assertEqual(answer["accepted"], False)
        self.assertIn("no program listens there", answer["answer"])

    def test_what_waits_for_a_dead_destination_is_shown_in_full(self):
        server = self.serve("--metrics-token-file", self.token_file("a-token-for-the-figures"))
        with socket.create_server(("127.0.0.1", 0)) as closed:
            port = closed.getsockname()[1]
        body = json.dumps({"kind": "webhook", "settings": {"url": f"http://127.0.0.1:{port}/"}, "from": "start"})
        self.assertEqual(server.send("PUT", f"/api/sources/{KEY}/destinations/Hook", body)[0], 201)
        for batch in range(4):
            self.assertEqual(server.post(*[track(f"m-{batch}-{number}") for number in range(500)]), 200)
        server.settle()
        destination = server.get(f"/api/sources/{KEY}/destinations/Hook")
        self.assertEqual(destination["waiting"], 2000)
        self.assertIsNotNone(destination["waitingSince"])
        status, figures = server.send("GET", "/metrics", headers={"Authorization": "Bearer a-token-for-the-figures"})
        self.assertEqual(status, 200)
        self.assertIn(
            f'\ntributary_destination_waiting_events{{source="{KEY}",destination="Hook"}} 2000\n', figures.decode())
        self.assertIn("tributary_destination_oldest_waiting_seconds", figures.decode())
        run = self.command("destination", "list", "--write-key", KEY, "--server", server.url)
        self.assertIn("2,000 waiting since ", run.stdout)

    def token_file(self, token):
        path = Path(self.data).parent / "token"
        path.write_text(token)
        return str(path)

    def test_each_request_is_written_down_when_asked_for(self):
        with open(Path(self.data).parent / "errors", "w+") as errors:
            server = Server(PROGRAM, self.data, options=["--access-log"], errors=errors)
            self.addCleanup(server.__exit__)
            self.assertEqual(server.send("GET", "/v1/health?writeKey=secret")[0], 200)
            self.assertEqual(server.send("GET", "/none%0A%1B[31m")[0], 404)
            server.end(signal.SIGTERM)
            errors.seek(0)
            text = errors.read()
            self.assertRegex(text, r"GET /v1/health 200")
            self.assertRegex(text, r"client=127\.0\.0\.1")
            self.assertRegex(text, r"GET /none\S* 404")
            self.assertNotIn("secret", text)
            self.assertNotIn("\x1b", text)

    def test_the_id_of_a_user_is_not_in_the_log_of_requests(self):
        with open(Path(self.data).parent / "errors", "w+") as errors:
            server = Server(PROGRAM, self.data, options=["--access-log"], errors=errors)
            self.addCleanup(server.__exit__)
            self.assertEqual(server.send("DELETE", "/api/users/alice")[0], 200)
            self.assertEqual(server.send("PUT", "/api/suppressions?userId=alice")[0], 200)
            self.assertEqual(server.send("GET", "/api/suppressions?userId=alice")[0], 200)
            self.assertEqual(server.send("GET", "/api/events?userId=alice")[0], 200)
            self.assertEqual(server.send("DELETE", "/api/users/alice", headers={"Authorization": "Bearer wrong"})[0], 401)
            server.end(signal.SIGTERM)
            errors.seek(0)
            text = errors.read()
            self.assertIn("DELETE /api/users/{userId} 200", text)
            self.assertNotIn("alice", text)

    def certificates(self, name):
        """A certificate for localhost that an authority of its own signed: certificate, key, authority."""
        folder = Path(self.data).parent / name
        folder.mkdir()
        paths = {part: str(folder / part) for part in ("ca.key", "ca.pem", "key.pem", "request", "cert.pem", "names")}
        Path(paths["names"]).write_text("subjectAltName=DNS:localhost,IP:127.0.0.1")
        new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        for arguments in (
            ["req", "-x509", *new_key, "-keyout", paths["ca.key"], "-out", paths["ca.pem"], "-subj", f"/CN=CA {name}"],
            ["req", *new_key, "-keyout", paths["key.pem"], "-out", paths["request"], "-subj", f"/CN={name}"],
            ["x509", "-req", "-in", paths["request"], "-CA", paths["ca.pem"], "-CAkey", paths["ca.key"],
             "-CAcreateserial", "-out", paths["cert.pem"], "-extfile", paths["names"]],
        ):
            subprocess.run(["openssl", *arguments], check=True, capture_output=True)
        return paths["cert.pem"], paths["key.pem"], paths["ca.pem"]

    def answer_over_tls(self, server, authority, token):
        """Status and headers of an answer; None for a certificate that the authority did not sign."""
        context = ssl.create_default_context(cafile=authority)
        connection = http.client.HTTPSConnection("localhost", server.port, timeout=PATIENCE, context=context)
        try:
            connection.request("GET", "/api/sources", headers={"Authorization": f"Bearer {token}"})
            answer = connection.getresponse()
            answer.read()
            return answer.status, dict(answer.getheaders())
        except ssl.SSLCertVerificationError:
            return None
        finally:
            connection.close()

    @unittest.skipIf(shutil.which("openssl") is None, "openssl is not installed")
    def test_a_hang_up_reads_certificate_and_token_again(self):
        first, second = self.certificates("first"), self.certificates("second")
        folder = Path(self.data).parent / "used"
        folder.mkdir()
        certificate, key, token = (str(folder / name) for name in ("cert.pem", "key.pem", "token"))

        def use(files, text):
            shutil.copy(files[0], certificate)
            shutil.copy(files[1], key)
            Path(token).write_text(text + "\n")

        use(first, "the-first-token-of-all")
        log = Path(self.data).parent / "errors"
        with open(log, "w") as errors:
            server = Server(PROGRAM, self.data, errors=errors, options=[
                "--tls-certificate", certificate, "--tls-key", key, "--admin-token-file", token])
        self.addCleanup(server.__exit__)
        status, headers = self.answer_over_tls(server, first[2], "the-first-token-of-all")
        self.assertEqual(status, 200)
        self.assertEqual(headers.get("Strict-Transport-Security"), "max-age=31536000")

        def hang_up(line):
            before = log.read_text().count(line)
            server.process.send_signal(signal.SIGHUP)
            deadline = time.monotonic() + PATIENCE
            while log.read_text().count(line) == before:
                self.assertIsNone(server.process.poll(), log.read_text())
                self.assertLess(time.monotonic(), deadline, log.read_text())
                time.sleep(0.01)

        use(second, "the-second-token-of-all")
        hang_up("were read again")
        self.assertIsNone(self.answer_over_tls(server, first[2], "the-second-token-of-all"))
        self.assertEqual(self.answer_over_tls(server, second[2], "the-second-token-of-all")[0], 200)
        self.assertEqual(self.answer_over_tls(server, second[2], "the-first-token-of-all")[0], 401)
        # With a file that cannot be used nothing changes, not even what could be used.
        use(first, "the-third-token-of-all")
        Path(key).write_text("no key")
        hang_up("cannot be used")
        self.assertEqual(self.answer_over_tls(server, second[2], "the-second-token-of-all")[0], 200)
        server.end(signal.SIGTERM)
        self.assertEqual(server.process.returncode, 0)

    def test_the_end_of_the_terminal_stops_gracefully(self):
        primary, secondary = os.openpty()
        self.addCleanup(os.close, primary)
        server = Server(PROGRAM, self.data, input=secondary)
        os.close(secondary)
        self.addCleanup(server.__exit__)
        self.assertEqual(server.post(track("before")), 200)
        server.end(signal.SIGHUP)
        self.assertEqual(server.process.returncode, 0)

    def test_listening_to_other_machines_over_http_is_warned_of(self):
        for options, is_warned in [(["--host", "0.0.0.0"], True), ([], False),
                                  (["--host", "0.0.0.0", "--tls-development"], False)]:
            with open(Path(self.data).parent / "errors", "w+") as errors:
                server = Server(PROGRAM, self.data, options=options, errors=errors)
                self.addCleanup(server.__exit__)
                server.end(signal.SIGTERM)
                errors.seek(0)
                self.assertEqual("over http" in errors.read(), is_warned, options)

    def test_https_with_the_public_client_for_python(self):
        missing = install_python_client()
        if missing:
            self.skipTest(missing)
        server = self.serve("--tls-development")
        script = """
import sys
sys.path.insert(0, sys.argv[1])
import segment.analytics as analytics
analytics.write_key = sys.argv[3]
analytics.host = sys.argv[2]
failures = []
analytics.on_error = lambda error, items: failures.append(error)
for number in range(30):
    analytics.track("u-1", "Order Completed", {"number": number})
analytics.shutdown()
sys.exit(str(failures) if failures else 0)
"""
        certificate = self.data + "/development-certificate.pem"
        run = subprocess.run(
            [sys.executable, "-c", script, str(PACKAGES), f"https://localhost:{server.port}", KEY],
            capture_output=True, text=True, timeout=PATIENCE, env=os.environ | {"REQUESTS_CA_BUNDLE": certificate})
        self.assertEqual(run.returncode, 0, run.stderr)
        server.end(signal.SIGTERM)
        self.assertEqual(len(self.serve().ids()), 30)


if __name__ == "__main__":
    unittest.main()
