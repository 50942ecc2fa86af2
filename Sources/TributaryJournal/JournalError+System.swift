#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension JournalError {
    /// The error of a system call.
    package init(errno: Int32, _ operation: String, _ path: String) {
        self.reason = Self.reason(of: errno)
        self.errno = errno
        self.detail = path.isEmpty ? operation : "\(operation) \(path.split(separator: "/").last ?? "/")"
    }

    /// Whether the file belongs to another account of the system, for instance because a program made it as root. No
    /// wait changes that. A device that is locked refuses with another error (EPERM).
    package var isForeign: Bool { errno == EACCES }

    private static func reason(of errno: Int32) -> Reason {
        switch errno {
        case ENOSPC, EDQUOT, EFBIG: .noSpace
        case EROFS: .readOnly
        case EACCES, EPERM: .unreadable
        case ENOENT, ENOTDIR: .missing
        case EMFILE, ENFILE, ENOMEM: .exhausted
        case EWOULDBLOCK: .inUse
        default: .inputOutput
        }
    }
}
