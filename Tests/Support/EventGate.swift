package import Dispatch
package import Tributary

/// Holds the processing of each event "Held" until the test opens it.
///
/// Unchecked because `analytics` is set once, before events come.
package final class EventGate: EventPlugin, @unchecked Sendable {
    package let type = PluginType.before
    package weak var analytics: Analytics?
    /// Signalled when the event has come.
    package let arrived = DispatchSemaphore(value: 0)
    /// The test signals it to let the event go on.
    package let opened = DispatchSemaphore(value: 0)

    package init() {}

    package func track(event: TrackEvent) -> TrackEvent? {
        if event.event == "Held" {
            arrived.signal()
            opened.wait()
        }
        return event
    }
}
