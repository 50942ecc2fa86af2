import Foundation

/// A folder that goes away with the object.
final class TemporaryFolder: Sendable {
    let path: String

    /// A folder that exists, or that its first user makes.
    init(path: String) { self.path = path }

    init() throws {
        path = NSTemporaryDirectory() + "workspace-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
