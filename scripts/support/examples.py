"""Writes each Swift example of Markdown files and doc comments into a file of its own that compiles by itself.

    examples.py [--apple] FOLDER FILE...

With `--apple`, it writes the examples that only Apple's systems compile (```swift apple). Lines keep their numbers, so an
error of the compiler names the line of the document. Examples of doc comments are in FOLDER/TARGET: each is the body of a
function, so the examples of a target compile together.
"""

import pathlib
import sys

FENCE = "```"


def examples(lines, kind="swift"):
    """The first line's number and the lines of each example."""
    start = None
    for number, line in enumerate(lines, 1):
        if start is None:
            if line.strip() == FENCE + kind:
                start = number + 1
        elif line.strip() == FENCE:
            yield start, lines[start - 1 : number - 1]
            start = None


DECLARATIONS = ("struct ", "final class ", "class ", "typealias ", "extension ")


def program(file, start, lines):
    """The example as a program; what is put around it is in front of its first line, which keeps its number."""
    location = f'#sourceLocation(file: "{file}", line: {start})\n'
    body = "\n".join(lines) + "\n"
    if any(line.startswith("import ") for line in lines):
        return location + body
    head = "import Foundation\nimport Tributary\n\nfunc example(_ analytics: Analytics) async throws {\n"
    return head + location + body + "#sourceLocation()\n}\n"


def signal_program(file, start, lines, imports):
    """An example of the guides of signals: declarations as they are, anything else in a function; imports in front of both."""
    location = f'#sourceLocation(file: "{file}", line: {start})\n'
    body = "\n".join("" if line.startswith("import ") else line for line in lines) + "\n"
    if any(line.startswith(DECLARATIONS) for line in lines):
        return imports + location + body
    return imports + "\nfunc example() async throws {\n" + location + body + "#sourceLocation()\n}\n"


LINUX = """import AnalyticsLive
import Foundation
import Tributary
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
"""
APPLE = "import AnalyticsLive\nimport SwiftUI\nimport Tributary\n"


def comment_lines(lines):
    """The lines of a Swift file without their `///`; code becomes empty lines."""
    stripped = (line.strip() for line in lines)
    return [line[4:] if line.startswith("/// ") else "" for line in stripped]


def comment_program(file, start, lines, target, kind):
    """The example of a doc comment: the body of a function whose name is used nowhere else in the target."""
    imports = sorted({"Foundation", target} | ({"Tributary"} if target != "AnalyticsCompat" else set()))
    if kind == "swift apple" and target == "AnalyticsLive":
        imports.append("SwiftUI")
    imported = [line for line in lines if line.startswith("import ")]
    head = "\n".join([f"import {module}" for module in imports] + imported)
    body = "\n".join("" if line.startswith("import ") else line for line in lines)
    name = f"example_{file.parent.name}_{file.stem}_{start}".replace("+", "_").replace("-", "_")
    location = f'#sourceLocation(file: "{file.name}", line: {start})\n'
    return f"{head}\n\nfunc {name}(_ analytics: Analytics) async throws {{\n{location}{body}\n#sourceLocation()\n}}\n"


def write_comments(folder, file, kind):
    target = file.parts[len(file.parts) - 1 - file.parts[::-1].index("Sources") + 1]
    lines = comment_lines(file.read_text(encoding="utf-8").splitlines())
    for start, example in examples(lines, kind):
        into = pathlib.Path(folder) / target
        into.mkdir(exist_ok=True)
        text = comment_program(file, start, example, target, kind)
        (into / f"{file.parent.name}-{file.stem}-{start}.swift").write_text(text, encoding="utf-8")


def main(folder, *files, kind="swift"):
    for file in map(pathlib.Path, files):
        if file.suffix == ".swift":
            write_comments(folder, file, kind)
            continue
        for start, lines in examples(file.read_text(encoding="utf-8").splitlines(), kind):
            if file.stem.startswith("signal"):
                text = signal_program(file.name, start, lines, LINUX if kind == "swift" else APPLE)
            else:
                text = program(file.name, start, lines)
            target = pathlib.Path(folder) / f"{file.stem}-{start}.swift"
            target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--apple"]:
        main(*sys.argv[2:], kind="swift apple")
    else:
        main(*sys.argv[1:])
