"""Looks at the pages that were made: every link, anchor and picture is there, and nothing comes from another host."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote

ELSEWHERE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.I)
# What a browser fetches by itself when it shows a page; a link to another host is fetched by a click only.
FETCHED = {("img", "src"), ("img", "srcset"), ("source", "src"), ("source", "srcset"), ("script", "src"), ("iframe", "src"),
           ("video", "src"), ("link", "href")}


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.anchors = set()
        self.links = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}
        for name in ("href", "src", "srcset"):
            if values.get(name) and values.get("rel") != "canonical":
                self.links.append((values[name], (tag, name) in FETCHED))


def read(folder):
    return {file.relative_to(folder).as_posix(): Page(file.read_text(encoding="utf-8")) for file in folder.rglob("*.html")}


def fault(folder, pages, page, target, is_fetched):
    """Why a link of a page is wrong, or None."""
    if ELSEWHERE.match(target):
        is_local = target.startswith(("data:", "#"))
        return "a browser would fetch it from another host" if is_fetched and not is_local else None
    path, _, anchor = target.partition("#")
    path, anchor = unquote(path.partition("?")[0]), unquote(anchor)
    goal = (folder / page).parent / path if path else folder / page
    if goal.is_dir():
        goal /= "index.html"
    if not goal.is_file():
        return "there is no such file"
    if not goal.resolve().is_relative_to(folder.resolve()):
        return "it leaves the site"
    name = goal.resolve().relative_to(folder.resolve()).as_posix()
    if anchor and name in pages and anchor not in pages[name].anchors:
        return f"{name} has no such heading"
    return None


def styles(folder):
    """What style sheets fetch from other hosts."""
    for file in folder.rglob("*.css"):
        for target in re.findall(r"""(?:url\(|@import\s+)["']?((?:https?:)?//[^"')\s]+)""", file.read_text(encoding="utf-8")):
            yield f"{file.relative_to(folder)}: {target}: a browser would fetch it from another host"


def check(folder):
    """What is wrong, one fault a line, and how many links were looked at."""
    pages = read(folder)
    found, count = list(styles(folder)), 0
    for name, page in sorted(pages.items()):
        # 404.html is shown for any address, so its links begin with the root of the host.
        for target, is_fetched in page.links if name != "404.html" else ():
            count += 1
            why = fault(folder, pages, name, target, is_fetched)
            if why:
                found.append(f"{name}: {target}: {why}")
    return found, len(pages), count
