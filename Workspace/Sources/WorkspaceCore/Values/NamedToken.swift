package import Foundation
package import TributaryJSON

/// A token of the administration besides the admin token. Only its digest is stored.
package struct NamedToken: Sendable, Equatable {
    package let name: String
    package let role: Role
    package let digest: Data
    /// Milliseconds since 1970.
    package let createdAt: Int64
    /// When it was used last, to the hour; nil before its first use.
    package var usedAt: Int64?

    package init(name: String, role: Role, digest: Data, createdAt: Int64, usedAt: Int64? = nil) {
        (self.name, self.role, self.digest, self.createdAt, self.usedAt) = (name, role, digest, createdAt, usedAt)
    }

    package var grant: Grant { Grant(name: name, role: role) }

    /// The token as the administration shows it.
    package var summary: JSON {
        ["name": .string(name), "role": .string(role.rawValue), "createdAt": .time(createdAt), "usedAt": .time(usedAt)]
    }
}
