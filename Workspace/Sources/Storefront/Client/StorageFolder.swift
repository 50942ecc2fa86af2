import Foundation

/// The folder in which the client keeps events until the server has them.
struct StorageFolder {
    let url: URL
    /// Whether this run made the folder by itself, and deletes it when no events are left in it.
    let isTemporary: Bool

    /// The folder of the option, or a new one.
    init(path: String?) throws(InputError) {
        isTemporary = path == nil
        url =
            path.map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("storefront-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw InputError(file: url.path, line: nil, reason: "the folder cannot be made")
        }
    }

    /// Removes a folder that this run made by itself.
    func removeIfTemporary() {
        guard isTemporary else { return }
        try? FileManager.default.removeItem(at: url)  // a folder that stays is only untidy
    }
}
