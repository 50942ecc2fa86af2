#!/usr/bin/env python3
"""Holds the wrappers of SwiftUI's controls to SwiftUI's interface.

    compare_wrappers.py ANALYTICSLIVE.swiftinterface SWIFTUI.swiftinterface...

Both texts are written by the compiler, so that the same declaration has the same words in both. Prints what SwiftUI declares and the
wrappers do not, and fails when an initialiser of both has other attributes, another isolation or another default.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from apple_sdk import blocks  # noqa: E402

TYPES = [
    "Button", "List", "NavigationLink", "NavigationStack", "Picker", "ScrollView", "SecureField", "Slider", "Stepper",
    "TabView", "TextField", "Toggle",
]
# Left out on purpose: by a word of the declaration, and why.
LEFT_OUT = {
    "_WKStoryboardContent": "storyboards of watches",
    "isDetailLink": "a modifier of a link, which has no signal",
    "selection: Binding<SelectionValue>, @ViewBuilder": "exactly one row: of macOS alone, where the wrapper has it",
    "onEditingChanged: (Bool) -> Void)": "the wrapper has a default in place of a second initialiser",
}
# Where the wrapper's defaults are others, and why.
OTHER_DEFAULTS = {"onCommit": "a default in place of a second initialiser"}


def split(text):
    """The parts between commas outside of any bracket."""
    depth, parts, part = 0, [], ""
    for at, letter in enumerate(text):
        if letter in "([<{":
            depth += 1
        elif letter in ")]}" or (letter == ">" and text[at - 1] != "-"):
            depth -= 1
        if letter == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += letter
    return [part for part in [*parts, part.strip()] if part]


def until_closed(text, start):
    """The text within the bracket that opens at `start`, and what follows it."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] in "(<[{":
            depth += 1
        elif text[at] in ")]}" or (text[at] == ">" and text[at - 1] != "-"):
            depth -= 1
            if depth == 0:
                return text[start + 1:at], text[at + 1:]
    return text[start + 1:], ""


def plain(text):
    text = re.sub(r"\b(?:SwiftUICore|SwiftUI|Swift|Foundation|_Concurrency|AnalyticsLive|DeveloperToolsSupport|AppIntents)\.", "", text)
    text = text.replace("TributaryActions.ControlAction", "@MainActor () -> Void")
    text = text.replace("MainActor(unsafe)", "MainActor @preconcurrency").replace("any View", "View")
    text = re.sub(r"\bSignal(" + "|".join(TYPES) + r")\b", r"\1", text)
    return re.sub(r"\s+", " ", text).strip()


class Initialiser:
    def __init__(self, of, lines, condition, availability):
        self.is_deprecated = any("deprecated" in line for line in lines)
        # Attributes with texts aside: those name initialisers, too.
        lines = [re.sub(r"@available\((?:[^()\"]|\"[^\"]*\")*\)", "", line) for line in lines]
        text = plain(" ".join(line.strip() for line in lines))
        head = text[: re.search(r"\binit[?<(]", text).start()]
        rest = text[len(head):]
        self.attributes = {word for word in ("_disfavoredOverload",) if word in head}
        if "MainActor" in head:
            self.attributes.add("MainActor")
        self.text = f"{of}.{rest.split(' {')[0]}"
        self.availability = availability
        name = re.match(r"init\??", rest)[0]
        rest = rest[len(name):]
        generics = []
        if rest.startswith("<"):
            inside, rest = until_closed(rest, 0)
            generics = split(inside)
        parameters, rest = until_closed(rest, 0)
        clause = re.match(r"\s*where (.*?)(?:\s*\{.*)?$", rest)
        constraints = [*split(condition), *(split(clause[1]) if clause else [])]
        names = [generic.split(":")[0].strip() for generic in generics]
        constraints += [generic for generic in generics if ":" in generic]
        self.defaults, types = [], []
        for parameter in split(parameters):
            value, _, default = parameter.partition(" = ")
            label = value.split(":")[0].split()
            kind = value.split(":", 1)[1].strip()
            wrapped = [word for word in value.split(":")[0].split() if word.startswith("@")]
            label = [word for word in label if not word.startswith("@")]
            # `some P` is a parameter with a name of its own.
            while re.search(r"\bsome \w+", kind):
                new = f"Some{len(names)}"
                constraints.append(f"{new} : {re.search(r'some ([A-Za-z.]+)', kind)[1]}")
                names.append(new)
                kind = re.sub(r"\(?\bsome [A-Za-z.]+\)?", new, kind, count=1)
            types.append(" ".join([*wrapped, label[0]]) + ": " + kind.replace("@preconcurrency ", ""))
            self.defaults.append(default)
        joined = ", ".join(types)
        order = sorted(names, key=lambda n: (re.search(rf"\b{n}\b", joined) or re.search(r"$", joined)).start())
        renamed = {name: f"T{at}" for at, name in enumerate(order)}
        def canonical(piece):
            return re.sub(r"\b(" + "|".join(map(re.escape, renamed)) + r")\b", lambda m: renamed[m[1]], piece) if renamed else piece
        # What a protocol implies is not always written.
        rules = {canonical(re.sub(r"\s*:\s*", ": ", rule)) for rule in constraints}
        self.key = (of, canonical(joined), tuple(sorted(rules)))

    def differs(self, other):
        found = []
        if self.attributes != other.attributes:
            found.append(f"{sorted(other.attributes - self.attributes)} missing, {sorted(self.attributes - other.attributes)} too many")
        if self.defaults != other.defaults and not any(word in self.text for word in OTHER_DEFAULTS):
            found.append("other defaults")
        return found


def read(path, prefix):
    found = []
    for block in blocks(Path(path).read_text(encoding="utf-8").splitlines(), 0):
        head = next((line for line in block if re.search(r"\b(?:extension|struct)\b", line)), "")
        match = re.search(r"\b(?:extension|struct) (?:\w+\.)?" + prefix + r"(\w+)\b(.*)", head)
        if match is None or match[1] not in TYPES:
            continue
        if any("unavailable" in line and "@available(*" in line for line in block[:1]):
            continue
        condition = re.search(r"\bwhere (.*?) \{$", plain(head))
        is_struct = " struct " in f" {head}"
        availability = [line for line in block if line.startswith("@available")]
        for member in blocks(block, 2):
            text = " ".join(member)
            if re.search(r"\bpublic init[?<(]", text):
                found.append(Initialiser(match[1], member, condition[1] if condition and not is_struct else "", availability))
    return found


# What a user acts on: a binding or an action among the parameters of an initialiser.
ACTED_ON = re.compile(r"\binit\b.*(?:SwiftUI\.Binding<|\b(?:action|primaryAction|onIncrement|perform)\w*: )")


DECLARED = re.compile(r"\b(?:public struct |extension SwiftUI\.)([A-Z]\w*)")


def without_wrapper(paths):
    """The views of SwiftUI that a user acts on and that have no wrapper."""
    found, views = set(), set()
    for path in paths:
        text = Path(path).read_text(encoding="utf-8")
        declared = re.findall(r"\bpublic struct ([A-Z]\w*)\b(.*)", text)
        views |= {name for name, rest in declared if re.search(r"\bSwiftUI\.View\b", rest.split(" where ")[0])}
        for block in blocks(text.splitlines(), 0):
            name = next((found for found in map(DECLARED.search, block) if found is not None), None)
            if name is not None and any(ACTED_ON.search(line) for line in block):
                found.add(name[1])
    return sorted(found & views - set(TYPES))


def main():
    ours = {each.key: each for each in read(sys.argv[1], "Signal")}
    theirs = {each.key: each for path in sys.argv[2:] for each in read(path, "")}
    failed = 0
    for key in sorted(theirs.keys() - ours.keys()):
        reason = next((why for word, why in LEFT_OUT.items() if word in theirs[key].text), None)
        if reason is None:
            mark = " (deprecated)" if theirs[key].is_deprecated else ""
            print(f"missing{mark}: {theirs[key].text}")
    for key in sorted(ours.keys() - theirs.keys()):
        print(f"only ours: {ours[key].text}")
    for key in sorted(ours.keys() & theirs.keys()):
        for difference in ours[key].differs(theirs[key]):
            failed += 1
            print(f"differs: {ours[key].text}: {difference}")
    print(f"controls without a wrapper: {', '.join(without_wrapper(sys.argv[2:]))}")
    print(f"{len(ours.keys() & theirs.keys())} initialisers are SwiftUI's, {len(theirs.keys() - ours.keys())} are missing, "
          f"{len(ours.keys() - theirs.keys())} are only ours, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
