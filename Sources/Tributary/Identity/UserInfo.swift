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
}
