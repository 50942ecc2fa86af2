import Foundation
import TributaryJSON

/// The last good settings, in a file that is replaced as a whole.
struct SettingsCache: Sendable {
    let file: URL
    let report: @Sendable (Diagnostic) -> Void

    /// The settings that were stored last; nil when there are none or they cannot be read.
    func load() -> Settings? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            let json = try JSON.parse([UInt8](Data(contentsOf: file)))
            if let object = json.objectValue { return Settings(document: object) }
            report(Diagnostic(.storage, "the settings that were kept on disk are not an object"))
        } catch {
            report(Diagnostic(.storage, "the settings that were kept on disk cannot be read: \(error)"))
        }
        return nil
    }

    func store(_ bytes: [UInt8]) {
        do {
            try Data(bytes).write(to: file, options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        } catch {
            report(Diagnostic(.storage, "the settings cannot be kept on disk: \(error.localizedDescription)"))
        }
    }
}
