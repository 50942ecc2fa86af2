#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file system of its own in memory, with room for so many megabytes, on Linux and with the right to mount.
struct SmallDisk {
    private let path: String

    init?(_ path: String, megabytes: Int) {
        self.path = path
        #if os(Linux)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else { return nil }
        #else
        return nil
        #endif
    }

    func remove() {
        #if os(Linux)
        _ = umount2(path, 2)  // MNT_DETACH: whoever still has a file open does not keep it in its place
        #endif
    }
}
