#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension FileSystem {
    /// Brings to the medium that the folders above a path are there, and the path in them.
    ///
    /// Goes up as far as this user may read and write: what is above that was there before. It does not matter who made the
    /// folders and when, because one that is there may still be missing after the power went out.
    package func syncFolders(above path: String) throws(JournalError) {
        var folder = Self.folder(above: path)
        while let above = folder, access(above, R_OK | W_OK) == 0 {
            try syncFolder(above)
            folder = Self.folder(above: above)
        }
    }

    /// The folder that a path is in; nil for the root, and for the one that relative paths begin in.
    private static func folder(above path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true).filter { $0 != "." }
        guard !parts.isEmpty else { return nil }
        let above = parts.dropLast().joined(separator: "/")
        return path.hasPrefix("/") ? "/" + above : above.isEmpty ? "." : above
    }
}
