import TributaryScript

/// Counts the faults and breaches of the generators of one version.
struct GeneratorFaults {
    /// How many signals may exceed their budget. Each time delays the client's events.
    private static let breachLimit = 3

    private var faults = 0
    private var breaches = 0
    /// Whether signals skip the scripts, until the next version.
    private(set) var isOff = false

    /// Takes note of a failure, and returns the text for a report.
    mutating func note(_ error: ScriptError?, limit: Int) -> String {
        faults += 1
        if error?.reason == .timeExceeded { breaches += 1 }
        isOff = faults >= limit || breaches >= Self.breachLimit
        return (error.map(\.description) ?? "an unknown fault")
            + (isOff ? "; generators are off until the next version" : "")
    }
}
