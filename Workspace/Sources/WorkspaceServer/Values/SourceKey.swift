import TributaryJSON

/// A write key of a source.
///
/// Several keys are valid at a time, so an operator can replace a key while older versions of an app still send with
/// it.
struct SourceKey: Sendable, Equatable {
    let key: String
    /// The name that the operator gave it.
    let name: String
    let createdAt: Int64
    /// When it was revoked; nil while it is valid.
    let revokedAt: Int64?

    var isValid: Bool { revokedAt == nil }

    /// Parses the JSON that the query of a source builds.
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
