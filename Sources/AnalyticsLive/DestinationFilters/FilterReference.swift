import TributaryJSON

/// The part of the settings about filters: the rules for this device, and their version.
struct FilterReference: Sendable, Equatable {
    /// The most destinations that are counted.
    private static let mostDestinations = 16

    /// Versions only grow. Nil when the workspace does not number its rules; then the workspace does not ask for their
    /// counts.
    let version: Int?
    let rules: JSON
    /// The destinations that rules name: those of this device, and those of the other version during a roll-out. Both
    /// versions count for the same destinations, so that they can be compared.
    let destinations: [String]

    /// Reads `middlewareSettings`.
    ///
    /// - Parameter device: an anonymous id. It decides whether this device gets rules that are not for all devices yet. The
    ///   id is not sent anywhere. Without an id, and with staged rules that cannot be read, the device gets the rules for
    ///   all devices.
    init(_ settings: JSON?, device: String?) {
        let rules = settings?["routingRules"] ?? []
        let staged = settings?["staged"]
        if let device, let staged, let version = staged["version"]?.intValue,
            let percentage = staged["percentage"]?.intValue, let stagedRules = staged["routingRules"],
            stagedRules.elements != nil,
            RolloutShare.has(device, of: .filters, version: version, percentage: percentage)
        {
            self.version = version
            self.rules = stagedRules
        } else {
            version = settings?["version"]?.intValue
            self.rules = rules
        }
        destinations = Self.destinations(rules, staged?["routingRules"] ?? [])
    }

    private static func destinations(_ lists: JSON...) -> [String] {
        var names: [String] = []
        for rule in lists.flatMap({ $0.elements ?? [] }) {
            guard let name = rule["destinationName"]?.stringValue, !names.contains(name) else { continue }
            names.append(name)
            if names.count == mostDestinations { break }
        }
        return names
    }
}
