public import Foundation
public import TributaryJSON

/// The identity of the user, as far as the client knows it.
public struct UserInfo: Sendable, Codable, Equatable {
    /// The anonymous id of the installation, until the next reset.
    public var anonymousId: String
    /// The id of the user; nil before the first `identify`.
    public var userId: String?
    /// The traits of the user.
    public var traits: JSON
    /// The referrer as the text for the wire.
    package var referrerText: String?

    private enum CodingKeys: String, CodingKey {
        case anonymousId, userId, traits
        case referrerText = "referrer"
    }

    /// The referrer; nil when it is unknown or not an address.
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
