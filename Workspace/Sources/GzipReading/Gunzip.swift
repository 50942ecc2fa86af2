import CWorkspaceZlib

/// Inflates gzip (RFC 1952), also several members one after another. The result has a limit, so that a small text cannot
/// become a large one.
package enum Gunzip {
    package enum Failure: Error, Equatable {
        case malformed(String)
        case tooLarge
    }

    /// Whether bytes begin like a gzip file.
    package static func looksCompressed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    /// Inflates a gzip text.
    package static func inflate(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
        try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
            try inflate(UnsafeRawBufferPointer(bytes), limit: limit)
        }
    }

    /// Inflates a gzip text in memory of the caller.
    package static func inflate(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(Failure) -> [UInt8] {
        var stream = z_stream()
        let windowBitsForGzipOnly: Int32 = 15 + 16
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, windowBitsForGzipOnly, ZLIB_VERSION, size) == Z_OK else {
            throw .malformed("the decoder cannot start")
        }
        defer { inflateEnd(&stream) }
        // zlib reads the input through a mutable pointer and does not write to it.
        let input = UnsafeMutableRawBufferPointer(mutating: bytes).bindMemory(to: UInt8.self)
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(clamping: input.count)
        return try drain(&stream, limit: limit)
    }

    /// Inflates the beginning of an incomplete gzip text.
    /// - Returns: the readable part; empty for bytes that are not gzip.
    package static func beginning(of bytes: [UInt8], limit: Int) -> [UInt8] {
        bytes.withUnsafeBufferPointer { bytes in
            var stream = z_stream()
            let size = Int32(MemoryLayout<z_stream>.size)
            guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else { return [] }
            defer { inflateEnd(&stream) }
            // zlib reads the input through a mutable pointer and does not write to it.
            stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
            stream.avail_in = UInt32(clamping: bytes.count)
            var chunk = [UInt8](repeating: 0, count: limit)
            let (_, written) = step(&stream, into: &chunk)
            return Array(chunk[..<written])
        }
    }

    private static func drain(_ stream: inout z_stream, limit: Int) throws(Failure) -> [UInt8] {
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let (status, written) = step(&stream, into: &chunk)
            output.append(contentsOf: chunk[..<written])
            guard output.count <= limit else { throw .tooLarge }
            switch status {
            case Z_OK: continue
            case Z_STREAM_END:
                if stream.avail_in == 0 { return output }
                inflateReset(&stream)
            case Z_BUF_ERROR: throw .malformed("it ends too early")
            default: throw .malformed(stream.msg.map { String(cString: $0) } ?? "zlib error \(status)")
            }
        }
    }

    private static func step(_ stream: inout z_stream, into chunk: inout [UInt8]) -> (status: Int32, written: Int) {
        chunk.withUnsafeMutableBufferPointer { chunk in
            stream.next_out = chunk.baseAddress
            stream.avail_out = UInt32(chunk.count)
            let status = CWorkspaceZlib.inflate(&stream, Z_NO_FLUSH)
            return (status, chunk.count - Int(stream.avail_out))
        }
    }
}
