/// Why a roll-out is decided as it is.
enum RolloutReason: Sendable, Equatable {
    /// The stage has not lasted long enough; the rest is in milliseconds.
    case holding(rest: Int64)
    case tooFewDevices(Int, of: Int)
    case tooFewEvents(Int, of: Int)
    /// The version before it, with which it is compared, has too few devices or events.
    case tooFewBefore
    /// Fewer devices report than should by the percentage. Perhaps the version keeps them from it.
    case silence(devices: Int, expected: Int)
    /// It is worse by what all devices say, but not certainly: a quarter of them could have made it up.
    case doubt(RolloutFinding)
    case worse(RolloutFinding)
    case healthy
    /// An operator paused it.
    case paused

    /// The reason as a sentence without its end.
    var text: String {
        switch self {
        case .holding(let rest): "the stage lasts \((rest + 59_999) / 60_000) min longer"
        case .tooFewDevices(let count, let minimum): "\(count) of at least \(minimum) devices have reported"
        case .tooFewEvents(let count, let minimum): "\(count) of at least \(minimum) events are reported"
        case .tooFewBefore: "the version before it has too few reports to compare with"
        case .silence(let devices, let expected): "\(devices) devices report, where about \(expected) should"
        case .doubt(let finding): "\(finding.text); too few devices say so to roll back, so an operator has to look"
        case .worse(let finding): finding.text
        case .healthy: "it is no worse than the plan allows"
        case .paused: "it is paused"
        }
    }
}
