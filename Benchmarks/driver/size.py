"""What the client adds to an app: bytes of its program, and processor time of its build.

    scripts/size              both promises; some minutes
    scripts/size --sections   where the bytes are, by section of the program

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

from promise import AtMost, Measurement, Promise, Result

ROOT = Path(__file__).resolve().parents[2]
SCRATCH = ROOT / ".build-size"
USAGE = 64

SIZE = Promise("client-size", "bytes", AtMost(1_600_000), "what a client adds to a program, without symbols")
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


def measure_size(folder):
    build(folder, "--scratch-path", str(SCRATCH), "-c", "release", "-Xlinker", "--gc-sections")
    without, with_client = stripped(folder, "Without"), stripped(folder, "With")
    sizes = [program.stat().st_size for program in (without, with_client)]
    return Measurement(sizes[1] - sizes[0]), added_sections(without, with_client)


def measure_build(folder):
    scratch = folder / "debug"
    # Fetching and reading the packages is no part of the build.
    subprocess.run(
        ["swift", "package", "--package-path", str(folder), "--scratch-path", str(scratch), "resolve"],
        stdin=subprocess.DEVNULL, capture_output=True, check=True)
    return Measurement(build(folder, "--scratch-path", str(scratch), "--product", "With"))


def main(arguments):
    if arguments in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    if arguments not in ([], ["--sections"]):
        print(f"size: unknown option {arguments[0]} (scripts/size --help)", file=sys.stderr)
        return USAGE
    folder = Path(tempfile.mkdtemp(prefix="size-"))
    try:
        write_package(folder)
        size, added = measure_size(folder)
        results = [Result(SIZE, size)]
        if arguments:
            for name, count in added:
                print(f"{count:>10} {name}")
        else:
            results.append(Result(BUILD, measure_build(folder)))
    except Failed as error:
        print(f"size: {error}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for result in results:
        print(result.line())
    return 0 if all(result.is_met for result in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
