"""Counts what test runners and the compiler reported, for scripts/test.

    tally.py swift --events FILE --output FILE    Swift Testing's event stream, and the output for XCTest's lines
    tally.py unittest --output FILE               the output of Python's unittest
    tally.py warnings --output FILE --root FOLDER the output of `swift build`: warnings in the project's own files

The first two print `passed failed skipped` as the first line, then one line for each test that failed. `warnings`
prints the warnings. A report that breaks off counts every test without an end as failed. Exit status 0 unless a file
cannot be read; what the numbers mean is for the caller to decide.
"""

import argparse
import json
import re
from pathlib import Path


class Tally:
    """Tests by outcome; each test counts once."""

    def __init__(self):
        self.passed = 0
        self.skipped = 0
        self.failures = []  # one text for each failed test

    def add(self, other):
        self.passed += other.passed
        self.skipped += other.skipped
        self.failures += other.failures

    def __str__(self):
        lines = [f"{self.passed} {len(self.failures)} {self.skipped}"]
        return "\n".join(lines + [" ".join(failure.split()) for failure in self.failures])


def count_events(lines):
    """Counts the test functions of a Swift Testing event stream, version 0: one JSON object in each line."""
    names, ended, skipped, issues = {}, set(), set(), {}
    begun, complete = False, False
    for line in lines:
        try:
            record = json.loads(line)
            kind, payload = record["kind"], record["payload"]
            event = payload["kind"]
        except (ValueError, KeyError, TypeError):
            continue  # the last line of a process that died; the tests that it hides have no end
        begun = True
        identifier = payload.get("testID")
        if kind == "test":
            if event == "function":
                names[payload["id"]] = payload.get("displayName") or payload["name"]
        elif event == "testEnded":
            ended.add(identifier)
            symbols = {message.get("symbol") for message in payload.get("messages", [])}
            if "skip" in symbols:
                skipped.add(identifier)  # cancelled while it ran
        elif event == "testSkipped":
            skipped.add(identifier)
        elif event == "issueRecorded" and is_failure(payload.get("issue", {})):
            issues.setdefault(identifier, describe(payload))
        elif event == "runEnded":
            complete = True
    tally = tally_events(names, ended, skipped, issues, complete)
    if begun and not complete and not tally.failures:
        tally.failures.append("the run broke off after its last test")
    return tally


def is_failure(issue):
    return not issue.get("isKnown", False) and issue.get("isFailure", True)


def describe(payload):
    place = payload.get("issue", {}).get("sourceLocation") or {}
    text = " ".join(message.get("text", "") for message in payload.get("messages", []))
    return f"{place.get('fileID', 'unknown place')}:{place.get('line', 0)} {text}"


def tally_events(names, ended, skipped, issues, complete):
    tally = Tally()
    for identifier, name in names.items():
        if identifier in issues:
            tally.failures.append(f"{name}: {issues.pop(identifier)}")
        elif identifier in skipped:
            tally.skipped += 1
        elif identifier in ended:
            tally.passed += 1
        else:
            tally.failures.append(f"{name}: did not {'run' if complete else 'end'}")
    # What a suite reports, or code outside of any test, is a failure of its own.
    tally.failures += [f"{identifier or 'outside of a test'}: {text}" for identifier, text in issues.items()]
    return tally


XCTEST_LINE = re.compile(r"^Test Case '(.+)' (started|passed|failed|skipped)\b")


def count_xctest(lines):
    """Counts XCTest's lines; a test that only started took the process with it."""
    outcomes = {}
    for line in lines:
        match = XCTEST_LINE.match(line)
        if match:
            outcomes[match[1]] = match[2]
    tally = Tally()
    for name, outcome in outcomes.items():
        if outcome == "passed":
            tally.passed += 1
        elif outcome == "skipped":
            tally.skipped += 1
        else:
            tally.failures.append(f"{name}: {'did not end' if outcome == 'started' else 'failed'}")
    return tally


UNITTEST_RAN = re.compile(r"^Ran (\d+) tests? in ")
UNITTEST_END = re.compile(r"^(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$")
UNITTEST_FAILURE = re.compile(r"^(FAIL|ERROR|UNEXPECTED SUCCESS): (.+)$")


def count_unittest(lines):
    """Counts the reports of unittest: one, or those of several files as lanes.py prints them."""
    begins = [number for number, line in enumerate(lines) if line == "@@" or line.startswith("@@ ")]
    if not begins:
        return count_report(lines)
    tally = Tally()
    for begin, end in zip(begins, begins[1:]):
        if lines[begin].endswith(": no test ran"):
            tally.failures.append(lines[begin][3:])
        else:
            tally.add(count_report(lines[begin + 1:end]))
    if lines[begins[-1]] != "@@":
        tally.failures.append("the run broke off before its last file")
    return tally


def count_report(lines):
    """Counts by unittest's report at the end, because its line for each test mixes with what the tests print."""
    ran, details, failures, previous = None, None, [], ""
    for line in lines:
        if match := UNITTEST_RAN.match(line):
            ran = int(match[1])
        elif ran is not None and (match := UNITTEST_END.match(line)):
            details = {name.strip(): int(number) for name, number in re.findall(r"([a-z ]+)=(\d+)", match[1] or "")}
        elif match := UNITTEST_FAILURE.match(line):
            if previous.startswith("======") or match[1] == "UNEXPECTED SUCCESS":
                # The parts of a test (subTest) come one by one, with a suffix each.
                name = re.sub(r"^(\S+ \([^)]*\)).*", r"\1", match[2])
                if name not in failures:
                    failures.append(name)
        previous = line
    tally = Tally()
    if details is None:
        tally.failures = failures + ["the run broke off without a summary"]
        return tally
    if not failures and any(details.get(name) for name in ("failures", "errors", "unexpected successes")):
        failures = ["a test that the report does not name"]
    tally.failures = failures
    tally.skipped = details.get("skipped", 0)
    # What fails around the tests is not among those that ran.
    around = sum(name.startswith(("setUpClass", "tearDownClass", "setUpModule", "tearDownModule")) for name in failures)
    tally.passed = max(0, ran - (len(failures) - around) - tally.skipped)
    return tally


COMPILER_WARNING = re.compile(r"^(/.+?\.[A-Za-z]+):\d+:\d+: warning: ")
PACKAGE_WARNING = re.compile(r"^warning: '([^']+)': ")


def own_warnings(lines, root):
    """The warnings in files under root, which are not those of a dependency, and those about its packages."""
    packages = {"tributary", "tributary-workspace", "workspace", root.name.lower()}
    warnings = []
    for line in lines:
        if match := COMPILER_WARNING.match(line):
            path = Path(match[1])
            own = path.is_relative_to(root) and not any(
                part.startswith(".") for part in path.relative_to(root).parts)
        else:
            match = PACKAGE_WARNING.match(line)
            own = match is not None and match[1].lower() in packages
        # The compiler tells some twice, once for the module and once for the file.
        if own and line not in warnings:
            warnings.append(line)
    return warnings


def read_lines(path):
    return Path(path).read_text(encoding="utf-8", errors="replace").split("\n")


def main():
    parser = argparse.ArgumentParser(description="Counts what test runners and the compiler reported.")
    parser.add_argument("report", choices=["swift", "unittest", "warnings"])
    parser.add_argument("--output", required=True)
    parser.add_argument("--events")
    parser.add_argument("--root", type=Path)
    arguments = parser.parse_args()
    lines = read_lines(arguments.output)
    if arguments.report == "unittest":
        print(count_unittest(lines))
    elif arguments.report == "swift":
        # A runner that died at its start leaves no stream.
        events = read_lines(arguments.events) if Path(arguments.events).exists() else []
        tally = count_xctest(lines)
        tally.add(count_events(events))
        print(tally)
    else:
        for warning in own_warnings(lines, arguments.root.resolve()):
            print(warning)


if __name__ == "__main__":
    main()
