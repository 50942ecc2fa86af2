import Foundation
import Tributary

/// Counts where the events of a run went.
struct Summary: Encodable, Equatable {
    /// Events of calls that returned.
    var tracked: Int
    /// Events that a plugin kept from the server, by the plugin's name.
    var droppedByPlugin: [String: Int]
    /// Events that a filter kept from the server, by the rule.
    var droppedByFilter: [String: Int]
    /// Events that plugins and filters kept from other destinations only, by destination.
    var keptFromDestinations: [String: Int]
    /// Events that destinations took, by key. `Segment.io` is the way to the server.
    var delivered: [String: Int]
    /// Events that the server confirmed.
    var uploaded: Int
    /// Events that the server refused for good.
    var deadLettered: Int
    /// Events that could not be stored or processed, by reason.
    var lost: [String: Int]
    /// How the last delivery ended.
    var flush: Flush
    var seconds: Double

    /// How the last delivery ended.
    struct Flush: Encodable, Equatable {
        /// `sent`, `dropped`, `partly` or `timed_out`.
        let result: String
        /// Events that still wait on this device.
        let remaining: Int
        let reason: String?
    }

    private static let cloud = "Segment.io"

    private enum CodingKeys: String, CodingKey {
        case tracked
        case droppedByPlugin = "dropped_by_plugin"
        case droppedByFilter = "dropped_by_filter"
        case keptFromDestinations = "kept_from_destinations"
        case delivered, uploaded
        case deadLettered = "dead_lettered"
        case lost, flush, seconds
    }

    /// - Parameter printed: what the receipt printer counted itself.
    init(counters: EventCounters, printed: Int, flush: FlushResult, seconds: Double) {
        tracked = counters.tracked
        droppedByPlugin = Self.kept(counters.droppedByPlugin)
        droppedByFilter = Self.kept(counters.droppedByFilter)
        keptFromDestinations = Self.keptElsewhere([counters.droppedByPlugin, counters.droppedByFilter])
        delivered = counters.delivered
        delivered["ReceiptPrinter"] = printed
        uploaded = counters.uploaded
        deadLettered = counters.deadLettered
        lost = counters.lost
        self.flush = Flush(flush)
        self.seconds = (seconds * 1000).rounded() / 1000
    }

    /// Drops that keep an event from the server: those for it, and those for everybody.
    private static func kept(_ drops: [EventCounters.Drop: Int]) -> [String: Int] {
        let relevant = drops.filter { $0.key.destination == nil || $0.key.destination == cloud }
        return Dictionary(relevant.map { ($0.key.by, $0.value) }, uniquingKeysWith: +)
    }

    private static func keptElsewhere(_ drops: [[EventCounters.Drop: Int]]) -> [String: Int] {
        let pairs = drops.joined().compactMap { drop, count in
            drop.destination.flatMap { $0 == cloud ? nil : ($0, count) }
        }
        return Dictionary(pairs, uniquingKeysWith: +)
    }

    /// The JSON text of it, with a line end.
    func encoded() throws -> Data { Data(try JSON(with: self).encoded() + [UInt8(ascii: "\n")]) }
}

extension Summary.Flush {
    init(_ result: FlushResult) {
        switch result {
        case .sent: self.init(result: "sent", remaining: 0, reason: nil)
        case .dropped(let reasons):
            let text = reasons.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
            self.init(result: "dropped", remaining: 0, reason: text)
        case .partly(let remaining, let reason): self.init(result: "partly", remaining: remaining, reason: reason)
        case .timedOut(let remaining, let reason): self.init(result: "timed_out", remaining: remaining, reason: reason)
        }
    }
}
