"""The Objective-C classes of TributaryObjC: the header that stands for the compiler's says what the sources say, and an
app in Objective-C compiles against it.
"""

import re
import shutil
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/support"))
from objective_c import APPS, HEADERS, messages  # noqa: E402

SOURCES = ROOT / "Sources/TributaryObjC"
# What plugin packages declare conformance to is in the client, so that they need no other import.
PROTOCOLS = ROOT / "Sources/Tributary/FieldNames/ObjCPlugin.swift"
USAGE = APPS / "ObjectiveCApp/Usage.m"
# What the compiler leaves out, because Objective-C has no form for it.
NOT_REPRESENTABLE = {
    "initWithWrapping:", "showing:", "configuration", "analytics", "rawEvent", "executeWithEvent:",
}


def selector(name, parameters):
    """The selector of a function or initializer by the rules of `@objcMembers`."""
    labels = [parameter.split(":")[0].split()[0] for parameter in split(parameters)]
    if name == "init":
        return "init" + (":".join(["With" + labels[0][0].upper() + labels[0][1:]] + labels[1:]) + ":" if labels else "")
    if not labels:
        return name
    first = "" if labels[0] == "_" else "With" + labels[0][0].upper() + labels[0][1:]
    return ":".join([name + first] + labels[1:]) + ":"


def split(parameters):
    """Parameters, without looking into types that have commas of their own."""
    depth, parts, current = 0, [], ""
    for character in parameters:
        depth += (character in "([<") - (character in ")]>" and not current.endswith("-"))
        if character == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += character
    return [part.strip() for part in parts + [current] if part.strip()]


def parameters_of(text, start):
    """What stands between the parenthesis at that place and its partner."""
    depth = 0
    for end in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 0:
            return text[start + 1 : end]
    return ""


def declared_in_swift():
    """The members of each class and protocol, by its name in Objective-C."""
    types = {}
    for file in [*sorted(SOURCES.rglob("*.swift")), PROTOCOLS]:
        text = re.sub(r"//.*", "", file.read_text())
        pieces = re.split(r"@objc\((\w+)\)", text)
        for name, body in zip(pieces[1::2], pieces[2::2]):
            is_protocol = re.search(r"\b(class|protocol)\b", body).group(1) == "protocol"
            access = r"(?:^|\n)    " + ("" if is_protocol else r"(?:public|open)(?: internal\(set\))? (?:override )?")
            body = body.split("\n}", 1)[0] if not body.split("{", 1)[1].startswith("}") else ""
            members = set()
            for match in re.finditer(access + r"(?:static )?(func (\w+)|init|var (\w+))", body):
                if match.group(3):
                    members.add(match.group(3))
                    continue
                opening = body.index("(", match.end(1) - (0 if match.group(2) else 1))
                members.add(selector(match.group(2) or "init", parameters_of(body, opening)))
            types[name] = members - NOT_REPRESENTABLE
    return types


def declared_in_header():
    types = {}
    text = re.sub(r"//.*", "", HEADERS["TributaryObjC"].read_text())
    for match in re.finditer(r"@(?:interface|protocol) (\w+)[^\n]*\n(.*?)@end", text, re.DOTALL):
        members = set(re.findall(r"@property\([^)]*\)[^;]*?(?:\*\s*|\s)(\w+);", match.group(2)))
        members |= set(re.findall(r"@property\([^)]*\)[^;]*\(\^(\w+)\)", match.group(2)))
        for method in re.findall(r"^- \((?:[^()]|\([^()]*\))*\)(.*?);", match.group(2), re.DOTALL | re.MULTILINE):
            plain = re.sub(r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*\w+", "", method)
            members.add(re.sub(r"\s+", "", plain))
        types[match.group(1)] = members
    return types


class ObjectiveCTest(unittest.TestCase):
    def test_the_header_says_what_the_sources_say(self):
        header, sources = declared_in_header(), declared_in_swift()
        self.assertEqual(sorted(header), sorted(sources))
        self.assertGreater(len(header), 10)
        for name, members in header.items():
            with self.subTest(type=name):
                self.assertEqual(sorted(members), sorted(sources[name]))

    def test_an_app_compiles(self):
        self.assertEqual("", self.compile(USAGE.read_text()))

    def test_a_call_that_is_not_there_is_noticed(self):
        usage = USAGE.read_text()
        self.assertIn("error", self.compile(usage.replace("[analytics flush]", "[analytics flushNow]")))

    def test_a_subclass_of_a_class_in_swift_is_an_error_and_the_protocol_is_the_way(self):
        usage = USAGE.read_text()
        errors = self.compile(usage.replace("NSObject <TRBEventPlugin>", "SEGEventPlugin"))
        self.assertIn("objc_subclassing_restricted", errors)

    def test_no_class_is_registered_twice(self):
        seen = {}
        for file in sorted((ROOT / "Sources").rglob("*.swift")):
            for name in re.findall(r"^@objc\((\w+)\)", file.read_text(), re.MULTILINE):
                self.assertNotIn(name, seen, f"{file} and {seen.get(name)} register one name")
                seen[name] = file
        self.assertIn("SEGAnalytics", seen)
        self.assertIn("TRBAnalytics", seen)

    def test_a_file_that_wants_one_name_for_both_is_an_error_that_explains_itself(self):
        errors = self.compile("@import AnalyticsCompatObjC;\n@import TributaryObjCNames;\n")
        self.assertRegex(errors, r"TributaryObjCNames.h:\d+:\d+: error: .*SEGAnalytics")
        self.assertEqual("", self.compile("@import AnalyticsCompatObjC;\n@class TRBAnalytics;\n"))

    def test_a_file_uses_both_clients_under_their_own_names(self):
        both = '''
@import AnalyticsCompatObjC;
@import TributaryObjC;
void start(SEGAnalyticsConfiguration *old, SEGConfiguration *configuration) {
    [SEGAnalytics setupWithConfiguration:old];
    [[[TRBAnalytics alloc] initWithConfiguration:configuration] track:@"A"];
}
'''
        self.assertEqual("", self.compile(both))

    def compile(self, source):
        if shutil.which("clang") is None:
            self.skipTest("there is no clang")
        return messages(source)
