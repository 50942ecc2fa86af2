import Foundation
import TestSupport
import Testing

@testable import Tributary

/// A closure in a box must stay as deep as it is. A box that wraps its closure with each read ends the app in the end: the call
/// needs more stack than a thread has.
@Suite("Closures in boxes", .timeLimit(.minutes(30))) struct LockBoxTests {
    private static let reads = 50_000

    /// The depth of the stack in which a closure runs.
    private static let depth: @Sendable () -> Int = { Thread.callStackReturnAddresses.count }

    @Test("A closure that was read from its box many times is called as directly as before")
    func box() {
        let box = LockBox<(@Sendable () -> Int)?>(Self.depth)
        let before = box.current?()
        for _ in 0..<Self.reads { _ = box.current }
        #expect(box.current?() == before)
    }

    @Test("A client that has looked for its settings many times still reports its health")
    func looks() async {
        let server = TestServer()
        server.answerSettings(["integrations": JSON.object([:]), "healthReports": ["sampleRate": 1]])
        let client = Client(server: server, folder: nil)
        await client.processed()
        for _ in 0..<10_000 {
            await withCheckedContinuation { done in client.analytics.refreshSettings { done.resume() } }
        }
        await client.track(60)
        await client.looked(after: 601)
        #expect(server.healthReports.count == 1)
        await client.ended()
    }
}
