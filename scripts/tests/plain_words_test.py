"""Comments name who does what: the phrases that hide it are counted in each folder, and have a bound."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/support"))
import plain_words  # noqa: E402

RIDDLES = [
    "A server that lets nobody look decides by itself.",
    "What may stand behind some text of a line.",
    "Nil for what is no report.",
    "Removes from the log what is stored, for this node.",
    "The node whose report does not count.",
    "The text that stands for it.",
    "The owner is told.",
    "Those that answered in time.",
    "Takes the place of the one that was there.",
]
PLAIN = [
    "A sentence that says what failed, and what to do about it.",
    "The reader knows what is wrong.",
    "What happens when the disk is full?",
    "The records that the store has.",
    "Reads `what is stored` from the log.",
    "The nodes that answered within half a second.",
]


class PlainWordsTest(unittest.TestCase):
    def test_each_riddle_is_found(self):
        for text in RIDDLES:
            self.assertEqual(len(plain_words.phrases(text)), 1, text)

    def test_plain_sentences_are_not(self):
        for text in PLAIN:
            self.assertEqual(plain_words.phrases(text), {}, text)

    def test_only_comments_count(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "A.swift"
            path.write_text('/// Somebody\n/// waits.\nlet a = "nobody" // told\nlet b = "// whose"\n//     let nobody = 1\n')
            found = [(line, list(plain_words.phrases(text).values())) for line, text in plain_words.comments(path)]
        self.assertEqual(sorted(found), [(1, ["Somebody waits."]), (3, ["told"])])

    def test_a_folder_may_have_one_phrase_however_small_it_is(self):
        self.assertFalse(plain_words.too_many(20, 1))
        self.assertTrue(plain_words.too_many(20, 2))
        self.assertTrue(plain_words.too_many(1000, plain_words.ALLOWED + 1))

    def test_no_folder_has_more_than_its_bound(self):
        done = subprocess.run([sys.executable, ROOT / "scripts/support/plain_words.py"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
