"""A process of the workspace, for tests."""

import http.client
import json
import os
import signal
import subprocess
import time

KEY = "WK"
TOKEN = "the-token-of-these-tests"
# Nothing is waited for longer than that.
PATIENCE = 120


class Server:
    """One process of the server."""

    def __init__(self, program, folder, prefix=(), options=(), errors=subprocess.DEVNULL, input=None):
        self.process = subprocess.Popen(
            [*prefix, program, "serve", "--port", "0", "--data", folder, "--write-key", KEY, *options],
            stdin=input, stdout=subprocess.PIPE, stderr=errors, text=True,
            env=os.environ | {"TRIBUTARY_ADMIN_TOKEN": TOKEN})
        self.port = self._find_port()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end(signal.SIGKILL)

    def _find_port(self):
        for line in self.process.stdout:
            if " listening on " in line:
                self.scheme, address = line.split(" listening on ")[1].strip().split("://")
                return int(address.split(":")[1])
        raise RuntimeError("the server did not start")

    @property
    def url(self):
        return f"{self.scheme}://127.0.0.1:{self.port}"

    def end(self, number):
        self.process.send_signal(number)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise RuntimeError("the server did not end") from None
        finally:
            self.process.stdout.close()

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def send(self, method, path, body=None, headers=None):
        """Status and text of an answer."""
        connection = self.connect()
        try:
            headers = dict(headers or {})
            if path.startswith("/api/"):
                headers.setdefault("Authorization", f"Bearer {TOKEN}")
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def get(self, path):
        return json.loads(self.send("GET", path)[1])

    def post(self, *events):
        """The status for a batch."""
        return self.send("POST", "/v1/b", json.dumps({"batch": events, "writeKey": KEY}))[0]

    def events(self):
        """All stored events, oldest first, with what the server says of them."""
        rows, after = [], 0
        while after is not None:
            page = self.get(f"/api/events?order=asc&limit=1000&after={after}")
            rows += page["events"]
            after = page["next"]
        return rows

    def ids(self):
        return [row["messageId"] for row in self.events()]

    def settle(self):
        """Waits until everything that was acknowledged is stored."""
        deadline = time.monotonic() + PATIENCE
        while self.get("/v1/ready")["waitingRequests"] > 0:
            if time.monotonic() > deadline:
                raise RuntimeError("the backlog does not end")
            time.sleep(0.05)


def track(message_id, **members):
    return {"type": "track", "event": "E", "userId": "u", "messageId": message_id} | members
