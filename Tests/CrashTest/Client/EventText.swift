import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Finds the harness's keys in the bytes of records, without knowing more of their form than that they hold JSON.
enum EventText {
    private static let start = Array(#""crashKey":""#.utf8)

    static func keys(in bytes: [UInt8]) -> [String] {
        bytes.withUnsafeBytes { buffer in
            var keys: [String] = []
            var rest = buffer[...]
            // From quote to quote, because padding has none.
            while let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                let quote = memchr(base, Int32(UInt8(ascii: "\"")), rest.count)
            {
                rest = rest[(rest.startIndex + (UnsafeRawPointer(quote) - base))...]
                guard rest.starts(with: start) else {
                    rest = rest.dropFirst()
                    continue
                }
                rest = rest.dropFirst(start.count)
                guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { break }
                keys.append(String(decoding: rest[..<end], as: UTF8.self))
            }
            return keys
        }
    }
}
