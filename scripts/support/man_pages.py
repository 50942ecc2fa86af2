#!/usr/bin/env python3
"""Makes manual pages of the program's own help.

    man_pages.py PROGRAM FOLDER [--date 2026-11-27]

`PROGRAM --experimental-dump-help` describes all commands as JSON. Each command below the program gets a page with its
subcommands, such as tributary-plugin.1, and tributary.1 lists these pages. Hidden commands and options are left out.
"""

import argparse
import json
import re
import subprocess
from pathlib import Path

SECTION = 1
# What the program's help cannot say, because it is about the package and about all commands.
ENVIRONMENT = [
    ("TRIBUTARY_SERVER", "The address of the workspace for the commands that need one; by default http://127.0.0.1:8484."),
    ("TRIBUTARY_ADMIN_TOKEN",
     "The token with which these commands log in. For `serve`, the admin token of the workspace."),
    ("TRIBUTARY_*", "Each option of `serve`, such as TRIBUTARY_PORT; see tributary-serve(1)."),
]
FILES = [
    ("/etc/tributary/server.json", "The configuration of the service: a JSON object with the options of `serve`."),
    ("/var/lib/tributary", "The data of the service. Only its user, tributary, can read them."),
]
EXAMPLES = [
    ("The service's admin token and write key, as its first start wrote them:", ["journalctl -u tributary"]),
    ("A first event, and the stored events:", [
        "curl --user WRITE-KEY: http://127.0.0.1:8484/v1/track --json '{\"userId\": \"u-1\", \"event\": \"Hello\"}'",
        "TRIBUTARY_ADMIN_TOKEN=... tributary events",
    ]),
]


# Text as roff

def escaped(text):
    """The text without anything that roff would read as its own."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"[^\x00-\x7f]", lambda found: f"\\[u{ord(found[0]):04X}]", text)
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def bold(text):
    return f"\\fB{escaped(text)}\\fR"


def italic(text):
    return f"\\fI{escaped(text)}\\fR"


def prose(text):
    """Text with paragraphs; words between backticks are bold."""
    paragraphs = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        pieces = re.split(r"`([^`]+)`", paragraph)
        marked = "".join(bold(piece) if index % 2 else escaped(piece) for index, piece in enumerate(pieces))
        # A line that begins with a space is one by itself, such as an example.
        paragraphs.append("\n".join(line.rstrip() for line in marked.splitlines()))
    return "\n.PP\n".join(paragraphs)


def page_text(lines):
    """The lines of a page; a paragraph right behind a heading needs no macro."""
    kept = [line for before, line in zip([""] + lines, lines) if not (line == ".PP" and before.startswith(".SH"))]
    return "\n".join(kept) + "\n"


# Commands

def shown(command):
    """The subcommands of a command that its help shows."""
    return [sub for sub in command.get("subcommands") or []
            if sub.get("shouldDisplay", True) and sub["commandName"] != "help"]


def arguments(command):
    return [argument for argument in command.get("arguments") or [] if argument.get("shouldDisplay", True)]


def name_of(command):
    return " ".join([*(command.get("superCommands") or []), command["commandName"]])


def flag_text(name):
    return ("-" if name["kind"] == "short" else "--" if name["kind"] == "long" else "-") + name["name"]


def value_name(argument):
    return argument.get("valueName") or "value"


def usage(command):
    """The line of a synopsis."""
    words = [bold(name_of(command))]
    for argument in arguments(command):
        if argument["kind"] == "positional":
            word = italic(value_name(argument))
        else:
            preferred = argument.get("preferredName") or argument["names"][0]
            if preferred["name"] == "help":
                continue
            word = bold(flag_text(preferred))
            if argument["kind"] == "option":
                word += " " + italic(value_name(argument))
        if argument.get("isRepeating"):
            word += " ..."
        words.append(f"[{word}]" if argument.get("isOptional") else word)
    if shown(command):
        words.append(italic("subcommand") if command.get("defaultSubcommand") is None else f"[{italic('subcommand')}]")
    return "\n".join(words)


def argument_lines(argument):
    if argument["kind"] == "positional":
        term = italic(value_name(argument))
    else:
        term = ", ".join(bold(flag_text(name)) for name in argument["names"])
        if argument["kind"] == "option":
            term += " " + italic(value_name(argument))
    lines = [".TP", term]
    texts = [argument.get("abstract"), argument.get("discussion")]
    values = argument.get("allValues")
    if values:
        texts.append("Values: " + ", ".join(values) + ".")
    if argument.get("defaultValue"):
        texts.append(f"By default {argument['defaultValue']}.")
    lines += ["\n.IP\n".join(prose(text).replace(".PP", ".IP") for text in texts if text and text.strip()) or "\\&"]
    return lines


def details(command):
    """Text and options of a command."""
    lines = []
    for text in (command.get("abstract"), command.get("discussion")):
        if text and text.strip():
            lines += [".PP", prose(text)]
    for argument in arguments(command):
        lines += argument_lines(argument)
    return lines


def nested(command):
    """A command and all below it, depth first."""
    yield command
    for sub in shown(command):
        yield from nested(sub)


def heading(title, page, date, version):
    return [f'.TH "{escaped(page.upper())}" {SECTION} "{date}" "tributary {escaped(version)}" "{title}"',
            # No hyphens in names and addresses, which people copy.
            ".nh", ".ad l", ".SH NAME"]


def command_page(command, program, date, version):
    """The page of a command with its subcommands."""
    page = f"{program}-{command['commandName']}"
    lines = heading("Tributary", page, date, version)
    lines.append(f"{escaped(page)} \\- {summary(command)}")
    lines += [".SH SYNOPSIS", usage(command), ".SH DESCRIPTION", *details(command)]
    for sub in list(nested(command))[1:]:
        lines += [f".SH {quoted(name_of(sub))}", usage(sub), *details(sub)]
    lines += [".SH SEE ALSO", f"\\fB{escaped(program)}\\fR({SECTION})"]
    return page, page_text(lines)


def summary(command):
    """One line for lists of pages: without backticks and a full stop."""
    return escaped((command.get("abstract") or "").replace("`", "").strip().rstrip("."))


def quoted(text):
    return '"' + escaped(text).replace('"', '\\(dq') + '"'


def definitions(pairs):
    return [line for term, text in pairs for line in (".TP", bold(term), prose(text))]


def main_page(root, date, version):
    program = root["commandName"]
    lines = heading("Tributary", program, date, version)
    lines.append(f"{escaped(program)} \\- {summary(root)}")
    lines += [".SH SYNOPSIS", usage(root), ".PP", bold(f"{program} --version")]
    lines += [".SH DESCRIPTION", prose(f"{root['abstract']}\n\n{root.get('discussion') or ''}")]
    lines += [".PP", "Each command has a page of its own."]
    for command in shown(root):
        lines += [".TP", f"\\fB{escaped(program)}\\-{escaped(command['commandName'])}\\fR({SECTION})",
                  prose(command.get("abstract") or "\\&")]
    lines += [".SH ENVIRONMENT", *definitions(ENVIRONMENT), ".SH FILES", *definitions(FILES), ".SH EXAMPLES"]
    for text, commands in EXAMPLES:
        lines += [".PP", prose(text), ".PP", ".nf", ".RS 4", *[escaped(line) for line in commands], ".RE", ".fi"]
    return program, page_text(lines)


def pages(root, date, version):
    """The pages by their names."""
    commands = [command_page(command, root["commandName"], date, version) for command in shown(root)]
    return dict([main_page(root, date, version), *commands])


def described(program):
    """What the program says of its commands."""
    run = subprocess.run([str(program), "--experimental-dump-help"], capture_output=True, text=True, check=True, timeout=60)
    return json.loads(run.stdout)["command"]


def write(program, folder, date, version):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    made = pages(described(program), date, version)
    for name, text in made.items():
        (folder / f"{name}.{SECTION}").write_text(text, encoding="utf-8")
    return sorted(made)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--date", default="")
    options = parser.parse_args()
    version = subprocess.run([options.program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print("\n".join(write(options.program, options.folder, options.date, version)))


if __name__ == "__main__":
    main()
