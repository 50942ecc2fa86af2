package import Crypto
package import Foundation

/// The users and devices of which nothing is stored, or nothing of the time before they were erased. A pure value.
///
/// It has no ids, only digests with a secret of the workspace.
package struct SuppressionList: Sendable {
    /// The kind of an id.
    package enum Kind: String, Sendable, CaseIterable {
        case user
        /// An anonymous id. It counts for events without a user.
        case device
    }

    package struct Mark: Sendable, Equatable {
        /// Whether nothing is stored, whenever it happened.
        package var isSuppressed = false
        /// Events from before this time were erased, in milliseconds since 1970; 0 when no event was erased.
        package var erasedThrough: Int64 = 0

        package func refuses(_ time: Int64) -> Bool { isSuppressed || erasedThrough > 0 && time <= erasedThrough }
    }

    private let key: SymmetricKey
    private let marks: [Data: Mark]

    /// Refuses nothing.
    package init() { (key, marks) = (SymmetricKey(size: .bits256), [:]) }

    /// - Parameters:
    ///   - secret: that of the workspace.
    ///   - marks: by the digests that `digest` makes with the same secret.
    package init(secret: SymmetricKey, marks: [Data: Mark]) {
        (key, self.marks) = (Self.key(secret), marks)
    }

    package var isEmpty: Bool { marks.isEmpty }

    /// - Returns: nil for a user or device that the list does not have.
    package func mark(_ kind: Kind, _ id: String) -> Mark? { marks[Self.digest(kind, Data(id.utf8), key)] }

    /// The digest that a table has instead of an id.
    package static func digest(_ kind: Kind, _ id: Data, secret: SymmetricKey) -> Data { digest(kind, id, key(secret)) }

    private static func digest(_ kind: Kind, _ id: Data, _ key: SymmetricKey) -> Data {
        var code = HMAC<SHA256>(key: key)
        code.update(data: Data("\(kind.rawValue):".utf8))
        code.update(data: id)
        return Data(code.finalize())
    }

    /// The secret of the workspace makes other digests, too, which must not be comparable with these.
    private static func key(_ secret: SymmetricKey) -> SymmetricKey {
        SymmetricKey(data: Data(HMAC<SHA256>.authenticationCode(for: Data("suppression".utf8), using: secret)))
    }
}
