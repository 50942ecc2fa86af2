"""Trees of Debian that debootstrap makes, for the tests of packages and of the image.

TRIBUTARY_DEBIAN names a folder that keeps the trees for the next run, TRIBUTARY_DEBIAN_MIRROR another mirror.
"""

import os
import shutil
import subprocess
import unittest
from pathlib import Path

# Without one, debootstrap takes its own.
MIRROR = os.environ.get("TRIBUTARY_DEBIAN_MIRROR")


def make_tree(suite, target, packages=()):
    """The base system of a Debian and these packages."""
    kept = os.environ.get("TRIBUTARY_DEBIAN")
    if not kept:
        return debootstrap(suite, target, packages)
    tree = Path(kept) / "-".join((suite, *packages))
    if not tree.is_dir():
        debootstrap(suite, tree, packages)
    subprocess.run(["cp", "--archive", str(tree), str(target)], check=True)


def debootstrap(suite, folder, packages):
    run = subprocess.run(
        ["debootstrap", "--variant=minbase", *([f"--include={','.join(packages)}"] if packages else []), suite, str(folder),
         *([MIRROR] if MIRROR else [])],
        capture_output=True, text=True, check=False)
    if run.returncode != 0:
        shutil.rmtree(folder, ignore_errors=True)
        raise unittest.SkipTest(f"debootstrap cannot make {suite}: {run.stdout[-300:]}{run.stderr[-300:]}")
