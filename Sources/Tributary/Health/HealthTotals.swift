import TributaryJSON

/// Everything that is counted for the next health report.
struct HealthTotals: Sendable, Equatable {
    /// How many versions and destinations are counted; the newest versions stay.
    static let versions = 4
    static let destinations = 16
    static let shadows = 2

    /// In the order in which they were first counted.
    private(set) var versions: [VersionHealth] = []
    /// Versions of the filter rules, in the same order.
    private(set) var filters: [FilterHealth] = []
    /// Versions of the live plugins that run beside the present one, in the same order.
    private(set) var shadows: [ShadowHealth] = []
    private(set) var destinations: [String: DestinationHealth] = [:]
    var delivery = DeliveryHealth()
    var account = AccountHealth()
    private(set) var versionsLeftOut = 0
    private(set) var destinationsLeftOut = 0

    /// Whether nothing happened; what waits is no news.
    var isEmpty: Bool {
        var quiet = HealthTotals()
        quiet.delivery.waiting = delivery.waiting
        quiet.account.waiting = account.waiting
        return self == quiet
    }

    /// Events that the app tracked: a report must be small beside them.
    var events: Int { delivery.tracked }

    mutating func add(_ version: VersionHealth) {
        guard !version.isEmpty else { return }
        if let place = versions.firstIndex(where: { $0.version == version.version }) {
            versions[place].add(version)
        } else {
            versions.append(version)
        }
        while versions.count > Self.versions { leaveOutVersion() }
    }

    mutating func add(_ version: FilterHealth) {
        guard !version.isEmpty else { return }
        if let place = filters.firstIndex(where: { $0.version == version.version }) {
            filters[place].add(version)
        } else {
            var first = FilterHealth(version: version.version)
            first.add(version)
            filters.append(first)
        }
        while filters.count > Self.versions { filters.removeFirst() }
    }

    mutating func add(_ shadow: ShadowHealth) {
        guard !shadow.isEmpty else { return }
        if let place = shadows.firstIndex(where: { $0.version == shadow.version }) {
            shadows[place].add(shadow)
        } else {
            shadows.append(shadow)
        }
        while shadows.count > Self.shadows { shadows.removeFirst() }
    }

    mutating func add(_ part: HealthPart) {
        switch part {
        case .livePlugins(let version): add(version)
        case .filters(let version): add(version)
        case .shadow(let shadow): add(shadow)
        }
    }

    mutating func count(_ key: String, _ change: (inout DestinationHealth) -> Void) {
        guard destinations[key] != nil || destinations.count < Self.destinations else {
            return destinationsLeftOut += 1
        }
        change(&destinations[key, default: DestinationHealth()])
    }

    mutating func add(_ other: HealthTotals) {
        for version in other.versions { add(version) }
        for version in other.filters { add(version) }
        for shadow in other.shadows { add(shadow) }
        for (key, health) in other.destinations { count(key) { $0.add(health) } }
        delivery.add(other.delivery)
        account.add(other.account)
        versionsLeftOut += other.versionsLeftOut
        destinationsLeftOut += other.destinationsLeftOut
    }

    private mutating func leaveOutVersion() {
        versions.removeFirst()
        versionsLeftOut += 1
    }

    /// Leaves out what matters least: faults stay longest.
    /// - Returns: false when nothing is left that could be left out.
    mutating func leaveOut() -> Bool {
        if account.losses.leaveOut(evenWithDrops: false) { return true }
        if leaveOutPlugin(evenWithFaults: false) || leaveOutDestination() || leaveOutFiltered() { return true }
        if leaveOutShadow() { return true }
        if delivery.lost.count > 1 {
            delivery.lost = ["other": delivery.lost.values.reduce(0, +)]
            return true
        }
        if account.losses.leaveOut(evenWithDrops: true) || leaveOutPlugin(evenWithFaults: true) { return true }
        guard versions.count > 1 else { return false }
        leaveOutVersion()
        return true
    }

    private mutating func leaveOutPlugin(evenWithFaults: Bool) -> Bool {
        for place in versions.indices where versions[place].leaveOutPlugin(evenWithFaults: evenWithFaults) {
            return true
        }
        return false
    }

    private mutating func leaveOutFiltered() -> Bool {
        for place in filters.indices where filters[place].leaveOutDestination() { return true }
        return false
    }

    private mutating func leaveOutShadow() -> Bool {
        for place in shadows.indices where shadows[place].leaveOut() { return true }
        return false
    }

    private mutating func leaveOutDestination() -> Bool {
        guard let key = destinations.keys.min(by: { leastFirst($0, $1) }) else { return false }
        destinations[key] = nil
        destinationsLeftOut += 1
        return true
    }

    private func leastFirst(_ one: String, _ other: String) -> Bool {
        func rank(_ key: String) -> (Int, Int, String) {
            let health = destinations[key] ?? DestinationHealth()
            return (health.lost + health.stuck, health.delivered, key)
        }
        return rank(one) < rank(other)
    }

    // MARK: JSON

    /// The members of a report.
    var members: JSONObject {
        var object = JSONObject()
        if !versions.isEmpty { object["versions"] = .array(versions.map(\.json)) }
        if !filters.isEmpty { object["filters"] = .array(filters.map(\.json)) }
        if !shadows.isEmpty { object["shadows"] = .array(shadows.map(\.json)) }
        let sorted = destinations.byKey()
        if !sorted.isEmpty { object["destinations"] = .array(sorted.map { $0.value.json(key: $0.key) }) }
        object["delivery"] = delivery.json
        object["account"] = account.json
        let leftOut = JSON.counts(["versions": versionsLeftOut, "destinations": destinationsLeftOut])
        if !leftOut.isEmpty { object["leftOut"] = .object(leftOut) }
        return object
    }

    init() {}

    /// Totals out of a file, without values that make no sense.
    init(_ json: JSON) {
        for version in (json["versions"]?.elements ?? []).compactMap(VersionHealth.init) { add(version) }
        for version in (json["filters"]?.elements ?? []).compactMap(FilterHealth.init) { add(version) }
        for shadow in (json["shadows"]?.elements ?? []).compactMap(ShadowHealth.init) { add(shadow) }
        for destination in json["destinations"]?.elements ?? [] {
            guard let key = destination["key"]?.stringValue else { continue }
            count(key) { $0.add(DestinationHealth(destination)) }
        }
        delivery = DeliveryHealth(json["delivery"] ?? .null)
        account = AccountHealth(json["account"] ?? .null)
        versionsLeftOut += json["leftOut"]?["versions"]?.count ?? 0
        destinationsLeftOut += json["leftOut"]?["destinations"]?.count ?? 0
    }
}
