import TributaryJSON

/// The list of destinations on the device, for the server, so that no service gets an event from both. It is
/// `_metadata` on the wire.
public struct DestinationMetadata: Sendable, Codable, Equatable {
    /// The destinations that get events on the device.
    public var bundled: [String] = []
    /// The destinations that the server forwards to.
    public var unbundled: [String] = []
    /// Always empty; it exists because other clients send it.
    public var bundledIds: [String] = []

    /// Metadata with these lists.
    public init(bundled: [String] = [], unbundled: [String] = [], bundledIds: [String] = []) {
        self.bundled = bundled
        self.unbundled = unbundled
        self.bundledIds = bundledIds
    }

    /// A missing member is empty.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        bundled = try container.decodeIfPresent([String].self, forKey: .bundled) ?? []
        unbundled = try container.decodeIfPresent([String].self, forKey: .unbundled) ?? []
        bundledIds = try container.decodeIfPresent([String].self, forKey: .bundledIds) ?? []
    }

    /// The name of the member in an event.
    static let member = "_metadata"

    /// The metadata for a settings document. `bundled` has the destinations on the device that the settings name.
    /// `unbundled` has all others that the settings name, and all that the settings list as unbundled.
    /// - Parameter version: the deployed version of the live plugins that an event went through. The workspace does not take
    ///   the event through it again.
    /// - Returns: nil when the settings name only the server, and there is no version.
    static func rendered(
        _ settings: Settings, _ snapshot: Timeline.Snapshot, version: Int? = nil
    ) -> RenderedObject? {
        let integrations = settings.integrations?.objectValue ?? [:]
        let named = integrations.map(\.key).filter { $0 != CloudDestination.key }
        let bundled = snapshot.deviceDestinations.map(\.key).filter {
            integrations[$0] != nil && $0 != CloudDestination.key
        }
        let said = integrations[CloudDestination.key]?["unbundledIntegrations"]?.elements ?? []
        var unbundled: [String] = []
        for key in named + said.compactMap(\.stringValue) where !bundled.contains(key) && !unbundled.contains(key) {
            unbundled.append(key)
        }
        var members = JSONObject()
        if !bundled.isEmpty || !unbundled.isEmpty {
            members = [
                "bundled": .array(bundled.map(JSON.string)), "unbundled": .array(unbundled.map(JSON.string)),
                "bundledIds": [],
            ]
        }
        if let version { members["livePlugins"] = ["device": .number(JSONNumber(version))] }
        return members.isEmpty ? nil : RenderedObject(members)
    }
}
