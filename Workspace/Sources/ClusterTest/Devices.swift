import Foundation
import Synchronization
import WorkspaceServer

/// Clients that send batches of events, each the next one when the one before is acknowledged. Some send a batch again that
/// was acknowledged, as clients do that did not get the answer.
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
    }

    init(_ log: any EventLog, seed: UInt64) { (self.log, self.seed) = (log, seed) }

    /// The batches of each device that were acknowledged.
    var acknowledged: [Int: Int] { state.withLock { $0.acknowledged } }
    /// Batches that were sent again although they were acknowledged.
    var repeated: Int { state.withLock { $0.repeated } }

    func end() { state.withLock { $0.isEnding = true } }

    /// Sends until `end` is called and everything is acknowledged that was sent.
    func run(count: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for device in 0..<count { group.addTask { await self.run(device) } }
        }
    }

    static func messageId(_ device: Int, _ batch: Int, _ event: Int) -> String { "\(device)-\(batch)-\(event)" }

    private func run(_ device: Int) async {
        var random = SeededGenerator(seed: seed &+ UInt64(device) &* 7_919)
        var number = 0
        while !state.withLock({ $0.isEnding }) {
            await send(number, of: device, attempt: 0)
            number += 1
            state.withLock { $0.acknowledged[device] = number }
            if Int.random(in: 0..<50, using: &random) == 0 {
                // The last one, or one of some time ago.
                let again =
                    Bool.random(using: &random)
                    ? number - 1 : Int.random(in: max(0, number - 50)..<number, using: &random)
                await send(again, of: device, attempt: number)
                state.withLock { $0.repeated += 1 }
            }
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<100, using: &random)))
        }
    }

    /// Sends until it is acknowledged.
    private func send(_ number: Int, of device: Int, attempt: Int) async {
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        let record = ClusterRecord.batch(
            source: Self.source, receivedAt: now, events: Self.events, body: body(number, of: device, now))
        let partition = ClusterRecord.partition(source: Self.source, device: "d\(device)", of: log.partitions)
        while true {
            do {
                try await log.append(record, id: "\(seed)-\(device)-\(number)-\(attempt)", to: partition)
                return
            } catch {
                // What a client does that gets 503.
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    private func body(_ number: Int, of device: Int, _ now: Int64) -> [UInt8] {
        let time = Date(timeIntervalSince1970: Double(now) / 1_000).formatted(
            .iso8601.year().month().day().timeZone(separator: .omitted).time(includingFractionalSeconds: true))
        let events = (0..<Self.events).map { event in
            """
            {"type":"track","event":"Step \(event)","messageId":"\(Self.messageId(device, number, event))",\
            "anonymousId":"d\(device)","timestamp":"\(time)","properties":{"batch":\(number),"index":\(event)}}
            """
        }
        return Array(#"{"batch":[\#(events.joined(separator: ","))]}"#.utf8)
    }
}
