import CWorkspaceZlib

/// Text that is compressed while it grows. The same text gives the same bytes.
///
/// For one owner at a time.
package final class GzipText {
    /// The library has no memory left.
    package struct Failure: Error, CustomStringConvertible {
        package let description = "text cannot be compressed: there is too little memory"

        package init() {
        }
    }

    private static let pieceBytes = 64 << 10
    /// The largest window, with the head and the end of a gzip file.
    private static let gzipWindow: Int32 = 15 + 16

    private var stream = z_stream()
    private var output: [UInt8] = []
    private var piece = [UInt8](repeating: 0, count: pieceBytes)

    package init() throws(Failure) {
        let size = Int32(MemoryLayout<z_stream>.size)
        let status = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, Self.gzipWindow, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        guard status == Z_OK else { throw Failure() }
    }

    deinit { deflateEnd(&stream) }

    package func append(_ bytes: [UInt8]) throws(Failure) { try compress(bytes, Z_NO_FLUSH) }

    /// Ends the text. Nothing can be appended afterwards.
    package func finished() throws(Failure) -> [UInt8] {
        try compress([], Z_FINISH)
        return output
    }

    private func compress(_ bytes: [UInt8], _ flush: Int32) throws(Failure) {
        var input = bytes
        var status = Z_OK
        input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            repeat {
                status = piece.withUnsafeMutableBufferPointer { piece in
                    stream.next_out = piece.baseAddress
                    stream.avail_out = UInt32(piece.count)
                    return deflate(&stream, flush)
                }
                output += piece[..<(Self.pieceBytes - Int(stream.avail_out))]
            } while stream.avail_out == 0 && status == Z_OK
        }
        // Without input and without an end there is nothing to do, which the library calls an error.
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { throw Failure() }
    }
}
