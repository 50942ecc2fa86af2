import AsyncHTTPClient
import Logging
import TributaryJSON
import WorkspaceCore

/// The kinds of destinations that the server can forward to. Another one is a case here and a `DestinationConnection`.
package enum DestinationKind: Sendable, Equatable {
    case webhook
    /// Files on a disk of the server.
    case files
    /// Objects in a store with the interface of S3.
    case s3
    /// Rows of tables in a PostgreSQL database.
    case postgres
    /// Rows of tables in a ClickHouse database.
    case clickhouse
    /// Requests that a script of the operator makes of events.
    case function
    /// A kind that a later version of the server has stored. Its events wait for that version.
    case later(String)

    /// All kinds of this version.
    static let known: [DestinationKind] = [.webhook, .files, .s3, .postgres, .clickhouse, .function]

    /// The name, as it is stored and shown.
    var name: String {
        switch self {
        case .webhook: "webhook"
        case .files: "files"
        case .s3: "s3"
        case .postgres: "postgres"
        case .clickhouse: "clickhouse"
        case .function: "function"
        case .later(let name): name
        }
    }

    /// The kind with a name that is stored.
    init(stored name: String) { self = Self.known(name) ?? .later(name) }

    /// The kind of this version with a name; nil when it has none.
    static func known(_ name: String) -> DestinationKind? { known.first { $0.name == name } }

    /// - Returns: the settings as they are stored and shown, with the defaults filled in.
    /// - Throws: `Refusal` with the first problem.
    func checked(_ settings: JSONObject) throws(Refusal) -> JSONObject {
        switch self {
        case .webhook: return try WebhookSettings(settings).json
        case .files: return try FileSettings(settings).json
        case .s3: return try S3Settings(settings).json
        case .postgres: return try PostgresSettings(settings).json
        case .clickhouse: return try ClickHouseWarehouseSettings(settings).json
        case .function: return try FunctionSettings(settings).json
        case .later(let name): throw Self.refusal(ofLater: name)
        }
    }

    /// Whether it takes single events later than their place in the order.
    var takesLate: Bool { self != .s3 }

    /// Whether the operator brings the secret, or the secrets. The server makes that of other kinds.
    var takesSecret: Bool { [.s3, .postgres, .clickhouse, .function].contains(self) }

    /// - Parameters:
    ///   - writeKey: that of the source.
    ///   - folder: the folder of all files; nil when this server writes none.
    ///   - program: the path of the program `tributary`; nil when this server runs no scripts.
    func delivery(
        to destination: Destination, of writeKey: String, over client: HTTPClient, folder: String?, program: String?,
        now: @escaping @Sendable () -> Int64, logger: Logger
    ) throws(Refusal) -> DestinationDelivery {
        switch self {
        case .webhook:
            return .events(
                WebhookConnection.to(
                    try WebhookSettings(destination.settings), secrets: destination.secrets, client: client, now: now))
        case .files:
            guard let folder else { throw Self.withoutFolder }
            let files = HourFiles(
                folder: "\(folder)/\(writeKey)/\(destination.name)", writeKey: writeKey,
                format: try FileSettings(destination.settings).format, now: now)
            return .events(FileConnection(files: files, logger: logger))
        case .s3:
            return .objects(
                S3Store(
                    settings: try S3Settings(destination.settings), secret: destination.secrets.current,
                    folder: "\(writeKey)/\(destination.name)", client: client, now: now))
        case .postgres:
            let settings = try PostgresSettings(destination.settings)
            let place = settings.place(Self.key(destination, writeKey), password: destination.secrets.current)
            return .tables(PostgresWarehouse(place))
        case .clickhouse:
            let settings = try ClickHouseWarehouseSettings(destination.settings)
            let place = settings.place(Self.key(destination, writeKey), password: destination.secrets.current)
            return .tables(ClickHouseWarehouse(place, client: client))
        case .function:
            guard let program else { throw Self.withoutProgram }
            let process = FunctionWorker.Program(path: program, label: writeKey)
            func connection(_ settings: JSONObject) throws(Refusal) -> any DestinationConnection {
                let settings = try FunctionSettings(settings)
                let worker = FunctionWorker(process, code: settings.code, values: settings.values, logger: logger)
                return FunctionConnection.to(
                    settings, hosts: try settings.hosts,
                    secrets: FunctionSecrets(stored: destination.secrets.current), worker: worker, client: client,
                    now: now)
            }
            let new = try connection(destination.settings)
            guard let split = destination.split else { return .events(new) }
            return .events(StagedConnection(share: split.share, new: new, before: try connection(split.before)))
        case .later(let name): throw Self.refusal(ofLater: name)
        }
    }

    /// The key of the position in a warehouse.
    private static func key(_ destination: Destination, _ writeKey: String) -> WarehouseKey {
        WarehouseKey(source: writeKey, destination: destination.name, madeAt: destination.createdAt)
    }

    private static func refusal(ofLater name: String) -> Refusal {
        Refusal(
            .unsupported,
            "the kind \(name) is not of this version of the server; the events wait for a version that has it")
    }

    /// Why a server that another program started refuses destinations of the kind function.
    static let withoutProgram = Refusal(
        .unsupported, "this server runs no functions: it was not started by the program tributary")

    /// Why a server without a folder refuses destinations of the kind files.
    static let withoutFolder = Refusal(
        .conflict, "this server writes no files; start it with serve --files-folder FOLDER")
}
