package import Foundation
package import TributaryJSON

/// A token of the administration besides the admin token. Only its digest is stored.
package struct NamedToken: Sendable, Equatable {
    package let name: String
    package let role: Role
    package let sight: Sight
    package let digest: Data
    /// Milliseconds since 1970.
    package let createdAt: Int64
    /// When it ends; nil for never.
    package let endsAt: Int64?
    /// When it was used last, to the hour; nil before its first use.
    package var usedAt: Int64?

    package init(
        name: String, role: Role, sight: Sight = .all, digest: Data, createdAt: Int64, endsAt: Int64? = nil,
        usedAt: Int64? = nil
    ) {
        (self.name, self.role, self.sight, self.digest) = (name, role, sight, digest)
        (self.createdAt, self.endsAt, self.usedAt) = (createdAt, endsAt, usedAt)
    }

    package var grant: Grant { Grant(name: name, role: role, sight: sight, endsAt: endsAt) }

    /// The token as the administration shows it.
    /// - Parameter writeKeys: the names of the sources, by their numbers. A source that was removed has none.
    package func summary(_ writeKeys: [Int64: String], now: Int64) -> JSON {
        let sources = sight.sources.map { JSON.array($0.compactMap { writeKeys[$0] }.sorted().map(JSON.string)) }
        return [
            "name": .string(name), "role": .string(role.rawValue), "sources": sources ?? .null,
            "personalData": .string(sight.personalData.rawValue), "createdAt": .time(createdAt),
            "endsAt": .time(endsAt), "hasEnded": .bool(grant.hasEnded(at: now)), "usedAt": .time(usedAt),
        ]
    }
}
