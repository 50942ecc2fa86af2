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
    private static let usualEvents: Int64 = 100
    private static let usualRefusals = 0.005
    private static let mostEvents: Int64 = 1_000_000

    /// - Throws: `Refusal` when a value is out of its range.
    init(
        stages: [Int], hold: Int64 = RolloutPlan.usualHold, minimumEvents: Int64 = usualEvents,
        maximumRefusals: Double = usualRefusals
    ) throws(Refusal) {
        try RolloutPlan.check(stages: stages, hold: hold)
        guard (1...Self.mostEvents).contains(minimumEvents) else {
            throw .invalid("minimumEvents is a whole number from 1 to \(Self.mostEvents)")
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
        func number(_ name: String, upTo most: Int64) throws(Refusal) -> Int64? {
            try object.member(name, "\(name) is a whole number from 0 to \(most)") {
                $0.numberValue?.int64.flatMap { (0...most).contains($0) ? $0 : nil }
            }
        }
        let stages = try object.member("stages", "stages is a list of whole numbers") { json -> [Int]? in
            let numbers = json.elements?.map(\.intValue)
            return numbers?.contains(nil) == false ? numbers?.compactMap(\.self) : nil
        }
        let hold = try number("holdSeconds", upTo: RolloutPlan.longestHold / 1000).map { $0 * 1000 }
        try self.init(
            stages: stages ?? [], hold: hold ?? RolloutPlan.usualHold,
            minimumEvents: try number("minimumEvents", upTo: Self.mostEvents) ?? Self.usualEvents,
            maximumRefusals: try object.member(
                "maximumRefusals", "maximumRefusals is a number from 0 to 1", \.doubleValue) ?? Self.usualRefusals)
    }

    var json: JSON {
        [
            "stages": .numbers(stages), "holdSeconds": .number(hold / 1000), "minimumEvents": .number(minimumEvents),
            "maximumRefusals": JSONNumber(maximumRefusals).map(JSON.number) ?? 0,
        ]
    }
}
