import TributaryJSON
import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// Makes and compares streams of any kind.
enum JetStream {
    /// Settings in which an existing stream may differ. An operator may give it another size. A stream of an older
    /// version may refuse purges, and that cannot be changed.
    private static let free = ["max_bytes", "deny_purge"]

    /// Makes a stream when it is missing, and compares an existing stream with the wanted settings.
    static func make(_ wanted: JSONObject, on connection: NATSConnection) async throws {
        let name = wanted["name"]?.stringValue ?? ""
        let end = ContinuousClock.now + .seconds(30)
        while true {
            do {
                let found = try await found(name, on: connection)
                guard let found else {
                    let request = JSON.object(wanted).encoded()
                    _ = try await connection.ask(
                        "$JS.API.STREAM.CREATE.\(name)", request, within: .seconds(10)
                    ).result()
                    continue
                }
                for (key, value) in wanted where !free.contains(key) && found[key] != value {
                    throw LogError.broken(
                        "the stream \(name) has \(key) = \(found[key]?.description ?? "nothing"), and needs \(value)")
                }
                return
            } catch let error as JetStreamFailure where error.isPassing || error.code == JetStreamFailure.nameInUse {
                guard ContinuousClock.now < end else { throw LogError.unavailable("\(error)") }
            } catch LogError.unavailable(let reason) {
                guard ContinuousClock.now < end else { throw LogError.unavailable(reason) }
            } catch let error as JetStreamFailure {
                throw LogError.refused("the stream \(name): \(error)")
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    /// The settings of a stream; nil when there is none.
    private static func found(_ name: String, on connection: NATSConnection) async throws -> JSON? {
        do {
            return try await connection.ask("$JS.API.STREAM.INFO.\(name)").result()["config"]
        } catch let error as JetStreamFailure where error.code == JetStreamFailure.noStream {
            return nil
        }
    }

    static func number(_ json: JSON?) -> UInt64? { json?.numberValue.flatMap { UInt64($0.description) } }
}
