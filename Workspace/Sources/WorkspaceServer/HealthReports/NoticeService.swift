import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import WorkspaceCore

/// Sends messages to operators to the address that they chose, one after the other and in order.
///
/// A message stays in the database until the address has accepted it, for a day at most.
struct NoticeService: Service {
    let store: Store
    let address: ServiceAddress
    let pause: Duration
    /// One node of a cluster sends for all.
    var isCoordinator: @Sendable () -> Bool = { true }
    let now: @Sendable () -> Int64
    let logger: Logger

    func run() async throws {
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: Self.configuration)
        await cancelWhenGracefulShutdown {
            var failures = 0
            // Pauses grow up to a minute or so.
            repeat {
                failures = await send(with: client) ? 0 : failures + 1
            } while await (pause * (1 << min(failures, 3))).wait()
        }
        do {
            try await client.shutdown()
        } catch {
            logger.warning("the connection for messages to operators did not close", metadata: ["error": "\(error)"])
        }
    }

    /// Sends all that waits.
    /// - Returns: false when the address did not accept a message.
    private func send(with client: HTTPClient) async -> Bool {
        do {
            while isCoordinator(), let notice = try await store.oldestNotice() {
                let isOld = now() - notice.at > Limits.noticeMilliseconds
                if isOld {
                    logger.error("a message to operators was not accepted for a day and is given up")
                } else {
                    guard try await isAccepted(notice.body, by: client) else { return false }
                }
                try await store.removeNotice(notice.sequence)
            }
            return true
        } catch is CancellationError {
            return true
        } catch {
            // The address may contain a secret.
            logger.warning("a message to operators cannot be sent", metadata: ["error": "\(type(of: error))"])
            return false
        }
    }

    private func isAccepted(_ body: Data, by client: HTTPClient) async throws -> Bool {
        var request = address.request(.POST)
        request.headers = ["Content-Type": "application/json", "User-Agent": "Tributary"]
        request.body = .bytes(ByteBuffer(bytes: body))
        let answer = try await client.execute(request, timeout: .seconds(Limits.noticeTime))
        // A connection with an unread answer cannot be used again.
        _ = try await answer.body.collect(upTo: Limits.destinationAnswer)
        let isAccepted = (200..<300).contains(answer.status.code)
        if !isAccepted {
            logger.warning("a message to operators was refused", metadata: ["status": "\(answer.status.code)"])
        }
        return isAccepted
    }

    private static var configuration: HTTPClient.Configuration {
        HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(10)), decompression: .disabled)
    }
}
