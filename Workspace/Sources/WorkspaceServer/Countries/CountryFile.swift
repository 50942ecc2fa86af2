import Foundation
import WorkspaceCore

/// The file of a database of countries. An operator may replace it at any time.
struct CountryFile: Sendable {
    /// Tells whether a file was replaced or changed.
    struct Stamp: Sendable, Equatable {
        let device: UInt64
        let inode: UInt64
        let size: Int64
        let changed: [Int]
    }

    /// Why it cannot be used.
    struct Failure: Error, Equatable, CustomStringConvertible {
        let description: String
        /// The file, when its content is wrong; nil when it could not be read.
        var stamp: Stamp?
    }

    let path: String

    func stamp() throws(Failure) -> Stamp {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Failure(description: SystemReason.text(code: errno)) }
        return Stamp(status)
    }

    /// Reads it as a whole. It is not mapped, because a program that maps a file dies when the file is cut.
    func read() throws(Failure) -> (stamp: Stamp, database: CountryDatabase) {
        // A pipe without a writer must not hold up the start.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw Failure(description: SystemReason.text(code: errno)) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Failure(description: SystemReason.text(code: errno)) }
        let stamp = Stamp(status)
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(description: "it is not a file", stamp: stamp) }
        guard status.st_size <= Limits.countryDatabaseBytes else {
            throw Failure(
                description:
                    "it has \(status.st_size >> 20) MB, and at most \(Limits.countryDatabaseBytes >> 20) MB are "
                    + "kept in memory; a database of countries alone is smaller", stamp: stamp)
        }
        let bytes = try Self.content(file, count: Int(status.st_size))
        do throws(CountryDatabase.Damage) {
            return (stamp, try CountryDatabase(bytes))
        } catch {
            throw Failure(description: error.description, stamp: stamp)
        }
    }

    /// At most so many bytes; fewer when the file is cut meanwhile.
    private static func content(_ file: Int32, count: Int) throws(Failure) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let start = buffer.baseAddress {
                let got = Foundation.read(file, start + filled, count - filled)
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                guard got > 0 else { return }
                filled += got
            }
        }
        guard failure == 0 else { throw Failure(description: SystemReason.text(code: failure)) }
        return bytes
    }
}

extension CountryFile.Stamp {
    fileprivate init(_ status: stat) {
        (device, inode, size) = (
            UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino), Int64(status.st_size)
        )
        // The time of the last change of the inode tells a copy that kept the time of its content.
        #if canImport(Darwin)
        let times = [status.st_mtimespec, status.st_ctimespec]
        #else
        let times = [status.st_mtim, status.st_ctim]
        #endif
        changed = times.flatMap { [$0.tv_sec, $0.tv_nsec] }
    }
}
