import Crypto
import Foundation
import Synchronization
import TributaryFilters
import TributaryJSON
import WorkspaceCore

/// Decides whether a stored event goes to a destination, and in which form, by the rules of a device. For one caller at
/// a time.
struct ForwardingRules: Sendable {
    enum Decision: Sendable, Equatable {
        case forward(ForwardedEvent)
        case leaveOut(LeftOut)
    }

    let destination: String
    private let categories: [String]
    private let consent: ConsentPolicy
    private let filters: FilterRules
    private let routingRules: JSON
    private let draw: Draw

    /// - Parameters:
    ///   - categories: the consent categories that the destination needs.
    ///   - consent: what the source does with events that say nothing about consent.
    ///   - routingRules: the destination filters of the source.
    init(destination: String, categories: [String] = [], consent: ConsentPolicy = ConsentPolicy(), routingRules: JSON) {
        let draw = Draw()
        (self.destination, self.categories, self.consent) = (destination, categories, consent)
        self.draw = draw
        self.routingRules = routingRules
        filters = FilterRules(routingRules: routingRules, random: { draw.value })
    }

    /// - Parameter row: a row of the list of events.
    func decide(_ row: StoredRow) throws -> Decision { decide(try JSON.parse(row.text), row.sequence) }

    /// - Parameters:
    ///   - stored: the text of a row of the list of events.
    ///   - sequence: its number.
    func decide(_ stored: JSON, _ sequence: Int64) -> Decision {
        guard var event = ListedEvent.withTimes(stored), let messageId = stored["messageId"]?.stringValue
        else { return .leaveOut(.unreadable) }
        if let reason = consentReason(event) ?? wishReason(event) { return .leaveOut(reason) }
        let partition = Self.partition(stored, messageId)
        if let rule = droppingRule(&event, messageId) { return .leaveOut(.filtered(rule)) }
        return .forward(
            ForwardedEvent(
                sequence: sequence, messageId: messageId, partition: partition, body: event.encoded(),
                receivedAt: stored["receivedAt"]?.stringValue.flatMap { ISO8601.milliseconds($0) } ?? 0))
    }

    /// An event may name the destinations that it is for, and those to which the device has sent it. Source: the
    /// documents on `integrations` and on bundled destinations.
    private func wishReason(_ event: JSON) -> LeftOut? {
        let bundled = event["_metadata"]?["bundled"]?.elements ?? []
        guard !bundled.contains(.string(destination)) else { return .sentByDevice }
        let integrations = event["integrations"]
        if let own = integrations?[destination], !own.isNull { return own.boolValue ?? true ? nil : .notNamed }
        return integrations?["All"]?.boolValue ?? true ? nil : .notNamed
    }

    /// Consent is looked at first, and before the filters, which may take it out of the event.
    private func consentReason(_ event: JSON) -> LeftOut? {
        switch EventConsent(of: event).verdict(on: categories, consent) {
        case .allowed: return nil
        case .refused(let categories): return .refused(categories)
        case .unsaid:
            // An event that is excluded anyway is not held.
            if let reason = wishReason(event) { return reason }
            switch consent.unsaid {
            case .forward: return nil
            case .hold: return .held
            case .drop: return .unsaid
            }
        }
    }

    /// The name of the filter rule that drops the event; nil when the event goes on.
    private func droppingRule(_ event: inout JSON, _ messageId: String) -> String? {
        guard filters.hasRules(for: destination) else { return nil }
        draw.use(messageId)
        let outcome = filters.apply(to: &event, destination: destination)
        guard outcome.result == .dropped else { return nil }
        let position = outcome.rules.last ?? 0
        return routingRules[position]?["name"]?.stringValue ?? "rule \(position)"
    }

    /// An event without any id has a partition of its own.
    private static func partition(_ stored: JSON, _ messageId: String) -> ForwardedEvent.Partition {
        let (kind, id) =
            if let id = stored["userId"]?.stringValue { ("u", id) } else if let id = stored["anonymousId"]?.stringValue
            { ("a", id) } else { ("m", messageId) }
        return ForwardedEvent.Partition(digest: Data(SHA256.hash(data: Data("\(kind):\(id)".utf8)).prefix(16)))
    }
}

/// The random number for samples: always the same for one event, so that each attempt decides alike.
private final class Draw: Sendable {
    private let number = Mutex(0.0)

    var value: Double { number.withLock { $0 } }

    func use(_ messageId: String) {
        let digest = SHA256.hash(data: Data(messageId.utf8))
        let bits = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        number.withLock { $0 = Double(bits >> 11) * 0x1p-53 }
    }
}
