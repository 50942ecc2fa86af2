"""Compiles Objective-C on Linux, with headers by hand in place of those that the Swift compiler writes on Apple's systems."""

import re
import subprocess
import tempfile
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


# The module maps that the targets have of their own.
MAPS = {"AnalyticsCompatObjCNames": HEADERS["AnalyticsCompatObjCNames"].with_name("module.modulemap")}


def messages(source):
    """What clang says about a source in Objective-C; nothing when it is right."""
    source = re.sub(r"@import (\w+);", lambda name: f'#import "{HEADERS[name[1]]}"', source)
    return compiled(source, [f"-I{header.parent}" for header in HEADERS.values()])


def messages_with_modules(source):
    """What clang says about a source whose headers import modules, as apps for Apple's systems have them."""
    with tempfile.TemporaryDirectory() as folder:
        maps = Path(folder) / "modules"
        maps.write_text("".join(
            f'extern module {name} "{MAPS[name]}"\n' if name in MAPS else f'module {name} {{ header "{header}" export * }}\n'
            for name, header in HEADERS.items()), encoding="utf-8")
        return compiled(source, [
            "-fmodules", f"-fmodules-cache-path={folder}/cache", f"-fmodule-map-file={maps}",
            *(f"-I{file.parent}" for file in MAPS.values()),
        ])


def compiled(source, options):
    command = [
        "clang", "-x", "objective-c", "-fsyntax-only", "-fblocks", "-fobjc-arc", "-fobjc-runtime=macosx-10.15", "-Wall", "-Wextra",
        "-Wno-unused-parameter", "-Werror", *options, "-isystem", str(FOUNDATION), "-",
    ]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=False).stderr
