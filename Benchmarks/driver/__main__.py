"""Measures what the project promises, and says which promises are met.

    scripts/bench                     everything, as exactly as it gets: about fifteen minutes after the build
    scripts/bench --quick             everything in less than five minutes after the build
    scripts/bench --only NAME[,NAME]  some promises; --list prints all names; `growth` names all that begin so

    --events N    events of the large folder of growth, and of questions; ten million need 30 GB of room
    --json FILE   writes the results, with details, to a file too
    --record      puts the results into docs/PERFORMANCE.md; not together with --only or --smoke
    --smoke       only shows that every benchmark runs: tiny rounds, figures that say nothing, and success although
                  promises are not met
    --debug       builds without optimization; for --smoke
    --no-build    takes the programs as they are

The promises of a cluster are measured where TRIBUTARY_CLUSTER is set; `scripts/bootstrap cluster` installs the engines.

The package in Benchmarks/ is built in release mode. Each promise is one line on the standard output:

    promise: NAME value=V unit=U floor=F ratio=R goal=G met=yes|no|unknown

The floor is what cannot be avoided, measured in the same run; `-` stands for what there is not. `unknown` stands for a
promise that was missed on a machine that was too busy to judge. Progress and reasons go to the standard error. The exit
status is 0 when all promises are met, 1 when some are not, 64 for wrong use, and 75 when none is missed but some are
unknown, or when --record refuses because of them.
"""

import argparse
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import client_group
import cluster_group
import destination_group
import energy_group
import growth_group
import live_group
import page_group
import push_group
import question_group
import record
import steadiness
import workspace_group
from bench import PACKAGE, Bench, Failed, Scratch, build
from promise import Answer, Result, Unavailable, results

GROUPS = [client_group, energy_group, live_group, workspace_group, growth_group, page_group, question_group,
          destination_group, push_group, cluster_group]
DOCUMENT = PACKAGE.parent / "docs/PERFORMANCE.md"
USAGE = 64
TOO_BUSY = 75
FEWEST_EVENTS = 400


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(USAGE, f"bench: {message} (scripts/bench --help)\n")


def parse(arguments, names):
    if "-h" in arguments or "--help" in arguments:
        print(__doc__.strip())
        raise SystemExit(0)
    parser = Parser(add_help=False, allow_abbrev=False)
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", dest="size", action="store_const", const="quick", default="full")
    size.add_argument("--smoke", dest="size", action="store_const", const="smoke")
    parser.add_argument("--only", type=lambda text: [name for name in text.split(",") if name])
    parser.add_argument("--events", type=int)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--debug", action="store_true")
    parser.add_argument("--no-build", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args(arguments)
    if options.only is not None and not options.only:
        parser.error("--only names no promise")
    for name in options.only or []:
        if not named(name, names):
            parser.error(f"there is no promise {name} (scripts/bench --list)")
    options.only = options.only and [each for name in options.only for each in named(name, names)]
    if options.events is not None and options.events < FEWEST_EVENTS:
        parser.error(f"--events takes a number from {FEWEST_EVENTS} on")
    if options.debug and options.size != "smoke":
        parser.error("figures of a debug build say nothing: --debug goes with --smoke")
    if options.record and (options.only or options.size == "smoke"):
        parser.error("only a whole run is recorded: --record goes without --only and --smoke")
    return options


def named(name, names):
    """The promise of that name, or those of the group that is called so."""
    return [name] if name in names else sorted(each for each in names if each.startswith(name + "-"))


def missing_tools(benchmarks, only):
    """Programs that are not installed, with the promises that need them."""
    missing = {}
    for benchmark in benchmarks:
        names = [promise.name for promise in benchmark.promises if not only or promise.name in only]
        for tool in benchmark.tools:
            if names and shutil.which(tool) is None:
                missing.setdefault(tool, []).extend(names)
    return missing


def measure(bench, benchmark):
    """A result for each promise of a benchmark, whatever happens."""
    before = steadiness.fixed_work()
    try:
        found = benchmark.run(bench)
    except Unavailable as error:
        return [Result(promise, reason=str(error), is_unavailable=True) for promise in benchmark.promises]
    except (Failed, OSError, ValueError, KeyError, RuntimeError, subprocess.SubprocessError) as error:
        return [Result(promise, reason=f"{type(error).__name__}: {error}") for promise in benchmark.promises]
    return results(benchmark, found, before + steadiness.fixed_work())


def run(bench, benchmarks, only):
    all_results = []
    for benchmark in benchmarks:
        names = [promise.name for promise in benchmark.promises]
        if only and not set(names) & set(only):
            continue
        print(f"== {', '.join(names)}", file=sys.stderr, flush=True)
        began = time.monotonic()
        for result in measure(bench, benchmark):
            if only and result.promise.name not in only:
                continue
            print(result.line(), flush=True)
            if result.remark:
                bench.log(f"{result.promise.name}: {result.remark}")
            all_results.append(result)
        bench.log(f"{time.monotonic() - began:.1f} s")
    return all_results


def machine():
    return {
        "system": platform.platform(), "processor": platform.machine(), "cores": os.cpu_count(),
        "load": os.getloadavg()[0], "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def status(found, size):
    """The exit status. Smoke asks only whether everything ran, or could not for want of a tool."""
    if size == "smoke":
        return 0 if all(result.measurement is not None or result.is_unavailable for result in found) else 1
    answers = {result.answer for result in found}
    return 1 if Answer.NO in answers else TOO_BUSY if Answer.UNKNOWN in answers else 0


def main(arguments):
    benchmarks = [benchmark for group in GROUPS for benchmark in group.BENCHMARKS]
    promises = [promise for benchmark in benchmarks for promise in benchmark.promises]
    options = parse(arguments, {promise.name for promise in promises})
    if options.list:
        for promise in promises:
            print(f"{promise.name:32} {promise.goal.text():24} {promise.unit:14} {promise.text}")
        return 0
    for tool, names in missing_tools(benchmarks, options.only).items():
        print(f"bench: {tool} is not installed (scripts/bootstrap bench), so these cannot be measured: "
              f"{', '.join(names)}", file=sys.stderr, flush=True)
    configuration = "debug" if options.debug else "release"
    try:
        programs = build(configuration, is_built=options.no_build)
    except Failed as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    with Scratch() as folder:
        found = run(Bench(options.size, programs, folder, options.events), benchmarks, options.only)
    if options.json:
        document = {"size": options.size, "machine": machine(), "promises": [result.as_json() for result in found]}
        options.json.write_text(json.dumps(document, indent=2) + "\n")
    unknown = [result.promise.name for result in found if result.answer is Answer.UNKNOWN]
    if options.record and unknown:
        print(f"bench: nothing is recorded: the machine was too busy to judge {', '.join(unknown)}", file=sys.stderr)
        return TOO_BUSY
    if options.record:
        DOCUMENT.write_text(record.replace(DOCUMENT.read_text(), record.table(found, machine(), options.size)))
    return status(found, options.size)


if __name__ == "__main__":
    # As an exception, so that programs that run are ended and folders are removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    sys.exit(main(sys.argv[1:]))
