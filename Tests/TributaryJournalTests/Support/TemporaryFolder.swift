import Foundation

/// A fresh folder that goes away with its last user.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        // In memory where the system offers that, because the tests make many thousands of files.
        let memory = "/dev/shm"
        let parent = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
        path = parent + "/journal-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The plain files and their bytes, without the lock, which has none.
    func contents() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try names() where name != "lock" { files[name] = try read(name) }
        return files
    }

    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    func segmentNames() throws -> [String] {
        try names().filter { $0.hasSuffix(".tjl") && !$0.hasPrefix("spare") }
    }

    func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path + "/" + name)
    }

    /// Makes the folder hold exactly these files.
    func replaceContents(_ files: [String: [UInt8]]) throws {
        for name in try names() where files[name] == nil { try remove(name) }
        for (name, bytes) in files { try write(name, bytes) }
    }
}
