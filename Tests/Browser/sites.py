"""What the tests of websites need around a workspace: a site with its pages, a server in front that fails, and nginx."""

import getpass
import http.client
import http.server
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

from browser import PATIENCE

# Debian has it where only the administrator looks; None where it is not installed.
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


class Server:
    """An HTTP server on a port of the system's choice."""

    def __init__(self, handler):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.server.owner = self
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def port(self):
        return self.server.server_port

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Site(Server):
    """A website. Its pages are texts; its host is another than a workspace has, so both are of different sites."""

    def __init__(self, files):
        super().__init__(SiteHandler)
        self.files = {"/": PAGE, "/other": PAGE} | files

    @property
    def address(self):
        return f"http://localhost:{self.port}"


class SiteHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        text = self.server.owner.files.get(urlsplit(self.path).path)
        body = (text or "").encode()
        self.send_response(200 if text is not None else 404)
        is_script = urlsplit(self.path).path.endswith(("js", "mjs"))
        self.send_header("Content-Type", "text/javascript" if is_script else "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Front(Server):
    """Passes requests to a workspace and notes them. Each POST takes the next of `faults`, and fails in that way.

    A fault is a status, which is answered in place of the workspace; "lost", with which the workspace gets the request and
    the sender no answer; or "cut": the workspace gets no request and the sender no answer.
    """

    def __init__(self, workspace):
        super().__init__(FrontHandler)
        self.workspace = workspace
        self.faults = []
        self.requests = []
        self.lock = threading.Lock()

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    @property
    def address(self):
        return f"http://{self.host}"

    def posts(self, path=None):
        with self.lock:
            return [one for one in self.requests if one["method"] == "POST" and path in (None, one["path"])]


class FrontHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_any(self):
        front = self.server.owner
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with front.lock:
            fault = front.faults.pop(0) if self.command == "POST" and front.faults else None
            front.requests.append({
                "method": self.command, "path": self.path, "headers": dict(self.headers.items()), "body": body,
                "fault": fault})
        if fault == "cut":
            return self.cut()
        if isinstance(fault, int):
            return self.answer(fault, {"Access-Control-Allow-Origin": "*"}, b"")
        try:
            answer = self.forward(front.workspace, body)
        except OSError:
            return self.cut()
        if fault == "lost":
            return self.cut()
        self.answer(*answer)

    do_GET = do_POST = do_OPTIONS = do_any

    def forward(self, workspace, body):
        connection = http.client.HTTPConnection("127.0.0.1", workspace.port, timeout=PATIENCE)
        connection.request(self.command, self.path, body, {
            name: value for name, value in self.headers.items() if name.lower() not in ("connection", "content-length")})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        headers = {name: value for name, value in answer.getheaders()
                   if name.lower() not in ("content-length", "connection", "transfer-encoding", "date", "server")}
        return answer.status, headers, content

    def answer(self, status, headers, body):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def cut(self):
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, *_):
        pass


class Nginx:
    """A real nginx with servers of the documents, at a port of its own and with a certificate of its own."""

    def __init__(self, folder, servers, pages, workspace, port):
        self.folder = Path(folder)
        self.port = port
        site = self.folder / "site"
        site.mkdir()
        for name, text in pages.items():
            (site / name).write_text(text)
        self.certificate()
        text = "".join(servers)
        for pattern, here in [
            (r"listen 443 ssl;", f"listen 127.0.0.1:{self.port} ssl;"),
            (r"ssl_certificate(_key)? .*;", ""),
            (r"root .*;", f"root {site};"),
            (r"http://127\.0\.0\.1:8484", f"http://127.0.0.1:{workspace.port}"),
        ]:
            text, count = re.subn(pattern, here, text)
            assert count, f"the configuration has no {pattern}"
        (self.folder / "nginx.conf").write_text(CONFIGURATION.replace(
            "USER", getpass.getuser()).replace("FOLDER", folder).replace("SERVERS", text))
        self.process = subprocess.Popen(
            [NGINX, "-c", str(self.folder / "nginx.conf"), "-e", str(self.folder / "error.log")],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait()

    def certificate(self):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=example.com",
             "-keyout", str(self.folder / "key.pem"), "-out", str(self.folder / "certificate.pem")],
            check=True, capture_output=True)

    def wait(self):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                return socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                time.sleep(0.02)
        self.stop()
        raise AssertionError(f"nginx did not start:\n{(self.folder / 'error.log').read_text()}")

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(PATIENCE)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def blocks(guide, kind):
    """The blocks of a guide that begin with these words."""
    return re.findall(rf"^```{re.escape(kind)}\n(.*?)^```$", guide.read_text(), re.MULTILINE | re.DOTALL)


# A page that asks for no picture of its own.
PAGE = '<!doctype html><title>Shop</title><link rel="icon" href="data:,">'

# In the foreground, with all that it writes in the folder, and one certificate for all servers.
CONFIGURATION = """
daemon off;
user USER;
worker_processes 1;
pid FOLDER/nginx.pid;
events {}
http {
    types { text/html html; text/javascript js mjs; }
    access_log FOLDER/access.log;
    client_body_temp_path FOLDER/body;
    proxy_temp_path FOLDER/proxy;
    fastcgi_temp_path FOLDER/fastcgi;
    uwsgi_temp_path FOLDER/uwsgi;
    scgi_temp_path FOLDER/scgi;
    ssl_certificate FOLDER/certificate.pem;
    ssl_certificate_key FOLDER/key.pem;
SERVERS
}
"""
