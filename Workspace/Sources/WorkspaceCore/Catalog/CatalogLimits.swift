extension Limits {
    /// A breakdown: values that are listed by default and at most, values with a count of their own, bytes of one as
    /// JSON, users that are distinguished, numbers that are held for a statistic, hours that it counts in, and events that
    /// one step looks at.
    package static let breakdownValues: Int64 = 20
    package static let breakdownMostValues: Int64 = 200
    static let breakdownCountedValues = 1_000
    static let breakdownValueBytes = 256
    static let breakdownUsers = 1_000_000
    static let breakdownNumbers = 4_000_000
    static let breakdownHours: Int64 = 800
    static let breakdownStep = 5_000
    /// Steps after which the answer has the counts so far.
    package static let breakdownStepsToPart = 4
    /// Counts of people: numbers of events that one step passes, numbers that are passed at once when the texts of events
    /// are read, and devices of events without a user that are held in memory.
    static let numbersInPeopleStep = 100_000
    static let textsInScanStep: Int64 = 512
    static let devicesWithoutUser = 1_000_000
    /// A funnel: its steps, bytes of one as text, seconds of its window by default and at most, events of steps that
    /// are held in memory, and values of the first step with counts of their own.
    package static let funnelSteps = 2...8
    static let funnelStepBytes = 8_192
    package static let funnelWindowSeconds: Int64 = 7 * 86_400
    package static let funnelMostWindowSeconds: Int64 = 90 * 86_400
    static let funnelEvents = 2_000_000
    static let funnelCountedValues = 1_000
    /// People of a step with events before and next that a funnel counts, and the names that it tells apart.
    static let funnelFollowedPeople = 500_000
    static let funnelFollowedNames = 10_000
    /// People and their days or weeks that a count of retention holds in memory.
    static let retentionPlaces = 2_000_000
}

extension Limits {
    /// Bytes of a text that is looked for in traits, and the depth of values in traits.
    package static let traitText = 200
    static let traitDepth = 4
    /// People, groups and members of a list, by default and at most.
    package static let listedPeople: Int64 = 50
    package static let mostListedPeople: Int64 = 500
    /// Members of all groups that are counted together.
    static let groupMembers = 500_000
}
