import Foundation
import Hummingbird
import TributaryJSON

/// Checks a bundle and shows what it does to stored events, before it is deployed.
struct PluginTrialRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    let readYourWrites: ReadYourWrites
    let trials: PluginTrials
    /// One at a time, because each keeps a core busy. The page checks a text while somebody types, so some may wait.
    private let turn = SingleRun("trial of live plugins", places: 8)

    init(sources: SourceRegistry, store: Store, readYourWrites: ReadYourWrites, trials: PluginTrials) {
        self.sources = sources
        self.store = store
        self.readYourWrites = readYourWrites
        self.trials = trials
    }

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.post("api/sources/:writeKey/live-plugins/try") { request, context in
            let writeKey = try context.pathParameter("writeKey")
            _ = try await sources.known(writeKey)
            let last = try QueryReader(request).triedEvents()
            let source = try await Self.source(request)
            if last > 0 { await readYourWrites.wait() }
            return try await turn.take {
                let trial = PluginTrialRequest(source: source, events: try await newest(last, of: writeKey))
                return try await request.whileClientStays { Response.json(try await trials.run(trial)) }
            }
        }
    }

    private static func source(_ request: Request) async throws -> String {
        let buffer = try await AdministrationBody.bytes(request, limit: Limits.bundleBytes)
        guard let text = String(validating: buffer.readableBytesView, as: UTF8.self) else {
            throw APIError.badRequest("the bundle is not UTF-8 text")
        }
        return text
    }

    /// The newest events of a source, oldest first, as a device would see them.
    private func newest(_ count: Int, of writeKey: String) async throws -> [JSON] {
        var events: [JSON] = []
        guard count > 0 else { return events }
        var bytes = 0
        try await store.forEachEvents(writeKey: writeKey, newest: count) { rows in
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

extension QueryReader {
    /// The number of the newest events on which a bundle is tried; 0 only checks the bundle.
    fileprivate func triedEvents() throws(APIError) -> Int {
        guard let text = text("last") else { return Limits.trialEvents }
        guard let last = Int(text), (0...Limits.trialMostEvents).contains(last) else {
            throw .badRequest("last is a number from 0 to \(Limits.trialMostEvents)")
        }
        return last
    }
}
