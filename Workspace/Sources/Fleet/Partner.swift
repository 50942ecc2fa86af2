import Tributary

/// A destination on the device that has nothing to do: the client counts what it gets.
///
/// Unchecked because `analytics` is set once, before all calls.
final class Partner: DestinationPlugin, @unchecked Sendable {
    static let key = "Partner"

    let type = PluginType.destination
    let name = Partner.key
    let timeline = Timeline()
    weak var analytics: Analytics?
}
