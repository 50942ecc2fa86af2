import Foundation

/// The name under which the system keeps what a client left it to send in the background.
///
/// The system knows one session for each name of an app. Two clients that shared a name would cancel each other's
/// requests, so the name depends on the folder of the client. The same client must find its session again after an
/// update of the app, which may move the app's home, so only the path inside the home counts.
enum BackgroundName {
    /// - Parameters:
    ///   - folder: the client's folder, with the write key as its last part.
    ///   - home: the home of the app, as the system names it.
    static func name(of folder: URL, home: String) -> String {
        let path = withoutPrivate(folder.standardizedFileURL.path)
        let home = withoutPrivate(URL(fileURLWithPath: home).standardizedFileURL.path)
        let place = path.hasPrefix(home + "/") ? String(path.dropFirst(home.count)) : path
        return folder.lastPathComponent + "." + String(checksum(of: place), radix: 16)
    }

    /// Apple's systems name a folder with and without this first part.
    private static func withoutPrivate(_ path: String) -> String {
        path.hasPrefix("/private/") ? String(path.dropFirst("/private".count)) : path
    }

    /// The 64-bit FNV-1a checksum, which stays the same across launches and versions.
    private static func checksum(of text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
