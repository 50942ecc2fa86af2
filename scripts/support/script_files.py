#!/usr/bin/python3
"""Lists the scripts that are part of the program, in Workspace/Sources/WorkspaceFiles/ScriptFiles.c.

  script_files.py             fails when the list does not have the files of Workspace/Templates
  script_files.py --update    writes the list; for a new template, or one that is gone
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORKSPACE = ROOT / "Workspace"
LIST = WORKSPACE / "Sources/WorkspaceFiles/ScriptFiles.c"
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
# The folders of templates, with the files of each template that the program has.
KINDS = {"destinations": ["function.js", "vectors.json"], "sources": ["function.js", "vectors.json"], "plugins": ["plugin.js", "events.ndjson"]}


def templates(kind):
    """The names of the templates of a kind, each a folder with its files."""
    names = []
    for folder in sorted((WORKSPACE / "Templates" / kind).iterdir()):
        if not folder.is_dir():
            continue
        if not NAME.fullmatch(folder.name):
            sys.exit(f"{folder.name} is no name of a template: it has small letters, digits and single hyphens")
        missing = [part for part in KINDS[kind] if not (folder / part).is_file()]
        if missing:
            sys.exit(f"the template {folder.name} has no {missing[0]}")
        names.append(folder.name)
    return names


def text():
    files = [("prelude.js", "Functions/prelude.js")]
    files += [(f"{kind}/{name}/{part}", f"Templates/{kind}/{name}/{part}")
              for kind, parts in KINDS.items() for name in templates(kind) for part in parts]
    parts = ["// Written by scripts/support/script_files.py --update.", '#include "WorkspaceFiles.h"', ""]
    for name, path in files:
        parts += [f"static const unsigned char {variable(name)}[] = {{", f'#embed "../../{path}"', "};", ""]
    parts.append("static const struct workspace_file files[] = {")
    parts += [f'    {{"{name}", {variable(name)}, sizeof {variable(name)}}},' for name, _ in files]
    parts += ["};", "", "const struct workspace_file *workspace_script_files(size_t *count) {",
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
        sys.exit("ScriptFiles.c does not have the files of Workspace/Templates: "
                 "run scripts/support/script_files.py --update")


if __name__ == "__main__":
    main()
