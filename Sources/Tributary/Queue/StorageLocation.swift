import Foundation

/// The folders of a client: one for its write key, and inside it one for each event queue.
///
///     <root>/<write key>/settings.json
///     <root>/<write key>/lane-0/inbox, outbox, dead-letters
struct StorageLocation: Sendable {
    let folder: URL
    /// How several programs share the folder; nil when one program has it for itself.
    let sharing: QueueSharing?

    /// The system's place for the data of an app, or a `tributary` folder in the folder that the app named.
    init?(mode: StorageMode, writeKey: String, program: Program = .current) {
        let root: URL
        switch mode {
        case .memory, .custom: return nil
        case .diskAtURL(let url), .sharedContainer(let url): root = url
        case .disk: root = Self.systemFolder
        }
        folder = root.appendingPathComponent("tributary/" + Self.fileName(writeKey))
        sharing = QueueSharing(mode: mode, program: program)
    }

    static let settingsName = "settings.json"
    static let sessionName = "session.json"

    var settingsFile: URL { folder.appendingPathComponent(Self.settingsName) }

    func queue(_ number: UInt64) -> URL { folder.appendingPathComponent("lane-\(number)") }

    /// The number in the name of a queue's folder; nil for other names.
    static func queueNumber(_ name: String) -> UInt64? {
        guard name.hasPrefix("lane-"), let number = UInt64(name.dropFirst(5)), "lane-\(number)" == name else {
            return nil
        }
        return number
    }

    /// The name of a folder. Letters and digits stay, and everything else becomes its UTF-8 bytes in hexadecimal, so no
    /// key leads out of the folder.
    static func fileName(_ writeKey: String, keeping other: UInt8? = nil) -> String {
        let name = writeKey.utf8.map { byte -> String in
            let scalar = Unicode.Scalar(byte)
            let isPlain = byte < 0x80 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            return isPlain || byte == other ? String(Character(scalar)) : "_" + String(byte, radix: 16)
        }.joined()
        return name.isEmpty ? "_" : String(name.prefix(200))
    }

    /// The folder of an app, when programs share the folder of their user, like Mac apps outside of the sandbox. Two
    /// apps with the same write key have different users, so each has a folder of its own.
    /// - Parameters:
    ///   - bundleIdentifier: the app's identifier; a program without one shares the folder.
    ///   - home: the folder that the system calls the program's home.
    static func ownFolder(in folder: URL, bundleIdentifier: String?, home: String) -> URL {
        // A sandbox gives each app a home of its own.
        let isSandboxed = home.contains("/Library/Containers/")
        guard !isSandboxed, let bundleIdentifier, !bundleIdentifier.isEmpty else { return folder }
        return folder.appendingPathComponent(fileName(bundleIdentifier, keeping: UInt8(ascii: ".")))
    }

    private static var systemFolder: URL {
        #if os(macOS) || targetEnvironment(macCatalyst)
        return ownFolder(
            in: sharedFolder, bundleIdentifier: Bundle.main.bundleIdentifier, home: NSHomeDirectory())
        #else
        return sharedFolder
        #endif
    }

    private static var sharedFolder: URL {
        #if os(tvOS)
        let directory = FileManager.SearchPathDirectory.cachesDirectory  // tvOS allows apps only this folder
        #else
        let directory = FileManager.SearchPathDirectory.applicationSupportDirectory
        #endif
        return FileManager.default.urls(for: directory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
    }

    /// Excludes the folder from backups. Otherwise its events would be sent again on another device or after a restore.
    func excludeFromBackup() {
        #if canImport(Darwin)
        var folder = folder
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        // When that is not possible, the folder is part of backups.
        try? folder.setResourceValues(values)
        #endif
    }
}
