package import Foundation

/// A folder that is gone when the test is over.
///
/// A client that still ends then may make files there again. All folders are in one, which is deleted when the process ends.
package final class TemporaryFolder: Sendable {
    package let url: URL

    private static let all: URL = {
        let all = FileManager.default.temporaryDirectory.appendingPathComponent("tributary-\(getpid())")
        atexit { try? FileManager.default.removeItem(at: TemporaryFolder.all) }
        return all
    }()

    package init() throws {
        url = Self.all.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Deletes a folder in it at one blow, whatever a client does there meanwhile.
    package func delete(_ path: String) throws {
        let trash = url.appendingPathComponent("trash")
        try FileManager.default.moveItem(at: url.appendingPathComponent(path), to: trash)
        try? FileManager.default.removeItem(at: trash)
    }

    /// A folder with the same files: what a process that has its files here would leave if it were killed now.
    package func copy() throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        var tries = 0
        while true {
            do {
                try FileManager.default.removeItem(at: copy.url)
                try FileManager.default.copyItem(at: url, to: copy.url)
                return copy
            } catch CocoaError.fileNoSuchFile where tries < 100 {
                // A file was renamed after the folder was listed.
                tries += 1
                try FileManager.default.createDirectory(at: copy.url, withIntermediateDirectories: true)
            } catch CocoaError.fileReadNoSuchFile where tries < 100 {
                tries += 1
                try FileManager.default.createDirectory(at: copy.url, withIntermediateDirectories: true)
            }
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
