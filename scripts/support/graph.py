"""Says what a package resolves to, and fails when an app would get what only servers need.

    graph.py FILE

The file is what `swift package show-dependencies --format json` printed.
"""

import json
import sys

# What the client brings into an app, by name. Not by identity, which for a package at a path is the name of its folder.
ALLOWED = {"tributary", "swift-log"}
# Of the consumer itself.
OWN = {"ExampleIntegration", "SegmentModule"}
NEEDED = ALLOWED


def names(package):
    """All packages below one."""
    for dependency in package["dependencies"]:
        yield dependency["name"]
        yield from names(dependency)


def problems(graph):
    found = set(names(graph))
    return [f"an app would get {name}" for name in sorted(found - ALLOWED - OWN)] + [
        f"{name} is missing" for name in sorted(NEEDED - found)
    ]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        graph = json.load(file)
    for problem in problems(graph):
        print(f"graph: {problem}", file=sys.stderr)
    print("graph: " + ", ".join(sorted(set(names(graph)))))
    return 1 if problems(graph) else 0


if __name__ == "__main__":
    sys.exit(main())
