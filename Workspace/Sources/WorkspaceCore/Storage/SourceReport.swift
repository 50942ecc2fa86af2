package import TributaryJSON

/// A health report of a source, ready to be counted.
package struct SourceReport: Sendable, Equatable {
    package let source: Int64
    /// The digest of the device. See `HealthSample.digest`.
    package let device: UInt64
    /// Counts the reports of the device.
    package let number: Int64
    /// Whether it came before its time because of a fault.
    package let isEarly: Bool
    /// Milliseconds since 1970, by the clock of the server that received it.
    package let receivedAt: Int64
    /// The sums by version; the empty one is delivery.
    package let sums: [String: HealthSums]
    /// The sums that decide roll-outs, for each version that was deployed.
    package let health: [RolloutKind: [Int64: DeviceHealth]]
    /// The same of live plugins that run as shadows.
    package var shadows: [Int64: DeviceHealth] = [:]
    /// The stages of the roll-outs that were open when it came. Nil when it is counted as it comes, in the present stages.
    package var stages: [RolloutKind: RolloutStage]?
    /// Whether this server received it. Each report is in the metrics of one node of a cluster.
    package var isOwn = true
    /// The version of the app, with what it allows to scripts; nil when the report did not say it.
    package var app: ReportedApp?
    /// The ends of the events; nil when the report did not say them.
    package var account: AppAccount?
    /// Which settings the device has; nil when the report did not say it.
    package var heard: HeardSettings?

    // MARK: JSON

    package var json: JSON {
        var object: JSONObject = [
            "source": .number(source), "device": .string(String(device, radix: 16)), "number": .number(number),
            "at": .number(receivedAt), "sums": Self.object(sums.map { ($0.key, $0.value.json) }),
        ]
        if let app { object["app"] = .object(app.json) }
        object["account"] = account?.json
        object["settings"] = heard?.json
        if isEarly { object["isEarly"] = true }
        if !health.isEmpty {
            object["health"] = Self.object(
                health.map { kind, versions in
                    (kind.rawValue, Self.object(versions.map { ("\($0.key)", $0.value.json) }))
                })
        }
        if !shadows.isEmpty { object["shadows"] = Self.object(shadows.map { ("\($0.key)", $0.value.json) }) }
        if let stages { object["stages"] = Self.object(stages.map { ($0.key.rawValue, $0.value.json) }) }
        return .object(object)
    }

    private static func object(_ members: [(String, JSON)]) -> JSON {
        .object(members.sorted { $0.0 < $1.0 }.reduce(into: JSONObject()) { $0[$1.0] = $1.1 })
    }

    /// Nil when the JSON is not a report.
    package init?(_ json: JSON) {
        guard let source = json["source"]?.numberValue?.int64,
            let device = json["device"]?.stringValue.flatMap({ UInt64($0, radix: 16) }),
            let number = json["number"]?.numberValue?.int64, let receivedAt = json["at"]?.numberValue?.int64,
            let sums = json["sums"]?.objectValue
        else { return nil }
        var health: [RolloutKind: [Int64: DeviceHealth]] = [:]
        for (kind, versions) in json["health"]?.objectValue ?? JSONObject() {
            guard let kind = RolloutKind(rawValue: kind) else { continue }
            for (version, counts) in versions.objectValue ?? JSONObject() {
                if let version = Int64(version) { health[kind, default: [:]][version] = DeviceHealth(counts) }
            }
        }
        self.init(
            source: source, device: device, number: number, isEarly: json["isEarly"] == true, receivedAt: receivedAt,
            sums: sums.reduce(into: [:]) { $0[$1.key] = HealthSums($1.value) }, health: health)
        app = json["app"].map(ReportedApp.init(stored:))
        account = AppAccount(json["account"])
        heard = HeardSettings(json["settings"])
        for (version, counts) in json["shadows"]?.objectValue ?? JSONObject() {
            if let version = Int64(version) { shadows[version] = DeviceHealth(counts) }
        }
        guard let stages = json["stages"]?.objectValue else { return }
        self.stages = stages.reduce(into: [:]) { result, member in
            if let kind = RolloutKind(rawValue: member.key) { result[kind] = RolloutStage(member.value) }
        }
    }

    package init(
        source: Int64, device: UInt64, number: Int64, isEarly: Bool, receivedAt: Int64, sums: [String: HealthSums],
        health: [RolloutKind: [Int64: DeviceHealth]]
    ) {
        (self.source, self.device, self.number) = (source, device, number)
        (self.isEarly, self.receivedAt, self.sums, self.health) = (isEarly, receivedAt, sums, health)
    }
}
