/// The two halves of an exchange.
public enum NetworkAction: String, Codable, Hashable, Sendable, CaseIterable {
    /// The app asks.
    case request
    /// The server answers, or the request fails.
    case response
}
