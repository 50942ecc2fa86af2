/// The rights of a token of the administration. Each role includes the roles before it.
///
/// The description of the HTTP API defines which role each route needs.
package enum Role: String, Sendable, Comparable, CaseIterable {
    /// Reads events, settings, lists and figures.
    case look
    /// Deploys live plugins and filters.
    case deploy
    /// Everything: sources, keys, destinations, erasure, tokens.
    case administer

    package static func < (one: Role, other: Role) -> Bool {
        (allCases.firstIndex(of: one) ?? 0) < (allCases.firstIndex(of: other) ?? 0)
    }
}
