import Foundation
import TributaryJSON

/// The users and devices that the server wants to trace, and until when.
///
/// The answer to a batch says it: `{"success": true, "trace": [{"userId": "u-1", "seconds": 900}]}`. So only a device that has
/// just sent events of that user learns of it. The newest answer counts: who is not in it is not traced any more.
struct TraceOrders: Sendable, Equatable {
    private enum Subject: Hashable {
        case user(String)
        case anonymous(String)
    }

    /// Orders of one answer.
    private static let count = 4
    /// The longest time of an order in seconds.
    private static let longest: TimeInterval = 3600
    /// Bytes of an answer that is read.
    private static let answerBytes = 8 << 10

    private var ends: [Subject: TimeInterval] = [:]

    init() {}

    /// - Parameter uptime: when the answer came.
    init(answer: [UInt8], at uptime: TimeInterval) {
        // An answer that is no JSON orders nothing; other servers may answer anything.
        guard answer.count <= Self.answerBytes, let json = try? JSON.parse(answer) else { return }
        for order in (json["trace"]?.elements ?? []).prefix(Self.count) {
            guard let seconds = order["seconds"]?.doubleValue, seconds > 0 else { continue }
            let end = uptime + min(seconds, Self.longest)
            if let id = order["userId"]?.stringValue { ends[.user(id)] = end }
            if let id = order["anonymousId"]?.stringValue { ends[.anonymous(id)] = end }
        }
    }

    var isEmpty: Bool { ends.isEmpty }

    /// Whether an event is one of those.
    func name(_ event: JSONObject, at uptime: TimeInterval) -> Bool {
        if let id = event["userId"]?.stringValue, let end = ends[.user(id)], uptime < end { return true }
        guard let id = event["anonymousId"]?.stringValue, let end = ends[.anonymous(id)] else { return false }
        return uptime < end
    }
}
