public import Foundation
public import TributaryJSON

/// Who the user is, as far as the client knows.
public struct UserInfo: Sendable, Codable, Equatable {
    /// Identifies the installation until the next reset.
    public var anonymousId: String
    /// Identifies the user, once identified.
    public var userId: String?
    /// What is known of the user.
    public var traits: JSON
    /// Where the user came from, as it goes on the wire.
    package var referrerText: String?

    private enum CodingKeys: String, CodingKey {
        case anonymousId, userId, traits
        case referrerText = "referrer"
    }

    /// Where the user came from; nil when that is unknown or no address.
    public var referrer: URL? {
        get { referrerText.flatMap(URL.init(string:)) }
        set { referrerText = newValue?.absoluteString }
    }

    init(anonymousId: String, userId: String? = nil, traits: JSON = [:], referrer: String? = nil) {
        self.anonymousId = anonymousId
        self.userId = userId
        self.traits = traits
        referrerText = referrer
    }
}
