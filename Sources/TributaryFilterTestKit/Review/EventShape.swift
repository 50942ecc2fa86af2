import TributaryJSON

/// The members that the protocol gives an event, to tell a path from a value.
package enum EventShape {
    /// Members that contain others.
    package static let objects: Set<String> = [
        "properties", "traits", "context", "integrations", "options", "_metadata",
    ]
    /// Members that are a text or a number.
    static let values: Set<String> = [
        "type", "event", "name", "category", "userId", "anonymousId", "groupId", "previousId", "messageId", "timestamp",
        "originalTimestamp", "sentAt", "receivedAt", "channel", "version", "writeKey", "projectId",
    ]
    /// Members that are always a text.
    static let texts: Set<String> = ["event", "name", "userId", "anonymousId", "groupId", "messageId", "timestamp"]
    /// The values of `type`.
    package static let types: Set<String> = ["track", "identify", "screen", "page", "group", "alias"]

    private static let members = objects.union(values)

    /// The fault of a path.
    package enum Fault {
        /// No event has such a member: it is a value in the place of a path, or spelt wrong.
        case impossible(String)
        /// The protocol has no such member, but an app can send one.
        case unusual(String)
    }

    /// Looks at a path such as `properties.total`; nil when events can have it.
    package static func fault(of path: String) -> Fault? {
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let root = keys[0]
        if objects.contains(root) {
            return keys.contains("") ? .impossible("\"\(path)\" has an empty key") : nil
        }
        if values.contains(root) {
            if keys.count == 1 || keys.dropFirst() == ["length"] { return nil }
            return .impossible("\(root) has no members, so no event has \"\(path)\"")
        }
        if root.hasPrefix("$") {
            return .impossible("a path begins with a member such as properties, without \"\(root)\"")
        }
        if let member = SimilarName.nearest(to: root, among: members) {
            let right = ([member] + keys.dropFirst()).joined(separator: ".")
            return .impossible("no event has a member \"\(root)\"; did you mean \"\(right)\"?")
        }
        if root.unicodeScalars.contains(where: { $0.properties.isWhitespace }) || root.isEmpty {
            return .impossible("no event has a member \"\(root)\"")
        }
        return .unusual("events have no member \"\(root)\"; a property is \"properties.\(path)\"")
    }
}
