/// The role and the name of a valid token.
struct Grant: Sendable, Equatable {
    /// The name of the token; nil for the admin token.
    let name: String?
    let role: Role

    /// The grant of the admin token.
    static let all = Grant(name: nil, role: .administer)
}
