import Crypto
import Foundation
import TributaryJSON
import WorkspaceCore

/// Writes names and values as statements of ClickHouse have them.
enum ClickHouseText {
    /// A name in quotes.
    static func name(_ name: String) -> String { quoted(name, "`") }

    static func names(_ names: some Sequence<String>) -> String { names.map(name).joined(separator: ", ") }

    /// A text in quotes.
    static func value(_ text: String) -> String { quoted(text, "'") }

    static func values(_ texts: some Sequence<String>) -> String { texts.map(value).joined(separator: ", ") }

    /// Milliseconds since 1970 as a value for a column of times.
    static func time(_ milliseconds: Int64) -> String {
        let text = ISO8601.string(milliseconds: milliseconds)
        return "toDateTime64('\(text.prefix(10)) \(text.dropFirst(11).dropLast())', 6, 'UTC')"
    }

    /// The digest of a value as ClickHouse's `hex(SHA256(value))` is.
    static func digest(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).map { String(format: "%02X", $0) }.joined()
    }

    /// Percent-encodes every byte that is no letter, digit or underscore.
    static func escaped(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            if byte.isAlphanumeric || byte == UInt8(ascii: "_") {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += String(format: "%%%02X", byte)
            }
        }
    }

    private static func quoted(_ text: String, _ quote: Unicode.Scalar) -> String {
        var result = String(quote)
        for scalar in text.unicodeScalars {
            if scalar == quote || scalar == "\\" { result.unicodeScalars.append("\\") }
            result.unicodeScalars.append(scalar)
        }
        result.unicodeScalars.append(quote)
        return result
    }
}
