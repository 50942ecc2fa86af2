#!/usr/bin/env python3
"""Writes docs/DECISIONS.md, the index of docs/decisions, and says what an entry lacks.

    scripts/support/decisions.py            check the entries and the index
    scripts/support/decisions.py --update   check the entries and write the index
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The order of the index: the client, the server of one machine, the cluster, the project.
SUBJECTS = (
    "events", "queue", "delivery", "plugins", "consent", "live-plugins", "sandbox", "signals", "filters", "analytics-ios",
    "apple", "ingest", "storage", "erasing", "searching", "forwarding", "rollouts", "console", "security", "cluster", "clickhouse",
    "building",
)
TRIED = "Tried and left"
PARTS = ("**Why:**", "**What would change it:**")
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
DATE = re.compile(rf"[1-9]\d? ({MONTHS})\.(\s|$)")
INTRODUCTION = """# Decisions

Each entry is one decision: its date, what was decided, why, and what would change it. An entry goes into the file of its
subject; `scripts/support/decisions.py --update` writes this index.
"""


def anchor(title):
    """The name that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def read(file):
    """The title of a file, its introduction, and its entries as pairs of title and text."""
    head, *sections = re.split(r"^## ", file.read_text(), flags=re.M)
    title, _, introduction = head.removeprefix("# ").partition("\n")
    entries = []
    for section in sections:
        name, _, text = section.partition("\n")
        entries.append((name, text.strip()))
    return title, " ".join(introduction.split()), entries


def faults(file):
    """What the entries of a file lack."""
    found, seen = [], set()
    for name, text in read(file)[2]:
        if anchor(name) in seen:
            found.append(f"{file.name}: there are two entries \"{name}\"")
        seen.add(anchor(name))
        if name == TRIED:
            continue
        if not DATE.match(text):
            found.append(f"{file.name}: \"{name}\" does not begin with its date, such as 24 November.")
        for part in PARTS:
            if len(re.findall(rf"^{re.escape(part)} \S", text, flags=re.M)) != 1:
                found.append(f"{file.name}: \"{name}\" needs the part {part} once")
    return found


def index(folder):
    lines = [INTRODUCTION]
    for subject in SUBJECTS:
        title, introduction, entries = read(folder / f"{subject}.md")
        introduction = re.sub(r"\]\((?!\.\./)", "](decisions/", introduction).replace("](../", "](")
        lines.append(f"## [{title}](decisions/{subject}.md)\n\n{introduction}\n")
        lines.append("\n".join(f"- [{name}](decisions/{subject}.md#{anchor(name)})" for name, _ in entries) + "\n")
    return "\n".join(lines)


def check(root, update=False):
    """What is wrong with the decisions below a folder, after the index was written if asked."""
    folder, target = root / "docs/decisions", root / "docs/DECISIONS.md"
    found = [f"{file.name} is not in SUBJECTS" for file in sorted(folder.glob("*.md")) if file.stem not in SUBJECTS]
    missing = [subject for subject in SUBJECTS if not (folder / f"{subject}.md").is_file()]
    if missing:
        return [*found, *(f"{subject}.md is missing" for subject in missing)]
    for subject in SUBJECTS:
        found += faults(folder / f"{subject}.md")
    if update:
        target.write_text(index(folder))
    elif target.read_text() != index(folder):
        found.append("docs/DECISIONS.md is not the index of docs/decisions: scripts/support/decisions.py --update")
    return found


def main():
    if sys.argv[1:] not in ([], ["--update"]):
        sys.exit(__doc__)
    found = check(ROOT, update=bool(sys.argv[1:]))
    print("\n".join(found) or "decisions: every entry has its parts, and the index has every entry")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
