package import TributaryJSON

/// From which address the events of a source get their country (`context.location.country`), when the server has a
/// database for it.
package enum CountryPolicy: String, Sendable, CaseIterable {
    /// As `connection`; as `none` when the source stores no address. This is the default.
    case auto
    /// From the address in the event; without one, from that of the connection.
    case connection
    /// Only from the address in the event. For events of servers: their connections say nothing about users.
    case sent
    /// Adds no country.
    case none

    package init(_ json: JSON) throws(Refusal) {
        guard let policy = json.stringValue.flatMap(CountryPolicy.init(rawValue:)) else {
            let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("country is one of \(names)")
        }
        self = policy
    }

    /// What the policy means for a source with this treatment of addresses; never `auto`.
    package func resolved(_ address: AddressPolicy) -> CountryPolicy {
        guard self == .auto else { return self }
        return address == .drop ? .none : .connection
    }
}
