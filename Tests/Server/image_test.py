"""The image of Workspace/Deployment/Dockerfile with a program that is built: made by podman, and run as deploy/kubernetes would.

    scripts/bootstrap image; sudo TRIBUTARY_BIN=PATH /usr/bin/python3 -m unittest -v Tests/Server/image_test.py

TRIBUTARY_BIN is a release build with --static-swift-stdlib; without it, the test takes the program that `scripts/package` built. The image's base is
made by debootstrap, so the test needs no registry; debian.py says how to keep it for the next run. The stage of the Dockerfile
that compiles the program is not built. The test needs root, takes about three minutes and prints its figures.
"""

import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import debian  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TRIBUTARY_BIN", str(ROOT / "Workspace/.build-static/release/tributary"))
TOOLS = ("podman", "conmon", "runc", "debootstrap", "strip")
PATIENCE = 600
USER = 10001
# What docs/guides/installing.md has for a program that is built already.
PROGRAM_ON_TOP = "FROM localhost/tributary-runtime\nCOPY tributary /usr/local/bin/\n"
# What the images of Debian named slim leave out.
NOT_SLIM = ("usr/share/doc", "usr/share/man", "usr/share/info", "usr/share/locale", "var/lib/apt/lists", "var/cache/apt")


def missing():
    """Why the test cannot run; None when it can."""
    absent = [tool for tool in TOOLS if shutil.which(tool) is None]
    if os.geteuid() != 0:
        return "only root can make the base of the image"
    if absent:
        return f"{', '.join(absent)} not installed (scripts/bootstrap image)"
    if not os.access(PROGRAM, os.X_OK):
        return f"there is no program {PROGRAM}; make one with scripts/package, or name one with TRIBUTARY_BIN"
    return None


class Podman:
    """podman with a storage of its own, so it neither sees nor leaves other images and containers."""

    def __init__(self, folder):
        # crun refuses machines that have both kinds of control groups.
        self.options = ["podman", "--runtime", "runc", "--root", f"{folder}/storage", "--runroot", f"{folder}/run", "--tmpdir", f"{folder}/tmp"]

    def try_run(self, *words, **options):
        # Without systemd, podman has no timer for health checks; the test asks for them itself.
        return subprocess.run(
            [*self.options, *map(str, words)], capture_output=True, text=True, check=False, timeout=PATIENCE,
            env=os.environ | {"DISABLE_HC_SYSTEMD": "true"}, **options)

    def run(self, *words, **options):
        """The output of a command, which has to succeed."""
        result = self.try_run(*words, **options)
        if result.returncode != 0:
            raise AssertionError(f"podman {' '.join(map(str, words))} ends with {result.returncode}:\n{result.stdout}{result.stderr}")
        return result.stdout.strip()

    def start(self, *words):
        """A container in the background on the network of this machine. Its limits are below what this process may set."""
        files = min(resource.getrlimit(resource.RLIMIT_NOFILE)[1], 65536)
        return self.run(
            "run", "--detach", "--network", "host", "--ulimit", f"nofile={files}:{files}", "--ulimit", "nproc=4096:4096", *words)

    def build(self, *words, **options):
        # chroot needs no more than root, so the test also runs within a container.
        return self.run("build", "--isolation", "chroot", "--format", "docker", *words, **options)

    def clean(self):
        self.try_run("rm", "--all", "--force", "--volumes")
        self.try_run("rmi", "--all", "--force")


class Image:
    """The image of all tests, made once."""

    podman = None
    figures = {}


def setUpModule():
    if reason := missing():
        raise unittest.SkipTest(reason)
    folder = tempfile.TemporaryDirectory(prefix="tributary-image-", ignore_cleanup_errors=True)
    unittest.addModuleCleanup(folder.cleanup)
    Image.podman = Podman(folder.name)
    unittest.addModuleCleanup(Image.podman.clean)
    import_base(Path(folder.name))
    Image.podman.build(
        "--build-arg", "DEBIAN=localhost/tributary-debian", "--target", "runtime", "--tag", "localhost/tributary-runtime",
        "--file", ROOT / "Workspace/Deployment/Dockerfile", ROOT)
    context = Path(folder.name) / "context"
    context.mkdir()
    subprocess.run(["strip", "-o", str(context / "tributary"), PROGRAM], check=True)
    (context / "Dockerfile").write_text(PROGRAM_ON_TOP, encoding="utf-8")
    Image.podman.build("--tag", "localhost/tributary", context)
    size = int(Image.podman.run("image", "inspect", "--format", "{{.Size}}", "localhost/tributary"))
    Image.figures["image"] = f"{size / 1e6:.0f} MB"


def import_base(folder):
    """A Debian as small as the images that a registry has."""
    tree = folder / "debian"
    debian.make_tree("bookworm", tree)
    for name in NOT_SLIM:
        shutil.rmtree(tree / name, ignore_errors=True)
    archive = folder / "debian.tar"
    subprocess.run(["tar", "--create", "--file", str(archive), "--directory", str(tree), "."], check=True)
    Image.podman.run("import", archive, "localhost/tributary-debian")
    archive.unlink()
    shutil.rmtree(tree)


def tearDownModule():
    print("\nimage: " + ", ".join(f"{name} {value}" for name, value in Image.figures.items()), flush=True)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class ImageTest(unittest.TestCase):
    def setUp(self):
        self.podman = Image.podman
        self.port = free_port()

    def start(self, volume="tributary-data", data="/data"):
        """A container with the rights of the pod in deploy/kubernetes, on the network of this machine."""
        self.container = self.podman.start(
            "--read-only", "--read-only-tmpfs=false", "--tmpfs", "/tmp", "--cap-drop", "all", "--security-opt",
            "no-new-privileges", "--memory", "2g", "--volume", f"{volume}:/data",
            "--env", f"TRIBUTARY_DATA={data}", "--env", f"TRIBUTARY_PORT={self.port}", "--env", "TRIBUTARY_HOST=127.0.0.1", "localhost/tributary")
        log = subprocess.Popen(
            [*self.podman.options, "logs", "--follow", self.container], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(log.stdout.close)
        self.addCleanup(log.wait)
        # The log ends with the container, so this comes first.
        self.addCleanup(self.podman.try_run, "rm", "--force", "--time", "0", self.container)
        self.lines = []
        for line in log.stdout:
            self.lines.append(line.strip())
            if f"listening on http://127.0.0.1:{self.port}" in line:
                return
        raise AssertionError("\n".join(self.lines))

    def announced(self, text):
        beginning = f"tributary: {text} "
        return [line.removeprefix(beginning) for line in self.lines if line.startswith(beginning)][-1]

    def execute(self, *words):
        return self.podman.run("exec", self.container, *words)

    def command(self, *words):
        return self.podman.run(
            "exec", "--env", f"TRIBUTARY_SERVER=http://127.0.0.1:{self.port}", "--env", f"TRIBUTARY_ADMIN_TOKEN={self.token}",
            self.container, "tributary", *words)

    def send(self, name):
        self.execute(
            "curl", "--silent", "--show-error", "--fail", "--user", f"{self.key}:", f"http://127.0.0.1:{self.port}/v1/track",
            "--json", json.dumps({"userId": "u-1", "event": name}))
        self.assertIn(name, self.command("wait-for-event", "--name", name, "--timeout", "60"))

    def test_the_first_event_is_stored_by_a_user_without_rights_and_is_there_after_a_new_start(self):
        start = time.monotonic()
        self.start()
        self.token, self.key = self.announced("admin token"), self.announced("write key")
        self.send("First")
        Image.figures["from `run` to the first stored event"] = f"{time.monotonic() - start:.1f} s"
        self.look_at_the_process()
        self.look_at_its_health()
        self.stop()
        self.podman.run("rm", self.container)
        self.start()
        self.assertIn("First", self.command("events"))
        self.send("After a new start")
        self.stop()

    def look_at_the_process(self):
        process = self.podman.run("inspect", "--format", "{{.State.Pid}}", self.container)
        status = Path(f"/proc/{process}/status").read_text("utf-8")
        for line in (rf"Uid:\t{USER}\t{USER}\t{USER}\t{USER}", rf"Gid:\t{USER}\t.*", r"CapBnd:\t0+", r"NoNewPrivs:\t1"):
            self.assertRegex(status, rf"(?m)^{line}$")
        for path in ("/usr/local/bin/tributary", "/etc/passwd", "/new"):
            self.assertNotEqual(0, self.podman.try_run("exec", "--user", "0", self.container, "touch", path).returncode, path)
        self.assertEqual("700", self.execute("stat", "-c", "%a", "/data"))

    def look_at_its_health(self):
        self.podman.run("healthcheck", "run", self.container)
        # Kubernetes asks by the address of the pod, which is no allowed name of the page.
        for path in ("health", "ready"):
            self.execute("curl", "--fail", "--silent", "--header", "Host: 10.1.2.3:8484", f"http://127.0.0.1:{self.port}/{path}")

    def stop(self):
        start = time.monotonic()
        self.podman.run("stop", "--time", "60", self.container)
        Image.figures["stop"] = f"{time.monotonic() - start:.1f} s"
        self.assertEqual("0", self.podman.run("inspect", "--format", "{{.State.ExitCode}}", self.container))

    def test_a_check_of_a_container_without_a_server_fails(self):
        self.container = self.podman.start(
            "--env", f"TRIBUTARY_PORT={self.port}", "--entrypoint", "sleep", "localhost/tributary", "600")
        self.addCleanup(self.podman.try_run, "rm", "--force", "--time", "0", self.container)
        self.assertNotEqual(0, self.podman.try_run("healthcheck", "run", self.container).returncode)

    def test_a_volume_of_root_needs_no_more_than_the_group_of_the_user(self):
        """Kubernetes gives the volume to root and to the group of the pod."""
        with tempfile.TemporaryDirectory() as folder:
            os.chown(folder, 0, USER)
            os.chmod(folder, 0o2775)
            self.start(volume=folder, data="/data/workspace")
            self.assertEqual("tributary 700", self.execute("stat", "-c", "%U %a", "/data/workspace"))
            self.stop()


if __name__ == "__main__":
    unittest.main()
