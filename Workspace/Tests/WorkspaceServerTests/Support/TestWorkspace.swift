import Foundation
import GRDB
import Logging
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// A real server on a port of the system's choice.
struct TestWorkspace {
    let client: TestClient
    let store: Store

    /// Asks at the start and after each change of the database until there is an answer; the time limit of the suite ends
    /// an endless wait.
    ///
    /// SQLite reports no change of a table WITHOUT ROWID, and none of memory: a condition on these alone may wait forever.
    func until<Answer>(_ answer: () async throws -> Answer?) async throws -> Answer {
        let changes = ValueObservation.tracking(region: .fullDatabase) { _ in }
        for try await _ in changes.values(in: store.pool) {
            if let answer = try await answer() { return answer }
        }
        throw CancellationError()
    }

    /// Reads what is at the path until the condition holds, as ``until(_:)`` does.
    @discardableResult
    func until(_ path: String, _ holds: (JSON) -> Bool) async throws -> JSON {
        try await until {
            let json = try await client.get(path).json
            return holds(json) ? json : nil
        }
    }

    /// Runs a server with the source `WK` while the body runs, and stops it gracefully.
    static func run<Result>(
        in folder: TemporaryFolder? = nil, writeKeys: [String] = ["WK"], environment: WorkspaceEnvironment = .testing,
        journalBytes: Int = 1 << 30, retainDays: Int? = nil, confirmsRetention: Bool = false,
        allowedHosts: [String] = [], trustedProxies: [String] = [], publicURL: String? = nil,
        metricsToken: String? = nil, allowsReset: Bool = false, scans: Scans? = nil, program: String? = nil,
        noticeURL: String? = nil, openID: OpenIDConfiguration? = nil, filesFolder: String? = nil,
        countryDatabase: String? = nil, isForwarding: Bool = true, heldSettings: Int? = nil,
        rolloutPause: Duration = Limits.rolloutPause, deletionPause: Duration = Limits.deletionPause,
        replayPause: Duration = Limits.replayPause, alertPause: Duration = Limits.alertPause,
        _ body: (TestWorkspace) async throws -> Result
    ) async throws -> Result {
        let folder = try folder ?? TemporaryFolder()
        let (addresses, ready) = AsyncStream.makeStream(of: Workspace.Address.self)
        var configuration = WorkspaceConfiguration(dataFolder: folder.path)
        (configuration.port, configuration.writeKeys) = (0, writeKeys)
        configuration.adminToken = TestClient.token
        (configuration.allowedHosts, configuration.trustedProxies) = (allowedHosts, trustedProxies)
        (configuration.publicURL, configuration.metricsToken) = (publicURL, metricsToken)
        configuration.allowsReset = allowsReset
        configuration.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        configuration.environment = environment
        (configuration.journalBytes, configuration.retainDays) = (journalBytes, retainDays)
        configuration.patience = .seconds(60)
        configuration.pulse = .init(statistics: .milliseconds(10), heartbeat: .milliseconds(10))
        configuration.confirmsRetention = confirmsRetention
        configuration.scans = scans
        configuration.program = program
        configuration.noticeURL = noticeURL
        configuration.openID = openID
        configuration.filesFolder = filesFolder
        configuration.countryDatabase = countryDatabase
        configuration.isForwarding = isForwarding
        configuration.heldSettings = heldSettings
        configuration.rolloutPause = rolloutPause
        configuration.deletionPause = deletionPause
        configuration.replayPause = replayPause
        configuration.alertPause = alertPause
        let workspace = try Workspace(configuration) { ready.yield($0) }
        let server = Task {
            defer { ready.finish() }
            try await workspace.run()
        }
        var iterator = addresses.makeAsyncIterator()
        guard let address = await iterator.next() else {
            try await server.value
            throw CancellationError()
        }
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(
                try await body(TestWorkspace(client: TestClient(url: address.url), store: workspace.store)))
        } catch {
            outcome = .failure(error)
        }
        await workspace.stop()
        try await server.value
        return try outcome.get()
    }
}
