import TributaryJSON

/// A stage of a roll-out. Reports from another stage do not count for it.
struct RolloutStage: Sendable, Equatable {
    /// `startedAt` identifies the roll-out, and `comparison` its comparison.
    let startedAt: Int64
    let comparison: Int
    /// The place of the stage in the plan.
    let stage: Int

    /// The present stage.
    init(_ record: RolloutRecord) {
        (startedAt, comparison, stage) = (record.startedAt, record.comparison, record.progress.stage)
    }

    // MARK: JSON

    var json: JSON {
        [
            .number(JSONNumber(startedAt)), .number(JSONNumber(comparison)), .number(JSONNumber(stage)),
        ]
    }

    /// Nil when the JSON is not a stage.
    init?(_ json: JSON) {
        guard let list = json.elements, list.count == 3, let startedAt = list[0].numberValue?.int64,
            let comparison = list[1].intValue, let stage = list[2].intValue
        else { return nil }
        (self.startedAt, self.comparison, self.stage) = (startedAt, comparison, stage)
    }
}
