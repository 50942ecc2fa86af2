#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension FileSystem {
    /// Syncs the folders above a path, so that their names and the path's name are on the medium.
    ///
    /// Goes up as far as this user may read and write; folders above that existed before. It syncs every folder, also
    /// an existing one, because its name may still be missing after a power cut.
    package func syncFolders(above path: String) throws(JournalError) {
        var folder = Self.folder(above: path)
        while let above = folder, access(above, R_OK | W_OK) == 0 {
            try syncFolder(above)
            folder = Self.folder(above: above)
        }
    }

    /// The folder that a path is in; nil for the root, and for the folder in which relative paths begin.
    private static func folder(above path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true).filter { $0 != "." }
        guard !parts.isEmpty else { return nil }
        let above = parts.dropLast().joined(separator: "/")
        return path.hasPrefix("/") ? "/" + above : above.isEmpty ? "." : above
    }
}
