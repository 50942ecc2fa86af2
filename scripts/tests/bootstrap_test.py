"""scripts/bootstrap on systems that differ from this one: its commands are replaced by small scripts in PATH."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

BOOTSTRAP = Path(__file__).resolve().parents[1] / "bootstrap"
BUILD = ["libjavascriptcoregtk-4.1-dev", "zlib1g-dev", "libcurl4-openssl-dev", "libssl-dev", "libsqlite3-dev", "pkg-config"]
UNIT = [*BUILD, "python3", "openssl"]
TEST = [*UNIT, "chromium", "chromium-driver", "python3-selenium", "libjs-codemirror", "libjs-chart.js", "nodejs",
        "node-typescript", "faketime", "strace", "wrk"]
BENCH = [*UNIT, "wrk", "valgrind", "binutils", "strace"]
CLUSTER = [
    *UNIT, "python3-venv", "libnats-dev", "clickhouse-server", "zookeeper", "default-jre-headless", "haproxy"]


class BootstrapTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-bootstrap-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        self.tools("bash", "env", "sed", "grep", "head", "readlink")
        self.calls = self.folder / "calls"
        self.calls.touch()
        self.swift("Swift version 6.3.1 (swift-6.3.1-RELEASE)")
        self.command("sudo", 'exec "$@"')
        self.command("uname", "echo Linux")

    def command(self, name, body):
        path = self.bin / name
        path.write_text(f"#!/usr/bin/env bash\n{body}\n")
        path.chmod(0o755)

    def tools(self, *names):
        for name in names:
            (self.bin / name).symlink_to(shutil.which(name))

    def logged(self, name, body):
        self.command(name, f'echo "{name} $*" >>"{self.calls}"\n{body}')

    def swift(self, version):
        self.command("swift", f"echo '{version}'")

    def debian(self, *installed, known=(*TEST, *BENCH)):
        """A Debian with these packages installed, and those packages in its lists."""
        lines = "\n".join(f"installed {package}" for package in installed)
        self.command("dpkg-query", f"echo 'config-files chromium'\necho '{lines}'\nexit 1")
        # A package that is not in the lists makes the command fail.
        checks = "\n".join(f"[[ $package == {package} ]] && continue" for package in known)
        self.command("apt-cache", f'shift\nfor package in "$@"; do\n{checks}\nexit 1\ndone')
        self.logged("apt-get", "")

    def run_bootstrap(self, *arguments, system="ID=debian", **variables):
        release = self.folder / "os-release"
        release.write_text(system + "\n")
        environment = {"PATH": str(self.bin), "OS_RELEASE": str(release), "HOME": os.environ.get("HOME", "/")} | variables
        run = subprocess.run([str(BOOTSTRAP), *arguments], env=environment, capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr

    def assertCalls(self, *calls):
        self.assertEqual(self.calls.read_text().splitlines(), list(calls))

    # Debian

    def test_a_complete_system_is_left_alone_in_silence(self):
        self.debian(*TEST)
        for group in ([], ["build"], ["unit"], ["test"], ["build", "test"]):
            with self.subTest(group=group):
                self.assertEqual(self.run_bootstrap(*group), (0, ""))
        self.assertCalls()

    def test_groups_install_what_they_need_and_what_is_missing(self):
        self.debian("zlib1g-dev", "chromium")
        for group, packages in (("build", BUILD), ("unit", UNIT), ("test", TEST), ("bench", BENCH)):
            self.calls.write_text("")
            self.assertEqual(self.run_bootstrap(group)[0], 0)
            missing = [package for package in packages if package not in ("zlib1g-dev", "chromium")]
            self.assertCalls("apt-get install -y " + " ".join(missing))

    def test_the_engines_of_a_cluster_are_installed_from_both_places(self):
        self.debian(*UNIT, known=CLUSTER)
        self.tools("cat", "dirname")
        tools = self.folder / "tools"
        # A package of Python that is there in the version that is wanted is left alone.
        for name in ["nats", "chdb"]:
            version = re.search(rf"^readonly {name}=(.+)$", BOOTSTRAP.read_text(), re.M)[1]
            (tools / name).mkdir(parents=True)
            (tools / name / "version").write_text(version + "\n")
        self.assertEqual(self.run_bootstrap("cluster", BUILD_TOOLS=str(tools))[0], 0)
        self.assertCalls("apt-get install -y " + " ".join(CLUSTER[len(UNIT):]))

    def test_a_machine_without_pypi_learns_how_to_do_without(self):
        self.debian(*UNIT, "python3-venv")
        self.tools("mkdir", "rm", "cat", "tail", "dirname")
        # This module makes a pip that reaches no PyPI.
        (self.folder / "venv.py").write_text(
            "import pathlib, sys\npip = pathlib.Path(sys.argv[-1]) / 'bin/pip'\npip.parent.mkdir(parents=True)\n"
            "pip.write_text('#!/usr/bin/env bash\\necho no route; exit 1')\npip.chmod(0o755)\n")
        status, output = self.run_bootstrap("schema", BUILD_TOOLS=str(self.folder / "tools"), PYTHONPATH=str(self.folder))
        self.assertEqual(status, 1)
        for text in ("is PyPI reachable?", "no route", "scripts/test --only"):
            self.assertIn(text, output)

    def test_lists_are_fetched_when_a_package_is_not_in_them_or_they_are_too_old(self):
        self.debian(*TEST[1:], known=[])
        self.assertEqual(self.run_bootstrap()[0], 0)
        self.assertCalls("apt-get update", install := f"apt-get install -y {TEST[0]}")
        self.calls.write_text("")
        self.debian(*TEST[1:])
        marker = self.folder / "updated"
        self.logged("apt-get", f'[[ $1 != update ]] || : >"{marker}"\n[[ -e "{marker}" ]]')
        self.assertEqual(self.run_bootstrap()[0], 0)
        self.assertCalls(install, "apt-get update", install)

    def test_an_installation_that_fails_names_the_packages(self):
        self.debian(*TEST[1:])
        self.logged("apt-get", "[[ $1 == update ]]")
        status, output = self.run_bootstrap()
        self.assertEqual(status, 1)
        self.assertIn(f"apt could not install: {TEST[0]}", output)

    # Ubuntu

    def test_ubuntu_needs_a_chromium_that_is_no_snap(self):
        self.debian(*UNIT, "python3-selenium", "libjs-codemirror", "libjs-chart.js", "nodejs",
                    "node-typescript", "wrk", "faketime", "strace")
        self.assertEqual(self.run_bootstrap("unit", system="ID=ubuntu"), (0, ""))
        self.assertEqual(self.run_bootstrap("test", system="ID=mint\nID_LIKE=\"ubuntu debian\"")[0], 1)
        self.command("chromium", "exec /snap/bin/chromium")
        self.command("chromedriver", "exec /snap/bin/chromium.chromedriver")
        status, output = self.run_bootstrap(system="ID=ubuntu")
        self.assertEqual(status, 1)
        self.assertIn("snap", output)
        self.assertIn("scripts/test --only checks,root,workspace", output)
        self.command("chromium", "exec /usr/lib/chromium/chromium")
        (self.bin / "chromedriver").unlink()
        (self.bin / "chromedriver").symlink_to(shutil.which("env"))
        self.assertEqual(self.run_bootstrap(system="ID=ubuntu"), (0, ""))
        self.assertCalls()

    # Other systems

    def test_another_system_names_what_is_missing(self):
        status, output = self.run_bootstrap(system="ID=fedora")
        self.assertEqual(status, 1)
        for name in ("pkg-config", "javascriptcoregtk-4.1", "zlib", "libcurl", "libcrypto", "sqlite3", "python3", "openssl", "chromium",
                     "chromedriver", "selenium"):
            self.assertIn(name, output)
        for name in ("pkg-config", "python3", "openssl", "chromium", "chromedriver", "wrk"):
            self.command(name, "")
        self.assertEqual(self.run_bootstrap(system="ID=fedora"), (0, ""))
        status, output = self.run_bootstrap("bench", system="ID=fedora")
        self.assertEqual(status, 1)
        self.assertIn("the command valgrind", output)
        self.assertNotIn("the command wrk", output)

    # The toolchain and the command line

    def test_versions_of_swift(self):
        self.debian(*TEST)
        for version, status in [
            ("Swift version 6.2 (swift-6.2-RELEASE)", 0),
            ("swift-driver version: 1.127 Apple Swift version 6.2.1 (swiftlang-6.2.1.4 clang-1700)", 0),
            ("Swift version 6.10-dev", 0),
            ("Swift version 7.0", 0),
            ("Swift version 6.1.3 (swift-6.1.3-RELEASE)", 1),
            ("Swift version 5.10.1", 1),
            ("no version at all", 1),
        ]:
            with self.subTest(version=version):
                self.swift(version)
                self.assertEqual(self.run_bootstrap("build")[0], status)
        self.command("swift", "exit 1")
        self.assertEqual(self.run_bootstrap()[0], 1)
        (self.bin / "swift").unlink()
        status, output = self.run_bootstrap()
        self.assertEqual(status, 1)
        self.assertIn("6.2 or later", output)

    def test_an_unknown_group_is_refused(self):
        status, output = self.run_bootstrap("everything")
        self.assertEqual(status, 64)
        self.assertIn("unknown group everything", output)
