"""Writes each Swift example of Markdown files into a file of its own that compiles by itself.

    examples.py FOLDER FILE...

Lines keep their numbers, so that what the compiler says can be found in the Markdown.
"""

import pathlib
import sys

FENCE = "```"


def examples(lines):
    """The first line's number and the lines of each example."""
    start = None
    for number, line in enumerate(lines, 1):
        if start is None:
            if line.strip() == FENCE + "swift":
                start = number + 1
        elif line.strip() == FENCE:
            yield start, lines[start - 1 : number - 1]
            start = None


def program(file, start, lines):
    """The example as a program; what is put around it is in front of its first line, which keeps its number."""
    location = f'#sourceLocation(file: "{file}", line: {start})\n'
    body = "\n".join(lines) + "\n"
    if any(line.startswith("import ") for line in lines):
        return location + body
    head = "import Foundation\nimport Tributary\n\nfunc example(_ analytics: Analytics) async throws {\n"
    return head + location + body + "#sourceLocation()\n}\n"


def main(folder, *files):
    for file in map(pathlib.Path, files):
        for start, lines in examples(file.read_text(encoding="utf-8").splitlines()):
            target = pathlib.Path(folder) / f"{file.stem}-{start}.swift"
            target.write_text(program(file.name, start, lines), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
