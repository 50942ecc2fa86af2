@testable import WorkspaceCore
@testable import WorkspaceServer

/// Rows for storages under test.
enum StoredEvents {
    static let noon: Int64 = 1_763_726_400_000  // 2025-11-21T12:00:00Z

    static func day(_ offset: Int64) -> Int64 { noon + offset * Day.milliseconds }

    static func event(
        _ messageId: String, at receivedAt: Int64 = noon, type: EventType = .track, name: String? = "E",
        userId: String? = "u", anonymousId: String? = nil, body: String? = nil
    ) -> IncomingEvent {
        IncomingEvent(
            messageId: messageId, type: type, name: name, userId: userId, anonymousId: anonymousId,
            times: EventTimes(originalTimestamp: nil, sentAt: nil, sentAtIsFromUpload: false, receivedAt: receivedAt),
            body: Array((body ?? #"{"messageId":"\#(messageId)","userId":"\#(userId ?? "")"}"#).utf8))
    }

    static func batch(_ messageIds: [String], at receivedAt: Int64 = noon, source: Int64 = 1) -> IncomingBatch {
        IncomingBatch(source: source, receivedAt: receivedAt, events: messageIds.map { event($0, at: receivedAt) })
    }

    static func trace(_ messageId: String, isDropped: Bool = false, trackedAt: Int64 = 1) -> IncomingTrace {
        IncomingTrace(
            messageId: messageId, isDropped: isDropped, trackedAt: trackedAt,
            body: Array(#"{"messageId":"\#(messageId)","trackedAt":"T\#(trackedAt)","stages":[]}"#.utf8))
    }

    static func signal(_ messageId: String, anonymousId: String? = "a") -> IncomingSignal {
        IncomingSignal(
            messageId: messageId, type: .interaction, anonymousId: anonymousId, index: 1, timestamp: 1,
            body: Array(#"{"type":"interaction"}"#.utf8))
    }

    static func rejected(_ messageId: String?, place: String, body: String = "{}") -> RejectedEvent {
        RejectedEvent(
            index: 0, messageId: messageId, madeId: place, rejection: Rejection(.noUser, "no user"),
            body: Array(body.utf8))
    }
}

extension EventStorage {
    /// Erases a user; returns the counts of the erased rows.
    func erase(_ userId: String) async throws -> Erased {
        let progress = LatestProgress()
        try await erase(Person(userId: userId), progress.set)
        return progress.value.erased
    }
}
