package import TributaryJSON

/// How much a source may send; nil for no limit.
package struct Quota: Sendable, Equatable {
    /// Events, traces and signals of one day in UTC. The server still accepts the batch that reaches the quota.
    /// Otherwise a batch larger than the quota of a day would wait on its device for ever.
    package var eventsPerDay: Int?
    /// Requests a second. The same number may arrive at once.
    package var requestsPerSecond: Int?

    package init() {}

    package init(_ json: JSON) throws(Refusal) {
        guard let members = json.objectValue else { throw .invalid("quota is an object") }
        for (name, value) in members {
            switch name {
            case "eventsPerDay": eventsPerDay = try Self.count(name, value)
            case "requestsPerSecond": requestsPerSecond = try Self.count(name, value)
            default:
                throw .invalid("quota has eventsPerDay and requestsPerSecond; \(name) means nothing here")
            }
        }
    }

    private static func count(_ name: String, _ value: JSON) throws(Refusal) -> Int? {
        if value.isNull { return nil }
        guard let count = value.intValue, (1...Limits.largestQuota).contains(count) else {
            throw .invalid("\(name) is a number from 1 to \(Limits.largestQuota), or null for no limit")
        }
        return count
    }

    package var json: JSON { ["eventsPerDay": .number(eventsPerDay), "requestsPerSecond": .number(requestsPerSecond)] }
}
