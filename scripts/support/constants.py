#!/usr/bin/env python3
"""Collects the constants of a module that are an `Int` or a `UInt`, see `scripts/check-apple`.

    constants.py FRONTEND AST FILES

FRONTEND is the compiler. AST is what it says of a module's FILES, a number, with `-dump-ast -dump-ast-format json`: it has decided
there which literal is of which type. Each constant, with the operators between its literals, is compiled once more for a processor whose `Int` has 32 bits.
The module itself cannot be: for such processors the toolchain only has its embedded standard library.
"""

import json
import re
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TYPES = {"$sSiD": "Int", "$sSuD": "UInt"}
OPERATORS = {"+", "-", "*", "&*", "|", "&"}


@lru_cache(maxsize=1)
def lines_before(path):
    """The offset at which each line of a file begins."""
    starts, at = [], 0
    for line in Path(path).read_bytes().splitlines(keepends=True):
        starts.append(at)
        at += len(line)
    return starts


def expression(node):
    """The text of a constant of one type; nil when a part of it is no constant."""
    kind = node.get("_kind")
    if kind == "integer_literal_expr":
        return ("-" if node.get("negative") else "") + node["value"]
    if kind == "paren_expr":
        return expression(node["sub_expr"])
    if kind != "binary_expr":
        return None
    name = node["fn"].get("fn", {}).get("decl", {}).get("base_name")
    sides = [argument["expr"] for argument in node["args"]["args"]]
    if name == "<<" and sides[0].get("type") == node["type"]:
        # A shift never overflows; what is meant does.
        value, bits = expression(sides[0]), expression(sides[1])
        return None if value is None or bits is None else f"{value} * {2 ** int(bits, 0)}"
    if name not in OPERATORS or any(side.get("type") != node["type"] for side in sides):
        return None
    parts = [expression(side) for side in sides]
    return None if None in parts else f"({parts[0]}) {name} ({parts[1]})"


def constants(node):
    """The largest constants within a part of the tree: type, text and offset."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += node
        elif isinstance(node, dict):
            if node.get("type") in TYPES and node.get("_kind") in ("integer_literal_expr", "binary_expr"):
                text = expression(node)
                if text is not None:
                    yield TYPES[node["type"]], text, node.get("range", {}).get("start", 0)
                    continue
            # What is written is there once more as it was before the types were known.
            waiting += [value for key, value in node.items() if key != "original_init"]


def declarations(tree):
    path, found = tree["filename"], []
    for kind, text, offset in constants(tree):
        line = sum(start <= offset for start in lines_before(path))
        found.append((line, kind, text))
    return [(kind, text, f"{path.removeprefix(f'{ROOT}/')}:{line}") for line, kind, text in sorted(set(found))]


def too_large(declared, frontend):
    """What a compiler for a processor of 32 bits says of the constants, with their places."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "Constants.swift"
        file.write_text("".join(f"let c{at}: {kind} = {text}\n" for at, (kind, text, _) in enumerate(declared)), encoding="utf-8")
        done = subprocess.run(
            [frontend, "-emit-sil", "-o", "/dev/null", "-target", "armv7-apple-none-macho", "-enable-experimental-feature", "Embedded",
             "-wmo", "-parse-as-library", "-module-name", "Constants", file], capture_output=True, text=True, check=False)
        errors = re.findall(rf"^{re.escape(str(file))}:(\d+):\d+: error: (.*)$", done.stderr, re.MULTILINE)
    if done.returncode != 0 and not errors:
        sys.exit(f"constants: {done.stderr}")
    return [f"{declared[int(line) - 1][2]}: error: {message}" for line, message in errors]


def main():
    decoder, declared, files = json.JSONDecoder(), [], 0
    text = Path(sys.argv[2]).read_text(encoding="utf-8")
    at = text.find("{")
    while at != -1:
        tree, end = decoder.raw_decode(text, at)
        declared += declarations(tree)
        files += 1
        at = text.find("{", end)
    if files != int(sys.argv[3]):
        sys.exit(f"constants: the compiler describes {files} of {sys.argv[3]} files")
    errors = too_large(declared, sys.argv[1])
    print("\n".join([*errors, f"{len(declared)} constants, {len(errors)} too large for 32 bits"]))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
