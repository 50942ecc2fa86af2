import Foundation

/// The floor of everything durable: a file that takes bytes with one system call each.
public final class BareFile {
    private let file: Int32
    private let path: String

    public init(in folder: String) throws {
        path = folder + "/bare-\(UUID().uuidString)"
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure("cannot open \(path): \(errno)") }
    }

    deinit {
        close(file)
        unlink(path)
    }

    /// Writes the bytes with one `write`.
    @inline(__always)
    public func append(_ bytes: [UInt8]) throws {
        guard write(file, bytes, bytes.count) == bytes.count else { throw Failure("cannot write \(path): \(errno)") }
    }
}
