"""The workspace in operation: https, and a stop while requests are under way.

TRIBUTARY_BIN is the program.
"""

import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
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
            self.assertEqual(settings["integrations"]["Segment.io"]["apiHost"], f"{url}/v1")
            # Without the file nobody trusts it.
            self.assertNotEqual(curl(f"{url}/health").returncode, 0)
        login = curl("--cacert", certificate, "-D", "-", "-d", f"token={TOKEN}", f"https://localhost:{server.port}/login")
        self.assertIn("; Secure", login.stdout)
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
