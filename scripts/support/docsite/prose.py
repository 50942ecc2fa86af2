"""Markdown as GitHub shows it, rewritten for the generator of the site, and what can be read out of it."""

import re

LANGUAGES = {"effect", "fault", "fql", "problem"}  # Names that tests use for boxes of text.
FENCE = re.compile(r"^( *)(`{3,})(.*)$")
# A code span is matched as well, so that what looks like a link in code stays as it is.
LINK = re.compile(r"(?P<code>`+)(?:(?!(?P=code)).)+?(?P=code)|\[(?P<text>(?:[^\[\]`]|`[^`]*`)+)\]\((?P<target>[^()\s]+)\)", re.S)
PICTURE = re.compile(r'<(?:img|source)\b[^>]*?\b(?:src|srcset)="(?P<target>[^"]+)"')
BOTH = re.compile(r'<picture><source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)"><img src="([^"]+)"([^>]*)></picture>')
ITEM = re.compile(r"^ *([-*]|\d+\.) ")


def split(text):
    """The text in pieces, as (whether it is a box of code, its lines)."""
    lines, fence = [], None
    for line in text.splitlines():
        match = FENCE.match(line)
        if match and fence is None:
            yield False, lines
            lines, fence = [line], match[2]
        elif match and match[2] == fence and not match[3].strip():
            yield True, [*lines, line]
            lines, fence = [], None
        else:
            lines.append(line)
    yield fence is not None, lines


def fence(line):
    """The first line of a box: `json events.ndjson` has a file name, other words are for tests."""
    indentation, marks, words = FENCE.match(line).groups()
    language, _, name = words.strip().partition(" ")
    if language in LANGUAGES:
        language = "text"
    title = f' title="{name}"' if re.fullmatch(r"[\w/-]+\.\w+", name) else ""
    return f"{indentation}{marks} {language}{title}".rstrip()


def indented(lines, by):
    return [" " * by + line if line.strip() else line for line in lines]


def lists(lines):
    """The generator wants four spaces in front of what belongs to an item, and an empty line in front of a list."""
    result = []
    for line in lines:
        before = result[-1] if result else ""
        if ITEM.match(line) and not line.startswith(" ") and before.strip() and not ITEM.match(before) and before[0] not in " |":
            result.append("")
        result.append(re.sub(r"^ {2,3}(?=\S)", "    ", line))
    return result


def rewritten(text, link):
    """The document for the generator. `link` makes the Markdown of each link from its text and target."""
    def replaced(match):
        return link(match["text"], match["target"]) if match["target"] else match[0]

    pieces = []
    for is_code, lines in split(text):
        if is_code:
            spaces = len(lines[0]) - len(lines[0].lstrip())
            pieces += indented([fence(lines[0]), *lines[1:]], 4 - spaces if 0 < spaces < 4 else 0)
        else:
            piece = LINK.sub(replaced, "\n".join(lists(lines)))
            # A theme is chosen by a button of the site as well, so not by the system alone.
            pieces.append(BOTH.sub(r'<a href="\2"><img src="\2#only-light"\3></a><a href="\1"><img src="\1#only-dark"\3></a>', piece))
    return "\n".join(pieces).strip("\n") + "\n"


def targets(text):
    """The targets of all links and pictures, as (line, target)."""
    line = 1
    for is_code, lines in split(text):
        piece = "\n".join(lines)
        for match in [] if is_code else [*LINK.finditer(piece), *PICTURE.finditer(piece)]:
            if match["target"]:
                yield line + piece[:match.start()].count("\n"), match["target"]
        line += len(lines)


def anchor(title):
    """The name that a heading gets, on GitHub and on the site."""
    title = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", title)
    return re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-")


def anchors(text):
    prose = "\n".join("\n".join(lines) for is_code, lines in split(text) if not is_code)
    return {anchor(title) for title in re.findall(r"^#{1,6} (.+)$", prose, re.M)}


def plain(text):
    """Without the marks of Markdown, in one line."""
    text = re.sub(r"\[([^\]]+)\]\([^)\s]+\)", r"\1", text)
    return " ".join(re.sub(r"`+|\*\*|(?<!\w)\*|\*(?!\w)", "", text).split())


def title(text):
    return plain(re.search(r"^# (.+)$", text, re.M)[1])


def first_sentence(text):
    """The first sentence of the first paragraph behind the title."""
    for is_code, lines in split(text):
        for paragraph in [] if is_code else re.split(r"\n\s*\n", "\n".join(lines)):
            paragraph = paragraph.strip()
            if paragraph and not re.match(r"[#|<>!-]|\d+\. ", paragraph):
                return plain(re.split(r"(?<=[.:?!])\s+(?=[A-Z`\d\[])", paragraph)[0]).rstrip(":")
    return ""
