"""Says what a package resolves to, and fails when an app would get what only servers need.

    graph.py FILE

The file is what `swift package show-dependencies --format json` printed.
"""

import json
import sys

# What the design allows the client to bring into an app, by identity; swift-asn1 belongs to swift-crypto.
ALLOWED = {"tributary", "swift-log", "swift-crypto", "swift-asn1", "swift-argument-parser"}
NEEDED = {"tributary", "swift-log", "swift-crypto"}


def identities(package):
    """All packages below one."""
    for dependency in package["dependencies"]:
        yield dependency.get("identity") or dependency["name"]
        yield from identities(dependency)


def problems(graph):
    found = set(identities(graph))
    return [f"an app would get {name}" for name in sorted(found - ALLOWED)] + [
        f"{name} is missing" for name in sorted(NEEDED - found)
    ]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        graph = json.load(file)
    for problem in problems(graph):
        print(f"graph: {problem}", file=sys.stderr)
    print("graph: " + ", ".join(sorted(set(identities(graph)))))
    return 1 if problems(graph) else 0


if __name__ == "__main__":
    sys.exit(main())
