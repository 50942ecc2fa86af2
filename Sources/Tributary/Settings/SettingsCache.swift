import Foundation
import TributaryJSON

/// The last good settings, in a file that is replaced as a whole.
struct SettingsCache: Sendable {
    let file: URL
    let report: @Sendable (Diagnostic) -> Void

    /// Settings, and the tag under which their host knows them.
    struct Stored {
        let settings: Settings
        let tag: String?
    }

    /// The settings that were stored last; nil when there are none or they cannot be read.
    func load() -> Stored? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            let bytes = try [UInt8](Data(contentsOf: file))
            let json = try JSON.parse(bytes)
            if let object = json.objectValue {
                return Stored(settings: Settings(document: object), tag: tag(of: bytes))
            }
            report(Diagnostic(.storage, "the settings that were kept on disk are not an object"))
        } catch {
            report(Diagnostic(.storage, "the settings that were kept on disk cannot be read: \(error)"))
        }
        return nil
    }

    /// Under another name first, always the same one: what a killed process leaves behind is used again.
    func store(_ bytes: [UInt8], tag: String?) {
        replace(file, with: bytes)
        // Says whose tag it is, because the two files are not replaced together.
        let checksum = String(Identifiers.fnv1a(bytes), radix: 16)
        replace(tagFile, with: tag.map { [UInt8]("\(checksum) \($0)".utf8) } ?? [])
    }

    private var tagFile: URL { file.appendingPathExtension("tag") }

    /// The tag of settings with these bytes; nil when it is not known, which costs one answer with settings.
    private func tag(of bytes: [UInt8]) -> String? {
        guard let stored = try? String(decoding: Data(contentsOf: tagFile), as: UTF8.self) else { return nil }
        let parts = stored.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0] == String(Identifiers.fnv1a(bytes), radix: 16) else { return nil }
        return String(parts[1])
    }

    private func replace(_ file: URL, with bytes: [UInt8]) {
        let new = file.appendingPathExtension("new")
        do {
            try Data(bytes).write(to: new)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: new.path)
        } catch {
            return report(Diagnostic(.storage, "the settings cannot be kept on disk: \(error.localizedDescription)"))
        }
        guard rename(new.path, file.path) != 0 else { return }
        let reason = String(cString: strerror(errno))
        report(Diagnostic(.storage, "the settings cannot be kept on disk: \(reason)"))
    }
}
