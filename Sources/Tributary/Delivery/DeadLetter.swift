public import Foundation
public import TributaryJSON

/// An event that the server refused for good, kept on the device.
public struct DeadLetter: Sendable, Equatable {
    /// The event as it was sent; a string when it could not be read as JSON.
    public let event: JSON
    /// The server's answer.
    public let reason: String
    /// The time of that answer.
    public let date: Date

    init(payload: [UInt8], reason: String, milliseconds: Int64) {
        event = (try? JSON.parse(payload)) ?? .string(String(decoding: payload, as: UTF8.self))
        self.reason = reason
        date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// Reads a record of the log; nil when the record is no dead letter.
    init?(record: [UInt8]) {
        guard let json = try? JSON.parse(record), let event = json["event"], let reason = json["reason"]?.stringValue
        else { return nil }
        self.event = event
        self.reason = reason
        let milliseconds = json["at"]?.stringValue.flatMap(ISO8601.milliseconds)
        date = Date(timeIntervalSince1970: Double(milliseconds ?? 0) / 1000)
    }

    /// The dead letter as it is stored in the log.
    var json: JSON {
        let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
        return ["reason": .string(reason), "at": .string(ISO8601.string(milliseconds: milliseconds)), "event": event]
    }
}
