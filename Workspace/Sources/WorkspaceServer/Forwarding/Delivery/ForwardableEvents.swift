import Logging
import TributaryJSON
import WorkspaceCore

/// The events of a source, in the form in which one destination gets them.
struct ForwardableEvents: Sendable {
    struct Page: Sendable, Equatable {
        let candidates: [ForwardingMachine.Candidate]
        /// Up to this number there are no other events.
        let through: Int64
        let isLast: Bool
    }

    let store: Store
    let sources: SourceRegistry
    let writeKey: String
    let source: Int64
    let destination: String
    /// The consent categories that the destination needs.
    let categories: [String]
    let logger: Logger

    func page(after: Int64, limit: Int = Limits.forwardedAtOnce) async throws -> Page {
        // Rows that are written and not committed yet are read the next time.
        let end = try await store.lastSequence()
        guard end > after else { return Page(candidates: [], through: after, isLast: true) }
        var query = query(after: after, before: end + 1)
        query.limit = limit
        let rows = try await store.storage.rows(query)
        let isLast = rows.count < query.limit
        let rules = await rules()
        return Page(
            candidates: rows.map { candidate($0, rules) }, through: isLast ? end : rows.last?.sequence ?? end,
            isLast: isLast)
    }

    /// One event that waited, by the present rules.
    func candidate(_ sequence: Int64) async throws -> ForwardingMachine.Candidate {
        let rows = try await store.storage.rows(query(after: sequence - 1, before: sequence + 1))
        guard let row = rows.first else { return .leftOut(sequence, .gone) }
        return candidate(row, await rules())
    }

    func query(after: Int64, before: Int64) -> RowQuery {
        var query = RowQuery(.events)
        query.after = after
        query.before = before
        query.order = .ascending
        query.source = source
        return query
    }

    /// The operator's present rules. Compiled for each page, because another page may be read at the same time.
    func rules() async -> ForwardingRules {
        let source = await sources.source(writeKey)
        return ForwardingRules(
            destination: destination, categories: categories, consent: source?.policy.consent ?? ConsentPolicy(),
            routingRules: source?.filters ?? [])
    }

    /// A row that cannot be read must not hold up all others.
    private func candidate(_ row: StoredRow, _ rules: ForwardingRules) -> ForwardingMachine.Candidate {
        do {
            return candidate(try JSON.parse(row.text), row.sequence, rules)
        } catch {
            logUnreadable(row, error)
            return .leftOut(row.sequence, .unreadable)
        }
    }

    /// - Parameter stored: the content of a row of the list of events.
    func candidate(_ stored: JSON, _ sequence: Int64, _ rules: ForwardingRules) -> ForwardingMachine.Candidate {
        switch rules.decide(stored, sequence) {
        case .forward(let event): .event(event)
        case .leaveOut(let reason): .leftOut(sequence, reason)
        }
    }

    func logUnreadable(_ row: StoredRow, _ error: any Error) {
        logger.error(
            "a stored event cannot be read and is not forwarded",
            metadata: ["destination": "\(destination)", "sequence": "\(row.sequence)", "error": "\(error)"])
    }
}
