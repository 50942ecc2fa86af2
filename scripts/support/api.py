"""Lists the public declarations of a module, one a line in the order of their paths, out of its symbol graphs.

    api.py MODULE FOLDER

The graphs are what swift-symbolgraph-extract wrote into the folder: the module's own, and its extensions of others.
"""

import json
import pathlib
import sys


# Nearly every type of the client has these, and a line for each would hide what differs. The first two are implied by every
# generic parameter.
LEFT_OUT = {"Swift.Copyable", "Swift.Escapable", "Swift.Sendable", "Swift.SendableMetatype", "Swift.Equatable"}


def declarations(graph):
    """The declarations of a graph: the path, and the declaration as the compiler prints it."""
    for symbol in graph["symbols"]:
        text = "".join(part["spelling"] for part in symbol["declarationFragments"])
        yield ".".join(symbol["pathComponents"]), " ".join(text.split())


def conformances(graph):
    """What the module's own types conform to."""
    names = {
        symbol["identifier"]["precise"]: ".".join(symbol["pathComponents"])
        for symbol in graph["symbols"]
    }
    for relation in graph["relationships"]:
        if relation["kind"] == "conformsTo" and relation["source"] in names:
            target = names.get(relation["target"]) or relation.get("targetFallback") or relation["target"]
            if target not in LEFT_OUT:
                yield names[relation["source"]], f": {target}"


def main(module, folder):
    lines = set()
    for path in pathlib.Path(folder).glob("*.symbols.json"):
        if path.name != f"{module}.symbols.json" and not path.name.startswith(f"{module}@"):
            continue
        graph = json.loads(path.read_text(encoding="utf-8"))
        lines.update(declarations(graph))
        lines.update(conformances(graph))
    for path, text in sorted(lines):
        print(f"{path}  {text}")


if __name__ == "__main__":
    main(*sys.argv[1:])
