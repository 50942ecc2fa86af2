"""scripts/site: the links of the documents, and how it finds what is broken, without the generator.

    /usr/bin/python3 -m unittest -v scripts/tests/site_test.py
"""

import importlib.machinery
import importlib.util
import json
import re
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("site_script", str(ROOT / "scripts/site"))
site = importlib.util.module_from_spec(importlib.util.spec_from_loader("site_script", loader))
loader.exec_module(site)

import http_api  # noqa: E402
import links  # noqa: E402
import llms  # noqa: E402
import navigation  # noqa: E402
import prose  # noqa: E402
import reference  # noqa: E402
from documents import Documents  # noqa: E402

README = """# Tributary

The first sentence. Another one.

- [a guide](docs/guides/a.md#two-words), [its top](docs/guides/a.md), [the licence](LICENSE), [a folder](docs/guides)
- `[no link](nowhere.md)` and [another host](https://example.com)
<img src="docs/guides/there.webp" alt="">

```sh
[no link](nowhere.md)
```
"""


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-site-")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve() / "repository"

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


class RepositoryTest(unittest.TestCase):
    def test_every_link_of_the_documents_leads_somewhere(self):
        documents = Documents(ROOT)
        self.assertEqual([], documents.check())
        self.assertGreater(sum(len(list(prose.targets(text))) for text in documents.texts.values()), 600)

    def test_every_document_is_in_the_navigation_once(self):
        listed = [name for _, _, names in navigation.documents(ROOT) for name in names]
        written = {str(file.relative_to(ROOT)) for file in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]}
        self.assertEqual(len(listed), len(set(listed)))
        self.assertEqual(set(), written - set(listed))

    def test_every_product_is_in_the_reference(self):
        listed = [module for modules in navigation.MODULES.values() for module in modules]
        self.assertEqual(sorted(file.stem for file in (ROOT / "docs/api").glob("*.txt")), sorted(listed))

    def test_every_operation_of_the_http_api_is_on_its_page(self):
        description = json.loads((ROOT / http_api.DESCRIPTION).read_text(encoding="utf-8"))
        page = "\n".join(http_api.parts(description))
        operations = re.findall(r'"operationId": ?"(\w+)"', json.dumps(description))
        self.assertGreater(len(operations), 100)
        self.assertEqual(sorted(operations), sorted(re.findall(r"^### .* \{ #(\w+) \}$", page, re.M)))


class DocumentsTest(Folder):
    def setUp(self):
        super().setUp()
        pages = mock.patch.object(navigation, "NAVIGATION", {"Start": ["README.md"], "Guides": {"All": ["docs/guides/a.md"]}})
        pages.start()
        self.addCleanup(pages.stop)
        self.write("README.md", README)
        self.write("docs/guides/a.md", "# A\n\nText of `a`. [Back](../../README.md)\n\n## Two `words`\n")
        self.write("docs/guides/there.webp", "")
        self.write("LICENSE", "free")

    def problems(self):
        return Documents(self.root).check()

    def test_a_link_a_heading_and_a_picture_that_are_missing_are_named_with_their_lines(self):
        self.assertEqual([], self.problems())
        self.write("README.md", README.replace("guides/a.md)", "guides/b.md)").replace("#two-words", "#three").replace("there", "gone"))
        self.assertEqual([
            "README.md:5: docs/guides/a.md#three: docs/guides/a.md has no such heading",
            "README.md:5: docs/guides/b.md: there is no such file",
            "README.md:7: docs/guides/gone.webp: there is no such file",
        ], self.problems())

    def test_a_link_out_of_the_repository_is_refused(self):
        self.write("README.md", "# T\n\n[out](../other.md)\n")
        self.write("../other.md", "")
        self.assertEqual(["README.md:3: ../other.md: there is no such file"], self.problems())

    def test_links_follow_the_documents_to_their_places_on_the_site(self):
        documents = Documents(self.root)
        documents.write(self.root / "pages")
        page = (self.root / "pages/index.md").read_text(encoding="utf-8")
        for link in ("[a guide](guides/a.md#two-words)", "[the licence](files/LICENSE)", ", a folder\n", "`[no link](nowhere.md)`"):
            self.assertIn(link, page)
        self.assertIn("[Back](../index.md)", (self.root / "pages/guides/a.md").read_text(encoding="utf-8"))
        self.assertTrue((self.root / "pages/files/LICENSE").is_file())
        self.assertTrue((self.root / "pages/guides/there.webp").is_file())

    def test_the_index_for_language_models_has_titles_and_first_sentences(self):
        text = llms.index(Documents(self.root), [])
        self.assertTrue(text.startswith("# Tributary\n\n> The first sentence.\n\n## Start\n\n- [Tributary](index.md): The first"))
        self.assertIn("## Guides\n\n- [A](guides/a.md): Text of a.\n", text)


class ProseTest(unittest.TestCase):
    def rewritten(self, text):
        return prose.rewritten(text, lambda words, target: f"[{words}]({target})")

    def test_words_for_tests_behind_the_language_of_a_box_are_left_out_and_names_of_files_are_shown(self):
        self.assertEqual('``` json title="events.ndjson"\n{}\n```\n', self.rewritten("```json events.ndjson\n{}\n```"))
        self.assertEqual("``` sh\na\n```\n", self.rewritten("```sh not run: it needs a server.\na\n```"))
        self.assertEqual("``` text\na\n```\n", self.rewritten("```fql\na\n```"))

    def test_what_belongs_to_an_item_of_a_list_is_indented_by_four(self):
        self.assertEqual("1. a\n\n    ``` sh\n    b\n    ```\n", self.rewritten("1. a\n\n   ```sh\n   b\n   ```"))
        self.assertEqual("Text:\n\n- a\n    more\n    - b\n", self.rewritten("Text:\n- a\n  more\n  - b"))

    def test_of_a_picture_for_light_and_dark_the_site_has_both(self):
        picture = '<picture><source media="(prefers-color-scheme: dark)" srcset="d.webp"><img src="l.webp" alt="x"></picture>'
        made = self.rewritten(picture)
        self.assertIn('<img src="l.webp#only-light" alt="x">', made)
        self.assertIn('<img src="d.webp#only-dark" alt="x">', made)
        self.assertEqual([(1, "d.webp"), (1, "l.webp")], list(prose.targets(picture)))

    def test_a_heading_has_the_anchor_that_github_gives_it(self):
        self.assertEqual({"a-b-and-c", "d"}, prose.anchors("# A `b`, and c\n## [D](e.md)\n```sh\n# no heading\n```\n"))


class LinksTest(Folder):
    def check(self, body):
        self.write("index.html", f'<h1 id="top">A</h1>{body}')
        self.write("guides/a.html", '<h1 id="a">A</h1><img src="../a.webp#only-light"><a href="../index.html#top">b</a>')
        self.write("a.webp", "")
        return links.check(self.root)

    def test_links_that_lead_somewhere_are_counted(self):
        found = self.check('<a href="guides/a.html#a">a</a><a href="#top">b</a><a href="https://example.com">c</a><a href="guides/a.html">d</a>')
        self.assertEqual(([], 2, 6), found)

    def test_each_fault_is_named_with_its_page(self):
        cases = {
            '<a href="guides/b.html">': "index.html: guides/b.html: there is no such file",
            '<a href="guides/a.html#b">': "index.html: guides/a.html#b: guides/a.html has no such heading",
            '<a href="#other">': "index.html: #other: index.html has no such heading",
            '<img src="b.webp">': "index.html: b.webp: there is no such file",
            '<a href="../../etc/hostname">': "index.html: ../../etc/hostname: ",
            '<script src="https://example.com/a.js"></script>':
                "index.html: https://example.com/a.js: a browser would fetch it from another host",
            '<link rel="stylesheet" href="//example.com/a.css">':
                "index.html: //example.com/a.css: a browser would fetch it from another host",
        }
        for body, fault in cases.items():
            with self.subTest(body):
                found = self.check(body)[0]
                self.assertEqual(1, len(found))
                self.assertTrue(found[0].startswith(fault), found)

    def test_a_style_sheet_that_fetches_a_font_is_named(self):
        self.write("style.css", "@font-face { src: url(https://example.com/font.woff2) }")
        self.assertIn("https://example.com/font.woff2", self.check("")[0][0])

    def test_a_folder_with_other_files_is_not_overwritten(self):
        self.write("letter.txt", "")
        with self.assertRaisesRegex(site.Problem, "no site"):
            site.refuse_foreign(self.root)
        self.write("llms.txt", "")
        site.refuse_foreign(self.root)
        site.refuse_foreign(self.root / "new")


def fragment(spelling, kind="text", goal=None):
    return {"kind": kind, "spelling": spelling, "preciseIdentifier": goal} if goal else {"kind": kind, "spelling": spelling}


def symbol(path, kind, documentation="", fragments=()):
    return {"identifier": {"precise": path}, "kind": {"identifier": f"swift.{kind}"}, "pathComponents": path.split("."),
            "declarationFragments": list(fragments), "docComment": {"lines": [{"text": line} for line in documentation.splitlines()]}}


class ReferenceTest(Folder):
    def setUp(self):
        super().setUp()
        modules = mock.patch.object(navigation, "MODULES", {"In an app": ["Client"]})
        modules.start()
        self.addCleanup(modules.stop)
        self.write("Sources/Client/Client.docc/Client.md", "# ``Client``\n\nIt sends. See ``Queue`` and `start.md`.\n")
        self.write("docs/guides/start.md", "# The start\n")
        self.symbols = [
            symbol("Queue", "class", "A queue. It has ``add(_:)``."),
            symbol("Queue.add(_:)", "method", "Adds.\n\n- Parameter item: what to add.\n- Returns: ``Place``.", [
                fragment("func", "keyword"), fragment(" add("), fragment("_ item: "), fragment("Queue", "typeIdentifier", "Queue"),
                fragment(")")]),
            symbol("Place", "struct", "A place.\n\nUnchecked because nothing changes."),
        ]

    def made(self, module="Client"):
        self.write(f"graphs/{module}.symbols.json", json.dumps({"symbols": self.symbols, "relationships": []}))
        reference_of = reference.Reference(self.root, self.root / "graphs")
        reference_of.write(self.root / "pages")
        return reference_of

    def page(self, name):
        return (self.root / "pages/reference/Client" / name).read_text(encoding="utf-8")

    def test_a_type_has_a_page_with_its_members_and_links(self):
        self.assertEqual([], self.made().problems)
        page = self.page("Queue.md")
        for text in ("# Queue\n", "### `add(_:)` { #add-_ }", "[`add(_:)`](#add-_)", "- `item`: what to add.",
                     "- **Returns:** [`Place`](Place.md).", '<a href="Queue.html">Queue</a>'):
            self.assertIn(text, page)
        self.assertNotIn("Unchecked", self.page("Place.md"))

    def test_a_module_has_a_page_with_its_catalogue_and_all_types(self):
        self.made()
        page = self.page("index.md")
        for text in ("# Client\n", "See [`Queue`](Queue.md) and [The start](../../guides/start.md).", "- [`Place`](Place.md): A place."):
            self.assertIn(text, page)

    def test_a_name_in_the_documentation_that_is_not_there_is_reported(self):
        self.symbols[0] = symbol("Queue", "class", "Uses ``Missing/thing``.")
        self.assertEqual(1, len(self.made().problems))
        self.assertIn("``Missing/thing``", self.made().problems[0])

    def test_a_module_that_the_navigation_lacks_is_refused(self):
        with self.assertRaisesRegex(ValueError, "lacks Other"):
            self.made("Other")

    def test_a_long_declaration_has_a_line_for_each_parameter(self):
        parts = [("text", "func track(", None), ("text", "first: @escaping (Int, String) -> Void, ", None), ("text", "second: String", None),
                 ("text", ") -> (Int, Int) where Value : Encodable, Other : Hashable", None)]
        self.assertEqual(
            "func track(\n    first: @escaping (Int, String) -> Void,\n    second: String\n) -> (Int, Int) where Value : Encodable, Other : Hashable",
            "".join(text for _, text, _ in reference.broken(parts)))
        self.assertEqual(parts[:1], list(reference.broken(parts[:1])))


if __name__ == "__main__":
    unittest.main()
