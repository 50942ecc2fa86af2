import TributaryJSON

/// The events of one request.
struct ImportBatch {
    /// The protocol's limit for a batch is 500 KB; this leaves room for the members around the events.
    private static let bytes = 450_000

    private let limit: Int
    private var events: [[UInt8]] = []
    private var size = 0
    /// The line of each event in the file.
    private(set) var lines: [Int] = []

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { events.isEmpty }
    var count: Int { events.count }

    /// False when there is no room; the first event always fits.
    mutating func add(_ event: JSONObject, line: Int) -> Bool {
        let text = JSON.object(event).encoded()
        guard events.isEmpty || (events.count < limit && size + text.count < Self.bytes) else { return false }
        events.append(text)
        size += text.count + 1
        lines.append(line)
        return true
    }

    /// There is no `sentAt`, because times in a file do not depend on the present clock.
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
