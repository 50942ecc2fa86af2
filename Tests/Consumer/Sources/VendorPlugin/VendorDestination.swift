import Foundation
import Segment

/// A device-mode destination as vendors write it for analytics-swift, in Swift 5.
public class VendorDestination: DestinationPlugin {
    public let timeline = Timeline()
    public let type = PluginType.destination
    public let key = "Vendor"
    public weak var analytics: Segment.Analytics?
    public private(set) var names: [String] = []
    private var settings: VendorSettings?

    private struct VendorSettings: Codable { let apiKey: String }

    public init() {}

    public func update(settings: Settings, type: UpdateType) {
        guard type == .initial else { return }
        self.settings = settings.integrationSettings(forPlugin: self)
    }

    public func track(event: TrackEvent) -> TrackEvent? {
        analytics?.log(message: "\(settings?.apiKey ?? "") gets \(event.event)")
        names.append(event.event)
        return event
    }
}
