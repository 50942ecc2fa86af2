#!/usr/bin/env python3
"""Checks what the compiler on Linux cannot: that Objective-C can see what `@objc` shows it.

Usage: objc_rules.py FILE...

Says what is wrong, one line each, and exits with 1.
"""
import re
import sys

MODULES = {"Foundation", "UIKit", "AppKit", "WatchKit", "StoreKit"}
MARK = re.compile(r"@objc\b(\([^)]*\))?|@objcMembers\b")
DECLARATION = re.compile(
    r"(?P<kind>class|struct|enum|protocol|func|init|var|let|extension|subscript)\b(?P<rest>[^{]*)", re.S)
# Superclasses that stand in other files, and are of Objective-C.
OBJECTS = re.compile(r":\s*(NSObject|UI\w+|NS\w+|SK\w+|ObjC\w+|SEG\w+|XCT\w+|[A-Z]\w*)\b")


def bare(text):
    """The source without comments and texts."""
    text = re.sub(r'""".*?"""', '""', text, flags=re.S)
    text = re.sub(r'"(\\.|[^"\\\n])*"', '""', text)
    return re.sub(r"//[^\n]*", "", text)


def problems(text):
    source = bare(text)
    marks = list(MARK.finditer(source))
    if not marks:
        return
    imports = set(re.findall(r"\bimport\s+(?:class\s+|struct\s+)?(\w+)", source))
    if not imports & MODULES:
        yield 1, "@objc needs `import Foundation`"
    for mark in marks:
        line = source.count("\n", 0, mark.start()) + 1
        found = DECLARATION.search(source, mark.end())
        if not found:
            continue
        kind, rest = found["kind"], found["rest"]
        if kind == "class" and re.match(r"\s+(func|var)\b", rest):
            kind = "func"
        if kind == "struct":
            yield line, "Objective-C knows no struct"
        elif kind == "enum" and not re.search(r":\s*U?Int\b", rest):
            yield line, "an enum for Objective-C has raw values of type Int"
        elif kind == "class" and not OBJECTS.search(rest):
            yield line, "a class for Objective-C inherits from NSObject"
        elif kind in ("func", "init") and re.match(r"\s*\w*\s*<", rest):
            yield line, "Objective-C knows no generic function"
        elif kind == "func" and re.search(r"->\s*\([^()]*,[^()]*\)\s*$", rest):
            yield line, "Objective-C knows no tuple"


def main():
    status = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            for line, problem in problems(file.read()):
                print(f"{path}:{line}: error: {problem}")
                status = 1
    sys.exit(status)


if __name__ == "__main__":
    main()
