import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Tributary

/// A command-line tool often has no run loop, and its main thread works or waits.
@Suite("A client whose main thread is blocked")
struct BlockedMainThreadTests {
    @Test("A client stores and sends while the main thread is blocked, with real sockets and time")
    func sends() async {
        await #expect(processExitsWith: .success) {
            try await MainActor.run {
                let arrived = DispatchSemaphore(value: 0)
                let server = try LoopbackServer { request in
                    if request.contains("Blocked Main Thread") { arrived.signal() }
                    let body = request.hasPrefix("GET") ? #"{"integrations":{"Segment.io":true}}"# : "{}"
                    return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
                        + "Connection: close\r\n\r\n" + body
                }
                let folder = try TemporaryFolder()
                let host = "http://127.0.0.1:\(server.port)/v1"
                let analytics = Analytics(
                    configuration: Configuration(writeKey: "KEY").apiHost(host).cdnHost(host).flushAt(1).gzip(false)
                        .migration(.off).storageMode(.diskAtURL(folder.url)))
                analytics.track(name: "Blocked Main Thread")
                // The main queue serves nobody until the server has the event. The limit only ends a broken client.
                let isThere = arrived.wait(timeout: .now() + 30) == .success
                withExtendedLifetime((server, analytics)) {}
                exit(isThere ? EXIT_SUCCESS : EXIT_FAILURE)
            }
        }
    }
}
