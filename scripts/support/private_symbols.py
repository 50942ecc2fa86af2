#!/usr/bin/env python3
"""Finds private symbols of JavaScriptCore in what Apple's systems build: the App Store refuses apps that use one.

    scripts/support/private_symbols.py FILE...

Lines that only Linux compiles, those behind `#if canImport(CTributaryJavaScriptCore)`, do not count.
"""

import re
import sys

PRIVATE = re.compile(
    r"\b(JSContextGroupSetExecutionTimeLimit|JSContextGroupClearExecutionTimeLimit|JSGlobalContextSetEvalEnabled"
    r"|JSGetMemoryUsageStatistics|JSHeapFinalizer|JSContextGroupAddHeapFinalizer|JSContextGroupEnableSamplingProfiler"
    r"|JSSynchronousGarbageCollectForDebugging|jsc_\w+|g_config|EngineSymbols|EngineOptions|dlsym|dlopen)\b")
ONLY_LINUX = "canImport(CTributaryJavaScriptCore)"


def private_uses(text):
    """The lines with a private symbol that Apple's systems compile, as (number, line)."""
    # For each open #if, whether the branch that is being read is for Linux alone.
    branches = []
    for number, line in enumerate(text.splitlines(), 1):
        directive = line.strip()
        if directive.startswith("#if "):
            branches.append(directive[4:].strip() == ONLY_LINUX)
        elif directive.startswith("#elseif") or directive == "#else":
            branches[-1] = False
        elif directive == "#endif":
            branches.pop()
        elif not any(branches) and not directive.startswith("//") and PRIVATE.search(line):
            yield number, line.strip()


def main(paths):
    count = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for number, line in private_uses(file.read()):
                print(f"{path}:{number}: error: private on Apple's systems: {line}", file=sys.stderr)
                count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
