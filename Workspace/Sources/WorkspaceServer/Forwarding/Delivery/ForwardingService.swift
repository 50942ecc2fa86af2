import AsyncHTTPClient
import Logging
import NIOCore
import ServiceLifecycle
import WorkspaceCore

/// Delivers to all destinations while the server runs.
struct ForwardingService: Service {
    let supervisor: ForwardingSupervisor
    let logger: Logger

    func run() async throws {
        // The client is made here and not earlier, because every client that was made has to be shut down.
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: Self.configuration)
        await supervisor.start(with: client)
        // In any case, results are written and connections are closed.
        try? await gracefulShutdown()
        await supervisor.stop()
        do {
            try await client.shutdown()
        } catch {
            logger.warning("connections to destinations did not close", metadata: ["error": "\(error)"])
        }
    }

    /// Only the operator decides on the address of a destination, so redirects are not followed.
    private static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(10)), decompression: .disabled)
        // A refused connection is an answer. `ForwardingMachine` repeats attempts and waits between them.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        return configuration
    }
}
