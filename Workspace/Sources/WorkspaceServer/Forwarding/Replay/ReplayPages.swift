import TributaryJSON
import WorkspaceCore

/// Some of the events of a replay, by the present rules of the destination.
struct ReplayPage: Sendable {
    let candidates: [ForwardingMachine.Candidate]
    /// Events up to that number were looked at.
    let through: Int64
    let isLast: Bool
}

extension ForwardableEvents {
    /// Stored events of a choice, by the present rules of the destination: the next ones of a replay, or those of a trial. A
    /// search waits for its turn, as those of administrators do.
    func chosen(_ query: EventQuery, _ scans: Scans) async throws -> ReplayPage {
        let page =
            query.isScan
            ? try await scans.take(isBegun: true) { try await store.events(query, scans: scans) }
            : try await store.events(query)
        let rules = await rules()
        let candidates = try page.rows.map { text in
            let stored = try JSON.parse(text)
            guard let sequence = stored["sequence"]?.intValue.map(Int64.init) else {
                throw Refusal(.unavailable, "a stored event has no number")
            }
            return candidate(stored, sequence, rules)
        }
        return ReplayPage(
            candidates: candidates, through: page.next ?? (query.before ?? 1) - 1, isLast: page.next == nil)
    }
}

/// What a replay would send, without sending it.
struct ReplayTrial: Sendable {
    private var events = 0
    private var sent = 0
    private var reasons: [String: Int] = [:]
    /// False when the time was over before all events had been looked at.
    var isComplete = true

    mutating func take(_ candidates: [ForwardingMachine.Candidate]) {
        events += candidates.count
        for candidate in candidates {
            switch candidate {
            case .event: sent += 1
            case .leftOut(_, let reason): reasons[reason.text, default: 0] += 1
            }
        }
    }

    var json: JSON {
        let reasons = reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return [
            "events": .number(events), "sent": .number(sent),
            "leftOut": .array(reasons.map { ["reason": .string($0.key), "events": .number($0.value)] }),
            "complete": .bool(isComplete),
        ]
    }
}
