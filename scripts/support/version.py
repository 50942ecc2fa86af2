"""The version of the project: where sources have it, and how versions compare.

The client and the server are two packages and share no module that could hold it, so each has a line of its own.
`scripts/release VERSION --set-version` writes both, and a test of scripts/tests compares them.
"""

import re
from pathlib import Path

PLACES = {
    "Sources/Tributary/Support/LibraryVersion.swift": re.compile(r'(static let current = ")([^"]*)(")'),
    "Workspace/Sources/WorkspaceServer/Server/Workspace.swift": re.compile(r'(public static let version = ")([^"]*)(")'),
}
# https://semver.org, without a part for builds: tags and packages have none.
SEMANTIC = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:[0-9A-Za-z-]+)(?:\.[0-9A-Za-z-]+)*))?")


class Problem(Exception):
    """What a person has to change, as a sentence."""


def current(root):
    """The version that the sources have."""
    found = {}
    for place, pattern in PLACES.items():
        match = pattern.search((Path(root) / place).read_text(encoding="utf-8"))
        if match is None:
            raise Problem(f"{place} has no line with the version")
        found[place] = match[2]
    if len(set(found.values())) > 1:
        lines = ", ".join(f"{place} has {version}" for place, version in found.items())
        raise Problem(f"the sources have several versions: {lines}")
    return next(iter(found.values()))


def write(root, version):
    """Puts the version into all places."""
    for place, pattern in PLACES.items():
        file = Path(root) / place
        text, count = pattern.subn(rf"\g<1>{version}\g<3>", file.read_text(encoding="utf-8"))
        if count != 1:
            raise Problem(f"{place} has {count} lines with the version")
        file.write_text(text, encoding="utf-8")


def parts(version):
    """A value that sorts as semantic versions do: a version with a suffix comes before the one without."""
    match = SEMANTIC.fullmatch(version)
    if match is None:
        raise Problem(f"{version} is no semantic version such as 1.2.3 or 1.2.3-beta.1")
    numbers = tuple(int(match[index]) for index in (1, 2, 3))
    if match[4] is None:
        return (numbers, 1, ())
    words = tuple((0, int(word), "") if word.isdigit() else (1, 0, word) for word in match[4].split("."))
    return (numbers, 0, words)
