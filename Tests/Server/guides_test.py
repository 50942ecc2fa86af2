"""Runs every command of the guides, in the order in which they stand there, as a reader would type them.

Each guide has a folder and a workspace of its own. What a block of the guide means to this test stands behind the word
that opens it:

    ```sh                    commands, which have to succeed
    ```sh stopped            the same while no workspace runs; it goes on afterwards
    ```sh other              starts a second workspace, on the port that the guide names
    ```sh with node, tsc     commands that need these programs; skipped where one of them is missing
    ```sh not run: reason    nobody runs them, and the report of the test says why
    ```json rules.json       a file that the reader makes
    ```json servers          the configuration of an assistant; the server under that name is started (also toml)

Paths of servers (/var/lib, /backups, /tmp) lie in the test's folder, addresses are those of the test's servers.
TRIBUTARY_BIN is the program.
"""

import http.server
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import tomllib
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import mmdb  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TRIBUTARY_BIN", str(ROOT / "Workspace/.build/debug/tributary"))
# Nothing is waited for longer than that.
PATIENCE = 120
# Blocks that another test knows by their name, and the file that the commands behind them mean.
NAMED = {"js generator": "generator.js"}
# What a reader starts a workspace with before a guide that only says that one must run.
USUAL = "tributary serve --write-key KEY"


class Block:
    """A fenced block of a guide."""

    def __init__(self, info, line):
        self.info = info
        self.line = line
        self.lines = []

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    @property
    def is_shell(self):
        return self.info.split(" ")[0] == "sh"

    @property
    def reason(self):
        """Why it is not run; None when it is."""
        parts = self.info.split("not run: ", 1)
        return parts[1] if len(parts) == 2 else None

    @property
    def file(self):
        """The name of the file that it is; None when it is none."""
        words = self.info.split(" ")
        if len(words) == 2 and re.fullmatch(r"([\w-]+/)?[\w-]+\.[a-z.]+", words[1]):
            return words[1]
        return NAMED.get(self.info)

    @property
    def missing(self):
        """The programs that it needs and that are not installed."""
        parts = self.info.split("sh with ", 1)
        return [name for name in parts[1].split(", ") if shutil.which(name) is None] if len(parts) == 2 else []


def blocks(text):
    block = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            if block is not None:
                yield block
                block = None
            else:
                block = Block(line[3:].strip(), number + 1)
        elif block is not None:
            block.lines.append(line)


class Receiver(http.server.BaseHTTPRequestHandler):
    """The service that a guide forwards events to."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Reader:
    """Somebody who types what a guide says."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.work = self.folder / "work"
        self.server = None
        self.others = []
        self.started = USUAL
        self.addresses = {}
        self.url = "http://127.0.0.1:8484"
        self.receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=self.receiver.serve_forever, daemon=True).start()
        bin = self.folder / "bin"
        for place in (bin, self.work, self.folder / "backups", self.folder / "var/lib", self.folder / "tmp"):
            place.mkdir(parents=True)
        # A reader who gives the workspace a database of countries has one.
        (self.folder / "var/lib/GeoIP").mkdir()
        (self.folder / "var/lib/GeoIP/GeoLite2-Country.mmdb").write_bytes(mmdb.countries({"127.0.0.0/8": "DE"}))
        (bin / "tributary").symlink_to(Path(PROGRAM).resolve())
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith("TRIBUTARY_")
        } | {"PATH": f"{bin}:{os.environ['PATH']}", "TRIBUTARY_PORT": "0"}

    def close(self):
        self.stop()
        for other in self.others:
            end(other)
        self.receiver.shutdown()
        self.receiver.server_close()

    def run(self, block):
        if block.info == "sh stopped":
            self.stop()
            self.run_lines(block.lines)
            self.serve(self.started)
            return
        if block.info == "sh other":
            for line in block.lines:
                self.serve_other(line)
            return
        self.run_lines(block.lines)

    def make(self, block):
        """The file that the block is."""
        file = self.work / block.file
        file.parent.mkdir(exist_ok=True)
        file.write_text(self.local(block.text), encoding="utf-8")

    def run_lines(self, lines):
        """Ordinary commands go to one shell; those that do not end are started and watched."""
        ordinary = []
        for line in lines:
            command = line.split(" #")[0].strip()
            if re.match(r"tributary (serve|tail)\b", command):
                self.shell(ordinary)
                ordinary = []
                if command.startswith("tributary serve"):
                    self.serve(command)
                else:
                    self.watch(command)
            # The guide leaves out what the reader saw at the first start; `serve` has put it there.
            elif not re.match(r"export (TRIBUTARY_ADMIN|OTHER)_TOKEN=\.\.\.", command):
                ordinary.append(line)
        self.shell(ordinary)

    def shell(self, lines):
        text = "\n".join(lines).strip()
        if not text:
            return
        if "tributary" in text and self.server is None and "--data" not in text:
            self.serve(self.started)
        result = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", self.local(text)], cwd=self.work, env=self.environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE)
        if result.returncode != 0:
            raise AssertionError(f"these commands end with {result.returncode}:\n{text}\n\n{result.stdout}")
        if "tributary token reset" in text:
            self.environment["TRIBUTARY_ADMIN_TOKEN"] = result.stdout.strip()

    def local(self, text):
        """The commands with the places and addresses of this test."""
        text = text.replace("http://127.0.0.1:8484", self.url)
        # A certificate for development is valid for that name, too.
        text = text.replace("https://localhost:8484", f"https://localhost:{self.url.rsplit(':', 1)[1]}")
        for address, own in self.addresses.items():
            text = text.replace(address, own)
        text = text.replace("https://receiver.example.com", f"http://127.0.0.1:{self.receiver.server_port}")
        return re.sub(r"(?<![\w.])/(var/lib|backups|tmp)/", lambda match: f"{self.folder}/{match[1]}/", text)

    def serve(self, command):
        self.stop()
        self.started = command
        self.server = subprocess.Popen(
            shlex.split(self.local(command)), cwd=self.work, env=self.own_environment(), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for line in self.server.stdout:
            if match := re.match(r"tributary: admin token (.+)", line):
                self.environment["TRIBUTARY_ADMIN_TOKEN"] = match[1]
            if match := re.match(r"tributary: listening on (.+)", line):
                self.url = self.environment["TRIBUTARY_SERVER"] = match[1]
                return
        raise AssertionError(f"this does not start a workspace: {command}")

    def own_environment(self):
        """That of a server: it makes its token, and does not take the reader's."""
        return {name: value for name, value in self.environment.items() if name != "TRIBUTARY_ADMIN_TOKEN"}

    def serve_other(self, command):
        """A second workspace, which later commands find under the port that the guide gave it."""
        port = re.search(r"--port (\d+)", command)[1]
        other = subprocess.Popen(
            shlex.split(command.replace(f"--port {port}", "--port 0")), cwd=self.work, env=self.own_environment(),
            text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.others.append(other)
        for line in other.stdout:
            if match := re.match(r"tributary: admin token (.+)", line):
                self.environment["OTHER_TOKEN"] = match[1]
            if match := re.match(r"tributary: listening on (.+)", line):
                self.addresses[f"http://127.0.0.1:{port}"] = match[1]
                return
        raise AssertionError(f"this does not start a workspace: {command}")

    def watch(self, command):
        """Shows events until somebody presses control and C, who waits for the first one."""
        process = subprocess.Popen(
            shlex.split(self.local(command)), cwd=self.work, env=self.environment, text=True, stdout=subprocess.PIPE)
        try:
            if not process.stdout.readline():
                raise AssertionError(f"this shows nothing: {command}")
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()

    def sources_for_an_assistant(self, command):
        """The sources that an assistant gets from its server, which is started by that command."""
        lines = [
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "list_sources"}},
        ]
        result = subprocess.run(
            command, cwd=self.folder, env={"PATH": self.environment["PATH"]}, text=True, capture_output=True, timeout=PATIENCE,
            input="".join(json.dumps(line) + "\n" for line in lines))
        answers = {answer["id"]: answer for answer in map(json.loads, result.stdout.splitlines())}
        return json.loads(answers[2]["result"]["content"][0]["text"])["sources"]

    def stop(self):
        if self.server is None:
            return
        end(self.server)
        self.server = None


def end(process):
    process.send_signal(signal.SIGTERM)
    process.wait(PATIENCE)
    process.stdout.close()


class GuidesTest(unittest.TestCase):
    def follow(self, guide):
        with tempfile.TemporaryDirectory(prefix="tributary-guide-", ignore_cleanup_errors=True) as folder:
            reader = Reader(folder)
            try:
                for block in blocks(guide.read_text(encoding="utf-8")):
                    if block.file is not None:
                        reader.make(block)
                    if block.is_shell and block.reason is None:
                        with self.subTest(f"{guide.name}:{block.line}"):
                            if block.missing:
                                self.skipTest(f"{' and '.join(block.missing)} not installed")
                            reader.run(block)
            finally:
                reader.close()

    def test_no_command_hides_in_a_block_of_another_kind(self):
        for guide in GUIDES:
            for block in blocks(guide.read_text(encoding="utf-8")):
                if not block.is_shell:
                    self.assertNotRegex(block.text, r"(?m)^(tributary|swift|scripts/)", f"{guide.name}:{block.line}")

    def test_an_assistant_that_is_configured_as_the_guide_says_gets_the_answers_of_the_workspace(self):
        configurations = []
        for block in blocks((ROOT / "docs/guides/assistants.md").read_text(encoding="utf-8")):
            kind, _, name = block.info.partition(" ")
            if kind in ("json", "toml"):
                read = json.loads if kind == "json" else tomllib.loads
                configurations.append((block.line, read(block.text)[name]["tributary"]))
        self.assertGreaterEqual(len(configurations), 3)
        with tempfile.TemporaryDirectory(prefix="tributary-guide-", ignore_cleanup_errors=True) as folder:
            reader = Reader(folder)
            try:
                reader.serve(USUAL)
                token = Path(folder, "assistant-token")
                token.write_text(reader.environment["TRIBUTARY_ADMIN_TOKEN"])
                for line, server in configurations:
                    with self.subTest(f"assistants.md:{line}"):
                        self.assertEqual(server.get("type", "stdio"), "stdio")
                        words = [server["command"], *server["args"]]
                        self.assertIn("/home/ana/assistant-token", words)
                        self.assertIn("http://127.0.0.1:8484", words)
                        words = [str(token) if word == "/home/ana/assistant-token" else reader.local(word) for word in words]
                        self.assertEqual([source["writeKey"] for source in reader.sources_for_an_assistant(words)], ["KEY"])
            finally:
                reader.close()


GUIDES = sorted(ROOT.glob("docs/guides/*.md")) + [ROOT / "README.md", ROOT / "docs/OPERATING.md"]

for _guide in GUIDES:
    _name = _guide.stem.replace("-", "_")
    _blocks = [block for block in blocks(_guide.read_text(encoding="utf-8")) if block.is_shell]
    if _blocks:
        setattr(GuidesTest, f"test_{_name}", lambda self, guide=_guide: self.follow(guide))
    # So that the report names each block that nobody runs.
    for _block in _blocks:
        if _block.reason is not None:
            setattr(
                GuidesTest, f"test_{_name}_line_{_block.line}", lambda self, block=_block: self.skipTest(block.reason))

if __name__ == "__main__":
    unittest.main()
