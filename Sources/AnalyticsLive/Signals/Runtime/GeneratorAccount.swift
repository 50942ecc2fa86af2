import TributaryScript

/// What is held against the generators of one version of a bundle.
struct GeneratorAccount {
    /// Times that a signal may cost its whole budget: each holds up the client's events for as long.
    private static let breachLimit = 3

    private var faults = 0
    private var breaches = 0
    /// Whether signals pass the scripts by, until the next version.
    private(set) var isOff = false

    /// Notes why a signal could not be processed, and says so.
    mutating func note(_ error: ScriptError?, limit: Int) -> String {
        faults += 1
        if error?.reason == .timeExceeded { breaches += 1 }
        isOff = faults >= limit || breaches >= Self.breachLimit
        return (error.map(\.description) ?? "an unknown fault")
            + (isOff ? "; generators are off until the next version" : "")
    }
}
