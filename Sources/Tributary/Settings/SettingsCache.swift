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

    /// Under another name first, always the same one: what a killed process leaves behind is used again.
    func store(_ bytes: [UInt8]) {
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
