/// The user or the device to trace. A device is traced before its user has an id.
package enum TraceSubject: Hashable, Sendable {
    case user(String)
    case anonymous(String)

    package static func == (left: TraceSubject, right: TraceSubject) -> Bool {
        left.member == right.member && left.id.isSameText(as: right.id)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(member)
        hasher.combine(ExactText(id))
    }

    /// The member of events that holds the id.
    package var member: String {
        switch self {
        case .user: "userId"
        case .anonymous: "anonymousId"
        }
    }

    package var id: String {
        switch self {
        case .user(let id), .anonymous(let id): id
        }
    }

    /// - Throws: when there is no id, or two, or one that no event has.
    package init(userId: String?, anonymousId: String?) throws(Refusal) {
        switch (userId, anonymousId) {
        case (let id?, nil): self = .user(id)
        case (nil, let id?): self = .anonymous(id)
        default: throw .invalid("tracing is for a userId or for an anonymousId")
        }
        guard (1...Limits.identifierLength).contains(id.utf8.count) else {
            throw .invalid("an id has 1 to \(Limits.identifierLength) bytes")
        }
    }
}
