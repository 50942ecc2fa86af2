"""Clients of the protocol that the project did not write: curl, and the public client for Python.

TRIBUTARY_BIN is the program. The client for Python is fetched once into a folder of its own.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from server import KEY, PATIENCE, Server, track  # noqa: E402

PROGRAM = os.environ.get("TRIBUTARY_BIN", "Workspace/.build/debug/tributary")
PACKAGES = Path(__file__).resolve().parents[2] / ".build-python"
PYTHON_CLIENT = "segment-analytics-python==2.4.0"


def install_python_client():
    """Why it is not there; nothing when it is."""
    if (PACKAGES / "segment").exists():
        return None
    run = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(PACKAGES), PYTHON_CLIENT],
        capture_output=True, text=True)
    return None if run.returncode == 0 else f"{PYTHON_CLIENT} cannot be installed: {run.stderr.strip()[-200:]}"


class ClientsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-clients-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.server = Server(PROGRAM, self.folder + "/data")
        self.addCleanup(self.server.__exit__)

    def curl(self, *arguments):
        """Status and body of what curl got."""
        run = subprocess.run(
            ["curl", "--silent", "--show-error", "--max-time", str(PATIENCE), "--write-out", "\n%{http_code}",
             *arguments], capture_output=True, text=True, check=True)
        body, _, status = run.stdout.rpartition("\n")
        return int(status), body

    @unittest.skipIf(shutil.which("curl") is None, "curl is not installed")
    def test_each_documented_request_by_curl(self):
        url = self.server.url
        kinds = [("-H", "Content-Type: application/json; charset=utf-8"), ("-H", "Content-Type: text/plain")]
        event = {"userId": "u", "event": "E", "name": "N", "groupId": "g", "previousId": "p"}
        sent = 0
        for prefix in ("", "/v1"):
            for path in ("b", "batch", "import"):
                for kind in kinds:
                    body = json.dumps({"batch": [track(f"m-{sent}")], "sentAt": "2026-11-21T01:00:00Z", "writeKey": KEY})
                    self.assertEqual(
                        self.curl(*kind, "-d", body, f"{url}{prefix}/{path}"), (200, '{"success":true}'), path)
                    sent += 1
            for path in ("identify", "track", "page", "screen", "group", "alias", "i", "t", "p", "s", "g", "a"):
                body = json.dumps(event | {"messageId": f"m-{sent}"})
                self.assertEqual(
                    self.curl("-u", f"{KEY}:", "-d", body, f"{url}{prefix}/{path}"), (200, '{"success":true}'), path)
                sent += 1
        self.assertEqual(len(set(self.server.ids())), sent)

    @unittest.skipIf(shutil.which("curl") is None, "curl is not installed")
    def test_what_else_curl_may_ask_for(self):
        url = self.server.url
        self.assertEqual(self.curl(f"{url}/v1/health")[0], 200)
        self.assertEqual(self.curl(f"{url}/v1/ready")[0], 200)
        self.assertEqual(self.curl(f"{url}/robots.txt")[0], 200)
        self.assertEqual(self.curl("-X", "OPTIONS", f"{url}/v1/b")[0], 204)
        status, settings = self.curl(f"{url}/v1/projects/{KEY}/settings")
        self.assertEqual(status, 200)
        self.assertIn("Segment.io", json.loads(settings)["integrations"])
        basic = base64.b64encode(KEY.encode()).decode()
        for header in (f"Authorization: Basic {basic}", f"X-Write-Key: {KEY}"):
            body = json.dumps({"batch": [track(header)]})
            self.assertEqual(self.curl("-H", header, "-d", body, f"{url}/v1/b")[0], 200, header)
        body = json.dumps({"batch": [track("query")]})
        self.assertEqual(self.curl("-d", body, f"{url}/v1/b?writeKey={KEY}")[0], 200)
        self.assertEqual(self.curl("-d", body, f"{url}/v1/b?writeKey=other")[0], 401)
        self.assertEqual(self.curl("-d", "{", f"{url}/v1/b?writeKey={KEY}")[0], 400)

    def test_public_client_for_python(self):
        missing = install_python_client()
        if missing:
            self.skipTest(missing)
        script = """
import sys
sys.path.insert(0, sys.argv[1])
import segment.analytics as analytics
analytics.write_key = sys.argv[3]
analytics.host = sys.argv[2]
analytics.gzip = sys.argv[4] == "gzip"
failures = []
analytics.on_error = lambda error, items: failures.append(error)
analytics.identify("u-1", {"plan": "pro"})
for number in range(250):
    analytics.track("u-1", "Order Completed", {"number": number, "total": 42.5})
analytics.page("u-1", "Docs", "Home")
analytics.screen("u-1", "Docs", "Home")
analytics.group("u-1", "g-1", {"name": "G"})
analytics.alias("u-0", "u-1")
analytics.shutdown()
sys.exit(str(failures) if failures else 0)
"""
        for mode in ("plain", "gzip"):
            before = len(self.server.ids())
            run = subprocess.run(
                [sys.executable, "-c", script, str(PACKAGES), self.server.url, KEY, mode], capture_output=True,
                text=True, timeout=PATIENCE)
            self.assertEqual(run.returncode, 0, run.stderr)
            rows = self.server.events()[before:]
            self.assertEqual(len(rows), 255)
            numbers = [row["event"]["properties"]["number"] for row in rows if row["name"] == "Order Completed"]
            self.assertEqual(numbers, list(range(250)))
            self.assertEqual({row["type"] for row in rows}, {"identify", "track", "page", "screen", "group", "alias"})
        self.assertEqual(self.server.get("/api/rejected")["rejected"], [])


if __name__ == "__main__":
    unittest.main()
