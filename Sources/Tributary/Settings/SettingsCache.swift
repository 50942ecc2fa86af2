import Foundation
import TributaryJSON
import TributaryJournal

/// The last valid settings, in a file that is replaced as a whole.
struct SettingsCache: Sendable {
    let file: KeptFile
    /// The file with the HTTP tag (ETag) of the settings.
    let tagFile: KeptFile
    let report: @Sendable (Diagnostic) -> Void

    init(
        _ location: StorageLocation, _ files: any FileSystem, _ keptFiles: KeptFiles? = nil,
        report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        file = KeptFile(location.settingsFile, files, keptFiles)
        tagFile = KeptFile(location.settingsFile.appendingPathExtension("tag"), files, keptFiles)
        self.report = report
    }

    /// Settings, and their HTTP tag.
    struct Stored {
        let settings: Settings
        let tag: String?
    }

    /// The settings that were stored last; nil when there are none or they cannot be read.
    func load() -> Stored? {
        do {
            guard let bytes = try file.read() else { return nil }
            let json = try JSON.parse(bytes)
            if let object = json.objectValue {
                return Stored(settings: Settings(document: object), tag: tag(of: bytes))
            }
            report(Diagnostic(.storage, "the settings file is not an object"))
        } catch {
            report(Diagnostic(.storage, "the settings file cannot be read: \(error)"))
        }
        return nil
    }

    /// Stores settings in place of the last settings.
    func store(_ bytes: [UInt8], tag: String?) {
        replace(file, with: bytes)
        // Names the settings of the tag, because the two files are not replaced together.
        let checksum = String(Identifiers.fnv1a(bytes), radix: 16)
        replace(tagFile, with: tag.map { [UInt8]("\(checksum) \($0)".utf8) } ?? [])
    }

    /// The tag of settings with these bytes; nil when it is unknown. Then the server sends the settings once more.
    private func tag(of bytes: [UInt8]) -> String? {
        guard let stored = try? tagFile.read() else { return nil }
        let parts = String(decoding: stored, as: UTF8.self).split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0] == String(Identifiers.fnv1a(bytes), radix: 16) else { return nil }
        return String(parts[1])
    }

    private func replace(_ file: KeptFile, with bytes: [UInt8]) {
        do {
            try file.replace(with: bytes)
        } catch {
            report(Diagnostic(.storage, "the settings cannot be stored on disk: \(error)"))
        }
    }
}
