import Foundation
import ProgramSupport
import Tributary

/// A device-mode destination of the shop's own: prints a compact line for each event that reaches it.
final class ReceiptPrinter: DestinationPlugin {
    let type = PluginType.destination
    let key = "ReceiptPrinter"
    let timeline = Timeline()
    weak var analytics: Analytics?

    /// The longest name of the shop's own events.
    private static let nameWidth = "Product Added to Wishlist".count

    private let received = Locked(0)
    /// Gets each line; nil to print nothing.
    private let output: (@Sendable (String) -> Void)?

    /// How many events it got, by its own count.
    var receivedCount: Int { received.withLock { $0 } }

    init(output: (@Sendable (String) -> Void)?) { self.output = output }

    func track(event: TrackEvent) -> TrackEvent? {
        let properties = event.properties
        let subject = [
            "order_id", "product_id", "product_did", "cart_id", "checkout_id", "list_id", "query", "coupon_name",
        ]
        .lazy.compactMap { properties?[$0]?.stringValue }.first
        print(event.event, [subject, Self.pieces(properties), Self.amount(properties)])
        return event
    }

    func identify(event: IdentifyEvent) -> IdentifyEvent? {
        print("Customer", [event.userId, event.traits?["name"]?.stringValue])
        return event
    }

    func group(event: GroupEvent) -> GroupEvent? {
        print("Company", [event.groupId, event.traits?["name"]?.stringValue])
        return event
    }

    func screen(event: ScreenEvent) -> ScreenEvent? {
        print("Screen", [event.name])
        return event
    }

    func alias(event: AliasEvent) -> AliasEvent? {
        print("Known as", [event.userId])
        return event
    }

    private func print(_ what: String, _ details: [String?]) {
        received.withLock { $0 += 1 }
        guard let output else { return }
        let name = what + String(repeating: " ", count: max(0, Self.nameWidth - what.count))
        output("  " + ([name] + details.compactMap { $0 }).joined(separator: "  "))
    }

    private static func pieces(_ properties: JSON?) -> String? {
        guard let products = properties?["products"]?.elements else {
            return properties?["quantity"]?.intValue.map { "\($0) ×" }
        }
        let pieces = products.compactMap { $0["quantity"]?.intValue }.reduce(0, +)
        return pieces > 0 ? "\(pieces) pieces" : "\(products.count) products"
    }

    private static func amount(_ properties: JSON?) -> String? {
        guard let code = properties?["currency"]?.stringValue,
            let amount = ["total", "value", "discount", "price"].lazy.compactMap({ properties?[$0]?.numberValue }).first
        else { return nil }
        return "\(Self.spelled(amount, decimals: Currency(code)?.decimals ?? 2)) \(code)"
    }

    /// `12.5` as a till prints it: `12.50`.
    private static func spelled(_ amount: JSONNumber, decimals: Int) -> String {
        String(format: "%.\(decimals)f", amount.double)
    }
}
