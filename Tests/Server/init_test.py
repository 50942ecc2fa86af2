"""Sets a workspace up at a terminal, as a person does, and goes on as the last lines say.

TRIBUTARY_BIN is the program.
"""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from clients_test import PROGRAM  # noqa: E402
from server import PATIENCE  # noqa: E402


class Terminal:
    """A program at a terminal."""

    def __init__(self, command, folder):
        self.shown = ""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TRIBUTARY_")}
        self.control, terminal = pty.openpty()
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True)
        os.close(terminal)

    def read_until(self, pattern):
        """Reads what is shown until it ends with the pattern."""
        deadline = time.monotonic() + PATIENCE
        while not re.search(pattern + r"\Z", self.shown):
            if time.monotonic() > deadline or not self._read():
                raise AssertionError(f"{pattern} was not shown, but:\n{self.shown}")

    def _read(self):
        """Reads one piece; false at the end."""
        if not select.select([self.control], [], [], 1)[0]:
            return True
        try:
            piece = os.read(self.control, 4096)
        except OSError:
            return False
        self.shown += piece.decode().replace("\r\n", "\n")
        return bool(piece)

    def type(self, text):
        self.shown = ""
        os.write(self.control, (text + "\n").encode())

    def end(self):
        """The exit status, and all that was shown since the last answer."""
        while self._read():
            pass
        os.close(self.control)
        return self.process.wait(PATIENCE)


class InitTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-init-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def terminal(self, *options):
        terminal = Terminal([PROGRAM, "init", *options], self.folder)
        self.addCleanup(terminal.process.kill)
        return terminal

    def answer(self, terminal, *steps):
        for question, answer in steps:
            terminal.read_until(question)
            terminal.type(answer)

    def test_the_answers_make_a_workspace_that_stores_the_event_of_the_last_lines(self):
        terminal = self.terminal()
        self.answer(
            terminal, (r"Folder of the data \[tributary-data\] ", "/dev/null/data"),
            (r"/dev/null is no folder\nFolder of the data \[tributary-data\] ", ""),
            (r"Address to listen on .* \[127\.0\.0\.1\] ", ""), (r"Port \[8484\] ", "70000"),
            (r"--port is a number from 0 to 65535, not 70000\nPort \[8484\] ", "8511"),
            (r"https .* \[no\] ", "maybe"), (r"answer no, development, certificate, not maybe\nhttps .* \[no\] ", "no"),
            (r"Days that events are kept \(0 keeps all\) \[90\] ", "7"))
        self.assertEqual(terminal.end(), 0, terminal.shown)
        config = self.folder / "server.json"
        self.assertEqual(config.stat().st_mode & 0o777, 0o600)
        self.assertEqual((self.folder / "admin-token").stat().st_mode & 0o777, 0o600)
        document = json.loads(config.read_text())
        self.assertEqual((document["port"], document["retain-days"]), (8511, 7))
        self.assertFalse((self.folder / "tributary-data").exists())

        lines = [line.strip() for line in terminal.shown.splitlines() if line.startswith("    ")]
        serve, curl, events = (next(line for line in lines if line.startswith(word)) for word in (
            "tributary serve", "curl ", "tributary events"))
        server = subprocess.Popen(
            ["bash", "-c", f"exec {serve.replace('tributary', PROGRAM, 1)}"], cwd=self.folder, text=True,
            stdout=subprocess.PIPE, env=self.environment() | {"TRIBUTARY_PORT": "0"})
        try:
            url = next(line.split(" listening on ")[1].strip() for line in server.stdout if " listening on " in line)
            self.assertEqual(self.shell(curl, url), '{"success":true}')
            self.assertIn("Hello", self.shell(events.replace("tributary", PROGRAM, 1), url))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(PATIENCE)
            server.stdout.close()

    def environment(self):
        return {name: value for name, value in os.environ.items() if not name.startswith("TRIBUTARY_")}

    def shell(self, line, url):
        """Runs a line that was shown, against the port that the system chose."""
        command = line.replace("http://127.0.0.1:8511", url)
        result = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, text=True, capture_output=True, timeout=PATIENCE, env=self.environment())
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_a_file_that_is_there_is_replaced_only_after_a_question(self):
        config = self.folder / "server.json"
        config.write_text("mine")
        options = ["--data", "data", "--host", "127.0.0.1", "--port", "8511", "--https", "no", "--retain-days", "7"]
        for answer, status in (("n", 1), ("", 1), ("y", 0)):
            self.assertEqual(config.read_text(), "mine")
            terminal = self.terminal(*options)
            self.answer(terminal, (r"server\.json is there already\. Replace it\? \[y/N\] ", answer))
            self.assertEqual(terminal.end(), status, terminal.shown)
        self.assertEqual(json.loads(config.read_text())["port"], 8511)

    def test_the_end_of_the_input_writes_nothing(self):
        terminal = self.terminal()
        terminal.read_until(r"\[tributary-data\] ")
        os.write(terminal.control, b"\x04")
        self.assertEqual(terminal.end(), 1)
        self.assertIn("nothing was written", terminal.shown)
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
