import WorkspaceCore
import WorkspaceServer

/// A row of the table, before it is written in the format of the server.
struct ClickHouseRow {
    var day: Int32
    var kind: UInt8
    var slot: Int64 = 0
    var source: Int64 = 0
    var key = MessageKey(high: 0, low: 0)
    var version: UInt64 = 0
    var number: Int64 = 0
    var receivedAt: Int64 = 0
    var storedAt: Int64 = 0
    var messageId: String?
    var type = ""
    var name: String?
    var userId: String?
    var anonymousId: String?
    var timestamp: Int64 = 0
    var originalTimestamp: Int64?
    var sentAt: Int64?
    var isDropped = false
    var trackedAt: Int64 = 0
    var code = ""
    var reason = ""
    /// The users that the body names; a single empty text when they are not known.
    var mentions: [String] = []
    /// The properties that the catalog counts, each once.
    var properties: [(key: [UInt8], kind: PropertyKind)] = []
    var body: [UInt8] = []

    /// A row without content.
    /// - Parameter key: differs for each such row.
    static func marker(_ day: Day, _ key: MessageKey) -> ClickHouseRow {
        var row = ClickHouseRow(day: Int32(clamping: day.number), kind: ClickHouseTable.markerKind)
        row.key = key
        return row
    }

    private init(day: Int32, kind: UInt8) { (self.day, self.kind) = (day, kind) }

    init(_ row: EventBlock.Row, storedAt: Int64) {
        self.init(day: Int32(clamping: row.day.number), kind: row.identity.kind.rawValue)
        (source, key, number) = (row.identity.source, row.identity.key, row.number)
        (receivedAt, self.storedAt) = (row.receivedAt, storedAt)
        slot = ClickHouseTable.slot(row.receivedAt)
        // Of rows with one identity, the lowest number wins.
        version = UInt64(bitPattern: ~row.number)
        switch row.content {
        case .event(let event): take(event)
        case .rejected(let event): take(event)
        case .signal(let signal): take(signal)
        case .trace(let trace, _): take(trace)
        }
    }

    private mutating func take(_ event: IncomingEvent) {
        messageId = event.messageId
        (type, name, userId, anonymousId) = (event.type.rawValue, event.name, event.userId, event.anonymousId)
        (timestamp, originalTimestamp) = (event.times.timestamp, event.times.originalTimestamp)
        (sentAt, receivedAt) = (event.times.sentAt, event.times.receivedAt)
        slot = ClickHouseTable.slot(receivedAt)
        body = event.body
        let scanned = try? event.scanned()
        mentions = DayMentions.ids(scanned)
        guard let scanned else { return }
        switch event.type {
        case .track, .page, .screen: properties = Self.properties(scanned.properties, event.body)
        case .identify, .group: properties = Self.properties(scanned.traits, event.body)
        case .alias: break
        }
    }

    private mutating func take(_ event: RejectedEvent) {
        messageId = event.messageId
        (code, reason, body) = (event.rejection.code.rawValue, event.rejection.reason, event.body)
        mentions = DayMentions.ids(event.body)
    }

    private mutating func take(_ signal: IncomingSignal) {
        messageId = signal.messageId
        (type, anonymousId, timestamp) = (signal.type.rawValue, signal.anonymousId, signal.timestamp)
        body = signal.body
        mentions = DayMentions.ids(signal.body)
    }

    private mutating func take(_ trace: IncomingTrace) {
        messageId = trace.messageId
        (isDropped, trackedAt, body) = (trace.isDropped, trace.trackedAt, trace.body)
        mentions = DayMentions.ids(trace.body)
        // A trace lies in the slot of the earlier trace, and the last one wins.
        slot = 0
        version = UInt64(bitPattern: number)
    }

    /// When an event repeats a key, the first value counts.
    private static func properties(
        _ members: [ScannedBody.Member], _ body: [UInt8]
    ) -> [(key: [UInt8], kind: PropertyKind)] {
        var found: Set<[UInt8]> = []
        return body.withUnsafeBufferPointer { bytes in
            members.compactMap { member in
                let key =
                    if member.key.isEscaped {
                        Array(
                            (ScannedObject.text(
                                member.key.range.lowerBound - 1..<member.key.range.upperBound + 1, bytes) ?? "").utf8)
                    } else {
                        Array(bytes[member.key.range])
                    }
                guard found.insert(key).inserted else { return nil }
                return (key, PropertyKind(firstByte: member.firstByte))
            }
        }
    }

    /// Writes the columns of the table.
    func write(to bytes: inout RowBinaryWriter) {
        bytes.write(day)
        bytes.write(kind)
        bytes.write(slot)
        bytes.write(source)
        key.withBytes { bytes.write(fixed: $0) }
        bytes.write(version)
        bytes.write(number)
        bytes.write(receivedAt)
        bytes.write(storedAt)
        bytes.write(messageId)
        bytes.write(type)
        bytes.write(name)
        bytes.write(userId)
        bytes.write(anonymousId)
        bytes.write(timestamp)
        bytes.write(originalTimestamp)
        bytes.write(sentAt)
        bytes.write(UInt8(isDropped ? 1 : 0))
        bytes.write(trackedAt)
        bytes.write(code)
        bytes.write(reason)
        bytes.write(mentions.map { Array($0.utf8) })
        bytes.write(properties.map(\.key))
        bytes.write(count: properties.count)
        for property in properties { bytes.write(property.kind.code) }
        bytes.write(body)
    }
}

extension PropertyKind {
    /// The code of the kind in the table. A code keeps its meaning for ever.
    var code: UInt8 {
        switch self {
        case .string: 0
        case .number: 1
        case .boolean: 2
        case .object: 3
        case .array: 4
        case .null: 5
        }
    }
}
