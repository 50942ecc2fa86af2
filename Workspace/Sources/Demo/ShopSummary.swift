import Foundation
import TributaryJSON

/// The counters of the shop's client.
struct ShopSummary: Equatable {
    var tracked = 0
    var droppedByPlugin: [String: Int] = [:]
    var droppedByFilter: [String: Int] = [:]
    var lost: [String: Int] = [:]
    var deadLettered = 0
    /// Events that the shop's own destination counted.
    var printed = 0
    var remaining = 0

    init() {}

    /// Reads the file of `storefront --summary`.
    init(json: JSON) throws(DemoError) {
        guard let tracked = json["tracked"]?.intValue, let plugins = Self.counts(json["dropped_by_plugin"]),
            let filters = Self.counts(json["dropped_by_filter"]), let lost = Self.counts(json["lost"])
        else { throw DemoError("the shop's summary has an unknown form") }
        self.tracked = tracked
        droppedByPlugin = plugins
        droppedByFilter = filters
        self.lost = lost
        deadLettered = json["dead_lettered"]?.intValue ?? 0
        printed = json["delivered"]?["ReceiptPrinter"]?.intValue ?? 0
        remaining = json["flush"]?["remaining"]?.intValue ?? 0
    }

    private static func counts(_ json: JSON?) -> [String: Int]? {
        guard let object = json?.objectValue else { return nil }
        return Dictionary(object.map { ($0.key, $0.value.intValue ?? 0) }, uniquingKeysWith: +)
    }
}
