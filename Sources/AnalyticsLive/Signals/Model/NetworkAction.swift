/// The two parts of an exchange.
public enum NetworkAction: String, Codable, Hashable, Sendable, CaseIterable {
    /// The app sends a request.
    case request
    /// The server answers, or the request fails.
    case response
}
