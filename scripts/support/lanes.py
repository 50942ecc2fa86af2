"""Runs files of Python tests, two at a time, for scripts/test: such a test mostly waits for a server or a browser.

    lanes.py [--only PART-OF-A-NAME] FILE…

The output of each file comes after a line `@@ FILE`, or `@@ FILE: no test ran`; that of files with failures comes last. In
front of all, each file has a line `FILE: N s`. Name the slowest files first. The exit status is 0 when every file ended
with 0 and ran a test; with --only, a file without a test is no failure. The last line is `@@`.
"""

import argparse
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

AT_ONCE = 2


def run(file, only):
    """Returns whether the file failed, and its output with the line in front."""
    began = time.monotonic()
    command = [sys.executable, "-m", "unittest", "-v", file, *(["-k", only] if only else [])]
    ended = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
        errors="replace")
    print(f"{file}: {time.monotonic() - began:.0f} s", flush=True)
    if "\nRan 0 tests in " in ended.stdout:
        failed = not only
        return failed, f"@@ {file}{': no test ran' if failed else ''}\n{ended.stdout}"
    return ended.returncode != 0, f"@@ {file}\n{ended.stdout}"


def main():
    parser = argparse.ArgumentParser(description="Runs files of Python tests, two at a time.")
    parser.add_argument("--only", metavar="NAME", help="only tests whose name has this part")
    parser.add_argument("files", nargs="+", metavar="FILE")
    arguments = parser.parse_args()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        ends = list(pool.map(lambda file: run(file, arguments.only), arguments.files))
    print(*(output for _, output in sorted(ends)), "@@", sep="\n")
    return int(any(failed for failed, _ in ends))


if __name__ == "__main__":
    sys.exit(main())
