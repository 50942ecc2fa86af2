"""The Debian package on Debian 12 and 13 from nothing: installed, used, upgraded, removed and purged.

Each Debian is made by debootstrap and booted by systemd-nspawn, so apt, dpkg, systemd and the service's unit with its
restrictions are the real ones. The container uses the network of this machine.

    sudo TRIBUTARY_BIN=PATH /usr/bin/python3 -m unittest -v Tests/Server/package_test.py

TRIBUTARY_BIN is a release build with --static-swift-stdlib; without it, the test takes the program that `scripts/package` built.
debian.py says which variables keep the trees of debootstrap for the next run, and name another mirror. The test needs root
and what `scripts/bootstrap package` installs, and takes about six minutes. It prints its figures.
"""

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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import debian  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TRIBUTARY_BIN", str(ROOT / "Workspace/.build-static/release/tributary"))
# Nothing is waited for longer than that.
PATIENCE = 600
TOOLS = ("debootstrap", "systemd-nspawn", "nsenter", "dpkg-deb", "dpkg-shlibdeps", "curl")
# Where the packages are in a container.
PLACE = "/srv"
# A version that is newer than each one that scripts/package can make of these sources.
NEWER = "99.0.0"


def missing():
    """Why the test cannot run; None when it can."""
    absent = [tool for tool in TOOLS if shutil.which(tool) is None]
    if os.geteuid() != 0:
        return "only root can boot a container"
    if absent:
        return f"{', '.join(absent)} not installed (scripts/bootstrap package)"
    if not os.access(PROGRAM, os.X_OK):
        return f"there is no program {PROGRAM}; make one with scripts/package, or name one with TRIBUTARY_BIN"
    return None


class Machine:
    """A Debian that has booted in a container."""

    def __init__(self, tree):
        self.tree = tree
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready:
            ready.settimeout(PATIENCE)
            ready.bind(f"{folder}/ready")
            self.process = subprocess.Popen(
                ["systemd-nspawn", "--quiet", "--boot", "--register=no", "--keep-unit", "--console=pipe", "--notify-ready=yes",
                 "--directory", str(tree)],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                env=os.environ | {"NOTIFY_SOCKET": f"{folder}/ready"})
            self.leader = self._wait_for(ready)

    @staticmethod
    def _wait_for(ready):
        """Waits until the container has booted. Returns its first process."""
        leader = None
        while True:
            lines = ready.recv(4096).decode().splitlines()
            for line in lines:
                if line.startswith("X_NSPAWN_LEADER_PID="):
                    leader = line.split("=")[1]
            if "READY=1" in lines:
                return leader

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def try_run(self, *command):
        return subprocess.run(
            ["nsenter", "--target", self.leader, "--all", "--", "env", "--ignore-environment",
             "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8", *command],
            capture_output=True, text=True, check=False, timeout=PATIENCE, stdin=subprocess.DEVNULL)

    def run(self, *command):
        """The output of a command, which has to succeed."""
        result = self.try_run(*command)
        if result.returncode != 0:
            raise AssertionError(f"{' '.join(command)} ends with {result.returncode}:\n{result.stdout}{result.stderr}")
        return result.stdout

    def apt(self, *words):
        return self.run("apt-get", "-q", "-y", "-o", f"DPkg::Lock::Timeout={PATIENCE}", *words)

    def file(self, path):
        return self.tree / path.lstrip("/")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def newer_package(file, folder):
    """The same package with a higher version, as a later release would be."""
    tree = Path(folder) / "newer"
    subprocess.run(["dpkg-deb", "--raw-extract", str(file), str(tree)], check=True)
    control = tree / "DEBIAN/control"
    control.write_text(re.sub(r"(?m)^Version: .*$", f"Version: {NEWER}", control.read_text("utf-8")), encoding="utf-8")
    made = Path(folder) / f"tributary_{NEWER}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "--build", str(tree), str(made)], check=True, stdout=subprocess.DEVNULL)
    return made


class Packages:
    """The two packages of all tests, made once."""

    folder = package = newer = None


def setUpModule():
    if reason := missing():
        raise unittest.SkipTest(reason)
    folder = tempfile.TemporaryDirectory(prefix="tributary-package-")
    unittest.addModuleCleanup(folder.cleanup)
    Packages.folder = Path(folder.name)
    bill = Packages.folder / "bill.json"
    bill.write_text("{}", encoding="utf-8")
    subprocess.run(
        [ROOT / "scripts/package", "--binary", PROGRAM, "--bom", bill, "--output", Packages.folder / "packages"], check=True,
        stdout=subprocess.DEVNULL)
    Packages.package = next((Packages.folder / "packages").glob("*.deb"))
    Packages.newer = newer_package(Packages.package, Packages.folder)


class PackageTest(unittest.TestCase):
    """What both Debians have in common; the classes below name them."""

    def setUp(self):
        tree = Path(tempfile.mkdtemp(dir=Packages.folder)) / self.suite
        debian.make_tree(self.suite, tree, packages=("systemd-sysv", "dbus"))
        self.port = free_port()
        # What `systemctl edit tributary` would write: this machine may have something on the usual port.
        override = tree / "etc/systemd/system/tributary.service.d/port.conf"
        override.parent.mkdir(parents=True)
        override.write_text(f"[Service]\nEnvironment=TRIBUTARY_PORT={self.port}\n", encoding="utf-8")
        for file in (Packages.package, Packages.newer):
            shutil.copy(file, f"{tree}{PLACE}")
        self.machine = Machine(tree)
        self.addCleanup(self.machine.stop)
        self.machine.run("apt-get", "-q", "update")
        self.figures = {"package": f"{Packages.package.stat().st_size / 1e6:.1f} MB"}

    def tearDown(self):
        print("\n" + self.suite + ": " + ", ".join(f"{name} {value}" for name, value in self.figures.items()), flush=True)

    # What an operator looks at

    def journal(self, text):
        """The last entry of the service that begins so, without that beginning."""
        lines = self.machine.run("journalctl", "--unit", "tributary", "--output", "cat").splitlines()
        beginning = f"tributary: {text} "
        return [line.removeprefix(beginning) for line in lines if line.startswith(beginning)][-1]

    def wait_until_it_listens(self):
        """Follows the journal until the service says that it listens."""
        invocation = self.machine.run("systemctl", "show", "--property=InvocationID", "--value", "tributary").strip()
        self.assertTrue(invocation, self.machine.run("journalctl", "--no-pager", "--lines", "50"))
        found = self.machine.try_run(
            "sh", "-c", f"timeout 60 journalctl --follow --lines all --output cat _SYSTEMD_INVOCATION_ID={invocation} "
            "| grep --max-count 1 --line-buffered 'listening on'")
        self.assertIn(f"listening on http://127.0.0.1:{self.port}", found.stdout, self.machine.run("journalctl", "--no-pager"))

    def status(self, property):
        return self.machine.run("systemctl", "show", f"--property={property}", "--value", "tributary").strip()

    def command(self, *words):
        return self.machine.run("env", f"TRIBUTARY_SERVER=http://127.0.0.1:{self.port}",
                                f"TRIBUTARY_ADMIN_TOKEN={self.token}", "tributary", *words)

    def send(self, name):
        subprocess.run(
            ["curl", "--silent", "--show-error", "--fail", "--user", f"{self.key}:", f"http://127.0.0.1:{self.port}/v1/track",
             "--json", json.dumps({"userId": "u-1", "event": name})],
            check=True, stdout=subprocess.DEVNULL, timeout=60)

    def wait_for(self, name):
        self.assertIn(name, self.command("wait-for-event", "--name", name, "--timeout", "60"))

    def stored(self):
        """The names of all stored events, for people."""
        return self.command("events")

    # The test

    def test_install_first_event_upgrade_remove_purge(self):
        self.install()
        self.look_at_the_service()
        self.look_at_the_files()
        self.upgrade()
        self.remove_and_install_again()
        self.purge()

    def install(self):
        before = self.used()
        start = time.monotonic()
        self.machine.apt("install", f"{PLACE}/{Packages.package.name}")
        installed = time.monotonic()
        self.wait_until_it_listens()
        self.token, self.key = self.journal("admin token"), self.journal("write key")
        self.send("First")
        self.wait_for("First")
        end = time.monotonic()
        self.figures |= {
            "apt install": f"{installed - start:.1f} s", "to the first stored event": f"{end - start:.1f} s",
            "on disk with its libraries": f"{(self.used() - before) / 1e6:.0f} MB",
        }

    def used(self):
        """The bytes of all installed packages, as dpkg counts them."""
        sizes = self.machine.run("dpkg-query", "--show", "--showformat=${Installed-Size}\\n").split()
        return sum(int(size) for size in sizes) * 1024

    def look_at_the_service(self):
        self.assertEqual("enabled", self.machine.run("systemctl", "is-enabled", "tributary").strip())
        self.assertEqual("active", self.status("ActiveState"))
        process = self.status("MainPID")
        self.assertEqual("tributary", self.machine.run("stat", "-c", "%U", f"/proc/{process}").strip())
        # Its data are its own, and it cannot write elsewhere.
        self.assertEqual("tributary tributary 700", self.machine.run("stat", "-c", "%U %G %a", "/var/lib/tributary").strip())
        mounts = self.machine.run("cat", f"/proc/{process}/mounts")
        self.assertRegex(mounts, r"(?m)^\S+ / \S+ ro[, ]")
        status = self.machine.run("cat", f"/proc/{process}/status")
        self.assertRegex(status, r"(?m)^NoNewPrivs:\s*1$")
        self.assertRegex(status, r"(?m)^CapBnd:\s*0+$")
        verified = self.machine.try_run("systemd-analyze", "verify", "--man=no", "tributary.service")
        self.assertNotIn("tributary", verified.stdout + verified.stderr)
        self.machine.run("systemctl", "reload", "tributary")
        self.assertEqual(process, self.status("MainPID"))
        self.figures["systemd-analyze security"] = self.machine.run(
            "sh", "-c", "systemd-analyze security --no-pager tributary.service | tail -n 1").split(": ")[1].strip()

    def look_at_the_files(self):
        self.assertEqual("root root 640", self.machine.run("stat", "-c", "%U %G %a", "/etc/tributary/server.json").strip())
        self.machine.run("bash", "-n", "/usr/share/bash-completion/completions/tributary")
        self.assertIn(".TH", self.machine.run("zcat", "/usr/share/man/man1/tributary-serve.1.gz"))
        # Commands on the data folder, as the user of the workspace.
        self.machine.run("install", "-d", "-o", "tributary", "-g", "tributary", "-m", "700", "/var/backups/tributary")
        self.as_user("tributary", "backup", "/var/lib/tributary", "/var/backups/tributary/1")

    def as_user(self, *command):
        return self.machine.run("runuser", "-u", "tributary", "--", *command)

    def upgrade(self):
        self.machine.run("dpkg-deb", "--extract", f"{PLACE}/{Packages.newer.name}", "/tmp/new")
        self.as_user("/tmp/new/usr/bin/tributary", "upgrade", "--check", "/var/lib/tributary")
        configuration = self.machine.file("/etc/tributary/server.json")
        configuration.write_text(configuration.read_text("utf-8").replace("90", "400"), encoding="utf-8")
        before = self.status("MainPID")
        start = time.monotonic()
        self.machine.apt("install", f"{PLACE}/{Packages.newer.name}")
        self.wait_until_it_listens()
        self.figures["upgrade"] = f"{time.monotonic() - start:.1f} s until it listens again"
        self.assertNotEqual(before, self.status("MainPID"))
        self.assertIn("400", configuration.read_text("utf-8"))
        self.assertIn("First", self.stored())
        self.send("After the upgrade")
        self.wait_for("After the upgrade")

    def remove_and_install_again(self):
        self.machine.apt("remove", "tributary")
        self.assertFalse(self.machine.file("/usr/bin/tributary").exists())
        self.assertEqual("inactive", self.status("ActiveState"))
        self.assertTrue(self.machine.file("/var/lib/tributary/workspace.sqlite").exists())
        self.assertIn("400", self.machine.file("/etc/tributary/server.json").read_text("utf-8"))
        self.machine.apt("install", f"{PLACE}/{Packages.newer.name}")
        self.wait_until_it_listens()
        self.assertIn("First", self.stored())
        self.assertIn("After the upgrade", self.stored())

    def purge(self):
        start = time.monotonic()
        self.machine.apt("purge", "tributary")
        self.figures["purge"] = f"{time.monotonic() - start:.1f} s"
        for path in ("/var/lib/tributary", "/etc/tributary", "/usr/share/doc/tributary",
                     "/etc/systemd/system/multi-user.target.wants/tributary.service"):
            self.assertFalse(os.path.lexists(self.machine.file(path)), path)
        self.assertEqual("inactive", self.status("ActiveState"))


class NoticeTest(unittest.TestCase):
    def test_the_notice_has_the_licence_of_the_icu_that_is_in_the_program(self):
        found = set(re.findall(rb"icudt(\d+)", Path(PROGRAM).read_bytes()))
        notice = (ROOT / "Workspace/Deployment/SWIFT-NOTICE").read_bytes()
        self.assertEqual(set(re.findall(rb"contains ICU (\d+)", notice)), found)


class Debian12Test(PackageTest):
    suite = "bookworm"

    def test_data_of_the_unit_with_a_dynamic_user_are_taken_over(self):
        """The unit of earlier sources had DynamicUser=yes: its data lie below /var/lib/private, behind a link."""
        private = self.machine.file("/var/lib/private/tributary")
        private.mkdir(parents=True)
        private.parent.chmod(0o700)
        self.machine.file("/var/lib/tributary").symlink_to("private/tributary")
        (private / "note").write_text("from before", encoding="utf-8")
        os.chown(private, 61184, 61184)
        os.chown(private / "note", 61184, 61184)
        self.machine.apt("install", "--no-install-recommends", f"{PLACE}/{Packages.package.name}")
        self.wait_until_it_listens()
        self.assertFalse(self.machine.file("/var/lib/tributary").is_symlink())
        self.assertEqual("tributary", self.machine.run("stat", "-c", "%U", "/var/lib/tributary/note").strip())


class Debian13Test(PackageTest):
    suite = "trixie"


# It has no Debian of its own.
del PackageTest

if __name__ == "__main__":
    unittest.main()
