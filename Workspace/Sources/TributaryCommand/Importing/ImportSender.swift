import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import ProgramSupport
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Sends batches to the endpoint that every client uses.
struct ImportSender {
    /// Attempts for one batch; with growing pauses they take some minutes.
    private static let attempts = 20
    /// The longest pause that a server may ask for, in milliseconds.
    private static let longestToldPause: Int64 = 60_000

    private let address: ServiceAddress
    private let connection: Connection

    init(server: String, writeKey: String, authority: String?) throws(Failure) {
        let server = try Connection.address(server)
        let path = server.target.prefix { $0 != "?" }
        address = server.with(target: String(path) + (path.hasSuffix("/") ? "" : "/") + "v1/batch")
        connection = try Connection(authority: authority)
    }

    /// Returns when the workspace has stored the batch, or at least has it on its disk.
    /// - Returns: the result for each event; nil when the workspace has not stored them yet.
    func send(_ body: [UInt8]) async throws -> ImportOutcome? {
        var pause = Pause()
        var problem = ""
        for _ in 0..<Self.attempts {
            switch await attempt(body) {
            case .taken(let outcome):
                Waiting.end()
                return outcome
            case .refused(let reason): throw Failure("the workspace refused: \(reason)")
            case .later(let reason, let milliseconds):
                problem = reason
                let next = milliseconds.map { min($0, Self.longestToldPause) }
                let again =
                    next.map { "; it tries again every \(($0 + 999) / 1_000) s, as the workspace asks" }
                    ?? "; it tries again"
                Waiting.obstacle("\(address.origin), which takes no events now: \(reason.printable)\(again)")
                if let milliseconds {
                    try await Task.sleep(for: .milliseconds(min(milliseconds, Self.longestToldPause)))
                } else {
                    try await pause.wait()
                }
            }
        }
        throw Failure("the workspace does not accept events: \(problem)")
    }

    private enum Outcome {
        case taken(ImportOutcome?)
        case refused(String)
        case later(String, milliseconds: Int64?)
    }

    private func attempt(_ body: [UInt8]) async -> Outcome {
        var request = Connection.request("POST", address)
        request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
        request.headers.add(name: "Tributary-Import", value: "true")
        request.body = .bytes(ByteBuffer(bytes: body))
        do {
            let (data, response) = try await connection.data(for: request)
            let status = Int(response.status.code)
            // The status decides what is done with the batch.
            let answer = try? JSON.parse([UInt8](data))
            let reason = answer?["error"]?.stringValue ?? "status \(status)"
            switch status {
            case 200: return .taken(answer.flatMap(ImportOutcome.init))
            case 408, 425, 429, 500...599:
                let now = Int64(Date().timeIntervalSince1970 * 1_000)
                let told = response.headers.first(name: "Retry-After")
                return .later(reason, milliseconds: told.flatMap { RetryAfter.milliseconds($0, now: now) })
            default: return .refused(reason)
            }
        } catch {
            return .later("\(error)", milliseconds: nil)
        }
    }
}
