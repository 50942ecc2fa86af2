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
    def test_a_clone_named_like_the_workspaces_package_gives_the_client_another_name(self):
        # The package manager names a package after its folder, and two packages cannot have one name.
        for clone in ("workspace", "Workspace"):
            folder, is_there = client_folder(clone)
            self.assertEqual("tributary", folder.name)
            self.assertTrue(is_there)

    def test_any_other_clone_is_found_by_its_own_name(self):
        folder, is_there = client_folder("tributary")
        self.assertEqual("tributary", folder.name)
        self.assertTrue(is_there)
        self.assertEqual("checkout", client_folder("checkout")[0].name)
