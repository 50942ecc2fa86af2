import TributaryScript

/// Counts the faults and breaches of the generators of one version.
struct GeneratorFaults {
    /// How often a signal may use its whole budget; each time delays the client's events.
    private static let breachLimit = 3

    private var faults = 0
    private var breaches = 0
    /// Whether signals skip the scripts, until the next version.
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
