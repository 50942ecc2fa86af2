import TributaryJSON

/// One of the keys that clients of a source may carry.
///
/// Several are valid at a time, so that apps can move from one to the next while both are in the world.
struct SourceKey: Sendable, Equatable {
    let key: String
    /// What the operator calls it.
    let name: String
    let createdAt: Int64
    /// When it stopped to be worth anything; nil while it is valid.
    let revokedAt: Int64?

    var isValid: Bool { revokedAt == nil }

    /// Reads what the database gathers for a source.
    init?(json: JSON) {
        guard let key = json["key"]?.stringValue, let name = json["name"]?.stringValue,
            let createdAt = json["createdAt"]?.intValue
        else { return nil }
        self.key = key
        self.name = name
        self.createdAt = Int64(createdAt)
        revokedAt = json["revokedAt"]?.intValue.map(Int64.init)
    }

    var summary: JSON {
        [
            "key": .string(key),
            "name": .string(name),
            "createdAt": .string(ISO8601.string(milliseconds: createdAt)),
            "revokedAt": revokedAt.map { .string(ISO8601.string(milliseconds: $0)) } ?? .null,
        ]
    }
}
