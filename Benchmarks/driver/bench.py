"""What benchmarks use: the programs of the package, a folder on its disk, and how much there is to do."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
# Seconds after which a program is taken to hang.
PATIENCE = 180

# How much is measured. `smoke` only shows that everything runs; its figures say nothing.
SIZES = {
    "full": {
        "track_rounds": 60, "track_calls": 1000, "backlog": 50_000, "throughput_rounds": 7, "throughput_events": 20_000,
        "destination_rounds": 5, "destination_events": 20_000,
        "plugin_rounds": 21, "plugin_events": 1500, "cold_rounds": 31, "kills": 200, "delivery_rounds": 15,
        "delivery_events": 20_000, "waiting_rounds": 11, "waiting_events": 1_000_000, "instructions": (200, 700),
        "count_runs": 5, "energy_events": 1000, "energy_rest": (8, 30), "push": (1_000, 20),
        "live_rounds": 15, "live_events": 300, "filter_rounds": 31, "filter_events": 5000, "engines": 7, "signals": 900,
        "loops": 10, "loads": 50, "replacement_events": 100_000, "ingest_rounds": 5, "ingest_seconds": 5,
        "indexing_seconds": 8,
        "growth_base": 100_000, "growth_events": 1_000_000, "growth_days": 5, "growth_burst": 70_000,
        "growth_rounds": 41, "growth_many_days": (10, 90), "growth_bursts": 5,
        "page_events": 600_000, "page_rounds": 5, "page_seconds": 20, "page_rate": 500, "page_ingest": (7, 40_000),
        "question_events": 1_000_000, "question_days": 30, "question_rounds": 5, "question_ingest": (5, 40_000),
        "forwarded_events": 100_000, "forwarded_names": 40, "forwarded_rounds": 5,
        "forwarded_requests": 400, "forwarded_ingest": (5, 5),
        "takeover_minutes": 2,
    },
    "quick": {
        "track_rounds": 20, "track_calls": 500, "backlog": 50_000, "throughput_rounds": 3, "throughput_events": 10_000,
        "destination_rounds": 2, "destination_events": 10_000,
        "plugin_rounds": 9, "plugin_events": 1000, "cold_rounds": 11, "kills": 16, "delivery_rounds": 5,
        "delivery_events": 20_000, "waiting_rounds": 5, "waiting_events": 1_000_000, "instructions": (100, 300),
        "count_runs": 3, "energy_events": 1000, "energy_rest": (8, 30), "push": (1_000, 20),
        "live_rounds": 5, "live_events": 100, "filter_rounds": 11, "filter_events": 2000, "engines": 3, "signals": 900,
        "loops": 5, "loads": 20, "replacement_events": 100_000, "ingest_rounds": 2, "ingest_seconds": 2,
        "indexing_seconds": 3,
        "growth_base": 20_000, "growth_events": 100_000, "growth_days": 3, "growth_burst": 10_000,
        "growth_rounds": 11, "growth_many_days": (10, 30), "growth_bursts": 2,
        "page_events": 60_000, "page_rounds": 3, "page_seconds": 5, "page_rate": 500, "page_ingest": (3, 20_000),
        "question_events": 60_000, "question_days": 5, "question_rounds": 3, "question_ingest": (3, 20_000),
        "forwarded_events": 20_000, "forwarded_names": 40, "forwarded_rounds": 2,
        "forwarded_requests": 100, "forwarded_ingest": (2, 2),
        "takeover_minutes": 1,
    },
    "smoke": {
        "track_rounds": 1, "track_calls": 20, "backlog": 50, "throughput_rounds": 1, "throughput_events": 50,
        "destination_rounds": 1, "destination_events": 1_200,
        "plugin_rounds": 1, "plugin_events": 20, "cold_rounds": 1, "kills": 2, "delivery_rounds": 1,
        "delivery_events": 100, "waiting_rounds": 1, "waiting_events": 200, "instructions": (5, 15), "count_runs": 1,
        "energy_events": 30, "energy_rest": (1, 1), "push": (10, 1),
        "live_rounds": 1, "live_events": 5, "filter_rounds": 1, "filter_events": 5, "engines": 1, "signals": 20,
        "loops": 1, "loads": 1, "replacement_events": 100, "ingest_rounds": 1, "ingest_seconds": 1,
        "indexing_seconds": 1,
        "growth_base": 200, "growth_events": 400, "growth_days": 2, "growth_burst": 100,
        "growth_rounds": 1, "growth_many_days": (1, 2), "growth_bursts": 1,
        "page_events": 200, "page_rounds": 1, "page_seconds": 1, "page_rate": 50, "page_ingest": (1, 200),
        "question_events": 200, "question_days": 2, "question_rounds": 1, "question_ingest": (1, 200),
        "forwarded_events": 200, "forwarded_names": 2, "forwarded_rounds": 1,
        "forwarded_requests": 5, "forwarded_ingest": (1, 1),
        "takeover_minutes": 0.5,
    },
}


class Failed(Exception):
    """A benchmark could not be run to its end."""


class Bench:
    """One run of benchmarks."""

    def __init__(self, size, programs, folder, events=None):
        self.size = SIZES[size]
        # Of the large folder of growth and of the folder of questions, when that is asked for.
        self.events = events
        self.programs = programs
        # On the disk of the package, because that is where the floor is measured too.
        self.folder = folder

    def new_folder(self, name):
        return Path(tempfile.mkdtemp(prefix=f"{name}-", dir=self.folder))

    def log(self, text):
        print(f"   {text}", file=sys.stderr, flush=True)

    def command(self, program, job, parameters):
        return [str(self.programs / program), job, json.dumps(parameters, default=str)]

    def run(self, program, job, parameters, core=None, before=(), expect=0):
        """Runs a program to its end and returns the JSON values that it wrote."""
        def prepare():
            if core is not None and hasattr(os, "sched_setaffinity"):
                os.sched_setaffinity(0, {core})

        process = subprocess.run(
            [*before, *self.command(program, job, parameters)], stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=PATIENCE, preexec_fn=prepare)
        if process.returncode != expect:
            errors = " ".join(process.stderr.split())[-500:]
            raise Failed(f"{program} {job} ended with {process.returncode}: {errors}")
        self.errors = process.stderr
        return [json.loads(line) for line in process.stdout.splitlines() if line]


def build(configuration, is_built):
    """Builds the package unless it is, and returns the folder of its programs. The compiler writes to standard error."""
    command = ["swift", "build", "--package-path", str(PACKAGE), "-c", configuration]
    if not is_built and subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode != 0:
        raise Failed("the package does not build")
    path = subprocess.run([*command, "--show-bin-path"], check=True, capture_output=True, text=True).stdout
    return Path(path.strip())


class Scratch:
    """A folder beside the build that is gone afterwards."""

    def __enter__(self):
        (PACKAGE / ".build").mkdir(exist_ok=True)
        self.path = Path(tempfile.mkdtemp(prefix="scratch-", dir=PACKAGE / ".build"))
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)
