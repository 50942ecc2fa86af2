package import TributaryJSON

/// The results of the events of one request.
package struct RequestOutcome: Sendable, Equatable {
    /// An event that was not stored.
    package struct Rejected: Sendable, Equatable {
        /// Its place in the batch.
        package let index: Int
        package let reason: String

        package init(index: Int, reason: String) { (self.index, self.reason) = (index, reason) }
    }

    package let stored: Int
    /// Events that the source had already.
    package let repeated: Int
    package let rejected: [Rejected]

    package init(_ batch: IncomingBatch, _ receipt: Receipt) {
        stored = receipt.stored + receipt.signals
        repeated = batch.events.count + batch.signals.count - stored
        rejected = batch.rejected.map { Rejected(index: $0.index, reason: $0.rejection.reason) }
    }

    /// The answer to the importer.
    /// - Parameters:
    ///   - kept: the places of the request's events among all that came; nil when all were kept.
    ///   - refused: events of suppressed users, which were not kept.
    package func json(kept: [Int]?, refused: Int) -> JSON {
        func place(_ index: Int) -> Int {
            guard let kept else { return index }
            return kept.indices.contains(index) ? kept[index] : index
        }
        var json: JSON = [
            "success": true, "stored": .number(stored), "repeated": .number(repeated),
            "rejected": .array(
                rejected.map { ["index": .number(place($0.index)), "reason": .string($0.reason)] }),
        ]
        if refused > 0 { json["suppressed"] = .number(refused) }
        return json
    }
}
