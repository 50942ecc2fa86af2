import Foundation

/// Which locks of files processes hold, as the system lists them. Trying to lock a file would keep a client that starts
/// at that moment from its queue.
enum HeldLocks {
    /// The system gives the list in pieces. A lock that ends between two pieces makes it leave out one that is still held, so
    /// only a file that several lists leave out is not locked.
    private static let readings = 8

    /// Whether a process holds a lock on the file; nil where the system has no such list.
    ///
    /// - Parameter list: reads the list, or returns nil where the system has none.
    static func isHeld(_ path: String, list: () -> String? = systemList) -> Bool? {
        for _ in 1..<readings {
            let isHeld = isHeld(path, in: list())
            if isHeld != false { return isHeld }
        }
        return isHeld(path, in: list())
    }

    /// Reads the list to its end. `String(contentsOfFile:)` ends at the first piece, which has some 75 locks.
    static func systemList() -> String? {
        guard let file = FileHandle(forReadingAtPath: "/proc/locks"), let bytes = try? file.readToEnd() else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isHeld(_ path: String, in list: String?) -> Bool? {
        // Outside of Linux there is no list.
        guard let list else { return nil }
        // A file that is not there is locked by no process.
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let device = (attributes[.systemNumber] as? NSNumber)?.uint64Value,
            let number = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value
        else { return false }
        let (major, minor) = (device >> 8 & 0xFFF, device & 0xFF | device >> 12 & 0xFFF00)
        let words = Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
        if words.contains("\(hexadecimal(major)):\(hexadecimal(minor)):\(number)") { return true }
        // Some file systems, such as btrfs, show files under another device than the list does.
        let isUnsure = major == 0 && words.contains { $0.hasSuffix(":\(number)") }
        return isUnsure ? nil : false
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return digits.count < 2 ? "0" + digits : digits
    }
}
