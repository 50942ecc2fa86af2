#!/usr/bin/env python3
"""Counts phrases in comments that hide who does something, in 1,000 words of each folder.

    plain_words.py [--list] [FOLDER...]

A folder fails when it has more of them than ALLOWED. `--list` prints each one with its place.
The phrases: words for persons without a name (somebody, nobody, whoever, whom), "whose", "told", "stands for", "that are it", and
clauses that name a thing by "what", "those that" or "the one that" where a noun could stand. A question after a verb is
plain ("says what failed", "knows what to do") and does not count.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUFFIXES = {".swift", ".js", ".c", ".h"}

# The most phrases in 1,000 words. A folder may always have one.
ALLOWED = 2

ASKING = (
    r"say|says|said|saying|show|shows|showing|shown|know|knows|knowing|known|see|sees|seen|decide|decides|decided|ask|asks|asked|tell|tells"
    r"|describe|describes|described|explain|explains|report|reports|check|checks|learn|learns|find out|finds out|about|is|on|of|to|at"
)
VERBS = (
    r"is|was|are|were|has|had|have|may|can|could|must|will|would|does|did|do|needs|need|comes|came|goes|went|stands|stood|belongs"
    r"|happens|happened|remains|follows|fits|fails|failed|makes|made|gives|gave|takes|took|holds|held|only|no|not|never|nothing"
)
RELATIVE = r"that|which|who|whose|whom|of|with|without|in|from|to|for|behind|before|after|under|above|below|whom|it|they|the"
PHRASES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:some|no)body\b",
        r"\bwhoever\b",
        r"\bwhom\b",
        r"\bwhose\b",
        r"\btold\b",
        r"\bstands? for\b",
        r"\bthat (?:are|is) it\b",
        r"\bthat which\b",
        rf"\bthose (?:that|which|who)\b(?! whose)",
        rf"\bthe ones? (?:{RELATIVE})\b",
        rf"(?<!\w)(?<!-)what (?:{VERBS})\b",
    )
] + [re.compile(r"(?:^|[.:;!?]\s+|\n\s*)(?:What|Those|That which|The ones?)\b(?! if\b)[^.?\n]*(?!\?)")]
PLAIN = re.compile(rf"\b(?:{ASKING})\s+(?:\w+ )?$", re.IGNORECASE)


def comments(path):
    """The blocks of comments of a file: the number of the first line, and the text."""
    blocks, block, first, inside = [], [], 0, False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        text = None
        stripped = line.strip()
        if inside:
            text = re.sub(r"^\*/?\s?", "", stripped).split("*/")[0]
            inside = "*/" not in stripped
        elif stripped.startswith("/*"):
            inside = "*/" not in stripped
            text = re.sub(r"^/\*+\s?", "", stripped).split("*/")[0]
        elif stripped.startswith("//"):
            text = re.sub(r"^/{2,3}\s?", "", stripped)
        else:
            behind = re.search(r"(?<=[\s;{}(),])//\s(.*)$", line)
            if behind and line[: behind.start()].count('"') % 2 == 0:
                blocks.append((number, behind.group(1)))
        if text is None or text.startswith("    ") or text.startswith("```"):
            if block:
                blocks.append((first, "\n".join(block)))
            block = []
            continue
        if not block:
            first = number
        block.append(text)
    if block:
        blocks.append((first, "\n".join(block)))
    return blocks


def phrases(text):
    """The places of the phrases in a text. Two that overlap count once."""
    text = re.sub(r"`[^`\n]*`", lambda code: "`" * len(code.group(0)), text)
    found = {}
    # A line's end separates words, not sentences.
    joined = re.sub(r"\n(?=[a-z`(])", " ", text)
    for phrase in PHRASES:
        for match in phrase.finditer(joined):
            start = match.start() + len(match.group(0)) - len(match.group(0).lstrip(".:;!? \n"))
            word = joined[start : start + 4].lower()
            if word == "what" and (PLAIN.search(joined[:start]) or joined[start:].split(".")[0].rstrip().endswith("?")):
                continue
            found[start] = joined[start : start + 60].replace("\n", " ")
    return found


def folders():
    """The folders with a number of their own: a target, a folder in one of the server's or the command's, the page."""
    found = [folder for folder in sorted((ROOT / "Sources").iterdir()) if folder.is_dir()]
    for target in sorted(folder for folder in (ROOT / "Workspace/Sources").iterdir() if folder.is_dir()):
        inner = [folder for folder in sorted(target.iterdir()) if folder.is_dir() and folder.name not in {"include", "Resources"}]
        found += inner or [target]
    return found + [ROOT / "Workspace/Page"]


def measure(folder):
    """The words in the comments below a folder, and the places of its phrases."""
    words, places = 0, []
    for path in sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file()):
        for line, text in comments(path):
            words += len(text.split())
            places += [f"{path.relative_to(ROOT)}:{line}: {phrase}" for phrase in phrases(text).values()]
    return words, places


def too_many(words, count):
    return count > max(1, ALLOWED * words / 1000)


def main(arguments):
    listing = "--list" in arguments
    chosen = [ROOT / name for name in arguments if name != "--list"] or folders()
    failed = []
    total_words = total = 0
    for folder in chosen:
        name = folder.relative_to(ROOT).as_posix()
        words, places = measure(folder)
        if words == 0:
            continue
        total_words += words
        total += len(places)
        bad = too_many(words, len(places))
        failed += [name] if bad else []
        print(f"{name:52} {words:6} words {len(places):4}  {1000 * len(places) / words:5.1f}{'  too many' if bad else ''}")
        if listing:
            print("".join(f"    {place}\n" for place in places), end="")
    if total_words:
        print(f"{'all':52} {total_words:6} words {total:4}  {1000 * total / total_words:5.1f}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
