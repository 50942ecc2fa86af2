import TributaryJSON

/// The events in a file of analytics-swift. The file is a batch in the form for the wire, written piece by piece.
///
/// The process may have ended at any byte, and the next process continued after it. So the end of the file may be
/// missing, its last event may be torn, and another event may follow a torn one on the same line.
struct AnalyticsSwiftBatch {
    private(set) var events: [JSONObject] = []
    /// The number of events that are torn and cannot be used.
    private(set) var torn = 0

    private static let header = Array(#"{"batch":["#.utf8)
    private static let newline = UInt8(ascii: "\n")
    /// How many more places after torn events are tried. Each may cost a pass over the rest of the file.
    private var attempts = 64

    init(_ bytes: [UInt8]) {
        if let whole = (try? JSON.parse(bytes))?["batch"]?.elements {
            events = whole.compactMap(\.objectValue)
            torn = whole.count - events.count
            return
        }
        for line in bytes[Self.bodyStart(bytes)...].split(separator: Self.newline) { read(line) }
    }

    /// The index after the header, whatever space the header contains.
    private static func bodyStart(_ bytes: [UInt8]) -> Int {
        var expected = header[...]
        for (index, byte) in bytes.enumerated() where !isSpace(byte) {
            guard let next = expected.first else { return index }
            guard byte == next else { return 0 }
            expected = expected.dropFirst()
        }
        return expected.isEmpty ? bytes.count : 0
    }

    /// Reads the objects of a line. A string never contains the end of a line, so an object that is open there is torn.
    /// After a torn event, reading goes on at the first place where a whole event begins.
    private mutating func read(_ line: ArraySlice<UInt8>) {
        var position = line.startIndex
        var isBehindTorn = false
        while let start = line[position...].firstIndex(of: UInt8(ascii: "{")) {
            if let end = Self.end(of: line[start...]), let event = Self.object(line[start..<end]),
                !isBehindTorn || event["type"] != nil
            {
                events.append(event)
                position = end
                isBehindTorn = false
                continue
            }
            if !isBehindTorn { torn += 1 }
            isBehindTorn = true
            attempts -= 1
            guard attempts >= 0, let comma = Self.nextEvent(line[(start + 1)...]) else { return }
            position = comma + 1
        }
    }

    /// The index of the next `,{`.
    private static func nextEvent(_ bytes: ArraySlice<UInt8>) -> Int? {
        zip(bytes.indices, bytes.indices.dropFirst()).first { comma, brace in
            bytes[comma] == UInt8(ascii: ",") && bytes[brace] == UInt8(ascii: "{")
        }?.0
    }

    private static func object(_ bytes: ArraySlice<UInt8>) -> JSONObject? {
        (try? JSON.parse(Array(bytes)))?.objectValue
    }

    /// The index after the brace that closes the first one.
    private static func end(of bytes: ArraySlice<UInt8>) -> Int? {
        var depth = 0
        var isString = false
        var isEscaped = false
        for (index, byte) in zip(bytes.indices, bytes) {
            if isEscaped {
                isEscaped = false
            } else if isString {
                isEscaped = byte == UInt8(ascii: "\\")
                if byte == UInt8(ascii: "\"") { isString = false }
            } else if byte == UInt8(ascii: "\"") {
                isString = true
            } else if byte == UInt8(ascii: "{") {
                depth += 1
            } else if byte == UInt8(ascii: "}") {
                depth -= 1
                if depth == 0 { return index + 1 }
            }
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
