#!/usr/bin/env python3
"""Compares the stubs in Tests/AppleStubs with an SDK: what the SDK does not have, and what it has otherwise.

    compare_stubs.py STUB.symbols.json... --sdk SDK.symbols.json...

Both are symbol graphs, which the compiler writes. A symbol of the stubs must be in the SDK with the same words: labels, types,
defaults aside (they are part of a module's code), attributes and isolation. Its availability must not be older.
"""

import json
import re
import sys
from collections import defaultdict
from pathlib import Path

# Stubs that exist for the tests, and so are not in an SDK: their comment begins with "Ours:".
KINDS = {"Property", "Type Property"}
SAME = (
    (r"\b(?:open|public|final|nonisolated|dynamic|unowned\(safe\)|weak)\b", ""),
    (r"@(?:objc|MainActor|preconcurrency|Sendable|discardableResult|escaping|frozen|available|usableFromInline|inlinable)\b(?:\([^)]*\))?", ""),
    (r"\b(?:any|async|__owned|__consuming|convenience|required|override) ", ""),
    (r" = [^,)]+", ""),
    (r"\{ get( set)? \}", ""),
    (r"[!?]", ""),
    (r"\s+", " "),
)


def words(symbol):
    text = "".join(part["spelling"] for part in symbol.get("declarationFragments", []))
    for pattern, replacement in SAME:
        text = re.sub(pattern, replacement, text)
    return text.replace(" ,", ",").strip()


def introduced(symbol, domain):
    for each in symbol.get("availability", []):
        if each.get("domain") == domain and "introduced" in each:
            version = each["introduced"]
            return version.get("major", 0), version.get("minor", 0)
    return (0, 0)


def read(paths):
    found = defaultdict(list)
    for path in paths:
        for symbol in json.loads(Path(path).read_text(encoding="utf-8"))["symbols"]:
            found[".".join(symbol["pathComponents"])].append(symbol)
    return found


def main():
    split = sys.argv.index("--sdk")
    stubs, sdk = read(sys.argv[1:split]), read(sys.argv[split + 1:])
    absent, different, newer = [], [], []
    for name in sorted(stubs):
        for symbol in stubs[name]:
            doc = " ".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))
            if doc.startswith("Ours:"):
                continue
            theirs = sdk.get(name)
            if theirs is None:
                absent.append(f"{name}: {words(symbol)}")
            elif words(symbol) not in [words(other) for other in theirs]:
                different.append(f"{name}\n        stub: {words(symbol)}\n" + "\n".join(
                    f"        SDK:  {words(other)}" for other in theirs[:3]))
            else:
                same = [other for other in theirs if words(other) == words(symbol)]
                wanted = min(introduced(other, "iOS") for other in same)
                if introduced(symbol, "iOS") < wanted and wanted > (13, 0):
                    newer.append(f"{name}: iOS {wanted[0]}.{wanted[1]}")
    for title, found in (("not in the SDK", absent), ("other words", different), ("newer in the SDK", newer)):
        print(f"{len(found)} {title}")
        for line in found:
            print(f"    {line}")
    total = sum(len(each) for each in stubs.values())
    print(f"{total} declarations of stubs, {len(absent) + len(different) + len(newer)} differ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
