import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

/// The whole client, from the call to its files, on a clock that is moved from timer to timer. What it costs a device is
/// counted instead of timed: requests, bytes that were encoded for them, writes to files, bytes on disk.
@Suite("Two days of a server that refuses everything", .serialized)
struct RefusingServerTests {
    /// Answers every batch with the same status, and counts; until it is mended.
    private final class RefusingServer: Transport {
        struct Costs { var requests = 0, bytes = 0 }

        let mended = TestServer()
        private let status: LockBox<Int?>
        private let costs = LockBox(Costs())

        init(_ status: Int) { self.status = LockBox(status) }

        var total: Costs { costs.withLock { $0 } }

        func mend() { status.withLock { $0 = nil } }

        func send(
            _ request: TransportRequest,
            completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
        ) {
            guard request.url.path.hasSuffix("/b") else { return mended.send(request, completion: completion) }
            costs.withLock {
                $0.requests += 1; $0.bytes += request.body?.count ?? 0
            }
            guard let status = status.withLock({ $0 }) else { return mended.send(request, completion: completion) }
            completion(.success(TransportResponse(status: status)))
        }
    }

    private static let hours = 48
    private static let eventsPerHour = 40
    private static let diskLimit = 1 << 20

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "A server that refuses causes bounded requests and disk, and events arrive later", arguments: [500, 413, 429])
    func days(status: Int) async {
        let server = RefusingServer(status)
        let disk = BrokenDisk()
        let writes = LockBox(0)
        disk.fail { operation, _ in
            if [.write, .make, .move].contains(operation) { writes.withLock { $0 += 1 } }
            return nil
        }
        let client = Client(folder: folder.url) {
            $0.transport(server).files(disk).storageLimits(bytes: Self.diskLimit)
        }
        await client.processed()
        var tracked = 0
        var busiest = RefusingServer.Costs()
        for hour in 0..<Self.hours {
            let (before, writesBefore) = (server.total, writes.withLock { $0 })
            for _ in 0..<4 {
                for _ in 0..<Self.eventsPerHour / 4 { track(client, &tracked) }
                // The first pauses are seconds; later ones are minutes.
                await pass(900, client, server, step: hour < 2 ? 0 : 120)
            }
            let requests = server.total.requests - before.requests
            busiest.requests = max(busiest.requests, requests)
            busiest.bytes = max(busiest.bytes, server.total.bytes - before.bytes)
            // One write each for inbox and outbox, some for the state of delivery, and some for the care of files.
            #expect(writes.withLock { $0 } - writesBefore < 4 * Self.eventsPerHour + 10 * requests + 400)
            #expect(size() < Self.diskLimit * 3 / 2, "bytes on disk")
        }
        #expect(busiest.requests <= 80, "requests in an hour")
        #expect(server.total.requests <= 40 * Self.hours, "requests in two days")
        #expect(busiest.bytes <= 20 * Limits.batchBytes, "bytes that were encoded in an hour")
        await mend(client, server, tracked)
        await client.ended()
    }

    /// The client delivers its events once and in order, and it has reported all other events as lost.
    private func mend(_ client: Client, _ server: RefusingServer, _ tracked: Int) async {
        let counters = client.analytics.counters
        let waiting = client.analytics.storageState.waitingEvents
        let lost = counters.lost.values.reduce(0, +) + counters.deadLettered
        #expect(waiting + lost == tracked, "\(counters.lost), aside \(counters.deadLettered)")
        server.mend()
        await pass(3 * 3600, client, server, step: 60)
        let numbers = server.mended.events.compactMap { $0["properties"]?["number"]?.intValue }
        #expect(numbers.count == waiting)
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        #expect(waiting == 0 || numbers.last == tracked - 1)
        #expect(client.analytics.storageState.waitingEvents == 0)
    }

    private func track(_ client: Client, _ tracked: inout Int) {
        let filler = String(repeating: "x", count: 1000)
        client.analytics.track(name: "E", properties: ["number": tracked, "filler": filler])
        tracked += 1
    }

    /// Lets time go by, one timer after the other, and everything that follows from each.
    /// - Parameter step: seconds within which timers may come together.
    private func pass(_ seconds: TimeInterval, _ client: Client, _ server: RefusingServer, step: TimeInterval) async {
        let end = client.time.uptime + seconds
        await settle(client, server)
        while let delay = client.time.nextDelay, client.time.uptime + max(delay, step) < end {
            client.time.advance(by: max(delay, step))
            await settle(client, server)
        }
        client.time.advance(by: end - client.time.uptime)
        await settle(client, server)
    }

    /// Waits until each queue has done its work. The server answers while the request is made.
    private func settle(_ client: Client, _ server: RefusingServer) async {
        var before: Int
        repeat {
            before = server.total.requests
            await client.executed()
            for queue in [client.analytics.eventQueue.directory.host.queue, client.analytics.uploader.queue] {
                for _ in 0..<2 {
                    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
                }
            }
        } while server.total.requests != before
    }

    private func size() -> Int {
        let files = FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: [.fileSizeKey])
        var sum = 0
        while let url = files?.nextObject() as? URL {
            sum += (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
        }
        return sum
    }
}
