"""Packages of Debian for scripts/package: `tributary` has a user and a service, `tributary-cluster` the services of a cluster.

The files of Workspace/Deployment/debian and debian-cluster say what happens at an installation, an upgrade, a removal and a purge.
"""

import email.utils
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from version import Problem

# Where Debian has another folder than the program's own build.
MOVED = {"share/zsh/site-functions/_tributary": "share/zsh/vendor-completions/_tributary"}
SCRIPTS = ("postinst", "prerm", "postrm")
PLAIN = 0o644


def make(content, root, output, moment):
    """- Returns: the file of the package."""
    deployment = root / "Workspace/Deployment"
    fields = {
        "VERSION": debian_version(content.version), "ARCHITECTURE": run("dpkg", "--print-architecture"),
        "MAINTAINER": maintainer(), "LIBRARIES": libraries(content.program),
    }
    with tempfile.TemporaryDirectory(prefix="tributary-deb-") as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(content.folder, tree / "usr")
        for place, own in MOVED.items():
            (tree / "usr" / own).parent.mkdir(parents=True)
            (tree / "usr" / place).rename(tree / "usr" / own)
            (tree / "usr" / place).parent.rmdir()
        compress_pages(tree / "usr/share/man/man1")
        if content.is_cluster:
            control, modes = deployment / "debian-cluster", add_nodes(tree, root / "deploy")
        else:
            control, modes = deployment / "debian", add_workspace(tree, deployment)
        put(tree / "usr/share/lintian/overrides" / content.name, overrides(content.name, modes))
        add_documents(content, tree / "usr/share/doc" / content.name, deployment, fields, moment)
        set_modes(tree, modes)
        add_control(tree, control, fields, modes)
        file = output / f"{content.name}_{fields['VERSION']}_{fields['ARCHITECTURE']}.deb"
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(tree), str(file)], check=True,
            stdout=subprocess.DEVNULL, env=os.environ | {"SOURCE_DATE_EPOCH": str(moment)})
    return file


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True, **options).stdout.strip()


def debian_version(version):
    """1.0.0-beta.1 comes before 1.0.0, which Debian writes with a tilde."""
    return version.replace("-", "~", 1)


def maintainer():
    name = os.environ.get("DEBFULLNAME") or configured("user.name")
    address = os.environ.get("DEBEMAIL") or configured("user.email")
    if not name or not address:
        raise Problem("the Debian package needs a maintainer: set DEBFULLNAME and DEBEMAIL")
    return email.utils.formataddr((name, address))


def configured(name):
    return subprocess.run(["git", "config", name], capture_output=True, text=True, check=False).stdout.strip()


def libraries(program):
    """The packages with the libraries that the program loads, as Debian's own tool finds them."""
    with tempfile.TemporaryDirectory(prefix="tributary-deb-") as folder:
        control = Path(folder) / "debian/control"
        control.parent.mkdir()
        control.write_text("Source: tributary\n\nPackage: tributary\nArchitecture: any\n", encoding="utf-8")
        found = run("dpkg-shlibdeps", "-O", program, cwd=folder)
    return re.search(r"^shlibs:Depends=(.+)$", found, re.M)[1]


def compress(file):
    file.with_name(file.name + ".gz").write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
    file.unlink()


def compress_pages(folder):
    for file in sorted(folder.iterdir()):
        compress(file)


def add_workspace(tree, deployment):
    """- Returns: the modes of the files of the configuration."""
    add_unit(tree, deployment / "tributary.service")
    put(tree / "usr/lib/sysusers.d/tributary.conf", (deployment / "tributary.sysusers").read_text(encoding="utf-8"))
    put(tree / "etc/tributary/server.json", (deployment / "server.json").read_text(encoding="utf-8"))
    return {"etc/tributary/server.json": 0o640}


def add_nodes(tree, deploy):
    """- Returns: the modes of the files of the configuration."""
    for unit in sorted((deploy / "systemd").glob("*.service")):
        add_unit(tree, unit)
    modes = {f"etc/tributary/{file.name}": PLAIN for file in sorted((deploy / "engines").iterdir())}
    for file in (deploy / "engines").iterdir():
        put(tree / "etc/tributary" / file.name, file.read_text(encoding="utf-8"))
    # They have passwords.
    for file in sorted((deploy / "systemd").glob("*.env")):
        put(tree / "etc/tributary" / file.name, file.read_text(encoding="utf-8"))
        modes[f"etc/tributary/{file.name}"] = 0o600
    return modes


def add_unit(tree, file):
    unit = file.read_text(encoding="utf-8")
    # The notes at its head are for an installation by hand.
    unit = unit[unit.index("[Unit]"):]
    put(tree / "usr/lib/systemd/system" / file.name, unit.replace("/usr/local/bin/tributary", "/usr/bin/tributary"))


def overrides(name, modes):
    """Where lintian's rules do not fit.

    The configuration may hold passwords, swift-nio-extras has a zlib of its own, and Debian's helpers disable no service that an
    operator has enabled.
    """
    rules = [f"non-standard-file-perm {mode:04o} != 0644 [{path}]" for path, mode in modes.items() if mode != PLAIN]
    rules += ["embedded-library zlib [usr/bin/tributary]", "maintainer-script-calls-systemctl [prerm:*]"]
    return "".join(f"{name}: {rule}\n" for rule in rules)


def put(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def add_documents(content, folder, deployment, fields, moment):
    shutil.copy(deployment / "debian/copyright", folder)
    entry = (f"{content.name} ({fields['VERSION']}) unstable; urgency=medium\n\n  * Made by scripts/package; the project's "
             f"CHANGELOG.md says what changed.\n\n -- {fields['MAINTAINER']}  {email.utils.formatdate(moment)}\n")
    put(folder / "changelog", entry)
    compress(folder / "changelog")


def set_modes(tree, modes):
    """Those of a package, whatever the umask is."""
    for path in [tree, *tree.rglob("*")]:
        path.chmod(0o755 if path.is_dir() or path.parent.name == "bin" else PLAIN)
    for path, mode in modes.items():
        (tree / path).chmod(mode)


def add_control(tree, deployment, fields, configuration):
    files = sorted(path for path in tree.rglob("*") if path.is_file())
    folder = tree / "DEBIAN"
    folder.mkdir()
    size = sum(-(-path.stat().st_size // 1024) for path in files)
    text = (deployment / "control").read_text(encoding="utf-8")
    for name, value in (fields | {"SIZE": str(size)}).items():
        text = text.replace(f"@{name}@", value)
    put(folder / "control", text)
    put(folder / "conffiles", "".join(f"/{path}\n" for path in configuration))
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n" for path in files
            if str(path.relative_to(tree)) not in configuration]
    put(folder / "md5sums", "".join(sums))
    for name in SCRIPTS:
        shutil.copy(deployment / name, folder)
    for path in [folder, *folder.iterdir()]:
        path.chmod(0o755 if path == folder or path.name in SCRIPTS else PLAIN)
