"""scripts/package: what the tarball and the Debian package contain, made of a stand-in for the program.

    /usr/bin/python3 -m unittest -v scripts/tests/package_test.py

Tests/Server/package_test.py installs the package of the real program on Debian.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/support"))

import man_pages  # noqa: E402
import version  # noqa: E402

# A program with a command, a nested one and hidden ones, and with texts that roff would read as its own.
HELP = {"serializationVersion": 0, "command": {
    "commandName": "tributary", "abstract": "Runs a workspace.", "subcommands": [
        {"commandName": "serve", "superCommands": ["tributary"], "abstract": "Serves `all`.",
         "discussion": "One.\n.dot and 'quote' \\ back\n'begins so\n\nTwo…", "arguments": [
             {"kind": "option", "names": [{"kind": "long", "name": "write-key"}], "valueName": "key", "isOptional": True,
              "isRepeating": True, "abstract": "A key.", "defaultValue": "none"},
             {"kind": "flag", "names": [{"kind": "long", "name": "secret"}], "shouldDisplay": False}]},
        {"commandName": "plugin", "superCommands": ["tributary"], "abstract": "Plugins.", "subcommands": [
            {"commandName": "deploy", "superCommands": ["tributary", "plugin"], "abstract": "Deploys.", "arguments": [
                {"kind": "positional", "valueName": "file", "abstract": "A file."}]},
            {"commandName": "odd", "superCommands": ["tributary", "plugin"], "shouldDisplay": False}]},
        {"commandName": "help", "superCommands": ["tributary"], "abstract": "Shows help."}]}}

STAND_IN = r"""
#include <stdio.h>
#include <string.h>
int main(int count, char **words) {
    if (count > 1 && !strcmp(words[1], "--version")) puts("%VERSION%");
    else if (count > 2 && !strcmp(words[1], "--generate-completion-script")) printf("# for %s\n", words[2]);
    else puts(%HELP%);
    return 0;
}
"""
COMPILER = shutil.which("clang") or shutil.which("cc")
LINTIAN = shutil.which("lintian")
MISSING = [tool for tool in ("dpkg-deb", "dpkg-shlibdeps", "strip", "ldd") if shutil.which(tool) is None]


class ManPagesTest(unittest.TestCase):
    def setUp(self):
        self.pages = man_pages.pages(HELP["command"], "2026-11-27", "1.2.3")

    def test_each_command_has_a_page_with_its_subcommands_and_no_hidden_ones(self):
        self.assertEqual({"tributary", "tributary-serve", "tributary-plugin"}, set(self.pages))
        self.assertIn('.SH "tributary plugin deploy"', self.pages["tributary-plugin"])
        self.assertNotIn("odd", self.pages["tributary-plugin"])
        self.assertNotIn("secret", self.pages["tributary-serve"])

    @unittest.skipIf(shutil.which("man") is None, "man is not installed")
    def test_a_page_shows_the_texts_of_the_help_and_man_finds_no_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in self.pages.items():
                file = Path(folder) / f"{name}.1"
                file.write_text(text, encoding="utf-8")
                run = subprocess.run(
                    ["man", "--warnings", "-E", "UTF-8", "-l", str(file)], capture_output=True, text=True, check=False,
                    env=os.environ | {"MANWIDTH": "100", "MANROFFOPT": "", "LC_ALL": "C.UTF-8"})
                self.assertEqual("", run.stderr, name)
                if name == "tributary-serve":
                    for part in ("[--write-key key ...]", ".dot and 'quote' \\ back 'begins so", "Two…", "By default none."):
                        self.assertIn(part, run.stdout)


class VersionTest(unittest.TestCase):
    def test_client_and_server_have_the_same_version(self):
        self.assertTrue(version.SEMANTIC.fullmatch(version.current(ROOT)))

    def test_a_version_is_written_everywhere_and_differing_ones_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            for place in version.PLACES:
                (Path(folder) / place).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / place, Path(folder) / place)
            version.write(folder, "4.5.6-beta.1")
            self.assertEqual("4.5.6-beta.1", version.current(folder))
            place = Path(folder) / next(iter(version.PLACES))
            place.write_text(place.read_text("utf-8").replace("4.5.6", "4.5.7"), encoding="utf-8")
            with self.assertRaisesRegex(version.Problem, "several versions"):
                version.current(folder)

    def test_versions_sort_as_semantic_versions(self):
        ordered = ["0.9.0", "0.10.0-alpha", "0.10.0-beta.2", "0.10.0-beta.11", "0.10.0", "1.0.0"]
        self.assertEqual(ordered, sorted(reversed(ordered), key=version.parts))
        for wrong in ("1.0", "01.0.0", "v1.0.0", "1.0.0+5"):
            with self.assertRaises(version.Problem):
                version.parts(wrong)


@unittest.skipIf(MISSING or COMPILER is None, f"{', '.join(MISSING) or 'a C compiler'} is not installed")
class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="tributary-package-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        (cls.folder / "list.json").write_text('{"components": []}', encoding="utf-8")
        cls.program = cls.compile(version.current(ROOT))
        run = cls.package("first", umask=0o077)
        if run.returncode != 0:
            raise AssertionError(run.stderr)
        cls.made = cls.folder / "first"
        cls.deb = next(cls.made.glob("*.deb"))

    @classmethod
    def compile(cls, number, *libraries):
        source = cls.folder / "program.c"
        text = STAND_IN.replace("%VERSION%", number).replace("%HELP%", json.dumps(json.dumps(HELP)))
        source.write_text(text, encoding="utf-8")
        program = cls.folder / "program"
        subprocess.run([COMPILER, "-Wl,--no-as-needed", "-o", str(program), str(source), *libraries], check=True)
        return program

    @classmethod
    def package(cls, output, *options, umask=-1):
        return subprocess.run(
            [ROOT / "scripts/package", "--binary", cls.program, "--bom", cls.folder / "list.json", "--output",
             cls.folder / output, *options],
            capture_output=True, text=True, check=False, umask=umask,
            env=os.environ | {"DEBFULLNAME": "A Person", "DEBEMAIL": "person@example.com"})

    def field(self, name):
        return subprocess.run(
            ["dpkg-deb", "--field", str(self.deb), name], capture_output=True, text=True, check=True).stdout.strip()

    def test_the_debian_package_has_each_file_with_its_mode_for_root(self):
        listing = subprocess.run(["dpkg-deb", "--contents", str(self.deb)], capture_output=True, text=True, check=True).stdout
        found = {line.split()[5]: (line.split()[0], line.split()[1]) for line in listing.splitlines()}
        self.assertEqual({"root/root"}, {owner for _, owner in found.values()})
        self.assertEqual("-rwxr-xr-x", found["./usr/bin/tributary"][0])
        self.assertEqual("-rw-r-----", found["./etc/tributary/server.json"][0])
        self.assertEqual("drwxr-xr-x", found["./usr/share/man/"][0])
        for file in (
                "share/man/man1/tributary-serve.1.gz", "share/bash-completion/completions/tributary",
                "share/zsh/vendor-completions/_tributary", "share/fish/vendor_completions.d/tributary.fish",
                "lib/systemd/system/tributary.service", "lib/sysusers.d/tributary.conf", "share/doc/tributary/NOTICE"):
            self.assertEqual("-rw-r--r--", found[f"./usr/{file}"][0], file)

    def test_it_depends_on_the_libraries_of_the_program_and_comes_before_the_release(self):
        self.assertRegex(self.field("Depends"), r"^libc6 \(>= [\d.]+\), ca-certificates, systemd")
        self.assertEqual("A Person <person@example.com>", self.field("Maintainer"))
        release = version.current(ROOT)
        earlier = subprocess.run(["dpkg", "--compare-versions", self.field("Version"), "lt", release], check=False)
        self.assertEqual(0, earlier.returncode, self.field("Version"))

    def test_the_service_starts_the_program_of_the_package(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["dpkg-deb", "-x", str(self.deb), folder], check=True)
            unit = (Path(folder) / "usr/lib/systemd/system/tributary.service").read_text("utf-8")
        self.assertIn("\nExecStart=/usr/bin/tributary serve ", unit)
        self.assertNotIn("/usr/local", unit)

    def test_the_tarball_has_one_folder_with_program_licence_pages_and_completions(self):
        listing = subprocess.run(
            ["tar", "tzf", str(next(self.made.glob("*.tar.gz")))], capture_output=True, text=True, check=True).stdout
        top = {line.split("/")[0] for line in listing.splitlines()}
        self.assertEqual(1, len(top))
        names = {line.split("/", 1)[1] for line in listing.splitlines()}
        for name in ("bin/tributary", "share/doc/tributary/LICENSE", "share/doc/tributary/NOTICE", "share/man/man1/tributary.1",
                     "share/doc/tributary/server.json", "share/zsh/site-functions/_tributary"):
            self.assertIn(name, names)

    def test_checksums_are_those_of_all_files(self):
        sums = dict(reversed(line.split()) for line in (self.made / "SHA256SUMS").read_text("utf-8").splitlines())
        files = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in self.made.iterdir()
                 if file.name != "SHA256SUMS"}
        self.assertEqual(files, sums)
        self.assertEqual(3, len(files))

    def test_the_same_program_gives_the_same_files_with_another_umask(self):
        self.assertEqual(0, self.package("second", umask=0o022).returncode)
        self.assertEqual(
            (self.made / "SHA256SUMS").read_text("utf-8"), (self.folder / "second/SHA256SUMS").read_text("utf-8"))

    def test_a_program_of_another_version_is_refused(self):
        self.addCleanup(self.compile, version.current(ROOT))
        self.compile("9.9.9")
        run = self.package("third")
        self.assertEqual(1, run.returncode)
        self.assertIn("has version 9.9.9", run.stderr)

    def test_a_program_with_a_client_of_nats_becomes_a_package_of_the_cluster(self):
        self.addCleanup(self.compile, version.current(ROOT))
        try:
            self.compile(version.current(ROOT), "-lnats")
        except subprocess.CalledProcessError:
            self.skipTest("libnats-dev is not installed (scripts/bootstrap cluster)")
        run = self.package("cluster")
        self.assertEqual(0, run.returncode, run.stderr)
        deb = next((self.folder / "cluster").glob("tributary-cluster_*.deb"))
        self.assertTrue(list((self.folder / "cluster").glob("tributary-cluster-*-linux-*.tar.gz")))
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["dpkg-deb", "-R", str(deb), folder], check=True)
            tree = Path(folder)
            units = {path.name: path.read_text("utf-8") for path in (tree / "usr/lib/systemd/system").iterdir()}
            configuration = (tree / "DEBIAN/conffiles").read_text("utf-8").splitlines()
            self.assertIn("/etc/tributary/nats.conf", configuration)
            self.assertNotIn("/etc/tributary/server.json", configuration)
            self.assertEqual(0o600, (tree / "etc/tributary/cluster.env").stat().st_mode & 0o777)
            control = (tree / "DEBIAN/control").read_text("utf-8")
        self.assertEqual({f"tributary-{name}.service" for name in ("node", "nats", "clickhouse", "zookeeper", "haproxy")}, set(units))
        self.assertIn("\nExecStart=/usr/bin/tributary serve\n", units["tributary-node.service"])
        self.assertRegex(control, r"(?m)^Depends: .*libnats")
        self.assertRegex(control, r"(?m)^Conflicts: tributary$")
        self.check_with_lintian(deb)

    @unittest.skipIf(LINTIAN is None, "lintian is not installed")
    def test_lintian_finds_no_error(self):
        self.check_with_lintian(self.deb)

    def check_with_lintian(self, deb):
        if LINTIAN is None:
            return
        # The stand-in has no zlib of its own, as the program has.
        run = subprocess.run(
            [LINTIAN, "--allow-root", "--suppress-tags", "mismatched-override", str(deb)], capture_output=True, text=True,
            check=False)
        self.assertEqual("", run.stdout)


if __name__ == "__main__":
    unittest.main()
