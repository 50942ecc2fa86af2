package import Foundation

/// A user to erase.
package struct Person: Sendable {
    package let userId: String
    /// The anonymous ids of the person before the login, as far as events contain them.
    package var anonymousIds: Set<Data> = []

    package init(userId: String, anonymousIds: Set<Data> = []) {
        (self.userId, self.anonymousIds) = (userId, anonymousIds)
    }

    /// Bytes of the id.
    package var bytes: Data { Data(userId.utf8) }

    /// Whether a body is about the person: a member that names users does so, at any depth.
    func isSubject(of body: [UInt8]) -> Bool {
        do {
            return try ScannedBody.of(body).ids.contains { $0.isSameText(as: userId) }
        } catch {
            // When the member is not known, each occurrence counts.
            return Data(body).range(of: bytes) != nil
        }
    }

    /// Whether a signal or an event without a user came from the person's device.
    func isAnonymous(_ anonymousId: Data?) -> Bool { anonymousId.map(anonymousIds.contains) ?? false }
}
