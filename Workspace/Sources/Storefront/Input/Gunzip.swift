#if canImport(CWorkspaceZlib)
import CWorkspaceZlib
#endif

/// Reads the gzip format (RFC 1952), also several members one after another.
enum Gunzip {
    /// Whether bytes begin as a gzip file does.
    static func looksCompressed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    #if canImport(CWorkspaceZlib)
    /// The contents; at most `limit` bytes, so that a small file cannot fill the memory.
    static func decompress(_ bytes: [UInt8], limit: Int) throws(InputProblem) -> [UInt8] {
        var stream = z_stream()
        let gzipWindow: Int32 = 15 + 16
        guard inflateInit2_(&stream, gzipWindow, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw InputProblem("the decompressor cannot be set up")
        }
        defer { inflateEnd(&stream) }
        var input = bytes
        var output: [UInt8] = []
        var status = Z_OK
        var isTooLarge = false
        input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            while status == Z_OK, !isTooLarge {
                status = inflateChunk(&stream, into: &output)
                isTooLarge = output.count > limit
                if status == Z_STREAM_END, stream.avail_in > 0 { status = inflateReset(&stream) }
            }
        }
        guard !isTooLarge else { throw InputProblem("more than \(limit) bytes when decompressed") }
        switch status {
        case Z_STREAM_END: return output
        case Z_BUF_ERROR: throw InputProblem("the gzip data ends too early")
        default: throw InputProblem("the gzip data is damaged")
        }
    }

    private static func inflateChunk(_ stream: inout z_stream, into output: inout [UInt8]) -> Int32 {
        let chunk = 1 << 16
        var status = Z_OK
        output.append(
            contentsOf: [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(chunk)
                status = inflate(&stream, Z_NO_FLUSH)
                count = chunk - Int(stream.avail_out)
            })
        return status
    }
    #else
    /// Not on this system: zlib is only linked on Linux.
    static func decompress(_ bytes: [UInt8], limit: Int) throws(InputProblem) -> [UInt8] {
        throw InputProblem("gzip files are read on Linux only; run gunzip first")
    }
    #endif
}
