import TributaryJSON

/// Events on their way to one request.
struct ImportBatch {
    /// The protocol's bound for a batch is 500 KB; this leaves room for what is around the events.
    private static let bytes = 450_000

    private let limit: Int
    private var events: [[UInt8]] = []
    private var size = 0
    /// Where each event stood in the file.
    private(set) var lines: [Int] = []

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { events.isEmpty }
    var count: Int { events.count }

    /// False when there is no room; the first event always has some.
    mutating func add(_ event: JSONObject, line: Int) -> Bool {
        let text = JSON.object(event).encoded()
        guard events.isEmpty || (events.count < limit && size + text.count < Self.bytes) else { return false }
        events.append(text)
        size += text.count + 1
        lines.append(line)
        return true
    }

    /// There is no `sentAt`: times in a file are not those of a clock that could be wrong now.
    func body(writeKey: String) -> [UInt8] {
        var body = Array(#"{"writeKey":"#.utf8) + JSON.string(writeKey).encoded() + Array(#","batch":["#.utf8)
        for (index, event) in events.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body += event
        }
        return body + Array("]}".utf8)
    }

    mutating func removeAll() {
        events.removeAll(keepingCapacity: true)
        lines.removeAll(keepingCapacity: true)
        size = 0
    }
}
