"""The Objective-C interface: clang takes its header and the documents' examples, and each selector is in the Swift sources.

    /usr/bin/python3 -m unittest -v scripts/tests/objective_c_test.py
"""

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources/AnalyticsCompatObjC"
HEADER = SOURCES / "Headers/SEGAnalytics.h"
# What the compiler's header has no names for; apps import it beside that header.
NAMES = ROOT / "Sources/AnalyticsCompatObjCNames/include"


def check(source):
    """What clang says about an Objective-C file; nothing when it is right."""
    command = ["clang", "-fsyntax-only", "-x", "objective-c", "-fblocks", "-fobjc-runtime=macosx", "-Wall", "-Wextra"]
    command += ["-Wno-unused-parameter", "-Werror", f"-I{HEADER.parent}", f"-I{NAMES}", "-isystem", str(ROOT / "Tests/ObjectiveC")]
    return subprocess.run([*command, str(source)], capture_output=True, text=True).stderr


def selectors(text):
    """Per class or protocol: the selectors of its methods and the names of its properties."""
    result = {}
    text = re.sub(r"//[^\n]*", "", text)
    for block in re.finditer(r"@(?:interface|protocol)\s+(SEG\w+)[^;]*?\n(.*?)@end", text, re.S):
        found = set(re.findall(r"@property[^;]*?(\w+);", block[2]))
        for method in re.findall(r"^[-+]\s*(.*?);", re.sub(r"@property[^;]*;", "", block[2]), re.S | re.M):
            parts = re.sub(r"\((?:[^()]|\([^()]*\))*\)", " ", method)
            named = re.findall(r"(\w+):", parts)
            found.add("".join(f"{name}:" for name in named) or parts.split()[0])
        result[block[1]] = found
    return result


def exported():
    """The same of the Swift sources, as their attributes say it."""
    result = {}
    for file in sorted(SOURCES.glob("*.swift")):
        name = None
        for match in re.finditer(r"@objc\(([\w:]+)\)|^(?=@objc\(SEG)", file.read_text(), re.M):
            word = match[1]
            if word and word.startswith("SEG"):
                name = word
                result[name] = set()
            elif word and name:
                result[name].add(word)
    return result


@unittest.skipIf(shutil.which("clang") is None, "there is no clang")
class ObjectiveCTest(unittest.TestCase):
    def test_the_header_is_right(self):
        self.assertEqual("", check(HEADER))

    def test_the_examples_of_the_documents_are_right(self):
        self.assertEqual("", check(ROOT / "Tests/ObjectiveC/Documents.m"))

    def test_a_mistake_is_noticed(self):
        with tempfile.NamedTemporaryFile("w", suffix=".m") as file:
            file.write('#import "SEGAnalytics.h"\nvoid f(SEGAnalytics *a) { [a track:@"b" traits:@{}]; }\n')
            file.flush()
            self.assertIn("track:traits:", check(file.name))


class SelectorTest(unittest.TestCase):
    def test_the_header_has_no_names_that_swift_cannot_write(self):
        self.assertEqual(["NS_ENUM"], re.findall(r"^typedef (\w+)", HEADER.read_text(), re.M))
        self.assertEqual([], re.findall(r"^#define", HEADER.read_text(), re.M))

    def test_header_and_swift_name_the_same(self):
        header, swift = selectors(HEADER.read_text()), exported()
        swift.pop("SEGEventType")
        self.assertEqual(sorted(header), sorted(swift))
        for name, names in header.items():
            with self.subTest(type=name):
                self.assertEqual(sorted(names), sorted(swift[name]))


if __name__ == "__main__":
    unittest.main()
