package import Foundation
package import TributaryJSON

/// A link that shows the board, and nothing else, to everyone who has it.
package struct BoardLink: Sendable, Equatable {
    package let name: String
    /// The digest of its token. The token itself is stored nowhere.
    package let digest: Data
    /// Milliseconds since 1970.
    package let createdAt: Int64
    /// From when on it shows nothing; nil for a link that is valid until it is revoked.
    package let endsAt: Int64?
    /// When it was used last, to the hour; nil before its first use.
    package var usedAt: Int64?

    package init(name: String, digest: Data, createdAt: Int64, endsAt: Int64? = nil, usedAt: Int64? = nil) {
        (self.name, self.digest, self.createdAt, self.endsAt, self.usedAt) = (name, digest, createdAt, endsAt, usedAt)
    }

    /// Whether it shows the board at a time.
    package func isValid(at time: Int64) -> Bool { endsAt.map { time < $0 } ?? true }

    /// As the administration shows it.
    package var shown: JSON {
        ["name": .string(name), "createdAt": .time(createdAt), "endsAt": .time(endsAt), "usedAt": .time(usedAt)]
    }
}
