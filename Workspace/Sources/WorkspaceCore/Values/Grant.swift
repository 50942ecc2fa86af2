/// The name and the rights of a valid token, or of a person that a provider knows.
package struct Grant: Sendable, Equatable {
    /// The name of the token or of the person; nil for the admin token.
    package let name: String?
    package let role: Role
    package let sight: Sight
    /// When it ends, in milliseconds since 1970; nil for a token without an end.
    package let endsAt: Int64?
    /// Whether it is that of a person with a login of the provider, and of no token.
    package let isOfPerson: Bool

    package init(name: String?, role: Role, sight: Sight = .all, endsAt: Int64? = nil, isOfPerson: Bool = false) {
        (self.name, self.role, self.sight, self.endsAt) = (name, role, sight, endsAt)
        self.isOfPerson = isOfPerson
    }

    /// The grant of the admin token.
    package static let all = Grant(name: nil, role: .administer)

    package func hasEnded(at now: Int64) -> Bool { endsAt.map { now >= $0 } ?? false }
}
