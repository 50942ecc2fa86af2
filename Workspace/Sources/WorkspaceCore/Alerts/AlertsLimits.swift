extension Limits {
    /// Alert rules of a workspace, and characters of the name of one.
    static let alertRules = 100
    static let alertNameLength = 100
    /// The longest time that a rule waits for or looks back to: a week.
    static let alertMinutes: Int64 = 7 * 24 * 60
    static let alertEvents: Int64 = 1_000_000
    /// How long all has to be well before an alert is over, so that it does not come and go.
    package static let alertCalm: Int64 = 5 * 60_000
    /// Messages of a rule that wait for its webhook, and the pauses between attempts. The time after which one is given up is
    /// that of other messages to operators.
    static let alertMessages = 10
    package static let alertBackoff = Backoff(first: 30_000, longest: 3_600_000)
    /// Counts that a rule compares with each other; older ones are thinned out.
    static let alertSamples = 256
    /// Bytes of the address of a rule.
    static let alertURL = 2_048
}
