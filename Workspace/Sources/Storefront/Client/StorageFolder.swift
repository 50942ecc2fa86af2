import Foundation

/// Where the client keeps events until the server has them.
struct StorageFolder {
    let url: URL
    /// Whether nobody asked for this folder, so that it goes when nothing is left in it.
    let isTemporary: Bool

    /// The folder that was asked for, or a fresh one.
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

    /// Removes a folder that nobody asked for.
    func removeIfTemporary() {
        guard isTemporary else { return }
        try? FileManager.default.removeItem(at: url)  // a folder that stays is only untidy
    }
}
