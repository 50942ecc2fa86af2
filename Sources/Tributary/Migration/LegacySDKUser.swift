import TributaryJSON

/// The user as another library knows them.
struct LegacySDKUser: Equatable {
    var anonymousId: String?
    var userId: String?
    var traits: JSONObject = [:]

    var isEmpty: Bool { anonymousId == nil && userId == nil && traits.isEmpty }

    /// An id that may go on the wire; nil for any other text.
    static func id(_ text: String?) -> String? {
        text.flatMap { $0.isEmpty || $0.utf8.count > Limits.migratedIdBytes ? nil : $0 }
    }
}
