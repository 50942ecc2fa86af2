import Foundation
import TributaryJSON
import WorkspaceCore

/// The events behind a position that are written together: one object for each hour in which they came (UTC).
///
/// Where a range begins is stored before anything of it is written, and its objects are named after that. Where it
/// ends depends only on the stored rows behind the position, before the filters: after so many rows or bytes, or before
/// the first row of a later hour. So a range that is written again after a crash has the same names, and has at least
/// the rows that it had before.
struct ObjectRange {
    /// Why a range ends.
    enum End { case full, nextHour, lastRow }

    struct Object {
        let name: String
        let body: [UInt8]
    }

    /// The number of the last row.
    private(set) var through: Int64
    private(set) var rows = 0
    /// How many events are delivered and left out by it.
    private(set) var changes = ForwardingChanges()
    private var bytes = 0
    /// When the hour of the first row is over.
    private var hourEnd: Int64?
    private let after: Int64
    private let writeKey: String
    private let format: ObjectFormat
    private var contents: [String: any ObjectContent] = [:]

    /// - Parameters:
    ///   - after: the position.
    ///   - writeKey: that of the source.
    init(after: Int64, writeKey: String, format: ObjectFormat = .ndjson) {
        (self.after, through) = (after, after)
        (self.writeKey, self.format) = (writeKey, format)
    }

    var isFull: Bool { rows >= Limits.objectRows || bytes >= Limits.objectBytes }

    /// Whether a row that came at that time is of a later range. Around the end of an hour, requests that came at the
    /// same time are stored in any order; so the rows of a moment of the next hour belong to the range.
    func isBeyond(_ receivedAt: Int64) -> Bool {
        guard let hourEnd else { return false }
        return receivedAt >= hourEnd + Limits.objectHourMoment
    }

    /// Takes the next row.
    /// - Parameter candidate: what the destination gets of it, or why it gets nothing.
    mutating func add(
        _ sequence: Int64, receivedAt: Int64?, bytes: Int, _ candidate: ForwardingMachine.Candidate
    ) throws {
        through = sequence
        rows += 1
        self.bytes += bytes
        if hourEnd == nil, let receivedAt { hourEnd = Self.hourEnd(receivedAt) }
        let event: ForwardedEvent
        switch candidate {
        case .leftOut(let sequence, let reason): return changes.leaveOut(sequence, reason)
        case .event(let forwarded): event = forwarded
        }
        changes.delivered += 1
        let hour = Self.hour(event.receivedAt)
        if contents[hour] == nil { contents[hour] = try format.content(writeKey: writeKey) }
        try contents[hour]?.append(event)
    }

    /// The range has all rows up to that number; there may be no row with the number itself.
    mutating func reach(_ sequence: Int64) { through = max(through, sequence) }

    /// The objects in the order of their hours. To be asked once.
    func objects() throws -> [Object] {
        try contents.sorted { $0.key < $1.key }.map { hour, content in
            var content = content
            return Object(name: Self.name(hour, after: after) + format.ending, body: try content.finished())
        }
    }

    /// `2026-11-24T10-0000000000004711`, in front of the ending: the hour, and the first number that a row of the range can have.
    static func name(_ hour: String, after: Int64) -> String {
        let number = String(after + 1)
        return "\(hour)-\(String(repeating: "0", count: max(0, 16 - number.count)))\(number)"
    }

    static func hourEnd(_ milliseconds: Int64) -> Int64 { (milliseconds / hourMilliseconds + 1) * hourMilliseconds }

    private static let hourMilliseconds: Int64 = 3_600_000

    /// `2026-11-24T10`.
    private static func hour(_ milliseconds: Int64) -> String {
        String(ISO8601.string(milliseconds: milliseconds).prefix("2026-11-24T10".count))
    }
}
