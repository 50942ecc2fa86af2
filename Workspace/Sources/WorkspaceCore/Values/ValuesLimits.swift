extension Limits {
    /// Text of a time that is read.
    static let timeBytes = 64
    /// The largest quota of a source; more is no quota.
    static let largestQuota = 1_000_000_000_000
    /// Age from which a `sentAt` in a body is that of a batch that waited offline.
    static let plausibleSkewMilliseconds: Int64 = 3_600_000
    /// Consent categories of a destination or a policy, and characters of one.
    package static let categories = 50
    static let categoryLength = 100
}
