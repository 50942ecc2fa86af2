"""Folders of a clone: the workspace's package finds the client's in a folder with any name."""

import json
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def client_folder(clone):
    """The folder in which the workspace's package in a clone looks for the client's."""
    with tempfile.TemporaryDirectory(prefix="tributary-clone-") as folder:
        workspace = Path(folder) / clone / "Workspace"
        workspace.mkdir(parents=True)
        shutil.copy(ROOT / "Workspace/Package.swift", workspace)
        (workspace / "tributary").symlink_to((ROOT / "Workspace/tributary").readlink())
        (workspace.parent / "Package.swift").touch()
        dump = subprocess.run(
            ["swift", "package", "--package-path", str(workspace), "dump-package"], capture_output=True, text=True,
            check=True, timeout=300)
        found = [package["fileSystem"][0]["path"] for package in json.loads(dump.stdout)["dependencies"]
                 if "fileSystem" in package]
        return Path(found[0]), (Path(found[0]) / "Package.swift").exists()


class CloneTest(unittest.TestCase):
    def test_the_client_has_the_name_of_the_clone_unless_it_is_the_workspaces(self):
        # The package manager names a package after its folder, and two packages cannot have one name.
        for clone, name in (("Workspace", "tributary"), ("checkout", "checkout")):
            folder, is_there = client_folder(clone)
            self.assertEqual((name, True), (folder.name, is_there))
