import TributaryJSON

/// What the server has to know of the destinations on the device, so that no service gets an event from both:
/// `_metadata` on the wire.
enum DestinationMetadata {
    /// The name of the member.
    static let member = "_metadata"

    /// `bundled` are the destinations on the device that the settings name, `unbundled` all others that they name and
    /// those that they say are unbundled.
    /// - Returns: nil when the settings name none but the server: there is nothing to tell.
    static func rendered(_ settings: Settings, _ snapshot: Timeline.Snapshot) -> RenderedObject? {
        let integrations = settings.integrations?.objectValue ?? [:]
        let named = integrations.map(\.key).filter { $0 != CloudDestination.key }
        let bundled = snapshot.lines.map(\.key).filter { integrations[$0] != nil && $0 != CloudDestination.key }
        let said = integrations[CloudDestination.key]?["unbundledIntegrations"]?.elements ?? []
        var unbundled: [String] = []
        for key in named + said.compactMap(\.stringValue) where !bundled.contains(key) && !unbundled.contains(key) {
            unbundled.append(key)
        }
        guard !bundled.isEmpty || !unbundled.isEmpty else { return nil }
        return RenderedObject([
            "bundled": .array(bundled.map(JSON.string)), "unbundled": .array(unbundled.map(JSON.string)),
            "bundledIds": [],
        ])
    }
}
