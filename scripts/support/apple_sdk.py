#!/usr/bin/env python3
"""Makes a copy of an Apple SDK that this machine's Swift compiler reads.

    apple_sdk.py SDK COPY TRIPLE TOOLCHAIN

SDK is a folder such as iPhoneOS17.4.sdk, TRIPLE a target without version, such as arm64-apple-ios or arm64-apple-ios-macabi,
TOOLCHAIN the folder that has lib/swift.

An SDK consists of texts: module interfaces of Swift and headers. Three of its parts belong to the compiler that it came with:

- The standard library. A newer compiler asks it for types that an older one lacks (`Int128`, `BitwiseCopyable`). The modules
  of this machine's toolchain take its place: the same source, with Apple's availability in it, compiled without Objective-C.
  What only Objective-C needs is taken from the SDK's text, without bodies.
- The API notes of Dispatch, os and XPC, which an SDK of a certain age leaves to the compiler.
- Isolation. SwiftUI before 18 marks the body of a view and not the protocol; the client is written for Xcode 26, whose
  SwiftUI marks the protocol. `ISOLATED` names what is marked in the copy.

An SDK of a beta lacks what came later in its year, and says some things so that a newer compiler refuses them. `mended` says them
otherwise; what is missing comes from an SDK of a release of that year in the same folder, and COPY.TRIPLE.borrowed lists it.

The copy consists of links to the given files where the file system allows it; only what is changed is written.
"""

import os
import re
import shutil
import sys
from pathlib import Path

STANDARD = ("Swift", "_Concurrency", "_StringProcessing", "SwiftOnoneSupport")

# The protocols of SwiftUI that 18 puts on the main actor.
ISOLATED = re.compile(
    r"View|ViewModifier|App|Scene|Commands|ToolbarContent|CustomizableToolbarContent|DynamicViewContent|Widget|WidgetBundle"
    r"|\w+Style|(?:UI|NS|WK)\w+Representable|PreviewProvider"
)
MEMBER = re.compile(r"(?:@\S+ )*(?:(?:public|internal|mutating|static|__consuming) )*(?:static func _|func|init|var|subscript)\b")

# What a declaration mentions that exists for Objective-C alone.
OBJECTIVE_C = re.compile(r"ObjectiveC|ObjCType|AnyObjectToAny|Cocoa|Bridgeable|Autoreleasing|autorelease|EmbeddedNSError|ErrorToNSError")
ACCESS = re.compile(r"\b(?:public|open)\b")
KEYWORD = re.compile(
    r"\b(?:func|init|var|let|class|struct|enum|protocol|typealias|extension|subscript|associatedtype|import|case|operator"
    r"|precedencegroup|macro|actor|deinit)\b"
)
NAME = re.compile(r"\b(?:func|struct|class|protocol|typealias|enum|var|init)\b[ ]*([\w.]*)")


def fail(message):
    sys.exit(f"apple_sdk: {message}")


def copy_tree(given, copy):
    """Links each file; a file system that has no links gets copies."""

    def place(source, target):
        try:
            os.link(source, target, follow_symlinks=False)
        except OSError:
            shutil.copy2(source, target, follow_symlinks=False)

    shutil.copytree(given, copy, symlinks=True, copy_function=place)


def rewrite(path, text):
    """Replaces a file of the copy, never the file of the SDK that it is a link to; one that says the same stays."""
    if path.exists() and not path.is_symlink() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.write_text(text, encoding="utf-8")
    os.replace(new, path)


def blocks(lines, indent):
    """The declarations among lines, each with the attributes on the lines before it. `indent` is the declarations' own."""
    at, block = 0, []
    margin = " " * indent
    while at < len(lines):
        line = lines[at]
        at += 1
        if not line.startswith(margin) or line.startswith(margin + " "):
            continue
        word = line.strip()
        if not word or word.startswith(("#", "//", "}")):
            block = []
            continue
        block.append(line)
        # An attribute on a line by itself belongs to what follows.
        if word.startswith("@") and not KEYWORD.search(re.sub(r"\([^()]*(?:\([^()]*\)[^()]*)*\)", "", word)):
            continue
        # A body ends where its braces do; the compiler does not align all of them.
        depth = line.count("{") - line.count("}")
        while depth > 0 and at < len(lines):
            block.append(lines[at])
            depth += lines[at].count("{") - lines[at].count("}")
            at += 1
        yield block
        block = []


def without_body(block):
    """A function or initialiser as one that the module implements elsewhere."""
    text = "\n".join(block)
    if not re.search(r"\b(?:func|init)\b", text.split("{")[0]):
        return block
    head = []
    for line in block:
        # Not the brace of a default value: interfaces write none of those on a declaration's line.
        opens = line.rstrip().endswith("{")
        head.append(line.rstrip()[:-1].rstrip() if opens else line)
        if opens:
            break
    cleaned = [re.sub(r"@(?:inlinable|_transparent|_alwaysEmitIntoClient|inline\(__always\)) ?", "", line) for line in head]
    return [line for line in cleaned if line.strip()]


def objective_c_additions(of_sdk, of_toolchain):
    """What the SDK's standard library declares for Objective-C and the toolchain's does not have."""
    known = {match[1] for match in re.finditer(r"^(?:@.* )?(?:public |internal )?(?:func|struct|class|typealias|protocol) (\w+)",
                                               of_toolchain, re.MULTILINE)}
    known |= {match[1] for match in re.finditer(r"^.*\b(?:public|internal) (?:func|struct|class|typealias|protocol) (\w+)",
                                                re.sub(r"^ .*$", "", of_toolchain, flags=re.MULTILINE), re.MULTILINE)}
    additions, taken = [], set()
    for block in blocks(of_sdk.splitlines(), 0):
        head = next((line for line in block if KEYWORD.search(line)), "")
        extension = re.match(r"(?:@.* )?extension (.*?)\s*\{", head)
        name = NAME.search(head)
        if extension is not None and ":" in extension[1]:
            if OBJECTIVE_C.search(extension[1]) and "__Cocoa" not in extension[1] and extension[1] not in of_toolchain:
                additions += block
        elif extension is not None:
            additions += members(block, extension[1], of_toolchain, taken)
        elif name is not None and name[1] in known:
            if re.search(r"\bstruct\b", head):
                additions += members(block, f"Swift.{name[1]}", of_toolchain, taken)
        elif name is not None and ACCESS.search(head) and OBJECTIVE_C.search(head):
            additions += without_body(block) if " func " in head else block
    return "\n".join(additions)


def members(block, of, of_toolchain, taken):
    """The members of a type that exist for Objective-C, as an extension of it."""
    found = []
    for member in blocks(block, 2):
        first = "\n".join(member).split("{")[0]
        name = (of, first.splitlines()[-1].strip())
        if ACCESS.search(first) and OBJECTIVE_C.search(first) and name[1] not in of_toolchain and name not in taken:
            taken.add(name)
            found += without_body(member)
    return [f"extension {of} {{", *found, "}"] if found else []


def for_apple(text, target):
    """A module interface of Linux as one for a target of Apple's."""
    out = []
    for line in text.splitlines():
        if line.startswith("// swift-module-flags:"):
            line = re.sub(r"-target \S+", f"-target {target}", line)
            line = line.replace("-disable-objc-interop", "").replace("-enable-library-evolution", "-enable-objc-interop -enable-library-evolution", 1)
            # Inlined code may use what the target has: aliases without availability name what is newer than the oldest system.
            line = re.sub(r"-static\b|-target-min-inlining-version min", "", line).rstrip() + " -target-min-inlining-version target"
        # Only Intel's processors have the type and what computes with it.
        if "x86_64" not in target and re.search(r"_stdlib_(?:remainderl|squareRootl)\(", line):
            line = "fatalError()"
        out.append(line)
    return without_empty_back_deployment(out)


def without_empty_back_deployment(lines):
    """Removes `@backDeployed` where the declaration has no body: the compiler wants one."""
    out = []
    for at, line in enumerate(lines):
        if line.strip().startswith("@backDeployed("):
            rest = next((later for later in lines[at + 1:] if not re.match(r"\s*(?:#|@\w+(?:\(.*\))?\s*$)", later)), "")
            if not rest.rstrip().endswith("{"):
                continue
        out.append(line)
    return "\n".join(out) + "\n"


def newest_target(triple):
    architecture, _, rest = triple.split("-", 2)
    name, _, environment = rest.partition("-")
    name = {"macos": "macosx"}.get(name, name)
    return f"{architecture}-apple-{name}26.0" + (f"-{environment}" if environment else "")


def replace_standard_library(given, copy, triple, toolchain):
    folder = Path("System/iOSSupport/usr/lib/swift" if triple.endswith("-macabi") else "usr/lib/swift")
    for module in STANDARD:
        ours = next((toolchain / "lib/swift/linux" / f"{module}.swiftmodule").glob("*-linux-gnu.swiftinterface"))
        place = folder / f"{module}.swiftmodule" / f"{triple}.swiftinterface"
        text = for_apple(ours.read_text(encoding="utf-8"), newest_target(triple))
        if module == "Swift":
            theirs = given / place
            if not theirs.exists():
                fail(f"{copy.name} has no standard library for {triple}")
            text += objective_c_additions(theirs.read_text(encoding="utf-8"), text) + "\n"
        rewrite(copy / place, text)


def isolated(text):
    """SwiftUI's interface before 18 with the isolation of 18.

    There, `View` and its like are on the main actor as a whole, what SwiftUI declares in them is not, and a button's action is.
    """
    out = []
    for line in text.splitlines():
        word = line.strip()
        protocol = re.match(r"(@_typeEraser\(AnyView\) )?public protocol (\w+)", line)
        if protocol is not None and ISOLATED.fullmatch(protocol[2]):
            line = "@_Concurrency.MainActor @preconcurrency " + line
        elif line.startswith("  ") and "MainActor" not in line and not re.search(r"\b(?:wrapped|projected)Value\b", line) and "nonisolated" not in line and MEMBER.match(word):
            # Not a wrapper's value: its isolation is that of the app's property.
            stored = re.search(r"\bvar \w+ *:[^{]*$", word) is not None
            if not stored:
                line = re.sub(r"\b(public|internal|static func _make|static func _view)", r"nonisolated \1", line, count=1)
        if re.search(r"\binit\b.*\baction: @escaping \(\) -> Swift\.Void", line):
            line = line.replace("action: @escaping () ->", "action: @escaping @_Concurrency.MainActor () ->")
        out.append(line)
    return "\n".join(out) + "\n"


def mended(text):
    """SwiftUI's interface without what its own compiler took and this one refuses: in the beta SDKs of macOS 14 and tvOS 17."""
    # Of an older system than what it names.
    newer = "  @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)\n"
    text = re.sub(r"^(?=  public typealias Cache = SwiftUI\._StackLayoutCache$)", newer, text, flags=re.MULTILINE)
    # What each style of the oldest systems needs, although only newer ones had it written.
    older = "@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)\n"
    default = (r"^(@available\(iOS 15\.0, .*\n)(extension SwiftUI\.ShapeStyle \{\n)"
               r"(  public static func _makeView<S>\(view: SwiftUI\._GraphValue<SwiftUI\._ShapeView<S, Self>>.*\n)")
    text = re.sub(default, older + r"\2\3}\n\1\2", text, flags=re.MULTILINE)
    # The method's S hides the type's S, so that the method is not what the protocol requires.
    method = r"(static func _makeView<)S(>\(view: SwiftUI\._GraphValue<SwiftUI\._ShapeView<)S(, SwiftUI\._AnchoredShapeStyle<S>>>.* where )S( :)"
    return re.sub(method, r"\1T\2T\3T\4", text)


# The controls that the client wraps, and the words of their initialisers that came with the last betas of 2023.
COMPLETED = re.compile(r"\bextension SwiftUI\.(?:Button|Picker|Toggle)\b")
LATE = re.compile(r"\binit\b.*\b(?:systemImage|image|intent): ")


def initialisers(block):
    """The initialisers of late betas in an extension: the words of each, without attributes and body, and its lines."""
    for member in blocks(block, 2):
        text = " ".join(line.strip() for line in member)
        if LATE.search(text):
            yield re.sub(r"\s*\{.*", "", text[text.index("init"):]), member


def completed(text, release):
    """The interface of a beta with the initialisers that only the release of the same year has, and what was added."""
    extensions = [block for block in blocks(text.splitlines(), 0) if COMPLETED.search(" ".join(block[:8]))]
    known = {(head(block), words) for block in extensions for words, _ in initialisers(block)}
    added, names = [], []
    for block in blocks(release.splitlines(), 0):
        if not COMPLETED.search(" ".join(block[:8])):
            continue
        missing = [(words, lines) for words, lines in initialisers(block) if (head(block), words) not in known]
        if missing:
            opening = next(at for at, line in enumerate(block) if COMPLETED.search(line))
            added += [*block[:opening + 1], *(line for _, lines in missing for line in lines), "}"]
            names += [f"{head(block)}: {words}" for words, _ in missing]
    return (text + "\n".join(added) + "\n" if added else text), names


def head(block):
    return next(line for line in block if "extension " in line).removesuffix(" {").strip()


def module_version(text):
    """The version of a module, whose first number is that of its year."""
    found = re.search(r"-user-module-version ([\d.]+)", text)
    return [int(number) for number in found[1].split(".")] if found else [0]


def interface_of(sdk, module):
    """A module's interface for iOS, which has the availability of all systems."""
    file = sdk / f"System/Library/Frameworks/{module}.framework/Modules/{module}.swiftmodule/arm64-apple-ios.swiftinterface"
    return file.read_text(encoding="utf-8") if file.exists() else ""


def release_beside(given, version):
    """The latest SDK of the year of a SwiftUI, in the folder of the given one; none when that is the latest."""
    versions = {other: module_version(interface_of(other, "SwiftUI")) for other in given.parent.glob("*.sdk")}
    later = [other for other, found in versions.items() if found[0] == version[0] and found > version]
    return max(later, key=versions.get, default=None)


def mend_swiftui(given, copy, triple):
    """Rewrites SwiftUI's interface and that of its initialisers for intents. Returns what came from another SDK."""
    roots = ["System/iOSSupport", "."] if triple.endswith("-macabi") else ["."]
    release, borrowed = None, []
    for module in ("SwiftUI", "_AppIntents_SwiftUI"):
        for root in roots:
            framework = given / root / "System/Library/Frameworks"
            if (framework / "SwiftUICore.framework").exists():
                return []
            found = sorted((framework / f"{module}.framework").rglob(f"{module}.swiftmodule/{triple}.swiftinterface"))
            for file in found:
                text = file.read_text(encoding="utf-8")
                if module == "SwiftUI":
                    release = release_beside(given, module_version(text))
                if release is not None:
                    text, names = completed(text, interface_of(release, module))
                    borrowed += [f"{release.name}: {each}" for each in names if f"{release.name}: {each}" not in borrowed]
                if module == "SwiftUI":
                    text = isolated(mended(text))
                rewrite(copy / file.relative_to(given), text)
            if found:
                break
    return borrowed


def mark_dispatch(given, copy, triple):
    """As the SDKs of 18 say it."""
    for found in given.rglob(f"Dispatch.swiftmodule/{triple}.swiftinterface"):
        text = found.read_text(encoding="utf-8")
        if not re.search(r"DispatchSpecificKey : (?:@unchecked )?Swift\.Sendable", text):
            text += "extension Dispatch.DispatchSpecificKey : @unchecked Swift.Sendable where T : Swift.Sendable {}\n"
        rewrite(copy / found.relative_to(given), text)


def main():
    given, copy, triple, toolchain = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4])
    if not copy.exists():
        copy_tree(given, copy)
    # Two maps for one module, which this compiler refuses.
    if (copy / "usr/include/libxml2/libxml/module.modulemap").exists():
        (copy / "usr/include/libxml/module.modulemap").unlink(missing_ok=True)
    replace_standard_library(given, copy, triple, toolchain)
    mark_dispatch(given, copy, triple)
    borrowed = mend_swiftui(given, copy, triple)
    (copy.parent / f"{copy.name}.{triple}.borrowed").write_text("".join(f"{line}\n" for line in borrowed), encoding="utf-8")


if __name__ == "__main__":
    main()
