import TributaryJSON

/// Who the user was to another library.
struct LegacySDKUser: Equatable {
    var anonymousId: String?
    var userId: String?
    var traits: JSONObject = [:]

    var isEmpty: Bool { anonymousId == nil && userId == nil && traits.isEmpty }

    /// An id as it may stand on the wire; anything else is as good as none.
    static func id(_ text: String?) -> String? {
        text.flatMap { $0.isEmpty || $0.utf8.count > Limits.migratedIdBytes ? nil : $0 }
    }
}
