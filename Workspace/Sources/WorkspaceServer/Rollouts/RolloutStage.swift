import TributaryJSON

/// A stage of a roll-out. Reports that came in another one say nothing about it.
struct RolloutStage: Sendable, Equatable {
    /// Which roll-out it is, and which of its comparisons.
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

    /// Nil for what is no stage.
    init?(_ json: JSON) {
        guard let list = json.elements, list.count == 3, let startedAt = list[0].numberValue?.int64,
            let comparison = list[1].intValue, let stage = list[2].intValue
        else { return nil }
        (self.startedAt, self.comparison, self.stage) = (startedAt, comparison, stage)
    }
}
