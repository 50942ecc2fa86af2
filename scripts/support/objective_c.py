"""Compiles Objective-C on Linux, with headers by hand in place of those that the Swift compiler writes on Apple's systems."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOUNDATION = ROOT / "Tests/ObjectiveC"
APPS = ROOT / "Tests/AppleConsumer/Sources"
# The header of each module that an app imports.
HEADERS = {
    "Foundation": FOUNDATION / "Foundation/Foundation.h",
    "TributaryObjC": ROOT / "Tests/TributaryObjCTests/ObjectiveC/TributaryObjC-Swift.h",
    "TributaryObjCNames": ROOT / "Sources/TributaryObjCNames/include/TributaryObjCNames.h",
    "AnalyticsCompatObjC": ROOT / "Sources/AnalyticsCompatObjC/Headers/SEGAnalytics.h",
    "AnalyticsCompatObjCNames": ROOT / "Sources/AnalyticsCompatObjCNames/include/AnalyticsCompatObjCNames.h",
}


def messages(source):
    """What clang says about a source in Objective-C; nothing when it is right."""
    source = re.sub(r"@import (\w+);", lambda name: f'#import "{HEADERS[name[1]]}"', source)
    command = [
        "clang", "-x", "objective-c", "-fsyntax-only", "-fblocks", "-fobjc-arc", "-fobjc-runtime=macosx-10.15", "-Wall", "-Wextra",
        "-Wno-unused-parameter", "-Werror", *(f"-I{header.parent}" for header in HEADERS.values()), "-isystem", str(FOUNDATION), "-",
    ]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=False).stderr
