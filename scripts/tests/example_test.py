"""The Xcode project of the example app: it is what its description says, and a parser of such projects reads it.

The parser is pbxproj, which `scripts/bootstrap xcode` installs below .build-tools. Without it those tests are skipped.
"""

import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "Examples/SwiftUIApp"
PROJECT = FOLDER / "Shop.xcodeproj/project.pbxproj"
PARSER = Path(os.environ.get("BUILD_TOOLS", ROOT / ".build-tools")) / "xcode/bin/python"
APP = json.loads((FOLDER / "project.json").read_text("utf-8"))
# Run with the parser's Python: what Xcode would find in the project, as JSON.
READ = """
import json, sys
from pbxproj import XcodeProject
project = XcodeProject.load(sys.argv[1])
objects = project.objects
target = objects.get_targets()[0]
phases = {objects[key].isa: [objects[file] for file in objects[key].files] for key in target.buildPhases}
def path(file):
    return objects[file.fileRef].path if "fileRef" in file else objects[file.productRef].productName
missing = []
def follow(value):
    if isinstance(value, list):
        for inner in value: follow(inner)
    elif isinstance(value, str) and len(value) == 24 and value.isalnum() and value.upper() == value:
        if objects[value] is None: missing.append(value)
for key in objects.get_keys():
    item = objects[key]
    for member in item.get_keys(): follow(item[member])
print(json.dumps({
    "targets": [t.name for t in objects.get_targets()],
    "phases": {isa: sorted(path(file) for file in files) for isa, files in phases.items()},
    "packages": [p.relativePath for p in objects.get_objects_in_section("XCLocalSwiftPackageReference")],
    "products": sorted(p.productName for p in objects.get_objects_in_section("XCSwiftPackageProductDependency")),
    "configurations": sorted(c.name for c in objects.get_objects_in_section("XCBuildConfiguration")),
    "missing": missing,
}))
"""


class ExampleTest(unittest.TestCase):
    def test_the_project_is_what_its_description_says(self):
        result = subprocess.run(
            [sys.executable, ROOT / "scripts/example-project", "--check"], capture_output=True, text=True, check=False)
        self.assertEqual("", result.stderr)

    def test_the_description_names_every_file_of_the_app_and_products_of_the_package(self):
        self.assertEqual(sorted(APP["sources"]), sorted(file.name for file in FOLDER.glob("*.swift")))
        for resource in APP["resources"]:
            self.assertTrue((FOLDER / resource).is_file(), resource)
        manifest = (ROOT / "Package.swift").read_text("utf-8")
        for product in APP["products"]:
            self.assertIn(f'.library(name: "{product}"', manifest)
        self.assertTrue((FOLDER / APP["package"] / "Package.swift").is_file())

    def test_every_product_that_the_app_imports_is_linked(self):
        imported = set()
        for file in APP["sources"]:
            imported |= set(re.findall(r"^import (Tributary\w*|AnalyticsLive)$", (FOLDER / file).read_text("utf-8"), re.M))
        self.assertEqual(sorted(APP["products"]), sorted(imported))

    def test_a_parser_of_such_projects_finds_target_files_and_package(self):
        if not PARSER.is_file():
            self.skipTest("there is no pbxproj (scripts/bootstrap xcode)")
        result = subprocess.run(
            [PARSER, "-c", READ, PROJECT], capture_output=True, text=True, check=False)
        self.assertEqual("", result.stderr)
        found = json.loads(result.stdout)
        self.assertEqual([APP["name"]], found["targets"])
        self.assertEqual([APP["package"]], found["packages"])
        self.assertEqual(sorted(APP["products"]), found["products"])
        self.assertEqual(["Debug", "Debug", "Release", "Release"], found["configurations"])
        self.assertEqual([], found["missing"])
        self.assertEqual(
            {"PBXSourcesBuildPhase": sorted(APP["sources"]), "PBXFrameworksBuildPhase": sorted(APP["products"]),
             "PBXResourcesBuildPhase": sorted(APP["resources"])}, found["phases"])
