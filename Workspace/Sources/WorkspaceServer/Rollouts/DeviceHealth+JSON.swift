import TributaryJSON

extension DeviceHealth {
    /// The counts, followed by the destinations of filters if there are some.
    var json: JSON {
        var list = [events, faulty, dropped, microseconds, isBroken ? 1 : 0].map { JSON.number(JSONNumber($0)) }
        if !destinations.isEmpty {
            var object = JSONObject()
            for (name, counts) in destinations.sorted(by: { $0.key < $1.key }) {
                object[name] = [.number(JSONNumber(counts.events)), .number(JSONNumber(counts.dropped))]
            }
            list.append(.object(object))
        }
        return .array(list)
    }

    /// Reads stored counts. A value that is not an object gives no counts.
    init(_ json: JSON?) {
        let list = json?.elements ?? []
        let numbers = list.prefix(5).map { $0.intValue ?? 0 }
        guard numbers.count == 5 else {
            self.init(events: 0)
            return
        }
        var destinations: [String: FilteredCounts] = [:]
        for (name, counts) in list.dropFirst(5).first?.objectValue ?? [:] {
            destinations[name] = FilteredCounts(
                events: counts[0]?.intValue ?? 0, dropped: counts[1]?.intValue ?? 0)
        }
        self.init(
            events: numbers[0], faulty: numbers[1], dropped: numbers[2], microseconds: numbers[3],
            isBroken: numbers[4] == 1, destinations: destinations)
    }
}
