"""The manifests in deploy/kubernetes: their schema, and whether they fit the image and the program.

    scripts/bootstrap kubernetes; /usr/bin/python3 -m unittest -v Tests/Server/kubernetes_test.py

The validator is kubernetes-validate, which scripts/bootstrap installs below .build-tools. Tests/Server/image_test.py runs the
image as these manifests would.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/support"))

import serve_options  # noqa: E402

VALIDATOR = Path(os.environ.get("BUILD_TOOLS", ROOT / ".build-tools")) / "kubernetes/bin/kubernetes-validate"
FOLDER = ROOT / "deploy/kubernetes"
FILES = sorted(FOLDER.glob("*.yaml"))
DOCKERFILE = (ROOT / "Workspace/Deployment/Dockerfile").read_text("utf-8")
# The validator brings a parser of YAML with it.
PARSE = "import json, sys, yaml; print(json.dumps([d for f in sys.argv[1:] for d in yaml.safe_load_all(open(f, encoding='utf-8'))]))"


def validate(*files):
    return subprocess.run([str(VALIDATOR), "--strict", *map(str, files)], capture_output=True, text=True, check=False)


@unittest.skipUnless(VALIDATOR.exists(), "there is no kubernetes-validate (scripts/bootstrap kubernetes)")
class KubernetesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        run = subprocess.run(
            [str(VALIDATOR.with_name("python")), "-c", PARSE, *map(str, FILES)], capture_output=True, text=True, check=True)
        cls.objects = {one["kind"]: one for one in json.loads(run.stdout)}
        cls.pod = cls.objects["StatefulSet"]["spec"]["template"]["spec"]
        cls.container = cls.pod["containers"][0]

    def test_the_manifests_have_the_schema_of_kubernetes(self):
        run = validate(*FILES)
        self.assertEqual(0, run.returncode, run.stdout + run.stderr)
        self.assertEqual({"Secret", "Service", "StatefulSet"}, set(self.objects))

    def test_the_validator_finds_a_name_that_kubernetes_does_not_know(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "wrong.yaml"
            wrong = (FOLDER / "workspace.yaml").read_text("utf-8").replace("readOnlyRootFilesystem", "readOnlyRootFileSystem")
            file.write_text(wrong, encoding="utf-8")
            self.assertNotEqual(0, validate(file).returncode)

    def test_each_name_that_an_object_uses_is_that_of_another(self):
        labels = self.objects["StatefulSet"]["spec"]["template"]["metadata"]["labels"]
        self.assertEqual(labels, self.objects["Service"]["spec"]["selector"])
        self.assertEqual(labels, self.objects["StatefulSet"]["spec"]["selector"]["matchLabels"])
        self.assertEqual(self.objects["StatefulSet"]["spec"]["serviceName"], self.objects["Service"]["metadata"]["name"])
        claims = {claim["metadata"]["name"] for claim in self.objects["StatefulSet"]["spec"]["volumeClaimTemplates"]}
        volumes = {volume["name"]: volume for volume in self.pod["volumes"]}
        self.assertEqual(claims | set(volumes), {mount["name"] for mount in self.container["volumeMounts"]})
        self.assertEqual(volumes["admin-token"]["secret"]["secretName"], self.objects["Secret"]["metadata"]["name"])
        ports = {port["name"] for port in self.container["ports"]}
        self.assertLessEqual({port["targetPort"] for port in self.objects["Service"]["spec"]["ports"]}, ports)
        for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
            self.assertIn(self.container[probe]["httpGet"]["port"], ports)

    def test_variables_are_options_of_serve_and_files_are_in_a_volume(self):
        given = {variable["name"]: variable["value"] for variable in self.container["env"]}
        commented = set(re.findall(r"# - \{name: (\w+)", (FOLDER / "workspace.yaml").read_text("utf-8")))
        self.assertLessEqual(set(given) | commented, serve_options.variables())
        mounts = {mount["name"]: mount["mountPath"] for mount in self.container["volumeMounts"]}
        token = next(iter(self.objects["Secret"]["stringData"]))
        self.assertEqual(f"{mounts['admin-token']}/{token}", given["TRIBUTARY_ADMIN_TOKEN_FILE"])
        self.assertEqual(mounts["data"], str(Path(given["TRIBUTARY_DATA"]).parent))

    def test_the_secret_has_to_be_set_since_the_server_refuses_a_token_of_less_than_20_characters(self):
        self.assertLess(len(self.objects["Secret"]["stringData"]["admin-token"]), 20)

    def test_the_pod_runs_as_the_user_of_the_image_without_rights(self):
        user = int(re.search(r"(?m)^USER (\d+):\1$", DOCKERFILE)[1])
        self.assertEqual({user}, {self.pod["securityContext"][name] for name in ("runAsUser", "runAsGroup", "fsGroup")})
        self.assertTrue(self.pod["securityContext"]["runAsNonRoot"])
        self.assertFalse(self.pod["automountServiceAccountToken"])
        self.assertEqual(
            {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}},
            self.container["securityContext"])
        self.assertIn("memory", self.container["resources"]["limits"])

    def test_ports_are_those_of_the_image_and_a_service_sets_no_variable_of_the_server(self):
        exposed = int(re.search(r"(?m)^EXPOSE (\d+)$", DOCKERFILE)[1])
        self.assertEqual([exposed], [port["containerPort"] for port in self.container["ports"]])
        # A Service named tributary would set TRIBUTARY_PORT.
        self.assertFalse(self.pod["enableServiceLinks"])


if __name__ == "__main__":
    unittest.main()
