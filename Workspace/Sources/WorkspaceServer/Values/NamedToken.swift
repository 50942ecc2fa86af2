import Foundation
import TributaryJSON

/// A token of the administration besides the admin token. Only its digest is stored.
struct NamedToken: Sendable, Equatable {
    let name: String
    let role: Role
    let digest: Data
    /// Milliseconds since 1970.
    let createdAt: Int64
    /// When it was used last, to the hour; nil before its first use.
    var usedAt: Int64?

    var grant: Grant { Grant(name: name, role: role) }

    /// What the administration shows of it.
    var summary: JSON {
        [
            "name": .string(name), "role": .string(role.rawValue),
            "createdAt": .string(ISO8601.string(milliseconds: createdAt)),
            "usedAt": usedAt.map { .string(ISO8601.string(milliseconds: $0)) } ?? .null,
        ]
    }
}
