import Foundation

/// A file that is read in pieces; what the disk does not give is nil.
///
/// Not mapped into memory: a sector that cannot be read would end the process.
package struct ByteFile {
    package let byteCount: Int
    private let read: (_ offset: Int, _ count: Int) -> [UInt8]?

    package init(_ bytes: [UInt8]) {
        byteCount = bytes.count
        read = { offset, count in
            guard offset >= 0, count >= 0, offset <= bytes.count - count else { return nil }
            return Array(bytes[offset..<offset + count])
        }
    }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Whether a file is known to have no bytes.
    package static func isEmpty(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)  // what cannot be asked is not known
        return (attributes?[.size] as? NSNumber)?.intValue == 0
    }

    /// - Throws: what the system says when the file cannot be opened.
    package init(path: String) throws {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        byteCount = Int(clamping: try handle.seekToEnd())
        read = { offset, count in
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                filled = max(0, pread(handle.fileDescriptor, buffer.baseAddress, count, off_t(offset)))
            }
            return bytes.count == count ? bytes : nil
        }
    }

    /// The bytes from a place on; nil when they are not all there.
    package func bytes(at offset: Int, count: Int) -> [UInt8]? {
        guard offset >= 0, count > 0, offset <= byteCount - count else { return nil }
        return read(offset, count)
    }
}

extension [UInt8] {
    /// A number of the file format, most significant byte first. The bytes have to be there.
    package func bigEndian(at offset: Int, bytes count: Int) -> Int {
        var number = 0
        for byte in self[offset..<offset + count] { number = number << 8 | Int(byte) }
        return number
    }
}
