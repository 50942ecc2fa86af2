/// What a token of the administration may do. Each role may also do what the roles before it may.
///
/// The description of the HTTP API says for each route which role it needs.
enum Role: String, Sendable, Comparable, CaseIterable {
    /// Reads events, settings, lists and figures.
    case look
    /// Deploys live plugins and filters.
    case deploy
    /// Everything: sources, keys, destinations, erasure, tokens.
    case administer

    static func < (one: Role, other: Role) -> Bool {
        (allCases.firstIndex(of: one) ?? 0) < (allCases.firstIndex(of: other) ?? 0)
    }
}
