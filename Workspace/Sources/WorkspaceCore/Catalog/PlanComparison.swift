import TributaryJSON

/// The differences between the counted events of one name and the plan.
struct PlanComparison: Sendable, Equatable {
    enum Deviation: Sendable, Equatable {
        /// So many events have a property that is not planned.
        case unplanned(key: String, count: Int64)
        /// So many events lack a property that the plan requires, or have null.
        case missing(key: String, count: Int64)
        /// So many events have a property with a value of another type.
        case otherType(key: String, planned: PropertyKind, count: Int64)
        /// So many events have a text that the plan does not allow.
        case otherValue(key: String, count: Int64)
    }

    /// Nil when the name is not planned.
    let event: TrackingPlan.Event?
    let deviations: [Deviation]

    /// - Parameters:
    ///   - event: the planned event of that name; nil when there is none.
    ///   - count: how many events of it came.
    ///   - properties: their properties; nil when the request does not ask for them.
    ///   - values: how many of them have a text that is not allowed, by its key.
    init(
        _ event: TrackingPlan.Event?, count: Int64, properties: CountedProperties?, values: [String: Int64] = [:]
    ) {
        self.event = event
        guard let event, let properties else {
            deviations = []
            return
        }
        let planned = event.properties.flatMap { property in
            var deviations = Self.deviations(from: property, count: count, properties)
            if !property.values.isEmpty, let count = values[property.key], count > 0 {
                deviations.append(.otherValue(key: property.key, count: count))
            }
            return deviations
        }
        let known = Set(event.properties.map { Array($0.key.utf8) })
        var strange: [(key: String, count: Int64)] = []
        for (key, counts) in properties.keys where !known.contains(key) {
            strange.append((String(decoding: key, as: UTF8.self), counts.total))
        }
        strange.sort { $0.count == $1.count ? $0.key < $1.key : $0.count > $1.count }
        deviations = planned + strange.map { Deviation.unplanned(key: $0.key, count: $0.count) }
    }

    private static func deviations(
        from property: TrackingPlan.Property, count: Int64, _ properties: CountedProperties
    ) -> [Deviation] {
        let counts = properties.keys[Array(property.key.utf8)] ?? KindCounts()
        var deviations: [Deviation] = []
        let values = counts.total - counts[.null]
        // This key may be among the keys without a count of their own.
        let isKnown = counts.total > 0 || properties.others.total == 0
        if property.isRequired, isKnown, values < count {
            deviations.append(.missing(key: property.key, count: count - values))
        }
        if let kind = property.kind, counts[kind] < values {
            deviations.append(.otherType(key: property.key, planned: kind, count: values - counts[kind]))
        }
        return deviations
    }

    /// The comparison as the API shows it.
    var json: JSON {
        [
            "planned": .bool(event != nil), "blocked": .bool(event?.isBlocked ?? false),
            "description": .string(event?.description ?? ""), "owner": .string(event?.owner ?? ""),
            "deviations": .array(deviations.map(\.json)),
        ]
    }
}

extension PlanComparison.Deviation {
    fileprivate var json: JSON {
        switch self {
        case .unplanned(let key, let count): Self.json("unplanned", key, count)
        case .missing(let key, let count): Self.json("missing", key, count)
        case .otherType(let key, let planned, let count):
            Self.json("type", key, count).adding("planned", .string(planned.rawValue))
        case .otherValue(let key, let count): Self.json("value", key, count)
        }
    }

    private static func json(_ problem: String, _ key: String, _ count: Int64) -> JSON {
        ["problem": .string(problem), "key": .string(key), "count": .number(count)]
    }
}

extension JSON {
    fileprivate func adding(_ name: String, _ value: JSON) -> JSON {
        var json = self
        json[name] = value
        return json
    }
}
