import Dispatch
import Foundation
import TestSupport
import Testing
import Tributary

@Suite("Many threads track at once")
struct ContentionTests {
    private static let threads = 64
    private static let eventsPerThread = 50

    /// Calls the body on that many threads, which all begin when the last of them has come.
    private func onThreads(_ body: @escaping @Sendable (Int) -> Void) async {
        let start = DispatchSemaphore(value: 0)
        let ready = DispatchGroup()
        let done = DispatchGroup()
        for thread in 0..<Self.threads {
            ready.enter()
            done.enter()
            Thread.detachNewThread {
                ready.leave()
                start.wait()
                body(thread)
                done.leave()
            }
        }
        await withCheckedContinuation { continuation in
            ready.notify(queue: .global()) {
                for _ in 0..<Self.threads { start.signal() }
                done.notify(queue: .global()) { continuation.resume() }
            }
        }
    }

    private func track(_ analytics: Analytics, _ thread: Int) {
        for number in 0..<Self.eventsPerThread {
            analytics.track(name: "E", properties: ["thread": thread, "number": number])
        }
    }

    /// The numbers of each thread's events, in the order in which the server has them.
    private func numbers(_ server: TestServer) -> [Int: [Int]] {
        var numbers: [Int: [Int]] = [:]
        for event in server.events {
            guard let thread = event["properties"]?["thread"]?.intValue,
                let number = event["properties"]?["number"]?.intValue
            else { continue }
            numbers[thread, default: []].append(number)
        }
        return numbers
    }

    private var all: [Int: [Int]] {
        Dictionary(uniqueKeysWithValues: (0..<Self.threads).map { ($0, Array(0..<Self.eventsPerThread)) })
    }

    @Test("The events of each thread reach the server in their order", arguments: [true, false])
    func order(onDisk: Bool) async throws {
        let folder = try TemporaryFolder()
        let client = Client(folder: onDisk ? folder.url : nil)
        let analytics = client.analytics
        await onThreads { track(analytics, $0) }
        #expect(await client.flushed() == .sent)
        #expect(numbers(client.server) == all)
        await client.ended()
    }

    @Test("Events are processed and sent while threads track, and the order stays")
    func orderWhileSending() async throws {
        let folder = try TemporaryFolder()
        let client = Client(folder: folder.url)
        client.begin()
        let analytics = client.analytics
        await onThreads { thread in
            track(analytics, thread)
            analytics.flush()
        }
        #expect(await client.flushed() == .sent)
        #expect(numbers(client.server) == all)
        #expect(Set(client.server.events.compactMap { $0["messageId"]?.stringValue }).count == all.count * 50)
        await client.ended()
    }

    @Test("Identity changes and other threads do not change the order of a thread's events")
    func orderWithIdentity() async throws {
        let folder = try TemporaryFolder()
        let client = Client(folder: folder.url)
        client.begin()
        let analytics = client.analytics
        await onThreads { thread in
            analytics.identify(userId: "u-\(thread)")
            track(analytics, thread)
        }
        #expect(await client.flushed() == .sent)
        #expect(numbers(client.server) == all)
        await client.ended()
    }
}
