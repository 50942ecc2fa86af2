/// Says whether a search should rest, because the server accepts or stores requests.
///
/// Searches ask after each step. Requests that wait to be stored make the server busy, and so does a request that came since
/// the last question: where the indexer keeps up, nothing waits at most moments, and a search would take a whole processor.
package struct IngestActivity: Sendable {
    private var lastSequence: UInt64?

    package init() {
    }

    /// - Parameters:
    ///   - waiting: the requests that wait to be stored now.
    ///   - sequence: the number of the last accepted request.
    package mutating func isBusy(waiting: Int, lastSequence sequence: UInt64) -> Bool {
        defer { lastSequence = sequence }
        return waiting > 0 || lastSequence.map { $0 != sequence } ?? false
    }
}
