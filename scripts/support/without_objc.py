#!/usr/bin/env python3
"""Copies Swift sources without what only a compiler with Objective-C understands, so that any other can check the rest.

    scripts/support/without_objc.py FROM TO

Attributes (`@objc`) go, a selector becomes its name, and what a protocol leaves optional is required. Lines stay where they
are, so that what a compiler says of the copy is true of the source. Prints the files that were written.
"""

import re
import sys
from pathlib import Path

CHANGES = [
    (re.compile(r"@objc(?:Members\b|\([^)]*\)|\b)[ \t]*"), ""),
    (re.compile(r"#selector\(\s*(?:\(any \w+\)\.)?(?:\w+\.)*(\w+)\((?:\w+:)+\)\s*\)"), r'Selector("\1:")'),
    (re.compile(r"\boptional func\b"), "func"),
    (re.compile(r"\b(integration\.\w+)\?\("), r"\1("),
]


def without(text):
    for pattern, replacement in CHANGES:
        text = pattern.sub(replacement, text)
    return text


def main():
    source, target = map(Path, sys.argv[1:3])
    target.mkdir(parents=True, exist_ok=True)
    for old in target.rglob("*.swift"):
        old.unlink()
    for file in sorted(source.rglob("*.swift")):
        # One folder: the compiler wants names that differ, and so does the source.
        copy = target / file.name
        copy.write_text(without(file.read_text()))
        print(copy)


if __name__ == "__main__":
    main()
