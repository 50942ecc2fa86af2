"""Who has which bytes of a program: for each folder of sources and each kind of code.

The linker's map says which object file each piece of a section came from, and the symbols say what lies in the piece. A
function also has a description for unwinding and a line in the index of these, and a pointer has an entry for the loader;
all of them count for the file of the function or of the pointer. What is left belongs to the linker.
"""

import bisect
import re
import struct
import subprocess
from collections import defaultdict
from pathlib import Path

KINDS = ("functions", "generics", "closures", "copies", "metadata", "data", "strings", "unwinding", "pointers")
KIND_HELP = {
    "functions": "functions, and accessors of properties",
    "generics": "versions of generic code for a type, also those of the standard library",
    "closures": "closures, and the functions that hand their context over",
    "copies": "copies and destructors of values that the compiler made",
    "metadata": "descriptions of types, conformances and fields, and the functions that find them",
    "data": "constants and variables",
    "strings": "texts",
    "unwinding": "tables for unwinding",
    "pointers": "entries for the loader, one for each pointer to a function or a value",
}
LINKER = "the linker's tables"

# Of the names of functions as `swift demangle` writes them, the first that fits.
NAMES = (
    ("metadata", re.compile(
        r"type metadata|metaclass|protocol (witness table|conformance|descriptor)|witness table|associated type|reflection"
        r"|nominal type|property descriptor|method descriptor|(base|default) .*descriptor|demangling cache|opaque type"
        r"|instantiation|symbolic|canonical|base conformance|protocol requirement")),
    ("copies", re.compile(
        r"outlined |value witness|destroy|(initialize|assign)With|deallocating|deinit|getEnumTag|storeEnumTag|wlH|"
        r"(get|destructiveInject|destructiveProject)\w*Tag")),
    ("generics", re.compile(r"generic (not re-abstracted )?(partial )?specialization|generic .*prespecialization")),
    ("closures", re.compile(r"closure #|partial apply|reabstraction thunk|autoclosure|implicit closure|block")),
)
# A name of the runtime, and of what the compiler makes without a name of its own.
PLAIN = (
    ("metadata", re.compile(r"^(symbolic|\"?symbolic|get_type_metadata|get_underlying)|^\$s.*(M[a-zA-Z]|W[a-zA-Z]+|Hn|Hc|HX)$")),
    ("copies", re.compile(r"^(__swift_(memcpy|noop|destroy|mutable|allocate|assign)|objectdestroy)|(w[a-z]{2}|Wl|WO[a-z])$")),
    ("metadata", re.compile(r"^__swift_(instantiate|project|reflection)")),
    ("closures", re.compile(r"(TA|TR|TA\.\d+|U_|XEfU\d*_)$")),
)
SECTION_KINDS = {".text": "functions", ".rodata": "data", ".data": "data", ".data.rel.ro": "data", ".tdata": "data"}
TEXTS = re.compile(r"^\.rodata(\.[^ ]*)?\.str\d")


class Failed(Exception):
    """The bytes of a program could not be counted."""


class Piece:
    """A run of bytes that came from one file: its begin, its end, its section and its file."""

    __slots__ = ("begin", "end", "section", "file")

    def __init__(self, begin, size, section, file):
        self.begin, self.end, self.section, self.file = begin, begin + size, section, file


def read_map(text):
    """The pieces in a linker's map, in the form of ld and gold or in that of lld, by their addresses."""
    pieces, section = [], ""
    gnu = re.compile(r"^ (\S+)?\s+0x([0-9a-f]{8,16})\s+0x([0-9a-f]+) (\S.*)$")
    name = re.compile(r"^ (\.?\w\S*)$")
    lld = re.compile(r"^\s*([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)\s+\d+\s+(\S.*):\((\S+)\)$")
    for line in text.splitlines():
        if found := gnu.match(line):
            section = found[1] or section
            begin, size, file = int(found[2], 16), int(found[3], 16), found[4]
        elif found := lld.match(line):
            begin, size, file, section = int(found[1], 16), int(found[2], 16), found[3], found[4]
        else:
            if found := name.match(line):
                section = found[1]
            continue
        # Pieces that were left out have no address, and debug information is not loaded.
        if begin and size and not section.startswith(".debug"):
            pieces.append(Piece(begin, size, section, file))
    if not pieces:
        raise Failed("the linker's map has no pieces: its form is not that of ld, gold or lld")
    return sorted(pieces, key=lambda piece: piece.begin)


class Pieces:
    """Finds the piece at an address."""

    def __init__(self, pieces):
        self.pieces = pieces
        self.begins = [piece.begin for piece in pieces]

    def at(self, address):
        index = bisect.bisect_right(self.begins, address) - 1
        if index >= 0 and address < self.pieces[index].end:
            return self.pieces[index]
        return None


def kind_of_name(mangled, readable):
    """What the compiler made under this name."""
    if readable != mangled:
        for kind, pattern in NAMES:
            if pattern.search(readable):
                return kind
    for kind, pattern in PLAIN:
        if pattern.search(mangled):
            return kind
    return None


def kind_of_section(name):
    if TEXTS.match(name) or ".cstring" in name:
        return "strings"
    if name.startswith("swift5_") or name == ".swift_modhash":
        return "strings" if name == "swift5_reflstr" else "metadata"
    for prefix, kind in SECTION_KINDS.items():
        if name == prefix or name.startswith(prefix + "."):
            return kind
    return "data"


class Tables:
    """The unwinding descriptions and the loader's entries of a program, by the address that each is for."""

    def __init__(self, program):
        self.sections = self.read_sections(program)
        self.content = Path(program).read_bytes()

    @staticmethod
    def read_sections(program):
        output = subprocess.run(["readelf", "-SW", str(program)], check=True, capture_output=True, text=True).stdout
        row = re.compile(r"\]\s+(\S+)\s+(\S+)\s+([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+) ")
        return {found[1]: tuple(int(found[part], 16) for part in (3, 4, 5)) for found in row.finditer(output)}

    def unwinding(self):
        """The function and the bytes of each description; 8 bytes more for its line in the index."""
        if ".eh_frame" not in self.sections:
            return
        address, offset, size = self.sections[".eh_frame"]
        end, place = offset + size, offset
        while place + 8 <= end:
            (length, parent) = struct.unpack_from("<II", self.content, place)
            if length == 0:
                break
            if parent != 0:
                field = place + 8
                (distance,) = struct.unpack_from("<i", self.content, field)
                yield address + (field - offset) + distance, length + 4 + 8
            place += 4 + length

    def pointers(self):
        """The place of each pointer that the loader fills, 24 bytes for each."""
        if ".rela.dyn" not in self.sections:
            return
        _, offset, size = self.sections[".rela.dyn"]
        for place in range(offset, offset + size, 24):
            yield struct.unpack_from("<Q", self.content, place)[0]


def symbols(program):
    """Address, size and both names of each symbol that has a size."""
    listing = subprocess.run(["nm", "--print-size", str(program)], check=True, capture_output=True, text=True).stdout
    rows = [line.split(maxsplit=3) for line in listing.splitlines()]
    rows = [(int(row[0], 16), int(row[1], 16), row[3]) for row in rows if len(row) == 4]
    names = "\n".join(row[2] for row in rows)
    readable = subprocess.run(
        ["swift", "demangle"], input=names + "\n", check=True, capture_output=True, text=True).stdout
    readable = readable.splitlines()
    if len(readable) != len(rows):
        raise Failed("swift demangle left out names")
    return [(address, size, name, text) for (address, size, name), text in zip(rows, readable, strict=True)]


def count(program, pieces):
    """The bytes of a program, as rows of file, kind, bytes and name; the name is empty where there is none."""
    finder, known, rows = Pieces(pieces), set(), []
    taken = defaultdict(int)
    for address, size, name, readable in sorted(symbols(program)):
        piece = finder.at(address)
        if piece is None or address in known or size == 0 or piece.section.startswith(".bss"):
            continue
        known.add(address)
        size = min(size, piece.end - address)
        taken[piece.begin] += size
        kind = kind_of_name(name, readable) or kind_of_section(piece.section)
        rows.append((piece.file, kind, size, readable))
    for piece in pieces:
        if piece.section.startswith((".bss", ".eh_frame", "COMMON")):
            continue
        left = piece.end - piece.begin - taken[piece.begin]
        if left > 0:
            rows.append((piece.file, kind_of_section(piece.section), left, ""))
    tables = Tables(program)
    for address, size in tables.unwinding():
        if piece := finder.at(address):
            rows.append((piece.file, "unwinding", size, ""))
    for address in tables.pointers():
        if piece := finder.at(address):
            rows.append((piece.file, "pointers", 24, ""))
    return rows


def folders_of(root):
    """For each module and source file of the project its folder, such as Tributary/Health."""
    folders = {}
    for module in sorted((root / "Sources").iterdir()):
        for source in sorted(module.rglob("*.*")):
            if source.suffix in (".swift", ".c"):
                below = source.relative_to(module).parts[:-1]
                folders[module.name, source.name] = "/".join((module.name, *below[:1]))
    return folders


def folder_of(file, folders):
    """The folder for an object file, else the module or the package that it is from."""
    found = re.search(r"([^/]+)\.build/(?:.*/)?([^/]+)\.o$", file)
    if not found:
        return LINKER
    return folders.get((found[1], found[2]), found[1])


def table(rows, folders):
    """Bytes by folder and kind, of the rows that `count` returned."""
    result = defaultdict(lambda: dict.fromkeys(KINDS, 0))
    for file, kind, size, _ in rows:
        result[folder_of(file, folders)][kind] += size
    return dict(result)


def table_lines(sizes):
    """The table in KB, the largest folder first, with a line that adds all up."""
    everything = {kind: sum(row[kind] for row in sizes.values()) for kind in KINDS}
    rows = sorted(sizes.items(), key=lambda item: -sum(item[1].values())) + [("all", everything)]
    width = max(len(name) for name, _ in rows)
    yield " ".join([" " * width, *(f"{kind:>9}" for kind in KINDS), f"{'KB':>6}"])
    for name, row in rows:
        cells = [f"{row[kind] / 1000:9.1f}" for kind in KINDS]
        yield " ".join([f"{name:<{width}}", *cells, f"{sum(row.values()) / 1000:6.0f}"])
    yield ""
    for kind in KINDS:
        yield f"{kind:<10} {KIND_HELP[kind]}"


def function_lines(rows, folders, limit=60):
    """The largest functions and values, each with its folder and kind."""
    named = sorted((row for row in rows if row[3]), key=lambda row: -row[2])
    for file, kind, size, name in named[:limit]:
        yield f"{size:>7} {kind:<9} {folder_of(file, folders)}: {name}"
