"""What gets events apart from databases, for warehouse.py: the receiver of a destination function, and files of Parquet.

Both get each event at least once: an event that was on its way when a process was killed comes again, with the same id.

As a program, the receiver: each id is in its file before a request is answered.
"""

import collections
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import parquet_readers
from golden import build_clock

PATIENCE = 60
FUNCTION = """
class Ids extends Destination {
    static settings = { address: { required: true } };
    static hosts = ["{address}"];
    static batchEvents = 50;
    batch(events, settings) {
        return request("POST", settings.address, { body: events.map((event) => event.messageId) });
    }
}
"""


class FunctionReceiver:
    """Takes the requests of a destination function, in a process of its own."""

    kind = "function"

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="tributary-receiver-"))
        self.file = self.folder / "ids"
        self.port = 0
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [sys.executable, __file__, str(self.port), self.file], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the receiver does not start")
        # The next one listens on the same port.
        self.port = int(line)

    def kill(self):
        self.process.kill()
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    def stop(self):
        self.kill()
        shutil.rmtree(self.folder)

    def destination(self):
        return {"kind": "function", "from": "start",
                "settings": {"code": FUNCTION, "settings": {"address": f"http://127.0.0.1:{self.port}/"}}}

    def server(self, starts):
        """What a command line of the server begins with, and its options."""
        return [], []

    def is_done(self):
        return True

    def ids(self):
        """How often each event came."""
        return collections.Counter(self.file.read_text().splitlines())

    def plant(self):
        """Takes one event away and adds another one; returns the ids of both."""
        lines = self.file.read_text().splitlines()
        self.file.write_text("".join(f"{line}\n" for line in lines if line != lines[0]) + "never sent\n")
        return {lines[0]}, {"never sent"}


class ParquetFiles:
    """A folder of files of Parquet. Only the server writes it, so there is nothing else to kill."""

    kind = "files"

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="tributary-files-"))
        self.clock = build_clock(self.folder)
        if self.clock is None:
            raise RuntimeError("there is no C compiler")

    def destination(self):
        return {"kind": "files", "from": "start", "settings": {"format": "parquet", "columns": "messageId,type,event"}}

    def server(self, starts):
        # The clock of each start is 20 minutes later, so hours end while the server is killed and after it.
        return (["env", f"LD_PRELOAD={self.clock}", f"CLOCK_AHEAD={1200 * starts}"],
                ["--files-folder", str(self.folder / "files")])

    def is_done(self):
        """No file grows any more."""
        return not any(list(self.folder.rglob(pattern)) for pattern in ("*.rows", "*.rows-closing", "*.part"))

    def stop(self):
        shutil.rmtree(self.folder)

    def files(self):
        return sorted(self.folder.rglob("*.parquet"))

    def ids(self):
        return collections.Counter(id for file in self.files() for id in ids_of(file))

    def plant(self):
        """Takes away a file with events that are in no other one; returns their ids."""
        counts = self.ids()
        for file in self.files():
            if gone := {id for id, count in collections.Counter(ids_of(file)).items() if counts[id] == count}:
                file.unlink()
                return gone, set()
        return set(), set()


def ids_of(file):
    if str(parquet_readers.PACKAGES) not in sys.path:
        sys.path.append(str(parquet_readers.PACKAGES))
    import pyarrow.parquet
    return pyarrow.parquet.read_table(file, columns=["messageId"])["messageId"].to_pylist()


def missing(kind):
    """Why it cannot be tried; None when it can."""
    return parquet_readers.install() if kind == "files" else None


RECEIVERS = {"function": FunctionReceiver, "files": ParquetFiles}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        ids = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        os.write(self.server.file, "".join(f"{id}\n" for id in ids).encode())
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Receiver(http.server.ThreadingHTTPServer):
    def handle_error(self, request, address):
        # A server that was killed leaves requests unfinished.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, address)


def main(port, file):
    # The port of a killed process may be taken for a moment.
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            server = Receiver(("127.0.0.1", int(port)), Handler)
            break
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
    server.file = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
