"""Runs files of Python tests, three at a time, for scripts/test: such a test mostly waits for a server or a browser.

    lanes.py [--only PART-OF-A-NAME] FILE…

First comes a line `FILE: N s` for each file that has ended. The output of each file comes after a line `@@ FILE`, or
`@@ FILE: no test ran`; files with failures come last, and then a line `@@`. Name the slowest files first. The exit status is 0
when every file ended with 0 and ran a test; with --only, a file without a test is no failure. After SIGTERM the outputs so far
are printed, without the last line.
"""

import argparse
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

AT_ONCE = 3


class Run:
    """The tests of a file."""

    def __init__(self, file, only):
        self.file, self.only = file, only
        self.output = tempfile.TemporaryFile()
        self.process = None

    def finish(self):
        began = time.monotonic()
        command = [sys.executable, "-m", "unittest", "-v", self.file, *(["-k", self.only] if self.only else [])]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.output, stderr=subprocess.STDOUT)
        self.process.wait()
        return f"{self.file}: {time.monotonic() - began:.0f} s"

    @property
    def text(self):
        self.output.seek(0)
        return self.output.read().decode(errors="replace")

    @property
    def is_empty(self):
        return "\nRan 0 tests in " in self.text

    @property
    def failed(self):
        return not self.only if self.is_empty else self.process.returncode != 0

    def show(self):
        note = ": no test ran" if self.is_empty and self.failed else ""
        print(f"@@ {self.file}{note}", self.text, sep="\n", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Runs files of Python tests, three at a time.")
    parser.add_argument("--only", metavar="NAME", help="only tests whose name has this part")
    parser.add_argument("files", nargs="+", metavar="FILE")
    arguments = parser.parse_args()
    runs = [Run(file, arguments.only) for file in arguments.files]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    pool = ThreadPoolExecutor(AT_ONCE)
    try:
        # Lines are printed by one thread: print writes a line and its end apart.
        for ended in as_completed([pool.submit(run.finish) for run in runs]):
            print(ended.result(), flush=True)
    except SystemExit:
        pool.shutdown(wait=False, cancel_futures=True)
        for run in runs:
            if run.process is not None:
                run.process.terminate()
                run.process.wait()
                run.show()
        raise
    for run in sorted(runs, key=lambda run: run.failed):
        run.show()
    print("@@")
    return int(any(run.failed for run in runs))


if __name__ == "__main__":
    sys.exit(main())
