package import TributaryJSON

/// How a new version goes from a few devices to all of them, and what stops it on the way.
package struct RolloutPlan: Sendable, Equatable {
    /// How many of a hundred devices run live plugins as a shadow before the first stage: beside the version before, without
    /// touching an event. Nil when there is no such stage.
    package let shadow: Int?
    /// How many of a hundred devices have the version in each stage. The numbers grow, and the last one is 100.
    package let stages: [Int]
    /// How long each stage lasts at least, in milliseconds.
    package let hold: Int64
    /// The share of events with a fault that is too high, and the share of devices on which the version does not run.
    let maximumFaultRate: Double
    /// How far the share of dropped events may differ from that of the version before, in either direction.
    let maximumDropChange: Double
    /// How much longer an event may take than with the version before: 1 means twice the time.
    let maximumTimeChange: Double
    /// How many devices must have reported in a stage before anything is decided.
    let minimumDevices: Int
    /// How many events they must have reported before their shares are compared.
    let minimumEvents: Int

    /// The fewest devices by which a plan may decide: of fewer, a single one would be more than the share that may lie.
    static let fewestDevices = 5

    package static let usualHold: Int64 = 1_800_000
    static let usualFaultRate = 0.005
    static let usualDropChange = 0.02
    static let usualTimeChange = 1.0
    static let usualDevices = 20
    static let usualEvents = 1000

    /// The longest stage, in milliseconds.
    package static let longestHold: Int64 = 30 * Day.milliseconds

    /// - Throws: `Refusal` when the stages are no growing percentages up to 100, or one lasts too long.
    package static func check(stages: [Int], hold: Int64) throws(Refusal) {
        let isGrowing = zip(stages, stages.dropFirst()).allSatisfy { $0 < $1 }
        guard let first = stages.first, first >= 1, stages.last == 100, isGrowing else {
            throw .invalid("the stages of a roll-out are growing percentages from 1 to 100, and the last one is 100")
        }
        guard (0...longestHold).contains(hold) else { throw .invalid("a stage lasts at most 30 days") }
    }

    /// - Throws: `Refusal` when a value is out of its range.
    package init(
        stages: [Int], hold: Int64, maximumFaultRate: Double = usualFaultRate,
        maximumDropChange: Double = usualDropChange, maximumTimeChange: Double = usualTimeChange,
        minimumDevices: Int = usualDevices, minimumEvents: Int = usualEvents, shadow: Int? = nil
    ) throws(Refusal) {
        guard shadow.map((1...100).contains) != false else {
            throw .invalid("shadow is the percentage of devices that run it beside the version before, from 1 to 100")
        }
        try Self.check(stages: stages, hold: hold)
        guard [maximumFaultRate, maximumDropChange].allSatisfy((0...1).contains) else {
            throw .invalid("the fault rate and the drop change are at most 100 %")
        }
        guard (0...100).contains(maximumTimeChange) else { throw .invalid("the time change is at most 10000 %") }
        guard (Self.fewestDevices...HealthSample.capacity).contains(minimumDevices) else {
            throw .invalid(
                "a roll-out is decided by at least \(Self.fewestDevices) and at most \(HealthSample.capacity) devices")
        }
        guard (1...1_000_000).contains(minimumEvents) else {
            throw .invalid("a roll-out is decided by at least 1 and at most 1000000 events")
        }
        (self.stages, self.hold, self.maximumFaultRate) = (stages, hold, maximumFaultRate)
        (self.maximumDropChange, self.maximumTimeChange) = (maximumDropChange, maximumTimeChange)
        (self.minimumDevices, self.minimumEvents, self.shadow) = (minimumDevices, minimumEvents, shadow)
    }

    /// The share of devices that has the version at the start, in percent.
    package var firstPercentage: Int { shadow == nil ? stages[0] : 0 }
}

extension RolloutPlan {
    /// The plan as it is stored and shown; `holdSeconds` rounds up.
    package var json: JSON {
        var json: JSON = [
            "stages": .numbers(stages), "holdSeconds": .number((hold + 999) / 1000),
            "minimumDevices": .number(minimumDevices), "minimumEvents": .number(minimumEvents),
        ]
        for (name, rate) in [
            ("maximumFaultRate", maximumFaultRate), ("maximumDropChange", maximumDropChange),
            ("maximumTimeChange", maximumTimeChange),
        ] { json[name] = JSONNumber(rate).map(JSON.number) }
        json["shadow"] = shadow.map { .number($0) }
        return json
    }

    private static let members = [
        "stages", "holdSeconds", "maximumFaultRate", "maximumDropChange", "maximumTimeChange", "minimumDevices",
        "minimumEvents", "shadow",
    ]

    /// - Throws: `Refusal` that says what is wrong.
    package init(_ json: JSON) throws(Refusal) {
        guard let object = json.objectValue else { throw .invalid("the plan of a roll-out is an object") }
        if let stranger = object.first(where: { !Self.members.contains($0.key) }) {
            throw .invalid(
                "the plan of a roll-out has no \(stranger.key); it has \(Self.members.joined(separator: ", "))")
        }
        func number<Value>(_ name: String, _ usual: Value, _ read: (JSON) -> Value?) throws(Refusal) -> Value {
            guard let value = json[name] else { return usual }
            guard let number = read(value) else { throw .invalid("\(name) is no number that a plan can have") }
            return number
        }
        let stages = json["stages"]?.elements?.map { $0.intValue ?? 0 } ?? []
        let hold = try number("holdSeconds", Self.usualHold / 1000) { $0.numberValue?.int64 }
        guard (0...Self.longestHold / 1000).contains(hold) else { throw .invalid("a stage lasts at most 30 days") }
        try self.init(
            stages: stages, hold: hold * 1000,
            maximumFaultRate: number("maximumFaultRate", Self.usualFaultRate, \.doubleValue),
            maximumDropChange: number("maximumDropChange", Self.usualDropChange, \.doubleValue),
            maximumTimeChange: number("maximumTimeChange", Self.usualTimeChange, \.doubleValue),
            minimumDevices: number("minimumDevices", Self.usualDevices, \.intValue),
            minimumEvents: number("minimumEvents", Self.usualEvents, \.intValue),
            shadow: json["shadow"] == nil ? nil : number("shadow", 0, \.intValue))
    }
}
