import TributaryJSON

/// A bundle carries its data in a comment in its first line. So one text has one signature, one version and one roll-back, and
/// a client that knows no data runs the script behind the line.
extension RuleProgram {
    /// The beginning of a first line with data.
    package static let mark = "/*tributary data "
    private static let end = "*/\n"

    /// The line, with its end.
    package var line: String {
        var bytes: [UInt8] = []
        for byte in json.description.utf8 {
            // The end of a comment inside of a text; JSON has an escape for the slash.
            if byte == UInt8(ascii: "/"), bytes.last == UInt8(ascii: "*") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        return Self.mark + String(decoding: bytes, as: UTF8.self) + Self.end
    }

    /// The JSON text of the data in the first line of a bundle, and the script behind it; no JSON for any other text.
    package static func parts(of bundle: String) -> (data: Substring?, script: Substring) {
        let bytes = bundle.utf8
        guard bytes.starts(with: mark.utf8), let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            return (nil, bundle[...])
        }
        let next = bytes.index(after: newline)
        guard bytes[..<next].suffix(end.utf8.count).elementsEqual(end.utf8) else { return (nil, bundle[...]) }
        let start = bytes.index(bytes.startIndex, offsetBy: mark.utf8.count)
        let stop = bytes.index(next, offsetBy: -end.utf8.count)
        guard start <= stop else { return (nil, bundle[...]) }
        return (bundle[start..<stop], bundle[next...])
    }
}
