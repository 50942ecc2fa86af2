import Foundation
import TributaryJSON

/// A user whose rows are to be erased.
struct Person: Sendable {
    let userId: String
    /// The anonymous ids of the person before the login, as far as events contain them.
    var anonymousIds: Set<Data> = []

    /// Bytes of the id, for a first look at many bodies. It may be spelled with escapes, which have a backslash.
    var bytes: Data { Data(userId.utf8) }

    /// Whether a body is about the person: a member that names users contains the id, at any depth.
    ///
    /// An equal text elsewhere does not count: it may be a colour, and the event another user's.
    func isSubject(of body: [UInt8]) -> Bool {
        // In a text that cannot be parsed, each place counts.
        guard let json = try? JSON.parse(body) else { return Data(body).range(of: bytes) != nil }
        return names(json, under: nil)
    }

    /// Whether a signal or an event without a user came from the person's device.
    func isAnonymous(_ anonymousId: Data?) -> Bool { anonymousId.map(anonymousIds.contains) ?? false }

    private func names(_ json: JSON, under key: String?) -> Bool {
        switch json {
        case .string(let text): key.map(Self.keys.contains) == true && text.isSameText(as: userId)
        case .number(let number): key.map(Self.keys.contains) == true && number.description == userId
        case .array(let elements): elements.contains { names($0, under: key) }
        case .object(let object):
            object.contains { member in
                let isTraitsId = member.key == "id" && key == "traits"
                return names(member.value, under: isTraitsId ? "userId" : member.key)
            }
        default: false
        }
    }

    private static let keys: Set<String> = ["userId", "previousId", "user_id"]
}
