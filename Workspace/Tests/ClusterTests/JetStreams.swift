import ClusterTestKit
import Foundation
import Testing

@testable import ClusterNATS

/// Servers of NATS for tests: one group for the whole run, and streams of its own for each test.
enum JetStreams {
    static let isInstalled = ConditionTrait.enabled(
        if: EnginePackages.missingForNATS == nil,
        Comment(rawValue: EnginePackages.missingForNATS ?? "the engines are installed"))

    private static let started = Task { try await NATSEngines() }

    static var engines: NATSEngines { get async throws { try await started.value } }

    static func connection() async throws -> NATSConnection { try connection(to: await engines) }

    static func connection(to engines: NATSEngines) throws -> NATSConnection {
        try NATSConnection(servers: engines.addresses, name: "test")
    }

    /// A name for the streams of one test.
    static func name() -> String { "t" + UUID().uuidString.replacing("-", with: "") }
}
