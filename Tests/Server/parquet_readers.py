"""pyarrow and DuckDB from PyPI, which read and write Parquet: for tests and benchmarks."""

import subprocess
import sys
from pathlib import Path

PACKAGES = Path(__file__).resolve().parents[2] / ".build-python"
LIBRARIES = ["pyarrow==26.0.1", "duckdb==2.0.1"]


def install():
    """Installs both into a folder of their own. Returns why they are not there; nothing when they are."""
    if (PACKAGES / "pyarrow").exists() and (PACKAGES / "duckdb").exists():
        return None
    run = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--upgrade", "--target", str(PACKAGES), *LIBRARIES],
        capture_output=True, text=True)
    return None if run.returncode == 0 else f"{LIBRARIES} cannot be installed: {run.stderr.strip()[-200:]}"
