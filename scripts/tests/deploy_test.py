"""The example of a cluster in deploy/, and the unit of a single workspace: systemd and HAProxy accept it, compose.yaml is one, and every variable that a
configuration reads is set. Tests of the cluster start NATS, ClickHouse, ZooKeeper and HAProxy with deploy/engines.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

try:
    import yaml
except ImportError:
    yaml = None

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/support"))

import serve_options  # noqa: E402

DEPLOY = ROOT / "deploy"
ENGINES = DEPLOY / "engines"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
# One machine without a cluster; the Debian package has this unit, too.
SINGLE = ROOT / "Workspace/Deployment/tributary.service"
COMPOSE = DEPLOY / "compose/compose.yaml"
FORMULA = DEPLOY / "homebrew/tributary.rb"


def text(path):
    return path.read_text("utf-8")


def variables_of_nats():
    lines = [line for line in text(ENGINES / "nats.conf").splitlines() if not line.lstrip().startswith("#")]
    return set(re.findall(r"\$(\w+)", "\n".join(lines)))


def variables_of_clickhouse():
    files = [ElementTree.parse(ENGINES / name) for name in ("clickhouse.xml", "clickhouse-users.xml")]
    return {node.attrib["from_env"] for file in files for node in file.iter() if "from_env" in node.attrib}


def variables_of_haproxy():
    return set(re.findall(r"\$\{(\w+)\}", text(ENGINES / "haproxy.cfg")))


def environment(name):
    lines = [line for line in text(DEPLOY / "systemd" / name).splitlines() if line and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)


def variables():
    """The variables that the configuration of each engine reads."""
    return {
        "nats": variables_of_nats(), "clickhouse": variables_of_clickhouse(), "haproxy": variables_of_haproxy(),
        "zookeeper": {"ZOOKEEPER_ID"},
    }


class SystemdTest(unittest.TestCase):
    def test_every_variable_that_a_unit_needs_is_set_and_it_has_no_rights_of_its_own(self):
        self.assertEqual(5, len(UNITS))
        for unit in UNITS:
            lines = text(unit)
            given = set(re.findall(r"^Environment=(\w+)=", lines, re.M))
            for file in re.findall(r"^EnvironmentFile=/etc/tributary/(.*)$", lines, re.M):
                given |= set(environment(file))
            self.assertLessEqual(variables().get(unit.stem.removeprefix("tributary-"), set()), given, unit.name)
            rights = {"NoNewPrivileges=yes", "ProtectSystem=strict", "ProtectHome=yes", "DynamicUser=yes"}
            self.assertLessEqual(rights, set(lines.splitlines()), unit.name)

    def test_variables_of_nodes_are_options_of_serve(self):
        named = {name for file in ("cluster.env", "machine.env") for name in environment(file)}
        named |= set(re.findall(r"^Environment=(\w+)=", text(DEPLOY / "systemd/tributary-node.service"), re.M))
        named |= set(re.findall(r"^ +(TRIBUTARY_\w+):", text(COMPOSE), re.M))
        self.assertEqual(set(), {name for name in named if name.startswith("TRIBUTARY_")} - serve_options.variables())

    def test_the_secrets_of_an_engine_and_of_the_nodes_are_the_same(self):
        shared = environment("cluster.env")
        self.assertIn(f"tributary:{shared['NATS_PASSWORD']}@", shared["TRIBUTARY_LOG"])
        self.assertEqual(3, shared["NATS_ROUTES"].count(f"tributary:{shared['NATS_PASSWORD']}@"))
        self.assertIn(f"default:{shared['CLICKHOUSE_PASSWORD']}@", shared["TRIBUTARY_STORE"])
        # What no engine accepts cannot be left as it is: NATS would read a number.
        self.assertTrue(shared["NATS_PASSWORD"][0].isalpha())

    @unittest.skipIf(shutil.which("systemd-analyze") is None, "systemd-analyze is not installed")
    def test_systemd_accepts_the_units(self):
        units = [*UNITS, SINGLE]
        with tempfile.TemporaryDirectory() as folder:
            for unit in units:
                # The programs and the files of the environment are on the machines of the cluster.
                lines = re.sub(r"^(Exec\w+)=\S+", r"\1=/bin/true", text(unit), flags=re.M)
                (Path(folder) / unit.name).write_text(lines, "utf-8")
            run = subprocess.run(
                ["systemd-analyze", "verify", "--man=no", *[str(Path(folder) / unit.name) for unit in units]],
                capture_output=True, text=True, env={**os.environ, "SYSTEMD_LOG_LEVEL": "warning"}, check=False)
            notes = [line for line in run.stderr.splitlines() if "/tributary" in line or line.startswith("tributary")]
            self.assertEqual((0, []), (run.returncode, notes), run.stderr)

    def test_a_unit_starts_no_program_of_a_package_that_may_be_missing(self):
        for unit in [*UNITS, SINGLE]:
            # `kill` is in procps, which a small Debian does not have.
            self.assertNotIn("/bin/kill", text(unit), unit.name)

    def test_a_single_workspace_has_no_more_rights_than_a_node(self):
        """The rights that both units take away; the single one has a user that is there while it is stopped, too."""
        def taken(unit):
            return set(re.findall(r"^(?:Protect|Private|Restrict|NoNew|Capability|Lock|SystemCall|UMask)\w*=.*$", text(unit), re.M))

        self.assertLessEqual(taken(DEPLOY / "systemd/tributary-node.service"), taken(SINGLE))
        self.assertRegex(text(SINGLE), r"(?m)^User=tributary$")
        self.assertRegex(text(SINGLE.with_name("tributary.sysusers")), r"(?m)^u tributary ")


class EnginesTest(unittest.TestCase):
    def test_a_record_is_synced_before_it_is_acknowledged(self):
        self.assertRegex(text(ENGINES / "nats.conf"), r"(?m)^ +sync_interval: always$")

    @unittest.skipIf(shutil.which("haproxy") is None, "haproxy is not installed (scripts/bootstrap cluster)")
    def test_haproxy_accepts_its_configuration(self):
        ports = {name: f"127.0.0.1:{20000 + index}" for index, name in enumerate(sorted(variables_of_haproxy()))}
        run = subprocess.run(
            ["haproxy", "-c", "-f", str(ENGINES / "haproxy.cfg")], capture_output=True, text=True,
            env={**os.environ, **ports}, check=False)
        self.assertEqual(0, run.returncode, run.stderr)


class FormulaTest(unittest.TestCase):
    """The formula of Homebrew. Only a Mac can run it; this is what can be checked elsewhere."""

    @unittest.skipIf(shutil.which("ruby") is None, "ruby is not installed")
    def test_ruby_can_read_the_formula(self):
        run = subprocess.run(["ruby", "-wc", str(FORMULA)], capture_output=True, text=True, check=False)
        self.assertEqual((0, "Syntax OK\n", ""), (run.returncode, run.stdout, run.stderr))

    def test_what_it_builds_and_starts_is_there(self):
        lines = text(FORMULA)
        package = text(ROOT / "Workspace/Package.swift")
        product = re.search(r'"--product", "(\w+)"', lines)[1]
        self.assertIn(f'.executable(name: "{product}"', package)
        self.assertEqual({product}, set(re.findall(r'bin/"(\w+)"', lines)) | {FORMULA.stem})
        system = re.search(r"\.macOS\(\.v(\d+)\)", package)[1]
        self.assertEqual({"14": "sonoma"}[system], re.search(r"macos: :(\w+)", lines)[1])
        for file in re.findall(r'"((?:scripts|Workspace)/[\w./]+)"', lines):
            self.assertTrue((ROOT / file).exists() or file.endswith(f".build/release/{product}"), file)
        self.assertLessEqual(set(re.findall(r"\bTRIBUTARY_\w+", lines)), serve_options.variables())


@unittest.skipIf(yaml is None, "PyYAML is not installed")
class ComposeTest(unittest.TestCase):
    def setUp(self):
        self.file = yaml.safe_load(text(COMPOSE))
        self.services = self.file["services"]

    def test_every_name_is_declared_and_every_file_is_there(self):
        for name, service in self.services.items():
            for wanted in service.get("depends_on", []):
                self.assertIn(wanted, self.services, name)
            for network in service["networks"]:
                self.assertIn(network, self.file["networks"], name)
            for volume in service.get("volumes", []):
                self.assertIn(volume.split(":")[0], self.file["volumes"], name)
            for file in re.findall(r"/etc/tributary/([\w.-]+)", " ".join(service.get("command", []))):
                self.assertTrue((ENGINES / file).is_file(), f"{name} reads {file}, which its image does not have")
            build = service["build"]
            self.assertTrue((COMPOSE.parent / build["context"] / build["dockerfile"]).is_file(), name)
        self.assertIn("COPY engines/ /etc/tributary/", text(COMPOSE.parent / "engines.Dockerfile").splitlines())

    def test_every_variable_that_a_configuration_reads_is_set(self):
        needed = variables()
        for name, service in self.services.items():
            self.assertLessEqual(needed.get(name.split("-")[0], set()), set(service["environment"]), name)

    def test_servers_of_a_kind_have_names_and_data_of_their_own(self):
        for key in ("NATS_NAME", "ZOOKEEPER_ID", "CLICKHOUSE_REPLICA", "CLICKHOUSE_HOST", "TRIBUTARY_NODE_NAME"):
            values = [s["environment"][key] for s in self.services.values() if key in s["environment"]]
            self.assertEqual(3, len(set(values)), key)
        volumes = [volume for service in self.services.values() for volume in service.get("volumes", [])]
        self.assertEqual(len(volumes), len(set(volumes)))

    def test_secrets_have_no_value_and_have_to_be_given(self):
        given = dict(line.split("=", 1) for line in text(COMPOSE.parent / ".env.example").splitlines() if "=" in line)
        for secret in re.findall(r"\$\{(\w+):\?", text(COMPOSE)):
            self.assertEqual("", given[secret])
        used = set(re.findall(r"\$\{(\w+)", text(COMPOSE)))
        self.assertEqual(used, set(given))

    def test_only_the_load_balancer_is_reached_from_outside_and_from_this_machine_only(self):
        ports = {name: service["ports"] for name, service in self.services.items() if "ports" in service}
        self.assertEqual({"haproxy": ["127.0.0.1:8484:8484"]}, ports)
