"""The Objective-C interface: clang takes its header and the documents' examples, and each selector is in the Swift sources."""

import re
import shutil
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/support"))
from objective_c import APPS, HEADERS, MAPS, messages, messages_with_modules  # noqa: E402

SOURCES = ROOT / "Sources/AnalyticsCompatObjC"
HEADER = HEADERS["AnalyticsCompatObjC"]


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
        self.assertEqual("", messages(HEADER.read_text()))

    def test_the_examples_of_the_documents_are_right(self):
        self.assertEqual("", messages((APPS / "ObjectiveCCompatApp/Documents.m").read_text()))

    def test_an_integration_of_the_first_documents_is_right_with_its_headers(self):
        self.assertEqual("", messages_with_modules((APPS / "ObjectiveCCompatApp/OldHeaders.m").read_text()))

    def test_each_old_header_is_in_the_map_and_leads_to_all_names(self):
        folder = MAPS["AnalyticsCompatObjCNames"].parent
        headers = {str(file.relative_to(folder)) for file in folder.rglob("SEG*.h")}
        self.assertEqual(headers, set(re.findall(r'textual header "(.*)"', MAPS["AnalyticsCompatObjCNames"].read_text())))
        for header in sorted(headers):
            with self.subTest(header=header):
                source = f"#import <{header}>\nvoid f(SEGMiddlewareNext n, SEGTrack *t) {{ [[SEGAnalytics sharedAnalytics] track:t.event]; }}\n"
                self.assertEqual("", messages_with_modules(source))

    def test_a_mistake_is_noticed(self):
        mistake = "@import AnalyticsCompatObjC;\nvoid f(SEGAnalytics *a) { [a track:@\"b\" traits:@{}]; }\n"
        self.assertIn("track:traits:", messages(mistake))


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
