"""The model of the disk, on recordings of a few calls."""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Tests", "PowerTest")
sys.path.insert(0, HERE)

from disk import BLOCK, FREE, KINDS, ORDERED, SECTOR, Disk, compare, digest, lay_out, torn  # noqa: E402
from power import compile_recorder, scratch_folder  # noqa: E402
from recording import Call, RecordingError, read  # noqa: E402


class Story:
    """Calls as a program would make them."""

    def __init__(self):
        self.disk = Disk("/r")
        self.count = 0

    def do(self, kind, fd=-1, flag=0, path="", other="", data=b"", a=0):
        self.disk.follow(Call(self.count, 1, fd, kind, flag, path and "/r" + path, other and "/r" + other, data, a, 0))
        self.count += 1
        return self

    def make(self, path, fd=3):
        return self.do("o", fd, 1, path)

    def write(self, data, at=0, fd=3):
        return self.do("w", fd, data=data, a=at)

    def sync(self, fd=3):
        return self.do("b", fd, a=self.count).do("e", fd, a=self.count - 1)

    def sync_folder(self, path="", fd=9):
        self.disk.follow(Call(self.count, 1, fd, "o", 4, "/r" + path, "", b"", 0, 0))
        return self.sync(fd)

    def states(self, model=FREE, count=300, kinds=KINDS):
        return [self.disk.draw(random.Random(seed), kinds[seed % len(kinds)], model) for seed in range(count)]

    def contents(self, model=FREE, **options):
        return {state["/a"] for state in self.states(model, **options)}

    def names(self, model=FREE):
        return {tuple(state) for state in self.states(model)}


class ModelTest(unittest.TestCase):
    def test_what_was_synced_is_in_every_state(self):
        story = Story().make("/a").write(b"x" * 5000).sync().sync_folder()
        for model in (ORDERED, FREE):
            self.assertEqual(story.contents(model), {b"x" * 5000})

    def test_what_was_not_synced_may_be_missing_torn_or_zeroes(self):
        story = Story().make("/a").sync().sync_folder().write(b"x" * 3 * BLOCK)
        found = story.contents()
        self.assertLessEqual({b"", b"x" * 3 * BLOCK, bytes(3 * BLOCK)}, found)
        # Any subset of blocks, and a part of a block.
        self.assertTrue(any(bytes_[:BLOCK] == bytes(BLOCK) and bytes_[BLOCK:2 * BLOCK] == b"x" * BLOCK for bytes_ in found))
        self.assertTrue(any(0 < bytes_[:BLOCK].count(b"x") < BLOCK for bytes_ in story.contents(kinds=["torn"])))
        # A block that never reached the disk may hold the bytes of another file.
        story = Story().make("/b", fd=4).write(b"y" * BLOCK, fd=4).sync(4).make("/a").sync().sync_folder().write(b"x" * BLOCK)
        self.assertIn(b"y" * BLOCK, story.contents(kinds=["stale"]))

    def test_a_block_has_an_old_or_the_new_content_and_a_truncation_happens_as_a_whole(self):
        whole = ["blocks", "prefix", "all", "none"]
        story = Story().make("/a").write(b"a" * BLOCK).sync().sync_folder().write(b"b" * BLOCK).write(b"c" * BLOCK)
        self.assertLessEqual({b"a" * BLOCK, b"b" * BLOCK, b"c" * BLOCK}, story.contents(kinds=whole))
        story = Story().make("/a").write(b"a" * 3 * BLOCK).sync().sync_folder().do("t", 3, a=0).write(b"b" * BLOCK)
        found = story.contents(kinds=whole)
        self.assertEqual({b"a" * 3 * BLOCK, b"", b"b" * BLOCK, bytes(BLOCK)},
                         {bytes_ for bytes_ in found if len(bytes_) in (0, BLOCK, 3 * BLOCK)})

    def test_only_a_sync_that_ended_well_covers_the_writes_before_it(self):
        story = Story().make("/a").sync_folder().write(b"a").do("b", 3, a=77).write(b"b", at=1).do("e", 3, a=77)
        found = story.contents()
        self.assertTrue(all(bytes_.startswith(b"a") for bytes_ in found))
        self.assertLessEqual({b"a", b"ab"}, found)
        story = Story().make("/a").sync_folder().write(b"a").do("b", 3, a=77)
        self.assertIn(b"", story.contents())
        self.assertEqual(story.do("f", 3, a=77).sync().contents(), {b""})
        # A process still sees what a failed sync has lost.
        self.assertEqual({"": None, "/a": b"ab"}, story.write(b"b", at=1).disk.tree())

    def test_a_change_of_names_may_be_missing_until_its_folder_is_synced(self):
        a, b = ("/a",), ("/b",)
        new = Story().make("/a").write(b"a").sync()
        renamed = Story().make("/a").sync().sync_folder().do("r", path="/a", other="/b")
        folder = Story().do("m", path="/f").make("/f/a").write(b"a").sync().sync_folder("/f")
        two = Story().make("/a").make("/b", fd=4)
        for story, model, names in [
            # Where changes of names go in order, the sync of a new file brings its name.
            (new, FREE, {(), a}), (new, ORDERED, {a}),
            (renamed, FREE, {a, b}), (renamed, ORDERED, {a, b}),
            (two, ORDERED, {(), a, a + b}), (two, FREE, {(), a, b, a + b}),
            (Story().make("/a").write(b"a").sync().sync_folder().do("u", path="/a"), FREE, {(), a}),
        ]:
            with self.subTest(names=names, model=model):
                self.assertEqual(names, story.names(model))
        self.assertEqual({b}, renamed.sync_folder().names())
        # A folder without a name takes its files along.
        self.assertIn((), folder.names())
        self.assertEqual({("/f", "/f/a")}, folder.sync_folder().names())

    def test_a_mapping_that_writes_to_data_and_an_unknown_call_are_refused(self):
        Story().make("/a.sqlite-shm").do("p", 3)
        for refused in (lambda: Story().make("/a").do("p", 3), lambda: Story().do("!", other="pwritev2")):
            with self.assertRaises(RecordingError):
                refused()

    def test_a_seed_gives_the_same_state(self):
        story = Story().make("/a").write(b"x" * 9000)
        for kind in KINDS:
            first, second = (story.disk.draw(random.Random(5), kind, FREE) for _ in range(2))
            self.assertEqual(digest(first), digest(second))

    def test_torn_blocks_are_torn_at_sectors(self):
        block = torn(b"a" * BLOCK, b"b" * BLOCK, random.Random(1))
        self.assertEqual({1}, {len(set(block[at:at + SECTOR])) for at in range(0, BLOCK, SECTOR)})
        self.assertEqual({ord("a"), ord("b")}, set(block))


@unittest.skipUnless(sys.platform == "linux", "the recorder is for Linux")
class RecorderTest(unittest.TestCase):
    """The recorder sees what a real program does, and says what it cannot see."""

    @classmethod
    def setUpClass(cls):
        cls.folder = scratch_folder("power-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.library = compile_recorder(cls.folder)

    def record(self, program, environment=None):
        root, log = tempfile.mkdtemp(prefix="disk-", dir=self.folder), tempfile.mktemp(prefix="log-", dir=self.folder)
        result = subprocess.run(
            [sys.executable, "-c", "import os, mmap, ctypes, shutil\nos.chdir(%r)\n%s" % (root, program)],
            env=os.environ | {"LD_PRELOAD": self.library, "POWER_ROOT": os.path.realpath(root), "POWER_LOG": log}
            | (environment or {}), capture_output=True, text=True)
        disk, calls = Disk(os.path.realpath(root)), read(log)
        for call in calls:
            disk.follow(call)
        return disk, calls, result, compare(disk, root)

    def test_what_was_recorded_is_what_is_there(self):
        disk, _, result, differences = self.record("""
os.mkdir("f")
d = os.open("f/a", os.O_RDWR | os.O_CREAT, 0o600)
os.write(d, b"one"); os.pwrite(d, b"two", 10); os.writev(d, [b"three", b"four"]); os.pwritev(d, [b"x", b"y"], 40)
os.ftruncate(d, 41); os.posix_fallocate(d, 50, 50); e = os.dup(d); os.close(d); os.write(e, b"after"); os.fsync(e)
os.link("f/a", "f/b"); os.rename("f/a", "c"); os.truncate("c", 20); os.unlink("f/b"); os.rename("f", "g")
d = os.open("g", os.O_RDONLY); f = os.open("h", os.O_WRONLY | os.O_CREAT, dir_fd=d); os.write(f, b"h"); os.fsync(d)
g = os.open("c", os.O_WRONLY | os.O_APPEND); os.write(g, b"end"); os.mkdir("gone"); os.rmdir("gone")
shutil.copyfile("c", "copy")
""")
        self.assertEqual(("", []), (result.stderr, differences))
        self.assertEqual({"", "/c", "/g", "/g/h", "/copy"}, set(disk.tree()))

    def test_writes_that_the_recorder_cannot_see_are_refused_or_found_at_the_end(self):
        for program in (
            'd = os.open("a", os.O_RDWR | os.O_CREAT); os.ftruncate(d, 10); mmap.mmap(d, 10)[0:1] = b"x"',
            'd = os.open("a", os.O_RDWR | os.O_CREAT); ctypes.CDLL(None).syscall(1, d, b"x", 1)',
        ):
            with self.subTest(program), self.assertRaises(RecordingError):
                self.record(program)
        # A stream of the C library's on a descriptor writes with calls of its own.
        *_, differences = self.record("""
d = os.open("a", os.O_RDWR | os.O_CREAT)
c = ctypes.CDLL(None); c.fdopen.restype = ctypes.c_void_p
f = c.fdopen(d, b"w"); c.fputs(b"text", ctypes.c_void_p(f)); c.fflush(ctypes.c_void_p(f))
""")
        self.assertEqual(["/a has other bytes"], differences)

    def test_a_process_that_ends_while_others_of_its_threads_write_leaves_nothing_unrecorded(self):
        for _ in range(8):
            *_, differences = self.record("""
import threading
def make(name):
    number = 0
    while True:
        d = os.open("%s-%d" % (name, number), os.O_WRONLY | os.O_CREAT); os.write(d, b"x"); os.close(d)
        os.rename("%s-%d" % (name, number), name); number += 1
for name in "abcd": threading.Thread(target=make, args=[name], daemon=True).start()
while not os.path.exists("d"): pass
ctypes.CDLL(None).exit(0)
""")
            self.assertEqual([], differences)

    def test_a_fault_is_injected_once(self):
        for program, fault, printed, kind in [
            ("""
for number in range(3):
    try: os.mkdir("f%d" % number); print("made")
    except OSError as error: print(error.errno)
""", {"POWER_FAULT": "2:28:1"}, ["made", "28", "made"], "i"),
            ("""
os.mkdir("f"); os.mkdir("g")
for name in ["f", "g", "f"]:
    d = os.open(name, os.O_RDONLY)
    try: os.fsync(d); print("synced")
    except OSError as error: print(error.errno)
""", {"POWER_FAULT": "2:5:1", "POWER_FAULT_OF": "folder:/f$"}, ["synced", "synced", "5"], "f"),
        ]:
            with self.subTest(fault=fault):
                _, calls, result, _ = self.record(program, fault)
                self.assertEqual(printed, result.stdout.split())
                self.assertEqual(1, sum(call.kind == kind and (kind != "i" or call.flag == 0) for call in calls))


class FolderTest(unittest.TestCase):
    def setUp(self):
        self.place = scratch_folder("power-")
        self.addCleanup(shutil.rmtree, self.place)

    def test_the_scratch_folder_has_no_colon_and_no_space(self):
        # LD_PRELOAD takes either for the end of a path.
        bad = [self.place + "/a:b", self.place + "/a b"]
        for folder in bad:
            os.mkdir(folder)
        self.assertEqual(self.place, os.path.dirname(scratch_folder("power-", [*bad, self.place])))
        with self.assertRaisesRegex(SystemExit, "set TMPDIR"):
            scratch_folder("power-", bad)

    def test_a_state_is_written_as_it_is(self):
        new = self.place + "/new"
        lay_out({"/f": None, "/f/a": b"bytes", "/b": b""}, new)
        self.assertEqual(["b", "f"], sorted(os.listdir(new)))
        with open(new + "/f/a", "rb") as file:
            self.assertEqual(b"bytes", file.read())
