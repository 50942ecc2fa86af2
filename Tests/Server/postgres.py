"""A PostgreSQL server of its own, for tests: scripts/bootstrap warehouse installs it."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

USER, PASSWORD, DATABASE = "tributary", "the-password", "events"
PATIENCE = 60
MISSING = "PostgreSQL is not installed (scripts/bootstrap warehouse)"


def programs():
    """The folder of the server's programs; None when it is not installed."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name), reverse=True)
    chosen = os.environ.get("TRIBUTARY_POSTGRES")
    for folder in ([Path(chosen)] if chosen else []) + folders:
        if os.access(folder / "initdb", os.X_OK):
            return folder
    return None


class Postgres:
    """Listens on 127.0.0.1, in a temporary folder. PostgreSQL refuses to run as root; then it runs as the user `postgres`."""

    kind = "postgres"

    def __init__(self):
        self.programs = programs()
        if self.programs is None:
            raise RuntimeError(MISSING)
        # The folder of temporary files may be root's alone.
        place = pwd.getpwnam("postgres").pw_dir if os.geteuid() == 0 else None
        self.folder = tempfile.mkdtemp(prefix="tributary-postgres-", dir=place)
        self.port = self._free_port()
        self.prefix = []
        password = Path(self.folder, "password")
        password.write_text(PASSWORD)
        if os.geteuid() == 0:
            for path in (self.folder, password):
                shutil.chown(path, "postgres", "postgres")
            self.prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]
        self._run("initdb", "--pgdata", self.folder + "/data", "--username", USER, "--auth", "scram-sha-256", "--pwfile",
                  str(password), "--encoding", "UTF8", "--locale", "C", "--no-sync")
        self.process = None
        self.start()
        self.query("CREATE DATABASE " + DATABASE, database="postgres")

    def start(self):
        # What a killed process wrote is still in the memory of the system, so nothing has to be forced to the disk.
        deadline = time.monotonic() + PATIENCE
        while True:
            self.process = subprocess.Popen(
                [*self.prefix, self.programs / "postgres", "-D", self.folder + "/data", "-p", str(self.port), "-k", self.folder,
                 "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
            while self.process.poll() is None:
                if self.is_ready():
                    return
                if time.monotonic() > deadline:
                    raise RuntimeError("PostgreSQL does not start")
                time.sleep(0.05)
            # Processes of the killed server are still there.
            if time.monotonic() > deadline:
                raise RuntimeError("PostgreSQL does not start")
            time.sleep(0.2)

    def is_ready(self):
        return subprocess.run([self.programs / "pg_isready", "-h", "127.0.0.1", "-p", str(self.port)],
                              stdout=subprocess.DEVNULL, check=False).returncode == 0

    def kill(self):
        self.process.kill()
        self.process.wait(PATIENCE)

    def stop(self):
        if self.process.poll() is None:
            # An interrupt ends connections, and does not wait for them.
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def query(self, sql, database=DATABASE):
        """The rows of a query, as lists of texts."""
        output = subprocess.run(
            ["psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--field-separator", "\t", "--set", "ON_ERROR_STOP=1",
             "--host", "127.0.0.1", "--port", str(self.port), "--username", USER, "--dbname", database, "--command", sql],
            env=os.environ | {"PGPASSWORD": PASSWORD}, check=True, capture_output=True, text=True).stdout
        return [line.split("\t") for line in output.splitlines()]

    def number(self, sql):
        return int(self.query(sql)[0][0])

    # What the tests of all databases ask

    def tables(self):
        """The tables that have rows of their own."""
        return [row[0] for row in self.query("SELECT tablename FROM pg_tables WHERE schemaname = 'tributary'")]

    @staticmethod
    def table(name):
        return f'tributary."{name}"'

    def begin_tls(self):
        """Makes a certificate for 127.0.0.1 that signs itself; returns its file."""
        certificate, key = Path(self.folder, "data/server.crt"), Path(self.folder, "data/server.key")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-addext",
                        "subjectAltName=IP:127.0.0.1", "-days", "2", "-keyout", key, "-out", certificate],
                       check=True, capture_output=True)
        key.chmod(0o600)
        if os.geteuid() == 0:
            for path in (certificate, key):
                shutil.chown(path, "postgres", "postgres")
        self.query("ALTER SYSTEM SET ssl = on")
        self.query("SELECT pg_reload_conf()")
        return certificate

    def settings(self, **more):
        return {"host": "127.0.0.1", "port": self.port, "database": DATABASE, "user": USER, "tls": "disable"} | more

    def _run(self, program, *arguments):
        done = subprocess.run([*self.prefix, self.programs / program, *arguments], cwd="/", capture_output=True, text=True,
                              check=False)
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stdout}{done.stderr}")

    @staticmethod
    def _free_port():
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            return listener.getsockname()[1]
