"""The budget of each folder of the client: what its code may take before a change has to say that it takes more.

What is counted are the object files of a debug build, because CI has one anyway; a release build would take minutes. Both grow
together: a debug build has 1.7 times as many bytes, without debug information.
"""

import json
import platform
import re
import struct
import subprocess
from collections import defaultdict

from size_table import Failed, folders_of

MODULES = ("Tributary", "TributaryJSON", "TributaryJournal", "CTributaryChecksum", "CTributaryFiles")
# A new budget is a multiple of this, so that a change of a few lines need not touch it.
STEP = 8000
# A folder that is so much smaller than its budget should give the room back.
SPARE = 40000
# Of a section's header: it is in memory when the program runs.
LOADED = 2


def loaded_bytes(content):
    """The bytes of an object file's sections that a program with it would load."""
    if content[:6] != b"\x7fELF\x02\x01":
        raise Failed("the object files are not those of a 64-bit Linux")
    (offset,) = struct.unpack_from("<Q", content, 0x28)
    size, number = struct.unpack_from("<HH", content, 0x3A)
    total = 0
    for header in range(offset, offset + size * number, size):
        (_, kind, flags, _, _, length) = struct.unpack_from("<IIQQQQ", content, header)
        # Kind 8 is memory that begins with zeros; kind 0 is no section.
        if flags & LOADED and kind not in (0, 8):
            total += length
    return total


def measure(root, build):
    """The bytes of each folder in a debug build."""
    sizes = defaultdict(int)
    for (module, source), folder in folders_of(root).items():
        if module not in MODULES:
            continue
        file = build / f"{module}.build" / f"{source}.o"
        if not file.exists():
            raise Failed(f"{module}/{source} has no object file in {build}: run `swift build` first")
        sizes[folder] += loaded_bytes(file.read_bytes())
    return dict(sizes)


def compiler():
    """The compiler and the machine that it compiles for, as far as sizes depend on them."""
    output = subprocess.run(["swift", "--version"], check=True, capture_output=True, text=True).stdout
    found = re.search(r"Swift version (\d+\.\d+)", output)
    return f"Swift {found[1] if found else '?'}, {platform.system()} {platform.machine()}"


def compare(budget, sizes):
    """What is over the budget, and what has room to give back, as lines."""
    over, spare = [], []
    for folder, size in sorted(sizes.items()):
        allowed = budget.get(folder, 0)
        if size > allowed:
            over.append((size - allowed, f"{folder} (budget {kilobytes(allowed)}, now {kilobytes(size)})"))
        elif allowed - size > SPARE:
            spare.append((size - allowed, f"{folder} (budget {kilobytes(allowed)}, now {kilobytes(size)})"))
    spare += [(-allowed, f"{folder} is no folder any more") for folder, allowed in sorted(budget.items()) if folder not in sizes]
    return [line(*row) for row in over], [line(*row) for row in spare]


def line(change, text):
    # Rounded away from zero: a growth of some bytes is not +0.
    size = -(-abs(change) // 1000)
    return f"{'+' if change > 0 else '-'}{size} KB: {text}"


def kilobytes(size):
    return f"{size / 1000:.0f} KB"


def read(file):
    return json.loads(file.read_text())


def write(file, sizes, made_by):
    folders = {folder: -(-size // STEP) * STEP for folder, size in sorted(sizes.items())}
    file.write_text(json.dumps({"compiler": made_by, "folders": folders}, indent=2) + "\n")
