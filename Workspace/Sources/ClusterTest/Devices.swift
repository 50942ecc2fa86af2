import ClusterTestKit
import Foundation
import Synchronization

/// Clients that send batches of events over HTTP. Each sends its next batch when a node has acknowledged the last one.
///
/// A batch that was not acknowledged goes to the next node with the same body. Some clients send an acknowledged batch
/// again, whole or its second half, like clients that did not get the answer. Its events keep their ids and times.
final class Devices: Sendable {
    /// Events in a batch.
    static let events = 20

    private let doors: NodeClients
    private let cuts: CutWatch
    private let seed: UInt64
    private let state = Mutex(State())

    private struct State {
        var isEnding = false
        /// The number of acknowledged batches of each device. …
        var acknowledged: [Int: Int] = [:]
        var repeated = 0
        var refused = 0
        var unanswered = 0
        var unexpected: [Int: Int] = [:]
    }

    /// - Parameter cuts: is notified of each answer.
    init(_ doors: NodeClients, _ cuts: CutWatch, seed: UInt64) {
        (self.doors, self.cuts, self.seed) = (doors, cuts, seed)
    }

    /// The batches of each device that were acknowledged.
    var acknowledged: [Int: Int] { state.withLock { $0.acknowledged } }
    /// Batches that were sent again although they were acknowledged.
    var repeated: Int { state.withLock { $0.repeated } }
    /// Requests that got 503.
    var refused: Int { state.withLock { $0.refused } }
    /// Requests that got no answer in time.
    var unanswered: Int { state.withLock { $0.unanswered } }
    /// The number of requests that got each other status. Clients drop batches after some of these, so there should be
    /// none.
    var unexpected: [Int: Int] { state.withLock { $0.unexpected } }

    func end() { state.withLock { $0.isEnding = true } }

    /// Sends until `end` is called and all sent batches are acknowledged.
    func run(count: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for device in 0..<count { group.addTask { await self.run(device) } }
        }
    }

    private func run(_ device: Int) async {
        var random = SeededGenerator(seed: seed &+ UInt64(device) &* 7_919)
        var node = device % doors.addresses.count
        // When the events of each batch happened.
        var times: [Int64] = []
        while !state.withLock({ $0.isEnding }) {
            node = first(of: device, node, &random)
            times.append(Self.now)
            await send(times.count - 1, of: device, 0..<Self.events, happenedAt: times[times.count - 1], to: &node)
            state.withLock { [count = times.count] in $0.acknowledged[device] = count }
            if Int.random(in: 0..<50, using: &random) == 0 {
                let again = Int.random(in: oldest(of: times.count, &random)..<times.count, using: &random)
                let half = Bool.random(using: &random) ? Self.events / 2 : 0
                await send(again, of: device, half..<Self.events, happenedAt: times[again], to: &node)
                state.withLock { $0.repeated += 1 }
            }
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<100, using: &random)))
        }
    }

    /// The node that gets the next batch first. For each node one device always begins with that node, so every node
    /// gets requests all the time. The other devices stay with the node that answered, and change now and then.
    private func first(of device: Int, _ node: Int, _ random: inout SeededGenerator) -> Int {
        let nodes = doors.addresses.count
        if device < nodes { return device }
        return Int.random(in: 0..<20, using: &random) == 0 ? Int.random(in: 0..<nodes, using: &random) : node
    }

    /// The oldest batch that is sent again now: the last one, one from some time ago, or rarely any. An old batch is
    /// rare because the store has to search for events that are older than the window.
    private func oldest(of count: Int, _ random: inout SeededGenerator) -> Int {
        if Int.random(in: 0..<40, using: &random) == 0 { return 0 }
        return Bool.random(using: &random) ? count - 1 : max(0, count - 50)
    }

    /// Sends the same body to one node after the other until one acknowledges it. A batch that was not acknowledged may
    /// be in the log all the same.
    /// - Parameter node: the node that is asked first; afterwards the node that acknowledged.
    private func send(
        _ number: Int, of device: Int, _ events: Range<Int>, happenedAt time: Int64, to node: inout Int
    ) async {
        let body = body(number, of: device, events, time)
        while true {
            let sent = cuts.now
            let outcome = await doors.send(body, to: node)
            cuts.hear(outcome, from: node, sent: sent)
            if outcome == .acknowledged { return }
            state.withLock { state in
                switch outcome {
                case .acknowledged: break
                case .refused: state.refused += 1
                case .unanswered: state.unanswered += 1
                case .unexpected(let status): state.unexpected[status, default: 0] += 1
                }
            }
            node = (node + 1) % doors.addresses.count
            try? await Task.sleep(for: .milliseconds(200))
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
        return Array(#"{"writeKey":"\#(ClusterTestNames.writeKey)","batch":[\#(events.joined(separator: ","))]}"#.utf8)
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}
