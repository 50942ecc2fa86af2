"""Data folders that are damaged: what `tributary doctor --repair` saves, beside what a reader of single pages finds.

TRIBUTARY_BIN is the program; TRIBUTARY_DAMAGE_EVENTS how many events a folder has (2,000 unless said). Each test prints
its figures.
"""

import json
import os
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from server import KEY, PATIENCE, Server  # noqa: E402

PROGRAM = os.environ.get("TRIBUTARY_BIN", "Workspace/.build/debug/tributary")
EVENTS = int(os.environ.get("TRIBUTARY_DAMAGE_EVENTS", "2000"))
PAGE = 4096
# What must be saved of what the reader of pages finds.
SHARE = 0.99


# A reader of pages of its own, after https://sqlite.org/fileformat2.html; it knows nothing of the program's.

def varint(data, place):
    number = 0
    for index in range(9):
        byte = data[place]
        place += 1
        if index == 8:
            return (number << 8) | byte, place
        number = (number << 7) | (byte & 0x7F)
        if byte < 0x80:
            return number, place
    raise ValueError


def payload(pages, page, place, size):
    usable = PAGE
    most, least = usable - 35, (usable - 12) * 32 // 255 - 23
    local = size
    if size > most:
        local = least + (size - least) % (usable - 4)
        if local > most:
            local = least
    data = page[place:place + local]
    if len(data) < local:
        raise ValueError
    if local < size:
        following, = struct.unpack(">I", page[place + local:place + local + 4])
        seen = set()
        while len(data) < size:
            if following in seen or not 0 < following <= len(pages):
                raise ValueError
            seen.add(following)
            more = pages[following - 1]
            data += more[4:4 + size - len(data)]
            following, = struct.unpack(">I", more[:4])
    return data


def record(data):
    head, place = varint(data, 0)
    types = []
    while place < head:
        kind, place = varint(data, place)
        types.append(kind)
    values, place = [], head
    for kind in types:
        if kind >= 12:
            size = (kind - 12) // 2
            value = data[place:place + size]
            if kind % 2:
                value = value.decode()
        elif kind in (8, 9):
            size, value = 0, kind - 8
        else:
            size = [0, 1, 2, 3, 4, 6, 8, 8][kind]
            value = int.from_bytes(data[place:place + size], "big", signed=True) if kind else None
        place += size
        values.append(value)
    if place != len(data):
        raise ValueError
    return values




def readable_ids(path):
    """Message ids of the events that stand in pages that say that they hold rows, and are whole."""
    data = Path(path).read_bytes()
    pages = [data[place:place + PAGE] for place in range(0, len(data) - PAGE + 1, PAGE)]
    ids = set()
    for page in pages:
        if page[0] != 13:
            continue
        for index in range(min(struct.unpack(">H", page[3:5])[0], (PAGE - 8) // 2)):
            try:
                place, = struct.unpack(">H", page[8 + 2 * index:10 + 2 * index])
                size, place = varint(page, place)
                _, place = varint(page, place)
                values = record(payload(pages, page, place, size))
                if len(values) == 13 and isinstance(values[2], str):
                    json.loads(values[12])
                    ids.add(values[2])
            except (ValueError, IndexError, struct.error, TypeError, UnicodeDecodeError):
                continue
    return ids


class DamageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="tributary-damage-", ignore_cleanup_errors=True)
        cls.addClassCleanup(cls.folder.cleanup)
        cls.sound = cls.folder.name + "/sound"
        numbers = random.Random(7)
        with Server(PROGRAM, cls.sound) as server:
            for start in range(0, EVENTS, 500):
                status = server.post(*[cls.event(number, numbers) for number in range(start, min(start + 500, EVENTS))])
                assert status == 200
            server.settle()
            server.end(signal.SIGTERM)

    @staticmethod
    def event(number, numbers):
        # Some are longer than a page.
        text = "x" * (numbers.choice([10, 200, 400, 400, 900, 6000]) if number % 10 == 0 else 300)
        return {"type": "track", "event": "Damaged", "userId": f"u-{number % 97}", "messageId": f"m-{number:07}",
                "properties": {"text": text, "unique": f"unique-{number:07}-"}}

    def setUp(self):
        self.data = self.folder.name + "/data"
        shutil.copytree(self.sound, self.data)
        self.addCleanup(shutil.rmtree, self.data, True)
        self.day = next(Path(self.data, "days").glob("*.sqlite"))
        self.random = random.Random(self.id())

    # Damages

    def pages(self):
        return self.day.stat().st_size // PAGE

    def write(self, place, data):
        with open(self.day, "r+b") as file:
            file.seek(place)
            file.write(data)

    def page_types(self):
        data = self.day.read_bytes()
        return {number: data[number * PAGE] for number in range(1, len(data) // PAGE)}

    def some(self, count, kind=None):
        """Numbers of pages, counted from 0, without the first."""
        numbers = [number for number, found in self.page_types().items() if kind in (None, found)]
        return self.random.sample(numbers, min(count, len(numbers)))

    # Checks

    def doctor(self, *options):
        return subprocess.run([PROGRAM, "doctor", self.data, *options], capture_output=True, text=True, timeout=PATIENCE)

    def saved_ids(self):
        with sqlite3.connect(self.day) as day:
            return {row[0] for row in day.execute("SELECT messageId FROM event")}

    def repair(self, least=None, findable=None):
        """Repairs the folder; what is saved must be nearly all that can be found."""
        findable = readable_ids(self.day) if findable is None else findable
        texts = self.day.read_bytes().count(b'unique-') if self.day.exists() else 0
        before = self.doctor()
        self.assertEqual(before.returncode, 1, before.stdout)
        repair = self.doctor("--repair")
        saved = self.saved_ids()
        print(f"\n{self.id().split('.')[-1]}: of {EVENTS} events {len(findable)} can be found page by page, "
              f"{texts} by their text; {len(saved)} saved", file=sys.stderr)
        self.assertGreaterEqual(len(saved & findable), SHARE * len(findable), repair.stdout)
        if least is not None:
            self.assertGreaterEqual(len(saved), least, repair.stdout)
        if len(saved) < EVENTS:
            self.assertIn("lost: ", repair.stdout)
            self.assertEqual(repair.returncode, 1)
        again = self.doctor()
        self.assertEqual(again.returncode, 0, again.stdout + repair.stdout)
        with Server(PROGRAM, self.data) as server:
            self.assertEqual(set(server.ids()), saved)
            self.assertEqual({row["writeKey"] for row in server.events()}, {KEY} if saved else set())
        return repair

    def test_three_damaged_page_headers(self):
        for number in self.some(3):
            self.write(number * PAGE, b"\xa5" * 8)
        self.repair()

    def test_ten_damaged_page_headers(self):
        for number in self.some(10):
            self.write(number * PAGE, b"\xa5" * 8)
        self.repair()

    def test_a_damaged_header_of_the_file(self):
        self.write(0, os.urandom(100))
        self.repair(least=EVENTS)

    def test_a_first_page_that_is_gone(self):
        self.write(0, bytes(PAGE))
        self.repair(least=EVENTS)

    def test_a_file_that_was_cut_off(self):
        os.truncate(self.day, self.pages() // 2 * PAGE + 100)
        self.repair()

    def test_zeroed_pages(self):
        for number in self.some(20):
            self.write(number * PAGE, bytes(PAGE))
        self.repair()

    def test_interior_pages_that_were_written_over(self):
        for kind in (2, 5):
            for number in self.some(100, kind):
                self.write(number * PAGE, os.urandom(PAGE))
        self.repair(least=EVENTS)

    def test_a_damaged_list_of_free_pages(self):
        with sqlite3.connect(self.day) as day:
            day.execute("CREATE TABLE extra (body)")
            day.execute("INSERT INTO extra SELECT body FROM event")
            day.execute("DROP TABLE extra")
        day.close()
        self.write(32, struct.pack(">II", self.pages() + 9, 3))
        self.repair(least=EVENTS)

    def test_swapped_pages(self):
        data = self.day.read_bytes()
        numbers = self.some(10)
        for left, right in zip(numbers[::2], numbers[1::2]):
            self.write(left * PAGE, data[right * PAGE:(right + 1) * PAGE])
            self.write(right * PAGE, data[left * PAGE:(left + 1) * PAGE])
        self.repair()

    def test_flipped_bits_in_cells(self):
        for number in self.some(30, 13):
            data = self.day.read_bytes()
            place = number * PAGE + self.random.randrange(8, PAGE)
            self.write(place, bytes([data[place] ^ 1 << self.random.randrange(8)]))
        # In the middle of a text that may go unnoticed, so one is there that does not.
        self.write(self.some(1, 13)[0] * PAGE, b"\xff" * 8)
        self.repair()

    def test_pages_full_of_chance(self):
        for number in self.some(self.pages() // 4):
            self.write(number * PAGE, os.urandom(PAGE))
        self.repair()

    def test_pages_of_everything_but_rows_are_gone(self):
        for kind in (2, 5, 10):
            for number in self.some(10**6, kind):
                self.write(number * PAGE, b"\xa5" * PAGE)
        self.repair(least=EVENTS)

    def unclean(self):
        """A folder whose newest day has most of its rows in the log."""
        shutil.rmtree(self.data)
        numbers = random.Random(7)
        with Server(PROGRAM, self.data) as server:
            for start in range(0, EVENTS, 100):
                server.post(*[self.event(number, numbers) for number in range(start, start + 100)])
                server.settle()
            server.end(signal.SIGKILL)
        self.day = next(Path(self.data, "days").glob("*.sqlite"))
        return Path(str(self.day) + "-wal")

    def test_a_log_that_is_missing(self):
        log = self.unclean()
        log.unlink()
        self.repair(findable=readable_ids(self.day))

    def test_a_log_that_was_cut_off(self):
        log = self.unclean()
        frame = PAGE + 24
        frames = (log.stat().st_size - 32) // frame
        os.truncate(log, 32 + frames // 2 * frame + 99)
        # The reader of single pages knows no log, so it is asked after the database has taken what is left of it.
        copy = self.folder.name + "/copy.sqlite"
        shutil.copy(self.day, copy)
        shutil.copy(log, copy + "-wal")
        connection = sqlite3.connect(copy)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        connection.close()
        self.repair(findable=readable_ids(copy))

    def test_a_log_with_a_flipped_bit(self):
        log = self.unclean()
        frame = PAGE + 24
        frames = (log.stat().st_size - 32) // frame
        data = bytearray(log.read_bytes())
        data[32 + frames // 3 * frame + 2000] ^= 4
        log.write_bytes(data)
        found = readable_ids(self.day)
        pages = self.folder.name + "/frames"
        Path(pages).write_bytes(b"".join(
            data[32 + number * frame + 24:32 + (number + 1) * frame] for number in range(frames)))
        self.repair(findable=found | readable_ids(pages))

    def test_a_day_that_the_server_set_aside(self):
        self.write(0, os.urandom(PAGE))
        findable = readable_ids(self.day)
        with Server(PROGRAM, self.data) as server:
            self.assertEqual(server.ids(), [])
            self.assertEqual(server.post({"type": "track", "event": "Later", "userId": "u", "messageId": "later"}), 200)
            server.settle()
            server.end(signal.SIGTERM)
        self.assertIn("was set aside as unreadable/", self.doctor().stdout)
        self.day = next(Path(self.data, "days").glob("*.sqlite"))
        self.repair(least=EVENTS + 1, findable=findable | {"later"})

    def test_a_journal_that_was_cut_off(self):
        """Requests that wait are gone with the end of the journal, and it is known how many there were."""
        server = Server(PROGRAM, self.data)
        blocker = sqlite3.connect(self.data + "/workspace.sqlite", isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        for number in range(230):
            self.assertEqual(server.post(self.event(EVENTS + number, self.random)), 200)
        self.wait_until(lambda: self.noted() >= 230)
        server.end(signal.SIGKILL)
        blocker.close()
        segment = max(Path(self.data, "journal").glob("[!s]*.tjl"), key=lambda path: path.stat().st_size)
        os.truncate(segment, 1000)
        doctor = self.doctor()
        self.assertEqual(doctor.returncode, 1, doctor.stdout)
        self.assertRegex(doctor.stdout, r"problem: the journal is shorter than it was: up to \d+ requests")
        repair = self.doctor("--repair")
        print(f"\ntest_a_journal_that_was_cut_off: {repair.stdout}", file=sys.stderr)
        self.assertEqual(repair.returncode, 1, repair.stdout)
        self.assertRegex(repair.stdout, r"lost: the journal is shorter than it was: up to 2\d\d requests")
        self.assertEqual(self.doctor().returncode, 0, self.doctor().stdout)
        with Server(PROGRAM, self.data) as server:
            self.assertEqual(server.post(self.event(EVENTS + 229, self.random)), 200)
            server.settle()
            self.assertIn(f"m-{EVENTS + 229:07}", server.ids())

    def noted(self):
        try:
            return int(Path(self.data, "acknowledged").read_text().split()[1])
        except (FileNotFoundError, IndexError):
            return 0

    def wait_until(self, holds):
        deadline = time.monotonic() + PATIENCE
        while not holds():
            self.assertLess(time.monotonic(), deadline, "it does not come to that")
            time.sleep(0.05)

    def test_a_damaged_database_of_the_workspace(self):
        path = Path(self.data, "workspace.sqlite")
        with open(path, "r+b") as file:
            file.write(os.urandom(PAGE))
        repair = self.doctor("--repair")
        self.assertEqual(self.doctor().returncode, 0, repair.stdout + self.doctor().stdout)
        with Server(PROGRAM, self.data) as server:
            self.assertEqual({row["writeKey"] for row in server.events()}, {KEY})
            self.assertEqual(len(server.ids()), EVENTS)

    def test_a_database_of_the_workspace_that_is_lost(self):
        Path(self.data, "workspace.sqlite").unlink()
        start = subprocess.run(
            [PROGRAM, "serve", "--port", "0", "--data", self.data, "--write-key", "OTHER"],
            capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(start.returncode, 1, start.stdout)
        self.assertIn("workspace.sqlite is missing", start.stderr)
        self.assertFalse(Path(self.data, "workspace.sqlite").exists())
        repair = self.doctor("--repair")
        self.assertEqual(self.doctor().returncode, 0, repair.stdout)
        with Server(PROGRAM, self.data) as server:
            self.assertEqual(len(server.ids()), EVENTS)
            self.assertEqual({row["writeKey"] for row in server.events()}, {KEY})
            # Repeats are known, and the old key is good.
            self.assertEqual(server.post(self.event(3, self.random)), 200)
            server.settle()
            self.assertEqual(len(server.ids()), EVENTS)

    def test_a_folder_that_is_none_is_left_alone(self):
        other = self.folder.name + "/other"
        os.mkdir(other, 0o755)
        Path(other, "passwd").write_text("root")
        before = os.stat(other)
        doctor = subprocess.run([PROGRAM, "doctor", other, "--repair"], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(doctor.returncode, 1)
        self.assertIn("is no data folder", doctor.stdout)
        self.assertEqual(os.listdir(other), ["passwd"])
        self.assertEqual(os.stat(other).st_mode, before.st_mode)
        self.assertEqual(os.stat(other).st_mtime_ns, before.st_mtime_ns)

    def test_owners_and_modes_stay(self):
        self.write(PAGE, os.urandom(PAGE))
        os.chmod(self.data + "/workspace.sqlite", 0o640)
        is_root = os.geteuid() == 0
        if is_root:
            for path in [self.data, *map(str, Path(self.data).rglob("*"))]:
                os.chown(path, 65533, 65533)
        before = {path: path.stat().st_mode for path in Path(self.data).rglob("*")}
        repair = self.doctor("--repair")
        for path in Path(self.data).rglob("*"):
            status = path.stat()
            if path in before:
                self.assertEqual(status.st_mode, before[path], path)
            elif not path.name.endswith(".saved"):
                self.assertEqual(status.st_mode & 0o077, 0, path)
            if is_root:
                self.assertEqual((status.st_uid, status.st_gid), (65533, 65533), path)
        if is_root:
            self.assertIn("another user", repair.stdout)


if __name__ == "__main__":
    unittest.main()
