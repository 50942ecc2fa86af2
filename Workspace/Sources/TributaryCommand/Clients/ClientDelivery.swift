import TributaryJSON
import WorkspaceCore

/// The knowledge of a queue about its server, from the file `delivery.json`.
struct ClientDelivery {
    /// The address of the server.
    let host: String?
    /// Attempts without success in a row.
    let failures: Int
    /// When the first of them failed, and until when the client waits; milliseconds since 1970.
    let failingSince: Int64?
    let pausedUntil: Int64?

    init(_ file: JSONObject) {
        host = file["host"]?.stringValue
        failures = max(0, file["failures"]?.intValue ?? 0)
        failingSince = file["failingSince"]?.intValue.flatMap { ClientTime.plausible(Int64($0)) }
        let seconds = min(max(0, file["pause"]?.doubleValue ?? 0), Double(1 << 40))
        pausedUntil = file["pausedAt"]?.intValue.flatMap { ClientTime.plausible(Int64($0)) }
            .flatMap { ClientTime.plausible($0 + Int64(seconds * 1000)) }
    }

    var json: JSON {
        [
            "host": .string(host), "failures": .number(failures), "failingSince": .time(failingSince),
            "pausedUntil": .time(pausedUntil),
        ]
    }
}
