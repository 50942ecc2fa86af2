"""The Objective-C interfaces of both clients: clang takes their headers and apps, and the headers say what the sources say."""

import re
import shutil
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/support"))
from objective_c import APPS, HEADERS, MAPS, messages, messages_with_modules  # noqa: E402

HEADER = HEADERS["AnalyticsCompatObjC"]
# What plugin packages declare conformance to is in the client, so that they need no other import.
PROTOCOLS = ROOT / "Sources/Tributary/FieldNames/ObjCPlugin.swift"
# What the compiler leaves out, because Objective-C has no form for it.
NOT_REPRESENTABLE = {
    "initWithWrapping:", "showing:", "configuration", "analytics", "rawEvent", "executeWithEvent:",
}


def in_header(header):
    """Per class or protocol: the selectors of its methods and the names of its properties."""
    result = {}
    text = re.sub(r"//[^\n]*", "", header.read_text())
    for block in re.finditer(r"@(?:interface|protocol)\s+(\w+)[^;\n]*\n(.*?)@end", text, re.S):
        found = set(re.findall(r"@property[^;]*?(\w+);", block[2])) | set(re.findall(r"@property[^;]*\(\^(\w+)\)", block[2]))
        for method in re.findall(r"^[-+]\s*(.*?);", re.sub(r"@property[^;]*;", "", block[2]), re.S | re.M):
            parts = re.sub(r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", " ", method)
            named = re.findall(r"(\w+):", parts)
            found.add("".join(f"{name}:" for name in named) or parts.split()[0])
        result[block[1]] = found
    return result


def by_attributes():
    """The same of the compatible client's sources, as their attributes say it."""
    result = {}
    for file in sorted((ROOT / "Sources/AnalyticsCompatObjC").glob("*.swift")):
        name = None
        for word in re.findall(r"@objc\(([\w:]+)\)", file.read_text()):
            if word.startswith("SEG"):
                name = word
                result[name] = set()
            elif name:
                result[name].add(word)
    del result["SEGEventType"]
    return result


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


def by_names():
    """The same of the client's sources, as the compiler names their members."""
    types = {}
    for file in [*sorted((ROOT / "Sources/TributaryObjC").rglob("*.swift")), PROTOCOLS]:
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


class HeaderTest(unittest.TestCase):
    def test_the_headers_say_what_the_sources_say(self):
        for header, sources in ((HEADER, by_attributes()), (HEADERS["TributaryObjC"], by_names())):
            found = in_header(header)
            self.assertEqual(sorted(found), sorted(sources))
            self.assertGreater(len(found), 10)
            for name, members in found.items():
                with self.subTest(type=name):
                    self.assertEqual(sorted(members), sorted(sources[name]))

    def test_the_compatible_header_has_no_names_that_swift_cannot_write(self):
        self.assertEqual(["NS_ENUM"], re.findall(r"^typedef (\w+)", HEADER.read_text(), re.M))
        self.assertEqual([], re.findall(r"^#define", HEADER.read_text(), re.M))

    def test_no_class_is_registered_twice(self):
        names = [name for file in (ROOT / "Sources").rglob("*.swift")
                 for name in re.findall(r"^@objc\((\w+)\)", file.read_text(), re.MULTILINE)]
        self.assertEqual(sorted(set(names)), sorted(names))
        self.assertLess({"SEGAnalytics", "TRBAnalytics"}, set(names))


@unittest.skipIf(shutil.which("clang") is None, "there is no clang")
class CompilerTest(unittest.TestCase):
    def test_the_headers_and_the_apps_compile(self):
        both = '''
@import AnalyticsCompatObjC;
@import TributaryObjC;
void start(SEGAnalyticsConfiguration *old, SEGConfiguration *configuration) {
    [SEGAnalytics setupWithConfiguration:old];
    [[[TRBAnalytics alloc] initWithConfiguration:configuration] track:@"A"];
}
'''
        for source in (
            HEADER.read_text(), (APPS / "ObjectiveCCompatApp/Documents.m").read_text(), (APPS / "ObjectiveCApp/Usage.m").read_text(),
            both, "@import AnalyticsCompatObjC;\n@class TRBAnalytics;\n",
        ):
            self.assertEqual("", messages(source))

    def test_a_mistake_is_noticed(self):
        usage = (APPS / "ObjectiveCApp/Usage.m").read_text()
        for source, error in [
            ("@import AnalyticsCompatObjC;\nvoid f(SEGAnalytics *a) { [a track:@\"b\" traits:@{}]; }\n", "track:traits:"),
            (usage.replace("[analytics flush]", "[analytics flushNow]"), "flushNow"),
            # A class in Swift has no subclass in Objective-C: the protocol is the way.
            (usage.replace("NSObject <TRBEventPlugin>", "SEGEventPlugin"), "objc_subclassing_restricted"),
            # A file that wants one name for both clients gets an error that explains itself.
            ("@import AnalyticsCompatObjC;\n@import TributaryObjCNames;\n", r"TributaryObjCNames.h:\d+:\d+: error: .*SEGAnalytics"),
        ]:
            with self.subTest(error=error):
                self.assertRegex(messages(source), error)

    def test_an_integration_of_the_first_documents_is_right_with_each_old_header(self):
        self.assertEqual("", messages_with_modules((APPS / "ObjectiveCCompatApp/OldHeaders.m").read_text()))
        folder = MAPS["AnalyticsCompatObjCNames"].parent
        headers = {str(file.relative_to(folder)) for file in folder.rglob("SEG*.h")}
        self.assertEqual(headers, set(re.findall(r'textual header "(.*)"', MAPS["AnalyticsCompatObjCNames"].read_text())))
        for header in sorted(headers):
            with self.subTest(header=header):
                source = f"#import <{header}>\nvoid f(SEGMiddlewareNext n, SEGTrack *t) {{ [[SEGAnalytics sharedAnalytics] track:t.event]; }}\n"
                self.assertEqual("", messages_with_modules(source))
