"""Messages of alert rules by mail, with a mail server of another maker.

TRIBUTARY_BIN is the program. The mail server is aiosmtpd: scripts/bootstrap mail.
"""

import email
import email.policy
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from clients_test import PROGRAM  # noqa: E402
from server import KEY, PATIENCE, Server  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PYTHON = Path(os.environ.get("BUILD_TOOLS", ROOT / ".build-tools")) / "mail/bin/python"
LOGIN = ("tributary", "a secret, é")


class Receiver:
    """A process of the mail server."""

    def __init__(self, folder, security, *more):
        self.process = subprocess.Popen([PYTHON, Path(__file__).with_name("mail_receiver.py"), folder, security, *more],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = int(self.process.stdout.readline())

    def mail(self):
        """Waits for the next mail."""
        return json.loads(self.process.stdout.readline())

    def stop(self):
        self.process.kill()
        self.process.wait(PATIENCE)
        self.process.stdout.close()


@unittest.skipUnless(PYTHON.exists(), "aiosmtpd is not installed (scripts/bootstrap mail)")
class MailTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-mail-test-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.login = self.folder / "login"
        self.login.write_text("\n".join(LOGIN) + "\n", encoding="utf-8")
        self.errors = open(self.folder / "errors", "w+", encoding="utf-8")
        self.addCleanup(self.errors.close)

    @classmethod
    def setUpClass(cls):
        if shutil.which("openssl") is None:
            raise unittest.SkipTest("openssl is not installed (scripts/bootstrap unit)")
        folder = tempfile.TemporaryDirectory(prefix="tributary-mail-keys-")
        cls.addClassCleanup(folder.cleanup)
        cls.keys = Path(folder.name)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=DNS:localhost", "-keyout", cls.keys / "key.pem", "-out", cls.keys / "certificate.pem"],
            check=True, capture_output=True)

    def receiver(self, security, *more):
        receiver = Receiver(self.keys, security, *more)
        self.addCleanup(receiver.stop)
        return receiver

    def serve(self, port, *options, to=("ops@example.com",)):
        receivers = [option for address in to for option in ("--mail-to", address)]
        server = Server(PROGRAM, self.folder / "data", options=[
            "--smtp-server", f"localhost:{port}", "--mail-from", "tributary@example.com", *receivers, *options], errors=self.errors)
        self.addCleanup(server.__exit__)
        return server

    def put(self, server, name="disk", percent=1):
        """Makes a rule that is not broken, so that no alert comes between the mails of a test."""
        status, text = server.send("PUT", f"/api/alerts/{name}", json.dumps({"kind": "disk", "percent": percent, "to": "mail"}))
        self.assertIn(status, (200, 201), text)

    def try_it(self, server, name="disk"):
        status, text = server.send("POST", f"/api/alerts/{name}/test")
        self.assertEqual(status, 200, text)
        return json.loads(text)

    def parsed(self, mail):
        return email.message_from_string(mail["text"], policy=email.policy.default)

    def hides_the_login(self, server, *texts):
        texts = [*texts, server.send("GET", "/api/alerts")[1].decode(), server.send("GET", "/api/audit")[1].decode()]
        server.end(signal.SIGTERM)
        texts.append((self.folder / "errors").read_text(encoding="utf-8"))
        for text in texts:
            self.assertNotIn("a secret", text)
            self.assertNotIn("dHJpYnV0YXJ5", text)

    def test_a_test_and_an_alert_arrive_encrypted_with_a_login_at_each_address(self):
        for security in ("starttls", "tls"):
            with self.subTest(security=security):
                receiver = self.receiver(security, ":".join(LOGIN))
                server = self.serve(receiver.port, "--smtp-security", security, "--smtp-authority", str(self.keys / "certificate.pem"),
                                    "--smtp-login-file", str(self.login), to=("ops@example.com", "boss@example.com"))
                self.put(server, "Zoë's disk".replace(" ", "%20").replace("ë", "%C3%AB"))
                answer = self.try_it(server, "Zo%C3%AB's%20disk")
                self.assertEqual((answer["accepted"], answer["answer"]), (True, "250 taken as 1"))
                mail = receiver.mail()
                self.assertEqual(mail["from"], "tributary@example.com")
                self.assertEqual(mail["to"], ["ops@example.com", "boss@example.com"])
                self.assertEqual((mail["encrypted"], mail["login"]), (True, LOGIN[0]))
                parsed = self.parsed(mail)
                self.assertEqual(parsed["Subject"], "test of the alert Zoë's disk")
                self.assertIn("State: test", parsed.get_content())
                self.assertEqual(parsed["Auto-Submitted"], "auto-generated")
                self.hides_the_login(server, json.dumps(answer))

    def test_an_alert_is_sent_once_when_it_begins(self):
        receiver = self.receiver("none")
        server = self.serve(receiver.port, "--smtp-security", "none")
        self.put(server, percent=99)
        deadline = time.monotonic() + PATIENCE
        # The server looks once a minute.
        mail = receiver.mail()
        self.assertLess(time.monotonic(), deadline)
        self.assertRegex(self.parsed(mail)["Subject"], r"^alert disk: \d+ % of the disk are free$")
        self.assertIn("State: firing", self.parsed(mail).get_content())
        rule, = server.get("/api/alerts")["rules"]
        self.assertEqual((rule["state"], rule["to"], rule["url"]), ("firing", "mail", None))

    def test_a_refusal_is_told_without_the_login(self):
        cases = [
            (("starttls", "other:login"), ["--smtp-authority", str(self.keys / "certificate.pem"), "--smtp-login-file", str(self.login)], "535"),
            (("starttls", "", "550 unknown here"), ["--smtp-authority", str(self.keys / "certificate.pem")], "550 unknown here"),
            (("none",), [], "offers no encryption"),
            # Its certificate is not signed by one of the system's.
            (("starttls",), [], "no answer"),
        ]
        for receiver, options, words in cases:
            with self.subTest(words=words):
                server = self.serve(self.receiver(*receiver).port, *options)
                self.put(server)
                answer = self.try_it(server)
                self.assertFalse(answer["accepted"])
                self.assertIn(words, answer["answer"])
                self.hides_the_login(server, json.dumps(answer))
                shutil.rmtree(self.folder / "data")

    def test_a_server_that_speaks_no_mail_or_never_ends_its_line_ends_with_a_reason(self):
        for words, reason in ((b"HTTP/1.1 400 Bad Request\r\n\r\n", "cannot be read"), (b"220 " + b"a" * 100_000, "cannot be read"),
                              (b"220 hello\r\n250 STARTTLS\r\n220 go\r\n250 early\r\n", "before the encryption"), (b"", "closed")):
            with self.subTest(reason=reason), socket.create_server(("127.0.0.1", 0)) as listener:
                def answer():
                    connection, _ = listener.accept()
                    with connection:
                        connection.sendall(words)
                        if words:
                            connection.settimeout(PATIENCE)
                            try:
                                while connection.recv(4096):
                                    pass
                            except OSError:
                                pass
                thread = threading.Thread(target=answer)
                thread.start()
                server = self.serve(listener.getsockname()[1])
                self.put(server)
                answered = self.try_it(server)
                self.assertFalse(answered["accepted"])
                self.assertIn(reason, answered["answer"])
                server.end(signal.SIGTERM)
                thread.join(PATIENCE)
                shutil.rmtree(self.folder / "data")

    def test_a_server_without_mail_refuses_such_a_rule_and_wrong_options_end_the_start(self):
        with Server(PROGRAM, self.folder / "data") as server:
            status, text = server.send("PUT", "/api/alerts/a", json.dumps({"kind": "disk", "to": "mail"}))
            self.assertEqual(status, 409)
            self.assertIn(b"--smtp-server", text)
            self.assertFalse(server.get("/api/alerts")["hasMail"])
        for options, words in ((["--mail-to", "a@b"], "needs --smtp-server"), (["--smtp-server", "m"], "mail-from is the address"),
                               (["--smtp-server", "m", "--mail-from", "a@b", "--mail-to", "a\nb@c"], "is no address"),
                               (["--smtp-server", "m", "--mail-from", "a@b", "--mail-to", "a@b", "--smtp-login-file", "/missing"], "cannot be read")):
            run = subprocess.run([PROGRAM, "serve", "--port", "0", "--data", self.folder / "other", "--write-key", KEY, *options],
                                 capture_output=True, text=True, timeout=PATIENCE, check=False)
            self.assertNotEqual(run.returncode, 0)
            self.assertIn(words, run.stderr)


if __name__ == "__main__":
    unittest.main()
