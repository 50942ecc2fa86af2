import Foundation
import HTTPTypes
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Searches through events", .timeLimit(.minutes(30))) struct ScansTests {
    private static let events = 3 * Limits.rowsInScanStep

    private func filled(_ client: TestClient) async throws {
        for start in stride(from: 0, to: Self.events, by: 250) {
            try await client.batch((start..<start + 250).map { Events.track(messageId: "m-\($0)") })
        }
        #expect(try await client.get("/api/stats").json["stored"]?.intValue == Self.events)
    }

    /// Searches that rest until they are cancelled, so that a test knows that a search runs.
    private struct Resting: Sendable {
        let scans: Scans
        private let figures: AsyncStream<Scans.Figures>

        init() {
            let (figures, changed) = AsyncStream.makeStream(of: Scans.Figures.self)
            self.figures = figures
            scans = Scans(isIngestBusy: { true }, rest: Self.untilCancelled, changed: { changed.yield($0) })
        }

        private static func untilCancelled() async throws {
            let (never, end) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            withExtendedLifetime(end) {}
            try Task.checkCancellation()
        }

        /// Waits until the figures satisfy the condition; the time limit of the suite ends an endless wait.
        func until(_ isSo: (Scans.Figures) -> Bool) async {
            for await figures in figures where isSo(figures) { return }
        }
    }

    private static let rules =
        #"[{"destinationName":"Mixer","matchers":[{"type":"all"}],"transformers":[[{"type":"drop"}]]}]"#

    @Test(
        "A search ends when its client leaves, and the server goes on",
        arguments: [
            ("GET /api/events?where=properties.none", ""), ("GET /api/export?where=properties.none", ""),
            ("GET /api/breakdown?writeKey=WK&property=properties.total", ""),
            ("POST /api/sources/WK/filters/dry-run", rules),
        ])
    func leaving(_ line: String, body: String) async throws {
        let resting = Resting()
        let scans = resting.scans
        try await TestWorkspace.run(scans: scans) { workspace async throws in
            try await filled(workspace.client)
            let client = try LeavingClient(
                workspace.client.url,
                sending: "\(line) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(TestClient.token)\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            await resting.until { $0.rows > 0 }
            #expect(scans.figures.running == 1)
            client.leave()
            await resting.until { $0.running == 0 }
            #expect(scans.figures.rows == Limits.rowsInScanStep, "no step after the first one")
            #expect(try await workspace.client.get("/api/stats").status == 200)
        }
    }

    @Test("Few searches run at once, some searches wait, and further searches get a 429")
    func turns() async throws {
        let resting = Resting()
        let scans = resting.scans
        let searches = (0..<Limits.scansAtOnce + Limits.waitingScans).map { _ in
            Task { try await scans.take { try await scans.look(at: 1) {} } }
        }
        let full = Scans.Figures(
            running: Limits.scansAtOnce, waiting: Limits.waitingScans, rows: Limits.scansAtOnce)
        await resting.until { $0 == full }
        await #expect {
            try await scans.take {}
        } throws: { ($0 as? Refusal)?.reason == .tooMany }
        // A waiting search leaves its place, and a running search gives its place to the next search.
        searches.last?.cancel()
        await resting.until { $0.waiting == Limits.waitingScans - 1 }
        searches.forEach { $0.cancel() }
        for search in searches { await #expect(throws: CancellationError.self) { try await search.value } }
        #expect(scans.figures.running == 0)
        #expect(scans.figures.waiting == 0)
        #expect(try await scans.take { 7 } == 7)
    }

    @Test("Searches of tokens that may only look leave an administrator a place")
    func roles() async throws {
        let resting = Resting()
        let scans = resting.scans
        let tokens = (0..<30).map { SharedSlots.Holder(token: "t\($0)", role: .look) }
        let searches = tokens.map { holder in
            Task { try await scans.take(for: holder) { try await scans.look(at: 1) {} } }
        }
        // Two run, half of the places to wait are taken, and the rest is refused.
        await resting.until { $0.running == Limits.scansAtOnce - 1 && $0.waiting == Limits.waitingScans / 2 }
        let other = SharedSlots.Holder(token: "other", role: .look)
        await #expect(throws: Refusal.self) { try await scans.take(for: other) {} }
        #expect(try await scans.take { 7 } == 7)
        searches.forEach { $0.cancel() }
        for search in searches { await #expect(throws: (any Error).self) { try await search.value } }
        #expect(scans.figures.running == 0)
    }

    @Test("While requests wait to be stored, a search rests after each step")
    func resting() async throws {
        let (rests, rested) = AsyncStream.makeStream(of: Void.self)
        let scans = Scans(isIngestBusy: { true }, rest: { rested.yield() })
        for _ in 0..<3 { try await scans.look(at: 5) {} }
        rested.finish()
        var count = 0
        for await _ in rests { count += 1 }
        #expect(count == 3)
        #expect(scans.figures.rows == 15)
    }

    @Test("A search reads all requested events")
    func finding() async throws {
        try await TestWorkspace.run { workspace async throws in
            try await filled(workspace.client)
            let found = try await workspace.client.get("/api/events?where=properties.total=42&limit=1000").json
            #expect(found["events"]?.elements?.count == Self.events)
            let none = try await workspace.client.get("/api/events?where=properties.total=43").json
            #expect(none["events"]?.elements?.isEmpty == true)
            #expect(try await workspace.client.get("/api/events?type=alias").json["events"]?.elements?.isEmpty == true)
        }
    }
}
