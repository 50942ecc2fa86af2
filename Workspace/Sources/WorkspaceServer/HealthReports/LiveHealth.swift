import TributaryJSON
import WorkspaceCore

/// The reports of devices about live plugins, filters and delivery of a source in some hours, as the administration shows them.
struct LiveHealth {
    private let source: Source
    private let rollouts: [RolloutKind: RolloutRecord]
    private let cover: HealthCover
    private let apps: ReportedApps
    private var versions: [RolloutKind: [String: (all: HealthSums, hours: [JSON])]] = [:]
    private var shadows: [Int64: HealthSums] = [:]
    private var delivery = HealthSums()

    /// - Parameter rows: the sums of hours, oldest first.
    init(
        _ rows: [(hour: Int64, version: String, sums: HealthSums)], source: Source,
        rollouts: [RolloutKind: RolloutRecord], apps: ReportedApps, cover: HealthCover
    ) {
        (self.source, self.rollouts, self.apps, self.cover) = (source, rollouts, apps, cover)
        for row in rows {
            if row.version == Store.deliveryVersion {
                delivery.add(row.sums)
            } else if row.version.hasPrefix(Store.shadowPrefix) {
                guard let version = Int64(row.version.dropFirst(Store.shadowPrefix.count)) else { continue }
                shadows[version, default: HealthSums()].add(row.sums)
            } else {
                var counts = row.sums.counts.json
                counts["hour"] = .time(row.hour * 3_600_000)
                let isFilters = row.version.hasPrefix(Store.filterPrefix)
                let kind = isFilters ? RolloutKind.filters : .livePlugins
                let name = isFilters ? String(row.version.dropFirst(Store.filterPrefix.count)) : row.version
                versions[kind, default: [:]][name, default: (HealthSums(), [])].all.add(row.sums)
                versions[kind]?[name]?.hours.append(.object(counts))
            }
        }
    }

    var json: JSON {
        [
            "versions": .array(newestFirst(.livePlugins).map { .object(version($0.name, $0.sums, $0.hours)) }),
            "shadows": .array(shadows.sorted { $0.key > $1.key }.map { .object(shadow($0.key, $0.value)) }),
            "filters": .array(newestFirst(.filters).map { .object(filters($0.name, $0.sums, $0.hours)) }),
            "delivery": .object(counts(delivery, "lost")), "destinations": delivery.partsJSON,
            "rollout": rollouts[.livePlugins]?.summary ?? .null, "filterRollout": rollouts[.filters]?.summary ?? .null,
            "apps": apps.json, "cover": cover.json,
        ]
    }

    private func newestFirst(_ kind: RolloutKind) -> [(name: String, sums: HealthSums, hours: [JSON])] {
        (versions[kind] ?? [:]).sorted { (Int64($0.key) ?? -1) > (Int64($1.key) ?? -1) }
            .map { ($0.key, $0.value.all, $0.value.hours) }
    }

    private func version(_ name: String, _ sums: HealthSums, _ hours: [JSON]) -> JSONObject {
        var object: JSONObject = ["version": .string(name), "percentage": percentage(name, .livePlugins)]
        for (name, value) in counts(sums, "incidents") { object[name] = value }
        object["times"] = sums.timesJSON
        object["plugins"] = sums.partsJSON
        object["faults"] = sums.faultsJSON
        object["hours"] = .array(hours)
        return object
    }

    /// A version that runs beside the version before, with its differences, the most frequent first.
    private func shadow(_ version: Int64, _ sums: HealthSums) -> JSONObject {
        let rollout = rollouts[.livePlugins]
        let announced = rollout?.version == version ? rollout?.announced ?? [] : []
        var object: JSONObject = ["version": .string("\(version)")]
        for (name, value) in counts(sums, "incidents") { object[name] = value }
        object["times"] = sums.timesJSON
        object["plugins"] = sums.partsJSON
        object["faults"] = sums.faultsJSON
        object["differences"] = .array(
            sums.differences.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { text, events in
                [
                    "difference": .string(text), "events": .number(events),
                    "isAnnounced": .bool(announced.covers(text)),
                ]
            })
        return object
    }

    private func filters(_ name: String, _ sums: HealthSums, _ hours: [JSON]) -> JSONObject {
        var object: JSONObject = ["version": .string(name), "percentage": percentage(name, .filters)]
        for (name, value) in sums.counts.json { object[name] = value }
        object["destinations"] = sums.partsJSON
        object["faults"] = .array(sums.faultsJSON.elements?.map(Self.ruleFault) ?? [])
        object["hours"] = .array(hours)
        return object
    }

    /// A fault of a rule belongs to a destination, where that of a script belongs to a plugin.
    private static func ruleFault(_ fault: JSON) -> JSON {
        var object = fault.objectValue ?? JSONObject()
        object["destination"] = object.removeValue(forKey: "plugin")
        return .object(object)
    }

    private func counts(_ sums: HealthSums, _ kinds: String) -> JSONObject {
        var object = sums.counts.json
        object[kinds] = .object(sums.kinds.json)
        return object
    }

    /// The share of devices that run the version now.
    private func percentage(_ name: String, _ kind: RolloutKind) -> JSON {
        guard let number = Int64(name) else { return .null }
        let newest = source.newest(kind)
        if number == newest?.version { return .number(newest?.percentage ?? 0) }
        guard number == source.versionForAll(kind) else { return 0 }
        return .number(100 - (newest?.percentage ?? 0))
    }
}

extension RolloutRecord {
    /// The roll-out as the administration shows it.
    var summary: JSON {
        [
            "kind": .string(kind.rawValue), "version": .number(version), "previous": .number(previous),
            "state": .string(state.rawValue), "reason": .string(reason), "stage": .number(progress.stage + 1),
            "percentage": .number(percentage), "heldSeconds": .number(progress.held / 1000),
            "startedAt": .time(startedAt), "plan": plan.json, "isShadow": .bool(progress.isShadow),
            "announced": announced.json,
        ]
    }
}
