import CWorkspaceZlib

/// Makes gzip text, as clients do.
enum Gzip {
    struct Failure: Error {}

    static func compress(_ bytes: [UInt8]) throws -> [UInt8] {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit2_(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK else {
            throw Failure()
        }
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
        let count = input.count
        let capacity = output.count
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(capacity)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { throw Failure() }
        return Array(output[..<(capacity - Int(stream.avail_out))])
    }
}
