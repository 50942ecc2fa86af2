/// How a new version goes from a few devices to all of them, and what stops it on the way.
struct RolloutPlan: Sendable, Equatable {
    /// How many of a hundred devices have the version in each stage. The numbers grow, and the last one is 100.
    let stages: [Int]
    /// How long each stage lasts at least, in milliseconds.
    let hold: Int64
    /// The share of events with a fault that is too high, and the share of devices on which the version does not run.
    let maximumFaultRate: Double
    /// How far the share of dropped events may differ from that of the version before, in either direction.
    let maximumDropChange: Double
    /// How much longer an event may take than with the version before: 1 stands for twice the time.
    let maximumTimeChange: Double
    /// How many devices must have reported in a stage before anything is decided.
    let minimumDevices: Int
    /// How many events they must have reported before their shares are compared.
    let minimumEvents: Int

    /// The fewest devices by which a plan may decide: of fewer, a single one would be more than the share that may lie.
    static let fewestDevices = 5

    /// The longest stage, in milliseconds.
    static let longestHold: Int64 = 30 * Day.milliseconds

    /// - Throws: `APIError` when a value is out of its range.
    init(
        stages: [Int], hold: Int64, maximumFaultRate: Double = 0.005, maximumDropChange: Double = 0.02,
        maximumTimeChange: Double = 1, minimumDevices: Int = 20, minimumEvents: Int = 1000
    ) throws(APIError) {
        let isGrowing = zip(stages, stages.dropFirst()).allSatisfy { $0 < $1 }
        guard let first = stages.first, first >= 1, stages.last == 100, isGrowing else {
            throw .badRequest("the stages of a roll-out are growing percentages from 1 to 100, and the last one is 100")
        }
        guard (0...Self.longestHold).contains(hold) else { throw .badRequest("a stage lasts at most 30 days") }
        guard [maximumFaultRate, maximumDropChange].allSatisfy((0...1).contains) else {
            throw .badRequest("the fault rate and the drop change are at most 100 %")
        }
        guard (0...100).contains(maximumTimeChange) else { throw .badRequest("the time change is at most 10000 %") }
        guard (Self.fewestDevices...HealthSample.capacity).contains(minimumDevices) else {
            throw .badRequest(
                "a roll-out is decided by at least \(Self.fewestDevices) and at most \(HealthSample.capacity) devices")
        }
        guard (1...1_000_000).contains(minimumEvents) else {
            throw .badRequest("a roll-out is decided by at least 1 and at most 1000000 events")
        }
        self.stages = stages
        self.hold = hold
        self.maximumFaultRate = maximumFaultRate
        self.maximumDropChange = maximumDropChange
        self.maximumTimeChange = maximumTimeChange
        self.minimumDevices = minimumDevices
        self.minimumEvents = minimumEvents
    }
}
