#!/usr/bin/python3
"""Lists the files of destination functions that are part of the program, in Workspace/Sources/WorkspaceFiles/FunctionFiles.c.

  function_files.py             fails when the list does not have the files of Workspace/Templates/destinations
  function_files.py --update    writes the list; for a new template, or one that is gone
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORKSPACE = ROOT / "Workspace"
LIST = WORKSPACE / "Sources/WorkspaceFiles/FunctionFiles.c"
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
PARTS = ["function.js", "vectors.json"]


def templates():
    """The names of the templates, each a folder with both files."""
    names = []
    for folder in sorted((WORKSPACE / "Templates/destinations").iterdir()):
        if not folder.is_dir():
            continue
        if not NAME.fullmatch(folder.name):
            sys.exit(f"{folder.name} is no name of a template: it has small letters, digits and single hyphens")
        missing = [part for part in PARTS if not (folder / part).is_file()]
        if missing:
            sys.exit(f"the template {folder.name} has no {missing[0]}")
        names.append(folder.name)
    return names


def text():
    files = [("prelude.js", "Functions/prelude.js")]
    files += [(f"{name}/{part}", f"Templates/destinations/{name}/{part}") for name in templates() for part in PARTS]
    parts = ["// Written by scripts/support/function_files.py --update.", '#include "WorkspaceFiles.h"', ""]
    for name, path in files:
        parts += [f"static const unsigned char {variable(name)}[] = {{", f'#embed "../../{path}"', "};", ""]
    parts.append("static const struct workspace_file files[] = {")
    parts += [f'    {{"{name}", {variable(name)}, sizeof {variable(name)}}},' for name, _ in files]
    parts += ["};", "", "const struct workspace_file *workspace_function_files(size_t *count) {",
              "    *count = sizeof files / sizeof files[0];", "    return files;", "}", ""]
    return "\n".join(parts)


def variable(name):
    return re.sub(r"[^a-z0-9]", "_", name)


def main():
    if sys.argv[1:] == ["--update"]:
        LIST.write_text(text())
    elif sys.argv[1:]:
        sys.exit(__doc__)
    elif not LIST.is_file() or LIST.read_text() != text():
        sys.exit("FunctionFiles.c does not have the files of Workspace/Templates/destinations: "
                 "run scripts/support/function_files.py --update")


if __name__ == "__main__":
    main()
