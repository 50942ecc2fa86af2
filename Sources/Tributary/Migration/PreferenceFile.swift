import Foundation

/// A domain of preferences on Linux: a property list with the name of the domain, as Foundation stores it.
///
/// The client reads the file itself, because the first use of `UserDefaults` takes 54 ms there, on the thread that
/// makes the client.
struct PreferenceFile {
    let values: [String: Any]

    /// - Returns: nil when there is no such domain, or when the file is not a property list.
    init?(domain: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
        let home = environment["HOME"] ?? NSHomeDirectory()
        let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.config"
        guard !domain.contains("/") else { return nil }
        let file = URL(fileURLWithPath: folder).appendingPathComponent(domain + ".plist")
        guard let bytes = try? MigrationFile.read(file), let values = try? PropertyList.dictionary(bytes) else {
            return nil
        }
        self.values = values
    }
}
