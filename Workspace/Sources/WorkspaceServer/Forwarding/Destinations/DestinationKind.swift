import AsyncHTTPClient
import TributaryJSON

/// The kinds of destinations that the server can forward to. Another one is a case here and a `DestinationConnection`.
enum DestinationKind: String, Sendable, CaseIterable {
    case webhook

    /// - Returns: the settings as they are stored and shown, with the defaults filled in.
    /// - Throws: `APIError` that names what is wrong with them.
    func checked(_ settings: JSONObject) throws(APIError) -> JSONObject {
        switch self {
        case .webhook: try WebhookSettings(settings).json
        }
    }

    func connection(
        to destination: Destination, over client: HTTPClient, now: @escaping @Sendable () -> Int64
    ) throws(APIError) -> any DestinationConnection {
        switch self {
        case .webhook:
            WebhookConnection(
                settings: try WebhookSettings(destination.settings), secrets: destination.secrets, client: client,
                now: now)
        }
    }
}
