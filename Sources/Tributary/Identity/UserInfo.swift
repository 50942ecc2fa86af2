public import TributaryJSON

/// Who the user is, as far as the client knows.
public struct UserInfo: Sendable, Equatable {
    /// Identifies the installation until the next reset.
    public var anonymousId: String
    /// Identifies the user, once identified.
    public var userId: String?
    /// What is known of the user.
    public var traits: JSON
    /// Where the user came from.
    public var referrer: String?

    init(anonymousId: String, userId: String? = nil, traits: JSON = [:], referrer: String? = nil) {
        self.anonymousId = anonymousId
        self.userId = userId
        self.traits = traits
        self.referrer = referrer
    }

    /// The form in which the inbox keeps it.
    var stored: [UInt8] {
        var object: JSONObject = ["anonymousId": .string(anonymousId), "traits": traits]
        if let userId { object["userId"] = .string(userId) }
        if let referrer { object["referrer"] = .string(referrer) }
        return JSON.object(object).encoded()
    }

    init?(stored bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes, limits: JSONLimits(depth: Limits.identityDepth)),
            let anonymousId = json["anonymousId"]?.stringValue
        else { return nil }
        self.init(
            anonymousId: anonymousId, userId: json["userId"]?.stringValue, traits: json["traits"] ?? [:],
            referrer: json["referrer"]?.stringValue)
    }
}
