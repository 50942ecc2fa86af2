package import Foundation

/// The way from places in a generated script to those in its sources, as compilers and minifiers write it (version 3).
package struct SourceMap: Sendable {
    private struct Segment {
        let column: Int
        let source: Int
        let sourceLine: Int
        let sourceColumn: Int
    }

    private let sources: [String]
    /// For each line of the script, in the order of their columns, all counted from 0.
    private let lines: [[Segment]]

    /// Nil when the JSON is not a source map, and for a map in sections.
    package init?(json: Data) {
        guard json.count <= Self.maximumBytes,
            let map = (try? JSONSerialization.jsonObject(with: json)) as? [String: Any],
            map["version"] as? Int == 3, let mappings = map["mappings"] as? String,
            let names = map["sources"] as? [Any],
            let lines = Self.lines(mappings, sources: names.count)
        else { return nil }
        let root = map["sourceRoot"] as? String ?? ""
        let prefix = root.isEmpty || root.hasSuffix("/") ? root : root + "/"
        sources = names.map { prefix + ($0 as? String ?? "unknown") }
        self.lines = lines
    }

    /// The map that a script carries in a comment at its end; nil when it carries none.
    package static func inline(in script: String) -> SourceMap? {
        guard let comment = script.range(of: "//# sourceMappingURL=data:", options: .backwards) else { return nil }
        let address = script[comment.upperBound...].prefix { !$0.isNewline }
        guard let comma = address.firstIndex(of: ",") else { return nil }
        let text = String(address[address.index(after: comma)...]).trimmingCharacters(in: .whitespaces)
        let isEncoded = address[..<comma].hasSuffix(";base64")
        let data = isEncoded ? Data(base64Encoded: text) : text.removingPercentEncoding.map { Data($0.utf8) }
        return data.flatMap(SourceMap.init(json:))
    }

    /// The place in a source.
    ///
    /// - Parameters:
    ///   - line: of the script, counted from 1.
    ///   - column: of the script, counted from 1.
    func place(line: Int, column: Int) -> ScriptPlace? {
        guard lines.indices.contains(line - 1) else { return nil }
        let segments = lines[line - 1]
        // The text before the first segment of a line belongs to that segment.
        var (low, high) = (0, segments.count)
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].column < column { low = middle + 1 } else { high = middle }
        }
        guard !segments.isEmpty else { return nil }
        let found = segments[max(0, low - 1)]
        return ScriptPlace(file: sources[found.source], line: found.sourceLine + 1, column: found.sourceColumn + 1)
    }

    /// The source and the line in it from which a line of the script comes; nil when the map does not say.
    package func source(ofLine line: Int) -> (file: String, line: Int)? {
        place(line: line, column: 1).map { ($0.file, $0.line) }
    }

    private static let maximumBytes = 16 << 20

    // MARK: Reading

    /// Lines end with a semicolon, segments with a comma; each number is the difference from the previous number.
    private static func lines(_ mappings: String, sources: Int) -> [[Segment]]? {
        var lines: [[Segment]] = [[]]
        var fields: [Int64] = [0, 0, 0, 0]
        var count = 0
        var reader = VariableLengthReader()
        for byte in mappings.utf8 {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ";"):
                guard finish(&fields, &count, sources, &lines), reader.isComplete else { return nil }
                if byte == UInt8(ascii: ";") {
                    fields[0] = 0
                    lines.append([])
                }
            default:
                guard reader.take(byte) else { return nil }
                guard let number = reader.number() else { continue }
                if count < fields.count {
                    fields[count] += number
                    guard Self.range.contains(fields[count]) else { return nil }
                }
                count += 1
            }
        }
        guard finish(&fields, &count, sources, &lines), reader.isComplete else { return nil }
        return lines.map { $0.sorted { $0.column < $1.column } }
    }

    private static func finish(_ fields: inout [Int64], _ count: inout Int, _ sources: Int, _ lines: inout [[Segment]])
        -> Bool
    {
        defer { count = 0 }
        // A segment of one number belongs to no source.
        guard count >= 4 else { return count <= 1 }
        guard fields.allSatisfy({ $0 >= 0 }), fields[1] < sources else { return false }
        lines[lines.count - 1].append(
            Segment(
                column: Int(fields[0]), source: Int(fields[1]), sourceLine: Int(fields[2]),
                sourceColumn: Int(fields[3])))
        return true
    }

    /// Places beyond this are in no file.
    private static let range = -Int64(Int32.max / 2)...Int64(Int32.max / 2)
}

/// Reads numbers in base 64, five bits for each digit, the lowest first; the lowest bit of all is the sign.
private struct VariableLengthReader {
    private var value: Int64 = 0
    private var shift = 0
    private var finished: Int64?

    /// Whether no number has begun.
    var isComplete: Bool { shift == 0 }

    /// False for a byte that is not a digit, and for a number that is too large.
    mutating func take(_ byte: UInt8) -> Bool {
        guard let digit = Self.digit(byte), shift <= 30 else { return false }
        value |= (digit & 31) << shift
        if digit & 32 != 0 {
            shift += 5
        } else {
            finished = value & 1 == 0 ? value >> 1 : -(value >> 1)
            value = 0
            shift = 0
        }
        return true
    }

    /// The number that has just ended.
    mutating func number() -> Int64? {
        defer { finished = nil }
        return finished
    }

    private static func digit(_ byte: UInt8) -> Int64? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int64(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int64(byte) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int64(byte) - 48 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
