"""Older watches have integers of 32 bits: no constant of the client may be too large for them unless it says its type.

    /usr/bin/python3 -m unittest -v scripts/tests/word_size_test.py
"""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 2**31 - 1
# Not hexadecimal ones: those are masks and tables, whose words have a type.
LITERAL = re.compile(r"\b1 << (?:3[1-9]|[4-9][0-9])\b|(?<![\w.])([0-9][0-9_]*)(?![\w.])")
# On the line, or in the lines above up to the beginning of the declaration.
TYPED = re.compile(r"\b(?:U?Int64|UInt32|Double|TimeInterval|Float80)\b|\d\.\d")


def too_large(text):
    """The lines of a Swift source with a constant that 32 bits do not hold and no type that has more."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        code = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line.split("//")[0])
        for match in LITERAL.finditer(code):
            value = 2**40 if match[1] is None else int(match[1].replace("_", ""), 0)
            context = "\n".join(lines[max(0, number - 4):number])
            if value > LARGEST and not TYPED.search(context):
                yield number, line.strip()


class WordSizeTest(unittest.TestCase):
    def test_constants_fit_32_bits_or_say_their_type(self):
        found = [
            f"{path.relative_to(ROOT)}:{number}: {line}"
            for path in sorted((ROOT / "Sources").rglob("*.swift"))
            for number, line in too_large(path.read_text("utf-8"))
        ]
        self.assertEqual(found, [])

    def test_finds_a_constant_of_a_count(self):
        self.assertEqual(list(too_large("let most = 1_000_000_000_000")), [(1, "let most = 1_000_000_000_000")])
        self.assertEqual(list(too_large("let most: Int64 = 1_000_000_000_000")), [])
        self.assertEqual(list(too_large("let bit = 1 << 40")), [(1, "let bit = 1 << 40")])
        self.assertEqual(list(too_large("let most = 2_147_483_647")), [])


if __name__ == "__main__":
    unittest.main()
