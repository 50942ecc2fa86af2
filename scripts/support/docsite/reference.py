"""The reference of the Swift modules: a page for each type, out of the symbol graphs that `scripts/api --graphs` writes."""

import collections
import html
import json
import os
import re
import sys

import navigation
import prose

KINDS = {"swift.class": "Class", "swift.struct": "Structure", "swift.enum": "Enumeration", "swift.protocol": "Protocol"}
GROUPS = {
    "Cases": ("swift.enum.case",), "Associated types": ("swift.associatedtype",), "Initializers": ("swift.init",),
    "Properties": ("swift.property",), "Methods": ("swift.method",), "Subscripts": ("swift.subscript",),
    "Static members": ("swift.type.property", "swift.type.method"), "Operators": ("swift.func.op",),
    "Type aliases": ("swift.typealias",),
}
# Nearly every type has these: scripts/support/api.py leaves them out, too.
IMPLIED = {"Swift.Copyable", "Swift.Escapable", "Swift.Sendable", "Swift.SendableMetatype", "Swift.Equatable"}
LONGEST_LINE = 80
STYLES = {"keyword": "k", "attribute": "nd", "typeIdentifier": "n", "externalParam": "na", "identifier": "nf"}


class Symbol:
    def __init__(self, module, value):
        self.module = module
        self.id = value["identifier"]["precise"]
        self.kind = value["kind"]["identifier"]
        self.path = tuple(value["pathComponents"])
        self.fragments = [(part["kind"], part["spelling"], part.get("preciseIdentifier"))
                          for part in value["declarationFragments"]]
        self.documentation = "\n".join(line["text"] for line in value.get("docComment", {}).get("lines", []))

    @property
    def is_type(self):
        return self.kind in KINDS

    @property
    def sentence(self):
        return prose.first_sentence(self.documentation)


def anchor(name):
    """The name of a member's heading: track(name:properties:) becomes track-name-properties."""
    return re.sub(r"\W+", "-", name).strip("-").lower() or "operator"


class Reference:
    """The symbols of all modules, and the pages that they make."""

    def __init__(self, root, graphs):
        self.root = root
        self.problems = []
        self.symbols = {}
        self.conformances = collections.defaultdict(list)
        self.modules = [module for listed in navigation.MODULES.values() for module in listed]
        for file in sorted(graphs.glob("*.symbols.json")):
            self.read(file)
        unknown = {symbol.module for symbol in self.symbols.values()} - set(self.modules)
        if unknown:
            raise ValueError(f"MODULES of navigation.py lacks {', '.join(sorted(unknown))}")
        self.types = {(symbol.module, symbol.path): symbol for symbol in self.symbols.values() if symbol.is_type}
        # The members of each type, also of types of other modules; what is in no type belongs to ().
        self.members = collections.defaultdict(list)
        for symbol in self.symbols.values():
            if not symbol.is_type:
                self.members[symbol.module, symbol.path[:-1]].append(symbol)
        self.names = self.find_names()

    def read(self, file):
        module = re.split(r"[@.]", file.name)[0]
        graph = json.loads(file.read_text(encoding="utf-8"))
        for value in graph["symbols"]:
            self.symbols[value["identifier"]["precise"]] = Symbol(module, value)
        for relation in graph["relationships"]:
            if relation["kind"] in ("conformsTo", "inheritsFrom"):
                goal = relation.get("targetFallback") or relation["target"]
                if goal not in IMPLIED and relation["target"] not in [known for known, _ in self.conformances[relation["source"]]]:
                    self.conformances[relation["source"]].append((relation["target"], goal))

    # Places

    def page(self, module, path):
        return f"reference/{module}/{'.'.join(path) if path else 'index'}.md"

    def place(self, symbol):
        """The page of a symbol, and its heading there."""
        if symbol.is_type:
            return self.page(symbol.module, symbol.path)
        return f"{self.page(symbol.module, symbol.path[:-1])}#{anchor(symbol.path[-1])}"

    def find_names(self):
        """Where documentation means by a name: the whole path, and the path without the labels of its arguments."""
        names = {}
        for symbol in self.symbols.values():
            path = "/".join(symbol.path)
            for name in (path, path.partition("(")[0]):
                names.setdefault((symbol.module, name), symbol)
                names.setdefault((None, name), symbol)
        return names

    def meant(self, name, symbol):
        """The symbol that is meant by a name in the documentation of another one, or None."""
        # What DocC puts behind a name to choose one of several, such as `-(String)`, has no page of its own here.
        name = re.sub(r"-\(.*\)(->.*)?$", "", name.removeprefix(f"{symbol.module}/"))
        for depth in range(len(symbol.path), -1, -1):
            path = "/".join((*symbol.path[:depth], name))
            for key in ((symbol.module, path), (None, path)):
                if key in self.names:
                    return self.names[key]
        return None

    def relative(self, symbol, page):
        path, _, heading = self.place(symbol).partition("#")
        if path == page:
            return f"#{heading}" if heading else os.path.basename(path)
        return os.path.relpath(path, os.path.dirname(page)) + (f"#{heading}" if heading else "")

    # Text

    def text(self, symbol, page):
        """The documentation of a symbol as Markdown."""
        def link(match):
            found = self.meant(match[1], symbol)
            name = match[1].split("/")[-1]
            if not found:
                self.problems.append(f"{page}: the documentation of {symbol.path[-1]} names ``{match[1]}``, which is not there")
                return f"`{name}`"
            return f"[`{name}`]({self.relative(found, page)})"

        pieces = []
        for is_code, lines in prose.split(fields(symbol.documentation)):
            piece = "\n".join(lines)
            pieces.append(piece if is_code else re.sub(r"``([^`\n]+)``", link, piece))
        return prose.rewritten("\n".join(pieces), lambda words, target: f"[{words}]({target})").strip()

    def declaration(self, symbol, page):
        """A declaration, in which the names of types are links to their pages."""
        parts = []
        for kind, spelling, goal in broken(symbol.fragments):
            part = html.escape(spelling, quote=False)
            if goal in self.symbols and kind == "typeIdentifier":
                target = self.relative(self.symbols[goal], page).replace(".md", ".html")
                part = f'<a href="{target}">{part}</a>'
            parts.append(f'<span class="{STYLES[kind]}">{part}</span>' if kind in STYLES else part)
        return f'<div class="highlight declaration"><pre><code>{"".join(parts)}</code></pre></div>'

    def related(self, symbol, page):
        """What a type inherits and conforms to."""
        names = []
        for target, goal in self.conformances[symbol.id]:
            known = self.symbols.get(target)
            name = known.path[-1] if known else goal.split(".")[-1]
            names.append(f"[`{name}`]({self.relative(known, page)})" if known else f"`{name}`")
        return f"Conforms to {', '.join(sorted(names))}." if names else ""

    def lines(self, symbols, page):
        """A list of symbols with their first sentences."""
        return "\n".join(f"- [`{'.'.join(symbol.path)}`]({self.relative(symbol, page)})" +
                         (f": {plain_sentence(symbol)}" if symbol.sentence else "") for symbol in symbols)

    # Pages

    def member_sections(self, members, page):
        for title, kinds in GROUPS.items():
            overloads = collections.defaultdict(list)
            for symbol in members:
                if symbol.kind in kinds:
                    overloads[symbol.path[-1]].append(symbol)
            if overloads:
                yield f"## {title} {{ #{anchor(title)}-list }}"
            for name in sorted(overloads, key=str.lower):
                yield f"### `{name}` {{ #{anchor(name)} }}"
                for symbol in overloads[name]:
                    yield self.declaration(symbol, page)
                    yield self.text(symbol, page)

    def type_page(self, symbol):
        page = self.page(symbol.module, symbol.path)
        nested = [other for (module, path), other in sorted(self.types.items())
                  if module == symbol.module and path[:-1] == symbol.path]
        yield f"# {'.'.join(symbol.path)}"
        yield f"{KINDS[symbol.kind]} of [{symbol.module}](index.md)"
        yield self.declaration(symbol, page)
        yield self.text(symbol, page)
        yield self.related(symbol, page)
        if nested:
            yield "## Types { #types-list }"
            yield self.lines(nested, page)
        yield from self.member_sections(self.members[symbol.module, symbol.path], page)

    def extension_page(self, module, path):
        yield f"# {'.'.join(path)}"
        owner = next((self.types[other, path] for other in self.modules if (other, path) in self.types), None)
        page = self.page(module, path)
        name = f"[`{'.'.join(path)}`]({self.relative(owner, page)})" if owner else f"`{'.'.join(path)}`"
        yield f"What [{module}](index.md) adds to {name}."
        yield from self.member_sections(self.members[module, path], page)

    def module_page(self, module):
        """The catalogue of a module, and all that it has."""
        page = self.page(module, ())
        yield self.catalogue(module, page)
        yield "## All types { #all }"
        if sys.platform == "linux":
            yield "This page was made on Linux. What only Apple's systems have is not on it; Xcode shows that."
        for kind, title in (("swift.class", "Classes"), ("swift.struct", "Structures"), ("swift.enum", "Enumerations"),
                            ("swift.protocol", "Protocols")):
            found = sorted((symbol for symbol in self.types.values() if symbol.module == module and symbol.kind == kind),
                           key=lambda symbol: symbol.path)
            if found:
                yield f"### {title} {{ #{title.lower()} }}"
                yield self.lines(found, page)
        extended = self.extended(module)
        if extended:
            yield "### Types of other modules { #extensions }"
            yield "\n".join(f"- [`{'.'.join(path)}`]({os.path.basename(self.page(module, path))})" for path in extended)
        yield from self.member_sections(self.members[module, ()], page)

    def catalogue_text(self, module):
        return (self.root / f"Sources/{module}/{module}.docc/{module}.md").read_text(encoding="utf-8")

    def sentence(self, module):
        return prose.first_sentence(self.catalogue_text(module))

    def catalogue(self, module, page):
        text = self.catalogue_text(module)
        holder = Symbol(module, {"identifier": {"precise": ""}, "kind": {"identifier": "module"}, "pathComponents": [module],
                                 "declarationFragments": []})
        holder.documentation = re.sub(r"^# ``(\w+)``$", r"# \1", text, flags=re.M)
        return re.sub(r"`([\w-]+\.md)`", self.guide, self.text(holder, page))

    def guide(self, match):
        """Catalogues name guides by their files, because Xcode shows them without the guides."""
        file = self.root / "docs/guides" / match[1]
        return f"[{prose.title(file.read_text(encoding='utf-8'))}](../../guides/{match[1]})" if file.exists() else match[0]

    def extended(self, module):
        return sorted(path for other, path in self.members if other == module and path and (module, path) not in self.types)

    def pages(self):
        """The pages, as pairs of place and text."""
        for module in self.modules:
            yield self.page(module, ()), self.module_page(module)
            for path in self.extended(module):
                yield self.page(module, path), self.extension_page(module, path)
        for (module, path), symbol in sorted(self.types.items()):
            yield self.page(module, path), self.type_page(symbol)

    def write(self, folder):
        for place, text in self.pages():
            file = folder / place
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("\n\n".join(part for part in text if part) + "\n", encoding="utf-8")

    def navigation(self):
        """The groups of the sidebar."""
        for group, modules in navigation.MODULES.items():
            yield {group: [{module: [self.page(module, path) for path in ((), *self.paths(module))]} for module in modules]}

    def paths(self, module):
        return sorted([path for other, path in self.types if other == module] + self.extended(module),
                      key=lambda path: [name.lower() for name in path])


def fields(text):
    """`- Parameter name:` and the like, as lists that any reader of Markdown understands."""
    # The reason why a type is `@unchecked Sendable` is for people who change it.
    text = re.sub(r"(^|\n\n)Unchecked because .*?(?=\n\n|\Z)", "", text, flags=re.S)
    text = re.sub(r"^- Parameters:\n((?: +- .*\n?(?: {4,}.*\n?)*)+)", lambda match: re.sub(r"^  ", "", match[1], flags=re.M),
                  text, flags=re.M)
    text = re.sub(r"^- Parameter (\w+):", r"- `\1`:", text, flags=re.M)
    return re.sub(r"^- (Returns|Throws|Note|Important|Warning):", r"- **\1:**", text, flags=re.M)


def plain_sentence(symbol):
    return re.sub(r"``([^`]+)``", r"`\1`", symbol.sentence)


def broken(fragments):
    """A long declaration with each of its parameters in a line of its own."""
    if sum(len(spelling) for _, spelling, _ in fragments) <= LONGEST_LINE:
        yield from fragments
        return
    depth, has_ended, is_fresh = 0, False, False
    for kind, spelling, goal in fragments:
        text = []
        for index, character in enumerate(spelling if kind == "text" else ""):
            if is_fresh and character == " ":
                continue
            depth -= character == ")"
            if character == ")" and depth == 0 and not has_ended:
                text.append("\n")
                has_ended = True
            text.append(character)
            depth += character == "("
            has_ended = has_ended or spelling[index:index + 2] == "()"
            is_fresh = depth == 1 and not has_ended and character in "(,"
            text.append("\n    " if is_fresh else "")
        is_fresh = is_fresh and kind == "text"
        yield kind, "".join(text) if kind == "text" else spelling, goal
