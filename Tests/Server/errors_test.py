"""Gives every command wrong input and reads what it says.

The commands and their options come from the program itself, so a new command is tried too. Each option gets the faults of
its kind: files, folders, addresses, tokens, names and numbers. An option gets some of the faults of its kind, in turn, so that
each fault is tried at many commands. No text may have words of Foundation, of the system or of a library, names of
Swift types or of enumeration cases, and JSON that cannot be read is named with line and column.

TRIBUTARY_BIN is the program. TRIBUTARY_SEED shifts which option gets which faults; TRIBUTARY_ALL=1 tries all at each, which
takes some minutes.
"""

import collections
import concurrent.futures
import http.server
import json
import os
import pty
import re
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from server import TOKEN, Server  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TRIBUTARY_BIN", str(ROOT / "Workspace/.build/debug/tributary"))
SEED = int(os.environ.get("TRIBUTARY_SEED", "0"))
# A command that still runs after this time waits for something, and has to say for what.
PATIENCE = 20
# How many faults an option gets: fewer where many commands share the option.
SHARES = {"shared": 1, "file": 3, "text": 1}
SHARED = {"server", "token-file", "certificate-authority", "write-key"}
# These wait for events that may never come, which is what they are for.
PATIENT = {("tail",), ("trace",), ("wait-for-event",)}

# What no text for people has.
SYSTEM_WORDS = re.compile(
    r"NSCocoa|NSPOSIX|Error Domain|Code=\d|UserInfo|CocoaError|POSIXError|error \d+\.?\)|couldn.t be |could not be completed"
    r"|operation couldn|NIO[A-Z]\w*|HTTPClientError|HTTPParser|BoringSSL|OPENSSL|IOError|errno|\bEOF\b|\.part\b|\.partial\b"
    r"|at byte \d|Fatal error|\bSwift\.|Optional\(|SQLite error|while executing|Invalid header field|[Rr]emote connection"
    r"|JSONError|DecodingError|ChannelError|0x[0-9a-f]{6,}|Traceback|Thread \d|WorkspaceServer\.|TributaryCommand\.")
# `failedToLoadCertificate`, or `.timeout(5)`: a case of an enumeration.
CASE_NAME = re.compile(r"(?<![\w\"'/.$-])\.?[a-z]+[A-Z]\w*")
CASE_CALL = re.compile(r"(?<![\w)])\.[a-z]\w*\(")
PLACE = re.compile(r"line \d+, column \d+")


def leaves(command, path=()):
    """The commands that do something, with the words that call them."""
    commands = [each for each in command.get("subcommands", []) if each["commandName"] != "help"]
    if not commands:
        yield path, command
    for each in commands:
        yield from leaves(each, (*path, each["commandName"]))


class Faults:
    """Wrong input of each kind."""

    def __init__(self, folder, urls):
        self.folder = folder
        self.urls = urls
        self.files = self._files()
        self.tokens = ["wrong-token-of-these-tests", "with\na line break in it", "mit Ümläuten und 🦊 darin",
                       "\x1b[31mcontrol signs in a token", " "]
        self.names = ["no-such-name", "", "..", "a/b", "with\nline break", "\x1b[2J", "n" * 3_000, "🦊", "100%", "a b", "-"]
        self.numbers = ["-1", "0", "99999999999999999999", "x", "1e999", "NaN", "0x10", "1.5", ""]

    def _files(self):
        contents = {
            "empty": b"", "binary": bytes(range(256)) * 8, "cut.json": b'{\n  "a": [1,\n  2', "list.json": b"[]",
            "text.json": b'"text"', "object.json": b"{}", "number.json": b"1e999999", "comma.json": b'{\n "a": 1,\n}',
            "utf16.json": '{"a": 1}'.encode("utf-16"), "latin.json": b'{"a": "\xe9"}', "deep.json": b"[" * 5_000,
            "key.json": b'{"version":1,"sources":{"WK":{"filter":[]}}}', "broken.gz": b"\x1f\x8b\x08\0broken",
            "script.js": b"class {", "token": b"a\0b\n", "fake.pem": b"-----BEGIN CERTIFICATE-----\nxx\n-----END CERTIFICATE-----\n",
        }
        for name, content in contents.items():
            (self.folder / name).write_bytes(content)
        (self.folder / "folder").mkdir()
        (self.folder / "loop").symlink_to(self.folder / "loop")
        (self.folder / "nowhere").symlink_to(self.folder / "gone")
        (self.folder / "locked").write_bytes(b"{}")
        (self.folder / "locked").chmod(0)
        (self.folder / "workspace.json").write_bytes(b'{\n"version": 1,\n"sources": }')
        # The system reads no byte of /proc/self/mem at its start, also for the superuser.
        others = ["missing", "folder", "loop", "nowhere", "locked", "empty/below", "n" * 300, "folder/none/none", "."]
        paths = [str(self.folder / name) for name in [*contents, *others]]
        return [*paths, "/proc/self/mem", "/dev/full", "/proc/nothing/there", "", "/dev/null"]

    def of(self, argument):
        """The wrong values of an option."""
        name = argument.get("valueName", "")
        kind = argument.get("completionKind") or {}
        if name == "server":
            return self.urls
        if "file" in kind or "directory" in kind:
            return self.files
        if "list" in kind:
            return ["", "no-such-value", "\x1b[31m"]
        return self.names + self.numbers


class PlainAnswer(http.server.BaseHTTPRequestHandler):
    """A server that is no workspace. The first part of the path says how it answers."""

    def answer(self):
        status = re.match(r"/(\d+)", self.path)
        self.send_response(int(status[1]) if status else 200)
        self.send_header("Content-Length", "13")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(b"<html></html>")

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = answer

    def log_message(self, *_):
        pass


class Rude(socketserver.BaseRequestHandler):
    """A server that speaks no HTTP, or closes at once."""

    def handle(self):
        self.request.recv(100)
        self.request.sendall(self.server.greeting)


class Servers:
    """A workspace with http, one with https, and others that are none."""

    def __init__(self, folder):
        self.plain = Server(PROGRAM, str(folder / "plain"))
        self.tls = Server(PROGRAM, str(folder / "tls"), options=["--tls-development"])
        self.others = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), PlainAnswer)]
        for greeting in (b"", b"220 mail.example.com ESMTP\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{"):
            other = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Rude)
            other.greeting = greeting
            self.others.append(other)
        for other in self.others:
            other.daemon_threads = True
            threading.Thread(target=other.serve_forever, daemon=True).start()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.closed = free.getsockname()[1]

    @property
    def urls(self):
        answer, *rude = [f"http://127.0.0.1:{other.server_address[1]}" for other in self.others]
        return [
            f"http://127.0.0.1:{self.closed}", self.plain.url.replace("http:", "https:"),
            self.tls.url.replace("https:", "http:"), self.tls.url, answer, answer + "/500", answer + "/404",
            answer + "/301", *rude, "127.0.0.1:8484", "localhost", "ftp://127.0.0.1", "", "http://", "http://[::1",
            "http://no-such-host.invalid", "http://127.0.0.1:99999", "http://127.0.0.1:0", "http://a b",
            "https://user:password@127.0.0.1:1", "http:127.0.0.1", "file:///etc/passwd", "http://exa\nmple",
        ]

    def close(self):
        self.plain.end(9)
        self.tls.end(9)
        for other in self.others:
            other.shutdown()
            other.server_close()


Attempt = collections.namedtuple("Attempt", "words arguments value token variables", defaults=[{}])


class ErrorsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="tributary-errors-", ignore_cleanup_errors=True)
        cls.folder = Path(cls.temporary.name)
        (cls.folder / "faults").mkdir()
        cls.servers = Servers(cls.folder)
        cls.faults = Faults(cls.folder / "faults", cls.servers.urls)
        cls.sound = cls.folder / "sound"
        cls.sound.mkdir()
        (cls.sound / "file.json").write_text("[]\n")
        tree = json.loads(subprocess.run(
            [PROGRAM, "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout)
        cls.commands = list(leaves(tree["command"]))
        cls.turns = collections.Counter({name: SEED for name in [*SHARES, *SHARED]})
        # Names of options and of members of the API are in mixed case, and belong into texts.
        known = json.dumps(tree) + (ROOT / "Workspace/OpenAPI/openapi.json").read_text(encoding="utf-8")
        cls.known = set(re.findall(r"[a-z]+[A-Z]\w*", known))

    @classmethod
    def tearDownClass(cls):
        cls.servers.close()
        cls.temporary.cleanup()

    def usual(self, words, argument):
        """A value that is as good as right, for what must be given."""
        name, kind = argument.get("valueName", ""), argument.get("completionKind") or {}
        if name == "write-key":
            return "WK"
        if name == "server":
            return self.servers.plain.url
        if "file" in kind:
            return str(self.sound / "file.json")
        if "directory" in kind:
            return str(self.sound / "-".join(words))
        if "list" in kind:
            return kind["list"]["values"][0]
        return "Thing"

    def attempts(self):
        """Each wrong value of each option, with all other options as they should be."""
        for number, (words, command) in enumerate(self.commands):
            options = [each for each in command.get("arguments", []) if each["kind"] != "flag"]
            for argument in options:
                for value in self.share(argument, self.faults.of(argument)):
                    yield Attempt(words, self.line(words, options, argument, value), value, TOKEN)
            if any(each.get("valueName") == "server" for each in options):
                token = self.faults.tokens[(number + SEED) % len(self.faults.tokens)]
                yield Attempt(words, self.line(words, options, None, None), token, token)

    def attempts_of_the_server(self):
        """Wrong values of the options of `serve`, in the environment and in the configuration file."""
        command = next(command for words, command in self.commands if words == ("serve",))
        folder = self.folder / "configurations"
        folder.mkdir()
        # It ends at once: this is no folder.
        usual = ["serve", "--port=0", f"--data={self.sound / 'file.json'}"]
        names = [each["preferredName"]["name"] for each in command["arguments"] if each["preferredName"]["kind"] == "long"]
        for number, name in enumerate(names):
            if name in ("help", "config", "port", "data"):
                continue
            texts = self.faults.names + self.faults.numbers + self.faults.files
            text = texts[(7 * number + SEED) % len(texts)]
            if text and "\0" not in text:
                variable = "TRIBUTARY_" + name.upper().replace("-", "_")
                yield Attempt(("serve",), usual, text, TOKEN, {variable: text})
            for value in (None, {"a": 1}, [1], [], "", text, -1, 1.5, True):
                file = folder / f"{number}-{len(list(folder.iterdir()))}.json"
                file.write_text(json.dumps({name: value}))
                yield Attempt(("serve",), [*usual, f"--config={file}"], str(file), TOKEN)

    def share(self, argument, values):
        """Those that come next for options of that kind."""
        if os.environ.get("TRIBUTARY_ALL"):
            return values
        is_shared = argument.get("valueName") in SHARED and argument["kind"] == "option"
        kind = "shared" if is_shared else "file" if values is self.faults.files else "text"
        turn = self.turns[argument["valueName"] if is_shared else kind]
        chosen = [values[(turn + step) % len(values)] for step in range(min(SHARES[kind], len(values)))]
        self.turns[argument["valueName"] if is_shared else kind] += len(chosen)
        return chosen

    def line(self, words, options, wrong, value):
        # It ends at once: this is no folder.
        extra = ["--port", "0", "--data", str(self.sound / "file.json")] if words == ("serve",) else []
        if words in (("export",), ("config", "export")):
            extra = ["--overwrite"]
        named, positional = [*extra], []
        for each in options:
            if each is wrong:
                text = value
            elif not each["isOptional"] or each.get("valueName") == "server":
                text = self.usual(words, each)
            else:
                continue
            if each["kind"] == "positional":
                positional.append(text)
            else:
                named.append(f"--{each['preferredName']['name']}={text}")
        return [*words, *named, "--", *positional] if positional else [*words, *named]

    def run_one(self, attempt):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TRIBUTARY_")}
        process = subprocess.Popen(
            [PROGRAM, *attempt.arguments], cwd=self.folder, env=environment | {"TRIBUTARY_ADMIN_TOKEN": attempt.token} | attempt.variables,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            output, errors = process.communicate(timeout=PATIENCE)
            waits = False
        except subprocess.TimeoutExpired:
            process.kill()
            output, errors = process.communicate()
            waits = True
        # What the test put in is not the program's text.
        text = (output + errors).decode("utf-8", "replace")
        for part in (*attempt.arguments, attempt.value, str(self.folder)):
            if len(part) > 2:
                text = text.replace(part, "…")
        return list(self.faults_of(attempt, process.returncode, text, errors.decode("utf-8", "replace"), waits))

    def faults_of(self, attempt, status, text, errors, waits):
        if waits and not text.strip() and attempt.words not in PATIENT:
            yield "it waits without a word"
        if not waits and status < 0:
            yield f"it crashed with signal {-status}"
        if not waits and status > 0 and not text.strip():
            yield f"it ended with {status} without a word"
        if match := SYSTEM_WORDS.search(text):
            yield f"it says {match[0]!r}"
        if match := CASE_CALL.search(text):
            yield f"it says {match[0]!r}"
        for word in CASE_NAME.findall(errors):
            if word.lstrip(".") not in self.known and word not in " ".join(attempt.arguments):
                yield f"it says {word!r}"
        if "\x1b" in text:
            yield "it writes a control sign"
        if re.search(r"(is|are|was) (no|not) (a )?(valid )?JSON\b(?! object)", errors) and "/" in attempt.value \
                and not PLACE.search(errors) and "bytes" not in errors:
            yield "it says that this is no JSON, but not where"

    def test_wrong_input_gets_a_sentence(self):
        attempts = list(self.attempts())
        self.assertGreater(len(attempts), 5 * len(self.commands))
        self.run_all(attempts)

    def test_a_wrong_configuration_of_the_server_gets_a_sentence(self):
        attempts = list(self.attempts_of_the_server())
        self.assertGreater(len(attempts), 100)
        self.run_all(attempts)

    def run_all(self, attempts):
        with concurrent.futures.ThreadPoolExecutor(max(12, 8 * (os.cpu_count() or 1))) as pool:
            results = zip(attempts, pool.map(self.run_one, attempts))
            failures = [(attempt, fault) for attempt, faults in results for fault in faults]
        print(f"{len(attempts)} runs of {len(self.commands)} commands", file=sys.stderr)
        shown = "\n".join(f"{' '.join(attempt.words)} {attempt.value[:80]!r}: {fault}\n    {attempt.arguments}"[:600]
                          for attempt, fault in failures[:int(os.environ.get("TRIBUTARY_SHOWN", "40"))])
        self.assertEqual(len(failures), 0, f"{len(failures)} faults:\n{shown}")

    def test_words_of_systems_and_libraries_are_noticed(self):
        attempt = Attempt(("import",), ["import", "/x"], "/x", TOKEN)
        for text in ("x cannot be read: The operation couldn’t be completed. (NSCocoaErrorDomain error 256.)",
                     "the certificate x cannot be read: failedToLoadCertificate", "x.part cannot be written",
                     "Invalid header field values", "Remote connection closed", "x is not JSON: no value (at byte 106)",
                     "NIOCore.ChannelError.timeout", "it failed: .timeout(5)", "SQLite error 13: full", "x is not JSON"):
            self.assertTrue(list(self.faults_of(attempt, 1, text, text, False)), text)
        self.assertEqual(["it waits without a word"], list(self.faults_of(attempt, -9, "", "", True)))
        self.assertEqual(["it crashed with signal 11"], list(self.faults_of(attempt, -11, "", "", False)))
        sentence = "Error: /x is not JSON: ',' is missing (line 2, column 5); look at messageId"
        self.assertEqual([], list(self.faults_of(attempt, 1, sentence, sentence, False)))

    def test_a_terminal_is_asked(self):
        for answer, status in ((b"n\n", 1), (b"\n", 1), (b"yes\n", 0)):
            server = self.servers.plain
            self.assertIn(server.send("POST", "/api/sources/WK/keys", b'{"key": "NEW%d"}' % len(answer))[0], (201, 409))
            person, terminal = pty.openpty()
            try:
                os.write(person, answer)
                result = subprocess.run(
                    [PROGRAM, "key", "revoke", f"NEW{len(answer)}", "--write-key", "WK", "--server", server.url],
                    env=os.environ | {"TRIBUTARY_ADMIN_TOKEN": TOKEN}, stdin=terminal, capture_output=True, text=True,
                    timeout=60)
            finally:
                os.close(person)
                os.close(terminal)
            self.assertIn("Revoke it? [y/N] ", result.stderr)
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertEqual("nothing was revoked" in result.stderr, status == 1)


if __name__ == "__main__":
    unittest.main()
