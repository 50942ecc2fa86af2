import WorkspaceCore
import WorkspaceServer

/// The places of the rows of a record that went through scripts.
///
/// Each event of the request has a place, and behind it are the places of the events that scripts made of it. Traces and all
/// others follow. An event that is dropped, or known, leaves its place empty. So a row has the same number when the range is
/// stored once more and the scripts do something else.
struct RowSlots {
    /// The places of the events of the request, and behind the last one.
    private let bases: [Int]
    private let made: [Int]
    private let others: Int

    /// - Parameter made: how many events scripts made of each event of the request, as it was announced.
    init(_ outcome: BlockScripts.Outcome, made: [Int]) {
        var bases = [0]
        for count in made { bases.append((bases.last ?? 0) + 1 + count) }
        (self.bases, self.made) = (bases, made)
        let batch = outcome.batch
        others = batch.rejected.count - outcome.origins.rejected.count + batch.traces.count + batch.signals.count
    }

    var count: Int { (bases.last ?? 0) + others }

    /// Leaves out the made events beyond the announced counts.
    func bounded(_ outcome: BlockScripts.Outcome) -> BlockScripts.Outcome {
        func fits(_ origin: ScriptedOrigins.Origin) -> Bool {
            origin.event < made.count && origin.made <= made[origin.event]
        }
        let (batch, origins) = (outcome.batch, outcome.origins)
        guard !(origins.events + origins.rejected).allSatisfy(fits) else { return outcome }
        var (bounded, kept) = (batch, ScriptedOrigins())
        (bounded.events, bounded.rejected) = ([], batch.rejected.dropLast(origins.rejected.count))
        for (event, origin) in zip(batch.events, origins.events) where fits(origin) {
            bounded.events.append(event)
            kept.events.append(origin)
        }
        for (event, origin) in zip(batch.rejected.suffix(origins.rejected.count), origins.rejected) where fits(origin) {
            bounded.rejected.append(event)
            kept.rejected.append(origin)
        }
        return BlockScripts.Outcome(bounded, kept, events: outcome.events)
    }

    /// The places of rows of a plan, by their identities. Rows of traces have theirs by their order.
    func places(_ outcome: BlockScripts.Outcome) -> (byIdentity: [RowIdentity: Int], firstTrace: Int) {
        let (batch, origins) = (outcome.batch, outcome.origins)
        var places: [RowIdentity: Int] = [:]
        func note(_ identity: RowIdentity, _ place: Int) {
            // Of rows with one identity, the first one is stored.
            places[identity] = places[identity] ?? place
        }
        for (event, origin) in zip(batch.events, origins.events) {
            note(event.identity(in: batch.source), bases[origin.event] + origin.made)
        }
        let raw = batch.rejected.count - origins.rejected.count
        var next = bases.last ?? 0
        for (index, event) in batch.rejected.enumerated() {
            let place =
                index < raw ? next : bases[origins.rejected[index - raw].event] + origins.rejected[index - raw].made
            note(RowIdentity(kind: .rejected, source: batch.source, id: event.identity), place)
            if index < raw { next += 1 }
        }
        let firstTrace = next
        next += batch.traces.count
        for signal in batch.signals {
            note(RowIdentity(kind: .signal, source: batch.source, id: signal.messageId), next)
            next += 1
        }
        return (places, firstTrace)
    }
}
