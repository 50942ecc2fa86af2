/// Someone who can be identified, as far as the shop knows them.
struct Customer: Sendable, Equatable {
    let id: String
    let name: String
    let email: String
    /// The day on which the account was opened, `2026-11-21`.
    let since: String?
    let newsletter: Bool?
}
