import TributaryJSON
import TributaryScript

/// The answer of the JavaScript side after a turn: ` 0u 1c`, and for a changed event a new line and the event.
struct LivePluginAnswer {
    /// The numbers of the plugins that had a turn, each with its outcome.
    private(set) var turns: [(plugin: Int, letter: UInt8)] = []
    /// The text of the event; nil when it is unchanged.
    private(set) var event: Substring.UTF8View?

    init(_ text: String) {
        let bytes = text.utf8
        let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
        event = end.map { bytes[bytes.index(after: $0)...] }
        var number = 0
        for byte in bytes[..<(end ?? bytes.endIndex)] {
            switch byte {
            case UInt8(ascii: " "): number = 0
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number &* 10 &+ Int(byte - UInt8(ascii: "0"))
            default: turns.append((number, byte))
            }
        }
    }

    /// Whether a plugin returned null.
    var isDropped: Bool { turns.last?.letter == UInt8(ascii: "d") }

    /// Whether the JavaScript side has faults to report.
    var hasFaults: Bool { turns.contains { $0.letter == UInt8(ascii: "f") } }

    /// The changed event; nil when it is unchanged.
    /// - Parameter original: the event before, most of which is usually left.
    func readEvent(from original: JSON, maximumBytes: Int) throws(JSONError) -> JSONReading? {
        guard let event else { return nil }
        guard event.count <= maximumBytes else {
            throw JSONError(.tooLarge, "it has \(event.count) bytes; the limit is \(maximumBytes)")
        }
        let read = event.withContiguousStorageIfAvailable { Self.read($0, like: original) }
        do {
            return try (read ?? Array(event).withUnsafeBufferPointer { Self.read($0, like: original) }).get()
        } catch  where error.reason == .tooDeep {
            return try ScriptNesting.cut(event).withUnsafeBufferPointer { Self.read($0, like: original) }.get()
        }
    }

    private static func read(
        _ bytes: UnsafeBufferPointer<UInt8>, like original: JSON
    ) -> Result<JSONReading, JSONError> {
        Result { () throws(JSONError) in try JSON.parse(UnsafeRawBufferPointer(bytes), like: original) }
    }

    /// The faults from reports of the JavaScript side, by plugins. A later fault of a plugin replaces its earlier fault.
    /// - Parameter explained: finds the places in the author's file.
    static func faults(
        _ reports: [JSON], breach: String?, explained: ([ScriptError]) -> [ScriptError]
    ) -> [Int: LivePluginFault] {
        let reports = reports.filter { $0["id"]?.intValue != nil }
        var faults: [Int: LivePluginFault] = [:]
        for (report, error) in zip(reports, explained(reports.map { error($0, breach: breach) })) {
            guard let plugin = report["id"]?.intValue else { continue }
            faults[plugin] = LivePluginFault(
                message: error.message, line: error.line, file: error.file,
                isSwitchedOff: report["isOff"]?.boolValue ?? false,
                isBreach: report["message"]?.stringValue?.isEmpty != false && breach != nil)
        }
        return faults
    }

    private static func error(_ report: JSON, breach: String?) -> ScriptError {
        let message = report["message"]?.stringValue ?? ""
        return ScriptError(
            .exception, message.isEmpty ? breach ?? "unknown" : message, line: report["line"]?.intValue,
            column: report["column"]?.intValue, file: report["file"]?.stringValue, stack: report["stack"]?.stringValue)
    }
}
