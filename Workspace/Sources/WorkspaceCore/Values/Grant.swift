/// The role and the name of a valid token.
package struct Grant: Sendable, Equatable {
    /// The name of the token; nil for the admin token.
    package let name: String?
    package let role: Role

    package init(name: String?, role: Role) { (self.name, self.role) = (name, role) }

    /// The grant of the admin token.
    package static let all = Grant(name: nil, role: .administer)
}
