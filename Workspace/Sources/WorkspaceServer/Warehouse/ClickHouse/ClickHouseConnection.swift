import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import TributaryJSON
import WorkspaceCore

/// Sends statements to a ClickHouse server over HTTP. May be used from any task.
struct ClickHouseConnection: Sendable {
    let place: ClickHousePlace
    private let client: HTTPClient

    init(_ place: ClickHousePlace, client: HTTPClient) { (self.place, self.client) = (place, client) }

    /// The answer of a query, as lists of texts; nil is NULL.
    func rows(_ sql: String) async throws -> [[String?]] {
        let answer = try await send([:], ByteBuffer(string: sql + " FORMAT JSONCompactEachRow"))
        let bytes = answer.readableBytesView
        do {
            return try bytes.split(separator: UInt8(ascii: "\n")).map { line in
                try JSON.parse(Array(line)).elements?.map { $0.isNull ? nil : $0.stringValue ?? "\($0)" } ?? []
            }
        } catch {
            throw ClickHouseFailure("the database gives an answer that cannot be read: \(error)")
        }
    }

    /// The version, in a format that also servers know that are too old.
    func version() async throws -> String {
        let answer = try await send([:], ByteBuffer(string: "SELECT version() FORMAT TabSeparated"))
        return String(String(buffer: answer).prefix { $0.isNumber || $0 == "." })
    }

    /// Runs a statement without rows.
    func run(_ sql: String, _ settings: [String: String] = [:]) async throws {
        _ = try await send(settings, ByteBuffer(string: sql))
    }

    /// Inserts rows. When this returns, they are on the disk of the server.
    /// - Parameters:
    ///   - id: that of the statement, by which the server shows whether it runs.
    ///   - version: that of the server.
    func insert(_ sql: String, _ rows: [UInt8], id: String, version: ClickHouseVersion) async throws {
        var body = ByteBuffer(string: sql + "\n")
        body.writeBytes(rows)
        // A repeated block is no mistake: its rows may have been deleted meanwhile. `ClickHouseWarehouse` looks for rows by id.
        var settings = ["insert_deduplicate": "0", "async_insert": "0", "max_partitions_per_insert_block": "0"]
        if version >= .withOneSettingForRepeats { settings["deduplicate_insert"] = "disable" }
        settings["query_id"] = id
        _ = try await send(settings, body)
    }

    private func send(_ settings: [String: String], _ body: ByteBuffer) async throws -> ByteBuffer {
        // An answer that fails in its middle is then an answer with a status of failure.
        var settings = settings
        settings["wait_end_of_query"] = "1"
        settings["max_query_size"] = "\(Limits.warehouseStatement)"
        let query = settings.sorted { $0.key < $1.key }.map { "\($0)=\(ClickHouseText.escaped($1))" }
        var request = place.address.with(target: "/?" + query.joined(separator: "&")).request(.POST)
        request.headers = [
            "User-Agent": "Tributary", "X-ClickHouse-User": place.user, "X-ClickHouse-Key": place.password,
        ]
        request.body = .bytes(body)
        let (status, text) = try await answer(to: request)
        guard status == .ok else {
            throw ClickHouseFailure(status: Int(status.code), answer: String(buffer: text))
        }
        return text
    }

    private func answer(to request: HTTPClientRequest) async throws -> (HTTPResponseStatus, ByteBuffer) {
        do {
            let response = try await client.execute(request, timeout: .seconds(place.seconds + 5))
            return (response.status, try await response.body.collect(upTo: Limits.warehouseAnswer))
        } catch is CancellationError {
            throw ClickHouseFailure("the server stops")
        } catch {
            throw ClickHouseFailure("no answer from \(place.address.origin): \(ErrorReason.text(error))")
        }
    }
}

/// The version of a server, as far as it matters.
struct ClickHouseVersion: Comparable, CustomStringConvertible {
    let year: Int
    let month: Int

    init(_ year: Int, _ month: Int) { (self.year, self.month) = (year, month) }

    /// - Parameter text: `26.5.1.1`; nil for another text.
    init?(_ text: String) {
        let numbers = text.split(separator: ".").prefix(2).compactMap { Int($0) }
        guard numbers.count == 2 else { return nil }
        self.init(numbers[0], numbers[1])
    }

    /// The oldest one with all types, functions and settings that a warehouse uses.
    static let oldest = ClickHouseVersion(22, 8)
    /// From here on a setting `deduplicate_insert` overrides `insert_deduplicate`.
    static let withOneSettingForRepeats = ClickHouseVersion(26, 2)

    static func < (left: ClickHouseVersion, right: ClickHouseVersion) -> Bool {
        (left.year, left.month) < (right.year, right.month)
    }

    var description: String { "\(year).\(month)" }
}
