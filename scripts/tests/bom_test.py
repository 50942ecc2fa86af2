"""Tests of scripts/bom: what the list says of a build, and what it refuses."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "bom"
loader = importlib.machinery.SourceFileLoader("bom", str(SCRIPT))
bom = importlib.util.module_from_spec(importlib.util.spec_from_loader("bom", loader))
loader.exec_module(bom)

APACHE = "Apache License\nVersion 2.0, January 2004\n"
MIT = (
    "Copyright A\n\nPermission is hereby granted, free of charge, to any\nperson …\n"
    'THE SOFTWARE IS PROVIDED "AS IS"\n'
)


class BillTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-bom-")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        known = (bom.ROOT, bom.PACKAGES)
        self.addCleanup(lambda: (setattr(bom, "ROOT", known[0]), setattr(bom, "PACKAGES", known[1])))
        bom.ROOT, bom.PACKAGES = self.root, {"client": self.root, "workspace": self.root / "Workspace"}
        self.build("client", {"one": (APACHE, "Notice of one\n")})
        self.build("workspace", {"one": (APACHE, "Notice of one\n"), "two": (MIT, None), "three": (APACHE, None)})

    def build(self, part, packages):
        folder = bom.PACKAGES[part]
        for name, (licence, notice) in packages.items():
            checkout = folder / ".build/checkouts" / name
            checkout.mkdir(parents=True, exist_ok=True)
            (checkout / "LICENSE.txt").write_text(licence, encoding="utf-8")
            if notice:
                (checkout / "NOTICE.txt").write_text(notice, encoding="utf-8")
        pins = [
            {"identity": name, "location": f"https://example.com/a/{name}.git",
             "state": {"revision": "f00", "version": "1.2.3"}}
            for name in packages
        ]
        (folder / "Package.resolved").write_text(json.dumps({"pins": pins}), encoding="utf-8")

    def run_bom(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(io.StringIO()) as errors:
            status = bom.main(list(arguments))
        return status, output.getvalue(), errors.getvalue()

    def test_the_list_has_each_package_once_with_version_licence_and_parts(self):
        status, output, _ = self.run_bom()
        self.assertEqual(status, 0)
        found = {
            component["name"]: (
                component["purl"], component["licenses"][0]["license"]["id"], component["properties"][1]["value"])
            for component in json.loads(output)["components"]
        }
        self.assertEqual(found, {
            "one": ("pkg:swift/example.com/a/one@1.2.3", "Apache-2.0", "client, workspace"),
            "three": ("pkg:swift/example.com/a/three@1.2.3", "Apache-2.0", "workspace"),
            "two": ("pkg:swift/example.com/a/two@1.2.3", "MIT", "workspace"),
        })

    def test_the_notice_has_what_licences_ask_for_and_has_to_be_current(self):
        # The server's packages are enough.
        (self.root / "Package.resolved").unlink()
        self.assertEqual(self.run_bom("--check")[0], 1)
        self.assertEqual(self.run_bom("--notice")[0], 0)
        written = (self.root / "NOTICE").read_text("utf-8")
        self.assertIn("Notice of one", written)
        self.assertIn("Copyright A", written)
        self.assertNotIn("three", written)
        self.assertEqual(self.run_bom("--check")[0], 0)
        self.build("workspace", {"one": (APACHE, "Notice of one\n"), "four": (APACHE, "Notice of four\n")})
        status, _, errors = self.run_bom("--check")
        self.assertEqual(status, 1)
        self.assertIn("scripts/bom --notice", errors)

    def test_an_unknown_licence_a_missing_package_and_an_unknown_option_are_refused(self):
        self.build("workspace", {"odd": ("All rights reserved", None)})
        status, _, errors = self.run_bom("--check")
        self.assertEqual(status, 1)
        self.assertIn("odd has no licence", errors)
        (self.root / "Package.resolved").unlink()
        status, _, errors = self.run_bom()
        self.assertEqual(status, 1)
        self.assertIn("build it first", errors)
        for options in (["--everything"], ["--check", "--notice"], ["--build", "elsewhere"]):
            with self.assertRaises(SystemExit) as ended:
                self.run_bom(*options)
            self.assertEqual(ended.exception.code, 2)

    def test_the_notice_has_licences_of_sources_in_a_package_that_ask_to_keep_their_text(self):
        sources = self.root / "Workspace/.build/checkouts/three/Sources/Parts"
        sources.mkdir(parents=True)
        (sources / "LICENSE").write_text("Licence of a folder\n", encoding="utf-8")
        (sources / "hash.c").write_text(
            "/*-\n * Copyright B\n *  Redistributions in binary\n *  form must reproduce this\n */\nint a;\n", encoding="utf-8")
        (sources / "own.swift").write_text("// Licensed under the Apache License\nlet a = 1\n", encoding="utf-8")
        self.assertEqual(self.run_bom("--notice")[0], 0)
        written = (self.root / "NOTICE").read_text("utf-8")
        self.assertIn("three\n\nThe file Sources/Parts/LICENSE has this licence:\n\nLicence of a folder\n", written)
        self.assertIn("Sources/Parts/hash.c", written)
        self.assertIn("Copyright B\n Redistributions in binary\n", written)
        self.assertNotIn("own.swift", written)

    def test_the_sources_of_another_build_are_read_where_they_are(self):
        (self.root / "Workspace/.build").rename(self.root / "elsewhere")
        self.assertEqual(self.run_bom("--workspace")[0], 1)
        status, output, _ = self.run_bom("--workspace", "--build", str(self.root / "elsewhere"))
        self.assertEqual((status, len(json.loads(output)["components"])), (0, 3))
