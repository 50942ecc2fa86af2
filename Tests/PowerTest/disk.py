"""A disk, as far as a power cut is concerned: what is on it for certain, and what may be.

The model, which docs/DURABILITY.md states for people:

- What a sync of a file covered is there: the bytes that were written before the sync began, once it has ended.
- Of later writes any subset of 4 KB blocks is there, a block may be torn at 512 bytes, and a block that never reached the
  disk may hold zeroes or the bytes of another file. The size is any that the file had since its last sync. A truncation
  happens as a whole, and what came after it is not there without it.
- Names (made, renamed, linked, removed) are there once the folder that they are in was synced. Of later changes there is
  a beginning (`ordered`, as ext4 does it, where a sync of a new file or of a folder also brings everything before it), or
  any subset (`free`). A rename is one change.
- After a sync that failed, what it would have covered never reaches the disk.
"""

import hashlib
import os

from recording import SKIPPED, RecordingError

BLOCK = 4096
SECTOR = 512
ORDERED, FREE = "ordered", "free"


class File:
    """A file or a folder, whatever its names are."""

    def __init__(self, number, is_folder):
        self.number = number
        self.is_folder = is_folder
        self.is_mapped = False
        self.durable = bytearray()
        # (index, offset or None for a truncation, data or size)
        self.pending = []
        # What a process sees, which after a failed sync is more than may ever be on the disk.
        self.seen = bytearray()
        # For folders: names by model.
        self.names = {ORDERED: {}, FREE: {}}
        # The change of names that made it.
        self.making = None

    def change(self, index, offset, data):
        change = (index, offset, data)
        self.pending.append(change)
        apply(self.seen, change)

    def settle(self, before):
        """A sync covered what came before that index."""
        rest = []
        for change in self.pending:
            if change[0] < before:
                apply(self.durable, change)
            else:
                rest.append(change)
        self.pending = rest

    def fail(self, before):
        self.pending = [change for change in self.pending if change[0] >= before]

    def content(self):
        """What is on the disk when everything gets there that may."""
        bytes_ = bytearray(self.durable)
        for change in self.pending:
            apply(bytes_, change)
        return bytes_


def apply(bytes_, change):
    _, offset, data = change
    if offset is None:
        if data < len(bytes_):
            del bytes_[data:]
        else:
            bytes_.extend(bytes(data - len(bytes_)))
        return
    if offset > len(bytes_):
        bytes_.extend(bytes(offset - len(bytes_)))
    bytes_[offset:offset + len(data)] = data


class Change:
    """A change of names, which happens as a whole or not at all."""

    __slots__ = ("index", "names")

    def __init__(self, index, names):
        self.index = index
        # (folder, name, file or None)
        self.names = names

    def apply(self, names_of):
        for folder, name, file in self.names:
            names = names_of(folder)
            if file is None:
                names.pop(name, None)
            else:
                names[name] = file


class Disk:
    """Follows the calls of a recording, one after the other."""

    def __init__(self, root):
        self.root_path = root
        self.root = File(0, True)
        self.live = {root: self.root}
        self.descriptors = {}
        self.files = [self.root]
        # Changes of names that are not on the disk for certain, by model.
        self.changes = {ORDERED: [], FREE: []}
        self.syncs = {}

    # Following

    def follow(self, call):
        handler = getattr(self, "_do_" + _NAMES.get(call.kind, "nothing"))
        handler(call)

    def _file(self, call):
        file = self.descriptors.get((call.pid, call.fd))
        if file is None:
            raise RecordingError("descriptor %d of %s is not known" % (call.fd, call.describe()))
        return file

    def _add(self, path, is_folder):
        file = File(len(self.files), is_folder)
        self.files.append(file)
        self.live[path] = file
        return file

    def _note(self, index, *names):
        change = Change(index, [(self.live[os.path.dirname(path)], os.path.basename(path), file)
                                for path, file in names if os.path.dirname(path) in self.live])
        for model in (ORDERED, FREE):
            self.changes[model].append(change)
        return change

    def _do_nothing(self, call):
        pass

    def _do_open(self, call):
        file = self.live.get(call.path)
        if file is None or call.flag & 1:
            if not call.flag & 1:
                raise RecordingError("nobody made %s" % call.path)
            file = self._add(call.path, bool(call.flag & 4))
            file.making = self._note(call.index, (call.path, file))
        elif call.flag & 2 and len(file.seen) > 0:
            file.change(call.index, None, 0)
        self.descriptors[call.pid, call.fd] = file

    def _do_close(self, call):
        self.descriptors.pop((call.pid, call.fd), None)

    def _do_dup(self, call):
        file = self._file(call)
        self.descriptors[call.pid, call.a] = file

    def _do_write(self, call):
        self._file(call).change(call.index, call.a, call.data)

    def _do_truncate(self, call):
        file = self.live.get(call.path) if call.path else self._file(call)
        if file is None:
            raise RecordingError("nobody made %s" % call.path)
        file.change(call.index, None, call.a)

    def _do_make_folder(self, call):
        file = self._add(call.path, True)
        file.making = self._note(call.index, (call.path, file))

    def _do_rename(self, call):
        file = self.live.pop(call.path, None)
        if file is None:
            raise RecordingError("nobody made %s" % call.path)
        self._note(call.index, (call.path, None), (call.other, file))
        self.live[call.other] = file
        if file.is_folder:
            for path in [path for path in self.live if path.startswith(call.path + "/")]:
                self.live[call.other + path[len(call.path):]] = self.live.pop(path)

    def _do_link(self, call):
        file = self.live.get(call.path)
        if file:
            self.live[call.other] = file
            self._note(call.index, (call.other, file))

    def _do_remove(self, call):
        if self.live.pop(call.path, None) is not None:
            self._note(call.index, (call.path, None))

    def _do_begin_sync(self, call):
        self.syncs[call.a] = (self._file(call), call.index)

    def _do_end_sync(self, call):
        file, before = self.syncs.pop(call.a, (None, 0))
        if file is None:
            return
        if not file.is_folder:
            file.settle(before)
            if file.making in self.changes[ORDERED]:
                self._bring(ORDERED, file.making.index)
            return
        last = max((change.index for change in self.changes[ORDERED] if change.index < before
                    and any(folder is file for folder, _, _ in change.names)), default=-1)
        self._bring(ORDERED, last)
        kept = []
        for change in self.changes[FREE]:
            if change.index < before and any(folder is file for folder, _, _ in change.names):
                change.apply(lambda folder: folder.names[FREE])
            else:
                kept.append(change)
        self.changes[FREE] = kept

    def _do_fail_sync(self, call):
        file, before = self.syncs.pop(call.a, (None, 0))
        if file and not file.is_folder:
            file.fail(before)

    def _do_map(self, call):
        file = self._file(call)
        file.is_mapped = True
        path = next((path for path, other in self.live.items() if other is file), "?")
        if not path.endswith(SKIPPED):
            raise RecordingError("%s is written through a mapping, which nobody sees" % path)

    def _do_fail(self, call):
        raise RecordingError("%s of %s cannot be followed" % (call.other, call.path or "a file"))

    def _bring(self, model, through):
        kept = []
        for change in self.changes[model]:
            if change.index <= through:
                change.apply(lambda folder: folder.names[model])
            else:
                kept.append(change)
        self.changes[model] = kept

    # Comparing

    def tree(self):
        """What a process sees now: contents by path below the root; None for a folder."""
        return {path[len(self.root_path):]: None if file.is_folder else bytes(file.seen)
                for path, file in self.live.items() if not path.endswith(SKIPPED)}

    def without(self, missing, model):
        """The state in which everything reached the disk but the calls of these indexes."""
        copies = {}

        def names(folder):
            if folder.number not in copies:
                copies[folder.number] = dict(folder.names[model])
            return copies[folder.number]

        for change in self.changes[model]:
            if change.index not in missing:
                change.apply(names)
        state = {}

        def walk(folder, path):
            for name, file in sorted(names(folder).items()):
                if file.is_folder:
                    state[path + "/" + name] = None
                    walk(file, path + "/" + name)
                elif not file.is_mapped and not name.endswith(SKIPPED):
                    bytes_ = bytearray(file.durable)
                    for change in file.pending:
                        if change[0] not in missing:
                            apply(bytes_, change)
                    state[path + "/" + name] = bytes(bytes_)

        walk(self.root, "")
        return state

    # Drawing

    def draw(self, random, kind, model):
        """A state that the disk may be in: contents by path, None for a folder."""
        names = self._draw_names(random, kind, model)
        state, others = {}, None
        if kind == "stale":
            others = [bytes(file.durable) for file in self.live.values() if len(file.durable) >= BLOCK]

        def walk(folder, path):
            for name, file in sorted(names(folder).items()):
                below = path + "/" + name
                if file.is_folder:
                    state[below] = None
                    walk(file, below)
                elif file.is_mapped or name.endswith(SKIPPED):
                    # Not a part of the database: SQLite builds it again when nobody has it open.
                    if random.random() < 0.5:
                        state[below] = random.choice([b"", bytes(1 << 15), random.randbytes(1 << 15)])
                else:
                    state[below] = self._draw_content(file, random, kind, others)

        walk(self.root, "")
        return state

    def _draw_names(self, random, kind, model):
        changes = self.changes[model]
        if kind == "all":
            chosen = changes
        elif kind == "none":
            chosen = []
        elif model == ORDERED:
            chosen = changes[:random.randint(0, len(changes))]
        else:
            share = random.choice([0.1, 0.5, 0.9])
            chosen = [change for change in changes if random.random() < share]
        copies = {}

        def names(folder):
            if folder.number not in copies:
                copies[folder.number] = dict(folder.names[model])
            return copies[folder.number]

        for change in chosen:
            change.apply(names)
        return names

    def _draw_content(self, file, random, kind, others):
        if not file.pending or kind == "none":
            return bytes(file.durable)
        if kind == "all":
            return bytes(file.content())
        if kind == "prefix":
            return self._prefix(file, random)
        return self._blocks(file, random, kind, others)

    @staticmethod
    def _prefix(file, random):
        """The first writes, and of the next one a part."""
        bytes_ = bytearray(file.durable)
        count = random.randint(0, len(file.pending))
        for change in file.pending[:count]:
            apply(bytes_, change)
        if count < len(file.pending):
            index, offset, data = file.pending[count]
            if offset is not None:
                # To the next boundary of a sector on the disk.
                end = offset + random.randint(0, len(data))
                apply(bytes_, (index, offset, data[:max(0, end // SECTOR * SECTOR - offset)]))
        return bytes(bytes_)

    @staticmethod
    def _blocks(file, random, kind, others):
        """Each block by itself, and a size. A truncation happens as a whole, and nothing after it does without it."""
        changes = Disk._until_truncation(file, random)
        base, versions, bytes_ = bytearray(file.durable), {}, bytearray(file.durable)
        sizes = [len(base)]

        def block(number):
            part = bytes(bytes_[number * BLOCK:(number + 1) * BLOCK])
            return part + bytes(BLOCK - len(part))

        for change in changes:
            before = len(bytes_)
            _, offset, data = change
            if offset is None and data < before:
                del base[data:]
                apply(bytes_, change)
                versions = {number: [cut(one, data - number * BLOCK) for one in list_]
                            for number, list_ in versions.items() if number * BLOCK < data}
                sizes = [data]
                continue
            end = data if offset is None else offset + max(len(data), 1)
            touched = range(min(before, end if offset is None else offset) // BLOCK, (end - 1) // BLOCK + 1)
            for number in touched:
                versions.setdefault(number, [block(number)])
            apply(bytes_, change)
            for number in touched:
                versions[number].append(block(number))
            sizes.append(len(bytes_))
        size = random.choice([sizes[0], sizes[-1], max(sizes), random.choice(sizes)])
        result = base[:size]
        result.extend(bytes(size - len(result)))
        written = (len(base) + BLOCK - 1) // BLOCK
        weight = random.choice([0.1, 0.5, 0.9])
        for number, list_ in versions.items():
            if number * BLOCK >= size:
                continue
            chosen = list_[-1] if random.random() < weight or len(list_) == 1 else random.choice(list_[:-1])
            if kind == "torn" and random.random() < 0.5 and len(list_) > 1:
                place = random.randrange(len(list_) - 1)
                chosen = torn(list_[place], list_[place + 1], random)
            elif number >= written and random.random() < 0.3:
                if kind == "zeroes":
                    chosen = bytes(BLOCK)
                elif kind == "stale" and others:
                    other = random.choice(others)
                    start = random.randrange(len(other) // BLOCK) * BLOCK
                    chosen = other[start:start + BLOCK]
            end = min(BLOCK, size - number * BLOCK)
            result[number * BLOCK:number * BLOCK + end] = chosen[:end]
        return bytes(result)

    @staticmethod
    def _until_truncation(file, random):
        """The changes before a truncation that is not on the disk; all of them when each is."""
        size, truncations = len(file.durable), []
        for place, (_, offset, data) in enumerate(file.pending):
            if offset is None and data < size:
                truncations.append(place)
            size = data if offset is None else max(size, offset + len(data))
        if truncations and random.random() < 0.5:
            return file.pending[:random.choice(truncations)]
        return file.pending


def cut(block, size):
    """A block of which only the first bytes are left."""
    return block[:size] + bytes(BLOCK - size) if size < BLOCK else block


def torn(old, new, random):
    """A block of which some sectors are new."""
    parts = [(new if random.random() < 0.5 else old)[at:at + SECTOR] for at in range(0, BLOCK, SECTOR)]
    return b"".join(parts)


KINDS = ["all", "none", "prefix", "blocks", "torn", "zeroes", "stale"]
WEIGHTS = [1, 2, 4, 5, 3, 2, 1]

_NAMES = {
    "o": "open", "c": "close", "d": "dup", "w": "write", "t": "truncate", "m": "make_folder", "r": "rename", "l": "link",
    "u": "remove", "x": "remove", "b": "begin_sync", "e": "end_sync", "f": "fail_sync", "p": "map", "!": "fail",
}


def digest(state):
    """What tells states apart."""
    hash_ = hashlib.sha1()
    for path in sorted(state):
        # The index of a log of SQLite's is no part of what is kept.
        if path.endswith(SKIPPED):
            continue
        content = state[path]
        hash_.update(path.encode() + b"\0" + (b"/" if content is None else hashlib.sha1(content).digest()))
    return hash_.hexdigest()


def lay_out(state, folder):
    """Writes a state to a folder."""
    os.makedirs(folder)
    for path in sorted(state):
        if state[path] is None:
            os.mkdir(folder + path, 0o700)
        else:
            descriptor = os.open(folder + path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(descriptor, "wb") as file:
                file.write(state[path])


def compare(disk, folder):
    """What of a real folder is not as the recording says."""
    expected, differences = disk.tree(), []
    found = {"": None}
    for place, folders, files in os.walk(folder):
        below = place[len(folder):]
        found.update({below + "/" + name: None for name in folders})
        for name in files:
            if not name.endswith(SKIPPED):
                with open(place + "/" + name, "rb") as file:
                    found[below + "/" + name] = file.read()
    for path in sorted(set(found) | set(expected)):
        if path not in found:
            differences.append("%s is not there" % path)
        elif path not in expected:
            differences.append("%s is not in the recording" % path)
        elif found[path] != expected[path]:
            differences.append("%s has other bytes" % path)
    return differences
