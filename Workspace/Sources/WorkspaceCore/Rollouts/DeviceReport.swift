import TributaryJSON

/// A health report of a device, checked, with impossible numbers reduced.
package struct DeviceReport: Sendable {
    /// Bytes of a report. Devices send at most 2 KB.
    package static let bytes = 8 << 10
    /// Names in a report: versions, and plugins or destinations of each list. Devices send fewer.
    private static let mostVersions = 8
    private static let mostShadows = 2
    private static let mostNames = 40
    /// Bytes of the id of an instance and of a name.
    private static let idBytes = 100
    private static let nameBytes = 80
    /// The most that one report can add to any count.
    private static let mostCounted = 1_000_000
    /// A million events of a second each.
    private static let mostMicroseconds = 1_000_000_000_000

    /// The part of a report about one version of live plugins or filters.
    package struct Version: Sendable {
        package let name: String
        package let health: DeviceHealth
        package let sums: HealthSums
        /// Of filters: whether some events came by before the live plugins of the device had a bundle to run.
        var isBeforePlugins = false
    }

    private static let versionCounts = ["events", "faulty", "dropped", "made", "pluginsLeftOut"]
    private static let incidents = [
        "downloadFailed", "contentRefused", "signatureRefused", "loadFailed", "quarantined", "fellBack",
        "generatorsOff",
    ]
    /// Incidents after which the version does not run there as it should.
    fileprivate static let breakages = [
        "contentRefused", "signatureRefused", "loadFailed", "quarantined", "generatorsOff",
    ]
    private static let pluginCounts = ["seen", "changed", "dropped", "faults", "breaches", "isOff"]
    private static let ruleCounts = ["events", "changed", "dropped", "faulty"]
    private static let destinationCounts = ["delivered", "filtered", "dropped", "lost", "stuck"]
    private static let deliveryCounts = [
        "tracked", "uploaded", "dropped", "deadLettered", "waiting", "withoutSettings",
    ]

    package let writeKey: String?
    /// The `instanceId` that events of the same client have.
    package let instance: String
    /// Counts the reports of that instance.
    package let number: Int64
    /// Whether it came before its time because of a fault.
    package let isEarly: Bool
    /// Of live plugins.
    package let versions: [Version]
    /// Of live plugins that run as shadows.
    package let shadows: [Version]
    /// Of filters.
    package let filters: [Version]
    package let delivery: HealthSums
    /// The version of the app, with what it allows to scripts; nil when the report does not say it.
    package let app: ReportedApp?
    /// The ends of the events; nil when the report does not say them.
    package let account: AppAccount?
    /// Which settings the device has; nil when the report does not say it.
    package let heard: HeardSettings?

    /// - Throws: `Refusal` that says what is wrong.
    package init(_ body: [UInt8]) throws(Refusal) {
        guard body.count <= Self.bytes else { throw .invalid("a health report has at most \(Self.bytes) bytes") }
        let json: JSON
        do {
            json = try JSON.parse(body, limits: JSONLimits(depth: 8, bytes: Self.bytes))
        } catch {
            throw .invalid("the body is not JSON: \(error)")
        }
        guard json.objectValue != nil else { throw .invalid("the body must be a JSON object") }
        writeKey = json["writeKey"]?.stringValue
        instance = try Self.name(json["instanceId"], "instanceId", Self.idBytes)
        guard let number = json["number"]?.intValue, number > 0 else {
            throw .invalid("number is a whole number above 0")
        }
        self.number = Int64(number)
        isEarly = json["isEarly"] == true
        versions = try Self.list(json["versions"], "versions", Self.mostVersions).map { version throws(Refusal) in
            try Self.version(version)
        }
        shadows = try Self.list(json["shadows"], "shadows", Self.mostShadows).map { version throws(Refusal) in
            try Self.shadow(version)
        }
        filters = try Self.list(json["filters"], "filters", Self.mostVersions).map { version throws(Refusal) in
            try Self.filters(version)
        }
        delivery = try Self.delivery(json)
        app = ReportedApp(reported: json["app"])
        account = AppAccount(json, app: app, lost: delivery.kinds)
        heard = HeardSettings(json["settings"])
    }

    private static func version(_ json: JSON) throws(Refusal) -> Version {
        var sums = HealthSums()
        sums.counts = HealthCounts(json, names: versionCounts, atMost: mostCounted)
        sums.counts["reports"] = 1
        sums.counts["microseconds"] = min(max(0, json["microseconds"]?.intValue ?? 0), mostMicroseconds)
        sums.addTimes(json["times"], atMost: mostCounted)
        sums.kinds = HealthCounts(json["incidents"], names: incidents, atMost: mostCounted)
        for plugin in try list(json["plugins"], "plugins", mostNames) {
            let counts = HealthCounts(plugin, names: pluginCounts, atMost: mostCounted)
            let name = try name(plugin["name"], "the name of a plugin", nameBytes)
            sums.count(name, counts)
            if let fault = ReportedFault(plugin["fault"], plugin: name) { sums.count(fault) }
        }
        let health = DeviceHealth(
            events: sums.counts["events"], faulty: sums.counts["faulty"], dropped: sums.counts["dropped"],
            microseconds: sums.counts["microseconds"], isBroken: sums.isBroken)
        // Impossible numbers are reduced in the sums, too.
        sums.counts["faulty"] = health.faulty
        sums.counts["dropped"] = health.dropped
        sums.counts["microseconds"] = health.microseconds
        return Version(name: try name(json["version"], "version", nameBytes), health: health, sums: sums)
    }

    /// A version that runs beside the present one.
    private static func shadow(_ json: JSON) throws(Refusal) -> Version {
        let version = try version(json)
        var differences: [String: Int] = [:]
        for member in try list(json["differences"], "differences", DeviceHealth.mostDifferences) {
            guard let kind = member["kind"]?.stringValue, ["changed", "dropped", "made"].contains(kind) else {
                throw .invalid("the kind of a difference is changed, dropped or made")
            }
            let event = try name(member["event"], "the event of a difference", nameBytes)
            let field = try member["field"].map { json throws(Refusal) in
                try name(json, "the field of a difference", nameBytes)
            }
            let count = min(max(0, member["count"]?.intValue ?? 0), mostCounted)
            if count > 0 { differences[([kind, event] + (field.map { [$0] } ?? [])).joined(separator: ":")] = count }
        }
        let more = min(max(0, json["differencesLeftOut"]?.intValue ?? 0), mostCounted)
        if more > 0 { differences[DeviceHealth.moreDifferences] = more }
        var sums = version.sums
        for (text, count) in differences.sorted(by: { $0.key < $1.key }) { sums.count(difference: text, times: count) }
        let health = DeviceHealth(
            events: version.health.events, faulty: version.health.faulty, dropped: version.health.dropped,
            microseconds: version.health.microseconds, isBroken: version.health.isBroken, differences: differences)
        return Version(name: version.name, health: health, sums: sums)
    }

    /// A version of the filter rules, with the destinations that they are for.
    private static func filters(_ json: JSON) throws(Refusal) -> Version {
        var sums = HealthSums()
        var destinations: [String: FilteredCounts] = [:]
        for destination in try list(json["destinations"], "destinations", mostNames) {
            var counts = HealthCounts(destination, names: ruleCounts, atMost: mostCounted)
            // Impossible numbers are reduced.
            for part in ["changed", "dropped", "faulty"] { counts[part] = min(counts[part], counts["events"]) }
            let key = try name(destination["key"], "the key of a destination", nameBytes)
            sums.count(key, counts)
            sums.counts.add(counts)
            destinations[key] = FilteredCounts(events: counts["events"], dropped: counts["dropped"])
        }
        sums.counts["reports"] = 1
        sums.counts["problems"] = min(max(0, json["problems"]?.intValue ?? 0), mostCounted)
        let destination = json["fault"]?["destination"]?.stringValue ?? ""
        if let fault = ReportedFault(json["fault"], plugin: destination) { sums.count(fault) }
        let health = DeviceHealth(
            events: sums.counts["events"], faulty: sums.counts["faulty"], dropped: sums.counts["dropped"],
            isBroken: sums.isBroken, destinations: destinations)
        return Version(
            name: try name(json["version"], "version", nameBytes), health: health, sums: sums,
            isBeforePlugins: json["isBeforePlugins"] == true)
    }

    private static func delivery(_ json: JSON) throws(Refusal) -> HealthSums {
        var sums = HealthSums()
        sums.counts = HealthCounts(json["delivery"], names: deliveryCounts, atMost: mostCounted)
        sums.counts["reports"] = 1
        let lost = json["delivery"]?["lost"]?.objectValue ?? JSONObject()
        // Reasons are words of the client; what a stranger invents is one reason.
        for (reason, count) in lost {
            let isWord =
                reason.utf8.count <= 40
                && reason.utf8.allSatisfy { ($0 | 0x20) >= 97 && ($0 | 0x20) <= 122 || $0 == UInt8(ascii: "_") }
            let known = sums.kinds.json
            let isKnown = known[reason] != nil || known.count < 15
            sums.kinds[isWord && isKnown ? reason : "other"] += min(max(0, count.intValue ?? 0), mostCounted)
        }
        for destination in try list(json["destinations"], "destinations", mostNames) {
            sums.count(
                try name(destination["key"], "the key of a destination", nameBytes),
                HealthCounts(destination, names: destinationCounts, atMost: mostCounted))
        }
        return sums
    }

    private static func list(_ json: JSON?, _ name: String, _ most: Int) throws(Refusal) -> [JSON] {
        guard let json else { return [] }
        guard let elements = json.elements, elements.count <= most else {
            throw .invalid("\(name) is an array of at most \(most) objects")
        }
        return elements
    }

    private static func name(_ json: JSON?, _ what: String, _ bytes: Int) throws(Refusal) -> String {
        guard let text = json?.stringValue, (1...bytes).contains(text.utf8.count) else {
            throw .invalid("\(what) is a text of 1 to \(bytes) bytes")
        }
        return text
    }
}

extension DeviceReport {
    /// Whether what the report says about a version of the filters can be compared with other devices.
    ///
    /// Live plugins change what filters see. So a device counts when it ran the live plugins for all devices in the
    /// whole time of the report. It does not count when it ran staged ones, or live plugins that are being replaced, or
    /// had none to run for a while. A device counts when its app has no live plugins. So two roll-outs at once are
    /// compared on the same ground. Filters see events behind live plugins, so the judgement of live plugins needs no
    /// such rule.
    /// - Parameter bundle: the version of the live plugins for all devices; nil when there are none.
    package func isComparable(_ filters: Version, bundle: Int64?) -> Bool {
        guard let bundle else { return versions.allSatisfy { Int64($0.name) == nil } }
        return !filters.isBeforePlugins && versions.allSatisfy { $0.name == "\(bundle)" }
    }
}

extension DeviceReport.Version {
    /// The sums. In them, a plugin or destination with an unknown name has the empty name, and its faults too.
    package func sums(where isKnown: (String) -> Bool) -> HealthSums {
        guard sums.parts.keys.contains(where: { !isKnown($0) }) else { return sums }
        var known = HealthSums()
        known.counts = sums.counts
        known.kinds = sums.kinds
        known.add(differencesOf: sums)
        known.addTimes(sums.timesJSON, atMost: .max)
        for (name, counts) in sums.parts { known.count(isKnown(name) ? name : "", counts) }
        for (fault, times) in sums.faults where isKnown(fault.plugin) { known.count(fault, times: times) }
        return known
    }
}

extension HealthSums {
    /// Whether one of the reports is of a device on which the version does not run as it should.
    package var isBroken: Bool {
        counts["problems"] > 0 || DeviceReport.breakages.contains { kinds[$0] > 0 }
            || parts.values.contains { $0["isOff"] > 0 }
    }
}
