package import TributaryJSON

/// The number of events that each source with a quota sent on one day.
package struct DayCounts: Sendable, Equatable {
    /// Days since 1970.
    package var day: Int64
    /// Events by the number of the source.
    package var events: [Int64: Int]

    package init(day: Int64, events: [Int64: Int] = [:]) { (self.day, self.events) = (day, events) }

    package var json: JSON {
        var counts = JSONObject()
        for source in events.keys.sorted() { counts["\(source)"] = .number(events[source] ?? 0) }
        return ["day": .number(day), "events": .object(counts)]
    }

    /// Nil for JSON of another form.
    package init?(_ json: JSON) {
        guard let day = json["day"]?.intValue, let members = json["events"]?.objectValue else { return nil }
        self.init(day: Int64(day))
        for member in members {
            guard let source = Int64(member.key), let count = member.value.intValue, count >= 0 else { return nil }
            events[source] = count
        }
    }
}
