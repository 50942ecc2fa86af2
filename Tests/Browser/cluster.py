"""A cluster for tests and pictures of the page: the engines, and nodes that a browser can open.

The engines are started by the program ClusterTest and end with it, in whatever way this program ends. Both programs are those
of a build with TRIBUTARY_CLUSTER=1.
"""

import json
import os
import signal
import socket
import subprocess
from pathlib import Path

from browser import EXECUTABLE, KEY, PATIENCE, Workspace

CLUSTER_KEY = "a-key-that-is-only-for-the-tests-of-a-page"


class EnginesMissing(Exception):
    """The engines are not installed, or the programs are not built with a cluster."""


class Engines:
    """Three servers of NATS and three of ClickHouse."""

    def __init__(self):
        program = Path(EXECUTABLE).parent / "ClusterTest"
        if not program.exists():
            raise EnginesMissing("ClusterTest is not built: TRIBUTARY_CLUSTER=1 swift build --package-path Workspace")
        self.process = subprocess.Popen(
            [str(program), "engines"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            addresses = dict(self.address() for _ in range(3))
        except BaseException:
            self.stop()
            raise
        self.environment = {
            "TRIBUTARY_LOG": addresses["log"], "TRIBUTARY_STORE": addresses["store"],
            "TRIBUTARY_LOG_MONITORING": addresses["monitoring"], "TRIBUTARY_CLUSTER_KEY": CLUSTER_KEY}

    def address(self):
        name, _, value = self.process.stdout.readline().strip().partition(" ")
        if name == "missing":
            raise EnginesMissing(value)
        assert value, "the engines do not start"
        return name, value

    def tell(self, order):
        """`kill nats 0`, `start store 2`."""
        self.process.stdin.write(order + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        assert answer == "done", answer

    def publish(self, subject, text):
        """Writes a message into the log, as somebody may who has its password."""
        login, _, servers = self.environment["TRIBUTARY_LOG"].removeprefix("nats://").partition("@")
        name, _, password = login.partition(":")
        host, _, port = servers.split(",")[0].partition(":")
        options = {"user": name, "pass": password, "verbose": False, "pedantic": False}
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection, connection.makefile("rw") as stream:
            stream.readline()
            stream.write(f"CONNECT {json.dumps(options)}\r\nPUB {subject} {len(text)}\r\n{text}\r\nPING\r\n")
            stream.flush()
            # After it has answered, the server has the message.
            while (line := stream.readline().strip()) != "PONG":
                assert line and not line.startswith("-ERR"), line

    def all_nats(self, word):
        for index in range(3):
            self.tell(f"{word} nats {index}")

    def stop(self):
        self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            # The engines end with the program, however it ends.
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


class Node(Workspace):
    """A node of the cluster."""

    # The engines are looked at first, on a machine that may be busy.
    patience = 120

    def __init__(self, engines, folder, name, partitions=4):
        self.environment = engines.environment
        super().__init__(folder, keys=(KEY,), options=("--node-name", name, "--partitions", str(partitions)))

    def kill(self):
        """Ends the node as a power cut does."""
        self.process.send_signal(signal.SIGKILL)
        self.stop()

    def status(self):
        """What `tributary cluster status` says of the node: the exit status and the text."""
        run = subprocess.run(
            [str(EXECUTABLE), "cluster", "status", "--server", self.address], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=self.patience, env=os.environ | self.tokens)
        return run.returncode, run.stdout
