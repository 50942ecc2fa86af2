"""What a workspace meets on a bad day: each time it stays up, says what is wrong and loses nothing acknowledged.

TRIBUTARY_BIN is the program.
"""

import gzip
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from server import KEY, PATIENCE, TOKEN, Server, track  # noqa: E402

PROGRAM = os.environ.get("TRIBUTARY_BIN", "Workspace/.build/debug/tributary")


def can_mount():
    return shutil.which("unshare") is not None and subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "true"], capture_output=True).returncode == 0


class HostileTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-hostile-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def start(self, prefix=(), options=(), errors=subprocess.DEVNULL):
        server = Server(PROGRAM, self.folder + "/data", prefix, options, errors)
        self.addCleanup(server.__exit__)
        return server

    def assertAlive(self, server):
        self.assertEqual(server.send("GET", "/v1/health")[0], 200)

    # Bodies

    def test_bodies_that_are_none_are_refused_and_cost_nothing(self):
        server = self.start()
        event = json.dumps(track("m"))
        bodies = {
            "garbage": os.urandom(3 << 20),
            "deep": b'{"batch":' + b"[" * 1_000_000,
            "deep in an event": b'{"batch":[{"a":' + b'{"a":' * 5_000 + b"1" + b"}" * 4_999 + b"}]}",
            "invalid UTF-8": b'{"batch":[{"type":"track","event":"\xff\xfe","userId":"u"}],"writeKey":"WK"}',
            "overlong UTF-8": b'{"batch":[{"type":"track","event":"\xc0\xaf","userId":"u"}],"writeKey":"WK"}',
            "half": ('{"batch":[%s' % event).encode(),
            "trailing": ('{"batch":[%s],"writeKey":"WK"} x' % event).encode(),
            "number": ('{"batch":[{"type":"track","n":01}],"writeKey":"WK"}').encode(),
            "control": b'{"batch":[{"type":"tr\nack"}],"writeKey":"WK"}',
            "empty": b"",
            "null": b"null",
        }
        for name, body in bodies.items():
            status, answer = server.send("POST", "/v1/b", body)
            self.assertEqual(status, 400, name)
            self.assertIn("error", json.loads(answer), name)
        self.assertEqual(server.post(track("good")), 200)
        self.assertEqual(server.ids(), ["good"])

    def test_more_than_the_limit_is_refused(self):
        server = self.start()
        status, _ = server.send("POST", "/v1/b", b" " * (5 << 20))
        self.assertEqual(status, 400)
        self.assertAlive(server)

    def test_gzip_bomb(self):
        """Three gigabytes in three megabytes."""
        server = self.start()
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        block = b" " * (1 << 20)
        body = b"".join(packer.compress(block) for _ in range(3 << 10))
        body += packer.flush()
        status, answer = server.send("POST", "/v1/b", body, {"Content-Encoding": "gzip"})
        self.assertEqual(status, 400, answer)
        status_file = Path(f"/proc/{server.process.pid}/status")
        if status_file.exists():
            peak = int(next(line for line in status_file.read_text().splitlines() if "VmHWM" in line).split()[1])
            self.assertLess(peak, 400_000)
        self.assertAlive(server)

    def test_repeated_keys_count_once_and_last(self):
        server = self.start()
        body = ('{"batch":[],"writeKey":"no","batch":[{"type":"page","type":"track","event":"A","event":"B",'
                '"userId":"u","messageId":"x","messageId":"m"}],"writeKey":"WK"}')
        self.assertEqual(server.send("POST", "/v1/b", body)[0], 200)
        row, = server.events()
        self.assertEqual((row["messageId"], row["type"], row["name"]), ("m", "track", "B"))

    def test_what_an_event_says_stays_exactly_as_it_was(self):
        server = self.start()
        event = ('{"type":"track","event":"é\\u0000\\ud800 😀","userId":"u","messageId":"m",'
                 '"big":123456789012345678901234567890,"small":1e-400,"minus":-0,"spelled":1.50}')
        body = gzip.compress(('{"batch":[%s],"writeKey":"%s"}' % (event, KEY)).encode())
        self.assertEqual(server.send("POST", "/v1/b", body, {"Content-Encoding": "gzip"})[0], 200)
        self.assertEqual(server.ids(), ["m"])
        text = server.send("GET", "/api/events/m")[1].decode()
        self.assertTrue(text.endswith('"event":' + event + "}"), text)

    def test_clients_that_have_requests_held_and_leave(self):
        server = self.start()
        path = f"/v1/projects/{KEY}/settings"
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            tag = re.search(rb"etag: (\S+)", connection.recv(1 << 16), re.I)[1].decode()
        request = f"GET {path}?wait=45 HTTP/1.1\r\nHost: x\r\nIf-None-Match: {tag}\r\n\r\n".encode()
        connections = []
        for number in range(300):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
            # More than one at once over a connection does not hold more than one.
            connection.sendall(request * (5 if number % 10 == 0 else 1))
            connections.append(connection)
        for connection in connections[:-1]:
            connection.close()
        self.assertEqual(server.post(track("good")), 200)
        self.assertEqual(server.ids(), ["good"])
        # The one that stays has its answer with a change.
        status, answer = server.send("PUT", f"/api/sources/{KEY}/integrations", b'{"Changed":{"apiKey":"k"}}')
        self.assertEqual(status, 200, answer)
        self.assertIn(b" 200 ", connections[-1].recv(1 << 16).partition(b"\r\n")[0])
        connections[-1].close()
        self.assertAlive(server)

    # Requests that no client of the field makes

    def exchange(self, server, request):
        """What comes back until the server closes, or has nothing more to say."""
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            answer = b""
            while chunk := connection.recv(65536):
                answer += chunk
        return answer

    def test_requests_over_a_raw_socket(self):
        server = self.start()
        token = b"Host: 127.0.0.1\r\nAuthorization: Bearer " + TOKEN.encode() + b"\r\n"
        chunked = b"Host: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        cases = {
            b"GET /health HTTP/1.1\r\n\r\n": 400,
            b"GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n": 400,
            b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n": 400,
            b"GET /health HTTP/1.0\r\n\r\n": 200,
            b"HEAD /health HTTP/1.1\r\nHost: x\r\n\r\n": 200,
            b"HEAD /none HTTP/1.1\r\nHost: x\r\n\r\n": 404,
            b"PUT /health HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n": 405,
            b"TRACE /health HTTP/1.1\r\nHost: x\r\n\r\n": 405,
            b"OPTIONS /api/sources HTTP/1.1\r\n" + token + b"\r\n": 405,
            b"OPTIONS /v1/b HTTP/1.1\r\nHost: x\r\n\r\n": 204,
            b"FOO /health HTTP/1.1\r\nHost: x\r\n\r\n": 400,
            b"POST /v1/b HTTP/1.1\r\n" + chunked + b"ZZ\r\nabc\r\n0\r\n\r\n": 400,
            b"POST /v1/b HTTP/1.1\r\n" + chunked + b"3\r\nabcXX0\r\n\r\n": 400,
            b"POST /v1/track HTTP/1.1\r\n" + chunked + b"FFFFFFFFFFFFFFFFF\r\n": 400,
            b"POST /v1/b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n": 400,
            b"PUT /api/sources/WK/filters HTTP/1.1\r\n" + token + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n": 400,
            b"POST /v1/b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n": 400,
            b"POST /v1/b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd": 400,
            b"GET /health HTTP/2.0\r\nHost: x\r\n\r\n": 400,
            b"GET /health HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n": 400,
            b"\x16\x03\x01\x00\r\n\r\n": 400,
        }
        for request, status in cases.items():
            answer = self.exchange(server, request)
            self.assertRegex(answer, rb"^HTTP/1\.[01] %d " % status, request)
            head, body = answer.split(b"\r\n\r\n", 1)
            if status == 405:
                self.assertIn(b"\r\nAllow: ", head, request)
            if request.startswith(b"HEAD"):
                self.assertEqual(body, b"", request)
        self.assertAlive(server)

    def send_without_end(self, server, head, piece, most=64 << 20):
        """Sends pieces until the server has had enough; the bytes that it took and its answer."""
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
            taken, answer = 0, b""
            try:
                connection.sendall(head)
                while taken < most:
                    connection.sendall(piece)
                    taken += len(piece)
                answer = connection.recv(65536)
            except (BrokenPipeError, ConnectionResetError):
                pass
        return taken, answer

    def test_what_is_no_body_does_not_come_without_end(self):
        """Extensions of chunks, lengths with zeros, trailers, heads and empty lines: given up after some hundred KB, which
        includes what the system takes for the server."""
        server = self.start()
        post = b"POST /v1/b?writeKey=%s HTTP/1.1\r\nHost: x\r\n" % KEY.encode()
        chunked = post + b"Transfer-Encoding: chunked\r\n\r\n"
        letters = b"x" * 65_536
        cases = {
            "one extension": (chunked + b"1;a=", letters),
            "chunks of one byte": (chunked, (b"1;a=" + b"x" * 1_000 + b"\r\n \r\n") * 64),
            "a length with zeros": (chunked, b"0" * 65_536),
            "a trailer": (chunked + b"1\r\n \r\n0\r\nX: ", letters),
            "trailers": (chunked + b"1\r\n \r\n0\r\n", b"X: y\r\n" * 10_000),
            "a header": (post + b"X: ", letters),
            "headers": (post, b"X: y\r\n" * 10_000),
            "space in a header": (post + b"X:", b" " * 65_536),
            "empty lines": (b"", b"\r\n" * 32_768),
            "an address": (b"GET /", letters),
        }
        for name, (head, piece) in cases.items():
            with self.subTest(name):
                taken, _ = self.send_without_end(server, head, piece)
                self.assertLess(taken, 16 << 20)
                self.assertAlive(server)
        # The same over a connection that reads its answer.
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
            connection.sendall(chunked + b"1;a=" + b"x" * 150_000)
            self.assertRegex(connection.recv(65_536), rb"^HTTP/1.1 400 ")

    def test_a_body_in_chunks_of_one_byte_is_taken(self):
        server = self.start()
        body = json.dumps({"batch": [track("m", properties={"a": "x" * 20_000})], "writeKey": KEY}).encode()
        chunks = b"".join(b"1;a=b\r\n%c\r\n" % byte for byte in body)
        answer = self.exchange(
            server, b"POST /v1/b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n")
        self.assertRegex(answer, rb"^HTTP/1.1 200 ")
        self.assertEqual(server.ids(), ["m"])

    def test_http_1_0_gets_no_chunks(self):
        server = self.start()
        self.assertEqual(server.post(track("m")), 200)
        answer = self.exchange(
            server, b"GET /api/export HTTP/1.0\r\nAuthorization: Bearer %s\r\n\r\n" % TOKEN.encode())
        head, body = answer.split(b"\r\n\r\n", 1)
        self.assertTrue(head.startswith(b"HTTP/1.0 200 "), head)
        self.assertNotIn(b"transfer-encoding", head.lower())
        self.assertEqual(json.loads(body)["messageId"], "m")

    # Connections

    def test_idle_connections_keep_nobody_out_where_files_are_few(self):
        """More of them than the system lets the server open files."""
        server = self.start(["sh", "-c", 'ulimit -n 256 && exec "$@"', "sh"])
        idle = []
        try:
            for _ in range(600):
                idle.append(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE))
                if len(idle) % 100 == 0:
                    self.assertEqual(server.post(track(f"m-{len(idle)}")), 200)
                    self.assertEqual(server.send("GET", "/api/sources")[0], 200)
            self.assertEqual(len(server.ids()), 6)
        finally:
            for connection in idle:
                connection.close()

    def test_idle_and_slow_connections_hold_up_nobody(self):
        server = self.start()
        idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(1000)]
        slow = []
        for number in range(100):
            connection = socket.create_connection(("127.0.0.1", server.port))
            connection.sendall(b"POST /v1/b HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{\"batch\":[")
            slow.append(connection)
        try:
            for number in range(20):
                self.assertEqual(server.post(track(f"m-{number}")), 200)
            self.assertEqual(len(server.ids()), 20)
        finally:
            for connection in idle + slow:
                connection.close()
        self.assertAlive(server)

    # Requests that cost much, and crowds that share what there is

    def test_a_batch_with_a_large_context_holds_up_no_other_source(self):
        """118,000 members that are added to each of 2,500 events: refused by their size, and not event by event."""
        server = self.start()
        members = ",".join(f'"m{number}":{number}' for number in range(118_000))
        events = ",".join(f'{{"type":"page","userId":"u","messageId":"m{number}"}}' for number in range(2_500))
        body = gzip.compress(('{"writeKey":"%s","context":{%s},"batch":[%s]}' % (KEY, members, events)).encode())
        for _ in range(3):
            self.assertEqual(server.send("POST", "/v1/b", body, {"Content-Encoding": "gzip"})[0], 200)
        self.assertEqual(server.post(track("good")), 200)
        server.settle()
        status, answer = server.send("DELETE", "/api/users/u")
        self.assertEqual((status, json.loads(answer)["events"]), (200, 1))
        self.assertEqual(json.loads(answer)["rejected"], 2_500)
        for _ in range(10):
            self.assertEqual(server.send("POST", "/v1/b", body, {"Content-Encoding": "gzip"})[0], 200)
        server.end(signal.SIGTERM)
        self.assertEqual(server.process.returncode, 0)

    def test_a_context_of_many_members_costs_no_more_than_its_bytes(self):
        """3,300 members in each of 2,500 events: some are stored, the others rejected by the work that they would take, and
        a user whom the context names is erased with all events that got the name, and with no other."""
        server = self.start()
        members = ",".join(f'"{number}":1' for number in range(3_300)) + ',"account":{"traits":{"id":"named"}}'
        events = [f'{{"type":"page","userId":"u","messageId":"m{number}"}}' for number in range(2_500)]
        events[0] = '{"type":"page","userId":"u","messageId":"m0","context":{"account":{},"7":2}}'
        body = '{"writeKey":"%s","context":{%s},"batch":[%s]}' % (KEY, members, ",".join(events))
        self.assertEqual(server.send("PUT", "/api/suppressions?userId=another-user")[0], 200)
        self.assertEqual(server.send("POST", "/v1/b", body)[0], 200)
        server.settle()
        stored = server.get("/api/stats")["stored"]
        rejected = server.get("/api/stats")["rejected"]
        self.assertEqual(stored + rejected, 2_500)
        self.assertGreater(stored, 100)
        # An erasure that takes more than ten seconds is answered with 202, and the same request waits on.
        status = 202
        while status == 202:
            status, answer = server.send("DELETE", "/api/users/named")
        self.assertEqual(status, 200, answer)
        self.assertEqual(server.ids(), ["m0"])

    def test_connections_without_a_key_share_little_memory(self):
        """1,000 bodies of which 200 KB come, and never the end."""
        server = self.start()
        before = self.memory(server)
        connections = []
        try:
            for _ in range(1_000):
                connection = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
                connections.append(connection)
                connection.setblocking(False)
                try:
                    connection.send(b"POST /v1/b HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\n{" + b" " * 200_000)
                except BlockingIOError:
                    pass
            status, _ = server.send("POST", "/v1/b?writeKey=" + KEY, json.dumps({"batch": [track("m")]}))
            self.assertEqual(status, 200)
            self.assertEqual(server.ids(), ["m"])
            grown = self.memory(server) - before
            print(f"1,000 connections without a key: {grown / 1e6:.0f} MB more", file=sys.stderr)
            self.assertLess(grown, 100e6)
        finally:
            for connection in connections:
                connection.close()
        self.assertAlive(server)

    def memory(self, server):
        """The most bytes in memory so far."""
        text = Path(f"/proc/{server.process.pid}/status").read_text()
        return int(next(line for line in text.splitlines() if line.startswith("VmHWM")).split()[1]) * 1024

    def test_a_wrong_key_at_the_beginning_is_refused_before_the_body_has_come(self):
        server = self.start()
        for beginning in [b'{"writeKey":"none","batch":[' + b" " * 8_000, gzip.compress(
                b'{"writeKey":"none","batch":["' + os.urandom(20_000).hex().encode(), 1)[:12_000]]:
            zipped = b"Content-Encoding: gzip\r\n" if beginning[:1] == b"\x1f" else b""
            with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
                connection.sendall(b"POST /v1/b HTTP/1.1\r\nHost: x\r\n" + zipped + b"Content-Length: 3000000\r\n\r\n")
                # Two parts, because the beginning is looked at when more comes.
                connection.sendall(beginning)
                connection.sendall(b" " * 100_000)
                self.assertRegex(connection.recv(1_000), rb"^HTTP/1.1 401 ")

    def test_a_body_that_comes_too_slowly_is_given_up(self):
        server = self.start()
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
            connection.sendall(b"POST /v1/b HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
            self.assertEqual(connection.recv(1_000), b"")
        self.assertAlive(server)

    def test_bodies_that_come_to_half_do_not_hold_up_the_end(self):
        """The server ends before its patience with everything (10 s) does, and has stored what it acknowledged."""
        server = self.start()
        self.assertEqual(server.post(track("kept")), 200)
        connections = []
        try:
            for number in range(50):
                connection = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
                connections.append(connection)
                connection.sendall(b"POST /v1/b?writeKey=%s HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{%s" % (
                    KEY.encode(), b" " * number))
            server.settle()
            begin = time.monotonic()
            server.end(signal.SIGTERM)
            self.assertEqual(server.process.returncode, 0)
            self.assertLess(time.monotonic() - begin, 10)
        finally:
            for connection in connections:
                connection.close()

    def test_answers_that_are_not_read_keep_no_administrator_out(self):
        """More connections than the server has files for, that ask for the script of the page again and again."""
        server = self.start(["sh", "-c", 'ulimit -n 256 && exec "$@"', "sh"])
        request = b"GET /page/v/places/events-place.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 2_000
        greedy = []
        try:
            for _ in range(300):
                connection = socket.socket()
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
                connection.settimeout(PATIENCE)
                connection.connect(("127.0.0.1", server.port))
                connection.setblocking(False)
                greedy.append(connection)
                try:
                    connection.send(request)
                except (BlockingIOError, ConnectionError):
                    pass
            answered = 0
            for _ in range(95):
                try:
                    answered += server.send("GET", "/api/sources")[0] == 200
                except OSError:
                    pass
            self.assertEqual(answered, 95)
        finally:
            for connection in greedy:
                connection.close()
        self.assertAlive(server)

    def test_a_token_that_may_only_look_keeps_no_administrator_out(self):
        server = self.start()
        _, answer = server.send("POST", "/api/tokens", json.dumps({"name": "viewer", "role": "look"}))
        viewer = json.loads(answer)["token"]
        login = {"Content-Type": "application/x-www-form-urlencoded"}
        cookie = self.log_in(server, TOKEN, login)
        for _ in range(150):
            self.log_in(server, viewer, login)
        self.assertEqual(server.send("GET", "/api/sources", None, {"Authorization": "", "Cookie": cookie})[0], 200)
        streams = []
        try:
            for path in ["/api/stream", "/api/wait-for-event?timeout=60"]:
                statuses = []
                for _ in range(150):
                    connection = server.connect()
                    streams.append(connection)
                    connection.request("GET", path, headers={"Authorization": f"Bearer {viewer}"})
                    if path == "/api/stream":
                        answer = connection.getresponse()
                        statuses.append(answer.status)
                        # A listener has its place when the first line comes.
                        answer.readline()
                if statuses:
                    self.assertEqual((statuses.count(200), statuses.count(429)), (100, 50))
            connection = server.connect()
            streams.append(connection)
            connection.request("GET", "/api/stream", headers={"Authorization": f"Bearer {TOKEN}"})
            self.assertEqual(connection.getresponse().status, 200)
            self.assertEqual(server.send("GET", "/api/wait-for-event?timeout=0")[0], 404)
        finally:
            for connection in streams:
                connection.close()

    def log_in(self, server, token, headers):
        """The cookie of a login."""
        connection = server.connect()
        try:
            connection.request("POST", "/login", f"token={token}", headers)
            answer = connection.getresponse()
            answer.read()
            return answer.getheader("Set-Cookie").split(";")[0]
        finally:
            connection.close()

    def test_half_a_request_is_none(self):
        server = self.start()
        body = json.dumps({"batch": [track("half")], "writeKey": KEY}).encode()
        head = b"POST /v1/b HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body)
        for end in range(0, len(head + body), 7):
            connection = socket.create_connection(("127.0.0.1", server.port))
            connection.sendall((head + body)[:end])
            connection.close()
        self.assertEqual(server.post(track("whole")), 200)
        self.assertEqual(server.ids(), ["whole"])

    # Secrets

    def test_who_guesses_is_slowed_and_logged(self):
        with open(self.folder + "/errors", "w+") as errors:
            server = self.start(errors=errors)
            wrong = {"Authorization": "Bearer a-wrong-token-of-many"}
            statuses = [server.send("GET", "/api/sources", headers=wrong)[0] for _ in range(12)]
            self.assertEqual(statuses, [401] * 10 + [429] * 2)
            self.assertEqual(server.post(track("m")), 200)
            errors.seek(0)
            lines = [line for line in errors if "a wrong token" in line]
            self.assertEqual(len(lines), 10)
            self.assertIn("address=127.0.0.1", lines[0])
            self.assertNotIn("a-wrong-token-of-many", "".join(lines))

    def test_what_was_open_to_others_is_closed(self):
        server = self.start()
        self.assertEqual(server.post(track("m")), 200)
        server.settle()
        server.end(signal.SIGTERM)
        data = Path(self.folder, "data")
        for path in [data, *data.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        server = self.start()
        self.assertEqual(server.ids(), ["m"])
        open_to_others = [
            str(path.relative_to(data)) for path in [data, *data.rglob("*")]
            if path.stat().st_mode & 0o077 and path.name != "lock"]
        self.assertEqual(open_to_others, [])

    def test_a_folder_that_serves_others_too_keeps_its_mode_and_the_files_are_protected(self):
        data = Path(self.folder, "data")
        data.mkdir(mode=0o755)
        data.joinpath("something-else").write_text("mine")
        self.start()
        self.assertEqual(data.stat().st_mode & 0o777, 0o755)
        self.assertEqual(data.joinpath("workspace.sqlite").stat().st_mode & 0o077, 0)

    # The disk

    @unittest.skipUnless(can_mount(), "a small disk cannot be mounted here")
    def test_full_disk(self):
        """Says so with 503, keeps what it acknowledged, and takes more once there is room."""
        os.makedirs(self.folder + "/data")
        filler = self.folder + "/data/filler"
        script = ('mount -t tmpfs -o size=24m tmpfs "$1" && dd if=/dev/zero of="$2" bs=1M count=12 status=none'
                  ' && shift 2 && exec "$@"')
        log = open(self.folder + "/log", "w+")
        self.addCleanup(log.close)
        server = self.start(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh",
                             self.folder + "/data", filler], errors=log)
        acknowledged, refused = [], 0
        for number in range(4000):
            message = f"m-{number}"
            status = server.post(track(message, note="x" * 20_000))
            if status == 200:
                acknowledged.append(message)
            else:
                self.assertEqual(status, 503)
                refused += 1
                if refused == 20:
                    break
        self.assertGreater(refused, 0)
        self.assertGreater(len(acknowledged), 10)
        self.assertAlive(server)
        # Not a line for each.
        lines = Path(self.folder, "log").read_text().count("journal failed")
        self.assertGreater(lines, 0)
        self.assertLess(lines, refused / 4)
        # The mount is the server's own: it can be reached through the server's root only.
        os.remove(f"/proc/{server.process.pid}/root{filler}")
        server.settle()
        self.assertEqual(server.post(track("last")), 200)
        self.assertEqual(sorted(server.ids()), sorted(acknowledged + ["last"]))

    def test_torn_journal(self):
        server = self.start()
        self.assertEqual(server.post(track("before")), 200)
        server.settle()
        server.end(signal.SIGKILL)
        newest = max(Path(self.folder, "data/journal").glob("*.tjl"))
        with open(newest, "ab") as file:
            file.write(os.urandom(1000))
        server = self.start()
        self.assertEqual(server.post(track("after")), 200)
        self.assertEqual(server.ids(), ["before", "after"])

    def test_damaged_database_is_refused_with_its_name(self):
        server = self.start()
        self.assertEqual(server.post(track("m")), 200)
        server.settle()
        server.end(signal.SIGTERM)
        files = [path for path in Path(self.folder, "data").glob("workspace.sqlite*")]
        intact = {path: path.read_bytes() for path in files}
        for path in files:
            path.write_bytes(os.urandom(len(intact[path])))
        run = subprocess.run(
            [PROGRAM, "serve", "--port", "0", "--data", self.folder + "/data"], capture_output=True, text=True,
            timeout=PATIENCE)
        self.assertEqual(run.returncode, 1)
        self.assertIn("database", run.stderr)
        for path in files:
            path.write_bytes(intact[path])
        self.assertEqual(self.start().ids(), ["m"])


if __name__ == "__main__":
    unittest.main()
