"""What the recorder wrote down, as a list of calls."""

import struct

HEAD = struct.Struct("<IIiBBHHHIQQ")
# Indexes of logs of SQLite, also under the name that the doctor gives one.
SKIPPED = ("-shm", "-shm.saved")


class RecordingError(Exception):
    """The recording does not show everything that happened."""


class Call:
    """One record. `index` is its place among all of them."""

    __slots__ = ("index", "pid", "fd", "kind", "flag", "path", "other", "data", "a", "b")

    def __init__(self, index, pid, fd, kind, flag, path, other, data, a, b):
        self.index, self.pid, self.fd, self.kind, self.flag = index, pid, fd, kind, flag
        self.path, self.other, self.data, self.a, self.b = path, other, data, a, b

    def describe(self, name=""):
        """The call in a line for a person; `name` is the path of its descriptor."""
        path = self.path or name
        words = {
            "o": "open%s%s" % (", made" if self.flag & 1 else "", ", emptied" if self.flag & 2 else ""),
            "c": "close", "d": "dup", "w": "write %d bytes at %d" % (len(self.data), self.a),
            "t": "truncate to %d" % self.a, "r": "rename to %s" % self.other, "l": "link as %s" % self.other,
            "u": "unlink", "m": "mkdir", "x": "rmdir", "b": "sync begins", "e": "sync ends", "f": "sync fails",
            "a": "answer %d to port %d" % (self.b, self.a), "k": "promise: %s" % self.data.decode(errors="replace").strip(),
            "p": "mmap", "!": "unseen: %s" % self.other, "i": "fault in %s" % self.other,
        }[self.kind]
        return "%6d  %s  %s" % (self.index, words, path)


def read(path):
    """All calls of a log."""
    with open(path, "rb") as file:
        bytes_ = file.read()
    calls, place = [], 0
    while place + HEAD.size <= len(bytes_):
        length, pid, fd, kind, flag, path_size, other_size, _, data_size, a, b = HEAD.unpack_from(bytes_, place)
        if length != HEAD.size + path_size + other_size + data_size or place + length > len(bytes_):
            raise RecordingError("the log is broken at %d" % place)
        start = place + HEAD.size
        path_ = bytes_[start:start + path_size].decode()
        other = bytes_[start + path_size:start + path_size + other_size].decode()
        data = bytes_[start + path_size + other_size:place + length]
        calls.append(Call(len(calls), pid, fd, chr(kind), flag, path_, other, data, a, b))
        place += length
    if place != len(bytes_):
        raise RecordingError("the log ends within a record")
    return calls
