import Foundation
import ProgramSupport
import TributaryJSON

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Speaks HTTP to a workspace, about one source.
struct WorkspaceClient: Sendable {
    /// Rows asked for at once; the workspace gives no more.
    private static let pageRows = 1000
    /// How often a page is asked for until all acknowledged events are stored: for a minute.
    private static let mostWaits = 30
    /// Settings are right when so many answers in a row have them, of at most so many.
    private static let equalAnswers = 12
    private static let mostLooks = 600

    /// Address without a slash at the end.
    let server: String
    let writeKey: String
    private let token: String
    private let session: URLSession

    init(server: String, writeKey: String, token: String) {
        (self.server, self.token, self.writeKey) = (server, token, writeKey)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
    }

    /// Makes the source.
    func makeSource() async throws(DemoError) { _ = try await send("PUT", "/api/sources/\(writeKey)") }

    /// Deploys live plugins and returns their version.
    /// - Parameter query: the plan of a roll-out.
    func deployPlugins(_ source: Data, query: String = "") async throws(DemoError) -> Int {
        let answer = try await send("PUT", "/api/sources/\(writeKey)/live-plugins?\(query)", body: source)
        guard let version = answer["version"]?.intValue else { throw unexpected(answer) }
        return version
    }

    /// The newest roll-out.
    func rollout() async throws(DemoError) -> JSON {
        let answer = try await send("GET", "/api/sources/\(writeKey)/live-plugins/rollout")
        guard let rollout = answer["rollout"] else { throw unexpected(answer) }
        return rollout
    }

    /// The devices' reports about a version.
    func health(ofVersion version: Int) async throws(DemoError) -> JSON {
        let answer = try await send("GET", "/api/live-plugins/health?writeKey=\(writeKey)")
        return answer["versions"]?.elements?.first { $0["version"]?.stringValue == "\(version)" } ?? [:]
    }

    /// Makes a destination.
    func putDestination(_ name: String, _ destination: JSON) async throws(DemoError) {
        let body = Data(destination.encoded())
        _ = try await send("PUT", "/api/sources/\(writeKey)/destinations/\(name)", body: body)
    }

    /// Why a destination gets nothing at present; nil when all is well.
    func trouble(ofDestination name: String) async throws(DemoError) -> String? {
        try await send("GET", "/api/sources/\(writeKey)/destinations/\(name)")["reason"]?.stringValue
    }

    /// Sends events as a client does.
    func sendBatch(_ events: [JSON]) async throws(DemoError) {
        let body: JSON = ["batch": .array(events), "writeKey": .string(writeKey)]
        _ = try await send("POST", "/v1/batch", body: Data(body.encoded()))
    }

    /// Replaces the destination filters.
    func deployFilters(_ rules: Data) async throws(DemoError) {
        _ = try await send("PUT", "/api/sources/\(writeKey)/filters", body: rules)
    }

    /// Waits until every node of a cluster gives devices the filters and that version of the live plugins. Nodes follow a
    /// change within a second, or later on a busy machine; a load balancer asks one after the other.
    func waitForSettings(pluginVersion: Int) async throws(DemoError) {
        var answers = 0
        for _ in 0..<Self.mostLooks {
            let settings = try await send("GET", "/v1/projects/\(writeKey)/settings")
            let isNew =
                settings["edgeFunction"]?["version"]?.intValue == pluginVersion
                && settings["middlewareSettings"]?["routingRules"]?.elements?.isEmpty == false
            answers = isNew ? answers + 1 : 0
            if answers == Self.equalAnswers { return }
            // A cancelled pause ends with the next request.
            if !isNew { try? await Task.sleep(for: .milliseconds(100)) }
        }
        throw DemoError("devices do not get what was deployed")
    }

    /// The figures of the source.
    func statistics() async throws(DemoError) -> Statistics {
        let answer = try await send("GET", "/api/stats?writeKey=\(writeKey)")
        guard let statistics = Statistics(answer) else { throw unexpected(answer) }
        return statistics
    }

    /// How many acknowledged requests the workspace has not stored yet.
    func waitingRequests() async throws(DemoError) -> Int {
        let answer = try await send("GET", "/api/server")
        guard let waiting = answer["waitingRequests"]?.intValue else { throw unexpected(answer) }
        return waiting
    }

    /// Visits all stored events, oldest first.
    func visitEvents(_ visit: (JSON) -> Void) async throws(DemoError) { try await visitRows("events", visit) }

    /// Visits all signals, oldest first.
    func visitSignals(_ visit: (JSON) -> Void) async throws(DemoError) { try await visitRows("signals", visit) }

    /// Visits the traces of all events that were dropped on the device, oldest first.
    func visitDrops(_ visit: (JSON) -> Void) async throws(DemoError) { try await visitRows("drops", visit) }

    private func visitRows(_ list: String, _ visit: (JSON) -> Void) async throws(DemoError) {
        var after = 0
        while true {
            let answer = try await page(of: list, after: after)
            guard let rows = answer[list]?.elements else { throw unexpected(answer) }
            rows.forEach(visit)
            guard let next = answer["next"]?.intValue, next > after else { return }
            after = next
        }
    }

    /// The next rows of a list, when everything that was acknowledged before is stored.
    ///
    /// An answer waits two seconds for that, and then says how many requests are left. On a busy machine, some are.
    private func page(of list: String, after: Int) async throws(DemoError) -> JSON {
        let path = "/api/\(list)?order=asc&limit=\(Self.pageRows)&after=\(after)&writeKey=\(writeKey)"
        var answer = try await send("GET", path)
        for _ in 0..<Self.mostWaits where answer["waitingRequests"]?.intValue ?? 0 > 0 {
            answer = try await send("GET", path)
        }
        return answer
    }

    private func send(_ method: String, _ path: String, body: Data? = nil) async throws(DemoError) -> JSON {
        guard let url = URL(string: server + path) else { throw DemoError("\(server) is not an address") }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        let data: Data
        let status: Int
        do {
            let (bytes, response) = try await session.answer(to: request)
            data = bytes
            status = (response as? HTTPURLResponse)?.statusCode ?? 0
        } catch {
            throw DemoError("the workspace gave no answer to \(method) \(path): \(error.localizedDescription)")
        }
        let answer = try? JSON.parse([UInt8](data), limits: JSONLimits(bytes: 1 << 28))
        guard (200...201).contains(status), let answer else {
            let reason = answer?["error"]?.stringValue ?? String(decoding: data.prefix(200), as: UTF8.self)
            throw DemoError("the workspace answered \(status) to \(method) \(path): \(reason)")
        }
        return answer
    }

    private func unexpected(_ answer: JSON) -> DemoError {
        DemoError("the workspace's answer is not understood: \(answer.description.prefix(200))")
    }
}
