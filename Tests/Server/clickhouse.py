"""A ClickHouse of today with its data in a folder of its own, for tests: scripts/bootstrap warehouse installs it.

It is chdb behind HTTP (Tests/Cluster/modern_clickhouse.py), because package registries have no newer server.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "Tests/Cluster/modern_clickhouse.py"
PASSWORD, DATABASE = "the-password", "tributary"
PATIENCE = 60
MISSING = "chdb is not installed (scripts/bootstrap warehouse)"


def python():
    """The interpreter with chdb; None when it is not installed."""
    place = Path(os.environ.get("BUILD_TOOLS", ROOT / ".build-tools")) / "chdb/bin/python"
    return place if os.access(place, os.X_OK) else None


class ClickHouse:
    """Listens on 127.0.0.1."""

    kind = "clickhouse"

    def __init__(self):
        if python() is None:
            raise RuntimeError(MISSING)
        self.folder = tempfile.mkdtemp(prefix="tributary-clickhouse-")
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        self.process = None
        self.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        # What a killed process wrote is still in the memory of the system, so nothing has to be forced to the disk.
        with open(self.folder + "/log", "ab") as log:
            self.process = subprocess.Popen(
                [python(), PROGRAM, "--port", str(self.port), "--folder", self.folder + "/data", "--password", PASSWORD],
                stdout=log, stderr=log)
        deadline = time.monotonic() + PATIENCE
        while True:
            if self.process.poll() is not None:
                raise RuntimeError("ClickHouse does not start: " + Path(self.folder, "log").read_text(errors="replace")[-500:])
            try:
                self.query("SELECT 1")
                return
            except OSError:
                if time.monotonic() > deadline:
                    raise RuntimeError("ClickHouse does not start") from None
                time.sleep(0.05)

    def kill(self):
        self.end(signal.SIGKILL)

    def end(self, number):
        self.process.send_signal(number)
        self.process.wait(PATIENCE)

    def stop(self):
        self.end(signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)

    def query(self, sql):
        """The rows of a query, as lists of texts."""
        request = urllib.request.Request(
            self.url, sql.encode(), {"X-ClickHouse-User": "default", "X-ClickHouse-Key": PASSWORD})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                text = answer.read().decode()
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from None
        return [line.split("\t") for line in text.splitlines()]

    def number(self, sql):
        return int(self.query(sql)[0][0])

    def settings(self, **more):
        return {"url": self.url, "database": DATABASE} | more

    # What the tests of all databases ask

    def tables(self):
        """The tables that have rows of their own."""
        return [row[0] for row in self.query(
            f"SELECT name FROM system.tables WHERE database = '{DATABASE}' AND engine LIKE '%MergeTree'")]

    @staticmethod
    def table(name):
        return f"{DATABASE}.`{name}`"
