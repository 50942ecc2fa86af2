import TributaryJSON
import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// An answer of a server.
struct NATSMessage: Sendable {
    var headers: [String: String] = [:]
    var bytes: [UInt8] = []

    /// The headers that the program reads.
    static let names = ["Status", "Nats-Sequence"]

    /// The answer of a server that keeps streams.
    /// - Throws: `JetStreamFailure` when it refused, `LogError.unavailable` when no server took the request.
    func result() throws -> JSON {
        guard !bytes.isEmpty, let json = try? JSON.parse(bytes) else {
            throw LogError.unavailable("the answer has the status \(headers["Status"] ?? "none") and no content")
        }
        guard let error = json["error"] else { return json }
        throw JetStreamFailure(
            code: error["err_code"]?.numberValue.map { Int($0.double) } ?? 0,
            status: error["code"]?.numberValue.map { Int($0.double) } ?? 0,
            text: error["description"]?.stringValue ?? "")
    }
}

/// A refusal by a server that keeps streams.
struct JetStreamFailure: Error, CustomStringConvertible {
    /// The number of the failure.
    let code: Int
    /// The kind of the failure, as a status of HTTP.
    let status: Int
    let text: String

    var description: String { "\(text) (\(code))" }

    static let noStream = 10_059
    static let noMessage = 10_037
    static let wrongRevision = [10_071, 10_164]
    static let nameInUse = 10_058
    static let noPurge = 10_110
    /// An earlier attempt with the same id is on its way into the stream.
    static let inProcess = 10_158

    /// Whether the same request may succeed later: no leader, not enough servers, being restarted.
    var isPassing: Bool { status == 503 || status == 500 || code == 10_005 || code == Self.inProcess }
}
