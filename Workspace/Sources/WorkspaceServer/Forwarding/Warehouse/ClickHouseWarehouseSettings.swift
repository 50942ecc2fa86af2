import TributaryJSON
import WorkspaceCore

/// The settings of a destination that loads a ClickHouse database.
struct ClickHouseWarehouseSettings: Sendable, Equatable {
    /// The address of the server's HTTP interface, without a path: `https://clickhouse.example.com:8443`.
    let url: ServiceAddress
    let database: String
    let user: String
    /// How long a statement may take.
    let timeoutSeconds: Int64

    private static let kind = "clickhouse"
    private static let members = ["url", "database", "user", "timeoutSeconds"]
    private static let own: Set<String> = ["system", "information_schema"]

    /// - Throws: `Refusal` with the first problem.
    init(_ settings: JSONObject) throws(Refusal) {
        let reader = WarehouseSettingsReader(kind: Self.kind, settings: settings)
        try reader.check(Self.members)
        url = try ServiceAddress.origin("url", try reader.text("url"))
        database = try reader.name("database", otherwise: "tributary")
        user = try Self.header("user", try reader.name("user", otherwise: "default"))
        timeoutSeconds = try reader.number("timeoutSeconds", in: 1...3_600) ?? 60
        guard !Self.own.contains(database.lowercased()) else {
            throw .invalid("the database \(database) belongs to ClickHouse")
        }
    }

    /// The name goes into a header of requests.
    private static func header(_ name: String, _ text: String) throws(Refusal) -> String {
        guard text.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
            throw .invalid("\(name) has visible ASCII characters and no space")
        }
        return text
    }

    /// All settings, with the defaults filled in.
    var json: JSONObject {
        [
            "url": .string(url.description), "database": .string(database), "user": .string(user),
            "timeoutSeconds": .number(timeoutSeconds),
        ]
    }

    /// - Parameter password: empty for a user without one.
    func place(_ key: WarehouseKey, password: [UInt8]) -> ClickHousePlace {
        ClickHousePlace(
            address: url, database: database, user: user, password: String(decoding: password, as: UTF8.self),
            seconds: timeoutSeconds, key: key)
    }
}
