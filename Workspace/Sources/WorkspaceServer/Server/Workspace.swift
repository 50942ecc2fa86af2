import Foundation
import GRDB
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import TributaryJournal
import UnixSignals
public import WorkspaceCore

/// A server that takes events, keeps them, shows them live, and gives clients their settings and live plugins.
///
/// Make it, then `run()` it. All methods may be called from any thread.
public final class Workspace: Sendable {
    /// The address of a running workspace.
    public struct Address: Sendable, Equatable {
        /// The address as it was configured.
        public let host: String
        /// The port, also when the system chose it.
        public let port: Int
        /// Whether it uses https.
        public let isSecure: Bool
        /// The address on which it listens.
        public var url: String { url(of: host) }

        /// The address under which a browser and the clients of this machine reach it. All addresses of a machine (0.0.0.0,
        /// ::) are none that a browser can open everywhere, so they become one of this machine.
        public var localURL: String {
            // A certificate for development is for `localhost`, not for numbers that listen on all networks.
            url(of: ["0.0.0.0", "::"].contains(host) ? (isSecure ? "localhost" : "127.0.0.1") : host)
        }

        /// The address on a host and a port.
        public init(host: String, port: Int, isSecure: Bool) {
            (self.host, self.port, self.isSecure) = (host, port, isSecure)
        }

        private func url(of host: String) -> String {
            "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        }
    }

    /// The version of this program.
    public static let version = "0.1.0"

    /// The folder of the database.
    public let dataFolder: String
    /// The write keys that are known at the start; one is made when there would be none.
    public let writeKeys: [String]

    /// The admin token, when this start made it. It is stored nowhere: show it to the operator once the workspace
    /// listens. Its digest is stored then, so a workspace that cannot listen makes a new one the next time.
    public let newAdminToken: String?

    /// Whether the admin token of the configuration replaced another one of the data folder, which is not valid any more.
    public let replacedAdminToken: Bool

    private let configuration: WorkspaceConfiguration
    package let store: Store
    package let engine: any WorkspaceEngine
    private let group: ServiceGroup

    /// Opens the data folder and prepares the server.
    ///
    /// - Parameter onReady: called once, when connections are accepted.
    /// - Throws: `WorkspaceError` when the data folder or a write key cannot be used.
    public convenience init(
        _ configuration: WorkspaceConfiguration, onReady: @escaping @Sendable (Address) async -> Void = { _ in }
    ) throws {
        let folder = try DataFolder(path: configuration.dataFolder)
        try folder.protect()
        let store = try Store(
            folder: folder, logger: configuration.logger, makeSourceId: configuration.environment.makeSourceId)
        let journal = try IngestJournal(folder: folder, capacity: configuration.journalBytes)
        try Self.takeUp(journal, store, configuration.logger)
        try Self.ensureSources(store, configuration)
        let token = try Self.ensureAdminToken(store, configuration)
        let engine = try MachineEngine(journal, store, now: configuration.environment.now)
        try self.init(configuration, store, engine, token: token, onReady: onReady)
    }

    /// The admin token at a start.
    package enum StartToken {
        /// The token of the folder.
        case kept
        /// The token of the configuration. It replaces another token of the folder.
        case replaced
        /// A token that this start made. It is not stored yet.
        case made(AdminToken)
    }

    package init(
        _ configuration: WorkspaceConfiguration, _ store: Store, _ engine: any WorkspaceEngine, token: StartToken,
        onReady: @escaping @Sendable (Address) async -> Void
    ) throws {
        self.configuration = configuration
        let newToken: AdminToken? = if case .made(let made) = token { made } else { nil }
        replacedAdminToken = if case .replaced = token { true } else { false }
        (self.store, self.engine) = (store, engine)
        dataFolder = store.folder.path
        writeKeys = try store.sources().map(\.writeKey)
        newAdminToken = newToken?.text
        let application = try Self.application(configuration, store, engine, newToken: newToken?.digest) {
            [store] address in
            if let newToken { Self.keep(newToken, in: store, configuration) }
            await onReady(address)
        }
        var groupConfiguration = ServiceGroupConfiguration(
            services: [application],
            gracefulShutdownSignals: Self.stopSignals(configuration),
            logger: configuration.logger)
        // A listener that reads nothing must not delay the stop without end.
        groupConfiguration.maximumGracefulShutdownDuration = .seconds(10)
        group = ServiceGroup(configuration: groupConfiguration)
    }

    /// Serves until `stop()` is called or a signal comes; requests under way are answered first.
    ///
    /// Call it once.
    /// - Throws: `WorkspaceError` when the address cannot be listened on.
    public func run() async throws {
        let result: Result<Void, any Error>
        do {
            result = .success(try await group.run())
        } catch let error as IOError {
            result = .failure(Self.describe(error, configuration))
        } catch let error as SocketAddressError.UnknownHost {
            configuration.logger.debug("no such host", metadata: ["error": "\(error)"])
            result = .failure(WorkspaceError(.address, "there is no host \(configuration.host)"))
        } catch {
            result = .failure(error)
        }
        await engine.close()
        do {
            try store.close()
        } catch {
            configuration.logger.error("the database did not close", metadata: ["error": "\(error)"])
        }
        try result.get()
    }

    private static func stopSignals(_ configuration: WorkspaceConfiguration) -> [UnixSignal] {
        guard configuration.handlesSignals else { return [] }
        switch configuration.hangUp {
        case .stop: return [.sigterm, .sigint, .sighup]
        case .renew: return [.sigterm, .sigint]
        }
    }

    /// Asks a running workspace to stop; `run()` returns when it has.
    public func stop() async { await group.triggerGracefulShutdown() }

    /// Checks that database and journal belong together before it accepts requests.
    private static func takeUp(_ journal: IngestJournal, _ store: Store, _ logger: Logger) throws {
        let comparison = try JournalComparison(
            journal.journal, try store.pool.read { try JournalRecordings($0, in: store.folder.path) })
        if let foreign = comparison.foreignSource {
            throw WorkspaceError(
                .dataFolder,
                "requests wait in the journal of \(store.folder.path) for a source that workspace.sqlite does not know "
                    + "(\(foreign)): it is the database of another workspace, or an older one. Put the right one back, "
                    + "or let `tributary doctor --repair \(store.folder.path)` take up the source")
        }
        guard !comparison.hasNewer else {
            throw WorkspaceError(
                .dataFolder,
                "a newer version wrote requests that wait in the journal of \(store.folder.path); start that version, "
                    + "which stores them, before you go back to this one")
        }
        if comparison.lost > 0 {
            logger.error(
                "the journal is shorter than it was; requests that were acknowledged are gone",
                metadata: ["requests": "\(comparison.lost)"])
        }
        try journal.journal.reserve(through: comparison.last)
        let place = JournalOffset(epoch: journal.journal.epoch, sequence: comparison.indexed)
        try store.pool.write { db in
            let backlog = try Store.indexed(db) == place ? Store.scriptBacklog(db) : .none
            try Store.setIndexed(place, acknowledged: comparison.last, backlog: backlog, db)
        }
    }

    private static func ensureSources(_ store: Store, _ configuration: WorkspaceConfiguration) throws {
        var keys = configuration.writeKeys
        if let bad = keys.first(where: { !WriteKey.isValid($0) }) {
            throw WorkspaceError(.writeKey, "\"\(bad)\" is no write key: \(WriteKey.rule)")
        }
        if keys.isEmpty, try store.sources().isEmpty { keys = [configuration.environment.makeWriteKey()] }
        try store.ensureSources(writeKeys: keys, now: configuration.environment.now())
    }

    /// Stores the token that was chosen, or makes one when there is none yet.
    private static func ensureAdminToken(
        _ store: Store, _ configuration: WorkspaceConfiguration
    ) throws -> StartToken {
        let stored = try store.adminToken()
        if let chosen = configuration.adminToken {
            let digest = try AdminToken(chosen: chosen).digest
            guard digest != stored else { return .kept }
            try store.setAdminToken(digest, now: configuration.environment.now())
            return stored == nil ? .kept : .replaced
        }
        return stored == nil ? .made(AdminToken(random: configuration.environment.makeSecret())) : .kept
    }

    /// A token that cannot be stored is valid until the workspace ends.
    private static func keep(_ token: AdminToken, in store: Store, _ configuration: WorkspaceConfiguration) {
        do {
            try store.setAdminToken(token.digest, now: configuration.environment.now())
        } catch {
            configuration.logger.error("the admin token cannot be stored", metadata: ["error": "\(error)"])
        }
    }

    /// Replaces the admin token of a workspace that is not running. The old token is not valid any more.
    /// - Throws: `WorkspaceError`, also when a workspace has the folder open.
    public static func resetAdminToken(
        dataFolder: String, environment: WorkspaceEnvironment = .system
    ) throws -> String {
        let store = try Store(folder: DataFolder(path: dataFolder))
        let token = AdminToken(random: environment.makeSecret())
        let result = Result { try store.setAdminToken(token.digest, now: environment.now()) }
        try store.close()
        try result.get()
        return token.text
    }

    private static func describe(_ error: IOError, _ configuration: WorkspaceConfiguration) -> WorkspaceError {
        if error.errnoCode == EADDRINUSE {
            return WorkspaceError(.portInUse, "port \(configuration.port) on \(configuration.host) is in use")
        }
        let reason = String(cString: strerror(error.errnoCode))
        return WorkspaceError(
            .address, "cannot listen on \(configuration.host), port \(configuration.port): \(reason)")
    }
}
