"""The stubs of Apple's frameworks say where each of their declarations was read, or that its page was not read."""

import pathlib
import re
import unittest

STUBS = pathlib.Path(__file__).parents[2] / "Tests/AppleStubs"
DECLARATION = re.compile(
    r"(?:@\w+(?:\([^)]*\))? )*(?:nonisolated )?(?:public |open )(?:final )?"
    r"(?:class|struct|enum|protocol|func|let|typealias)\b"
)
KNOWN = re.compile(r"https://developer\.apple\.com/documentation/\w+/|Not read: |Ours: |As `|The same page")


class StubsTest(unittest.TestCase):
    def test_every_declaration_says_where_it_was_read(self):
        silent = []
        for path in sorted(STUBS.glob("*/*.swift")):
            if path.parent.name in ("Probes", "Mistakes"):
                continue
            lines = path.read_text().split("\n")
            for number, line in enumerate(lines):
                if not DECLARATION.match(line):
                    continue
                above, at = [], number - 1
                while at >= 0 and (lines[at].startswith("@") or lines[at].startswith("//")):
                    above.append(lines[at])
                    at -= 1
                if not KNOWN.search("\n".join(above)):
                    silent.append(f"{path.relative_to(STUBS)}:{number + 1}: {line[:70]}")
        self.assertEqual(silent, [], "\n".join(["without a page:"] + silent))
