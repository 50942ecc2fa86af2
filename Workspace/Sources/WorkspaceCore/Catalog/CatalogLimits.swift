extension Limits {
    /// A breakdown: values that are listed by default and at most, values with a count of their own, bytes of one as
    /// JSON, users that are distinguished, and events that one step looks at.
    package static let breakdownValues: Int64 = 20
    package static let breakdownMostValues: Int64 = 200
    static let breakdownCountedValues = 1_000
    static let breakdownValueBytes = 256
    static let breakdownUsers = 1_000_000
    static let breakdownStep = 5_000
    /// Steps after which the answer has the counts so far.
    package static let breakdownStepsToPart = 4
}
