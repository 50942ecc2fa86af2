import Foundation
import Synchronization
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Events that are sent together", .timeLimit(.minutes(30))) struct BatchingConnectionTests {
    /// Deliveries that wait until the test answers them.
    private final class Gate: Sendable {
        let batches: AsyncStream<[String]>
        private let began: AsyncStream<[String]>.Continuation
        private let answers: AsyncStream<ForwardingAnswer>
        private let answering: AsyncStream<ForwardingAnswer>.Continuation

        init() {
            (batches, began) = AsyncStream.makeStream(of: [String].self)
            (answers, answering) = AsyncStream.makeStream(of: ForwardingAnswer.self)
        }

        func deliver(_ events: [ForwardedEvent]) async -> [ForwardingAnswer] {
            began.yield(events.map(\.messageId))
            for await answer in answers { return Array(repeating: answer, count: events.count) }
            return []
        }

        func answer(_ answer: ForwardingAnswer = .accepted("taken")) { answering.yield(answer) }
    }

    private func event(_ id: String, bytes: Int = 2) -> ForwardedEvent {
        ForwardedEvent(
            sequence: 1, messageId: id, partition: ForwardedEvent.Partition(digest: Data(id.utf8)),
            body: Array(repeating: 0x20, count: bytes))
    }

    @Test("Events that come during a delivery are sent together in the next delivery")
    func gathering() async {
        let gate = Gate()
        let connection = BatchingConnection(events: 2, deliveries: 1, deliver: gate.deliver)
        #expect(connection.parallelRequests == 2)
        var batches = gate.batches.makeAsyncIterator()
        async let first = connection.send(event("1"))
        #expect(await batches.next() == ["1"])
        async let others = withTaskGroup(of: ForwardingAnswer.self) { group in
            for id in ["2", "3", "4"] { group.addTask { await connection.send(event(id)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // All three wait before the first delivery ends.
        while await connection.waitingCount < 3 { await Task.yield() }
        gate.answer()
        #expect(await first == .accepted("taken"))
        #expect(await batches.next()?.count == 2)
        gate.answer(.failed("down"))
        #expect(await batches.next()?.count == 1)
        gate.answer()
        let answers = await others
        #expect(answers.count { $0 == .failed("down") } == 2)
        #expect(answers.count { $0 == .accepted("taken") } == 1)
    }

    @Test("A batch stays below its limit of bytes, but a larger event is sent alone")
    func bytes() async {
        let gate = Gate()
        let connection = BatchingConnection(events: 9, deliveries: 1, deliver: gate.deliver)
        var batches = gate.batches.makeAsyncIterator()
        async let first = connection.send(event("1"))
        #expect(await batches.next() == ["1"])
        async let large = connection.send(event("2", bytes: Limits.batchBytes + 1))
        while await connection.waitingCount < 1 { await Task.yield() }
        async let small = connection.send(event("3"))
        while await connection.waitingCount < 2 { await Task.yield() }
        gate.answer()
        #expect(await batches.next() == ["2"])
        gate.answer()
        #expect(await batches.next() == ["3"])
        gate.answer()
        for answer in await [first, large, small] { #expect(answer == .accepted("taken")) }
    }

    @Test("A cancelled task gets its answer at once, while its event waits and while its event is sent")
    func cancelling() async {
        let began = AsyncStream.makeStream(of: Void.self)
        let connection = BatchingConnection(events: 1, deliveries: 1) { events in
            began.continuation.yield()
            // The stream ends when the delivery is cancelled.
            let (never, end) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            withExtendedLifetime(end) {}
            return events.map { _ in .failed("cut off") }
        }
        let sent = Task { await connection.send(event("1")) }
        for await _ in began.stream { break }
        let waiting = Task { await connection.send(event("2")) }
        while await connection.waitingCount < 1 { await Task.yield() }
        waiting.cancel()
        #expect(await waiting.value == .failed("the server stops"))
        sent.cancel()
        #expect(await sent.value == .failed("cut off"))
    }

    @Test(
        "A webhook with batches gets many events in one request, and one bad event costs no other event"
    )
    func webhook() async throws {
        let receiver = Receiver { delivery, _ in
            let events = delivery.event["batch"]?.elements ?? []
            return Receiver.Answer(status: events.contains { $0["event"] == "Bad" } ? 422 : 200)
        }
        try await receiver.run { url in
            try await TestWorkspace.run { workspace in
                let client = workspace.client
                let events = (0..<40).map { Events.track(messageId: "m-\($0)", userId: "u-\($0)") }
                try await client.batch(events + [Events.track(messageId: "bad", name: "Bad", userId: "u-bad")])
                _ = try await client.events()
                let settings =
                    #"{"url":"\#(url)/in","batchEvents":50,"parallelRequests":1,"headers":{"X-Team":"shop"}}"#
                let made = try await client.put(
                    "/api/sources/WK/destinations/Hook",
                    #"{"kind":"webhook","settings":\#(settings),"from":"start"}"#)
                #expect(made.status == 201, "\(made.text)")
                #expect(try made.json["settings"]?["headers"] == ["X-Team": "shop"])
                var state = JSON.null
                while state["delivered"] != 40 || state["deadLetters"] != 1 {
                    state = try await client.get("/api/sources/WK/destinations/Hook").json
                }
                let requests = receiver.deliveries
                #expect(requests.allSatisfy { $0.headers["x-team"] == "shop" && $0.id.hasPrefix("batch-") })
                let accepted = receiver.accepted.flatMap { $0.event["batch"]?.elements ?? [] }
                #expect(Set(accepted.compactMap { $0["messageId"]?.stringValue }).count == 40)
                // The first event may be sent alone, and halving the batch finds the bad event.
                #expect(receiver.accepted.count < 20)
            }
        }
    }
}
