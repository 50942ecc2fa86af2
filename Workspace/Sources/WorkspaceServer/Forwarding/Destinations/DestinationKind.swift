import AsyncHTTPClient
import HTTPTypes
import Logging
import TributaryJSON

/// The kinds of destinations that the server can forward to. Another one is a case here and a `DestinationConnection`.
enum DestinationKind: String, Sendable, CaseIterable {
    case webhook
    /// Compressed files on a disk of the server.
    case files

    /// - Returns: the settings as they are stored and shown, with the defaults filled in.
    /// - Throws: `APIError` that names what is wrong with them.
    func checked(_ settings: JSONObject) throws(APIError) -> JSONObject {
        switch self {
        case .webhook: return try WebhookSettings(settings).json
        case .files:
            guard settings.isEmpty else { throw .badRequest("a destination of the kind files has no settings") }
            return settings
        }
    }

    /// - Parameters:
    ///   - writeKey: that of the source.
    ///   - folder: the folder of all files; nil when this server writes none.
    func connection(
        to destination: Destination, of writeKey: String, over client: HTTPClient, folder: String?,
        now: @escaping @Sendable () -> Int64, logger: Logger
    ) throws(APIError) -> any DestinationConnection {
        switch self {
        case .webhook:
            return WebhookConnection.to(
                try WebhookSettings(destination.settings), secrets: destination.secrets, client: client, now: now)
        case .files:
            guard let folder else { throw Self.withoutFolder }
            let files = HourFiles(folder: "\(folder)/\(writeKey)/\(destination.name)", now: now)
            return FileConnection(files: files, logger: logger)
        }
    }

    /// Why a server without a folder refuses destinations of the kind files.
    static let withoutFolder = APIError(
        .conflict, "this server writes no files; start it with serve --files-folder FOLDER")
}
