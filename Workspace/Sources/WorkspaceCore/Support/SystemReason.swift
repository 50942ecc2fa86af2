import Foundation
import GRDB
import TributaryJournal

/// Why the system or the database refused something, in words for people.
///
/// Texts of the system and of libraries speak of their own types and numbers. An error of this project has a sentence
/// already, and it is passed on as it is.
package enum SystemReason {
    /// The reason of any error.
    package static func text(_ error: any Error) -> String { known(error) ?? "\(error)" }

    /// The reason of an error of the system or of a library; nil for an error that is none.
    package static func known(_ error: any Error) -> String? {
        switch error {
        case let error as DatabaseError: database(error)
        case let error as JournalError: error.errno == 0 ? error.detail : "\(error.detail): \(text(code: error.errno))"
        case is CancellationError: "it was stopped"
        case let error as POSIXError: text(code: error.code.rawValue)
        case let error as CocoaError: cocoa(error)
        default: type(of: error) is NSError.Type ? foundation(error as NSError) : nil
        }
    }

    /// The meaning of an error number of the system.
    package static func text(code: Int32) -> String {
        switch code {
        case ENOENT: "there is no such file or folder"
        case EACCES, EPERM: "this user is not allowed to; look at the owner and the permissions"
        case EISDIR: "it is a folder, not a file"
        case ENOTDIR: "a part of its path is a file, not a folder"
        case ENOSPC: "the disk is full"
        case EDQUOT: "this user's share of the disk is used up"
        case EROFS: "the disk can only be read"
        case ENAMETOOLONG: "its name is too long"
        case ELOOP: "its symbolic links lead in a circle"
        case EMFILE, ENFILE: "too many files are open; `ulimit -n` allows more"
        case EEXIST: "something of that name is there already"
        case ENOTEMPTY: "the folder is not empty"
        case EIO: "the disk reports an error"
        case ECONNREFUSED: "no program listens there; is the server running, and is that its port?"
        case ECONNRESET, EPIPE: "the other side broke the connection off"
        case ETIMEDOUT: "there was no answer in time"
        case EHOSTUNREACH, ENETUNREACH: "there is no way through the network to that host"
        case EADDRNOTAVAIL: "this machine has no such address"
        default: String(cString: strerror(code))
        }
    }

    /// Why a file cannot be read; nil when it can.
    package static func reading(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return text(code: errno) }
        defer { close(file) }
        var byte: UInt8 = 0
        return read(file, &byte, 1) < 0 ? text(code: errno) : nil
    }

    private static func database(_ error: DatabaseError) -> String {
        switch error.resultCode {
        case .SQLITE_FULL: "the disk is full"
        case .SQLITE_READONLY: "the database can only be read; look at its owner, the permissions and the disk"
        case .SQLITE_CANTOPEN: "the database cannot be opened; look at the owner, the permissions and the free room"
        case .SQLITE_BUSY, .SQLITE_LOCKED: "another program uses the database"
        case .SQLITE_IOERR: "the disk reports an error"
        case .SQLITE_NOTADB: "it is no database"
        case .SQLITE_CORRUPT: "the database is damaged"
        default: error.message ?? "the database failed with the code \(error.resultCode.rawValue)"
        }
    }

    private static func cocoa(_ error: CocoaError) -> String {
        if let below = error.userInfo[NSUnderlyingErrorKey] as? any Error, let reason = posix(below) { return reason }
        return text(cocoa: error.code)
    }

    private static func text(cocoa code: CocoaError.Code) -> String {
        switch code {
        case .fileNoSuchFile, .fileReadNoSuchFile: text(code: ENOENT)
        case .fileReadNoPermission, .fileWriteNoPermission: text(code: EACCES)
        case .fileWriteOutOfSpace: text(code: ENOSPC)
        case .fileWriteVolumeReadOnly: text(code: EROFS)
        case .fileWriteFileExists: text(code: EEXIST)
        case .fileReadInvalidFileName, .fileWriteInvalidFileName: "its name cannot be that of a file"
        case .fileReadTooLarge: "it is too large"
        case .fileReadInapplicableStringEncoding, .fileReadCorruptFile: "its content is not a text in UTF-8"
        default: "the system refused and did not say why; look at the path, the permissions and the free room"
        }
    }

    private static func foundation(_ error: NSError) -> String {
        if let reason = posix(error) { return reason }
        if let below = error.userInfo[NSUnderlyingErrorKey] as? any Error, let reason = posix(below) { return reason }
        guard error.domain == NSCocoaErrorDomain else {
            return "the system refused and did not say why; look at the path, the permissions and the free room"
        }
        return text(cocoa: CocoaError.Code(rawValue: error.code))
    }

    private static func posix(_ error: any Error) -> String? {
        if let error = error as? POSIXError { return text(code: error.code.rawValue) }
        let error = error as NSError
        return error.domain == NSPOSIXErrorDomain ? text(code: Int32(error.code)) : nil
    }
}
