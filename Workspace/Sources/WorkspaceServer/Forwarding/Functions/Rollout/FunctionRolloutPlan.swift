import TributaryJSON
import WorkspaceCore

/// How new settings of a destination function go from a few users to all of them, and what stops them on the way.
struct FunctionRolloutPlan: Sendable, Equatable {
    /// For how many of a hundred users the new settings send the events in each stage. The numbers grow, and the last one is
    /// 100.
    let stages: [Int]
    /// How long each stage lasts at least, in milliseconds.
    let hold: Int64
    /// How many events of a stage must have been tried before anything is decided.
    let minimumEvents: Int64
    /// How much larger the share of refused events may be than by the settings before.
    let maximumRefusals: Double

    private static let members = ["stages", "holdSeconds", "minimumEvents", "maximumRefusals"]
    /// Seconds of the longest stage: 30 days.
    private static let longestHold: Int64 = 30 * 86_400
    private static let mostStages = 20

    /// - Throws: `Refusal` when a value is out of its range.
    init(
        stages: [Int], hold: Int64 = 1_800_000, minimumEvents: Int64 = 100, maximumRefusals: Double = 0.005
    ) throws(Refusal) {
        let isGrowing = zip(stages, stages.dropFirst()).allSatisfy { $0 < $1 }
        guard let first = stages.first, first >= 1, stages.last == 100, isGrowing, stages.count <= Self.mostStages
        else {
            throw .invalid(
                "the stages of a roll-out are at most \(Self.mostStages) growing percentages from 1 to 100, and the last one "
                    + "is 100")
        }
        guard (0...Self.longestHold * 1000).contains(hold) else { throw .invalid("a stage lasts at most 30 days") }
        guard (1...1_000_000).contains(minimumEvents) else {
            throw .invalid("minimumEvents is a whole number from 1 to 1000000")
        }
        guard (0...1).contains(maximumRefusals) else { throw .invalid("maximumRefusals is a number from 0 to 1") }
        (self.stages, self.hold, self.minimumEvents) = (stages, hold, minimumEvents)
        self.maximumRefusals = maximumRefusals
    }

    /// Reads a plan of a request, or a stored one.
    /// - Throws: `Refusal` that says what is wrong.
    init(_ json: JSON) throws(Refusal) {
        guard let object = json.objectValue else { throw .invalid("rollout is an object with stages") }
        if let stranger = object.first(where: { !Self.members.contains($0.key) }) {
            throw .invalid("a roll-out has no \(stranger.key); it has \(Self.members.joined(separator: ", "))")
        }
        let stages = try object.member("stages", "stages is a list of whole numbers") { json -> [Int]? in
            let numbers = json.elements?.map(\.intValue)
            return numbers?.contains(nil) == false ? numbers?.compactMap(\.self) : nil
        }
        let hold = try object.member("holdSeconds", "holdSeconds is a whole number from 0 to \(Self.longestHold)") {
            $0.numberValue?.int64.flatMap { (0...Self.longestHold).contains($0) ? $0 : nil }
        }
        let events = try object.member("minimumEvents", "minimumEvents is a whole number from 1 to 1000000") {
            $0.numberValue?.int64
        }
        let refusals = try object.member("maximumRefusals", "maximumRefusals is a number from 0 to 1", \.doubleValue)
        try self.init(
            stages: stages ?? [], hold: (hold ?? 1_800) * 1000, minimumEvents: events ?? 100,
            maximumRefusals: refusals ?? 0.005)
    }

    var json: JSON {
        [
            "stages": .numbers(stages), "holdSeconds": .number(hold / 1000), "minimumEvents": .number(minimumEvents),
            "maximumRefusals": JSONNumber(maximumRefusals).map(JSON.number) ?? 0,
        ]
    }
}
