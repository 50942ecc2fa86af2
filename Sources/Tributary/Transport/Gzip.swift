#if canImport(CTributaryZlib)
import CTributaryZlib
#else
import Compression
import Foundation
#endif

/// Compresses bodies in the gzip format (RFC 1952).
enum Gzip {
    #if canImport(CTributaryZlib)
    /// The compressed bytes; nil when the library refuses.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        let gzipWindow: Int32 = 15 + 16
        guard
            deflateInit2_(
                &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzipWindow, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        var input = bytes
        var status = Z_OK
        let output = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(bound)
                status = deflate(&stream, Z_FINISH)
                count = bound - Int(stream.avail_out)
            }
        }
        return status == Z_STREAM_END ? output : nil
    }
    #else
    /// The compressed bytes; nil when the library refuses.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        let capacity = bytes.count + bytes.count / 100 + 64
        var deflated = [UInt8](repeating: 0, count: capacity)
        let count = compression_encode_buffer(
            &deflated, capacity, bytes, bytes.count, nil, COMPRESSION_ZLIB)
        guard count > 0 else { return nil }
        return header + deflated.prefix(count) + littleEndian(crc32(bytes))
            + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    private static func littleEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// The CRC-32 of gzip (the polynomial of RFC 1952).
    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { ($0 >> 8) ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }
    #endif
}
