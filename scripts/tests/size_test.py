"""scripts/size: its options, its lines, what it compares, and its exit status.

Nothing is built here. `scripts/size` itself takes minutes, so it is no part of scripts/test.
"""

import contextlib
import io
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

SCRIPTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SCRIPTS.parent / "Benchmarks/driver"))

import size  # noqa: E402
import size_budget  # noqa: E402
import size_table  # noqa: E402
from promise import Measurement  # noqa: E402

# As gold writes it, and as lld does.
GOLD_MAP = """\
Discarded input sections

 .text          0x0000000000000000       0x90 /b/Tributary.build/Unused.swift.o

Memory map

.text           0x0000000000001000       0x60
 .text          0x0000000000001000       0x40 /b/Tributary.build/HealthState.swift.o
 .text.unlikely
                0x0000000000001040       0x20 /b/Logging.build/Logger.swift.o
 .debug_info    0x0000000000002000       0x20 /b/Logging.build/Logger.swift.o
"""
LLD_MAP = """\
             VMA              LMA     Size Align Out     In      Symbol
            1000             1000       60    16 .text
            1000             1000       40    16         /b/Tributary.build/HealthState.swift.o:(.text)
            1040             1040       20    16         /b/Logging.build/Logger.swift.o:(.text.unlikely)
"""
FOLDERS = {("Tributary", "HealthState.swift"): "Tributary/Health"}


def object_file(code, debug, zeros):
    """The headers of an object file for 64 bits, with three sections of these sizes."""
    sections = [(0, 0, 0), (1, 6, code), (1, 0, debug), (8, 3, zeros)]
    head = b"\x7fELF\x02\x01" + bytes(0x22) + struct.pack("<Q", 64) + bytes(10) + struct.pack("<HH", 64, len(sections)) + bytes(2)
    rows = [struct.pack("<IIQQQQ", 0, kind, flags, 0, 0, size) + bytes(24) for kind, flags, size in sections]
    return head + b"".join(rows)


class SizeTest(unittest.TestCase):
    def main(self, *arguments, added=1_000_000, seconds=20):
        """Runs the script with figures that stand in for its builds."""
        output, errors = io.StringIO(), io.StringIO()
        with mock.patch.object(size, "measure_size", lambda folder: (Measurement(added), [(".text", 12)])), \
                mock.patch.object(size, "measure_build", lambda folder: Measurement(seconds)), \
                contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            status = size.main(list(arguments))
        return status, output.getvalue().splitlines(), errors.getvalue()

    def test_lines_and_status_say_which_promise_is_met(self):
        status, lines, _ = self.main()
        self.assertEqual(status, 0)
        for line, name in zip(lines, ("client-size value=1000000 unit=bytes", "client-build value=20 unit=s"), strict=True):
            self.assertRegex(line, rf"^promise: {name} floor=- ratio=- goal=<=\d+ met=yes$")
        self.assertEqual(self.main(added=10_000_000)[0], 1)
        self.assertEqual(self.main(seconds=1000)[0], 1)

    def test_options_are_read(self):
        _, lines, _ = self.main("--sections")
        self.assertEqual([line.split()[0] for line in lines], ["12", "promise:"])
        status, lines, errors = self.main("--fast")
        self.assertEqual((status, lines), (64, []))
        self.assertIn("--fast", errors)
        run = subprocess.run([SCRIPTS / "size", "--help"], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(run.returncode, 0)
        self.assertIn("--sections", run.stdout)

    def test_build_that_fails_says_why(self):
        def fail(folder):
            raise size.Failed("no such module")

        with mock.patch.object(size, "measure_size", fail), contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(size.main([]), 1)
        self.assertIn("no such module", errors.getvalue())

    def test_sections_are_compared_by_name(self):
        rows = {"a": {".text": 100, ".data": 7}, "b": {".text": 350, ".data": 7, ".eh_frame": 40}}
        with mock.patch.object(size, "sections", lambda program: rows[program]):
            self.assertEqual(size.added_sections("a", "b"), [(".text", 250), (".eh_frame", 40)])

    def test_map_of_each_linker_has_the_same_pieces(self):
        for text in (GOLD_MAP, LLD_MAP):
            pieces = [(piece.begin, piece.end, piece.section, piece.file) for piece in size_table.read_map(text)]
            self.assertEqual(pieces, [
                (0x1000, 0x1040, ".text", "/b/Tributary.build/HealthState.swift.o"),
                (0x1040, 0x1060, ".text.unlikely", "/b/Logging.build/Logger.swift.o")])
        with self.assertRaisesRegex(size_table.Failed, "map"):
            size_table.read_map("another form")

    def test_bytes_are_counted_for_the_folder_and_the_kind(self):
        symbols = [
            (0x1000, 0x20, "$sA", "Tributary.HealthState.add(Swift.Int) -> ()"),
            (0x1000, 0x20, "$sB", "another name of the same function"),
            (0x1020, 0x10, "$sC", "assignWithCopy value witness for Tributary.HealthState"),
            (0x1040, 0x20, "$sD", "generic specialization <Swift.Int> of Swift.Array.append(A) -> ()")]
        with mock.patch.object(size_table, "symbols", lambda program: symbols), \
                mock.patch.object(size_table, "Tables") as tables:
            tables.return_value.unwinding.return_value = [(0x1000, 40), (0x9999, 40)]
            tables.return_value.pointers.return_value = [0x1040]
            rows = size_table.count("program", size_table.read_map(GOLD_MAP))
        sizes = size_table.table(rows, FOLDERS)
        filled = {folder: {kind: size for kind, size in row.items() if size} for folder, row in sizes.items()}
        # The last 16 bytes of the first piece have no symbol.
        self.assertEqual(filled, {
            "Tributary/Health": {"functions": 0x30, "copies": 0x10, "unwinding": 40},
            "Logging": {"generics": 0x20, "pointers": 24}})
        lines = list(size_table.table_lines(sizes))
        self.assertRegex(lines[1], r"^Tributary/Health .* 0$")
        self.assertIn("all", lines[3])
        self.assertIn("     32 generics  Logging: generic specialization", "\n".join(size_table.function_lines(rows, FOLDERS)))

    def test_kind_is_read_from_the_name(self):
        names = {
            "closure #1 () -> () in Tributary.Analytics.flush() -> ()": "closures",
            "partial apply forwarder for closure #1": "closures",
            "protocol witness table for Tributary.Settings : Swift.Equatable in Tributary": "metadata",
            "type metadata accessor for Tributary.Settings": "metadata",
            "outlined copy of Tributary.Settings": "copies",
            "generic specialization <Swift.Int> of Swift.Array.sort()": "generics",
            "Tributary.Analytics.flush() -> ()": None}
        for name, kind in names.items():
            self.assertEqual(size_table.kind_of_name("$s", name), kind, name)

    def test_folder_that_grows_beyond_its_budget_is_named(self):
        budget = {"Tributary/Health": 800_000, "Tributary/Queue": 500_000, "Tributary/Gone": 8000, "Tributary/Flush": 90_000}
        sizes = {"Tributary/Health": 811_100, "Tributary/Queue": 500_000, "Tributary/New": 300, "Tributary/Flush": 40_000}
        over, spare = size_budget.compare(budget, sizes)
        self.assertEqual(over, [
            "+12 KB: Tributary/Health (budget 800 KB, now 811 KB)", "+1 KB: Tributary/New (budget 0 KB, now 0 KB)"])
        self.assertEqual(spare, [
            "-50 KB: Tributary/Flush (budget 90 KB, now 40 KB)", "-8 KB: Tributary/Gone is no folder any more"])

    def budget(self, compiler, allowed):
        """Runs --budget on a project of one file and its object file, with that budget."""
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            (root / "Sources/Tributary/Health").mkdir(parents=True)
            (root / "Sources/Tributary/Health/State.swift").write_text("")
            (root / "Tributary.build").mkdir()
            (root / "Tributary.build/State.swift.o").write_bytes(object_file(code=20_000, debug=90_000, zeros=70_000))
            size_budget.write(root / "budget.json", {"Tributary/Health": allowed}, compiler)
            with mock.patch.multiple(size, ROOT=root, BUILT=root, BUDGET=root / "budget.json"), \
                    mock.patch.object(size_budget, "compiler", lambda: "Swift 6.3, Linux x86_64"), \
                    contextlib.redirect_stdout(io.StringIO()) as output:
                status = size.main(["--budget"])
        return status, output.getvalue()

    def test_budget_is_compared_with_the_object_files(self):
        status, output = self.budget("Swift 6.3, Linux x86_64", 8000)
        self.assertEqual(status, 1)
        self.assertIn("+12 KB: Tributary/Health (budget 8 KB, now 20 KB)", output)
        self.assertEqual(self.budget("Swift 6.3, Linux x86_64", 20_000)[0], 0)
        status, output = self.budget("Swift 6.2, Linux x86_64", 8000)
        self.assertEqual(status, 0)
        self.assertRegex(output, r"^size: skipped: .*6\.2.*6\.3")

    def test_missing_build_is_told(self):
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            (root / "Sources/Tributary").mkdir(parents=True)
            (root / "Sources/Tributary/Exports.swift").write_text("")
            with self.assertRaisesRegex(size_budget.Failed, "swift build"):
                size_budget.measure(root, root / "nowhere")
        with self.assertRaises(size_budget.Failed):
            size_budget.loaded_bytes(b"no object file")

    def test_budget_names_the_folders_of_the_client(self):
        folders = set(size_table.folders_of(SCRIPTS.parent).values())
        named = set(size_budget.read(size.BUDGET)["folders"])
        self.assertEqual(named - folders, set())
        self.assertIn("Tributary/Health", named)

    def test_both_programs_differ_by_the_client_only(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            size.write_package(folder)
            without = (folder / "Sources/Without/main.swift").read_text().splitlines()
            with_client = (folder / "Sources/With/main.swift").read_text().splitlines()
        self.assertEqual([line for line in without if line not in with_client], [])
        self.assertIn("import Tributary", with_client)
