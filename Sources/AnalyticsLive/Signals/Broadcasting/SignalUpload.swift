import Foundation
import Tributary
import TributaryJSON

/// Signals in the form of the protocol's batches.
struct SignalUpload {
    let writeKey: String
    let url: URL

    /// The event that carries a signal.
    static func event(_ signal: JSON, id: String, userId: String?) -> JSON {
        var event: JSON = ["type": "track", "event": "Segment Signal Generated", "messageId": .string(id)]
        event["anonymousId"] = signal["anonymousId"]
        event["userId"] = userId.map(JSON.string)
        event["timestamp"] = signal["timestamp"]
        event["properties"] = signal
        return event
    }

    func request(_ events: [JSON], at milliseconds: Int64) -> TransportRequest {
        let body: JSON = [
            "batch": .array(events), "sentAt": .string(ISO8601.string(milliseconds: milliseconds)),
            "writeKey": .string(writeKey),
        ]
        return TransportRequest(
            method: "POST", url: url, headers: ["Content-Type": "application/json; charset=utf-8"],
            body: body.encoded(), answerLimit: .beginning(SignalLimits.answerBytes))
    }
}
