"""Compares this client with checkouts of other clients: one program, linked with each of them, and one table.

    scripts/compare --client analytics-swift=FOLDER
    scripts/compare --client analytics-swift=FOLDER --quick --json results.json
    scripts/compare --list

FOLDER is a checkout that you have fetched; nothing of it is changed. A client needs a folder in Benchmarks/Comparison with
`Client.swift`, `app.swift` and `about.json`: --list names those that are there, and docs/PERFORMANCE.md says how to add one.

    --client NAME=FOLDER  a client beside this one; may be repeated
    --mirror URL=FOLDER   where a package that a client depends on is, instead of at its address; may be repeated
    --quick               fewer calls and kills
    --json FILE           also writes the figures of each round
    --list                the clients that can be compared

Run nothing else on the machine meanwhile. The exit status is 0 when all clients were measured.
"""

import argparse
import gzip
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median

import size
from loopback import LoopbackServer

ROOT = Path(__file__).resolve().parents[2]
PARTS = ROOT / "Benchmarks/Comparison"
SCRATCH = ROOT / ".build-compare"
OWN = "tributary"
USAGE = 64
# Seconds after which nothing more is waited for, and after which a server without news has all that will come.
PATIENCE, SILENCE = 60, 4
# Rounds of calls, calls of a round, and processes that are killed.
FULL, QUICK = (40, 500, 40), (8, 250, 6)

MANIFEST = """\
// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "comparison",
    platforms: [.macOS(.v12)],
    dependencies: [.package(name: "client", path: "%(folder)s")],
    targets: [
        .executableTarget(name: "Without"),
        .executableTarget(name: "With", dependencies: [.product(name: "%(product)s", package: "client")]),
        .executableTarget(
            name: "Compared", dependencies: [.product(name: "%(product)s", package: "client")],
            swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
)
"""


class Failed(Exception):
    """A client could not be measured."""


@dataclass
class Subject:
    """A client that is compared: its name, its checkout, and what Benchmarks/Comparison says about it."""

    name: str
    folder: Path
    product: str
    differs: str


@dataclass
class Figures:
    """What was measured of a client: microseconds, bytes, seconds, and events that survived of those that were promised."""

    medians: list = field(default_factory=list)
    tails: list = field(default_factory=list)
    processor: float = 0
    memory: int = 0
    size: int = 0
    build: float = 0
    promised: int = 0
    survived: int = 0


# MARK: What to compare

def known_clients():
    return sorted(part.parent.name for part in PARTS.glob("*/about.json"))


def subject(name, folder):
    """Reads what is known of a client, and looks whether its checkout is there."""
    if name not in known_clients():
        raise Failed(f"there is no client {name}, only: {', '.join(known_clients())}")
    folder = Path(folder).expanduser().resolve()
    if not folder.is_dir():
        raise Failed(f"{name}: there is no folder {folder}")
    if not (folder / "Package.swift").is_file():
        raise Failed(f"{name}: {folder} is no checkout of a package, because it has no Package.swift")
    about = json.loads((PARTS / name / "about.json").read_text())
    return Subject(name, folder, about["product"], about["differs"])


def pair(text):
    """NAME=FOLDER as two texts."""
    name, separator, folder = text.rpartition("=")
    if not separator or not name or not folder:
        raise argparse.ArgumentTypeError(f"{text} is not of the form NAME=FOLDER")
    return name, folder


def parser():
    found = argparse.ArgumentParser(prog="compare", add_help=False, allow_abbrev=False)
    found.add_argument("--client", type=pair, action="append", default=[])
    found.add_argument("--mirror", type=pair, action="append", default=[])
    found.add_argument("--quick", action="store_true")
    found.add_argument("--json", type=Path)
    found.add_argument("--list", action="store_true")
    found.add_argument("-h", "--help", action="store_true")

    def refuse(message):
        print(f"compare: {message} (scripts/compare --help)", file=sys.stderr)
        sys.exit(USAGE)

    found.error = refuse
    return found


# MARK: Building

def write_package(folder, client, mirrors):
    """A package with the compared program, and with two programs that show what the client adds."""
    parts = PARTS / client.name
    (folder / "Package.swift").write_text(MANIFEST % {"folder": client.folder, "product": client.product})
    sources = {
        "Without": {"main.swift": size.WITHOUT}, "With": {"main.swift": (parts / "app.swift").read_text()},
        "Compared": {
            "main.swift": (PARTS / "Shared/main.swift").read_text(), "Client.swift": (parts / "Client.swift").read_text()}}
    for target, files in sources.items():
        (folder / "Sources" / target).mkdir(parents=True)
        for name, text in files.items():
            (folder / "Sources" / target / name).write_text(text)
    for url, mirror in mirrors:
        subprocess.run(
            ["swift", "package", "--package-path", str(folder), "config", "set-mirror", "--original", url, "--mirror", mirror],
            stdin=subprocess.DEVNULL, capture_output=True, check=True)


def build(client, folder, scratch, *options):
    """Builds, and returns the seconds of the processor."""
    try:
        return size.build(folder, "--scratch-path", str(scratch), *options)
    except size.Failed as error:
        raise Failed(f"{client.name} does not build:\n{error}") from error


def added_size(release, folder):
    sizes = {}
    for name in ("With", "Without"):
        program = folder / f"{name}.stripped"
        subprocess.run(["strip", "-o", str(program), str(release / name)], check=True)
        sizes[name] = program.stat().st_size
    return sizes["With"] - sizes["Without"]


# MARK: Running

class Program:
    """A run of the compared program with a home of its own."""

    def __init__(self, program, job, home, server, rounds=0, calls=0):
        command = [str(program), job, server.host.removeprefix("http://"), str(rounds), str(calls)]
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "CFFIXED_USER_HOME": str(home), "TMPDIR": str(home)}
        self.process = subprocess.Popen(
            command, env=environment, cwd=home, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def lines(self):
        """Each line without its end. A line that the death cut off is left out."""
        for line in self.process.stdout:
            if line.endswith("\n"):
                yield line[:-1]


def events_of(server):
    """The names of all events that came. A body that is no JSON counts as nothing, because a server would refuse it."""
    with server.lock:
        bodies = list(server.bodies)
    names = []
    for body, is_compressed in bodies:
        try:
            batch = json.loads(gzip.decompress(body) if is_compressed else body)["batch"]
        except (ValueError, KeyError, TypeError, OSError, EOFError):
            continue
        names += [event.get("event") for event in batch]
    return names


def wait_for_events(server, wanted, last=None):
    """Waits until the server has that many events, or has had no news for some seconds since the event `last` came. Returns
    the names of the events."""
    count, begin = -1, time.monotonic()
    news = begin
    while time.monotonic() - begin < PATIENCE:
        if len(server.bodies) != count:
            count, news, names = len(server.bodies), time.monotonic(), events_of(server)
        is_silent = time.monotonic() - news > SILENCE and (last is None or last in names)
        if len(names) >= wanted or is_silent:
            break
        time.sleep(0.1)
    return names


def read_calls(lines, figures, on_tracked):
    """Takes the lines of the job `calls`. When everything was tracked, it waits for the server in `on_tracked`."""
    for line in lines:
        word, *values = line.split()
        if word == "round":
            figures.medians.append(int(values[0]) / 1000)
            figures.tails.append(int(values[1]) / 1000)
        elif word == "tracked":
            on_tracked()
        elif word == "whole":
            figures.processor, figures.memory = float(values[0]), int(values[1])
            return
    raise Failed("the program ended before it had measured everything")


def measure_calls(program, home, figures, rounds, calls):
    with LoopbackServer() as server, Program(program, "calls", home, server, rounds, calls) as run:
        def answer():
            arrived = wait_for_events(server, (rounds + 1) * calls)
            if len(arrived) < (rounds + 1) * calls:
                print(f"   only {len(arrived)} of {(rounds + 1) * calls} events arrived", file=sys.stderr)
            run.process.stdin.write("\n")
            run.process.stdin.flush()

        read_calls(run.lines(), figures, answer)
    # Of one event, from its call to the server.
    figures.processor *= 1_000_000 / (rounds * calls)


def kill_while_tracking(program, home, server, seconds):
    """Lets a process track, kills it so long after its first event, and returns the events that it promised."""
    with Program(program, "track", home, server) as run:
        lines = run.lines()
        names = [next(lines, None)]
        if names == [None]:
            raise Failed("the program ended before its first event")
        time.sleep(seconds)
        run.process.kill()
        names += lines
    return set(names)


def measure_survival(program, folder, figures, kills):
    """Every third process dies right after its first event, and half of them before settings have arrived."""
    chance = random.Random(kills)
    for number in range(kills):
        home = folder / f"killed-{number}"
        home.mkdir()
        with LoopbackServer(settings=number % 2 == 0) as server:
            promised = kill_while_tracking(program, home, server, 0 if number % 3 == 0 else chance.uniform(0, 1.5))
            server.settings = True
            with Program(program, "deliver", home, server):
                arrived = set(wait_for_events(server, len(promised) + 1, last="Next"))
        figures.promised += len(promised)
        figures.survived += len(promised & arrived)
        shutil.rmtree(home, ignore_errors=True)


def measure(client, mirrors, amount):
    rounds, calls, kills = amount
    figures, scratch = Figures(), SCRATCH / client.name
    folder = Path(tempfile.mkdtemp(prefix="compare-"))
    try:
        print(f"{client.name}: building", file=sys.stderr)
        write_package(folder, client, mirrors)
        build(client, folder, scratch, "-c", "release")
        release = scratch / "release"
        figures.size = added_size(release, folder)
        print(f"{client.name}: measuring calls", file=sys.stderr)
        home = folder / "home"
        home.mkdir()
        measure_calls(release / "Compared", home, figures, rounds, calls)
        print(f"{client.name}: killing {kills} processes", file=sys.stderr)
        measure_survival(release / "Compared", folder, figures, kills)
        print(f"{client.name}: building for debugging, from nothing", file=sys.stderr)
        figures.build = size.build_from_nothing(folder)
    except (size.Failed, subprocess.CalledProcessError, OSError, ValueError) as error:
        raise Failed(f"{client.name}: {error}") from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return figures


# MARK: The table

COLUMNS = (
    ("call, median", lambda row: f"{median(row.medians):.1f} µs"),
    ("call, 99th percentile", lambda row: f"{median(row.tails):.1f} µs"),
    ("processor time of an event", lambda row: f"{row.processor:.1f} µs"),
    ("peak memory", lambda row: f"{row.memory / 1e6:.1f} MB"),
    ("size added", lambda row: f"{row.size / 1e6:.2f} MB"),
    ("clean debug build", lambda row: f"{row.build:.1f} s"),
    ("events after SIGKILL", lambda row: f"{survived(row)} of {row.promised}"),
)


def survived(row):
    """Rounded down: 99.9 % is not all."""
    return f"{int(1000 * row.survived / row.promised) / 10:g} %" if row.promised else "0 %"


def table(results):
    """Rows of Markdown: a client each, with what differs in what they do."""
    yield "| client | " + " | ".join(name for name, _ in COLUMNS) + " | what differs |"
    yield "|---" * (len(COLUMNS) + 2) + "|"
    for client, figures in results:
        cells = [text(figures) for _, text in COLUMNS]
        yield f"| {client.name} | " + " | ".join(cells) + f" | {client.differs} |"


def main(arguments):
    options = parser().parse_args(arguments)
    if options.help:
        print(__doc__.strip())
        return 0
    if options.list:
        print("\n".join(known_clients()))
        return 0
    if not options.client:
        parser().error("nothing to compare with: --client NAME=FOLDER")
    try:
        clients = [subject(OWN, ROOT)] + [subject(name, folder) for name, folder in options.client]
        results = [(client, measure(client, options.mirror, QUICK if options.quick else FULL)) for client in clients]
    except Failed as error:
        print(f"compare: {error}", file=sys.stderr)
        return 1
    for line in table(results):
        print(line)
    if options.json:
        options.json.write_text(json.dumps({client.name: asdict(figures) for client, figures in results}, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
