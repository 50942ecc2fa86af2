"""Writes the documents of the repository as pages of the site, and says which of their links lead nowhere."""

import os
import shutil

import navigation
import prose

ELSEWHERE = ("https://", "http://", "mailto:")


class Documents:
    """The documents that the navigation names, read once."""

    def __init__(self, root):
        self.root = root
        self.problems = []
        self.groups = list(navigation.documents(root))
        self.texts = {name: (root / name).read_text(encoding="utf-8") for _, _, listed in self.groups for name in listed}

    def resolve(self, document, target):
        """A link of a document: the path that it means in the repository, and its anchor."""
        path, _, anchor = target.partition("#")
        if not path:
            return document, anchor
        return os.path.normpath(os.path.join(os.path.dirname(document), path)), anchor

    def fault(self, document, target):
        """Why a link leads nowhere, or None."""
        if target.startswith(ELSEWHERE):
            return None
        path, anchor = self.resolve(document, target)
        if path.startswith("..") or not (self.root / path).exists():
            return "there is no such file"
        if anchor and path in self.texts and anchor not in prose.anchors(self.texts[path]):
            return f"{path} has no such heading"
        return None

    def check(self):
        """All links that lead nowhere, one a line, with the place of each."""
        return [f"{name}:{line}: {target}: {fault}" for name, text in self.texts.items()
                for line, target in prose.targets(text) if (fault := self.fault(name, target))]

    def link(self, document, text, target):
        """A link of a document as it is on the site, or its text when the site has no such page."""
        if target.startswith(ELSEWHERE):
            return f"[{text}]({target})"
        path, anchor = self.resolve(document, target)
        if path in self.texts:
            goal = navigation.place(path)
            # The name of a file says nothing to a reader of the site.
            text = prose.title(self.texts[path]) if text.endswith(".md") else text
        elif (self.root / path).is_file():
            goal = f"files/{path}"
        else:
            return text
        relative = os.path.relpath(goal, os.path.dirname(navigation.place(document)) or ".")
        return f"[{text}]({relative}{'#' + anchor if anchor else ''})"

    def write(self, folder):
        for name, text in self.texts.items():
            page = folder / navigation.place(name)
            page.parent.mkdir(parents=True, exist_ok=True)
            made = prose.rewritten(text, lambda words, target, name=name: self.link(name, words, target))
            page.write_text(made, encoding="utf-8")
            for _, target in prose.targets(text):
                self.copy(folder, name, target)

    def copy(self, folder, document, target):
        """Copies a picture to the same place, and another file that is no page below `files`."""
        path, _ = self.resolve(document, target)
        if target.startswith(ELSEWHERE) or path in self.texts or not (self.root / path).is_file():
            return
        is_picture = path.endswith((".webp", ".png", ".svg"))
        goal = folder / (path.removeprefix("docs/") if is_picture else f"files/{path}")
        goal.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.root / path, goal)
