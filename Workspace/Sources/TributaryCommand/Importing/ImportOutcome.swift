import TributaryJSON

/// The workspace's answer about a batch.
struct ImportOutcome: Equatable {
    struct Rejected: Equatable {
        /// Its place in the batch.
        let index: Int
        let reason: String
    }

    let stored: Int
    /// Events that the workspace had already.
    let repeated: Int
    let rejected: [Rejected]
    /// Events of users who are suppressed or erased, which it did not store.
    let suppressed: Int

    /// Nil when the answer only says that the batch is on disk.
    init?(_ answer: JSON) {
        guard let stored = answer["stored"]?.intValue, let repeated = answer["repeated"]?.intValue,
            let rejected = answer["rejected"]?.elements
        else { return nil }
        (self.stored, self.repeated) = (stored, repeated)
        suppressed = answer["suppressed"]?.intValue ?? 0
        self.rejected = rejected.map {
            Rejected(index: $0["index"]?.intValue ?? -1, reason: $0["reason"]?.stringValue ?? "no reason")
        }
    }
}
