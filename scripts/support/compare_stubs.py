#!/usr/bin/env python3
"""Compares the stubs in Tests/AppleStubs with an SDK, see `scripts/check-apple --sdk FOLDER --stubs`.

Both are read as symbol graphs, which the compiler writes. A declaration of the stubs must be in the SDK with the same labels, types,
accessors and conditions, on the same actor; it must not be available earlier, and a type must not conform to more. Each difference
could let a mistake pass, or is one of `KNOWN`, which says why it cannot.
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from compare_wrappers import plain, split, until_closed  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
STUBS = ROOT / "Tests/AppleStubs"

# The modules of an SDK that the stubs stand in for, by system.
MODULES = {
    "iOS": [
        "UIKit", "SwiftUI", "Foundation", "CoreFoundation", "Network", "CryptoKit", "Compression", "BackgroundTasks", "AppIntents",
        "_AppIntents_SwiftUI", "StoreKit", "ObjectiveC", "Darwin", "os", "AdAttributionKit", "DeveloperToolsSupport",
    ],
    "macOS": ["AppKit", "SwiftUI", "Foundation", "CoreFoundation", "Network", "CryptoKit", "Compression", "AppIntents",
              "_AppIntents_SwiftUI", "StoreKit", "ObjectiveC", "Darwin", "os", "DeveloperToolsSupport"],
}
# Differences that let no mistake pass: a part of the line, and why.
KNOWN = {
    ".body: ": "the body of a view of SwiftUI is never drawn by a stub",
    "DragGesture.init(minimumDistance:)": "the SDK has a parameter more, whose default applies",
    "View.simultaneousGesture(_:)": "the SDK has a parameter more, whose default applies",
    "Text.init(_:)": "the SDK has parameters more, whose defaults apply",
    "rawValue": "of a type that Objective-C names by a string: the SDK has it without a declaration",
    "CFRunLoop": "Linux has no CFString, so the stub takes a String",
    "NavigationStack.init(path:root:)": "the stub has the conditions of the SDK, but in the head of its extension",
    "SHA256.hash(data:)": "the SDK has it for every hash, with the digest of that hash",
    "other isolation: NS": "the beta SDK of macOS 14 does not say it, Apple's documentation does",
    "ViewBuilder.buildBlock(_:)": "the beta SDK of macOS 14 has ten functions in place of one for any number of views",
    "other isolation: Gesture": "SwiftUI 18 has it on the main actor, and 17 has not",
}

# How a declaration is implemented.
KEYWORDS = {
    "open", "public", "final", "nonisolated", "dynamic", "weak", "convenience", "required", "override", "indirect", "nonmutating",
    "mutating", "lazy", "unowned",
}
WORDS = (
    (r"@(?:objc|preconcurrency|discardableResult|escaping|frozen|available|usableFromInline|inlinable|ViewBuilder|IBAction"
     r"|dynamicMemberLookup|propertyWrapper|resultBuilder|autoclosure|NSCopying|_?nonSendable)\b(?:\([^)]*\))?", ""),
    (r"\bnonisolated(?:\(unsafe\))? ", ""),
    (r"\b(?:optional|unowned\(safe\)|unowned\(unsafe\)|__owned|__consuming|any) ", ""),
    # A nested type, whichever part of its name is written.
    (r"\b(?:[A-Z]\w+\.)+(?=[A-Z]\w*)(?!(?:Element|ID|Index|Stride|FormatInput|FormatOutput)\b)", ""),
    (r"\bclass (?=func|var|let)", "static "),
    (r"-> \(\)", "-> Void"),
    (r"@convention\(c\) ", ""),
    # Two names of one type.
    (r"\bNSRect\b", "CGRect"),
    (r"\bdispatch_queue_t\b", "DispatchQueue"),
    (r"\b__darwin_pthread_t\b", "UnsafeMutablePointer<_opaque_pthread_t>"),
    (r"\s+", " "),
)


def words(symbol):
    """A declaration as it is compared: without names of parameters, defaults, access and attributes of its implementation."""
    parts = symbol.get("declarationFragments", [])
    text = ""
    for at, part in enumerate(parts):
        if part["kind"] == "keyword" and part["spelling"] in KEYWORDS:
            continue
        is_inner = part["kind"] == "internalParam"
        # `_ name: Type` and `label name: Type` are called the same with any name.
        text += "" if is_inner and at >= 2 and parts[at - 2]["kind"] == "externalParam" else part["spelling"]
    # The attributes of a type or a function itself; those within its type stay.
    text = re.sub(r"^(?:@MainActor |@Sendable )+", "", plain(text))
    for pattern, replacement in WORDS:
        text = re.sub(pattern, replacement, text)
    inherited = symbol.get("swiftExtension", {}).get("constraints", [])
    rules = [f"{each['lhs']} == {each['rhs']}" for each in inherited if each["kind"] == "sameType"]
    return canonical(re.sub(r" (?=[,:)])", "", text).strip(), rules)


def canonical(text, inherited=()):
    """The same words for the same function, whatever its generic parameters are called and however they are written."""
    start = re.match(r"(?:static )?(?:init[?!]?|func [^\s(<]+|subscript)", text)
    if start is None or "(" not in text[start.end():]:
        is_variable = re.match(r"(?:static )?var\b", text) is not None
        is_settable = " set }" in text or (is_variable and "{" not in text)
        return re.sub(r"\b(?:let|var)\b", "var" if is_settable else "let", re.sub(r" ?\{ get.*", "", text), count=1)
    name, rest, generics = start[0], text[start.end():], []
    if rest.startswith("<"):
        inside, rest = until_closed(rest, 0)
        generics = split(inside)
    inside, rest = until_closed(rest, rest.index("("))
    result, _, clause = rest.partition(" where ")
    names = [generic.split(":")[0].strip() for generic in generics]
    rules = [*inherited, *split(clause), *(generic for generic in generics if ":" in generic)]
    parameters = []
    for parameter in split(inside):
        parameter = parameter.split(" = ")[0]
        while re.search(r"\bsome \w+", parameter):
            new = f"Some{len(names)}"
            rules.append(f"{new}: {re.search(r'some ([A-Za-z.]+)', parameter)[1]}")
            names.append(new)
            parameter = re.sub(r"\(?\bsome [A-Za-z.]+\)?", new, parameter, count=1)
        parameters.append(re.sub(r"\s*:\s*", ": ", parameter))
    joined = f"({', '.join(parameters)}){result.strip()}"
    order = sorted(names, key=lambda each: (re.search(rf"\b{each}\b", joined) or re.search(r"$", joined)).start())
    renamed = {each: f"T{at}" for at, each in enumerate(order)}

    def with_names(piece):
        return re.sub(r"\b(" + "|".join(map(re.escape, renamed)) + r")\b", lambda found: renamed[found[1]], piece) if renamed else piece

    conditions = sorted({with_names(re.sub(r"\s*:\s*", ": ", part)) for rule in rules for part in conjuncts(rule)})
    return with_names(name + joined) + (f" where {', '.join(conditions)}" if conditions else "")


def conjuncts(rule):
    """`T: A & B` as two rules."""
    subject, colon, protocols = rule.partition(":")
    return [f"{subject.strip()}: {each.strip()}" for each in protocols.split("&")] if colon else [rule.strip()]


def available(symbol, domain):
    """Since which version of a system a declaration can be used; nil when it never can."""
    introduced = (0, 0)
    for each in symbol.get("availability", []):
        if each.get("domain") == domain or each.get("domain") == "*":
            if each.get("isUnconditionallyUnavailable"):
                return None
            version = each.get("introduced", {})
            introduced = max(introduced, (version.get("major", 0), version.get("minor", 0)))
    return introduced


def on_main_actor(symbol):
    return any(part["spelling"] == "MainActor" for part in symbol.get("declarationFragments", [])[:4])


class Graph:
    """The declarations of some modules, by their path."""

    def __init__(self, files, folder=""):
        """With a folder, only what its sources declare: a graph has what a module exports of others."""
        self.symbols, self.conformances, self.parents, self.paths = defaultdict(list), defaultdict(set), defaultdict(set), {}
        for file in files:
            graph = json.loads(Path(file).read_text(encoding="utf-8"))
            for symbol in graph["symbols"]:
                # What a protocol gives to every type that conforms to it.
                if "::SYNTHESIZED::" in symbol["identifier"]["precise"]:
                    continue
                if folder not in symbol.get("location", {}).get("uri", ""):
                    continue
                self.symbols[".".join(symbol["pathComponents"])].append(symbol)
                self.paths[symbol["identifier"]["precise"]] = ".".join(symbol["pathComponents"])
            for each in graph["relationships"]:
                if each["kind"] in ("conformsTo", "inheritsFrom"):
                    self.parents[each["source"]].add((each["target"], each.get("targetFallback", "").partition(".")[2]))
                if each["kind"] == "conformsTo" and not each.get("swiftConstraints"):
                    target = each.get("targetFallback", each["target"]).split(".")[-1]
                    self.conformances[each["source"]].add(target)

    def inherited(self, path):
        """The declarations of that name in what a type inherits from or conforms to."""
        owner, _, member = path.partition(".") if path.count("(") else path.rpartition(".")
        waiting, seen, found = [symbol["identifier"]["precise"] for symbol in self.symbols.get(owner, [])], set(), []
        while waiting:
            for target, name in self.parents[waiting.pop()]:
                parent = self.paths.get(target, name)
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
                    found += self.symbols.get(f"{parent}.{member}", [])
        return found

    def conforms(self, path):
        return {name for symbol in self.symbols.get(path, []) for name in self.conformances[symbol["identifier"]["precise"]]}


def ours(folder):
    """The names of types that the stubs have for tests."""
    names = set()
    for file in folder.glob("*/*.swift"):
        for found in re.finditer(r"^//+ Ours:.*\n(?:(?://|@).*\n)*.*\b(?:struct|class|protocol|enum) (\w+)", file.read_text(), re.MULTILINE):
            names.add(found[1])
    return names


def compare(stubs, sdk, domain, version, exempt=frozenset()):
    """The differences, as lines: what the SDK of that version lacks, what it declares otherwise, and what is available too early."""
    found = []
    for path in sorted(stubs.symbols):
        for symbol in stubs.symbols[path]:
            doc = " ".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))
            if exempt & set(symbol["pathComponents"]) or doc.startswith(("Ours:", "For tests")):
                continue
            since = available(symbol, domain)
            if since is None or since > version:
                continue
            theirs = sdk.symbols.get(path) or sdk.inherited(path)
            if not theirs:
                found.append(f"not in the SDK: {path}: {words(symbol)}")
                continue
            same = [other for other in theirs if other["identifier"]["precise"] == symbol["identifier"]["precise"]]
            # A property that can only be read is one that can also be set, for what reads it.
            same = same or [other for other in theirs if words(symbol) in (words(other), re.sub(r"\bvar\b", "let", words(other)))]
            if not same:
                found.append(f"otherwise in the SDK: {path}: {words(symbol)}" + "".join(
                    f"\n        SDK: {words(other)}" for other in theirs[:4]))
                continue
            wanted = min((available(other, domain) or (99, 0)) for other in same)
            if since < wanted and wanted > OLDEST[domain]:
                found.append(f"too early: {path}: {since[0]}.{since[1]}, in the SDK {wanted[0]}.{wanted[1]}")
            if symbol["kind"]["identifier"] in ("swift.class", "swift.struct", "swift.enum", "swift.protocol"):
                if on_main_actor(symbol) != any(map(on_main_actor, same)):
                    found.append(f"other isolation: {path}: {'main actor' if on_main_actor(symbol) else 'none'} in the stubs")
    for path in sorted(stubs.symbols):
        # An actor's types are Sendable by themselves; the SDK has no word about those of Objective-C.
        implied = {"Sendable", "SendableMetatype"} if any(map(on_main_actor, stubs.symbols[path])) else {"SendableMetatype"}
        more = {name for name in stubs.conforms(path) - sdk.conforms(path) - implied if not name.startswith("s:")}
        if path in sdk.symbols and path.split(".")[0] not in exempt and more:
            found.append(f"conforms to more: {path}: {', '.join(sorted(more))}")
    return found


OLDEST = {"iOS": (13, 0), "macOS": (10, 15)}


def extract(compiler, modules):
    """The symbol graphs of modules of the SDK."""
    folder = compiler.out / "graphs"
    folder.mkdir(exist_ok=True)
    for module in modules:
        if list(folder.glob(f"{module}.symbols.json")):
            continue
        command = [
            compiler.toolchain / "bin/swift-symbolgraph-extract", "-module-name", module, "-target", compiler.target,
            "-sdk", compiler.copy, "-resource-dir", compiler.resources, "-module-cache-path", compiler.cache,
            "-output-dir", folder, "-skip-synthesized-members", "-minimum-access-level", "public",
        ]
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            print(f"compare_stubs: {module} has no symbol graph: {done.stdout.strip()[:200]}", file=sys.stderr)
    return sorted(folder.glob("*.symbols.json"))


def run(compiler):
    """Compares the stubs of a system with the compiler's SDK; prints what differs and says whether nothing does."""
    domain = compiler.system.name
    subprocess.run([ROOT / "scripts/check-apple", "--stubs", domain], check=True)
    stubs = Graph(sorted((ROOT / f".build-apple/graphs-{domain}").glob("*.symbols.json")), "Tests/AppleStubs")
    sdk = Graph(extract(compiler, MODULES[domain]))
    found = compare(stubs, sdk, domain, compiler.sdk_version, ours(STUBS))
    known = [line for line in found if any(part in line for part in KNOWN)]
    for line in found:
        if line not in known:
            print(f"    {line}")
    for part, reason in KNOWN.items():
        count = sum(part in line for line in known)
        if count:
            print(f"    {count} as known: {part}: {reason}")
    total = sum(len(each) for each in stubs.symbols.values())
    print(f"check-apple: {total} declarations of stubs, {len(found)} differ from {compiler.copy.name}, {len(known)} of them as known")
    return len(found) == len(known)
