import CWorkspaceFileStatus
import Foundation
import WorkspaceCore

/// The file of a database of countries. An operator may replace it at any time.
struct CountryFile: Sendable {
    /// Tells whether a file was replaced or changed.
    struct Stamp: Sendable, Equatable {
        let device: UInt64
        let inode: UInt64
        let size: Int64
        let changed: [Int64]
    }

    /// Why it cannot be used.
    struct Failure: Error, Equatable, CustomStringConvertible {
        let description: String
        /// The file, when its content is wrong; nil when it could not be read.
        var stamp: Stamp?
    }

    let path: String

    func stamp() throws(Failure) -> Stamp {
        var status = tributary_file_status()
        let code = tributary_status_at(path, &status)
        guard code == 0 else { throw Failure(description: SystemReason.text(code: code)) }
        return Stamp(status)
    }

    /// Reads it as a whole. It is not mapped, because a program that maps a file dies when the file is cut.
    func read() throws(Failure) -> (stamp: Stamp, database: CountryDatabase) {
        // A pipe without a writer must not hold up the start.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw Failure(description: SystemReason.text(code: errno)) }
        defer { close(file) }
        var status = tributary_file_status()
        let code = tributary_status_of(file, &status)
        guard code == 0 else { throw Failure(description: SystemReason.text(code: code)) }
        let stamp = Stamp(status)
        guard status.is_regular != 0 else { throw Failure(description: "it is not a file", stamp: stamp) }
        guard status.size <= Limits.countryDatabaseBytes else {
            throw Failure(
                description:
                    "it has \(status.size >> 20) MB, and at most \(Limits.countryDatabaseBytes >> 20) MB are "
                    + "kept in memory; a database of countries alone is smaller", stamp: stamp)
        }
        let bytes = try Self.content(file, count: Int(status.size))
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
    fileprivate init(_ status: tributary_file_status) {
        (device, inode, size) = (status.device, status.inode, status.size)
        // The time of the last change of the inode tells a copy that kept the time of its content.
        changed = [status.modified.0, status.modified.1, status.changed.0, status.changed.1]
    }
}
