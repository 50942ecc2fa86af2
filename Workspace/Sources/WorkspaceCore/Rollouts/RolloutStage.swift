package import TributaryJSON

/// A stage of a roll-out. Reports from another stage do not count for it.
package struct RolloutStage: Sendable, Equatable {
    /// `startedAt` identifies the roll-out, and `comparison` its comparison.
    package let startedAt: Int64
    package let comparison: Int
    /// The place of the stage in the plan.
    package let stage: Int

    /// The present stage.
    package init(_ record: RolloutRecord) {
        (startedAt, comparison, stage) = (record.startedAt, record.comparison, record.progress.stage)
    }

    // MARK: JSON

    package var json: JSON { [.number(startedAt), .number(comparison), .number(stage)] }

    /// Nil when the JSON is not a stage.
    package init?(_ json: JSON) {
        guard let list = json.elements, list.count == 3, let startedAt = list[0].numberValue?.int64,
            let comparison = list[1].intValue, let stage = list[2].intValue
        else { return nil }
        (self.startedAt, self.comparison, self.stage) = (startedAt, comparison, stage)
    }
}
