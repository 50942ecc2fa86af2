#!/usr/bin/env python3
"""Compiles the client against an Apple SDK, see `scripts/check-apple --sdk`."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import compare_stubs  # noqa: E402
from apple_sdk import for_apple, rewrite  # noqa: E402

OUT = ROOT / ".build-apple/sdk"

FEATURES = [
    "-swift-version", "6",
    "-enable-upcoming-feature", "ExistentialAny",
    "-enable-upcoming-feature", "InternalImportsByDefault",
    "-enable-upcoming-feature", "MemberImportVisibility",
    "-package-name", "tributary",
]

# How C's logging is called in Swift, which an SDK leaves to Apple's compiler: only what the SDK's own module needs.
OS_NOTES = """Name: os
Typedefs:
- {Name: os_log_type_t, SwiftName: OSLogType}
- {Name: os_signpost_type_t, SwiftName: OSSignpostType}
- {Name: os_log_t, Availability: nonswift}
Classes:
- {Name: OS_os_log, SwiftName: OSLog}
Enumerators:
""" + "".join(
    f"- {{Name: {name}, SwiftPrivate: true}}\n"
    for name in (
        "OS_LOG_TYPE_DEFAULT", "OS_LOG_TYPE_INFO", "OS_LOG_TYPE_DEBUG", "OS_LOG_TYPE_ERROR", "OS_LOG_TYPE_FAULT",
        "OS_SIGNPOST_EVENT", "OS_SIGNPOST_INTERVAL_BEGIN", "OS_SIGNPOST_INTERVAL_END",
    )
) + """Functions:
- {Name: os_log_type_enabled, SwiftName: 'OSLog.isEnabled(self:type:)'}
- {Name: os_log_create, SwiftName: 'OSLog.init(__subsystem:category:)', SwiftPrivate: true, NullabilityOfRet: N}
- {Name: os_signpost_id_generate, SwiftPrivate: true, NullabilityOfRet: O}
- {Name: os_signpost_id_make_with_pointer, SwiftPrivate: true, NullabilityOfRet: O}
- {Name: os_signpost_enabled, SwiftPrivate: true}
- {Name: _os_log_impl, SwiftPrivate: true}
- {Name: _os_signpost_emit_with_name_impl, SwiftPrivate: true}
"""

# In the order in which they need each other.
MODULES = [
    "TributaryJSON", "TributaryJournal", "TributaryFilters", "TributaryScript", "TributaryRules", "TributaryRuleCompiler",
    "TributaryCryptography",
    "TributaryEncryption", "Tributary", "TributaryCommerce", "TributaryObjC", "TributaryTesting", "TributaryInspector",
    "TributaryActions", "AnalyticsLive", "AnalyticsCompat", "AnalyticsCompatObjC", "TributaryFilterTestKit", "TributaryPluginTestKit",
]
# As SwiftUI is built: see the one declaration of it.
IN_SWIFT_5 = {"TributaryActions"}
# What has headers and is not a library of Linux, which only has a map.
C_MODULES = sorted(folder.parent.name for folder in (ROOT / "Sources").glob("*/include"))


@dataclass(frozen=True)
class System:
    """A system as an SDK has it: a triple without version, and the versions to compile for."""

    name: str
    architecture: str
    triple: str
    oldest: str
    newest: str

    def module_triple(self):
        return f"{self.architecture}-apple-{self.triple}"

    def target(self, version):
        name, _, environment = self.triple.partition("-")
        name = {"macos": "macosx"}.get(name, name)
        return f"{self.architecture}-apple-{name}{version}" + (f"-{environment}" if environment else "")


SYSTEMS = [
    System("iOS", "arm64", "ios", "13.0", "26.0"),
    System("iOS simulator", "arm64", "ios-simulator", "14.0", "26.0"),
    System("macOS", "x86_64", "macos", "10.15", "26.0"),
    System("Catalyst", "x86_64", "ios-macabi", "13.1", "26.0"),
    System("tvOS", "arm64", "tvos", "13.0", "26.0"),
    System("watchOS", "arm64_32", "watchos", "7.0", "26.0"),
    System("visionOS", "arm64", "xros", "1.0", "26.0"),
]


def systems_of(sdk):
    found = []
    for system in SYSTEMS:
        folder = sdk / ("System/iOSSupport/usr/lib/swift" if system.name == "Catalyst" else "usr/lib/swift")
        if (folder / f"Swift.swiftmodule/{system.module_triple()}.swiftinterface").exists():
            found.append(system)
    return found


@dataclass
class Result:
    module: str
    errors: list = field(default_factory=list)
    warnings: list = field(default_factory=list)
    passed: bool = True


class Compiler:
    """One system of one SDK, for one version."""

    def __init__(self, sdk, system, version, toolchain):
        self.system, self.toolchain = system, toolchain
        self.target = system.target(version)
        self.copy = OUT / "copies" / sdk.name
        self.cache = OUT / "cache" / sdk.name
        self.out = OUT / f"{sdk.stem}-{self.target}"
        self.sdk_version = self.version_of(sdk)
        self.frontend = toolchain / "bin/swift-frontend"
        self.out.mkdir(parents=True, exist_ok=True)
        self.prepare_copy(sdk)
        self.prepare_resources()
        self.prepare_c()

    def prepare_c(self):
        """One map for all, which stays the same: each module of the SDK depends on it."""
        rewrite(OUT / "c.modulemap", "".join(self.c_map(name) for name in C_MODULES))

    @staticmethod
    def c_map(name):
        folder = ROOT / "Sources" / name / "include"
        if (folder / "module.modulemap").exists():
            return f'extern module {name} "{folder}/module.modulemap"\n'
        return f'module {name} {{\n    umbrella "{folder}"\n    export *\n}}\n'

    def version_of(self, sdk):
        """The version of the system that the SDK is of; Catalyst has that of iOS, three ahead of macOS before 26."""
        version = json.loads((sdk / "SDKSettings.json").read_text(encoding="utf-8"))["Version"].split(".")
        major, minor = int(version[0]), int(version[1])
        if self.system.name == "Catalyst" and major < 26:
            major += 3
        return major, minor

    def prepare_copy(self, sdk):
        triple = self.system.module_triple()
        mark = self.copy.parent / f"{sdk.name}.{triple}.ready"
        program = HERE / "apple_sdk.py"
        if mark.exists() and mark.stat().st_mtime > program.stat().st_mtime:
            return
        self.copy.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, program, sdk, self.copy, triple, self.toolchain], check=True)
        mark.touch()

    def borrowed(self):
        """What the copy has of another SDK."""
        file = self.copy.parent / f"{self.copy.name}.{self.system.module_triple()}.borrowed"
        return file.read_text(encoding="utf-8").splitlines() if file.exists() else []

    def prepare_resources(self):
        """The toolchain's resources without the modules of Linux, which would be found before Apple's."""
        self.resources = OUT / "resources"
        self.resources.mkdir(parents=True, exist_ok=True)
        for name in ("clang", "shims", "host"):
            link = self.resources / name
            if not link.is_symlink():
                link.symlink_to(self.toolchain / "lib/swift" / name)
        notes = self.resources / "apinotes/os.apinotes"
        # Modules that were built with other notes are not built again by themselves.
        if not notes.exists() or notes.read_text(encoding="utf-8") != OS_NOTES:
            shutil.rmtree(OUT / "cache", ignore_errors=True)
            rewrite(notes, OS_NOTES)

    def base(self):
        host = self.toolchain / "lib/swift/host"
        options = [
            "-target", self.target, "-sdk", self.copy, "-resource-dir", self.resources,
            "-module-cache-path", self.cache, "-I", self.out,
            "-Xcc", f"-fmodule-map-file={OUT}/c.modulemap",
            "-plugin-path", host / "plugins", "-in-process-plugin-server-path", host / "libSwiftInProcPluginServer.so",
            "-enable-objc-interop", "-enable-cross-import-overlays", "-Onone", "-g",
            # Modules of the SDK are built for one of both, so everything is compiled as for an extension of an app.
            "-application-extension",
        ]
        return options + self.catalyst()

    def c(self):
        folder = self.out / "c"
        folder.mkdir(exist_ok=True)
        results = []
        for name in C_MODULES:
            for source in sorted((ROOT / "Sources" / name).glob("*.c")):
                command = [
                    self.toolchain / "bin/clang", "-target", self.target, "-isysroot", self.copy,
                    "-I", ROOT / "Sources" / name / "include", "-Wall", "-Wextra", "-std=gnu11", "-fmodules",
                    f"-fmodules-cache-path={self.cache}", "-c", source, "-o", folder / f"{name}-{source.stem}.o",
                ]
                results.append(self.run(f"{name}/{source.name}", command))
        return results

    def swift(self, module, files, options):
        command = [
            self.frontend, "-c", "-wmo", "-parse-as-library", "-module-name", module, "-o", self.out / f"{module}.o",
            "-emit-module-path", self.out / f"{module}.swiftmodule",
            "-emit-objc-header-path", self.out / f"{module}-Swift.h",
            # The wrappers' text is compared with SwiftUI's.
            *(["-emit-module-interface-path", self.out / f"{module}.swiftinterface"] if module == "AnalyticsLive" else []),
            *self.base(), *options, *files,
        ]
        return self.run(module, command)

    def objective_c(self, file):
        return self.run(f"objective-c-{file.name}", [
            self.toolchain / "bin/clang", "-target", self.target, "-isysroot", self.copy, "-fsyntax-only", "-fobjc-arc", "-Wall",
            "-Werror", "-fmodules", f"-fmodules-cache-path={self.cache}", f"-fmodule-map-file={OUT}/c.modulemap",
            "-fmodule-map-file=" + str(self.out / "c/objective_c.modulemap"),
            "-I", ROOT / "Sources/AnalyticsCompatObjCNames/include", *self.catalyst(clang=True), file,
        ])

    def catalyst(self, clang=False):
        if self.system.name != "Catalyst":
            return []
        support = self.copy / "System/iOSSupport"
        if clang:
            return ["-iframework", support / "System/Library/Frameworks"]
        return ["-Fsystem", support / "System/Library/Frameworks", "-I", support / "usr/lib/swift"]

    def add_testing(self):
        """Swift Testing, as the toolchain has it, for this system."""
        ours = next((self.toolchain / "lib/swift/linux/Testing.swiftmodule").glob("*-linux-gnu.swiftinterface"))
        place = self.out / f"Testing.swiftmodule/{self.system.module_triple()}.swiftinterface"
        text = for_apple(ours.read_text(encoding="utf-8"), self.target)
        if not place.exists() or place.read_text(encoding="utf-8") != text:
            rewrite(place, text)

    def run(self, name, command):
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", env={**os.environ, "LC_ALL": "C.UTF-8"})
        (self.out / (name.replace("/", "-") + ".log")).write_text(done.stdout)
        result = Result(name, passed=done.returncode == 0)
        # Sources without what is newer than the SDK have the same lines.
        for line in dict.fromkeys(done.stdout.replace(f"{self.out}/older/", f"{ROOT}/").splitlines()):
            if re.match(r"\S.*: (?:fatal )?error: |error: |<unknown>:0: error", line):
                result.errors.append(line.replace(f"{ROOT}/", ""))
            elif re.match(rf"{re.escape(str(ROOT))}/.*: warning: ", line) and str(self.copy) not in line:
                result.warnings.append(line.replace(f"{ROOT}/", ""))
        return result


def sources(folder):
    return sorted(folder.rglob("*.swift"))


# What an SDK that is older than a declaration cannot know is left out of that declaration's file, and listed. Only where a
# file uses a framework: the standard library is always the toolchain's.
FRAMEWORK = re.compile(r"^(?:@\w+ )?(?:public |internal )?import (?:SwiftUI|UIKit|AppKit|WatchKit|AppIntents|StoreKit)\b", re.MULTILINE)


class Hidden:
    """The sources without the declarations that are newer than the SDK."""

    def __init__(self, compiler):
        self.name = {"Catalyst": "iOS", "iOS simulator": "iOS"}.get(compiler.system.name, compiler.system.name)
        self.version = compiler.sdk_version
        # The version of iOS of the same year, as far as an SDK before 26 is concerned.
        self.year = (self.version[0] + (3 if self.name == "macOS" and self.version[0] < 26 else 0), self.version[1])
        self.folder = compiler.out / "older"
        self.found = []

    def files(self, files):
        return [shown for shown in map(self.file, files) if shown is not None]

    def file(self, file):
        text = file.read_text(encoding="utf-8")
        if FRAMEWORK.search(text) is None:
            return file
        lines, shown = text.splitlines(), []
        at = 0
        while at < len(lines):
            branch = self.branch(lines, at)
            if branch is not None:
                otherwise, last = branch
                self.found.append(f"{file.relative_to(ROOT)}:{at + 1}: {lines[at].strip()}")
                shown += [""] * (otherwise + 1 - at) + lines[otherwise + 1:last] + [""] * (last > otherwise)
                at = last + 1
                continue
            end = self.end(lines, at)
            if end is None:
                shown.append(lines[at])
                at += 1
                continue
            subject = next((line.strip() for line in lines[at:end] if not line.strip().startswith("@")), lines[at].strip())
            self.found.append(f"{file.relative_to(ROOT)}:{at + 1}: {subject}")
            shown += [""] * (end - at)
            at = end
        if shown == lines:
            return file
        code = [line for line in shown if not re.match(r"\s*(?:$|//|#|(?:public |internal )?import )", line)]
        if not code:
            return None
        copy = self.folder / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text("\n".join(shown) + "\n", encoding="utf-8")
        return copy

    def is_newer(self, lines, at):
        """Whether what begins here came after the SDK. What this system never had came with iOS."""
        marks = [lines[at]]
        while len(marks) + at < len(lines) and lines[at + len(marks)].lstrip().startswith("@available("):
            marks.append(lines[at + len(marks)])
        name, version = self.name, self.version
        if any(f"@available({self.name}, unavailable)" in mark for mark in marks):
            name, version = "iOS", self.year
        wanted = re.search(rf"available\([^)]*\b{name} (\d+)(?:\.(\d+))?", lines[at])
        return wanted is not None and (int(wanted[1]), int(wanted[2] or 0)) > version

    def branch(self, lines, at):
        """The lines with `} else {` and with the last brace of a branch for a system that is newer than the SDK; nil when there is none.

        Without an `else`, both are the last brace.
        """
        start = re.match(r"(\s*)if #available\(.*\{$", lines[at])
        if start is None or not self.is_newer(lines, at):
            return None
        braces = [number for number in range(at + 1, len(lines)) if lines[number].startswith(f"{start[1]}}}")]
        return (braces[0], braces[1]) if lines[braces[0]].endswith("} else {") else (braces[0], braces[0])

    def end(self, lines, at):
        """Where a declaration or a branch ends that is newer than the SDK; nil when the line begins none."""
        line = lines[at]
        if not self.is_newer(lines, at):
            return None
        if re.match(r"\s*@available\(", line):
            depth, opened, last = 0, False, at
            while last < len(lines):
                code = re.sub(r'"(?:[^"\\\\]|\\\\.)*"', "", lines[last].split("//")[0])
                depth += code.count("{") - code.count("}")
                opened = opened or "{" in code
                last += 1
                if opened and depth == 0 and re.match(r"\s*(?:\}|[^\s)].*\}$)", lines[last - 1]):
                    return last
                # A declaration without a body.
                if not opened and code.strip() and not code.strip().startswith(("@", "public init", "public func")):
                    if re.search(r"\b(?:typealias|case|let)\b", code) and code.count("(") == code.count(")"):
                        return last
            return last
        return None


OLDEST_OF_EXAMPLE = {"iOS": "14.0", "macOS": "11.0", "tvOS": "14.0", "Catalyst": "14.0"}


class Check:
    """Compiles everything for one system and one version."""

    def __init__(self, compiler, show):
        self.compiler, self.show = compiler, show
        self.hidden = Hidden(compiler)
        self.results = []

    def add(self, result):
        self.results.append(result)
        state = "ok  " if result.passed and not result.warnings else "FAIL"
        print(f"{state} {result.module}: {len(result.errors)} errors, {len(result.warnings)} warnings", flush=True)
        for line in (result.errors + result.warnings)[: self.show]:
            print(f"    {line}")
        if not result.passed and not result.errors:
            print("    (the compiler gave no error of ours; the rest is in the log)")

    def module(self, name, files, options):
        self.add(self.compiler.swift(name, self.hidden.files(files), options))

    def library(self, wanted):
        for result in self.compiler.c():
            self.add(result)
        log = ROOT / ".build/checkouts/swift-log/Sources/Logging"
        if not log.exists():
            subprocess.run(["swift", "package", "--package-path", ROOT, "resolve"], check=True)
        self.add(self.compiler.swift("Logging", sources(log), [
            "-swift-version", "6", "-package-name", "swift-log", "-suppress-warnings"]))
        for module in wanted:
            mode = ["-swift-version", "5"] if module in IN_SWIFT_5 else []
            self.module(module, sources(ROOT / "Sources" / module), [*FEATURES, *mode, "-enable-testing"])

    def tests(self):
        """The tests for Apple's systems, with what they need."""
        if self.compiler.system.name not in ("iOS", "macOS", "Catalyst", "tvOS", "watchOS"):
            return
        self.compiler.add_testing()
        self.module("TestSupport", sources(ROOT / "Tests/Support"), [*FEATURES, "-enable-testing"])
        self.module("AppleTests", sources(ROOT / "Tests/AppleTests"), [*FEATURES, "-disable-cross-import-overlays"])

    def example(self):
        self.module("Example", sorted((ROOT / "Examples/SwiftUIApp").glob("*.swift")), FEATURES)

    def probes(self):
        forms, extension = PROBES / "Forms.swift", PROBES / "Extension.swift"
        for mode in ("5", "6"):
            self.add(self.compiler.swift(f"FormsInSwift{mode}", [forms], ["-swift-version", mode]))
        self.add(self.compiler.swift("ExtensionProbe", [extension], ["-swift-version", "6"]))
        for app, mode in (("Swift5App", "5"), ("Swift6App", "6"), ("ExtensionApp", "6")):
            self.add(self.compiler.swift(app, sources(CONSUMER / app), ["-swift-version", mode]))

    def watch_app(self):
        self.add(self.compiler.swift("WatchApp", [PROBES / "WatchApp.swift"], ["-swift-version", "6"]))

    def objective_c(self):
        """The headers that the compiler writes, used by files in Objective-C."""
        maps = "".join(
            f'module {name} {{\n    header "{self.compiler.out}/{name}-Swift.h"\n    requires objc\n    export *\n}}\n'
            for name in MODULES if (self.compiler.out / f"{name}-Swift.h").exists())
        (self.compiler.out / "c/objective_c.modulemap").write_text(maps)
        for file in OBJECTIVE_C_FILES:
            self.add(self.compiler.objective_c(file))


# Apps as others write them, which the package manager builds on a Mac.
CONSUMER = ROOT / "Tests/AppleConsumer/Sources"
OBJECTIVE_C_FILES = sorted(CONSUMER.rglob("*.m"))
PROBES = ROOT / "Tests/AppleSDK/Probes"


def products():
    """The libraries that Package.swift offers to apps: each must be compiled here."""
    found = re.findall(r'\.library\(name: "(\w+)"', (ROOT / "Package.swift").read_text(encoding="utf-8"))
    return [name for name in found if name != "CFuzzer"]


def check(sdk, system, version, toolchain, wanted, show):
    started = time.monotonic()
    compiler = Compiler(sdk, system, version, toolchain)
    print(f"== {sdk.name}, {compiler.target}", flush=True)
    run = Check(compiler, show)
    run.library(wanted)
    if wanted == MODULES:
        run.tests()
        if system.name in OBJECTIVE_C_SYSTEMS:
            run.objective_c()
        if system.name == "watchOS":
            run.watch_app()
        # The example and the forms of apps use what the oldest systems lack.
        if version == system.newest and system.name == "iOS":
            run.example()
            run.probes()
    if wanted == MODULES:
        keep(compiler, run.results)
    failed = [result for result in run.results if not result.passed or result.warnings]
    print(f"{compiler.target}: {len(run.results)} compiled, {len(failed)} failed, "
          f"{sum(len(result.errors) for result in run.results)} errors, "
          f"{sum(len(result.warnings) for result in run.results)} warnings, {time.monotonic() - started:.0f} s", flush=True)
    same = wanted != MODULES or not (compiler.out / "AnalyticsLive.swiftinterface").exists() or compare_wrappers(compiler)
    hidden = sorted(set(run.hidden.found))
    for line in compiler.borrowed():
        print(f"not in this SDK, of {line}")
    print(f"{len(hidden)} declarations are newer than the SDK, and unproven:")
    for line in hidden:
        print(f"    {line}")
    return not failed and same


def keep(compiler, results):
    """Keeps what was found for `--table`."""
    found = {result.module: [len(result.errors) + (not result.passed and not result.errors), len(result.warnings)] for result in results}
    rewrite(compiler.out / "results.json", json.dumps({"target": compiler.target, "sdk": compiler.copy.name, "modules": found}))


def table():
    """What was compiled against which SDK, for which system and version: one row for each module, errors and warnings in each cell."""
    runs = [json.loads(file.read_text()) for file in sorted(OUT.glob("*/results.json"))]
    rows = dict.fromkeys(module for run in runs for module in run["modules"])
    cells = [["errors, warnings", *(run["target"].split("-", 1)[1].removeprefix("apple-") for run in runs)],
             ["SDK", *(run["sdk"].removesuffix(".sdk") for run in runs)]]
    for module in rows:
        found = [run["modules"].get(module) for run in runs]
        cells.append([module, *("-" if each is None else f"{each[0]}, {each[1]}" for each in found)])
    widths = [max(len(row[at]) for row in cells) for at in range(len(runs) + 1)]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in cells]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]])


def compare_wrappers(compiler):
    """Whether the initialisers of the `Signal` views are SwiftUI's."""
    triple = f"{compiler.system.module_triple()}.swiftinterface"
    roots = [compiler.copy / "System/iOSSupport"] if compiler.system.name == "Catalyst" else [compiler.copy]
    texts = []
    for module in ("SwiftUI", "SwiftUICore", "_AppIntents_SwiftUI"):
        for root in roots:
            texts += sorted((root / f"System/Library/Frameworks/{module}.framework").rglob(f"{module}.swiftmodule/{triple}"))[:1]
    ours = compiler.out / "AnalyticsLive.swiftinterface"
    return subprocess.run([sys.executable, HERE / "compare_wrappers.py", ours, *texts]).returncode == 0


OBJECTIVE_C_SYSTEMS = ("iOS", "macOS", "Catalyst", "tvOS")


def self_test(sdk, system, toolchain):
    """Mistakes that the compiler must find: each on its line, and no error on another."""
    compiler = Compiler(sdk, system, system.oldest, toolchain)
    count, wrong = 0, []
    for file, phase in ((ROOT / "Tests/AppleSDK/Mistakes.swift", "-typecheck"), (ROOT / "Tests/AppleSDK/Flows.swift", "-emit-sil")):
        command = [compiler.frontend, phase, "-o", "/dev/null", "-module-name", "Mistakes", "-parse-as-library",
                   *compiler.base(), "-swift-version", "6", file]
        if phase == "-typecheck":
            command = [word for word in command if word not in ("-o", "/dev/null")]
        result = compiler.run(f"self-test-{file.stem}", command)
        log = (compiler.out / f"self-test-{file.stem}.log").read_text()
        found = {}
        for place in re.finditer(rf"^{re.escape(str(file))}:(\d+):\d+: error: (.*)$", log, re.MULTILINE):
            found.setdefault(int(place[1]), []).append(place[2])
        for number, line in enumerate(file.read_text().splitlines(), 1):
            mark = re.search(r"// mistake:(.*)$", line)
            errors = found.get(number, [])
            if mark is None:
                wrong += [f"{file.name}:{number}: {error}" for error in errors]
                continue
            count += 1
            part = mark[1].replace("(stubs)", "").strip()
            if not any(part in error for error in errors):
                wrong.append(f"{file.name}:{number} is taken for right, or has another error: {line.strip()} {errors}")
    for line in wrong:
        print(f"    {line}")
    print(f"check-apple: {count} mistakes, {len(wrong)} not found as expected ({sdk.name})")
    return not wrong


def find_sdks(given):
    if given:
        return given
    folder = os.environ.get("TRIBUTARY_APPLE_SDKS")
    found = sorted(Path(folder).glob("*.sdk")) if folder else []
    if not found:
        print("check-apple: no SDK of Apple's is here (--sdk FOLDER, or TRIBUTARY_APPLE_SDKS): nothing was compiled against one")
    return found


def main():
    parser = argparse.ArgumentParser(prog="check-apple --sdk")
    parser.add_argument("--sdk", type=Path, action="append", help="folder of an SDK, such as iPhoneOS17.4.sdk")
    parser.add_argument("--system", help="one of " + ", ".join(system.name for system in SYSTEMS))
    parser.add_argument("--version", help="one version, in place of the oldest and the newest")
    parser.add_argument("--show", type=int, default=20, metavar="N", help="lines of each module that failed")
    parser.add_argument("--self-test", action="store_true", help="mistakes that must be found, in place of the client")
    parser.add_argument("--table", action="store_true", help="prints what the last run of each SDK, system and version found")
    parser.add_argument("--stubs", action="store_true", help="compares the stubs with the SDK, in place of the client")
    parser.add_argument("modules", nargs="*", help="some modules, in the order in which they need each other")
    given = parser.parse_args()
    if given.table:
        print(table())
        return 0
    missing = set(products()) - set(MODULES)
    if missing:
        sys.exit(f"check-apple: no SDK checks {', '.join(sorted(missing))}: add it to MODULES")
    toolchain = Path(shutil.which("swiftc")).resolve().parents[1]
    passed = True
    for sdk in find_sdks(given.sdk):
        sdk = sdk.resolve()
        systems = [system for system in systems_of(sdk) if given.system in (None, system.name)]
        if not systems:
            print(f"check-apple: {sdk.name} has no Swift modules of a system that is known here", file=sys.stderr)
            passed = False
        for system in systems:
            if given.self_test:
                passed = (system.name != "iOS" or self_test(sdk, system, toolchain)) and passed
                continue
            if given.stubs:
                if system.name in compare_stubs.MODULES:
                    passed = compare_stubs.run(Compiler(sdk, system, system.newest, toolchain)) and passed
                continue
            for version in [given.version] if given.version else [system.oldest, system.newest]:
                passed = check(sdk, system, version, toolchain, given.modules or MODULES, given.show) and passed
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
