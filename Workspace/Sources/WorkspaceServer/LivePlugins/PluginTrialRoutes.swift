import Foundation
import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Checks a bundle and shows what it does to stored events or to a session of signals, before it is deployed.
struct PluginTrialRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    let readYourWrites: ReadYourWrites
    let trials: PluginTrials
    let gate: GoldenGate
    let knowledge: PluginKnowledge
    /// One at a time, because each keeps a core busy. The page checks a text while its author types, so some trials may
    /// wait.
    private let turn = SingleRun("trial of live plugins", places: 8)

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.post("api/sources/:writeKey/live-plugins/try") { request, context in
            let writeKey = try context.pathParameter("writeKey")
            let known = try await sources.known(writeKey)
            let query = QueryReader(request)
            let last = try query.triedEvents()
            let matches = try query.eventQuery(matching: [.type, .name]).matches
            let source = try await Self.source(request)
            await readYourWrites.wait()
            return try await turn.take {
                let events = try await newest(last, of: writeKey, matching: matches)
                let trial = PluginTrialRequest(
                    source: source, sample: .events(events), known: try await knowledge.knowledge(of: writeKey),
                    apps: try await knowledge.apps(of: known))
                return try await request.whileClientStays { Response.json(try await trials.run(trial)) }
            }
        }
        router.post("api/sources/:writeKey/live-plugins/review") { request, context in
            let writeKey = try context.pathParameter("writeKey")
            _ = try await sources.known(writeKey)
            let sessions = try QueryReader(request).goldenSessions()
            let source = try await Self.source(request)
            await readYourWrites.wait()
            return try await turn.take {
                try await request.whileClientStays {
                    Response.json(try await gate.review(source, of: writeKey, sessions: sessions))
                }
            }
        }
        router.get("api/sources/:writeKey/live-plugins/golden") { request, context in
            let writeKey = try context.pathParameter("writeKey")
            _ = try await sources.known(writeKey)
            let sessions = try QueryReader(request).goldenSessions()
            await readYourWrites.wait()
            return try await turn.take {
                try await request.whileClientStays {
                    Response.text(try await gate.file(of: writeKey, sessions: sessions), type: "application/x-ndjson")
                }
            }
        }
        router.post("api/sources/:writeKey/signals/try") { request, context in
            _ = try await sources.known(try context.pathParameter("writeKey"))
            let buffer = try await AdministrationBody.bytes(request, limit: Limits.trialBytes)
            let trial = try PluginTrialRequest(signalsIn: Array(buffer.readableBytesView))
            return try await turn.take {
                try await request.whileClientStays { Response.json(try await trials.run(trial)) }
            }
        }
    }

    private static func source(_ request: Request) async throws -> String {
        let buffer = try await AdministrationBody.bytes(request, limit: Limits.bundleBytes)
        guard let text = String(validating: buffer.readableBytesView, as: UTF8.self) else {
            throw Refusal.invalid("the bundle is not UTF-8 text")
        }
        return text
    }

    /// The newest events of a source, oldest first, as a device would see them.
    private func newest(
        _ count: Int, of writeKey: String, matching matches: [EventQuery.Match]
    ) async throws -> [JSON] {
        var events: [JSON] = []
        guard count > 0 else { return events }
        var bytes = 0
        try await store.forEachEvents(writeKey: writeKey, newest: count, matching: matches) { rows in
            for row in rows {
                bytes += row.body.count
                guard bytes <= Limits.trialBytes else { return false }
                events.append(try JSON.parse(row.body))
            }
            return true
        }
        return events.reversed()
    }
}

extension PluginTrialRequest {
    /// Reads a request of the form `{"source": text, "signals": [...]}`.
    fileprivate init(signalsIn bytes: [UInt8]) throws(Refusal) {
        let json: JSON
        do {
            json = try JSON.parse(bytes, limits: JSONLimits(depth: Limits.depth, bytes: Limits.trialBytes))
        } catch {
            throw .invalid("the body is not JSON: \(error)")
        }
        guard let source = json["source"]?.stringValue, let signals = json["signals"]?.elements else {
            throw .invalid("the body needs source, a text, and signals, a list")
        }
        guard source.utf8.count <= Limits.bundleBytes else {
            throw Refusal(.tooLarge, "the source has more than \(Limits.bundleBytes) bytes")
        }
        guard signals.count <= Limits.trialMostEvents else {
            throw .invalid("more than \(Limits.trialMostEvents) signals")
        }
        if let wrong = signals.firstIndex(where: { $0["type"]?.stringValue == nil }) {
            throw .invalid("signals[\(wrong)] is no signal: it has no type")
        }
        self.init(source: source, sample: .signals(signals))
    }
}

extension QueryReader {
    /// The number of the newest events on which a bundle is tried; 0 only checks the bundle.
    fileprivate func triedEvents() throws(Refusal) -> Int {
        guard let text = text("last") else { return Limits.trialEvents }
        guard let last = Int(text), (0...Limits.trialMostEvents).contains(last) else {
            throw .invalid("last is a number from 0 to \(Limits.trialMostEvents)")
        }
        return last
    }

    /// The number of the newest sessions that are played.
    fileprivate func goldenSessions() throws(Refusal) -> Int {
        guard let text = text("sessions") else { return Limits.goldenSessions }
        guard let sessions = Int(text), (1...Limits.goldenSessions).contains(sessions) else {
            throw .invalid("sessions is a number from 1 to \(Limits.goldenSessions)")
        }
        return sessions
    }
}
