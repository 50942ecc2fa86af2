import Foundation

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// A file without a name, which disappears with the object. No other process can open it.
final class UnnamedFile: Sendable {
    let descriptor: FileDescriptor

    /// - Parameter content: what the file holds; it is read from its beginning.
    init(_ content: [UInt8] = []) throws {
        var template = Array("\(NSTemporaryDirectory())/tributary-XXXXXX".utf8CString)
        let number = mkstemp(&template)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        unlink(template)
        descriptor = FileDescriptor(rawValue: number)
        do {
            try descriptor.writeAll(content)
            try descriptor.seek(offset: 0, from: .start)
        } catch {
            try? descriptor.close()
            throw error
        }
    }

    deinit { try? descriptor.close() }

    /// The content of the file; nil when it is longer than the limit.
    func content(atMost limit: Int) throws -> [UInt8]? {
        guard try descriptor.seek(offset: 0, from: .end) <= limit else { return nil }
        try descriptor.seek(offset: 0, from: .start)
        return [UInt8](try FileHandle(fileDescriptor: descriptor.rawValue, closeOnDealloc: false).readToEnd() ?? Data())
    }
}
