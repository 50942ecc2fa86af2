import TributaryJSON
import WorkspaceCore

/// Counts the requests to one source function since the server started, with the last refusal and the last failure.
struct HookRecord: Sendable, Equatable {
    /// Why a request was not taken, and when.
    struct Note: Sendable, Equatable {
        let reason: String
        let at: Int64

        init(_ reason: String, at: Int64) { (self.reason, self.at) = (String(reason.prefix(Limits.hookReason)), at) }

        var json: JSON { ["reason": .string(reason), "at": .time(at)] }
    }

    private var (accepted, events, refused, failed) = (0, 0, 0, 0)
    private var lastAcceptedAt: Int64?
    private var lastRefusal: Note?
    private var lastFailure: Note?

    mutating func noteAccepted(events count: Int, at now: Int64) {
        (accepted, events, lastAcceptedAt) = (accepted + 1, events + count, now)
    }

    /// The request is not that of the service, or the function refuses it.
    mutating func noteRefused(_ reason: String, at now: Int64) {
        (refused, lastRefusal) = (refused + 1, Note(reason, at: now))
    }

    /// The request could be taken later.
    mutating func noteFailed(_ reason: String, at now: Int64) {
        (failed, lastFailure) = (failed + 1, Note(reason, at: now))
    }

    var json: JSON {
        [
            "accepted": .number(accepted), "events": .number(events), "refused": .number(refused),
            "failed": .number(failed), "lastAcceptedAt": .time(lastAcceptedAt),
            "lastRefusal": lastRefusal?.json ?? .null, "lastFailure": lastFailure?.json ?? .null,
        ]
    }
}
