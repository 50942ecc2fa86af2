import TributaryJSON

/// What devices reported about a source in some hours, as the administration shows it.
struct LiveHealth {
    private let source: Source
    private let rollout: RolloutRecord?
    private var versions: [String: (all: HealthSums, hours: [JSON])] = [:]
    private var delivery = HealthSums()

    /// - Parameter rows: the sums of hours, oldest first.
    init(_ rows: [(hour: Int64, version: String, sums: HealthSums)], source: Source, rollout: RolloutRecord?) {
        self.source = source
        self.rollout = rollout
        for row in rows {
            if row.version == Store.deliveryVersion {
                delivery.add(row.sums)
            } else {
                var counts = row.sums.counts.json
                counts["hour"] = .string(ISO8601.string(milliseconds: row.hour * 3_600_000))
                versions[row.version, default: (HealthSums(), [])].all.add(row.sums)
                versions[row.version]?.hours.append(.object(counts))
            }
        }
    }

    var json: JSON {
        let newestFirst = versions.keys.sorted { (Int64($0) ?? 0) > (Int64($1) ?? 0) }
        return [
            "versions": .array(newestFirst.compactMap(version)),
            "delivery": .object(counts(delivery, "lost")), "destinations": delivery.partsJSON,
            "rollout": rollout?.summary ?? .null,
        ]
    }

    private func version(_ name: String) -> JSON? {
        guard let (sums, hours) = versions[name] else { return nil }
        var object: JSONObject = ["version": .string(name), "percentage": percentage(name)]
        for (name, value) in counts(sums, "incidents") { object[name] = value }
        object["times"] = sums.timesJSON
        object["plugins"] = sums.partsJSON
        object["faults"] = sums.faultsJSON
        object["hours"] = .array(hours)
        return .object(object)
    }

    private func counts(_ sums: HealthSums, _ kinds: String) -> JSONObject {
        var object = sums.counts.json
        object[kinds] = .object(sums.kinds.json)
        return object
    }

    /// The share of devices that run the version now.
    private func percentage(_ name: String) -> JSON {
        guard let number = Int64(name) else { return .null }
        let newest = source.bundle
        if number == newest?.version { return .number(JSONNumber(newest?.percentage ?? 0)) }
        guard number == source.bundleForAll?.version else { return 0 }
        return .number(JSONNumber(100 - (newest?.percentage ?? 0)))
    }
}

extension RolloutRecord {
    /// The roll-out as the administration shows it.
    var summary: JSON {
        [
            "version": .number(JSONNumber(version)),
            "previous": previous.map { .number(JSONNumber($0)) } ?? .null,
            "state": .string(state.rawValue), "reason": .string(reason),
            "stage": .number(JSONNumber(progress.stage + 1)), "percentage": .number(JSONNumber(percentage)),
            "heldSeconds": .number(JSONNumber(progress.held / 1000)),
            "startedAt": .string(ISO8601.string(milliseconds: startedAt)), "plan": plan.json,
        ]
    }
}
