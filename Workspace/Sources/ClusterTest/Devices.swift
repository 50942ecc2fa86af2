import ClusterTestKit
import Foundation
import Synchronization
import WorkspaceServer

/// Clients that send batches of events, each the next one when the one before is acknowledged.
///
/// Some send an acknowledged batch again, whole or its second half, as clients do that did not get the answer. The ids and
/// times of its events are those of the first time.
final class Devices: Sendable {
    /// Events in a batch.
    static let events = 20
    static let source: Int64 = 1

    private let log: any EventLog
    private let seed: UInt64
    private let state = Mutex(State())

    private struct State {
        var isEnding = false
        /// How many batches of each device were acknowledged: 0, 1, 2 …
        var acknowledged: [Int: Int] = [:]
        var repeated = 0
        var refused = 0
    }

    init(_ log: any EventLog, seed: UInt64) { (self.log, self.seed) = (log, seed) }

    /// The batches of each device that were acknowledged.
    var acknowledged: [Int: Int] { state.withLock { $0.acknowledged } }
    /// Batches that were sent again although they were acknowledged.
    var repeated: Int { state.withLock { $0.repeated } }
    /// Requests that were not acknowledged and were sent again.
    var refused: Int { state.withLock { $0.refused } }

    func end() { state.withLock { $0.isEnding = true } }

    /// Sends until `end` is called and everything is acknowledged that was sent.
    func run(count: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for device in 0..<count { group.addTask { await self.run(device) } }
        }
    }

    private func run(_ device: Int) async {
        var random = SeededGenerator(seed: seed &+ UInt64(device) &* 7_919)
        // When the events of each batch happened.
        var times: [Int64] = []
        while !state.withLock({ $0.isEnding }) {
            times.append(Self.now)
            await send(times.count - 1, of: device, 0..<Self.events, happenedAt: times[times.count - 1])
            state.withLock { [count = times.count] in $0.acknowledged[device] = count }
            if Int.random(in: 0..<50, using: &random) == 0 {
                let again = Int.random(in: oldest(of: times.count, &random)..<times.count, using: &random)
                let half = Bool.random(using: &random) ? Self.events / 2 : 0
                await send(again, of: device, half..<Self.events, happenedAt: times[again])
                state.withLock { $0.repeated += 1 }
            }
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<100, using: &random)))
        }
    }

    /// The oldest batch that is sent again now: the last one, one of some time ago, or rarely any, because the store looks
    /// up what is older than the window.
    private func oldest(of count: Int, _ random: inout SeededGenerator) -> Int {
        if Int.random(in: 0..<40, using: &random) == 0 { return 0 }
        return Bool.random(using: &random) ? count - 1 : max(0, count - 50)
    }

    /// Sends until it is acknowledged. Each attempt is another request, as with a node. One that was not acknowledged may
    /// be in the log all the same.
    private func send(_ number: Int, of device: Int, _ events: Range<Int>, happenedAt time: Int64) async {
        let partition = ClusterRecord.partition(source: Self.source, device: "d\(device)", of: log.partitions)
        let body = body(number, of: device, events, time)
        while true {
            let record = ClusterRecord.batch(
                source: Self.source, receivedAt: Self.now, events: events.count, body: body)
            do {
                try await log.append(record, id: UUID().uuidString, to: partition)
                return
            } catch {
                // What a client does that gets 503.
                state.withLock { $0.refused += 1 }
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    private func body(_ number: Int, of device: Int, _ events: Range<Int>, _ time: Int64) -> [UInt8] {
        let time = Date(timeIntervalSince1970: Double(time) / 1_000).formatted(
            .iso8601.year().month().day().timeZone(separator: .omitted).time(includingFractionalSeconds: true))
        let events = events.map { event in
            let id = SentEvent(device: device, batch: number, index: event).messageId(seed: seed)
            return """
                {"type":"track","event":"Step \(event)","messageId":"\(id)","anonymousId":"d\(device)",\
                "timestamp":"\(time)","properties":{"batch":\(number),"index":\(event)}}
                """
        }
        return Array(#"{"batch":[\#(events.joined(separator: ","))]}"#.utf8)
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}
