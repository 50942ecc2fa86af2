package import Logging
import TributaryJSON
package import WorkspaceCore

/// Moves open roll-outs to their next step when it is due.
package struct RolloutSteps: Sendable {
    package let store: Store
    package let sources: SourceRegistry
    package let metrics: ServerMetrics
    /// One node of a cluster moves them for all.
    package var isCoordinator: @Sendable () -> Bool = { true }
    package let now: @Sendable () -> Int64
    package let logger: Logger

    /// - Parameter samples: the reports so far; they follow the roll-outs.
    package func look(_ samples: inout RolloutSamples) async {
        guard isCoordinator() else { return }
        let records: [RolloutRecord]
        do {
            records = try await store.rollouts()
            samples = try await store.samples(samples, of: records)
        } catch is CancellationError {
            return  // The server stops; the next one goes on.
        } catch {
            return logger.error("the roll-outs cannot be read", metadata: ["error": "\(error)"])
        }
        for record in records {
            guard let pair = samples.pairs[RolloutSamples.Key(record)] else { continue }
            do {
                try await look(record, pair)
            } catch let error as Refusal where error.reason == .conflict {
                // Another request changed it meanwhile; the next look sees its new state.
                logger.debug("\(error.message)")
            } catch is CancellationError {
                return
            } catch {
                logger.error("a roll-out cannot be moved", metadata: ["error": "\(error)"])
            }
        }
    }

    private func look(_ before: RolloutRecord, _ pair: RolloutSamples.Pair) async throws {
        var record = before
        let decision = record.look(at: now(), version: pair.new, before: pair.before)
        guard case .wait = decision else { return try await carryOut(decision, of: record) }
        let isNewDoubt = record.isDoubtful && !before.isDoubtful
        let source = await sources.all().first { $0.id == record.source }
        let notice = isNewDoubt ? source.map { record.notice("is held up", of: $0.writeKey) } : nil
        if let notice { log(notice) }
        // A look that finds nothing new writes nothing.
        guard record != before else { return }
        try await store.note(record, notice: notice, now: now())
    }

    private func carryOut(_ decision: RolloutDecision, of record: RolloutRecord) async throws {
        guard let source = await sources.all().first(where: { $0.id == record.source }) else { return }
        let notice = try await Administrator.$current.withValue(.rollout) {
            try await sources.carryOut(decision, of: record, because: nil, in: source.writeKey)
        }
        if case .rollBack = decision { metrics.rolledBack(source: source.writeKey) }
        log(notice)
    }

    private func log(_ notice: JSON) { logger.notice("\(notice["text"]?.stringValue ?? "")") }
}
