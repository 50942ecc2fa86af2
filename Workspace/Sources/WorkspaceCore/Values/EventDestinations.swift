package import TributaryJSON

/// The destinations that a client names in an event.
package enum EventDestinations {
    package static func names(in event: JSON) -> [String] {
        var names = event["integrations"]?.objectValue?.map(\.key) ?? []
        for list in ["bundled", "unbundled"] {
            names += event["_metadata"]?[list]?.elements?.compactMap(\.stringValue) ?? []
        }
        return names
    }
}
