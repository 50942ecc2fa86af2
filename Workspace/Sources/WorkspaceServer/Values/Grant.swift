/// What a valid token allows, and whose it is.
struct Grant: Sendable, Equatable {
    /// The name of the token; nil for the admin token.
    let name: String?
    let role: Role

    /// The admin token's.
    static let all = Grant(name: nil, role: .administer)
}
