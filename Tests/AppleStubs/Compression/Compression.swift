// Apple's compression framework, as far as the client uses it.
@_exported public import Darwin

// Not read: compression/compression_algorithm
public struct compression_algorithm {
    public let rawValue: UInt32
}
// Not read: compression/compression_zlib
nonisolated(unsafe) public let COMPRESSION_ZLIB = compression_algorithm(rawValue: 0x205)

// Not read: compression/compression_encode_buffer(_:_:_:_:_:_:)
public func compression_encode_buffer(
    _ target: UnsafeMutablePointer<UInt8>, _ targetSize: Int, _ source: UnsafePointer<UInt8>, _ sourceSize: Int,
    _ scratch: UnsafeMutableRawPointer?, _ algorithm: compression_algorithm
) -> Int { 0 }
