"""What the client adds to an app: bytes of its program, and processor time of its build.

    scripts/size                    both promises; some minutes
    scripts/size --sections         where the bytes are, by section of the program
    scripts/size --by folder        by folder of the sources and kind of code
    scripts/size --by function      the largest functions
    scripts/size --budget           compares the last debug build with Benchmarks/size-budget.json; no build, a second
    scripts/size --update-budget    writes what the last debug build has into that file

Two programs, one with a client and one without, are built for release and compared without their symbols. The standard
library and Foundation are the system's, as on Apple's systems. Then the program with the client is built for debugging,
from nothing, and the processor time of all compilers is counted. The lines are those of scripts/bench, and so is the
exit status.
"""

import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import size_budget
import size_table
from promise import AtMost, Measurement, Promise, Result

ROOT = Path(__file__).resolve().parents[2]
SCRATCH = ROOT / ".build-size"
USAGE = 64
BUDGET = ROOT / "Benchmarks/size-budget.json"
BUILT = ROOT / ".build/debug"
MODES = ([], ["--sections"], ["--by", "folder"], ["--by", "function"], ["--budget"], ["--update-budget"])

SIZE = Promise("client-size", "bytes", AtMost(2_400_000), "what a client adds to a program, without symbols")
BUILD = Promise("client-build", "s", AtMost(25), "processor time of a clean debug build of an app with the client")

MANIFEST = """\
// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "size",
    platforms: [.macOS(.v10_15)],
    dependencies: [.package(name: "tributary", path: "%s")],
    targets: [
        .executableTarget(name: "Without"),
        .executableTarget(name: "With", dependencies: [.product(name: "Tributary", package: "tributary")]),
    ]
)
"""
# Both have what most apps have of Foundation anyway.
WITHOUT = """\
import Foundation

let file = FileManager.default.temporaryDirectory.appendingPathComponent("size")
print(try JSONEncoder().encode(["at": Date().timeIntervalSince1970]).count, file.path)
"""
WITH = WITHOUT.replace("import Foundation\n", "import Foundation\nimport Tributary\n") + """\
let analytics = Analytics(configuration: Configuration(writeKey: "KEY"))
analytics.track(name: "Size", properties: ["total": 42])
"""


class Failed(Exception):
    """A program could not be built."""


def write_package(folder):
    (folder / "Package.swift").write_text(MANIFEST % ROOT)
    for name, source in (("Without", WITHOUT), ("With", WITH)):
        (folder / "Sources" / name).mkdir(parents=True)
        (folder / "Sources" / name / "main.swift").write_text(source)


def build(folder, *options):
    """Builds the package, and returns the seconds of the processor that this took."""
    before = processor_seconds()
    run = subprocess.run(
        ["swift", "build", "--package-path", str(folder), *options], stdin=subprocess.DEVNULL, capture_output=True,
        text=True)
    if run.returncode != 0:
        raise Failed("\n".join((run.stdout + run.stderr).splitlines()[-20:]))
    return processor_seconds() - before


def processor_seconds():
    """Of all processes that have ended below this one."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def stripped(folder, name):
    """The program without its symbols."""
    program = folder / f"{name}.stripped"
    subprocess.run(["strip", "-o", str(program), str(SCRATCH / "release" / name)], check=True)
    return program


def sections(program):
    """The bytes of each section of a program."""
    output = subprocess.run(["size", "-A", str(program)], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in output.splitlines()]
    return {row[0]: int(row[1]) for row in rows if len(row) == 3 and row[0].startswith(".")}


def added_sections(without, with_client):
    """What the client adds to each section, largest first."""
    before, after = sections(without), sections(with_client)
    added = {name: size - before.get(name, 0) for name, size in after.items()}
    return sorted(((name, size) for name, size in added.items() if size != 0), key=lambda row: -row[1])


def build_programs(folder):
    """Builds both programs for release. Returns the linker's map of the one with a client, as a file."""
    options = ["--scratch-path", str(SCRATCH), "-c", "release", "-Xlinker", "--gc-sections"]
    layout = SCRATCH / "With.map"
    build(folder, *options, "--product", "Without")
    build(folder, *options, "--product", "With", "-Xlinker", f"-Map={layout}")
    return layout


def measure_size(folder):
    build_programs(folder)
    without, with_client = stripped(folder, "Without"), stripped(folder, "With")
    sizes = [program.stat().st_size for program in (without, with_client)]
    return Measurement(sizes[1] - sizes[0]), added_sections(without, with_client)


def explain_size(folder, subject):
    """The lines that say whose bytes they are: `folder` or `function`."""
    layout = build_programs(folder)
    pieces = size_table.read_map(layout.read_text(errors="replace"))
    rows = [row for row in size_table.count(SCRATCH / "release/With", pieces) if "/With.build/" not in row[0]]
    folders = size_table.folders_of(ROOT)
    if subject == "function":
        return size_table.function_lines(rows, folders)
    return size_table.table_lines(size_table.table(rows, folders))


def check_budget():
    """Compares the last debug build with the budget, and returns the exit status."""
    budget, made_by = size_budget.read(BUDGET), size_budget.compiler()
    if budget["compiler"] != made_by:
        print(f"size: skipped: the budget is for {budget['compiler']}, and this is {made_by}")
        return 0
    over, spare = size_budget.compare(budget["folders"], size_budget.measure(ROOT, BUILT))
    for line in spare:
        print(f"{line}: `scripts/size --update-budget` gives the room back")
    for line in over:
        print(line)
    if over:
        print("size: the client has grown; make it smaller, or run `scripts/size --update-budget` and say in the commit why")
        return 1
    print("size: the client is within its budget")
    return 0


def update_budget():
    size_budget.write(BUDGET, size_budget.measure(ROOT, BUILT), size_budget.compiler())
    return 0


def build_from_nothing(folder):
    """Builds the program with a client for debugging, and returns the seconds of the processor."""
    scratch = folder / "debug"
    # Fetching and reading the packages is no part of the build.
    subprocess.run(
        ["swift", "package", "--package-path", str(folder), "--scratch-path", str(scratch), "resolve"],
        stdin=subprocess.DEVNULL, capture_output=True, check=True)
    return build(folder, "--scratch-path", str(scratch), "--product", "With")


def measure_build(folder):
    return Measurement(build_from_nothing(folder))


def main(arguments):
    if arguments in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    if arguments not in MODES:
        print(f"size: unknown option {' '.join(arguments)} (scripts/size --help)", file=sys.stderr)
        return USAGE
    try:
        if arguments == ["--budget"]:
            return check_budget()
        if arguments == ["--update-budget"]:
            return update_budget()
        return measure(arguments)
    except (Failed, size_table.Failed) as error:
        print(f"size: {error}", file=sys.stderr)
        return 1


def measure(arguments):
    """Builds the programs, prints what was asked for, and returns the exit status."""
    folder = Path(tempfile.mkdtemp(prefix="size-"))
    try:
        write_package(folder)
        if arguments[:1] == ["--by"]:
            for line in explain_size(folder, arguments[1]):
                print(line)
            return 0
        size, added = measure_size(folder)
        results = [Result(SIZE, size)]
        if arguments:
            for name, count in added:
                print(f"{count:>10} {name}")
        else:
            results.append(Result(BUILD, measure_build(folder)))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for result in results:
        print(result.line())
    return 0 if all(result.is_met for result in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
